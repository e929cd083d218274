//! Model test of the turns of ordered regions (`work/README.md`): the regions are executed in the order of the
//! iterations, each sees what those before it wrote, and nobody sleeps for ever.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::turn::{Polling, Queue, Turn};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Shared {
    turn: Turn,
    queue: Queue,
    /// How many ordered regions have been executed. A plain word: loom tells if two threads are at it at once.
    over: UnsafeCell<u64>,
}

// SAFETY: `over` belongs to the thread whose turn it is, which is what the model checks.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// Executes the iterations that are its own. Each wait has `looks` looks before the thread goes to sleep.
fn member(shared: &Shared, me: u64, nthreads: u64, iterations: u64, looks: u32) {
    for number in (me..iterations).step_by(nthreads as usize) {
        let mut polling = Polling::eager();
        let mut has_come = || polling.look(&shared.turn, number) == number;
        while !(0..looks).any(|_| has_come()) {
            let event = shared.queue.of(number);
            let ticket = event.prepare();
            if has_come() {
                event.cancel(ticket);
                break;
            }
            event.sleep(ticket);
        }
        shared.over.with_mut(|over| {
            // SAFETY: it is this thread's turn.
            unsafe {
                assert_eq!(*over, number);
                *over += 1;
            }
        });
        shared.turn.pass(number + 1, &shared.queue);
    }
}

fn check(nthreads: u64, iterations: u64, looks: u32, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let shared = Arc::new(Shared { turn: Turn::default(), queue: Queue::default(), over: UnsafeCell::new(0) });
        let others: Vec<_> = (1..nthreads)
            .map(|me| {
                let shared = shared.clone();
                thread::spawn(move || member(&shared, me, nthreads, iterations, looks))
            })
            .collect();
        member(&shared, 0, nthreads, iterations, looks);
        for other in others {
            other.join().unwrap();
        }
        assert!(shared.turn.has_come_to(iterations));
    });
}

#[test]
fn two_threads_alternate() {
    check(2, 4, 1, 4);
}

#[test]
fn looks_that_write_what_is_there_take_nothing_away() {
    check(2, 3, 3, 4);
}

#[test]
fn three_threads_that_share_an_event() {
    check(3, 3, 1, 3);
}

#[test]
fn weakened_orderings_are_caught() {
    assert_caught("turn: passed relaxed", "two_threads_alternate");
    assert_caught("turn: looked at relaxed", "two_threads_alternate");
}
