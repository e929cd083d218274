//! Descriptors of threads: new ones, those that are used again, and how many there are.

use crate::model::atomic::{AtomicI32, Ordering};
use crate::objects::clauses::Shown;
use crate::objects::structures::Thread;
use crate::objects::{current, thread};
use crate::ompd::threads::{all, list};
use crate::park::mutex::Mutex;
use crate::place::near;

/// Descriptors whose threads have ended.
pub(crate) static SPARE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());

/// The next number for a descriptor.
pub(crate) static NEXT: AtomicI32 = AtomicI32::new(0);

/// The number of threads that have a descriptor now.
pub(crate) static LIVE: AtomicI32 = AtomicI32::new(0);

/// A descriptor for a thread of this kind: one of a thread that has ended, or a new one.
pub fn descriptor(kind: ::ompt::Thread) -> &'static Thread {
    let thread = SPARE.with(Vec::pop).unwrap_or_else(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let made = Thread::new(number);
        // Other threads make their descriptors themselves.
        let thread =
            if kind == ::ompt::Thread::WORKER { near::leak(number as u32, made) } else { Box::leak(Box::new(made)) };
        list(thread);
        thread
    });
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread.tool.reset(kind);
    thread.place.set(-1);
    thread.set_device(thread::HOST);
    thread.shown.set(Shown::default());
    thread.leagues.forget();
    thread.stack.forget();
    thread
}

/// Keeps the descriptor of a thread that has ended for a later thread.
pub fn give_back(thread: &'static Thread) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
    SPARE.with(|spare| spare.push(thread));
}

/// The roots that live, of the host and of devices.
fn live_roots() -> impl Iterator<Item = &'static Thread> {
    all().filter(|thread| thread.pthread() != 0 && thread.tool.kind.get() == ::ompt::Thread::INITIAL)
}

/// Whether the calling thread is the only root that lives, and outside all regions. If so, no other thread of the
/// program uses the runtime.
pub fn is_alone() -> bool {
    let caller = current::try_current();
    let is_caller = |thread: &Thread| caller.is_some_and(|caller| std::ptr::eq(caller, thread));
    caller.is_none_or(Thread::is_outside_regions) && live_roots().all(is_caller)
}

/// The number of descriptors that have been made: an upper bound of the threads known to the runtime.
pub fn count() -> i32 {
    NEXT.load(Ordering::Relaxed)
}

/// The number of threads that the runtime knows now: roots, and workers with or without a team.
pub fn live() -> i32 {
    LIVE.load(Ordering::Relaxed)
}

/// Whether a root of the host lives.
pub fn is_any_left() -> bool {
    live_roots().any(|thread| thread.device() == thread::HOST)
}
