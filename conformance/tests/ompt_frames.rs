//! Stacks are split by the frame objects of tasks as a sampling profiler splits them (OpenMP 5.1, section 4.4.4.28): a
//! tool unwinds in signal handlers and in its callbacks, and each frame of the runtime lies outside of all tasks, each
//! frame of the program in the task that it belongs to. The program and the tool lie in `tools/`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::tools::Workshop;

/// What the tool found: the shape of each place where the program looked, and the other lines.
struct Found {
    shapes: BTreeMap<String, String>,
    report: Vec<String>,
}

fn run(compiler: Compiler, option: &str, rate: u32) -> Found {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let program = workshop.program("ev_frames", compiler, &[option]);
    let tool = workshop.tool("frames", &[]);
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let out = workshop.scratch.join(format!("frames-{}-{number}.txt", std::process::id()));
    workshop.command(&program).env("SAMPLING_OUT", &out).env("SAMPLING_HZ", rate.to_string()).preload(&tool).finish();
    let text = std::fs::read_to_string(&out).unwrap_or_else(|why| panic!("{}: {why}", out.display()));
    std::fs::remove_file(&out).unwrap_or_else(|why| panic!("{}: {why}", out.display()));
    let mut found = Found { shapes: BTreeMap::new(), report: Vec::new() };
    for line in text.lines() {
        match line.strip_prefix("shape ").and_then(|line| line.split_once(' ')) {
            Some((name, shape)) => drop(found.shapes.insert(name.to_owned(), shape.to_owned())),
            None => found.report.push(line.to_owned()),
        }
    }
    assert!(text.contains("samples "), "the tool was finalised: {text}");
    found
}

impl Found {
    /// Nothing was found in a wrong place.
    fn assert_no_fault(&self, what: &str) {
        let faults: Vec<&String> = self.report.iter().filter(|line| line.starts_with("fault")).collect();
        assert!(faults.is_empty(), "{what}: {faults:#?}");
    }

    /// The shapes of these places are these, from the innermost frame out.
    fn assert_shapes(&self, compiler: Compiler, shapes: &[(&str, &str)]) {
        for (name, wanted) in shapes {
            let came = self.shapes.get(*name).map(String::as_str);
            assert_eq!(came, Some(*wanted), "{name}, {}: {:#?}", compiler.name(), self.shapes);
        }
    }
}

/// Runs without optimisation, where every function has its frame.
fn shapes(compiler: Compiler, wanted: &[(&str, &str)]) {
    let found = run(compiler, "-O0", 0);
    found.assert_no_fault(compiler.name());
    found.assert_shapes(compiler, wanted);
}

#[test]
fn outside_of_regions_all_frames_are_the_initial_tasks() {
    for compiler in COMPILERS {
        shapes(compiler, &[("before", "0"), ("outside", "0"), ("outside_again", "0")]);
    }
}

#[test]
fn frames_of_nested_regions_lie_between_those_of_the_runtime() {
    for compiler in COMPILERS {
        let wanted = [
            ("region", "0-1"),
            ("region_again", "0-1"),
            ("nested", "0-1-2"),
            // A worker's stack begins in the runtime; the tasks around its own are on other stacks.
            ("region_worker", "0-"),
            ("nested_worker", "0-"),
        ];
        shapes(compiler, &wanted);
    }
}

#[test]
fn tasks_lie_on_the_tasks_that_wait() {
    for compiler in COMPILERS {
        let wanted = [
            ("task_in_taskwait", "0-1-2"),
            ("task_in_barrier", "0-1-2"),
            ("task_in_taskgroup", "0-1-2"),
            ("task_in_task", "0-1-2-3"),
            ("taskloop", "0-1-2"),
            ("region_in_task", "0-1-2-3"),
            ("merged", "0-1-2-3"),
            // The code of the implicit task has returned.
            ("task_at_the_end", "0-2"),
        ];
        shapes(compiler, &wanted);
    }
}

#[test]
fn code_that_the_program_calls_itself_lies_on_the_task_outside() {
    // clang's code calls what `if(0)` applies to itself, gcc's has the runtime do so.
    shapes(Compiler::Clang, &[("serialised", "01-2-3"), ("undeferred", "01-2"), ("undeferred_in_undeferred", "012-3")]);
    shapes(
        Compiler::Gcc,
        &[("serialised", "0-1-2-3"), ("undeferred", "0-1-2"), ("undeferred_in_undeferred", "0-1-2-3")],
    );
    // The function that called the runtime belongs to the task outside, what it calls then to the implicit task.
    let old = [("run_by_program", "01"), ("run_by_program_outside", "01"), ("run_by_program_worker", "0-")];
    shapes(Compiler::Gcc, &old);
}

#[test]
fn teams_and_target_regions_have_frames_of_their_own() {
    for compiler in COMPILERS {
        shapes(compiler, &[("team", "0-1"), ("region_in_team", "0-1-2")]);
    }
    // Between the region's initial task and the program lies the target task, which has no code of the program's.
    shapes(Compiler::Gcc, &[("target", "0-2")]);
}

#[test]
fn stacks_of_optimised_programs_are_split_in_callbacks_and_wherever_a_signal_comes() {
    for compiler in COMPILERS {
        for option in ["-O0", "-O2"] {
            let found = run(compiler, option, 10_000);
            found.assert_no_fault(&format!("{} {option}", compiler.name()));
            assert!(found.shapes.len() >= 20, "{:?}", found.shapes);
        }
    }
}
