//! Loops: `protocol/ring.rs`, `steal.rs`, `turn.rs` and `posts.rs`, as `work/loops.rs`, `ordered.rs` and `doacross.rs`
//! use them.

use crate::scenario::Scenario;
use crate::team::{Member, Team, play, play_rounds};
use crate::waiting::Patience;
use ferromp_ground::model::atomic::Ordering;
use ferromp_ground::park::waiter;
use ferromp_ground::protocol::posts::{Layout, Posts};
use ferromp_ground::protocol::ring::Slot;
use ferromp_ground::protocol::steal::Shares;
use ferromp_ground::protocol::turn::Polling;
use ferromp_simulator::{Machine, Outcome, Time, measure, ns, work};
use std::cell::Cell;

pub const SCENARIOS: [Scenario; 7] = [
    Scenario {
        name: "slot",
        what: "a construct with a slot in which nothing is handed out, with its barrier",
        play: slot,
    },
    Scenario {
        name: "dynamic, counter",
        what: "a loop of 64 iterations a thread, 200 ns each, chunks of 1",
        play: counter,
    },
    Scenario { name: "dynamic, stealing", what: "as above, with ranges that threads steal from", play: stealing },
    Scenario {
        name: "dynamic, uneven",
        what: "as above, with iterations of 400 ns to nothing, the longest first",
        play: uneven,
    },
    Scenario { name: "guided", what: "a loop of 1280 iterations a thread, 10 ns each", play: guided },
    Scenario { name: "ordered", what: "an iteration of a loop whose body is one empty ordered region", play: ordered },
    Scenario { name: "doacross", what: "an iteration that waits for the one before", play: doacross },
];

const ROUNDS: u64 = 4;
const A_THREAD: u64 = 64;
const BODY: Time = ns(200.0);
/// Iterations of a guided loop, a thread, and their time.
const SMALL_A_THREAD: u64 = 1280;
const SMALL_BODY: Time = ns(10.0);

/// A loop whose chunks `next` hands out, with its barrier.
fn dispatch(
    machine: &Machine,
    nthreads: u32,
    next: impl Fn(&Team, &Member, u32, &Slot) -> Option<Time> + 'static,
) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, ROUNDS, move |team, member| {
        let (number, slot) = team.take_slot(member);
        while let Some(time) = next(team, member, number, slot) {
            work(time);
        }
        team.leave_slot(member, number);
        team.gather(member);
    })
}

fn trips(team: &Team) -> u64 {
    A_THREAD * u64::from(team.nthreads)
}

/// `slot::take` and `slot::leave`.
fn slot(machine: &Machine, nthreads: u32) -> Outcome {
    dispatch(machine, nthreads, |_, _, _, _| None)
}

/// `Loop::dynamic`.
fn counter(machine: &Machine, nthreads: u32) -> Outcome {
    dispatch(machine, nthreads, |team, _, _, slot| {
        (slot.next.fetch_add(1, Ordering::Relaxed) < trips(team)).then_some(BODY)
    })
}

/// `Loop::stealing`.
fn stealing(machine: &Machine, nthreads: u32) -> Outcome {
    dispatch(machine, nthreads, |team, member, number, slot| next_stealing(team, member, number, slot).map(|_| BODY))
}

fn next_stealing(team: &Team, member: &Member, number: u32, slot: &Slot) -> Option<u64> {
    member.ranges.pop(number).or_else(|| {
        let (first, end) = new_range(team, member, number, slot, trips(team))?;
        member.ranges.refill(number, first + 1, end);
        Some(first)
    })
}

/// As [`stealing`], where the first shares have almost all the work.
fn uneven(machine: &Machine, nthreads: u32) -> Outcome {
    dispatch(machine, nthreads, |team, member, number, slot| {
        let chunk = next_stealing(team, member, number, slot)?;
        Some(2 * BODY * (trips(team) - chunk) / trips(team))
    })
}

/// `Loop::new_range`.
fn new_range(team: &Team, member: &Member, number: u32, slot: &Slot, chunks: u64) -> Option<(u64, u64)> {
    let shares = Shares { number, slot, tid: member.tid, nthreads: team.nthreads, chunks };
    shares.take(|tid| &team.members[tid as usize].ranges, false)
}

/// `Loop::guided`.
fn guided(machine: &Machine, nthreads: u32) -> Outcome {
    dispatch(machine, nthreads, |team, _, _, slot| {
        let (nthreads, trips) = (u64::from(team.nthreads), SMALL_A_THREAD * u64::from(team.nthreads));
        let mut first = slot.next.load(Ordering::Relaxed);
        loop {
            let left = trips - first;
            if left == 0 {
                return None;
            }
            let count = left.div_ceil(nthreads);
            match slot.next.compare_exchange_weak(first, first + count, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(count * SMALL_BODY),
                Err(now) => first = now,
            }
        }
    })
}

/// Iterations of each thread in a loop whose iterations wait for each other.
const IN_ORDER: u64 = 8;

/// `ordered::begin` and `end`, with a static schedule of chunks of 1.
fn ordered(machine: &Machine, nthreads: u32) -> Outcome {
    in_order(machine, nthreads, |team, member| {
        let (number, slot) = team.take_slot(member);
        for iteration in 0..IN_ORDER {
            let first = iteration * u64::from(team.nthreads) + u64::from(member.tid);
            if !slot.turn.has_come_to(first) {
                wait_in_line(team, slot, first);
            }
            slot.turn.pass(first + 1, &team.turns);
        }
        team.leave_slot(member, number);
    })
}

/// `Turns::wait_in_line`, where the CPUs suffice.
fn wait_in_line(team: &Team, slot: &Slot, first: u64) {
    let mut polling = Polling::eager();
    waiter::until(&team.patience, team.turns.of(first), || {
        let turn = polling.look(&slot.turn, first);
        if first.wrapping_sub(turn) > 1 {
            polling = Polling::eager();
        }
        turn == first
    });
}

/// `doacross::wait` and `post`, with a static schedule of chunks of 1.
fn doacross(machine: &Machine, nthreads: u32) -> Outcome {
    let loops: Vec<Posts> = (0..2)
        .map(|_| Posts::new(IN_ORDER * u64::from(nthreads), Layout::Spread).expect("memory for the posts"))
        .collect();
    let round = Cell::new(0);
    in_order(machine, nthreads, move |team, member| {
        if member.tid == 0 {
            round.set(round.get() + 1);
        }
        team.gather(member);
        let posts = &loops[round.get() - 1];
        for iteration in 0..IN_ORDER {
            let number = iteration * u64::from(team.nthreads) + u64::from(member.tid);
            if number > 0 {
                waiter::until(&team.patience, posts.event(number - 1), || posts.posted(number - 1));
            }
            posts.post(number);
        }
    })
}

/// Plays `body` twice, the second time measured. A round is one iteration.
fn in_order(machine: &Machine, nthreads: u32, body: impl Fn(&Team, &Member) + 'static) -> Outcome {
    play(machine, nthreads, Patience::Awake, move |team, member| {
        let body = || {
            body(team, member);
            team.gather(member);
        };
        body();
        if member.tid == 0 { measure(IN_ORDER * u64::from(team.nthreads), body) } else { body() }
    })
}
