//! The child of a fork, which has one thread.

use super::{Model, Thread};

impl Model {
    /// In the child of a fork only the forking thread is left, and what it runs.
    pub fn forked(&mut self, survivor: Option<usize>) {
        self.report.begin("");
        self.coverage.forget();
        self.events = 0;
        for (number, thread) in self.threads.iter_mut().enumerate() {
            if Some(number) == survivor {
                thread.forked = true;
            } else {
                *thread = Thread { begun: true, ended: true, ..Thread::default() };
            }
        }
        let kept: Vec<u64> = survivor
            .map(|number| &self.threads[number])
            .into_iter()
            .flat_map(|t| t.implicit.iter().flat_map(|(a, b)| [Some(*a), *b]).chain([t.current]))
            .flatten()
            .collect();
        self.tasks.retain(|value, _| kept.contains(value));
        for task in self.tasks.values_mut() {
            task.children = 0;
            task.dependences = None;
        }
        self.ghosts.clear();
        // Tasks of the taskgroups that are open went with their threads.
        self.groups.values_mut().for_each(|tasks| *tasks = 0);
        for region in self.regions.values_mut() {
            region.cancelled = true;
            region.explicit = 0;
        }
        self.mutexes.forked(survivor);
        self.oversubscription.forked();
        self.fork_devices();
        self.hangs = false;
    }
}
