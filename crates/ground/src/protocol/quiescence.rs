//! How a barrier finds out that no task is left (OpenMP 5.1 §2.12.5, §2.19.2): counts of created and of completed
//! tasks, one writer each, by the parity of the barrier phase. `task/README.md` proves that this suffices;
//! `tests/loom_quiescence.rs` checks this very code.
//!
//! An example of why completions are added up first. Thread 1 has created task X, and thread 2 executes X.
//!
//! 1. Thread 1 is at the barrier. It adds up the completions: 0.
//! 2. Meanwhile X creates task Y, and ends. Thread 2 counts a creation, and then a completion.
//! 3. Thread 1 adds up the creations: 2. The sums differ, and thread 1 looks again later.
//!
//! If thread 1 added up the creations in step 1, it would find 1 there and 1 completion in step 3. It would leave the
//! barrier while Y waits in a queue.

use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::{self, mutation};

/// One member's counts. Only the member's thread writes them; all members read them at a barrier.
#[derive(Default)]
pub struct Counts {
    created: [AtomicU64; 2],
    completed: [AtomicU64; 2],
}

model::named_fields!(Counts: created, completed);

impl Counts {
    /// Sets all counts to 0 when a region begins, where no task is left. Owner only.
    #[inline(always)]
    pub fn reset(&self) {
        for counter in self.created.iter().chain(&self.completed) {
            if counter.load(Ordering::Relaxed) != 0 {
                counter.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Counts a task that is about to be published. Owner only.
    #[inline(always)]
    pub fn create(&self, parity: usize) {
        let counter = &self.created[parity & 1];
        // Relaxed: the publication releases it.
        counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Counts a task whose effects are all written. Owner only.
    #[inline(always)]
    pub fn complete(&self, parity: usize) {
        let counter = &self.completed[parity & 1];
        // Release: a thread that sees the count sees the task's effects, and the tasks that the task created.
        let order = mutation::or_relaxed("quiescence: completed relaxed", Ordering::Release);
        counter.store(counter.load(Ordering::Relaxed) + 1, order);
    }
}

/// Whether every task of the phase is complete. For a caller that has seen all members arrive at the
/// barrier that ends the phase, so that only tasks can create tasks of it any more.
pub fn quiescent<'a>(members: impl Iterator<Item = &'a Counts> + Clone, parity: usize) -> bool {
    let parity = parity & 1;
    // Acquire, and all completions before any creation: what a counted task created is then seen.
    let sum = |counters: fn(&Counts) -> &[AtomicU64; 2]| -> u64 {
        members.clone().map(|counts| counters(counts)[parity].load(Ordering::Acquire)).sum()
    };
    let early = if mutation::is("quiescence: creations first") { Some(sum(|counts| &counts.created)) } else { None };
    let completed = sum(|counts| &counts.completed);
    completed == early.unwrap_or_else(|| sum(|counts| &counts.created))
}

/// Whether every task of the region is complete, in whichever phases they were created. For a caller
/// that has seen all members arrive at the join, so that only tasks can create tasks any more; the
/// sums are taken as in [`quiescent`].
pub fn all_quiescent<'a>(members: impl Iterator<Item = &'a Counts> + Clone) -> bool {
    let both =
        |counters: &[AtomicU64; 2]| -> u64 { counters.iter().map(|counter| counter.load(Ordering::Acquire)).sum() };
    let completed: u64 = members.clone().map(|counts| both(&counts.completed)).sum();
    let created: u64 = members.map(|counts| both(&counts.created)).sum();
    completed == created
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// What a task writes is seen by whoever finds that no task is left.
    #[test]
    fn quiet_means_that_the_effects_are_there() {
        struct Effect(Cell<u32>);
        // SAFETY: one thread writes, and the other reads after the counts have told it so; that is what is tested.
        unsafe impl Sync for Effect {}
        let counts = [Counts::default(), Counts::default()];
        let effect = Effect(Cell::new(0));
        counts[0].create(0);
        std::thread::scope(|scope| {
            let (counts, effect) = (&counts, &effect);
            scope.spawn(move || {
                effect.0.set(7);
                counts[1].complete(0);
            });
            while !quiescent(counts.iter(), 0) {
                std::thread::yield_now();
            }
            assert_eq!(effect.0.get(), 7);
        });
        counts[0].reset();
        counts[1].reset();
        assert!(quiescent(counts.iter(), 0) && quiescent(counts.iter(), 1));
    }
}
