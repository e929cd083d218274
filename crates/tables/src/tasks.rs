//! The explicit tasks and target tasks that have not completed, each with what is known of it so far.

use ferromp_trace::Site;
use rustc_hash::FxHashMap;

/// A task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Task {
    /// The task that has created it; none if it was created before the part of the trace.
    pub parent: Option<u64>,
    /// The construct.
    pub site: Site,
    /// The region in which it was created, or in which it began.
    pub region: Site,
    /// The index of the thread that has created it, and when.
    pub created: Option<(usize, u64)>,
    /// The index of the thread that runs it, or has run it last.
    pub thread: Option<usize>,
    pub begin_ns: Option<u64>,
    pub end_ns: Option<u64>,
    /// The time in which the program's code ran, without waiting and without other tasks.
    pub work_ns: u64,
    /// How often a thread has begun or continued it.
    pub parts: u32,
    /// Whether a thread has run it that has not created it.
    pub migrated: bool,
}

/// All tasks that have not completed.
#[derive(Default)]
pub struct Tasks(FxHashMap<u64, Task>);

impl Tasks {
    /// A task is created, by the thread with this index.
    pub fn create(&mut self, id: u64, task: Task) {
        self.0.insert(id, task);
    }

    /// A thread begins a task, or continues it.
    pub fn begin(&mut self, id: u64, thread: usize, ns: u64, (site, region): (Site, Site)) {
        let task = self.0.entry(id).or_insert(Task { site, region, ..Task::default() });
        task.begin_ns.get_or_insert(ns);
        task.migrated |= task.thread.or(task.created.map(|(creator, _)| creator)).is_some_and(|other| other != thread);
        task.thread = Some(thread);
        task.parts += 1;
    }

    /// A task has run the program's code for so long.
    pub fn work(&mut self, id: u64, ns: u64) {
        if let Some(task) = self.0.get_mut(&id) {
            task.work_ns = task.work_ns.saturating_add(ns);
        }
    }

    /// A task has completed.
    pub fn complete(&mut self, id: u64, ns: u64) -> Option<Task> {
        let task = self.0.remove(&id)?;
        Some(Task { end_ns: Some(ns), ..task })
    }

    /// Those that are left at the end, in the order of their numbers.
    pub fn left(self) -> Vec<(u64, Task)> {
        let mut left: Vec<(u64, Task)> = self.0.into_iter().collect();
        left.sort_by_key(|(id, _)| *id);
        left
    }
}
