//! Tasks as other runtimes have them, in code of our own from a description of their shapes: which thread takes which
//! lock, and who looks at which line. `libomp_tasks.rs` and `libgomp_tasks.rs` have the shapes.

use super::libgomp_tasks::Libgomp;
use super::libomp_tasks::Libomp;
use super::peer_runtime::Tasks;
use super::tasks::{Tree, chains_of, producer_of, tree_of};
use crate::scenario::Scenario;
use crate::team::play_rounds;
use crate::waiting::Patience;
use ferromp_simulator::{Machine, Outcome};

pub const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "libomp tasks, one producer",
        what: "as tasks, one producer, with libomp's queues",
        play: |m, n| play(m, n, Libomp::new(n), producer_of(n)),
    },
    Scenario {
        name: "libomp tasks, tree",
        what: "as tasks, tree, with libomp's queues",
        play: |m, n| play(m, n, Libomp::new(n), tree_of(n)),
    },
    Scenario {
        name: "libomp tasks, chains",
        what: "as tasks, chains, with libomp's queues",
        play: |m, n| play(m, n, Libomp::new(n), chains_of(n)),
    },
    Scenario {
        name: "libgomp tasks, one producer",
        what: "as tasks, one producer, with libgomp's queue",
        play: |m, n| play(m, n, Libgomp::default(), producer_of(n)),
    },
    Scenario {
        name: "libgomp tasks, tree",
        what: "as tasks, tree, with libgomp's queue",
        play: |m, n| play(m, n, Libgomp::default(), tree_of(n)),
    },
    Scenario {
        name: "libgomp tasks, chains",
        what: "as tasks, chains, with libgomp's queue",
        play: |m, n| play(m, n, Libgomp::default(), chains_of(n)),
    },
];

fn play<T: Tasks + 'static>(machine: &Machine, nthreads: u32, tasks: T, tree: Tree) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, T::ROUNDS, move |team, member| {
        if member.tid == 0 {
            (0..tree.count).for_each(|_| tasks.create(team, member, tree.work));
        }
        team.gather(member);
        tasks.finish(team, member);
        team.gather(member);
    })
}
