//! A tool that calls `exit` from inside one of its callbacks, on whichever thread: the process ends with that status,
//! at once, and the tool is finalised once at most.

use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::tools::Workshop;
use std::time::{Duration, Instant};

/// Events and their occurrences, on the primary thread and on workers; of each, one that the program comes to at the
/// least.
const PLACES: [&str; 23] = [
    "initialize:1",
    "thread_begin:1",
    "thread_begin:2",
    "thread_end:1",
    "thread_end:2",
    "parallel_begin:1",
    "parallel_end:1",
    "implicit_begin:1",
    "implicit_begin:3",
    "implicit_end:1",
    "implicit_end:3",
    "task_create:1",
    "task_schedule:1",
    "task_schedule:4",
    "sync_begin:2",
    "sync_end:3",
    "sync_end:5",
    "work:1",
    "dependences:2",
    "task_dependence:1",
    "task_dependence:3",
    "dispatch:2",
    "cancel:1",
];

#[test]
fn exit_from_any_callback_ends_the_process() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("exits", &[]);
    for compiler in COMPILERS {
        let program = workshop.program("exit_program", compiler, &[]);
        for place in PLACES {
            for threads in ["2", "4"] {
                let run = workshop
                    .command(&program)
                    .env("EXIT_AT", place)
                    .env("OMP_NUM_THREADS", threads)
                    .env("OMP_CANCELLATION", "true");
                let begun = Instant::now();
                let outcome = run.libraries(&[&tool]).finish_with(17);
                let finalized = outcome.stderr.lines().filter(|line| *line == "finalized").count();
                assert!(outcome.stderr.contains("exits\n") && finalized <= 1, "{place}: {}", outcome.stderr);
                assert!(begun.elapsed() < Duration::from_secs(20), "{place} took {:?}", begun.elapsed());
            }
        }
    }
}
