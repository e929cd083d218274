//! Reductions: `protocol/partial.rs` as `merge` of `work/reduction.rs` uses it, and the atomic method.

use crate::scenario::Scenario;
use crate::team::{play, play_rounds};
use crate::waiting::Patience;
use ferromp_ground::model::atomic::{AtomicU64, Ordering, fence};
use ferromp_ground::model::{self, Padded};
use ferromp_ground::park::waiter;
use ferromp_ground::protocol::partial::{self, Offer, Pairs, Partial};
use ferromp_simulator::{Machine, Outcome, measure, name, read_plain, write_plain};
use std::cell::Cell;
use std::rc::Rc;

pub const SCENARIOS: [Scenario; 3] = [
    Scenario {
        name: "reduction, one place",
        what: "a reduction of one number, for which threads meet in one place, with its barrier",
        play: one_place,
    },
    Scenario { name: "reduction, pairs", what: "as above, in fixed pairs", play: pairs },
    Scenario { name: "reduction, atomic", what: "as above, by one atomic addition a thread", play: atomic },
];

const ROUNDS: u64 = 10;

fn one_place(machine: &Machine, nthreads: u32) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, ROUNDS, |team, member| {
        let value = Padded(Cell::new(1u64));
        let (number, slot) = team.take_slot(member);
        let mut mine = Partial::new((&raw const value).cast_mut().cast());
        let take = |mine: &mut Partial, other: *const Partial| {
            merge_numbers(mine, other);
            team.waits.notify_all();
        };
        let wait = |mine: &Partial| waiter::until(&team.patience, &team.waits, || mine.is_taken());
        let has_all = slot.pending.meet(&mut mine, team.nthreads, take, wait);
        assert!(!has_all || value.get() == u64::from(team.nthreads), "a reduction lost a value");
        team.leave_slot(member, number);
        team.gather(member);
    })
}

/// The members of a simulated team, who merge a number each.
struct TeamPairs(Rc<Vec<Padded<Offer>>>);

impl Pairs for TeamPairs {
    fn offer(&self, tid: u32) -> &Offer {
        &self.0[tid as usize]
    }

    fn merge(&self, mine: &mut Partial, other: *const Partial) {
        merge_numbers(mine, other);
    }

    fn wait(&self, mut ready: impl FnMut() -> bool) {
        while !ready() {
            model::spin_hint();
        }
    }

    fn notify(&self, _tid: u32) {
        // Nobody sleeps. What is left of the call is its fence.
        fence(Ordering::SeqCst);
    }
}

fn merge_numbers(mine: &mut Partial, other: *const Partial) {
    let merge = |into: *mut std::ffi::c_void, from: *mut std::ffi::c_void| {
        // SAFETY: both point to values of this scenario, whose threads wait until the merge is over.
        let (into, from) = unsafe { (&*into.cast::<Cell<u64>>(), &*from.cast::<Cell<u64>>()) };
        read_plain(from);
        write_plain(into);
        into.set(into.get() + from.get());
    };
    // SAFETY: this thread alone has taken `other`.
    unsafe { mine.merge(other, merge) };
}

fn pairs(machine: &Machine, nthreads: u32) -> Outcome {
    let offers = Rc::new((0..nthreads).map(|_| Padded::default()).collect::<Vec<_>>());
    play_rounds(machine, nthreads, Patience::Awake, ROUNDS, move |team, member| {
        let value = Padded(Cell::new(1u64));
        let mut mine = Partial::new((&raw const value).cast_mut().cast());
        name("a member's offer", &*offers[member.tid as usize]);
        let has_all = partial::meet_in_pairs(&mut mine, member.tid, team.nthreads, &TeamPairs(offers.clone()));
        assert!(!has_all || value.get() == u64::from(team.nthreads), "a reduction lost a value");
        team.gather(member);
    })
}

fn atomic(machine: &Machine, nthreads: u32) -> Outcome {
    let sum = Padded(AtomicU64::new(0));
    play(machine, nthreads, Patience::Awake, move |team, member| {
        name("the sum", &*sum);
        let rounds = |count: u64| {
            for _ in 0..count {
                sum.fetch_add(1, Ordering::Relaxed);
                team.gather(member);
            }
        };
        rounds(3);
        if member.tid == 0 { measure(ROUNDS, || rounds(ROUNDS)) } else { rounds(ROUNDS) }
    })
}
