//! How a barrier finds out that no task is left (OpenMP 5.1 §2.12.5, §2.19.2).
//!
//! Each member counts for itself how many tasks it has created and completed. It counts in an account that no other
//! thread reads. A member without work *settles*: it adds its balance to a word of its group. A look at the end of the
//! barrier is a look at one word as long as any member works. `task/README.md` proves that this suffices;
//! `tests/loom_quiescence.rs` checks this very code.
//!
//! # The words
//!
//! - An account has its balance, the tasks that the member has created minus those that it has completed. It is not 0
//!   only while the member is *busy*.
//! - A group's word has the number of busy members of the group, the sum of the balances that they have settled, and
//!   the number of changes of the word.
//! - `ended` is the last barrier at which no task was left.
//!
//! A member that looks for the end reads the words of all groups, twice. No task is left if no group is busy, the sums
//! are 0 together, and no word has changed: then the words are those of one moment. (Afek and others, *Atomic snapshots
//! of shared memory*, JACM 1993, call this a double collect.) No word is written by members of all groups.
//!
//! # An example
//!
//! Each of the threads 1 and 2 is a group. Thread 1 has created task X and settled: its group's sum is 1. Thread 2
//! steals X. Thread 3 looks.
//!
//! 1. Thread 3 reads the sum of thread 1's group: 1.
//! 2. Thread 2 makes its group's word busy, executes X and settles: its group's sum is -1.
//! 3. Thread 3 reads the sum of thread 2's group: -1. The sums are 0 together, and no group was busy.
//! 4. Thread 3 reads the words again. They are the same, and so it knows that no task is left.
//!
//! X may have created a task for thread 1, which thread 1 executes between the steps 1 and 2, and which creates yet
//! another. Then the word of thread 1's group is not the same in step 4. Without that step thread 3 would add up sums
//! of different moments, and leave the barrier while a task is left.

use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::{self, Padded, mutation};
use std::cell::Cell;
use std::hint::cold_path;

/// Members of a group: as many as often share a cache, as in the tree of the barrier.
#[cfg(not(loom))]
pub const GROUP: u32 = 8;
/// So that three members make two groups.
#[cfg(loom)]
pub const GROUP: u32 = 2;

/// The lowest bits of a group's word count busy members. The next 32 bits are the sum of the settled balances, and the
/// rest counts changes. A part may overflow into the next one: the sum of tasks is 0 nevertheless where 32 bits of the
/// sum are, and two words are equal only if nothing has changed in between.
const BUSY: u64 = (1 << SUM) - 1;
const SUM: u32 = 4;
const A_CHANGE: u64 = 1 << (SUM + 32);
const _: () = assert!(GROUP as u64 <= BUSY);

/// The sum of the settled balances in a group's word.
fn sum(word: u64) -> i32 {
    (word >> SUM) as i32
}

/// What one member has created and completed since it settled last. Owner only.
#[derive(Default)]
pub struct Account {
    /// Tasks created minus tasks completed.
    balance: Cell<i64>,
    /// Whether a group's word counts the member as busy.
    busy: Cell<bool>,
    /// The last barrier at which the member has looked for the end of tasks, unless it was busy since.
    looked: Cell<u64>,
}

impl Account {
    /// Forgets all, when the member begins a region.
    #[inline(always)]
    pub fn reset(&self) {
        self.balance.set(0);
        self.busy.set(false);
        self.looked.set(0);
    }

    /// Counts a task that is about to be published. The member is busy, or alone in its team.
    #[inline(always)]
    pub fn create(&self) {
        self.balance.set(self.balance.get() + 1);
    }

    /// Counts a task whose effects are all written. The member is busy, or alone in its team.
    #[inline(always)]
    pub fn complete(&self) {
        self.balance.set(self.balance.get() - 1);
    }

    /// Whether the member may have created or completed tasks since it settled last.
    #[inline(always)]
    pub fn is_busy(&self) -> bool {
        self.busy.get()
    }
}

