//! Model test of stealing (`work/README.md`): each chunk goes to one thread, whoever takes it.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::steal::Ranges;
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::{AtomicU32, Ordering};

struct Shared {
    ranges: [Ranges; 2],
    /// How often each chunk was executed. Not modelled: it only counts.
    executed: [AtomicU32; 4],
}

fn execute(shared: &Shared, chunk: u64) {
    shared.executed[chunk as usize].fetch_add(1, Ordering::Relaxed);
}

/// Works off the own range, then what can be stolen.
fn member(shared: &Shared, me: usize) {
    loop {
        while let Some(chunk) = shared.ranges[me].pop(0) {
            execute(shared, chunk);
        }
        let victim = &shared.ranges[1 - me];
        let Some((first, end)) = victim.steal_less(0).or_else(|| victim.steal(0)) else { return };
        execute(shared, first);
        shared.ranges[me].refill(0, first + 1, end);
    }
}

#[test]
fn each_chunk_once() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = Arc::new(Shared { ranges: Default::default(), executed: Default::default() });
        let other = shared.clone();
        let thief = thread::spawn(move || member(&other, 1));
        shared.ranges[0].refill(0, 0, 4);
        member(&shared, 0);
        thief.join().unwrap();
        for chunk in &shared.executed {
            assert_eq!(chunk.load(Ordering::Relaxed), 1);
        }
    });
}

#[test]
fn chunks_that_are_taken_twice_are_caught() {
    assert_caught("steal: stored without asking", "each_chunk_once");
}
