//! The barriers of libomp and libgomp, in code of our own from a description of their shapes.
//!
//! Only the shape is modelled: which thread writes which line, by what kind of access, and who looks at it. Nothing
//! sleeps, except where the name says so.

use super::fork::SERIAL;
use crate::scenario::Scenario;
use crate::team::{Member, Team, WARM_UP, play, play_rounds};
use crate::waiting::Patience;
use ferromp_ground::model::atomic::{AtomicU32, AtomicU64, Ordering};
use ferromp_ground::model::{self, Padded, spin_hint};
use ferromp_ground::park::futex;
use ferromp_simulator::{Machine, Outcome, measure, name, ns, read_plain, watch, work, write_plain};
use std::cell::Cell;

pub const SCENARIOS: [Scenario; 7] = [
    Scenario {
        name: "hyper barrier",
        what: "libomp's default: gather and release by trees of branching 4",
        play: hyper,
    },
    Scenario { name: "hyper region", what: "as region: a release and a gather by these trees", play: hyper_region },
    Scenario {
        name: "hyper reduction",
        what: "a reduction of one number in the gather, then the release",
        play: hyper_reduction,
    },
    Scenario { name: "hyper fork", what: "as fork: the release by these trees", play: hyper_fork },
    Scenario {
        name: "dist barrier",
        what: "libomp's distributed barrier: leaders of 16 threads, a release word for 4",
        play: distributed,
    },
    Scenario {
        name: "futex barrier",
        what: "libgomp's: one counter, one generation word that threads spin on",
        play: generation,
    },
    Scenario {
        name: "futex barrier, asleep",
        what: "as above, one thread comes after all others sleep",
        play: generation_asleep,
    },
];

const ROUNDS: u64 = 20;
/// The branching of the hyper barrier's trees, as a number of bits.
const BRANCH_BITS: u32 = 2;
/// Threads for which a leader of the distributed barrier looks.
const LED: u32 = 16;
/// Threads that look at one release word.
const RELEASED: u32 = 4;

/// Waits awake until `ready`.
pub fn spin(ready: impl Fn() -> bool) {
    while !ready() {
        spin_hint();
    }
}

/// A word for each thread, on a line of its own.
fn words(count: u32) -> Vec<Padded<AtomicU64>> {
    (0..count).map(|_| Padded::default()).collect()
}

/// A barrier played in rounds, which hears the round's number from 1.
fn barrier(machine: &Machine, nthreads: u32, pass: impl Fn(&Team, &Member, u64) + 'static) -> Outcome {
    let rounds: Vec<Cell<u64>> = (0..nthreads).map(|_| Cell::new(0)).collect();
    play_rounds(machine, nthreads, Patience::Awake, ROUNDS, move |team, member| {
        let round = &rounds[member.tid as usize];
        round.set(round.get() + 1);
        pass(team, member, round.get());
    })
}

/// The two trees of the hyper barrier. Each signal is a read-modify-write, because the word also says whether the
/// thread that waits for the signal sleeps. So a parent releases its children one after the other.
struct Hyper {
    nthreads: u32,
    arrived: Vec<Padded<AtomicU64>>,
    go: Vec<Padded<AtomicU64>>,
    /// The team's round. Written by the primary thread, and read by each parent before the thread waits for children.
    round: Padded<AtomicU64>,
}

impl Hyper {
    fn new(nthreads: u32) -> Self {
        Hyper { nthreads, arrived: words(nthreads), go: words(nthreads), round: Padded::default() }
    }

    fn name(&self, tid: u32) {
        name("a member's arrival", &*self.arrived[tid as usize]);
        name("a member's release", &*self.go[tid as usize]);
        name("the team's round", &*self.round);
    }

    fn children(&self, tid: u32, level: u32) -> impl Iterator<Item = u32> {
        let nthreads = self.nthreads;
        (1..1 << BRANCH_BITS).map(move |child| tid + (child << level)).take_while(move |&child| child < nthreads)
    }

    /// The level below which the thread has children.
    fn top(&self, tid: u32) -> u32 {
        let mut level = 0;
        while 1 << level < self.nthreads && (tid >> level) & ((1 << BRANCH_BITS) - 1) == 0 {
            level += BRANCH_BITS;
        }
        level
    }

    fn gather(&self, tid: u32, round: u64) {
        self.gather_and(tid, round, |_| ());
    }

    /// Calls `arrived` with each child that has arrived.
    fn gather_and(&self, tid: u32, round: u64, arrived: impl Fn(u32)) {
        if self.top(tid) > 0 {
            assert_eq!(self.round.load(Ordering::Relaxed), round - 1);
        }
        for level in (0..self.top(tid)).step_by(BRANCH_BITS as usize) {
            self.children(tid, level).for_each(|child| {
                spin(|| self.arrived[child as usize].load(Ordering::Acquire) == round);
                arrived(child);
            });
        }
        if tid == 0 {
            self.round.store(round, Ordering::Relaxed);
        } else {
            self.arrived[tid as usize].fetch_add(1, Ordering::Release);
        }
    }

