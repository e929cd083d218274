//! Locks of other runtimes and of the literature, in code of our own: the lock that libomp uses unless the program or
//! the user asks for another, and those of Mellor-Crummey and Scott, 1991.

use super::locks::{CALLS, OUTSIDE, contend};
use super::peers::spin;
use crate::scenario::Scenario;
use ferromp_ground::model::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use ferromp_ground::model::{Padded, spin_hint};
use ferromp_simulator::{Machine, Outcome, name};

pub const SCENARIOS: [Scenario; 5] = [
    Scenario {
        name: "libomp lock",
        what: "as lock, by libomp's queuing lock: a queue of threads with both ends in the lock",
        play: |m, n| queuing(m, n, true),
    },
    Scenario {
        name: "libomp lock, empty",
        what: "as lock, empty, by the same lock",
        play: |m, n| queuing(m, n, false),
    },
    Scenario { name: "test-and-set lock", what: "as lock, by an exchange in a loop", play: test_and_set },
    Scenario { name: "ticket lock", what: "as lock, with one word that says whose turn it is", play: ticket },
    Scenario {
        name: "MCS lock",
        what: "as lock, with a queue in which each thread spins on a line of its own",
        play: queue,
    },
];

/// libomp's queuing lock: the first and the last thread of the queue, side by side. Threads are named by their number
/// and one more. Without a queue, the last one is 0, and the first one is 0 if the lock is free, or [`HELD`].
///
/// Both words change together when the queue begins and ends, and alone otherwise.
#[derive(Default)]
#[repr(C, align(8))]
struct Ends {
    last: AtomicU32,
    first: AtomicU32,
}

/// The lock is taken, and no thread waits.
const HELD: u32 = u32::MAX;

/// A thread's words, on two lines.
#[derive(Default)]
struct Waiting {
    waits: Padded<AtomicBool>,
    next: Padded<AtomicU32>,
}

impl Ends {
    /// Changes both words, if they are as expected.
    fn exchange(&self, expected: (u32, u32), ends: (u32, u32)) -> bool {
        let both = |(first, last): (u32, u32)| u64::from(first) << 32 | u64::from(last);
        // SAFETY: the words are one aligned 64-bit word, alive as long as `self`, and one thread of the system runs all
        // simulated threads.
        let word = unsafe { AtomicU64::from_ptr(std::ptr::from_ref(self).cast_mut().cast()) };
        word.compare_exchange(both(expected), both(ends), Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn acquire(&self, me: u32, threads: &[Waiting]) {
        let mine = &threads[me as usize - 1];
        mine.waits.store(true, Ordering::Relaxed);
        loop {
            let (before, queued) = match self.first.load(Ordering::Relaxed) {
                0 => {
                    if self.first.compare_exchange(0, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                        return mine.waits.store(false, Ordering::Relaxed);
                    }
                    (0, false)
                }
                HELD => (0, self.exchange((HELD, 0), (me, me))),
                _ => {
                    let last = self.last.load(Ordering::Relaxed);
                    let takes = || self.last.compare_exchange(last, me, Ordering::AcqRel, Ordering::Relaxed).is_ok();
                    (last, last != 0 && takes())
                }
            };
            if queued {
                if before != 0 {
                    threads[before as usize - 1].next.store(me, Ordering::Release);
                }
                return spin(|| !mine.waits.load(Ordering::Acquire));
            }
            spin_hint();
        }
    }

    fn release(&self, threads: &[Waiting]) {
        loop {
            let first = self.first.load(Ordering::Relaxed);
            if first == HELD {
                if self.first.compare_exchange(HELD, 0, Ordering::Release, Ordering::Relaxed).is_ok() {
                    return;
                }
                continue;
            }
            let heir = &threads[first as usize - 1];
            if first == self.last.load(Ordering::Relaxed) {
                if !self.exchange((first, first), (HELD, 0)) {
                    continue;
                }
            } else {
                spin(|| heir.next.load(Ordering::Acquire) != 0);
                self.first.store(heir.next.load(Ordering::Relaxed), Ordering::Release);
            }
            heir.next.store(0, Ordering::Relaxed);
            return heir.waits.store(false, Ordering::Release);
        }
    }
}

fn queuing(machine: &Machine, nthreads: u32, works: bool) -> Outcome {
    let ends = Padded(Ends::default());
    let threads: Vec<Waiting> = (0..nthreads).map(|_| Waiting::default()).collect();
    contend(machine, nthreads, if works { OUTSIDE } else { CALLS }, move |tid, critical| {
        name("the queue's ends", &*ends);
        name("a thread's words", &threads[tid as usize]);
        ends.acquire(tid + 1, &threads);
        if works {
            critical();
        }
        ends.release(&threads);
    })
}

fn test_and_set(machine: &Machine, nthreads: u32) -> Outcome {
    let taken = Padded(AtomicBool::new(false));
    contend(machine, nthreads, OUTSIDE, move |_, critical| {
        name("the lock's word", &*taken);
        spin(|| !taken.swap(true, Ordering::Acquire));
        critical();
        taken.store(false, Ordering::Release);
    })
}

fn ticket(machine: &Machine, nthreads: u32) -> Outcome {
    let (next, turn) = (Padded(AtomicU64::new(0)), Padded(AtomicU64::new(0)));
    contend(machine, nthreads, OUTSIDE, move |_, critical| {
        name("the next ticket", &*next);
        name("the turn", &*turn);
        let mine = next.fetch_add(1, Ordering::Relaxed);
        spin(|| turn.load(Ordering::Acquire) == mine);
        critical();
        turn.store(mine + 1, Ordering::Release);
    })
}

/// A thread's place in the queue of an MCS lock. Places are named by the thread's number and one more, 0 for none.
#[derive(Default)]
struct Place {
    next: AtomicUsize,
    waits: AtomicBool,
}

fn queue(machine: &Machine, nthreads: u32) -> Outcome {
    let last = Padded(AtomicUsize::new(0));
    let places: Vec<Padded<Place>> = (0..nthreads).map(|_| Padded::default()).collect();
    contend(machine, nthreads, OUTSIDE, move |tid, critical| {
        let mine = tid as usize + 1;
        let place = &places[tid as usize];
        name("the end of the queue", &*last);
        name("a thread's place", &**place);
        place.next.store(0, Ordering::Relaxed);
        place.waits.store(true, Ordering::Relaxed);
        let before = last.swap(mine, Ordering::AcqRel);
        if before != 0 {
            places[before - 1].next.store(mine, Ordering::Release);
            spin(|| !place.waits.load(Ordering::Acquire));
        }
        critical();
        if place.next.load(Ordering::Acquire) == 0
            && last.compare_exchange(mine, 0, Ordering::Release, Ordering::Relaxed).is_ok()
        {
            return;
        }
        spin(|| place.next.load(Ordering::Acquire) != 0);
        places[place.next.load(Ordering::Acquire) - 1].waits.store(false, Ordering::Release);
    })
}
