//! Random environments around a small program: whatever the variables hold, it runs to its end with the right result,
//! and nothing but the runtime's lines on what it could not use stands on stderr.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::program;
use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::Runtime;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const LIMIT: Duration = Duration::from_secs(40);

/// Variables that the runtime reads, but for those that ask for output or name a file to write to.
const NAMES: &[&str] = &[
    "GOMP_CPU_AFFINITY",
    "GOMP_SPINCOUNT",
    "GOMP_STACKSIZE",
    "KMP_AFFINITY",
    "KMP_ALL_THREADS",
    "KMP_BLOCKTIME",
    "KMP_DETERMINISTIC_REDUCTION",
    "KMP_DEVICE_THREAD_LIMIT",
    "KMP_DISP_NUM_BUFFERS",
    "KMP_ENABLE_TASK_THROTTLING",
    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE",
    "KMP_FORCE_REDUCTION",
    "KMP_HOT_TEAMS_MAX_LEVEL",
    "KMP_HOT_TEAMS_MODE",
    "KMP_HW_SUBSET",
    "KMP_LIBRARY",
    "KMP_STACKSIZE",
    "KMP_TASKING",
    "KMP_WARNINGS",
    "OMP_AFFINITY_FORMAT",
    "OMP_ALLOCATOR",
    "OMP_AVAILABLE_DEVICES",
    "OMP_CANCELLATION",
    "OMP_DEBUG",
    "OMP_DEFAULT_DEVICE",
    "OMP_DYNAMIC",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_MAX_TASK_PRIORITY",
    "OMP_NESTED",
    "OMP_NUM_TEAMS",
    "OMP_NUM_THREADS",
    "OMP_NUM_THREADS_ALL",
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_SCHEDULE",
    "OMP_SCHEDULE_DEV_0",
    "OMP_STACKSIZE",
    "OMP_TARGET_OFFLOAD",
    "OMP_TEAMS_THREAD_LIMIT",
    "OMP_THREAD_LIMIT",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "FERROMP_HOST_DEVICES",
    "FERROMP_TOOLS",
    "OMP_WAIT_POLICY",
];

/// Pieces of which values are made, so that many of them are valid or nearly so.
const PIECES: &[&str] = &[
    "true",
    "false",
    "1",
    "0",
    "2",
    "4",
    "17",
    "-1",
    "4096",
    "18446744073709551616",
    "k",
    "M",
    "T",
    "us",
    "infinite",
    "static",
    "dynamic",
    "guided",
    "auto",
    "monotonic:",
    "active",
    "passive",
    "close",
    "spread",
    "primary",
    "threads",
    "cores",
    "sockets",
    "ll_caches",
    "compact",
    "scatter",
    "disabled",
    "enabled",
    "serial",
    "throughput",
    "tree",
    "atomic",
    "omp_low_lat_mem_alloc",
    "omp_default_mem_space:alignment=16",
    ":",
    ",",
    ";",
    "=",
    "{",
    "}",
    "(",
    ")",
    "[",
    "!",
    "-",
    " ",
    "\n",
    "%A",
    "1c,1t",
    "é",
];

fn value() -> impl Strategy<Value = OsString> {
    let made =
        prop::collection::vec(prop::sample::select(PIECES), 1..6).prop_map(|pieces| OsString::from(pieces.concat()));
    // An environment cannot hold zero bytes.
    let bytes = prop::collection::vec(1..=255u8, 0..20).prop_map(OsString::from_vec);
    prop_oneof![8 => made, 1 => bytes]
}

fn environment() -> impl Strategy<Value = Vec<(&'static str, OsString)>> {
    prop::collection::vec((prop::sample::select(NAMES), value()), 1..6)
}

#[test]
fn programs_survive_any_environment() {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    if matches!(runtime, Runtime::Stock) {
        eprintln!("skipped: other runtimes end programs for some values");
        return;
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("environment/tiny.c");
    let include = program::programs_folder();
    let build = |compiler| {
        let job =
            Job { compiler, source: &source, shared: false, flags: &[], libs: &[], include: &include, cache: &scratch };
        job.build().unwrap_or_else(|why| panic!("{why}"))
    };
    let programs = vec![build(Compiler::Clang), build(Compiler::Gcc)];
    let default = ProptestConfig::default();
    let config =
        ProptestConfig { cases: default.cases.max(300), failure_persistence: None, max_shrink_iters: 100, ..default };
    let outcome =
        TestRunner::new(config).run(&(environment(), prop::sample::select(programs)), |(variables, program)| {
            let mut command = Command::new(&program);
            runtime.prepare(&mut command);
            command.envs(variables.iter().map(|(name, value)| (name, value)));
            let outcome = run::run(&mut command, LIMIT, &scratch).map_err(TestCaseError::fail)?;
            let ended = outcome.ending.describe(LIMIT);
            prop_assert!(matches!(outcome.ending, Ending::Exited(0)), "{ended}\n{}", outcome.stderr);
            prop_assert_eq!(outcome.stdout, "ok\n");
            for line in outcome.stderr.lines() {
                prop_assert!(line.starts_with("ferromp: "), "{line:?}");
            }
            let silent = variables.iter().any(|(name, value)| *name == "KMP_WARNINGS" && value.as_bytes() == b"false");
            prop_assert!(!silent || outcome.stderr.is_empty(), "{}", outcome.stderr);
            Ok(())
        });
    if let Err(why) = outcome {
        panic!("{why}");
    }
}