    fn release(&self, tid: u32, round: u64) {
        if tid != 0 {
            spin(|| self.go[tid as usize].load(Ordering::Acquire) == round);
        }
        for level in (0..self.top(tid)).step_by(BRANCH_BITS as usize).rev() {
            for child in self.children(tid, level) {
                self.go[child as usize].fetch_add(1, Ordering::Release);
            }
        }
    }
}

fn hyper(machine: &Machine, nthreads: u32) -> Outcome {
    by_trees(machine, nthreads, |trees, tid, round| {
        trees.gather(tid, round);
        trees.release(tid, round);
    })
}

fn hyper_region(machine: &Machine, nthreads: u32) -> Outcome {
    by_trees(machine, nthreads, |trees, tid, round| {
        trees.release(tid, round);
        trees.gather(tid, round);
    })
}

/// Rounds in which each thread does something with the trees of all.
fn by_trees(machine: &Machine, nthreads: u32, pass: impl Fn(&Hyper, u32, u64) + 'static) -> Outcome {
    let trees = Hyper::new(nthreads);
    barrier(machine, nthreads, move |_, member, round| {
        trees.name(member.tid);
        pass(&trees, member.tid, round);
    })
}

fn hyper_reduction(machine: &Machine, nthreads: u32) -> Outcome {
    let values = words(nthreads);
    by_trees(machine, nthreads, move |trees, tid, round| {
        let value = &*values[tid as usize];
        write_plain(value);
        trees.gather_and(tid, round, |child| {
            read_plain(&*values[child as usize]);
            write_plain(value);
        });
        trees.release(tid, round);
    })
}

/// The threads come back by the gather, and wait for the next release while the primary thread works.
fn hyper_fork(machine: &Machine, nthreads: u32) -> Outcome {
    let trees = Hyper::new(nthreads);
    let begun = Cell::new(0);
    play(machine, nthreads, Patience::Awake, move |_, member| {
        trees.name(member.tid);
        for round in 1..=WARM_UP + ROUNDS {
            if member.tid != 0 {
                trees.release(member.tid, round);
                begun.set(begun.get() + 1);
            } else {
                begun.set(0);
                work(SERIAL);
                let fork = || {
                    trees.release(0, round);
                    watch(|| begun.get() == nthreads - 1);
                };
                if round <= WARM_UP { fork() } else { measure(1, fork) }
            }
            trees.gather(member.tid, round);
        }
    })
}

fn distributed(machine: &Machine, nthreads: u32) -> Outcome {
    let (arrived, led) = (words(nthreads), words(nthreads.div_ceil(LED)));
    let go = words(nthreads.div_ceil(RELEASED));
    barrier(machine, nthreads, move |_, member, round| {
        let tid = member.tid;
        name("a member's arrival", &*arrived[tid as usize]);
        name("a release word", &*go[(tid / RELEASED) as usize]);
        name("a leader's word", &*led[(tid / LED) as usize]);
        // A leader looks at its threads' words side by side.
        let seen = |words: &[Padded<AtomicU64>]| {
            spin(|| model::count_in_front(words.iter().map(|word| &**word), round) == words.len());
        };
        arrived[tid as usize].store(round, Ordering::Release);
        if tid.is_multiple_of(LED) {
            seen(&arrived[tid as usize..(tid + LED).min(nthreads) as usize]);
            led[(tid / LED) as usize].store(round, Ordering::Release);
        }
        if tid == 0 {
            seen(&led);
            go.iter().for_each(|word| word.store(round, Ordering::Release));
        }
        spin(|| go[(tid / RELEASED) as usize].load(Ordering::Acquire) == round);
    })
}

fn generation(machine: &Machine, nthreads: u32) -> Outcome {
    by_generation(machine, nthreads, false)
}

fn generation_asleep(machine: &Machine, nthreads: u32) -> Outcome {
    by_generation(machine, nthreads, true)
}

fn by_generation(machine: &Machine, nthreads: u32, asleep: bool) -> Outcome {
    let (awaited, now) = (Padded(AtomicU32::new(nthreads)), Padded(AtomicU32::new(0)));
    barrier(machine, nthreads, move |_, member, _| {
        name("the counter", &*awaited);
        name("the generation", &*now);
        if asleep && member.tid == 0 {
            work(ns(50_000.0));
        }
        let before = now.load(Ordering::Acquire);
        if awaited.fetch_sub(1, Ordering::AcqRel) == 1 {
            awaited.store(nthreads, Ordering::Relaxed);
            now.store(before + 1, Ordering::Release);
            futex::wake(&now, i32::MAX);
            return;
        }
        while now.load(Ordering::Acquire) == before {
            if asleep { futex::wait(&now, before) } else { spin_hint() }
        }
    })
}
