//! Cases that somebody or something has damaged: never a panic, never a silent "kept".

use unacked::case::{Case, ChoiceUsed, Fate, read, replay};
use unacked::scenarios::catalog::REGRESSIONS;
use unacked::sim::draw::DrawKey;

const MUTATIONS: u64 = 10_000;

/// Numbers of one mutation.
struct Dice(DrawKey, u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.1 += 1;
        (self.0.draw(self.1, 0) % n.max(1) as u64) as usize
    }
}

const SITES: [&str; 6] = [
    "order-9 charge #1 reply",
    "order-1 charge #777 provider",
    "order-1 notify #1.3 request",
    "nobody nothing #1 store",
    "worker-2 clock #1 clock",
    "order-1 charge #1 reply",
];
const OPTIONS: [&str; 5] = ["reply-lost", "crash", "clock-behind", "double-effect", "no-such-thing"];
const PARAMS: [&str; 5] = ["1us", "1000d", "never", "-3s", "18446744073709551615us"];

fn mutate_choices(choices: &mut Vec<ChoiceUsed>, dice: &mut Dice) {
    let at = dice.below(choices.len());
    match dice.below(7) {
        0 if !choices.is_empty() => drop(choices.remove(at)),
        1 => choices.reverse(),
        2 if !choices.is_empty() => choices.push(choices[at].clone()),
        3 if !choices.is_empty() => choices[at].site = SITES[dice.below(SITES.len())].into(),
        4 if !choices.is_empty() => choices[at].option = OPTIONS[dice.below(OPTIONS.len())].into(),
        5 if !choices.is_empty() => choices[at].param = Some(PARAMS[dice.below(PARAMS.len())].into()),
        _ => choices.push(ChoiceUsed {
            site: SITES[dice.below(SITES.len())].into(),
            option: OPTIONS[dice.below(OPTIONS.len())].into(),
            param: None,
            landed: true,
        }),
    }
}

/// Cuts, doubles or overwrites bytes.
fn mutate_text(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = dice.below(bytes.len());
    match dice.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] = dice.below(256) as u8,
        2 => drop(bytes.splice(at..at, b"[[[[[[[[".repeat(1 + dice.below(400)))),
        3 => drop(bytes.splice(at..at, bytes[at..bytes.len().min(at + 90)].to_vec())),
        _ => drop(bytes.drain(at..text.len().min(at + 30))),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutated(case: &Case, dice: &mut Dice) -> String {
    if dice.below(3) == 0 {
        return mutate_text(&case.to_json(), dice);
    }
    let mut case = case.clone();
    (0..=dice.below(3)).for_each(|_| mutate_choices(&mut case.choices, dice));
    case.to_json()
}

#[test]
fn ten_thousand_damaged_cases() {
    let cases: Vec<Case> = REGRESSIONS.iter().map(|(name, text)| read(name, text).expect(name)).collect();
    let (mut refused, mut stale, mut ran) = (0, 0, 0);
    for number in 0..MUTATIONS {
        let mut dice = Dice(DrawKey::from_parts(number, 7), 0);
        let text = mutated(&cases[dice.below(cases.len())], &mut dice);
        let Ok(ready) = read("case.json", &text).and_then(|case| case.ready("case.json", None)) else {
            refused += 1;
            continue;
        };
        let (replayed, ()) = replay(&ready, |_, _, _| ());
        let gone = replayed.choices.iter().zip(&ready.saved.landed).any(|((_, struck), landed)| *landed && !struck);
        assert!(!(gone && matches!(replayed.fate, Fate::Fixed | Fate::Kept)), "{number}: {text}");
        stale += u32::from(replayed.fate == Fate::Stale);
        ran += 1;
    }
    assert!(refused > 500 && stale > 500 && ran > 2_000, "{refused} refused, {stale} stale, {ran} run");
}
