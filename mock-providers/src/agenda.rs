//! A provider's agenda: what it still has to do, by time, then in order of entry.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use unacked_sim::time::Time;

/// Things to do later. Each one is asked a wake-up for exactly once.
#[derive(Clone, Debug)]
pub(crate) struct Agenda<J> {
    jobs: BinaryHeap<Entry<J>>,
    entered: u32,
    /// Times for which nobody has been asked yet, the earliest last.
    unasked: Vec<Time>,
}

/// A job: the earliest is the greatest.
#[derive(Clone, Debug)]
struct Entry<J> {
    due: Time,
    nth: u32,
    job: J,
}

impl<J> Entry<J> {
    fn when(&self) -> (Time, u32) {
        (self.due, self.nth)
    }
}

impl<J> PartialEq for Entry<J> {
    fn eq(&self, other: &Self) -> bool {
        self.when() == other.when()
    }
}

impl<J> Eq for Entry<J> {}

impl<J> PartialOrd for Entry<J> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> Ord for Entry<J> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.when().cmp(&self.when())
    }
}

impl<J> Default for Agenda<J> {
    fn default() -> Agenda<J> {
        Agenda { jobs: BinaryHeap::new(), entered: 0, unasked: Vec::new() }
    }
}

impl<J> Agenda<J> {
    pub(crate) fn reset(&mut self) {
        self.jobs.clear();
        self.entered = 0;
        self.unasked.clear();
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Agenda<J>)
    where
        J: Clone,
    {
        let Agenda { jobs, entered, unasked } = to;
        self.jobs.clone_from(jobs);
        self.entered = *entered;
        self.unasked.clone_from(unasked);
    }

    pub(crate) fn push(&mut self, due: Time, job: J) {
        self.jobs.push(Entry { due, nth: self.entered, job });
        self.entered += 1;
        let at = self.unasked.partition_point(|&t| t > due);
        self.unasked.insert(at, due);
    }

    /// The next job that is due, with its time.
    #[inline]
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<(Time, J)> {
        if self.next()? > now {
            return None;
        }
        self.jobs.pop().map(|entry| (entry.due, entry.job))
    }

    /// When the next job is due.
    #[inline]
    pub(crate) fn next(&self) -> Option<Time> {
        self.jobs.peek().map(|entry| entry.due)
    }

    /// When to be woken for a job that nobody was asked for yet. Where several were entered at once, the
    /// others are asked for at the next occasion, which is then at the latest.
    #[inline]
    pub(crate) fn take_wish(&mut self) -> Option<Time> {
        self.unasked.pop()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, &J)> {
        self.jobs.iter().map(|entry| (entry.due, &entry.job))
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
        let mut order = String::new();
        while let Some((_, job)) = agenda.pop_due(Time(5)) {
            order.push(job);
        }
        assert_eq!(order, "beac");
        assert_eq!(agenda.next(), Some(Time(9)));
    }

    #[test]
    fn each_job_is_asked_for_once_the_earliest_first() {
        let mut agenda = Agenda::default();
        [5, 3, 9].into_iter().for_each(|due| agenda.push(Time(due), ()));
        assert_eq!(agenda.take_wish(), Some(Time(3)));
        agenda.push(Time(4), ());
        let wishes: Vec<Time> = std::iter::from_fn(|| agenda.take_wish()).collect();
        assert_eq!(wishes, [4, 5, 9].map(Time));
    }
}
