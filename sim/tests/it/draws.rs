//! Keyed draws: golden values that pin what a seed means, uniformity, independence.

use unacked_sim::distribution::unit;
use unacked_sim::draw::{DrawKey, VERSION, absorb, hash_name, threshold};
use unacked_sim::site::{SiteName, Stage};

/// How many draws a statistic is taken over.
const MANY: usize = 100_000;

// The values of the four tests below are what a seed means. They were computed by a second
// implementation (Python, ChaCha8 included), not copied from this one. Changing any of them
// invalidates every recorded seed and noise key: bump `draw::VERSION` with it and say so in the
// changelog. (Plans without noise survive: they carry words.)

#[test]
fn golden_version() {
    assert_eq!(VERSION, 1, "a new version needs new golden values in this file");
}

#[test]
fn golden_names() {
    let check = |name: &str, hash: u64| assert_eq!(hash_name(name), hash, "`{name}`: {:#018x}", hash_name(name));
    check("", 0x9f07_f375_9565_caea);
    check("a", 0xbf2a_ad74_2d8a_9b05);
    check("gate", 0xad61_bee9_673a_6f33);
    check("value", 0x05d7_659c_c528_b792);
    check("sample", 0x8906_a075_f282_05b2);
    check("reply-lost", 0x8983_29e2_29ed_47be);
    check("order-1", 0x8ddd_7ab9_2556_415b);
    check("charge.dispatched", 0x2879_2716_c39d_1b5e);
    check("größer", 0x4ec6_07a3_4a28_8bc9);
}

#[test]
fn golden_keys_and_draws() {
    let check = |seed: u64, parts: (u64, u64), draw: u64| {
        let key = DrawKey::from_seed(seed);
        let drawn = key.draw(site("order-1", "charge", 1, Stage::Reply), hash_name("reply-lost"));
        assert_eq!((key.parts(), drawn), (parts, draw), "seed {seed}: {:#018x?} {drawn:#018x}", key.parts());
        assert_eq!(DrawKey::from_parts(parts.0, parts.1), key);
    };
    // Sixteen seeds share an expansion.
    check(0, (0x93a2_d9b2_cf34_a0ea, 0x2ac9_61bf_d1e1_b846), 0x8dd8_496b_e734_9eb3);
    check(1, (0xdf9f_8a0f_b5f7_7513, 0xd7aa_092d_7e55_aba8), 0x9747_3c9c_2b43_7879);
    check(15, (0x5845_a405_955e_2d32, 0xe9c6_4a7d_f870_1dc5), 0x1910_a7e4_1402_c947);
    check(16, (0xf290_fd16_154c_9bb5, 0x6041_310f_489a_f42f), 0xcf69_75d8_56f6_95ad);
    check(42, (0x3010_c989_a2ef_78cd, 0xc858_affa_0e93_901a), 0x134e_e779_a603_16c1);
    check(1 << 32, (0x78b5_820e_a161_f2f1, 0x0be3_7da6_b734_70ae), 0x1910_dee2_da5e_030a);
    check(u64::MAX, (0x7ff0_793e_b5ea_27cb, 0x5a91_d831_9a10_42ef), 0x6c1d_284b_58f4_7446);
    let zero = DrawKey::from_parts(0, 0);
    assert_eq!(zero.draw(1, 2), 0x50c4_cfb7_972d_b642, "{:#018x}", zero.draw(1, 2));
}

#[test]
fn golden_sites_and_digests() {
    let check = |text: &str, hash: u64| {
        let name = SiteName::parse(text).expect(text);
        assert_eq!(name.hash(), hash, "{text}: {:#018x}", name.hash());
    };
    check("order-1 charge #1 request", 0x68d9_0bab_539d_0338);
    check("order-1 charge #1 reply", 0xd12e_d12b_e25b_431f);
    check("order-1 charge #2 reply", 0x2bbc_bcb7_b0a5_b810);
    check("order-2 charge #1 reply", 0xb5c2_5903_be34_4250);
    check("order-1 charge.dispatched #1 after", 0x3d26_b38b_ef40_e4b0);
    check("order-1 charge.dispatched #1 before", 0x8686_934c_f297_d8ad);
    check("order-1 charge #1 provider", 0x726c_15c1_6212_a4dc);
    check("order-1 charge #1 store", 0x9da6_0192_6403_750e);
    check("order-1 approval #1 human", 0x58db_c5f0_4262_2167);
    check("worker-2 tick #16777215 clock", 0xd6aa_cdbf_a90d_56ae);
    check("order-1 charge #2.1 provider", 0x3d9d_ce34_2c7a_fd0c);
    assert_eq!(absorb(absorb(0, 1), 2), 0x1085_ab26_f140_0414, "{:#018x}", absorb(absorb(0, 1), 2));
}

