//! Model test of stealing (`work/README.md`): each chunk goes to one thread, whoever takes it.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::ring::{LENGTH, Ring};
use ferromp_ground::protocol::steal::{Ranges, Shares};
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::{AtomicU32, Ordering};

const MEMBERS: u32 = 2;
const MOST_CHUNKS: usize = 6;

struct Team {
    ring: Ring,
    ranges: [Ranges; MEMBERS as usize],
    /// How many chunks each loop has.
    chunks: u64,
    /// How often each chunk of each loop was executed. Not modelled: it only counts.
    executed: Vec<[AtomicU32; MOST_CHUNKS]>,
}

// SAFETY: the ring's cell is written before the threads begin.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

impl Team {
    fn execute(&self, index: usize, chunk: u64) {
        self.executed[index][chunk as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Takes part in all loops, which use the same slot one after the other. Works off the own share, then what can be
    /// stolen. Thread 1 is modest first.
    fn take_part(&self, tid: u32) {
        for index in 0..self.executed.len() {
            let number = index as u32 * LENGTH;
            let slot = self.ring.slot(number);
            while !slot.is_free_for(number) {
                loom::thread::yield_now();
            }
            let mine = &self.ranges[tid as usize];
            let shares = Shares { number, slot, tid, nthreads: MEMBERS, chunks: self.chunks };
            let take = |modest| shares.take(|tid| &self.ranges[tid as usize], modest);
            loop {
                while let Some(chunk) = mine.pop(number) {
                    self.execute(index, chunk);
                }
                let Some((first, end)) = take(tid == 1).or_else(|| if tid == 1 { take(false) } else { None }) else {
                    break;
                };
                self.execute(index, first);
                mine.refill(number, first + 1, end);
            }
            self.ring.leave(number, tid, MEMBERS);
        }
    }
}

fn check(loops: usize, chunks: u64, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let team = Arc::new(Team {
            ring: Ring::default(),
            ranges: Default::default(),
            chunks,
            executed: (0..loops).map(|_| Default::default()).collect(),
        });
        let other = team.clone();
        let thief = thread::spawn(move || other.take_part(1));
        team.take_part(0);
        thief.join().unwrap();
        for executed in &team.executed {
            for (chunk, executed) in executed.iter().enumerate() {
                assert_eq!(executed.load(Ordering::Relaxed), u32::from((chunk as u64) < chunks), "chunk {chunk}");
            }
        }
    });
}

#[test]
fn each_chunk_once() {
    check(1, 3, 2);
}

#[test]
fn each_chunk_once_in_two_loops() {
    check(2, 2, 1);
}

#[test]
fn chunks_that_are_taken_twice_or_never_are_caught() {
    assert_caught("steal: stored without asking", "each_chunk_once");
    assert_caught("steal: claimed without asking", "each_chunk_once");
    assert_caught("ring: a round is like the one before", "each_chunk_once_in_two_loops");
}
