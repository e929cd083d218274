//! Model test of the merging of partial results (`work/README.md`): one thread ends with everybody's values, and no
//! thread's values go before another has merged them.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::partial::{self, Offer, Pairs, Partial};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::ffi::c_void;

type Value = UnsafeCell<u32>;

/// Adds the value behind the second pointer to the one behind the first.
fn add(into: *mut c_void, from: *mut c_void) {
    // SAFETY: both point to values, which are alive; loom reports a race.
    unsafe {
        let from = (*from.cast::<Value>()).with(|from| *from);
        (*into.cast::<Value>()).with_mut(|into| *into += from);
    }
}

/// Sleeps until another thread has taken `mine`, as `thread::wait::until` does.
fn wait_until_taken(mine: &Partial, event: &Event) {
    while !mine.is_taken() {
        let ticket = event.prepare();
        if mine.is_taken() {
            event.cancel(ticket);
        } else {
            event.sleep(ticket);
        }
    }
}

/// A place for results, and where threads wait until theirs are taken.
#[derive(Default)]
struct Place {
    offer: Offer,
    event: Event,
}

/// Merges the value of one of `nthreads` threads with the others'; the sum, if this thread has it at the end.
fn reduce(place: &Place, nthreads: u32, value: u32) -> Option<u32> {
    let mine = Value::new(value);
    let data = std::ptr::from_ref(&mine).cast_mut().cast();
    let has_all = place.offer.meet(
        &mut Partial::new(data),
        nthreads,
        |mine, other| {
            // SAFETY: `other` has just been taken.
            unsafe { mine.merge(other, add) };
            place.event.notify_all();
        },
        |mine| wait_until_taken(mine, &place.event),
    );
    // The thread uses its memory for something else.
    // SAFETY: loom reports a race.
    mine.with_mut(|mine| unsafe { has_all.then(|| std::mem::replace(&mut *mine, 99)) })
}

fn sums(nthreads: u32, bound: Option<usize>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = bound;
    model.check(move || {
        let place = Arc::new(Place::default());
        let threads: Vec<_> = (1..nthreads)
            .map(|number| {
                let place = place.clone();
                thread::spawn(move || reduce(&place, nthreads, 1 << number))
            })
            .collect();
        let mut sums: Vec<_> = reduce(&place, nthreads, 1).into_iter().collect();
        sums.extend(threads.into_iter().filter_map(|thread| thread.join().unwrap()));
        assert_eq!(sums, [(1 << nthreads) - 1]);
    });
}

#[test]
fn two_meet() {
    sums(2, None);
}

/// The third may meet a sum of two or one of the two. Two switches away from a thread that could go on reach both.
#[test]
fn three_meet() {
    sums(3, Some(2));
}

/// Threads that merge in fixed pairs, one of them.
struct InPairs<'a> {
    places: &'a [Place],
    tid: u32,
}

impl Pairs for InPairs<'_> {
    fn offer(&self, tid: u32) -> &Offer {
        &self.places[tid as usize].offer
    }

    fn merge(&self, mine: &mut Partial, other: *const Partial) {
        // SAFETY: `other` has just been taken.
        unsafe { mine.merge(other, add) };
    }

    fn wait(&self, mut ready: impl FnMut() -> bool) {
        let event = &self.places[self.tid as usize].event;
        while !ready() {
            let ticket = event.prepare();
            if ready() {
                event.cancel(ticket);
                return;
            }
            event.sleep(ticket);
        }
    }

    fn notify(&self, tid: u32) {
        self.places[tid as usize].event.notify_all();
    }
}

/// Reductions one after the other, without a barrier between them.
fn sums_in_pairs(nthreads: u32, reductions: u32, bound: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(bound);
    model.check(move || {
        let team = Arc::new((0..nthreads).map(|_| Place::default()).collect::<Vec<_>>());
        let reduce = move |team: &[Place], tid: u32| {
            for reduction in 0..reductions {
                let mine = Value::new((1 << tid) + (reduction << 8));
                let data = std::ptr::from_ref(&mine).cast_mut().cast();
                let pairs = InPairs { places: team, tid };
                let has_all = partial::meet_in_pairs(&mut Partial::new(data), tid, nthreads, &pairs);
                assert_eq!(has_all, tid == 0);
                // The thread uses its memory for something else.
                // SAFETY: loom reports a race.
                let sum = mine.with_mut(|mine| unsafe { std::mem::replace(&mut *mine, 99) });
                assert!(!has_all || sum == (1 << nthreads) - 1 + nthreads * (reduction << 8));
            }
        };
        let threads: Vec<_> = (1..nthreads)
            .map(|tid| {
                let team = team.clone();
                thread::spawn(move || reduce(&team, tid))
            })
            .collect();
        reduce(&team, 0);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn two_meet_in_pairs() {
    sums_in_pairs(2, 2, 3);
}

#[test]
fn three_meet_in_pairs() {
    sums_in_pairs(3, 1, 2);
}

#[test]
fn faults_are_caught() {
    assert_caught("partial: offered relaxed", "two_meet");
    assert_caught("partial: taken relaxed", "two_meet");
    assert_caught("partial: let go relaxed", "two_meet");
    assert_caught("partial: let go before it is merged", "two_meet");
    assert_caught("partial: offered in pairs relaxed", "two_meet_in_pairs");
    assert_caught("partial: taken alone relaxed", "two_meet_in_pairs");
    assert_caught("partial: let go relaxed", "two_meet_in_pairs");
    assert_caught("partial: a result taken alone stays on offer", "two_meet_in_pairs");
}