/// The accounts' sums, which the members of a team share.
#[derive(Default)]
pub struct Sums {
    top: Padded<Top>,
    /// The groups of a team with more than one. Replaced by the primary thread between regions.
    groups: Cell<&'static [Padded<AtomicU64>]>,
}

#[derive(Default)]
struct Top {
    /// The word of the only group.
    group: AtomicU64,
    /// The last barrier at which no task was left. Written by the members that find out, read by all.
    ended: AtomicU64,
}

model::named_fields!(Sums: top);

impl Sums {
    /// Makes words for a team of up to `members`. The primary thread calls this between regions. Earlier words stay, as
    /// the team's earlier slots do.
    pub fn reserve(&self, members: u32) {
        if members > GROUP {
            let groups: Vec<_> = (0..members.div_ceil(GROUP)).map(|_| Padded(AtomicU64::new(0))).collect();
            self.groups.set(Vec::leak(groups));
        }
    }

    /// The groups' words, which the simulator names.
    #[cfg(simulated)]
    pub fn groups(&self) -> &[Padded<AtomicU64>] {
        self.groups.get()
    }

    #[inline(always)]
    fn group(&self, tid: u32, nthreads: u32) -> &AtomicU64 {
        if nthreads <= GROUP { &self.top.group } else { &self.groups.get()[(tid / GROUP) as usize] }
    }

    /// Member `tid` becomes busy, before it publishes or completes a task. Owner of `account` only.
    #[cold]
    pub fn begin(&self, account: &Account, tid: u32, nthreads: u32) {
        if nthreads == 1 || account.busy.replace(true) {
            return;
        }
        // AcqRel: whoever reads a later value sees what happened before this one.
        self.group(tid, nthreads).fetch_add(A_CHANGE + 1, Ordering::AcqRel);
    }

    /// Member `tid` has found no task: adds its balance to the sums, and is not busy any more. Owner of `account` only.
    #[cold]
    pub fn settle(&self, account: &Account, tid: u32, nthreads: u32) {
        if nthreads == 1 || !account.busy.replace(false) {
            return;
        }
        account.looked.set(0);
        // Release: a thread that sees the sum sees the tasks' effects. Acquire: the last member of the group hands on
        // what all others wrote. Sequentially consistent, as the looks at other groups are: of two groups that settle
        // at the same time, one sees the other.
        let order = mutation::or_relaxed("quiescence: settled relaxed", Ordering::SeqCst);
        let change = (account.balance.replace(0) as u64) << SUM;
        self.group(tid, nthreads).fetch_add(A_CHANGE.wrapping_add(change).wrapping_sub(1), order);
    }

    /// As [`is_quiescent`](Self::is_quiescent), for a member that need not look again and again: it looks once at
    /// barrier `epoch`, and once after each settlement. The last member to settle finds the end, and tells the others.
    #[inline(always)]
    pub fn finds_end(&self, account: &Account, tid: u32, nthreads: u32, epoch: u64) -> bool {
        if nthreads > 1 && account.looked.replace(epoch) == epoch {
            return false;
        }
        self.is_quiescent(account, tid, nthreads)
    }

    /// Whether every task that was created is complete. For a member, not busy, that has seen all members arrive at the
    /// barrier, so that only tasks can create tasks. The last member to settle gets the answer true.
    #[inline(always)]
    pub fn is_quiescent(&self, account: &Account, tid: u32, nthreads: u32) -> bool {
        if nthreads == 1 {
            return account.balance.get() == 0;
        }
        if nthreads <= GROUP {
            // No member is busy, and the sum is 0.
            return self.top.group.load(Ordering::Acquire).is_multiple_of(A_CHANGE);
        }
        cold_path();
        self.group(tid, nthreads).load(Ordering::Acquire) & BUSY == 0 && self.are_even(nthreads)
    }

