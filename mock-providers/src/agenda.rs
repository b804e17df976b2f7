//! A provider's agenda: what it still has to do, by time, then in order of entry.

use unacked_sim::time::Time;

/// Things to do later. Few at a time: a sorted array, the next one last.
#[derive(Clone, Debug)]
pub(crate) struct Agenda<J> {
    jobs: Vec<(Time, J)>,
    wish: Option<Time>,
}

impl<J> Default for Agenda<J> {
    fn default() -> Agenda<J> {
        Agenda { jobs: Vec::new(), wish: None }
    }
}

impl<J> Agenda<J> {
    pub(crate) fn reset(&mut self) {
        self.jobs.clear();
        self.wish = None;
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Agenda<J>)
    where
        J: Clone,
    {
        let Agenda { jobs, wish } = to;
        self.jobs.clone_from(jobs);
        self.wish = *wish;
    }

    pub(crate) fn push(&mut self, due: Time, job: J) {
        let at = self.jobs.partition_point(|j| j.0 > due);
        self.jobs.insert(at, (due, job));
        self.wish = Some(self.wish.map_or(due, |w| w.min(due)));
    }

    /// The next job that is due, with its time.
    #[inline]
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<(Time, J)> {
        if self.next()? > now {
            return None;
        }
        self.jobs.pop()
    }

    /// When the next job is due.
    #[inline]
    pub(crate) fn next(&self) -> Option<Time> {
        self.jobs.last().map(|j| j.0)
    }

    /// When to be woken because of what was entered since the last call.
    #[inline]
    pub(crate) fn take_wish(&mut self) -> Option<Time> {
        self.wish.take()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, &J)> {
        self.jobs.iter().map(|(due, job)| (*due, job))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_come_by_time_then_in_order_of_entry() {
        let mut agenda = Agenda::default();
        for (due, job) in [(5, 'a'), (3, 'b'), (5, 'c'), (9, 'd'), (3, 'e')] {
            agenda.push(Time(due), job);
        }
        assert_eq!(agenda.take_wish(), Some(Time(3)));
        assert_eq!(agenda.take_wish(), None);
        let mut order = String::new();
        while let Some((_, job)) = agenda.pop_due(Time(5)) {
            order.push(job);
        }
        assert_eq!(order, "beac");
        assert_eq!(agenda.next(), Some(Time(9)));
    }
}
