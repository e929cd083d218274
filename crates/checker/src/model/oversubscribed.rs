//! How many threads are in parallel regions at once, against the CPUs that the process may use. OpenMP 5.1, section
//! 2.4.2.

use super::Model;
use super::state::oversubscription::Oversubscription;
use crate::rules::Rule;
use ferromp_tool::TaskFlag;

impl Model {
    /// Whether the thread runs an implicit task beside those that its top one counts for.
    fn implicit_tasks(&self, thread: usize) -> usize {
        let implicit = |(value, _): &&(u64, Option<u64>)| {
            self.tasks.get(value).is_some_and(|task| task.flags.contains(TaskFlag::IMPLICIT) && task.region.is_some())
        };
        self.threads[thread].implicit.iter().filter(implicit).count()
    }

    /// A thread has entered a region.
    pub(super) fn thread_enters(&mut self, thread: usize, region: u64) {
        if self.implicit_tasks(thread) != 1 {
            return;
        }
        self.oversubscription.inside += 1;
        if self.oversubscription.inside <= self.oversubscription.peak {
            return;
        }
        self.oversubscription.peak = self.oversubscription.inside;
        let Some(found) = self.regions.get(&region) else { return };
        let mut places = vec![("a region of theirs begins".to_owned(), found.code)];
        let mut outer = found.task;
        while let Some(region) =
            outer.and_then(|task| self.tasks.get(&task)?.region).and_then(|region| self.regions.get(&region))
        {
            places.push(("inside of the region".to_owned(), region.code));
            outer = region.task;
        }
        self.oversubscription.places = places;
    }

    /// A thread is about to leave its innermost region.
    pub(super) fn thread_leaves(&mut self, thread: usize) {
        // The task that ends is no longer in the thread's list.
        if self.implicit_tasks(thread) == 0 {
            self.oversubscription.inside = self.oversubscription.inside.saturating_sub(1);
        }
    }

    /// At the end: were there more threads than CPUs?
    pub(super) fn tell_peak(&mut self) {
        let Oversubscription { cpus, peak, .. } = self.oversubscription;
        if peak > cpus {
            let places = std::mem::take(&mut self.oversubscription.places);
            let nested = if places.len() > 1 { ", in nested regions" } else { "" };
            let text =
                format!("{peak} threads were in parallel regions at once{nested}; the process may use {cpus} CPUs");
            self.finding(Rule::Oversubscribed, None, text, &places, false);
        }
    }
}
