//! Model test of the merging of partial results (`work/README.md`): one thread ends with everybody's values, and no
//! thread's values go before another has merged them.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::partial::{Offer, Partial};
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

/// The pairs of the ordered method: thread 0 takes from the place of thread 1.
#[test]
fn one_takes_from_a_place_of_its_own() {
    loom::model(|| {
        let place = Arc::new(Place::default());
        let other = place.clone();
        let thread = thread::spawn(move || {
            let value = Value::new(2);
            let mine = Partial::new(std::ptr::from_ref(&value).cast_mut().cast());
            assert!(other.offer.put(&mine));
            wait_until_taken(&mine, &other.event);
            // SAFETY: as in `reduce`.
            value.with_mut(|value| unsafe { *value = 99 });
        });
        let value = Value::new(1);
        let mut mine = Partial::new(std::ptr::from_ref(&value).cast_mut().cast());
        while place.offer.present().is_null() {
            thread::yield_now();
        }
        // SAFETY: this thread alone takes what is there.
        unsafe { mine.merge(place.offer.present(), add) };
        place.event.notify_all();
        assert_eq!(mine.threads, 2);
        // SAFETY: as in `reduce`.
        value.with(|value| unsafe { assert_eq!(*value, 3) });
        thread.join().unwrap();
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("partial: offered relaxed", "two_meet");
    assert_caught("partial: taken relaxed", "two_meet");
    assert_caught("partial: let go relaxed", "two_meet");
    assert_caught("partial: let go before it is merged", "two_meet");
    assert_caught("partial: offered relaxed", "one_takes_from_a_place_of_its_own");
}
