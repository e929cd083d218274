//! Locks, critical sections, atomic and ordered regions: their owners, and the threads that leave them.

use ferromp_tool::Mutex;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A mutex that a thread is about to acquire.
#[derive(Copy, Clone)]
pub struct Acquiring {
    pub kind: i32,
    pub id: u64,
    pub code: usize,
}

/// The owner of a mutex.
pub struct Holder {
    /// The family of the kind.
    pub kind: i32,
    pub task: u64,
    pub thread: usize,
    pub depth: u32,
    pub code: usize,
    pub since: Instant,
}

/// Every mutex that is initialised or held, by wait identifier.
#[derive(Default)]
pub struct Mutexes {
    /// Initialised locks, with the family of their kind.
    pub locks: FxHashMap<u64, i32>,
    pub held: FxHashMap<u64, Holder>,
    /// Released by this thread, which has not yet said so, and acquired by another.
    pub leaving: FxHashMap<(u64, usize), u64>,
}

impl Mutexes {
    /// The mutex of such a kind that a task acquired last: the kind, and the place of the acquisition.
    pub fn held_by(&self, task: u64, fits: fn(i32) -> bool) -> Option<(i32, usize)> {
        let held = self.held.values().filter(|holder| holder.task == task && fits(holder.kind));
        held.max_by_key(|holder| holder.since).map(|holder| (holder.kind, holder.code))
    }

    /// In the child of a fork only the forking thread is left.
    pub fn forked(&mut self, survivor: Option<usize>) {
        self.held.retain(|_, holder| Some(holder.thread) == survivor);
        self.leaving.clear();
    }
}

/// The kind that a mutex is released as, whatever it was acquired by.
pub fn family(kind: i32) -> i32 {
    match Mutex(kind) {
        Mutex::TEST_LOCK => Mutex::LOCK.0,
        Mutex::TEST_NEST_LOCK => Mutex::NEST_LOCK.0,
        _ => kind,
    }
}

pub fn is_test(kind: i32) -> bool {
    kind == Mutex::TEST_LOCK.0 || kind == Mutex::TEST_NEST_LOCK.0
}

pub fn is_lock(kind: i32) -> bool {
    matches!(Mutex(family(kind)), Mutex::LOCK | Mutex::NEST_LOCK)
}

/// Whether a wait for it can only be ended by its holder.
pub fn is_owned(kind: i32) -> bool {
    is_lock(kind) || kind == Mutex::CRITICAL.0
}

/// Whether it is a region that a task enters, in which others may not be.
pub fn is_entered(kind: i32) -> bool {
    kind == Mutex::CRITICAL.0 || kind == Mutex::ORDERED.0
}
