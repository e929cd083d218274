//! Fork and join: `protocol/go.rs`, `protocol/meeting.rs`.

use crate::scenario::Scenario;
use crate::team::{WARM_UP, play, until_time};
use crate::waiting::Patience;
use ferromp_simulator::{Machine, Outcome, Time, measure, now, ns, work};

pub const SCENARIOS: [Scenario; 5] = [
    Scenario { name: "region", what: "an empty region, workers awake", play: region },
    Scenario { name: "fork", what: "from the fork to the last worker's begin, workers awake", play: fork },
    Scenario { name: "fork, asleep", what: "as fork, workers asleep", play: fork_asleep },
    Scenario { name: "join", what: "from all members' arrival to the primary thread's way on", play: join },
    Scenario { name: "join, asleep", what: "as join, and the primary thread came first and sleeps", play: join_asleep },
];

const ROUNDS: u64 = 10;
/// Between two regions, so that all workers wait for the next.
pub const SERIAL: Time = ns(100_000.0);
/// A region's length, after which all members arrive at the same time.
const BODY: Time = ns(1_000_000.0);

fn region(machine: &Machine, nthreads: u32) -> Outcome {
    play(machine, nthreads, Patience::Awake, |team, member| {
        if member.tid != 0 {
            return team.serve(member, || ());
        }
        let regions = |count| {
            for _ in 0..count {
                team.fork();
                team.join(member);
            }
        };
        regions(WARM_UP);
        measure(ROUNDS, || regions(ROUNDS));
        team.disband();
    })
}

fn fork(machine: &Machine, nthreads: u32) -> Outcome {
    forks(machine, nthreads, Patience::Awake)
}

fn fork_asleep(machine: &Machine, nthreads: u32) -> Outcome {
    forks(machine, nthreads, Patience::Passive)
}

fn forks(machine: &Machine, nthreads: u32, patience: Patience) -> Outcome {
    play(machine, nthreads, patience, |team, member| {
        if member.tid != 0 {
            return team.serve(member, || ());
        }
        for round in 0..WARM_UP + ROUNDS {
            work(SERIAL);
            let fork = || {
                team.fork();
                team.watch_begin();
            };
            if round < WARM_UP {
                fork()
            } else {
                measure(1, fork)
            }
            team.join(member);
        }
        work(SERIAL);
        team.disband();
    })
}

fn join(machine: &Machine, nthreads: u32) -> Outcome {
    joins(machine, nthreads, Patience::Awake, 0)
}

fn join_asleep(machine: &Machine, nthreads: u32) -> Outcome {
    joins(machine, nthreads, Patience::Passive, SERIAL)
}

/// The workers arrive `late` after the time at which the primary thread does.
fn joins(machine: &Machine, nthreads: u32, patience: Patience, late: Time) -> Outcome {
    play(machine, nthreads, patience, move |team, member| {
        // Regions begin at fixed times, so that each member knows when all are to arrive.
        let arrival = |round: u64| (round + 1) * BODY;
        if member.tid != 0 {
            let round = std::cell::Cell::new(0);
            return team.serve(member, || {
                until_time(arrival(round.get()) + late);
                round.set(round.get() + 1);
            });
        }
        for round in 0..WARM_UP + ROUNDS {
            team.fork();
            assert!(now() < arrival(round), "the fork is longer than the region");
            until_time(arrival(round));
            let join = || team.join(member);
            if round < WARM_UP {
                join()
            } else {
                measure(1, join)
            }
            work(SERIAL);
        }
        team.disband();
    })
}
