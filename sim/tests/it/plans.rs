//! Plans: words, text and JSON say the same; what is wrong is said in one sentence.

use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use unacked_sim::draw::DrawKey;
use unacked_sim::kind::{self, Class, ENGINE_KINDS, Kind, Kinds, Lasts};
use unacked_sim::plan::{Choice, FORMAT, Noise, Pin, Plan};
use unacked_sim::site::{SiteName, Stage};
use unacked_sim::time::{Span, parse_span};

/// The same cases on every machine, and no file of failures beside the source.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() }
}

/// Any one word, `a:b`, `x=y` and `(` among them, that a plan can carry as a scope.
fn scope() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,9}-[0-9]{1,3}", r"\S{1,8}", "[:=()#,.a-z]{1,6}"]
        .prop_filter("reserved", |word| !(word.starts_with('#') || word == "noise" || word == "pin"))
}

fn verb() -> impl Strategy<Value = String> {
    prop_oneof![r"[a-z]{1,9}(\.[a-z]{1,9})?", r"\S{1,8}", "[:=()#,.a-z]{1,6}"]
}

fn site() -> impl Strategy<Value = SiteName> {
    // The number below 2^24 and, in the high bits, which copy of it (`#2.1`).
    let occurrence = prop_oneof![4 => 1..20u32, 1 => (1..1u32 << 24, 0..256u32).prop_map(|(n, copy)| n | copy << 24)];
    (scope(), verb(), occurrence, prop::sample::select(Stage::ALL.to_vec()))
        .prop_map(|(scope, verb, occurrence, stage)| SiteName { scope, verb, occurrence, stage })
}

/// Whole units, odd microseconds near them, and anything.
fn span() -> impl Strategy<Value = Span> {
    let units = prop::sample::select(vec![1, 1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000]);
    prop_oneof![
        (units, 0..2_000u64, 0..3u64).prop_map(|(unit, n, odd)| Span((unit * n + odd).saturating_sub(1))),
        (0..64u32, any::<u64>()).prop_map(|(shift, bits)| Span(bits >> shift)),
        prop::sample::select(vec![Span::ZERO, Span(1), Span(u64::MAX - 1), Span::NEVER]),
    ]
}

