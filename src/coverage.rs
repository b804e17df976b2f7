//! Coverage: what a world can do to a subject, what a run set reached of it, and what cannot be judged.

use crate::mount::InScenario;
use crate::statistics::Statistics;
use unacked_scenarios::clause::Needs;
use unacked_scenarios::model::Model;
use unacked_scenarios::promises;
use unacked_search::reach::{families, is_opt_in, possible};
use unacked_sim::kind::{Kind, KindId};

/// What a world can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Kinds that random runs can draw, and how often they struck.
    pub drawn: Vec<(&'static Kind, u64)>,
    /// Kinds that only plans and exhaustive placement use here.
    pub placed_only: Vec<&'static str>,
    /// Kinds not reached although they should have been.
    pub unreached: Vec<&'static str>,
    /// Kinds not reached that the scenario excuses: only a wrong client meets them.
    pub excused: Vec<&'static str>,
    /// What cannot be judged for this subject: promises, or clauses of some.
    pub not_judged: Vec<&'static str>,
    /// The scenario's maxima, in words.
    pub maxima: String,
    /// Classes of choices with the number of kinds of each.
    pub families: Vec<(&'static str, usize)>,
}

/// What a run set reached.
pub fn coverage<M: InScenario>(mount: &M, statistics: &Statistics) -> Coverage {
    let (drawn, placed_only) = mount.in_lab(|lab| lab.door(possible));
    let count =
        |(id, kind): &(KindId, &'static Kind)| (*kind, statistics.faults.get(usize::from(id.0)).copied().unwrap_or(0));
    let drawn: Vec<(&'static Kind, u64)> = drawn.iter().map(count).collect();
    let missing = drawn.iter().filter(|(kind, n)| *n == 0 && !is_opt_in(kind)).map(|(kind, _)| kind.name);
    let except = &mount.model().scenario.reach.except;
    let (excused, unreached) = missing.partition(|name| except.iter().any(|e| e == name));
    Coverage {
        families: families(drawn.iter().map(|(kind, _)| *kind)),
        drawn,
        placed_only: placed_only.into_iter().map(|k| k.name).collect(),
        unreached,
        excused,
        not_judged: promises::not_judged(Needs::seen(mount.sees_store())),
        maxima: maxima(mount.model()),
    }
}

fn maxima(model: &Model) -> String {
    let time = &model.scenario.time;
    format!(
        "faults for {}, requests up to {} late, pauses up to {}, clocks up to {} off",
        time.chaos.0, time.d_max.0, time.p_max.0, time.skew.0
    )
}
