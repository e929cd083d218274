//! The barrier: all threads of a team arrive, then all go on (OpenMP 5.1 §2.19.2).
//!
//! The barrier has three forms, and a fourth where regions may be cancelled:
//!
//! - Flat: each member announces its arrival on a cache line of its own, and looks at the lines of all others. For two
//!   threads that is one transfer of a line, half of what a gather and a release cost.
//! - Central: members count themselves, and the last one opens the gate. For larger teams, and where the team is
//!   oversubscribed.
//! - Grouped: four members are a group with a counter and a gate. The last one to arrive in a group says so on a line
//!   of the group, looks at the lines of all other groups, and opens the gate of its own. For teams of more than eight:
//!   one counter takes a transfer a member, one after the other.
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

use crate::model::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use crate::model::{self, Padded, mutation};
use crate::park::event::Event;
use std::cell::Cell;
use std::hint::cold_path;

/// The largest team whose members look at each other's arrivals.
const FLAT_LIMIT: u32 = 4;

/// The largest team whose members all count themselves in one word.
///
/// On a simulated machine of two sockets with 192 cores a barrier takes 25 microseconds with one counter, and 0.9 with
/// groups (`docs/scale-model.md`).
const ONE_COUNTER_LIMIT: u32 = 8;

/// Members of a group: few, because they count themselves one after the other. Members with neighbouring numbers share
/// a cache if the threads are bound to neighbouring places.
#[cfg(not(loom))]
const GROUP: u32 = 4;
/// So that three members make two groups.
#[cfg(loom)]
const GROUP: u32 = 2;

/// How a team's barrier works during one region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each member looks at the arrivals of all others.
    Flat,
    /// One counter, one gate.
    Central,
    /// A counter and a gate for each group of members. [`Barrier::reserve`] has made groups for the team.
    Grouped,
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
            Form::Grouped
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
    /// Whether the member was the last of its group to arrive, at the epoch under way (grouped form). The member's own.
    last: Cell<bool>,
    /// How many groups the member knows to have arrived at the epoch under way (grouped form). The member's own.
    seen: Cell<usize>,
}

/// Some members of a team (grouped form), and how they meet the other groups.
#[derive(Default)]
struct Group {
    /// Arrivals at the epoch under way.
    count: Padded<AtomicU32>,
    /// The last epoch at which all of the group have arrived. Written by the last of them; the last ones of all groups
    /// look at it.
    full: Padded<AtomicU64>,
    /// The last epoch at which all of the team have arrived. Written by the last of the group, and members of the group
    /// look at it.
    gate: Padded<AtomicU64>,
}

/// The part of a barrier that the team shares.
#[derive(Default)]
pub struct Barrier {
    /// Arrivals at the epoch under way (central form).
    count: Padded<AtomicU32>,
    /// The last epoch at which all have arrived (central form).
    gate: Padded<AtomicU64>,
    /// The groups (grouped form). Replaced by the primary between regions.
    groups: Cell<&'static [Group]>,
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
        Arrival { epoch: AtomicU64::new(0), tid, last: Cell::new(false), seen: Cell::new(0) }
    }

    /// What debuggers read of an arrival.
    #[cfg(not(loom))]
    pub const SHOWN: crate::layout::Shown =
        &[(ompd_layout::Field::MemberArrival, crate::layout::place!(Arrival, epoch))];
}

impl Barrier {
    /// The words of the groups, which the simulator names.
    #[cfg(simulated)]
    pub fn parts_of_groups(&self) -> Vec<ferromp_simulator::Part> {
        use ferromp_simulator::Part;
        let of = |group: &Group| {
            [
                Part::of("Group.count", &group.count),
                Part::of("Group.full", &group.full),
                Part::of("Group.gate", &group.gate),
            ]
        };
        self.groups.get().iter().flat_map(of).collect()
    }

    /// Makes groups for a team of up to `members`. The primary thread calls this between regions. Earlier groups stay,
    /// as the team's earlier slots do.
    pub fn reserve(&self, members: u32) {
        if members > ONE_COUNTER_LIMIT || cfg!(loom) {
            let groups = (0..members.div_ceil(GROUP)).map(|_| Group::default()).collect();
            self.groups.set(Vec::leak(groups));
        }
    }

