//! Descriptors of threads: new ones, those that are used again, and how many there are.

use crate::model::atomic::{AtomicI32, Ordering};
use crate::objects::clauses::Shown;
use crate::objects::structures::Thread;
use crate::objects::{current, thread};
use crate::ompd::threads::{all, list};
use crate::park::mutex::Mutex;

/// Descriptors whose threads have ended.
pub(crate) static SPARE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());

/// The next number for a descriptor.
pub(crate) static NEXT: AtomicI32 = AtomicI32::new(0);

/// Threads that have a descriptor now. A plain counter.
pub(crate) static LIVE: AtomicI32 = AtomicI32::new(0);

/// A descriptor for a thread of the given kind, new or used before.
pub fn descriptor(kind: ::ompt::Thread) -> &'static Thread {
    let thread = SPARE.with(Vec::pop).unwrap_or_else(|| {
        let thread: &'static Thread = Box::leak(Box::new(Thread::new(NEXT.fetch_add(1, Ordering::Relaxed))));
        list(thread);
        thread
    });
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread.tool.reset(kind);
    thread.place.set(-1);
    thread.set_device(thread::HOST);
    thread.shown.set(Shown::default());
    thread
}

/// Takes a descriptor back whose thread has ended.
pub fn give_back(thread: &'static Thread) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
    SPARE.with(|spare| spare.push(thread));
}

/// Whether no other thread of the program is in the runtime's hands or may come back to it: the calling one is the only
/// root that lives, and in no region whose threads go on.
pub fn is_alone() -> bool {
    let caller = current::try_current();
    let is_caller = |thread: &Thread| caller.is_some_and(|caller| std::ptr::eq(caller, thread));
    let mut others = all().filter(|thread| thread.pthread() != 0 && thread.tool.kind.get() == ::ompt::Thread::INITIAL);
    caller.is_none_or(Thread::is_outside_regions) && !others.any(|thread| !is_caller(thread))
}

/// How many descriptors have been made: an upper bound of the threads known to the runtime.
pub fn count() -> i32 {
    NEXT.load(Ordering::Relaxed)
}

/// Threads that the runtime knows now: roots, and workers whether they work or not.
pub fn live() -> i32 {
    LIVE.load(Ordering::Relaxed)
}

/// Whether a root of the host lives.
pub fn is_any_left() -> bool {
    all().any(|thread| {
        thread.pthread() != 0 && thread.tool.kind.get() == ::ompt::Thread::INITIAL && thread.device() == thread::HOST
    })
}
