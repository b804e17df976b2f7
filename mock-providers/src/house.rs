//! What all providers have in common, written once.

/// Implements the engine's port and the common accessors for a struct of `terms`, `front`, `trade`.
macro_rules! house {
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
                let $name { terms, front, trade } = self;
                crate::pipeline::handle(crate::call::Call { terms, front, trade, now, at, request, door, facts })
            }

            fn wake(
                &mut self,
                now: unacked_sim::time::Time,
                _door: &mut unacked_sim::door::Door,
                facts: &mut Vec<crate::fact::Fact>,
            ) -> Option<unacked_sim::time::Time> {
                crate::pipeline::wake(&mut self.front, &mut self.trade, now, facts)
            }
        }

        impl $name {
            /// The truth here, by intent.
            pub fn ledger(&self) -> &crate::ledger::Ledger {
                &self.front.books.ledger
            }

            /// The truth about one operation: what an operator finds out.
            pub fn truth(&self, question: &crate::truth::Question) -> crate::truth::Truth {
                self.front.truth(question)
            }

            /// When it will next do something by itself.
            pub fn next_due(&self) -> Option<unacked_sim::time::Time> {
                self.front.books.agenda.next()
            }

            /// Does what is due by now, expiries included. Call it at the end of a run.
            pub fn settle(&mut self, now: unacked_sim::time::Time, facts: &mut Vec<crate::fact::Fact>) {
                self.front.catch_up(&mut self.trade, now, facts);
            }

            /// Back to the beginning; the memory is kept.
            pub fn reset(&mut self) {
                self.front.reset();
                self.trade.reset();
            }

            /// As it was in `to`, a copy taken earlier.
            pub fn rewind(&mut self, to: &$name) {
                self.front.rewind(&to.front);
                self.trade.rewind(&to.trade);
            }
        }
    };
}

pub(crate) use house;
