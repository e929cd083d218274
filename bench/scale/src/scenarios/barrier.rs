//! The barrier: `protocol/barrier.rs`.

use crate::scenario::Scenario;
use crate::team::play_rounds;
use crate::waiting::Patience;
use ferromp_simulator::{Machine, Outcome, ns, work};

pub const SCENARIOS: [Scenario; 2] = [
    Scenario { name: "barrier", what: "a barrier, threads awake", play: awake },
    Scenario {
        name: "barrier, asleep",
        what: "a barrier to which one thread comes after all others sleep",
        play: asleep,
    },
];

fn awake(machine: &Machine, nthreads: u32) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, 20, |team, member| team.gather(member))
}

/// A round contains the time for which the last thread is late.
fn asleep(machine: &Machine, nthreads: u32) -> Outcome {
    play_rounds(machine, nthreads, Patience::Passive, 4, |team, member| {
        if member.tid == 0 {
            work(ns(50_000.0));
        }
        team.gather(member);
    })
}
