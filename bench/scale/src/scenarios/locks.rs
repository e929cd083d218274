//! A contended lock: `protocol/lock_word.rs` as `acquire` of `sync/lock.rs` uses it.

use crate::scenario::Scenario;
use crate::team::{measured, play};
use crate::waiting::Patience;
use ferromp_ground::model;
use ferromp_ground::model::Padded;
use ferromp_ground::protocol::lock_word::{self, LockWord};
use ferromp_simulator::{Machine, Outcome, Time, name, ns, work};

pub const SCENARIOS: [Scenario; 2] = [
    Scenario { name: "lock", what: "one critical region of 20 ns; a thread does 100 ns outside", play: lock },
    Scenario { name: "lock, empty", what: "one empty critical region; a thread does nothing else", play: empty },
];

/// How often a thread looks at a taken word before it sleeps, as `SPINS`.
const SPINS: u32 = 300;
/// Critical regions of each thread.
const TURNS: u64 = 30;
/// Inside a critical region.
const INSIDE: Time = ns(20.0);
/// Between two.
pub const OUTSIDE: Time = ns(100.0);

fn lock(machine: &Machine, nthreads: u32) -> Outcome {
    contend(machine, nthreads, OUTSIDE, shipped())
}

fn empty(machine: &Machine, nthreads: u32) -> Outcome {
    let locked = shipped();
    contend(machine, nthreads, CALLS, move |tid, _| locked(tid, &|| ()))
}

/// The runtime's lock.
fn shipped() -> impl Fn(u32, &dyn Fn()) {
    let word = Box::new(Padded(LockWord::new()));
    move |tid, critical| {
        name("the lock's word", &*word);
        let mark = lock_word::mark(tid as i32);
        acquire(&word, mark);
        critical();
        word.release();
    }
}

fn acquire(word: &LockWord, mark: u32) {
    let spin = || {
        (0..SPINS).any(|_| {
            model::spin_hint();
            word.try_acquire_if_free(mark)
        })
    };
    if !word.try_acquire(mark) && !spin() {
        word.acquire_asleep(mark);
    }
}

/// What the two calls of a critical region take beside their two accesses, as measured with one thread.
const CALLS: Time = ns(6.0);

/// All threads contend for a lock, under which `locked` executes what it is given. Between two critical regions a
/// thread works `outside`. A round is one critical region.
pub fn contend(machine: &Machine, nthreads: u32, outside: Time, locked: impl Fn(u32, &dyn Fn()) + 'static) -> Outcome {
    play(machine, nthreads, Patience::Awake, move |team, member| {
        let turns = |count: u64| {
            for _ in 0..count {
                locked(member.tid, &|| work(INSIDE));
                work(outside);
            }
            team.gather(member);
        };
        turns(2);
        measured(member, TURNS * u64::from(team.nthreads), || turns(TURNS));
    })
}
