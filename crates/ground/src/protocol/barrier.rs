//! The barrier: all threads of a team arrive, then all go on (OpenMP 5.1 §2.19.2).
//!
//! The barrier has three forms, and a fourth where regions may be cancelled:
//!
//! - Flat: each member announces its arrival on a cache line of its own, and looks at the lines of all others. For two
//!   threads that is one transfer of a line, half of what a gather and a release cost.
//! - Central: members count themselves, and the last one opens the gate. For larger teams, and where the team is
//!   oversubscribed.
//! - Tree: as central, with a tree of counters. Eight members share a counter, whose last one goes on to the next
//!   level. For teams of more than eight: one counter takes a transfer a member, one after the other.
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
use crate::model::{self, Padded, mutation};
use crate::park::event::Event;
use std::cell::Cell;
use std::hint::cold_path;

/// The largest team whose members look at each other's arrivals.
const FLAT_LIMIT: u32 = 4;

/// The largest team whose members all count themselves in one word.
///
/// On a simulated machine of two sockets with 192 cores a barrier takes 25 microseconds with one counter, and 2 with
/// the tree (`docs/scale-model.md`). Up to 8 threads the two are one.
const ONE_COUNTER_LIMIT: u32 = 8;

/// Members that share a counter of the tree: as many as often share a cache. Members with neighbouring numbers do if
/// the threads are bound to neighbouring places.
#[cfg(not(loom))]
const BRANCH: u32 = 8;
/// So that three members make a tree of two levels.
#[cfg(loom)]
const BRANCH: u32 = 2;

/// How a team's barrier works during one region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each member looks at the arrivals of all others.
    Flat,
    /// One counter, one gate.
    Central,
    /// A tree of counters, one gate. [`Barrier::reserve`] has made counters for the team.
    Tree,
    /// As `Central`, for a region that may be cancelled. After the cancellation no member waits for another, except at
    /// the join, which has a counter of its own. The form of every region where cancel-var is true.
    Cancellable,
}

impl Form {
    /// The form for a region of `nthreads` threads that have a CPU each, and that is not cancelled.
    #[inline(always)]
    pub fn for_threads(nthreads: u32) -> Self {
        if nthreads <= FLAT_LIMIT {
            Form::Flat
        } else if nthreads <= ONE_COUNTER_LIMIT {
            Form::Central
        } else {
            Form::Tree
        }
    }
}

/// A member's announcement.
#[derive(Default)]
pub struct Arrival {
    /// The last epoch at which the member arrived. Written by the member only.
    epoch: AtomicU64,
    /// The member's number in the team.
    tid: u32,
}

/// The part of a barrier that the team shares.
#[derive(Default)]
pub struct Barrier {
    /// Arrivals at the epoch under way (central form).
    count: Padded<AtomicU32>,
    /// The last epoch at which all have arrived (central form).
    gate: Padded<AtomicU64>,
    /// Arrivals at the epoch under way (tree): for each eight members a counter, then for each eight of these counters
    /// one, and so on to a single one. Replaced by the primary between regions.
    counters: Cell<&'static [Padded<AtomicU32>]>,
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

model::named_fields!(Barrier: count, gate, event, cancelled, joined);

impl Arrival {
    /// The announcement of the member with this number.
    pub fn new(tid: u32) -> Self {
        Arrival { epoch: AtomicU64::new(0), tid }
    }

    /// What debuggers read of an arrival.
    #[cfg(not(loom))]
    pub const SHOWN: crate::layout::Shown =
        &[(ompd_layout::Field::MemberArrival, crate::layout::place!(Arrival, epoch))];
}

impl Barrier {
    /// The counters of the tree, which the simulator names.
    #[cfg(simulated)]
    pub fn counters(&self) -> &[Padded<AtomicU32>] {
        self.counters.get()
    }

    /// Makes counters for a team of up to `members`. The primary thread calls this between regions. Earlier counters
    /// stay, as the team's earlier slots do.
    pub fn reserve(&self, members: u32) {
        if members > ONE_COUNTER_LIMIT || cfg!(loom) {
            let mut counters = Vec::new();
            let mut width = members;
            while width > 1 {
                width = width.div_ceil(BRANCH);
                counters.extend((0..width).map(|_| Padded(AtomicU32::new(0))));
            }
            self.counters.set(Vec::leak(counters));
        }
    }