#[test]
fn one_part_of_a_site_is_enough_to_change_its_hash() {
    let mut hashes = Vec::new();
    for scope in ["order-1", "order-2", "charge"] {
        for verb in ["charge", "order-1", "charge.dispatched"] {
            for occurrence in (1..200).chain([u32::MAX - 1, u32::MAX]) {
                hashes.extend(Stage::ALL.map(|stage| site(scope, verb, occurrence, stage)));
            }
        }
    }
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}

#[test]
fn draws_are_uniform_whatever_varies() {
    let check = |what: &str, draws: &[u64]| {
        for shift in [0, 8, 28, 56] {
            let bytes = draws.iter().map(|d| (d >> shift) as u8);
            check_even(&format!("{what}, byte at bit {shift}"), bytes);
        }
        let pairs = draws.windows(2).step_by(2).map(|w| (w[0] >> 60 << 4 | w[1] >> 60) as u8);
        check_even(&format!("{what}, top bits of pairs"), pairs);
        let pairs = draws.windows(2).step_by(2).map(|w| ((w[0] & 15) << 4 | w[1] & 15) as u8);
        check_even(&format!("{what}, bottom bits of pairs"), pairs);
        let mean = draws.iter().map(|&d| unit(d)).sum::<f64>() / draws.len() as f64;
        // The mean of n uniform numbers deviates by 0.289 / sqrt(n): five of those.
        assert!((mean - 0.5).abs() < 5.0 * 0.289 / (draws.len() as f64).sqrt(), "{what}: mean {mean}");
    };
    for seed in [0, 1, 2, u64::MAX] {
        check(&format!("occurrences under seed {seed}"), &by_occurrence(seed));
        check(&format!("scopes under seed {seed}"), &by_scope(seed));
        check(&format!("names under seed {seed}"), &by_name(seed));
    }
    check("seeds", &by_seed("reply-lost"));
    check("seeds, another name", &by_seed("gate"));
}

#[test]
fn neighbours_are_not_correlated() {
    for lag in [1, 2, 3, 7, 64] {
        let check = |what: &str, draws: &[u64]| check_independent(&format!("{what}, lag {lag}"), draws, &draws[lag..]);
        check("occurrences", &by_occurrence(5));
        check("scopes", &by_scope(5));
        check("names", &by_name(5));
        check("seeds", &by_seed("gate"));
    }
    check_independent("seeds, two names at one site", &by_seed("gate"), &by_seed("reply-lost"));
    check_independent("occurrences, two seeds", &by_occurrence(5), &by_occurrence(6));
    let key = DrawKey::from_seed(9);
    let stage = |stage| -> Vec<u64> {
        (1..=MANY as u32).map(|n| key.draw(site("order-1", "charge", n, stage), hash_name("gate"))).collect()
    };
    check_independent("occurrences, two stages", &stage(Stage::Request), &stage(Stage::Reply));
    let swapped = |scope: &str, verb: &str| -> Vec<u64> {
        (1..=MANY as u32).map(|n| key.draw(site(scope, verb, n, Stage::Reply), hash_name("gate"))).collect()
    };
    check_independent("scope and verb swapped", &swapped("a", "b"), &swapped("b", "a"));
}

#[test]
fn a_small_change_flips_half_of_the_bits() {
    let gate = hash_name("gate");
    let at = site("order-1", "charge", 1, Stage::Reply);
    check_avalanche(
        "one bit of the seed",
        (0..64u64).flat_map(|seed| (0..64).map(move |bit| (seed * 977, (seed * 977) ^ (1 << bit)))).map(|(a, b)| {
            let draw = |seed| DrawKey::from_seed(seed).draw(at, gate);
            draw(a) ^ draw(b)
        }),
    );
    for seed in 0..4 {
        let key = DrawKey::from_seed(seed);
        let draw = |occurrence, stage| key.draw(site("order-1", "charge", occurrence, stage), gate);
        check_avalanche("the next occurrence", (1..=4096).map(|n| draw(n, Stage::Reply) ^ draw(n + 1, Stage::Reply)));
        check_avalanche("the stage", (1..=4096).map(|n| draw(n, Stage::Before) ^ draw(n, Stage::After)));
        check_avalanche("one bit of the site", bits_of(|n, bit| key.draw(n, gate) ^ key.draw(n ^ 1 << bit, gate)));
        check_avalanche("one bit of the name", bits_of(|n, bit| key.draw(at, n) ^ key.draw(at, n ^ 1 << bit)));
        check_avalanche(
            "one letter of the name",
            (0..4096).map(|n| {
                let name = |last: char| key.draw(at, hash_name(&format!("option-{n}-{last}")));
                name('a') ^ name('b')
            }),
        );
    }
}

