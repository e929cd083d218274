//! Tasks: `protocol/deque.rs`, `protocol/quiescence.rs`.

use crate::scenario::Scenario;
use crate::task::Work;
use crate::tasks::{AtBarrier, PATIENCE, create};
use crate::team::play_rounds;
use ferromp_simulator::{Machine, Outcome, Time, ns};

pub const SCENARIOS: [Scenario; 3] = [
    Scenario {
        name: "tasks, one producer",
        what: "one thread creates 16 tasks a thread, of 1 µs each",
        play: producer,
    },
    Scenario { name: "tasks, tree", what: "tasks that create two each, 16 a thread, of 1 µs each", play: tree },
    Scenario { name: "tasks, chains", what: "a chain of 16 tasks a thread, of 1 µs each", play: chains },
];

const A_THREAD: u32 = 16;
const TIME: Time = ns(1000.0);

fn producer(machine: &Machine, nthreads: u32) -> Outcome {
    storm(machine, nthreads, A_THREAD * nthreads, Work { generations: 1, children: 0, time: TIME })
}

fn tree(machine: &Machine, nthreads: u32) -> Outcome {
    let generations = (A_THREAD * nthreads).ilog2();
    storm(machine, nthreads, 1, Work { generations, children: 2, time: TIME })
}

fn chains(machine: &Machine, nthreads: u32) -> Outcome {
    storm(machine, nthreads, nthreads, Work { generations: A_THREAD, children: 1, time: TIME })
}

/// The primary thread creates `count` tasks, and all threads execute tasks at the barrier.
fn storm(machine: &Machine, nthreads: u32, count: u32, work: Work) -> Outcome {
    play_rounds(machine, nthreads, PATIENCE, 2, move |team, member| {
        if member.tid == 0 {
            (0..count).for_each(|_| create(team, member, work));
        }
        team.gather_with(member, &AtBarrier { team, member });
    })
}
