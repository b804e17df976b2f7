//! `bench`, through the command line.

use crate::common::unacked;

const FEW: &str = "bench checkout-outage --seeds 0..20 --policies none,new-key,stripe-sdk";

#[test]
fn safety_comes_first() {
    let said = unacked(FEW);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("disqualified: new-key charges twice"), "{}", said.out);
    assert!(said.out.contains("0 in 20 seeds (95 %: at most"), "{}", said.out);
    let last = said.out.lines().filter(|line| line.contains(" NO ")).count();
    assert_eq!(last, 1, "{}", said.out);
}

#[test]
fn every_format_is_the_same_on_any_number_of_threads() {
    for format in ["human", "markdown", "json", "csv"] {
        let by = |jobs| unacked(&format!("{FEW} --format {format} --jobs {jobs}")).out;
        assert_eq!(by(1), by(2), "{format}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_with_the_reason() {
    let refused = |words: &str| {
        let said = unacked(&format!("bench {words}"));
        assert_eq!(said.code, 2, "{words}");
        said.err
    };
    assert!(refused("checkout-outage --policies stripe-sdk").contains("add it to --policies"));
    assert!(refused("checkout-outage --policies none,hystrix-breaker").contains("breakers"));
    assert!(refused("checkout-outage --policies none,nobody").contains("no preset is named"));
    assert!(refused("nowhere").contains("surge-collapse"));
}