#[test]
fn thresholds_are_probabilities() {
    let check = |probability: f64, share: u64| assert_eq!(threshold(probability), share, "{probability}");
    check(0.0, 0);
    check(-1.0, 0);
    check(f64::NAN, 0);
    check(0.5, 1 << 63);
    check(0.25, 1 << 62);
    check(1.0, u64::MAX);
    check(7.0, u64::MAX);
    check(f64::INFINITY, u64::MAX);
    assert!(threshold(1e-9).abs_diff(18_446_744_073) <= 1);
}

fn site(scope: &str, verb: &str, occurrence: u32, stage: Stage) -> u64 {
    SiteName { scope: scope.into(), verb: verb.into(), occurrence, stage }.hash()
}

fn by_occurrence(seed: u64) -> Vec<u64> {
    let (key, name) = (DrawKey::from_seed(seed), hash_name("gate"));
    (1..=MANY as u32).map(|n| key.draw(site("order-1", "charge", n, Stage::Reply), name)).collect()
}

fn by_scope(seed: u64) -> Vec<u64> {
    let (key, name) = (DrawKey::from_seed(seed), hash_name("gate"));
    (1..=MANY).map(|n| key.draw(site(&format!("order-{n}"), "charge", 1, Stage::Reply), name)).collect()
}

fn by_name(seed: u64) -> Vec<u64> {
    let (key, at) = (DrawKey::from_seed(seed), site("order-1", "charge", 1, Stage::Reply));
    (0..MANY).map(|n| key.draw(at, hash_name(&format!("option-{n}")))).collect()
}

fn by_seed(name: &str) -> Vec<u64> {
    let (at, name) = (site("order-1", "charge", 1, Stage::Reply), hash_name(name));
    (0..MANY as u64).map(|seed| DrawKey::from_seed(seed).draw(at, name)).collect()
}

/// 4,096 differences: each of the 64 bits of 64 inputs.
fn bits_of(difference: impl Fn(u64, u32) -> u64) -> impl Iterator<Item = u64> {
    (0..4096u32).map(move |i| difference(hash_name(&format!("input-{}", i / 64)), i % 64))
}

/// Chi-square over 256 buckets: mean 255, deviation 22.6; the limits are beyond five deviations
/// above and four below (the distribution leans to the right).
fn check_even(what: &str, bytes: impl Iterator<Item = u8>) {
    let mut buckets = [0u32; 256];
    bytes.for_each(|b| buckets[usize::from(b)] += 1);
    let expected = f64::from(buckets.iter().sum::<u32>()) / 256.0;
    let chi: f64 = buckets.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!((165.0..380.0).contains(&chi), "{what}: chi-square {chi:.1}");
}

/// Pearson's r of n independent pairs deviates by 1 / sqrt(n): five of those.
fn check_independent(what: &str, a: &[u64], b: &[u64]) {
    let n = a.len().min(b.len()) as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (unit(*a) - 0.5, unit(*b) - 0.5);
        sum += a * b;
        squares += (a * a + b * b) / 2.0;
    }
    let r = sum / squares;
    assert!(r.abs() < 5.0 / n.sqrt(), "{what}: correlation {r}");
}

/// Of n differences: each bit is set in half of them within five deviations of 0.5 / sqrt(n), the
/// mean is 32 bits likewise (4 / sqrt(n)), and none has so few or many bits that it betrays its input.
fn check_avalanche(what: &str, differences: impl Iterator<Item = u64>) {
    let (mut bits, mut n) = ([0u32; 64], 0u32);
    for difference in differences {
        let ones = difference.count_ones();
        assert!((8..=56).contains(&ones), "{what}: {ones} bits flipped in difference {n}");
        bits.iter_mut().enumerate().for_each(|(i, count)| *count += (difference >> i & 1) as u32);
        n += 1;
    }
    let root = f64::from(n).sqrt();
    for (i, &count) in bits.iter().enumerate() {
        let share = f64::from(count) / f64::from(n);
        assert!((share - 0.5).abs() < 5.0 * 0.5 / root, "{what}: bit {i} flips in {share:.3}");
    }
    let mean = f64::from(bits.iter().sum::<u32>()) / f64::from(n);
    assert!((mean - 32.0).abs() < 5.0 * 4.0 / root, "{what}: {mean:.2} bits flip");
}