    /// Announces that the caller, whose announcement is `mine`, has arrived at `epoch` in a team of `nthreads`. The
    /// caller's earlier writes are visible to a member for which [`all_arrived`](Self::all_arrived) is true.
    #[inline(always)]
    pub fn arrive(&self, form: Form, mine: &Arrival, epoch: u64, nthreads: u32) {
        // Comparisons, no `match`: the compiler would make a table of jumps, which costs the small teams time.
        if form == Form::Flat {
            mine.epoch.store(epoch, mutation::or_relaxed("barrier: arrival stored relaxed", Ordering::Release));
            if nthreads > 1 {
                self.event.notify_all();
            }
        } else if form == Form::Tree {
            // Out of the way of small teams, which have less time to lose.
            cold_path();
            self.arrive_in_tree(mine, epoch, nthreads);
        } else {
            // For debuggers only.
            mine.epoch.store(epoch, Ordering::Relaxed);
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

    /// As [`arrive`](Self::arrive), in the tree.
    #[inline(never)]
    fn arrive_in_tree(&self, mine: &Arrival, epoch: u64, nthreads: u32) {
        // For debuggers only.
        mine.epoch.store(epoch, Ordering::Relaxed);
        let mut level = self.counters.get();
        let (mut place, mut width) = (mine.tid, nthreads);
        while width > 1 {
            let group = place / BRANCH;
            let members = BRANCH.min(width - group * BRANCH);
            let counter = &level[group as usize];
            // AcqRel, as in the central form: what the members of the group wrote goes up with the last one.
            let counted = mutation::or_relaxed("barrier: tree counted relaxed", Ordering::AcqRel);
            if counter.fetch_add(1, counted) + 1 != members {
                return;
            }
            // No member can arrive at the next epoch before the gate opens.
            if !mutation::is("barrier: a counter of the tree is not reset") {
                counter.store(0, Ordering::Relaxed);
            }
            (place, width) = (group, width.div_ceil(BRANCH));
            level = &level[width as usize..];
        }
        self.gate.store(epoch, mutation::or_relaxed("barrier: gate above the tree opened relaxed", Ordering::Release));
        self.event.notify_all();
    }

    /// Whether all members have arrived at `epoch`. In the flat form `others` are the announcements
    /// of the team.
    #[inline(always)]
    pub fn all_arrived<'a>(&self, form: Form, epoch: u64, others: impl Iterator<Item = &'a Arrival>) -> bool {
        match form {
            // A member may be one epoch ahead already.
            Form::Flat => {
                let mut others = others;
                others.all(|other| other.epoch.load(Ordering::Acquire) >= epoch)
            }
            Form::Central | Form::Tree => self.gate.load(Ordering::Acquire) >= epoch,
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
        mine.epoch.store(epoch, Ordering::Relaxed);
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

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;

    struct Team {
        barrier: Barrier,
        arrivals: Vec<Arrival>,
        /// What each member has written last.
        words: Vec<AtomicU64>,
    }

    // SAFETY: the barrier's cell is written before the threads begin.
    unsafe impl Sync for Team {}

    impl Team {
        /// The member passes barriers, and finds after each that no member is behind.
        fn pass(&self, tid: usize, members: u32, epochs: u64) {
            for epoch in 1..=epochs {
                self.words[tid].store(epoch, Ordering::Relaxed);
                self.barrier.arrive(Form::Tree, &self.arrivals[tid], epoch, members);
                while !self.barrier.all_arrived(Form::Tree, epoch, self.arrivals.iter()) {
                    std::thread::yield_now();
                }
                assert!(self.words.iter().all(|word| word.load(Ordering::Relaxed) >= epoch), "{members} members");
            }
        }
    }

    /// Teams whose last counters have few members, and teams of one, two and three levels.
    #[test]
    fn nobody_leaves_a_tree_before_all_have_come() {
        const EPOCHS: u64 = if cfg!(miri) { 3 } else { 200 };
        let sizes: &[u32] = if cfg!(miri) { &[2, 9] } else { &[2, 8, 9, 16, 17, 65, 130] };
        for &members in sizes {
            let team = Team {
                barrier: Barrier::default(),
                arrivals: (0..members).map(Arrival::new).collect(),
                words: (0..members).map(|_| AtomicU64::new(0)).collect(),
            };
            team.barrier.reserve(members.max(ONE_COUNTER_LIMIT + 1));
            let team = &team;
            std::thread::scope(|scope| {
                for tid in 0..members as usize {
                    scope.spawn(move || team.pass(tid, members, EPOCHS));
                }
            });
        }
    }
}
