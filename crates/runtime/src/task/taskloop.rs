//! The taskloop construct (OpenMP 5.1 §2.12.2): how many tasks, how many iterations each.

use super::{Task, create, wait};
use crate::abi::Call;
use crate::ompt;
use crate::thread::Thread;

/// What decides the number of tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The runtime chooses.
    Any,
    /// `grainsize`: about so many iterations a task, at least so many, fewer than twice.
    Grainsize(u64),
    /// `grainsize(strict: …)`: exactly so many, but for the last task.
    StrictGrainsize(u64),
    /// `num_tasks`: so many tasks, or one an iteration if that is less.
    Tasks(u64),
}

/// A taskloop construct.
#[derive(Clone, Copy, Debug)]
pub struct Taskloop {
    pub iterations: u64,
    pub count: Count,
    /// Whether the construct waits for its tasks and their descendants.
    pub group: bool,
}

/// Tasks for each thread of the team, where the runtime chooses: enough to even out, few enough to
/// cost little.
const TASKS_A_THREAD: u64 = 10;

/// A division of iterations: the first `longer` tasks have one more than `each`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Division {
    tasks: u64,
    each: u64,
    longer: u64,
}

impl Count {
    fn divide(self, iterations: u64, nthreads: u32) -> Division {
        let tasks = match self {
            Count::StrictGrainsize(grain) => {
                let grain = grain.clamp(1, iterations);
                return Division { tasks: iterations.div_ceil(grain), each: grain, longer: 0 };
            }
            Count::Any => u64::from(nthreads) * TASKS_A_THREAD,
            Count::Grainsize(grain) => iterations / grain.max(1),
            Count::Tasks(tasks) => tasks,
        };
        let tasks = tasks.clamp(1, iterations);
        Division { tasks, each: iterations / tasks, longer: iterations % tasks }
    }
}

/// Executes a taskloop construct. `make(first, count, last)` makes the task, not yet launched, for
/// `count` iterations from number `first`; `last` says that the last iteration is among them.
pub fn taskloop(thread: &'static Thread, taskloop: Taskloop, call: Call, mut make: impl FnMut(u64, u64, bool) -> &'static Task) {
    let iterations = taskloop.iterations;
    ompt::taskloop_begin(thread, iterations, call.codeptr());
    if taskloop.group {
        wait::taskgroup_begin(thread, call);
    }
    if iterations > 0 {
        let division = taskloop.count.divide(iterations, thread.member().team().nthreads());
        let mut first = 0;
        for number in 0..division.tasks {
            let count = (division.each + u64::from(number < division.longer)).min(iterations - first);
            let last = number + 1 == division.tasks;
            create::launch(thread, make(first, count, last), &[], call);
            first += count;
        }
    }
    if taskloop.group {
        wait::taskgroup_end(thread, call);
    }
    ompt::taskloop_end(thread, iterations, call.codeptr());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn division(count: Count, iterations: u64) -> (u64, u64, u64) {
        let division = count.divide(iterations, 2);
        (division.tasks, division.each, division.longer)
    }

    #[test]
    fn the_runtime_chooses_by_threads() {
        assert_eq!(division(Count::Any, 1000), (20, 50, 0));
        assert_eq!(division(Count::Any, 7), (7, 1, 0));
    }

    #[test]
    fn grains_are_at_least_as_asked() {
        assert_eq!(division(Count::Grainsize(10), 25), (2, 12, 1));
        assert_eq!(division(Count::Grainsize(10), 9), (1, 9, 0));
        assert_eq!(division(Count::Grainsize(0), 3), (3, 1, 0));
    }

    #[test]
    fn strict_grains_leave_a_rest() {
        assert_eq!(division(Count::StrictGrainsize(10), 25), (3, 10, 0));
        assert_eq!(division(Count::StrictGrainsize(10), 9), (1, 9, 0));
    }

    #[test]
    fn tasks_are_no_more_than_iterations() {
        assert_eq!(division(Count::Tasks(4), 10), (4, 2, 2));
        assert_eq!(division(Count::Tasks(40), 10), (10, 1, 0));
        assert_eq!(division(Count::Tasks(0), 10), (1, 10, 0));
    }
}
