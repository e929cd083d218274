//! A contended lock: `protocol/lock_word.rs` as `acquire` of `sync/lock.rs` uses it, and `protocol/nest_word.rs` as
//! `sync/nest_lock.rs` does.

use crate::scenario::Scenario;
use crate::team::{measured, play};
use crate::waiting::Patience;
use ferromp_ground::model;
use ferromp_ground::model::Padded;
use ferromp_ground::protocol::lock_seats::{Seat, Seats};
use ferromp_ground::protocol::lock_word::{self, LockWord};
use ferromp_ground::protocol::nest_word::{self, Attempt, NestWord};
use ferromp_simulator::{self as simulator, Machine, Outcome, Time, name, ns, work};

pub const SCENARIOS: [Scenario; 3] = [
    Scenario { name: "lock", what: "one critical region of 20 ns; a thread does 100 ns outside", play: lock },
    Scenario { name: "lock, empty", what: "one empty critical region; a thread does nothing else", play: empty },
    Scenario { name: "nest lock", what: "as lock, with a nestable lock that is set twice inside", play: nest },
];

/// As the constants of the same names in `sync/lock.rs`.
const SPINS: u32 = 300;
const SLOW: Time = ns(1e6);
const PAUSES: u32 = 3;
const SLOW_PAUSES: u32 = 10;
const SLOW_LOOKS: u32 = 32;
/// Critical regions of each thread.
const TURNS: u64 = 30;
/// Inside a critical region.
const INSIDE: Time = ns(20.0);
/// Between two.
pub const OUTSIDE: Time = ns(100.0);

fn lock(machine: &Machine, nthreads: u32) -> Outcome {
    contend(machine, nthreads, OUTSIDE, shipped(machine))
}

fn empty(machine: &Machine, nthreads: u32) -> Outcome {
    let locked = shipped(machine);
    contend(machine, nthreads, CALLS, move |tid, _| locked(tid, &|| ()))
}

/// The runtime's lock. Threads whose cores share a cache form a group, as the runtime finds them.
fn shipped(machine: &Machine) -> impl Fn(u32, &dyn Fn()) + use<> {
    let word = Box::new(Padded(LockWord::new()));
    let seats = Box::new(Seats::new());
    let complex = machine.complex;
    move |tid, critical| {
        name("the lock's word", &*word);
        name("the seats", &*seats);
        let mark = lock_word::mark(tid as i32);
        let seat = Seat::new((tid / complex) as usize, (tid % complex) as usize);
        acquire(&word, mark, &seats, seat);
        critical();
        word.release(&seats);
    }
}

/// The runtime's nestable lock, set once more inside.
fn nest(machine: &Machine, nthreads: u32) -> Outcome {
    let word = Box::new(Padded(NestWord::new()));
    let seats = Box::new(Seats::new());
    let complex = machine.complex;
    contend(machine, nthreads, OUTSIDE, move |tid, critical| {
        name("the lock's word", &*word);
        name("the seats", &*seats);
        let me = nest_word::owner((tid as usize + 1) * nest_word::OWNER_ALIGN);
        let seat = Seat::new((tid / complex) as usize, (tid % complex) as usize);
        if let Attempt::Busy(found) = word.attempt(me) {
            let mut pace = Pace { looks: 0, until: None };
            if !word.acquire_awake(found, me, &seats, seat, |polls| pace.pause(polls)) {
                word.acquire_asleep(me, &seats);
            }
        }
        assert_eq!(word.attempt(me), Attempt::Again(2));
        critical();
        word.release(&seats);
        word.release(&seats);
    })
}

fn acquire(word: &LockWord, mark: u32, seats: &Seats, seat: Option<Seat>) {
    let Err(now) = word.try_acquire(mark) else {
        return;
    };
    let mut pace = Pace { looks: 0, until: None };
    if !word.acquire_awake(now, mark, seats, seat, |polls| pace.pause(polls)) {
        word.acquire_asleep(mark, seats);
    }
}

/// As `Pace` of `sync/lock.rs`.
struct Pace {
    looks: u32,
    until: Option<Time>,
}

impl Pace {
    fn pause(&mut self, polls: bool) -> bool {
        self.looks += 1;
        let is_slow = self.looks > SPINS;
        let pauses = match (polls, is_slow) {
            (false, _) => 1,
            (true, false) => PAUSES,
            (true, true) => SLOW_PAUSES,
        };
        (0..pauses).for_each(|_| model::spin_hint());
        if !is_slow || !self.looks.is_multiple_of(SLOW_LOOKS) {
            return true;
        }
        let now = simulator::clock();
        now < *self.until.get_or_insert(now + SLOW)
    }
}

/// What the two calls of a critical region take beside their two accesses, as measured with one thread.
pub const CALLS: Time = ns(6.0);

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
