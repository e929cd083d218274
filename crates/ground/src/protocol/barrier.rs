//! The barrier: all threads of a team arrive, then all go on (OpenMP 5.1 §2.19.2).
//!
//! Two forms, and a third where regions may be cancelled. Flat: each member announces its arrival on a line of its own
//! and looks at everybody else's; for two threads that is one transfer of a line, half of what a gather and a release
//! cost. Central: members count themselves, the last one opens the gate; for larger teams, and when there are more
//! threads than CPUs. Epochs grow for ever, so nothing is reset between barriers. The protocol is in `team/README.md`;
//! `tests/loom_barrier.rs` checks it.

use crate::model::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use crate::model::{Padded, mutation};
use crate::park::event::Event;

/// Largest team for which everybody looks at everybody.
pub const FLAT_LIMIT: u32 = 4;

/// How a team's barrier works during one region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Everybody looks at everybody.
    Flat,
    /// One counter, one gate.
    Central,
    /// As `Central`, and the region may be cancelled: then nobody waits for anybody, but at the join,
    /// which has a counter of its own. The form of every region where cancel-var is true.
    Cancellable,
}

/// A member's announcement: the last epoch that it has arrived at. Written by its owner only.
pub struct Arrival(AtomicU64);

/// The part of a barrier that the team shares.
pub struct Barrier {
    /// Arrivals at the epoch under way (central form).
    count: Padded<AtomicU32>,
    /// The last epoch at which all have arrived (central form).
    gate: Padded<AtomicU64>,
    /// Where members sleep that wait for others, for tasks, or for the end of tasks. Who waits for anything else while
    /// there may be tasks sleeps on the team's `waits`: one sleeper here is called for a task, and has to be able to
    /// execute it.
    pub event: Padded<Event>,
    /// Whether the region has been cancelled (cancellable form). Written by members, and by the primary between
    /// regions.
    cancelled: AtomicBool,
    /// Arrivals at the join (cancellable form), both rounds of it. Reset by the primary between regions.
    joined: AtomicU32,
}

impl Arrival {
    /// What debuggers read of it.
    #[cfg(not(loom))]
    pub const SHOWN: crate::layout::Shown = &[(ompd_layout::Field::MemberArrival, crate::layout::place!(Arrival, 0))];

    /// The arrival of a member that has passed no barrier.
    pub fn new() -> Self {
        Arrival(AtomicU64::new(0))
    }
}

impl Default for Arrival {
    fn default() -> Self {
        Self::new()
    }
}

impl Barrier {
    pub fn new() -> Self {
        Barrier {
            count: Padded(AtomicU32::new(0)),
            gate: Padded(AtomicU64::new(0)),
            event: Padded(Event::new()),
            cancelled: AtomicBool::new(false),
            joined: AtomicU32::new(0),
        }
    }

    /// Announces that the caller, whose announcement is `mine`, has arrived at `epoch` in a team of
    /// `nthreads`. After this the caller's earlier writes are visible to whoever sees
    /// [`all_arrived`](Self::all_arrived).
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
                // For debuggers: nobody else looks at it.
                mine.0.store(epoch, Ordering::Relaxed);
                // AcqRel: the last to arrive must have seen what all others wrote before it.
                let counted = mutation::or_relaxed("barrier: arrivals counted relaxed", Ordering::AcqRel);
                if self.count.fetch_add(1, counted) + 1 == nthreads {
                    let late = mutation::is("barrier: gate opened before the count is reset");
                    // Nobody can arrive at the next epoch before the gate opens.
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

    /// As [`arrive`](Self::arrive), at the join of a region. After the last of its arrivals there a
    /// worker touches nothing of the region.
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

    /// As [`all_arrived`](Self::all_arrived), at the join: at its first or its second round, which
    /// regions with explicit tasks have.
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

    /// Cancels the region: whoever waits at a barrier of it, or comes to one, goes on.
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

    /// Makes a barrier of the cancellable form ready for the next region; all members have arrived at
    /// the join for the last time. Returns whether the region was cancelled: then members have passed
    /// different numbers of barriers.
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

impl Default for Barrier {
    fn default() -> Self {
        Self::new()
    }
}
