//! What is mounted in a scenario's world: the built-in orchestrator, or a user's subject.

use unacked_scenarios::books::Books;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::{Lab, Subject, with_lab, with_rescuer};

pub use unacked_search::mount::Mount;

/// A subject mounted in the world of a scenario.
pub trait InScenario: Mount {
    /// The scenario.
    fn model(&self) -> &Model;

    /// Whether the subject keeps its records through our ledger port, so that they can be judged.
    fn sees_store(&self) -> bool;
}

/// The built-in orchestrator under a policy.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn<'a> {
    /// The scenario.
    pub model: &'a Model,
    /// How the orchestrator behaves.
    pub policy: &'a PolicyFile,
    /// Kinds added and taken away.
    pub filter: &'a Filter,
}

impl InScenario for BuiltIn<'_> {
    fn model(&self) -> &Model {
        self.model
    }

    fn sees_store(&self) -> bool {
        true
    }
}

impl Mount for BuiltIn<'_> {
    type World = Shop<Books>;

    fn in_lab<T>(&self, work: impl FnOnce(&mut Lab<'_, Self::World>) -> T) -> T {
        let (world, store, door, setting) = self.model.world(self.filter, true);
        let (subject, rescuer) = (self.model.orchestrator(self.policy), self.model.orchestrator(&reference()));
        with_rescuer(world, store, door, setting, (&subject, &rescuer), work)
    }
}

/// Who takes over where a run is to be saved.
fn reference() -> PolicyFile {
    let text = catalog::policy("reference").unwrap_or_default();
    PolicyFile::read("reference", text).unwrap_or_else(|e| panic!("the embedded reference is sound, yet: {e}"))
}

/// Somebody else's code.
pub struct UserSubject<'a, S> {
    /// The scenario.
    pub model: &'a Model,
    /// The code.
    pub subject: &'a S,
    /// Kinds added and taken away.
    pub filter: &'a Filter,
    /// Whether it keeps its records through our ledger port.
    pub sees_store: bool,
}

impl<R: Records, S: Subject<World = Shop<R>> + Sync> InScenario for UserSubject<'_, S> {
    fn model(&self) -> &Model {
        self.model
    }

    fn sees_store(&self) -> bool {
        self.sees_store
    }
}

impl<R: Records, S: Subject<World = Shop<R>> + Sync> Mount for UserSubject<'_, S> {
    type World = Shop<R>;

    fn in_lab<T>(&self, work: impl FnOnce(&mut Lab<'_, Self::World>) -> T) -> T {
        let (world, store, door, setting) = self.model.world(self.filter, self.sees_store);
        with_lab(world, store, door, setting, self.subject, work)
    }
}
