//! Model test of the posts of a doacross nest (`work/README.md`): a thread that waits for an iteration
//! finds what was written before its post, also where the event is another iteration's too, and nobody hangs.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::posts::{Layout, Posts};
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

const ITERATIONS: u64 = 4;

struct Shared {
    posts: Posts,
    /// What each iteration has computed: its number plus 1. Loom's, so that its order is modelled.
    results: Vec<loom::sync::atomic::AtomicU32>,
    /// Not modelled: it only counts.
    over: AtomicU32,
}

fn wait(posts: &Posts, iteration: u64) {
    while !posts.posted(iteration) {
        let event = posts.event(iteration);
        let ticket = event.prepare();
        if posts.posted(iteration) {
            event.cancel(ticket);
        } else {
            event.sleep(ticket);
        }
    }
}

/// Executes the iterations that are its own, each after the one `distance` before.
fn member(shared: &Shared, me: u64, nthreads: u64, distance: u64) {
    for iteration in (me..ITERATIONS).step_by(nthreads as usize) {
        if let Some(before) = iteration.checked_sub(distance) {
            wait(&shared.posts, before);
            assert_eq!(shared.results[before as usize].load(Relaxed), before as u32 + 1);
        }
        shared.results[iteration as usize].store(iteration as u32 + 1, Relaxed);
        shared.posts.post(iteration);
        shared.over.fetch_add(1, Relaxed);
    }
}

fn check(nthreads: u64, distance: u64, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let shared = Arc::new(Shared {
            posts: Posts::new(ITERATIONS, Layout::Dense).unwrap(),
            results: (0..ITERATIONS).map(|_| loom::sync::atomic::AtomicU32::new(0)).collect(),
            over: AtomicU32::new(0),
        });
        let others: Vec<_> = (1..nthreads)
            .map(|me| {
                let shared = shared.clone();
                thread::spawn(move || member(&shared, me, nthreads, distance))
            })
            .collect();
        member(&shared, 0, nthreads, distance);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(shared.over.load(Relaxed), ITERATIONS as u32);
    });
}

#[test]
fn two_threads_take_turns() {
    check(2, 1, 3);
}

#[test]
fn three_threads_wait_two_iterations_back() {
    check(3, 2, 2);
}

#[test]
fn weakened_orderings_are_caught() {
    assert_caught("posts: posted relaxed", "two_threads_take_turns");
}