fn choice() -> impl Strategy<Value = Choice> {
    (site(), prop::sample::select(ENGINE_KINDS), prop::option::of(span())).prop_map(|(site, kind, param)| Choice {
        site,
        option: kind.name.into(),
        param,
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    let noise = prop_oneof![
        Just(Noise::Off),
        (any::<u64>(), any::<u64>()).prop_map(|(a, b)| Noise::Key(DrawKey::from_parts(a, b))),
        (0..1u64 << 20).prop_map(|seed| Noise::Key(DrawKey::from_seed(seed))),
    ];
    let pin = (site(), any::<u64>()).prop_map(|(site, value)| Pin { site, value });
    (noise, prop::collection::vec(pin, 0..4), prop::collection::vec(choice(), 0..6))
        .prop_map(|(noise, pins, choices)| Plan { format: FORMAT, noise, pins, choices })
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn a_span_is_read_as_it_is_printed(span in span()) {
        prop_assert_eq!(parse_span(&span.to_string()), Ok(span));
    }

    #[test]
    fn a_site_is_read_as_it_is_printed(site in site()) {
        prop_assert_eq!(SiteName::parse(&site.to_string()), Ok(site));
    }

    #[test]
    fn a_choice_is_read_as_it_is_printed(choice in choice()) {
        prop_assert_eq!(Choice::parse(&choice.to_string()), Ok(choice));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in r"[ -~µ\n]{0,40}") {
        let _ = (parse_span(&text), SiteName::parse(&text), Choice::parse(&text), text.parse::<Plan>());
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_plan_is_read_as_it_is_printed(plan in plan()) {
        prop_assert_eq!(plan.to_string().parse(), Ok(plan));
    }

    #[test]
    fn a_plan_is_loaded_as_it_is_saved(plan in plan()) {
        let compact = serde_json::to_string(&plan).expect("a plan is JSON");
        prop_assert_eq!(&serde_json::from_str::<Plan>(&compact).expect(&compact), &plan);
        let pretty = serde_json::to_string_pretty(&plan).expect("a plan is JSON");
        prop_assert_eq!(&serde_json::from_str::<Plan>(&pretty).expect(&pretty), &plan);
    }

    #[test]
    fn text_and_json_replay_alike(plan in plan()) {
        let kinds = Kinds::with(&[]);
        let json = serde_json::to_string(&plan).expect("a plan is JSON");
        let from_json = serde_json::from_str::<Plan>(&json).expect(&json).compile(&kinds);
        prop_assert_eq!(plan.to_string().parse::<Plan>().and_then(|p| p.compile(&kinds)), from_json);
    }
}

#[test]
fn spans_are_exact_at_every_edge() {
    let edges = (0..64).map(|i| 1u64 << i).chain([1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000]);
    for edge in edges.chain([u64::MAX]) {
        for us in [edge - 1, edge, edge.saturating_add(1)] {
            let text = Span(us).to_string();
            assert_eq!(parse_span(&text), Ok(Span(us)), "{text}");
        }
    }
    let check = |us: u64, text: &str| assert_eq!(Span(us).to_string(), text);
    check(0, "0s");
    check(999, "999us");
    check(1_001, "1.001ms");
    check(1_000_001, "1.000001s");
    check(61_000_010, "1m1.00001s");
    check(86_400_000_001, "1d0.000001s");
    check(u64::MAX - 1, "213503982d8h1m49.551614s");
    check(u64::MAX, "never");
}

#[test]
fn a_plan_reads_well() {
    let plan = example();
    assert_snapshot!(plan.to_string(), @r#"
    noise 0123456789abcdef0000000000000007
    pin order-1 charge #1 request = 20000
    order-1 charge #1 reply: reply-lost
    order-1 charge.dispatched #1 after: crash(1.5s)
    "#);
    assert_snapshot!(serde_json::to_string_pretty(&plan).expect("a plan is JSON"), @r#"
    {
      "format": 1,
      "noise": "0123456789abcdef0000000000000007",
      "pins": [
        {
          "site": "order-1 charge #1 request",
          "value": 20000
        }
      ],
      "choices": [
        {
          "site": "order-1 charge #1 reply",
          "option": "reply-lost"
        },
        {
          "site": "order-1 charge.dispatched #1 after",
          "option": "crash",
          "param": "1.5s"
        }
      ]
    }
    "#);
    assert_snapshot!(Plan { format: FORMAT, ..Plan::default() }, @"noise off");
}

#[test]
fn people_may_be_loose() {
    let check = |text: &str| assert_eq!(text.parse::<Plan>(), Ok(example()), "{text}");
    check(&example().to_string());
    check(&example().to_string().replace('\n', "\r\n"));
    check(&format!("# a comment\n\n{}\n#order-1 charge #9 reply: reply-lost\n", example()));
    check(
        &example().to_string().replace(' ', "  ").replace(": ", " :\t").replace('(', " ( ").replace("1.5s", "1500ms"),
    );
    check(&example().to_string().replace(": ", ":").replace(" = ", "=").replace("1.5s", "1s 500ms"));
}

#[test]
fn what_json_may_leave_out() {
    let check = |json: &str, plan: Plan| assert_eq!(serde_json::from_str::<Plan>(json).expect(json), plan);
    let empty = Plan { format: FORMAT, ..Plan::default() };
    check(r#"{"format": 1, "choices": []}"#, empty.clone());
    check(r#"{"format": 1, "noise": "off", "pins": [], "choices": []}"#, empty);
    let choice = Choice::parse("order-1 charge #2 reply: reply-lost").expect("a choice");
    check(
        r#"{"format": 1, "choices": [{"site": "order-1 charge #2 reply", "option": "reply-lost", "param": null}]}"#,
        Plan { format: FORMAT, choices: vec![choice], ..Plan::default() },
    );
}

#[test]
fn a_former_name_is_the_same_choice() {
    const TABLE: &[Kind] = &[Kind {
        name: "answer-garbled",
        aliases: &["answer-mangled", "answer-odd"],
        class: Class::Breach,
        about: "the answer says something else",
        rules: "R21",
        place: "ReplyFate",
        values: |_| Vec::new(),
        lasts: Lasts::Moment,
    }];
    let kinds = Kinds::with(&[TABLE]);
    let compiled = |option: &str| {
        let plan: Plan = format!("order-1 charge #1 reply: {option}(2s)").parse().expect("a plan");
        plan.compile(&kinds).map(|s| (s.choices[0].kind.0, s.choices[0].value))
    };
    for option in ["answer-garbled", "answer-mangled", "answer-odd"] {
        assert_eq!(compiled(option), Ok((kind::FIRST_OTHER, 2_000_000)), "{option}");
    }
    assert!(compiled("answer-strange").is_err());
}

#[test]
fn lines_that_are_wrong_are_answered_in_one_sentence() {
    let check = |text: &str| text.parse::<Plan>().expect_err(text);
    assert_snapshot!(check("order-1 charge #1 reply reply-lost"), @"`order-1 charge #1 reply reply-lost` is not a choice: write SITE: OPTION or SITE: OPTION(5s)");
    assert_snapshot!(check("order-1 charge #1 reply:"), @"`order-1 charge #1 reply:` names no option: write SITE: OPTION or SITE: OPTION(5s)");
    assert_snapshot!(check("order-1 charge #1 reply: (2s)"), @"`order-1 charge #1 reply: (2s)` names no option: write SITE: OPTION or SITE: OPTION(5s)");
    assert_snapshot!(check("order-1 charge reply: reply-lost"), @"`order-1 charge reply` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge #0 reply: reply-lost"), @"`order-1 charge #0 reply` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge #16777216 reply: reply-lost"), @"`order-1 charge #16777216 reply` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge #1.256 reply: reply-lost"), @"`order-1 charge #1.256 reply` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge 1 reply: reply-lost"), @"`order-1 charge 1 reply` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge #1 answer: reply-lost"), @"`order-1 charge #1 answer` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(check("order-1 charge #1 reply: reply-late(2s"), @"`order-1 charge #1 reply: reply-late(2s`: a `)` is missing at the end");
    assert_snapshot!(check("order-1 charge #1 reply: reply-late(2)"), @r#"`2` is not a length of time: write a number and a unit (us, ms, s, m, h, d), such as "250ms", "30s", "3h20m" or "never""#);
    assert_snapshot!(check("order-1 charge #1 reply: reply-late()"), @r#"`` is not a length of time: write a number and a unit (us, ms, s, m, h, d), such as "250ms", "30s", "3h20m" or "never""#);
    assert_snapshot!(check("noise on"), @r#"noise `on` is neither "off" nor a key of 32 hexadecimal digits"#);
    assert_snapshot!(check("noise +123456789abcdef0123456789abcdef"), @r#"noise `+123456789abcdef0123456789abcdef` is neither "off" nor a key of 32 hexadecimal digits"#);
    assert_snapshot!(check("noise charge #1 reply: reply-lost"), @r#"noise `charge #1 reply: reply-lost` is neither "off" nor a key of 32 hexadecimal digits"#);
    assert_snapshot!(check("pin order-1 charge #1 reply 20"), @"`order-1 charge #1 reply 20` is not a pin: write pin SITE = NUMBER");
    assert_snapshot!(check("pin order-1 charge #1 reply = 20ms"), @"`20ms` is not a whole number");
    assert_snapshot!(check("pin order-1 charge = 20"), @"`order-1 charge` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock");
    assert_snapshot!(Choice::parse("pin charge #1 reply: reply-lost").expect_err("reserved"), @"`pin` cannot be a scope: `noise`, `pin` and words that begin with `#` mean something else in a plan");
}

#[test]
fn json_that_is_wrong_is_answered_in_one_sentence() {
    let check = |json: &str| serde_json::from_str::<Plan>(json).expect_err(json).to_string();
    let choice = |fields: &str| check(&format!(r#"{{"format": 1, "choices": [{{{fields}}}]}}"#));
    assert_snapshot!(check(r#"{"choices": []}"#), @"missing field `format` at line 1 column 15");
    assert_snapshot!(check(r#"{"format": 1}"#), @"missing field `choices` at line 1 column 13");
    assert_snapshot!(check(r#"{"format": 1, "choices": [], "choice": []}"#), @"unknown field `choice`, expected one of `format`, `noise`, `pins`, `choices` at line 1 column 37");
    assert_snapshot!(check(r#"{"format": 1, "noise": "loud", "choices": []}"#), @r#"noise `loud` is neither "off" nor a key of 32 hexadecimal digits at line 1 column 29"#);
    assert_snapshot!(choice(r#""site": "order-1 charge #1", "option": "reply-lost""#), @"`order-1 charge #1` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are before, after, request, provider, reply, store, human, clock at line 1 column 54");
    assert_snapshot!(choice(r#""site": "order-1 charge #1 reply", "option": "reply-late", "param": "2""#), @r#"`2` is not a length of time: write a number and a unit (us, ms, s, m, h, d), such as "250ms", "30s", "3h20m" or "never" at line 1 column 99"#);
    assert_snapshot!(choice(r#""site": "order-1 charge #1 reply""#), @"missing field `option` at line 1 column 61");
}

#[test]
fn plans_that_cannot_be_replayed_say_why() {
    let check = |plan: Plan| plan.compile(&Kinds::with(&[])).expect_err("cannot be replayed");
    let read = |text: &str| text.parse::<Plan>().expect(text);
    assert_snapshot!(check(read("order-1 charge #1 reply: reply-lots")), @"`reply-lots` at `order-1 charge #1 reply` is no known option; `list faults` shows them all");
    assert_snapshot!(check(read("order-1 charge #1 reply: benign")), @"`benign` at `order-1 charge #1 reply` is no known option; `list faults` shows them all");
    assert_snapshot!(
        check(read("order-1 charge #1 reply: reply-lost\norder-1 charge #1 reply: reply-late(2s)")),
        @"the site `order-1 charge #1 reply` is named twice: a site has one choice"
    );
    assert_snapshot!(check(read("pin order-1 charge #1 reply = 1\npin order-1 charge #1 reply = 2")), @"the site `order-1 charge #1 reply` is pinned twice: a site has one value");
    assert_snapshot!(check(Plan { format: 2, ..example() }), @"plan format 2 is not known: this version reads format 1");
    assert_snapshot!(check(Plan::default()), @"plan format 0 is not known: this version reads format 1");
}

fn example() -> Plan {
    let choice = |text| Choice::parse(text).expect(text);
    Plan {
        format: FORMAT,
        noise: Noise::Key(DrawKey::from_parts(0x0123_4567_89ab_cdef, 7)),
        pins: vec![Pin { site: SiteName::parse("order-1 charge #1 request").expect("a site"), value: 20_000 }],
        choices: vec![
            choice("order-1 charge #1 reply: reply-lost"),
            choice("order-1 charge.dispatched #1 after: crash(1.5s)"),
        ],
    }
}
