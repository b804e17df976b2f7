//! What all providers have in common, written once.

/// Implements the engine's port and the common accessors for a struct of `serving`, `state`, `business`.
macro_rules! provider {
    ($name:ident) => {
        impl unacked_sim::provider::Provider for $name {
            type Request = crate::message::Request;
            type Reply = crate::message::Reply;
            type Fact = crate::fact::Fact;

            fn handle(
                &mut self,
                now: unacked_sim::time::Time,
                at: unacked_sim::site::Occasion,
                request: &crate::message::Request,
                door: &mut unacked_sim::door::Door,
                facts: &mut Vec<crate::fact::Fact>,
            ) -> unacked_sim::provider::Answer<crate::message::Reply> {
                let $name { serving, state, business } = self;
                crate::pipeline::handle(crate::execution::Execution {
                    serving,
                    state,
                    business,
                    now,
                    at,
                    request,
                    door,
                    facts,
                })
            }

            fn wake(
                &mut self,
                now: unacked_sim::time::Time,
                _door: &mut unacked_sim::door::Door,
                facts: &mut Vec<crate::fact::Fact>,
            ) -> Option<unacked_sim::time::Time> {
                crate::pipeline::wake(&mut self.state, &mut self.business, now, facts)
            }
        }

        impl $name {
            /// The truth here, by intent.
            pub fn ledger(&self) -> &crate::ledger::Ledger {
                &self.state.accounts.ledger
            }

            /// The truth about one operation: what an operator finds out.
            pub fn truth(&self, question: &crate::truth::Question) -> crate::truth::Truth {
                self.state.truth(question)
            }

            /// When it will next do something by itself.
            pub fn next_due(&self) -> Option<unacked_sim::time::Time> {
                self.state.accounts.agenda.next()
            }

            /// Does what is due by now, expiries included. Call it at the end of a run.
            pub fn settle(&mut self, now: unacked_sim::time::Time, facts: &mut Vec<crate::fact::Fact>) {
                self.state.catch_up(&mut self.business, now, facts);
            }

            /// Back to the beginning; the memory is kept.
            pub fn reset(&mut self) {
                self.state.reset();
                self.business.reset();
            }

            /// As it was in `to`, a copy taken earlier.
            pub fn rewind(&mut self, to: &$name) {
                self.state.rewind(&to.state);
                self.business.rewind(&to.business);
            }
        }
    };
}

pub(crate) use provider;
