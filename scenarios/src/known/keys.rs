//! Whose key is whose: which order was the first to send an operation under it.

use std::collections::BTreeMap;
use unacked_mock_providers::message::{Op, Request};

/// The keys that were seen on the wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// By operation, since each has its own key space.
    owners: BTreeMap<(u8, u64), u32>,
}

impl Keys {
    /// None.
    pub(crate) fn reset(&mut self) {
        self.owners.clear();
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Keys) {
        self.owners.clone_from(&to.owners);
    }

    /// The order whose key it is: the first that used it.
    pub(crate) fn owner(&mut self, request: &Request) -> u32 {
        match request.op {
            Op::ReadStock => request.taint,
            _ if request.key == 0 => request.taint,
            op => *self.owners.entry((op as u8, request.key)).or_insert(request.taint),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client;
    use unacked_workflow::order::Intent;

    #[test]
    fn a_key_is_the_first_orders_operation_by_operation_and_reads_and_the_keyless_have_none() {
        let mut keys = Keys::default();
        let intent = Intent::default();
        let by = |taint, request| Request { taint, key: 7, ..request };
        let (charge, refund) = (client::charge(&intent, 0), client::refund(&intent, 0, 1));
        let read = Request { op: Op::ReadStock, ..charge };
        assert_eq!([by(1, charge), by(2, charge), by(2, refund)].map(|r| keys.owner(&r)), [1, 1, 2]);
        assert_eq!([by(1, read), by(2, read)].map(|r| keys.owner(&r)), [1, 2]);
        let keyless = [by(1, charge), by(2, charge)].map(|r| Request { key: 0, ..r });
        assert_eq!(keyless.map(|r| keys.owner(&r)), [1, 2]);
        let earlier = keys.clone();
        keys.reset();
        assert_eq!(keys.owner(&by(3, charge)), 3);
        keys.rewind(&earlier);
        assert_eq!(keys.owner(&by(3, charge)), 1);
    }
}