    /// The groups of a team of `nthreads`.
    fn groups_of(&self, nthreads: u32) -> &'static [Group] {
        &self.groups.get()[..nthreads.div_ceil(GROUP) as usize]
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
        } else if form == Form::Grouped {
            // Out of the way of small teams, which have less time to lose.
            cold_path();
            self.arrive_in_group(mine, epoch, nthreads, false);
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

    /// As [`arrive`](Self::arrive), in a group. At the join only the primary thread waits here.
    #[inline(never)]
    fn arrive_in_group(&self, mine: &Arrival, epoch: u64, nthreads: u32, at_join: bool) {
        // For debuggers only.
        mine.epoch.store(epoch, Ordering::Relaxed);
        // Before the arrival: after the last one at the join the primary thread may replace the groups.
        let groups = self.groups_of(nthreads);
        let number = mine.tid / GROUP;
        let group = &groups[number as usize];
        let members = GROUP.min(nthreads - number * GROUP);
        // AcqRel: the last one hands on what the members of the group wrote.
        let counted = mutation::or_relaxed("barrier: group counted relaxed", Ordering::AcqRel);
        let last = group.count.fetch_add(1, counted) + 1 == members;
        mine.last.set(last);
        mine.seen.set(0);
        if !last {
            return;
        }
        // No member can arrive at the next epoch before the group's gate opens.
        if !mutation::is("barrier: a group's count is not reset") {
            group.count.store(0, Ordering::Relaxed);
        }
        // Release: who sees that the group is full sees what its members wrote.
        group.full.store(epoch, Ordering::Release);
        if at_join {
            // The primary thread may be asleep, which has registered before this fence, or sees the store above when it
            // looks once more. Of the last ones of all groups, the last to pass its fence sees all groups full. At a
            // barrier each of them goes on to look, and does not sleep before it has.
            if !mutation::is("barrier: no fence after a group has joined") {
                fence(Ordering::SeqCst);
            }
            if self.event.has_sleepers() && all_full(groups, epoch, &mine.seen) {
                self.event.notify_all();
            }
        }
    }

    /// Whether all members have arrived at `epoch`, for a member in the grouped form.
    #[inline(never)]
    fn all_groups_are_full(&self, mine: &Arrival, epoch: u64, nthreads: u32) -> bool {
        let groups = self.groups_of(nthreads);
        let group = &groups[(mine.tid / GROUP) as usize];
        if group.gate.load(Ordering::Acquire) >= epoch {
            return true;
        }
        if !mine.last.get() || !all_full(groups, epoch, &mine.seen) {
            return false;
        }
        // Where members sleep, the last ones of other groups may, and could not open the gates of their groups before
        // these members are woken. So they would be woken twice.
        let opened = if self.event.has_sleepers() { groups } else { std::slice::from_ref(group) };
        let order = mutation::or_relaxed("barrier: gate of a group opened relaxed", Ordering::Release);
        opened.iter().for_each(|group| group.gate.store(epoch, order));
        self.event.notify_all();
        true
    }

    /// Whether all members have arrived at `epoch`, for a member who has, and whose announcement is `mine`. In the flat
    /// form `others` are the announcements of the team.
    #[inline(always)]
    pub fn all_arrived<'a>(
        &self,
        form: Form,
        mine: &Arrival,
        epoch: u64,
        nthreads: u32,
        others: impl Iterator<Item = &'a Arrival>,
    ) -> bool {
        match form {
            // A member may be one epoch ahead already.
            Form::Flat => {
                let mut others = others;
                others.all(|other| other.epoch.load(Ordering::Acquire) >= epoch)
            }
            Form::Central => self.gate.load(Ordering::Acquire) >= epoch,
            Form::Grouped => self.all_groups_are_full(mine, epoch, nthreads),
            Form::Cancellable => self.gate.load(Ordering::Acquire) >= epoch || self.is_cancelled(),
        }
    }

    /// As [`arrive`](Self::arrive), at the join of a region. A worker touches nothing of the region after its last
    /// arrival at the join.
    #[inline(always)]
    pub fn arrive_at_join(&self, form: Form, mine: &Arrival, epoch: u64, nthreads: u32) {
        if form == Form::Grouped {
            cold_path();
            return self.arrive_in_group(mine, epoch, nthreads, true);
        }
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

    /// As [`all_arrived`](Self::all_arrived), at the join, for the primary thread. A region with explicit tasks has a
    /// second `round`.
    #[inline(always)]
    pub fn all_joined<'a>(
        &self,
        form: Form,
        mine: &Arrival,
        epoch: u64,
        round: u32,
        nthreads: u32,
        others: impl Iterator<Item = &'a Arrival>,
    ) -> bool {
        match form {
            Form::Cancellable => self.joined.load(Ordering::Acquire) >= round * nthreads,
            Form::Grouped => all_full(self.groups_of(nthreads), epoch, &mine.seen),
            _ => self.all_arrived(form, mine, epoch, nthreads, others),
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

/// Whether all members of all groups have arrived at `epoch`. The first `seen` are known to have; the others are looked
/// at all together, once the next one has.
fn all_full(groups: &[Group], epoch: u64, seen: &Cell<usize>) -> bool {
    let unseen = &groups[seen.get()..];
    if unseen.first().is_some_and(|group| group.full.load(Ordering::Relaxed) < epoch) {
        return false;
    }
    seen.set(seen.get() + model::count_in_front(unseen.iter().map(|group| &*group.full), epoch));
    seen.get() == groups.len()
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
                self.barrier.arrive(Form::Grouped, &self.arrivals[tid], epoch, members);
                let mine = &self.arrivals[tid];
                while !self.barrier.all_arrived(Form::Grouped, mine, epoch, members, self.arrivals.iter()) {
                    std::thread::yield_now();
                }
                assert!(self.words.iter().all(|word| word.load(Ordering::Relaxed) >= epoch), "{members} members");
            }
        }
    }

    /// Teams whose last group has one member or all, and teams of one group to many.
    #[test]
    fn nobody_leaves_a_group_before_all_have_come() {
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
