//! Back to an earlier point of a run: everything that a run changes, copied.

use super::State;
use crate::world::World;

impl<W: World> State<W> {
    /// As it was in `to`, a copy taken between two turns. All fields are named here, so that none that
    /// is added later is forgotten.
    pub(crate) fn rewind(&mut self, to: &State<W>) {
        let State {
            now,
            seq,
            queue,
            messages,
            free_messages,
            waits,
            nodes,
            door,
            world,
            store,
            replica,
            facts,
            fx,
            log,
            ready,
            watchers,
            wakes,
            free_wakes,
            attention,
            dying,
            holding,
            task_nodes,
            current,
            store_down_until,
            takeover,
            latest_after,
            turns,
            ahead,
            // The lab's own, and the same in all runs.
            setting: _,
            wakers: _,
            stepwise: _,
        } = to;
        (self.now, self.seq, self.turns, self.ahead) = (*now, *seq, *turns, *ahead);
        (self.attention, self.dying, self.holding, self.current) = (*attention, *dying, *holding, *current);
        (self.store_down_until, self.takeover, self.latest_after) = (*store_down_until, *takeover, *latest_after);
        self.queue.rewind(queue);
        self.messages.clone_from(messages);
        self.free_messages.clone_from(free_messages);
        self.waits.rewind(waits);
        self.nodes.clone_from(nodes);
        self.door.rewind(door);
        self.world.rewind(world);
        self.store.clone_from(store);
        if self.setting.replica {
            self.replica.clone_from(replica);
        }
        self.facts.clone_from(facts);
        self.fx.rewind(fx);
        self.log.clone_from(log);
        self.ready.rewind(ready);
        self.watchers.clone_from(watchers);
        self.wakes.clone_from(wakes);
        self.free_wakes.clone_from(free_wakes);
        self.task_nodes.clone_from(task_nodes);
    }
}
