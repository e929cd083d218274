//! Idle workers: where each waits to be given a slot, and the counts by which the end of the program knows that all
//! are gone.
//!
//! The protocol is in `thread/README.md`; `tests/loom_pool.rs` models it.

use crate::model;
use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::event::{Event, Ticket};
use crate::park::mutex::Mutex;
use crate::park::waiter::{Waiter, until};
use std::cell::Cell;

/// Where an idle worker waits to be given a slot, a `T`.
pub struct Idle<T> {
    /// The slot that the worker is to fill next. Written by the thread that took the worker from the pool, taken by the
    /// worker.
    assigned: AtomicPtr<T>,
    /// Set when the worker is to end.
    dismissed: AtomicBool,
    /// Whether the worker counts as having a slot in a team. Owner only.
    serving: Cell<bool>,
    /// Where the worker sleeps.
    event: Event,
}

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Idle {
            assigned: AtomicPtr::new(std::ptr::null_mut()),
            dismissed: AtomicBool::new(false),
            serving: Cell::new(false),
            event: Event::new(),
        }
    }
}

impl<T> Idle<T> {
    /// Gives the worker a slot. The caller has taken the worker from the pool, or is about to create it, so no other
    /// thread gives the worker a slot or dismisses it.
    pub fn assign(&self, slot: *mut T) {
        // Release: the worker sees what the caller has written of the slot.
        self.assigned.store(slot, mutation::or_relaxed("pool: slot given relaxed", Ordering::Release));
        self.event.notify_all();
    }

    /// As [`assign`](Self::assign), for a worker that is about to be created with a descriptor that another worker may
    /// have had.
    pub fn begin(&self, slot: *mut T) {
        self.assigned.store(slot, Ordering::Release);
        self.dismissed.store(false, Ordering::Relaxed);
    }

    /// Tells the worker to end. The caller has taken it from the pool.
    pub fn dismiss(&self) {
        self.dismissed.store(true, Ordering::Release);
        self.event.notify_all();
    }

    /// Takes the slot that the worker has been given; null if it has been given none. The worker only.
    pub fn take_slot(&self) -> *mut T {
        let slot = self.assigned.swap(std::ptr::null_mut(), Ordering::Acquire);
        self.serving.set(!slot.is_null());
        slot
    }

    /// Waits for the next slot; null when the worker is to end. The worker only.
    pub fn wait_for_slot(&self, waiter: &impl Waiter) -> *mut T {
        until(waiter, &self.event, || {
            !self.assigned.load(Ordering::Relaxed).is_null() || self.dismissed.load(Ordering::Relaxed)
        });
        self.take_slot()
    }

    /// Whether the worker counts as having a slot in a team. The worker only.
    pub fn is_serving(&self) -> bool {
        self.serving.get()
    }
}

/// The workers of the process. A `W` refers to one of them.
pub struct Workers<W> {
    /// Idle workers, the last to come first to go: its caches are warmest.
    idle: Mutex<Vec<W>>,
    /// Workers that exist as threads.
    exist: AtomicU32,
    /// Workers that have a slot in a team.
    serve: AtomicU32,
    /// Where the end of the program waits for workers to come to the pool, and to end.
    arrived: Event,
}

impl<W> Workers<W> {
    model::const_unless_modelled! {
        /// No workers.
        pub fn new() -> Self {
            Workers {
                idle: Mutex::new(Vec::new()),
                exist: AtomicU32::new(0),
                serve: AtomicU32::new(0),
                arrived: Event::new(),
            }
        }
    }

