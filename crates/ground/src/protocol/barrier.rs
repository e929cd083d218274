//! The barrier: all threads of a team arrive, then all go on (OpenMP 5.1 §2.19.2).
//!
//! The barrier has two forms, and a third where regions may be cancelled:
//!
//! - Flat: each member announces its arrival on a cache line of its own, and looks at the lines of all others. For two
//!   threads that is one transfer of a line, half of what a gather and a release cost.
//! - Central: members count themselves, and the last one opens the gate. For larger teams, and where the team is
//!   oversubscribed.
//!
//! Epochs grow for ever, so only the count is reset between barriers. The protocol is in `team/README.md`;
//! `tests/loom_barrier.rs` checks this very code.
//!
//! An example of the central form with two members, at epoch 5:
//!
//! 1. Thread 1 arrives. The count is 1, and thread 1 waits for the gate.
//! 2. Thread 2 arrives. The count is 2, so thread 2 is the last: it sets the count to 0, then opens the gate for epoch
//!    5.
//! 3. Thread 1 sees the gate, goes on, and arrives at epoch 6. The count is 1 again.
//!
//! If thread 2 opened the gate before it reset the count, thread 1 could arrive at epoch 6 in between. The reset would
//! forget that arrival, and both would wait at epoch 6 for ever.

use crate::model::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use crate::model::{Padded, mutation};
use crate::park::event::Event;

/// The largest team whose members look at each other's arrivals.
pub const FLAT_LIMIT: u32 = 4;

/// How a team's barrier works during one region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each member looks at the arrivals of all others.
    Flat,
    /// One counter, one gate.
    Central,
    /// As `Central`, for a region that may be cancelled. After the cancellation no member waits for another, except at
    /// the join, which has a counter of its own. The form of every region where cancel-var is true.
    Cancellable,
}

/// A member's announcement: the last epoch at which the member arrived. Written by the member only.
#[derive(Default)]
pub struct Arrival(AtomicU64);

/// The part of a barrier that the team shares.
#[derive(Default)]
pub struct Barrier {
    /// Arrivals at the epoch under way (central form).
    count: Padded<AtomicU32>,
    /// The last epoch at which all have arrived (central form).
    gate: Padded<AtomicU64>,
    /// Where members sleep that wait for others, for tasks, or for the end of tasks. A sleeper here may be called for a
    /// task and has to be able to execute the task. So members that wait for anything else while there may be tasks
    /// sleep on the team's `waits`.
    pub event: Padded<Event>,
    /// Whether the region has been cancelled (cancellable form). Written by members, and by the primary between
    /// regions.
    cancelled: AtomicBool,
    /// Arrivals at the join (cancellable form), both rounds of it. Reset by the primary between regions.
    joined: AtomicU32,
}

impl Arrival {
    /// What debuggers read of an arrival.
    #[cfg(not(loom))]
    pub const SHOWN: crate::layout::Shown = &[(ompd_layout::Field::MemberArrival, crate::layout::place!(Arrival, 0))];
}

impl Barrier {
    /// Announces that the caller, whose announcement is `mine`, has arrived at `epoch` in a team of `nthreads`. The
    /// caller's earlier writes are visible to a member for which [`all_arrived`](Self::all_arrived) is true.
    #[inline(always)]
    pub fn arrive(&self, form: Form, mine: &Arrival, epoch: u64, nthreads: u32) {
        match form {
            Form::Flat => {
                mine.0.store(epoch, mutation::or_relaxed("barrier: arrival stored relaxed", Ordering::Release));
                if nthreads > 1 {
                    self.event.notify_all();
                }
            }
            Form::Central | Form::Cancellable => {
                // For debuggers only.
                mine.0.store(epoch, Ordering::Relaxed);
                // AcqRel: the last member must have seen what all others wrote before they arrived.
                let counted = mutation::or_relaxed("barrier: arrivals counted relaxed", Ordering::AcqRel);
                if self.count.fetch_add(1, counted) + 1 == nthreads {
                    let late = mutation::is("barrier: gate opened before the count is reset");
                    // No member can arrive at the next epoch before the gate opens.
                    if !late {
                        self.count.store(0, Ordering::Relaxed);
                    }
                    self.gate.store(epoch, mutation::or_relaxed("barrier: gate opened relaxed", Ordering::Release));
                    if late {
                        self.count.store(0, Ordering::Relaxed);
                    }
                    self.event.notify_all();
                }
            }
        }
    }

    /// Whether all members have arrived at `epoch`. In the flat form `others` are the announcements
    /// of the team.
    #[inline(always)]
    pub fn all_arrived<'a>(&self, form: Form, epoch: u64, others: impl Iterator<Item = &'a Arrival>) -> bool {
        match form {
            // A member may be one epoch ahead already.
            Form::Flat => {
                let mut others = others;
                others.all(|other| other.0.load(Ordering::Acquire) >= epoch)
            }
            Form::Central => self.gate.load(Ordering::Acquire) >= epoch,
            Form::Cancellable => self.gate.load(Ordering::Acquire) >= epoch || self.is_cancelled(),
        }
    }

    /// As [`arrive`](Self::arrive), at the join of a region. A worker touches nothing of the region after its last
    /// arrival at the join.
    #[inline(always)]
    pub fn arrive_at_join(&self, form: Form, mine: &Arrival, epoch: u64, nthreads: u32) {
        if form != Form::Cancellable {
            return self.arrive(form, mine, epoch, nthreads);
        }
        mine.0.store(epoch, Ordering::Relaxed);
        // AcqRel, as in the central form.
        let counted = mutation::or_relaxed("barrier: join counted relaxed", Ordering::AcqRel);
        if (self.joined.fetch_add(1, counted) + 1).is_multiple_of(nthreads) {
            self.event.notify_all();
        }
    }

    /// As [`all_arrived`](Self::all_arrived), at the join. A region with explicit tasks has a second `round`.
    #[inline(always)]
    pub fn all_joined<'a>(
        &self,
        form: Form,
        epoch: u64,
        round: u32,
        nthreads: u32,
        others: impl Iterator<Item = &'a Arrival>,
    ) -> bool {
        match form {
            Form::Cancellable => self.joined.load(Ordering::Acquire) >= round * nthreads,
            _ => self.all_arrived(form, epoch, others),
        }
    }

    /// Cancels the region: members that wait at a barrier of the region, or come to one, go on.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        if !mutation::is("barrier: cancelled in silence") {
            self.event.notify_all();
        }
    }

    /// Whether the region has been cancelled.
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Makes a barrier of the cancellable form ready for the next region, when all members have arrived at the join for
    /// the last time. Returns whether the region was cancelled: then members have passed different numbers of barriers.
    pub fn region_over(&self) -> bool {
        self.joined.store(0, Ordering::Relaxed);
        if !self.cancelled.load(Ordering::Relaxed) {
            return false;
        }
        self.count.store(0, Ordering::Relaxed);
        self.cancelled.store(false, Ordering::Relaxed);
        true
    }
}