    /// Whether no group is busy and the groups' sums are 0 together, at one moment.
    #[inline(never)]
    fn are_even(&self, nthreads: u32) -> bool {
        let groups = &self.groups.get()[..nthreads.div_ceil(GROUP) as usize];
        if !mutation::is("quiescence: settled without an order") {
            model::order_of_seq_cst();
        }
        let look = || model::look_at_all(groups.iter(), |group| group.load(Ordering::SeqCst));
        let (all, busy) = look().fold((0u64, 0), |(all, busy), word| (all.wrapping_add(word), busy | word & BUSY));
        // Changes only grow, so the words together are the same only if each is.
        let unchanged = || look().fold(0u64, u64::wrapping_add) == all || mutation::is("quiescence: no second look");
        busy == 0 && sum(all) == 0 && unchanged()
    }

    /// Makes the sums of the groups 0 after a region of `nthreads`. They were 0 together, but each may have got what
    /// others lost, and the next region may have fewer groups. The primary thread calls this when no member looks for
    /// tasks any more.
    pub fn clear(&self, nthreads: u32) {
        if nthreads > GROUP {
            let groups = &self.groups.get()[..nthreads.div_ceil(GROUP) as usize];
            groups.iter().for_each(|group| group.store(0, Ordering::Relaxed));
        }
    }

    /// Notes that no task was left at barrier `epoch`, where all members have arrived. Returns whether this is new:
    /// then the caller wakes the others.
    #[cold]
    pub fn end(&self, epoch: u64) -> bool {
        // The release is for the effects of tasks. Members that note the same barrier store the same number. A member
        // that notes a later one has seen all others arrive there, and so after they noted this one.
        let new = self.top.ended.load(Ordering::Relaxed) < epoch;
        if new {
            self.top.ended.store(epoch, mutation::or_relaxed("quiescence: ended relaxed", Ordering::Release));
        }
        new
    }

    /// Whether some member has noted that no task was left at barrier `epoch`. Members that have gone on may have
    /// created tasks since.
    #[inline(always)]
    pub fn has_ended(&self, epoch: u64) -> bool {
        self.top.ended.load(Ordering::Acquire) >= epoch
    }
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;

    /// Members of the third group complete what the first has created.
    #[test]
    fn a_smaller_region_does_not_miss_the_groups_of_a_larger_one() {
        let sums = Sums::default();
        sums.reserve(20);
        let (creator, thief) = (Account::default(), Account::default());
        sums.begin(&creator, 0, 20);
        creator.create();
        sums.begin(&thief, 19, 20);
        thief.complete();
        sums.settle(&creator, 0, 20);
        assert!(!sums.is_quiescent(&creator, 0, 20));
        sums.settle(&thief, 19, 20);
        assert!(sums.is_quiescent(&thief, 19, 20));
        sums.clear(20);
        assert!(sums.is_quiescent(&creator, 0, 12));
    }

    /// What a task writes is seen by whoever finds that no task is left, in teams of one group and of several.
    #[test]
    fn quiet_means_that_the_effects_are_there() {
        struct Effect(Cell<u32>);
        // SAFETY: one thread writes, and the other reads after the sums have told it so; that is what is tested.
        unsafe impl Sync for Effect {}
        struct Shared(Sums);
        // SAFETY: the cell is written before the threads begin.
        unsafe impl Sync for Shared {}
        for nthreads in [2, 20] {
            let shared = Shared(Sums::default());
            shared.0.reserve(nthreads);
            let effect = Effect(Cell::new(0));
            let creator = Account::default();
            shared.0.begin(&creator, 0, nthreads);
            creator.create();
            std::thread::scope(|scope| {
                let (shared, effect) = (&shared, &effect);
                scope.spawn(move || {
                    let executor = Account::default();
                    let sums = &shared.0;
                    sums.begin(&executor, nthreads - 1, nthreads);
                    effect.0.set(7);
                    executor.complete();
                    sums.settle(&executor, nthreads - 1, nthreads);
                });
                shared.0.settle(&creator, 0, nthreads);
                while !shared.0.is_quiescent(&creator, 0, nthreads) {
                    std::thread::yield_now();
                }
                assert_eq!(effect.0.get(), 7);
            });
        }
    }
}