    /// A slot is to be filled. Takes the idle worker out of the pool that came last of those that `fits` accepts, which
    /// the caller gives the slot at once. Without one the caller calls [`create`](Self::create) or
    /// [`refuse`](Self::refuse).
    pub fn take(&self, fits: impl Fn(&W) -> bool) -> Option<W> {
        // Before the worker leaves the pool: a thread that finds the worker gone must count it as serving.
        let late = mutation::is("pool: counted as serving after it left the pool");
        if !late {
            self.serve.fetch_add(1, Ordering::Relaxed);
        }
        let taken = self.idle.with(|idle| {
            let index = idle.iter().rposition(fits)?;
            Some(idle.remove(index))
        });
        if late {
            self.serve.fetch_add(1, Ordering::Relaxed);
        }
        taken
    }

    /// The slot is left empty, because no thread is to be had.
    pub fn refuse(&self) {
        self.serve.fetch_sub(1, Ordering::Relaxed);
        self.arrived.notify_all();
    }

    /// The slot gets a worker that is about to be created.
    pub fn create(&self) {
        // Release: a thread that counts this worker knows that it serves.
        self.exist.fetch_add(1, Ordering::Release);
    }

    /// The worker could not be created. [`refuse`](Self::refuse) follows.
    pub fn fail(&self) {
        self.exist.fetch_sub(1, Ordering::Relaxed);
    }

    /// A worker's team was given up: the worker is on its way to the pool. Called before the team's primary thread can
    /// know.
    pub fn leave_team<T>(&self, idle: &Idle<T>) {
        idle.serving.set(false);
        self.serve.fetch_sub(1, Ordering::Relaxed);
    }

    /// Workers that have a slot in a team.
    pub fn serving(&self) -> u32 {
        self.serve.load(Ordering::Relaxed)
    }

    /// A worker comes to the pool, and waits for its next slot after this.
    pub fn come(&self, worker: W) {
        self.idle.with(|idle| idle.push(worker));
        if !mutation::is("pool: a worker comes in silence") {
            self.arrived.notify_all();
        }
    }

    /// A worker ends. Its thread touches nothing of the runtime afterwards.
    pub fn end(&self) {
        // Release: what the worker did comes before what the end of the program does.
        self.exist.fetch_sub(1, mutation::or_relaxed("pool: ended relaxed", Ordering::Release));
        self.arrived.notify_all();
    }

    /// Ends all idle workers and waits until no worker is left but those that serve, and `own` more. `dismiss` tells
    /// one to end; `sleep` sleeps on the event, for a bounded time; the loop goes on while `is_patient`, which hears
    /// whether a worker has begun or ended since it was asked last.
    pub fn dismiss_all(
        &self,
        own: u32,
        dismiss: impl Fn(W),
        sleep: impl Fn(&Event, Ticket),
        mut is_patient: impl FnMut(bool) -> bool,
    ) {
        // The workers that exist first: a worker that is created meanwhile counts as serving before it exists.
        let gone = || self.exist.load(Ordering::Acquire) <= self.serve.load(Ordering::Relaxed) + own;
        let mut sign = true;
        while !gone() && is_patient(sign) {
            self.idle.with(std::mem::take).into_iter().for_each(&dismiss);
            let before = self.exist.load(Ordering::Relaxed);
            // Some may still be on their way to the pool, or busy with their last event. The pool first:
            // one that was there, but that another root has taken since, counts as serving by then.
            let ticket = self.arrived.prepare();
            if self.idle.with(|idle| !idle.is_empty()) || gone() {
                self.arrived.cancel(ticket);
            } else {
                sleep(&self.arrived, ticket);
            }
            sign = self.exist.load(Ordering::Relaxed) != before;
        }
    }

    /// In a forked child no worker exists any more, but for the caller if it is one: `caller` says whether it serves.
    pub fn after_fork(&self, caller: Option<bool>) {
        self.idle.renew_after_fork();
        self.arrived.forget_sleepers();
        self.exist.store(u32::from(caller.is_some()), Ordering::Relaxed);
        self.serve.store(u32::from(caller == Some(true)), Ordering::Relaxed);
    }
}

impl<W> Default for Workers<W> {
    fn default() -> Self {
        Self::new()
    }
}
