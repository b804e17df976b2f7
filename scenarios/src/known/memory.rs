//! Which orders a node may know something of that is not recorded: what a crash makes it forget.

use crate::known::op_state::MAX_NODES;
use unacked_sim::world::NodeId;

/// What the nodes have in mind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Per node, each order once.
    orders: [Vec<u32>; MAX_NODES],
    /// Per order: which nodes (bit n = node n).
    nodes: Vec<u8>,
}

impl Memory {
    /// Nothing of so many orders.
    pub(crate) fn reset(&mut self, orders: usize) {
        self.orders.iter_mut().for_each(Vec::clear);
        self.nodes.clear();
        self.nodes.resize(orders, 0);
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Memory) {
        let Memory { orders, nodes } = to;
        self.orders.iter_mut().zip(orders).for_each(|(mine, theirs)| mine.clone_from(theirs));
        self.nodes.clone_from(nodes);
    }

    /// A node learns something of an order.
    #[inline]
    pub(crate) fn note(&mut self, node: NodeId, order: usize) {
        let (Some(nodes), bit) = (self.nodes.get_mut(order), 1u8 << (node.0 & 7)) else { return };
        if *nodes & bit == 0 {
            *nodes |= bit;
            self.orders[usize::from(node.0 & 7)].push(order as u32);
        }
    }

    /// A node loses its memory: the orders of which it may have known something.
    pub(crate) fn forget(&mut self, node: NodeId) -> Vec<u32> {
        let orders = std::mem::take(&mut self.orders[usize::from(node.0 & 7)]);
        orders.iter().for_each(|&order| self.nodes[order as usize] &= !(1 << (node.0 & 7)));
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_forgets_each_order_once_and_of_its_own_node_only() {
        let mut memory = Memory::default();
        memory.reset(3);
        for (node, order) in [(0, 2), (1, 2), (0, 1), (0, 2), (0, 7)] {
            memory.note(NodeId(node), order);
        }
        let earlier = memory.clone();
        assert_eq!((memory.forget(NodeId(0)), memory.forget(NodeId(0))), (vec![2, 1], vec![]));
        memory.note(NodeId(0), 2);
        assert_eq!((memory.forget(NodeId(0)), memory.forget(NodeId(1))), (vec![2], vec![2]));
        memory.rewind(&earlier);
        assert_eq!(memory.forget(NodeId(0)), [2, 1]);
    }
}
