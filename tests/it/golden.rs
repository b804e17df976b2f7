//! Golden digests: the same on every machine, in debug and in release. `RENEW=1` writes them anew.

use unacked::mount::{BuiltIn, Mount};
use unacked::scenarios::catalog::SCENARIOS;
use unacked::scenarios::filter::Filter;
use unacked::source;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/golden.txt");

fn digests() -> String {
    let mut out = String::from("# Digests of ten runs per scenario, under its usual policy.\n");
    for (name, _) in SCENARIOS {
        let model = source::scenario(name).expect(name);
        let policy = source::policy_in(&model, None).expect(name);
        let mount = BuiltIn { model: &model, policy: &policy, filter: &Filter::default() };
        let all = mount.in_lab(|lab| (0..10).map(|seed| lab.run_seed(seed).digest).collect::<Vec<u64>>());
        all.iter().enumerate().for_each(|(seed, digest)| out += &format!("{name}:{seed} {digest:016x}\n"));
    }
    out
}

#[test]
fn runs_are_what_they_were() {
    if std::env::var_os("RENEW").is_some() {
        return std::fs::write(PATH, digests()).expect("the digests are written");
    }
    let golden = std::fs::read_to_string(PATH).expect("there are golden digests");
    for (then, now) in golden.lines().zip(digests().lines()) {
        assert_eq!(then, now, "if a change of behaviour is meant: RENEW=1 cargo test --test it golden");
    }
    assert_eq!(golden.lines().count(), digests().lines().count());
}
