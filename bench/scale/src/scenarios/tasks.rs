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

/// The tasks that the primary thread creates: `count` of them, each with its descendants.
#[derive(Clone, Copy)]
pub struct Tree {
    pub count: u32,
    pub work: Work,
}

pub fn producer_of(nthreads: u32) -> Tree {
    Tree { count: A_THREAD * nthreads, work: Work { generations: 1, children: 0, time: TIME } }
}

pub fn tree_of(nthreads: u32) -> Tree {
    let generations = (A_THREAD * nthreads).ilog2();
    Tree { count: 1, work: Work { generations, children: 2, time: TIME } }
}

pub fn chains_of(nthreads: u32) -> Tree {
    Tree { count: nthreads, work: Work { generations: A_THREAD, children: 1, time: TIME } }
}

fn producer(machine: &Machine, nthreads: u32) -> Outcome {
    storm(machine, nthreads, producer_of(nthreads))
}

fn tree(machine: &Machine, nthreads: u32) -> Outcome {
    storm(machine, nthreads, tree_of(nthreads))
}

fn chains(machine: &Machine, nthreads: u32) -> Outcome {
    storm(machine, nthreads, chains_of(nthreads))
}

/// The primary thread creates tasks, and all threads execute tasks at the barrier.
fn storm(machine: &Machine, nthreads: u32, Tree { count, work }: Tree) -> Outcome {
    play_rounds(machine, nthreads, PATIENCE, 10, move |team, member| {
        if member.tid == 0 {
            member.tasks.implicit.generated.forget();
            (0..count).for_each(|_| create(team, member, work));
        }
        team.gather_with(member, &AtBarrier { team, member });
    })
}
