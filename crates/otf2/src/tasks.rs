//! OTF2's identity of a task: the thread that has created it, and which of the thread's tasks it is.

use rustc_hash::FxHashMap;

/// A task, as OTF2 knows it. Generation 0 is the implicit task of the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The thread's rank among the threads of the process.
    pub creator: u32,
    /// The number among the tasks of the thread, from 1.
    pub generation: u32,
}

impl Identity {
    /// The implicit task of a thread.
    pub fn implicit(thread: u32) -> Identity {
        Identity { creator: thread, generation: 0 }
    }
}

/// The tasks of a process that have not completed.
pub struct Tasks {
    known: FxHashMap<u64, Identity>,
    /// For each thread, its tasks so far.
    created: Vec<u32>,
}

impl Tasks {
    /// Of a process with so many threads.
    pub fn new(threads: usize) -> Tasks {
        Tasks { known: FxHashMap::default(), created: vec![0; threads] }
    }

    /// A thread creates a task.
    pub fn create(&mut self, task: u64, thread: u32) -> Identity {
        let created = &mut self.created[thread as usize];
        *created = created.saturating_add(1);
        let identity = Identity { creator: thread, generation: *created };
        self.known.insert(task, identity);
        identity
    }

    /// A task that has been created. A task from before the part of the trace counts as created by `thread` now; the
    /// second result says so.
    pub fn explicit(&mut self, task: u64, thread: u32) -> (Identity, bool) {
        match self.known.get(&task) {
            Some(identity) => (*identity, false),
            None => (self.create(task, thread), true),
        }
    }

    /// A task, if it is explicit and has not completed.
    pub fn find(&self, task: u64) -> Option<Identity> {
        self.known.get(&task).copied()
    }

    /// A task has completed. None if it is not known.
    pub fn complete(&mut self, task: u64) -> Option<Identity> {
        self.known.remove(&task)
    }
}
