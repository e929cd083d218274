//! The example tools of `ferromp-tool` on ferromp, in programs of both compilers. The crate's own tests run them under
//! LLVM's libomp.

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::tools::{Workshop, sources};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example as a tool's library. Not every test runner builds examples, so this does.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its file");
    let profile = test.parent().and_then(Path::parent).expect("tests lie in target/PROFILE/deps");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "ferromp-tool", "--example", name, "--target-dir"]);
    build.arg(profile.parent().expect("a profile's folder lies in the target folder"));
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let built = build.status().expect("cargo runs tests, so it is there");
    assert!(built.success(), "the example does not build");
    profile.join(format!("examples/lib{name}.so"))
}

/// The line of the program with the mark.
fn line(mark: &str) -> usize {
    let text = std::fs::read_to_string(sources().join("watched.c")).expect("the program lies there");
    text.lines().position(|line| line.contains(mark)).expect("the mark stands there") + 1
}

#[test]
fn the_printer_prints_every_event() {
    let (workshop, tool) = (Workshop::new(env!("CARGO_TARGET_TMPDIR")), example("printer"));
    for compiler in COMPILERS {
        let program = workshop.program("watched", compiler, &["-g"]);
        let text = workshop.command(&program).libraries(&[&tool]).finish().stdout;
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!(count("printer: ompt_callback_"), 37, "{text}");
        assert_eq!(count("thread_begin { thread_type: ompt_thread_initial"), 1, "{text}");
        assert_eq!(count("thread_begin { thread_type: ompt_thread_worker"), 2, "{text}");
        assert_eq!((count("parallel_begin {"), count("parallel_end {")), (6, 6), "{text}");
        assert_eq!(count("implicit_task { endpoint: ompt_scope_begin"), 1 + 5 * 2 + 3, "{text}");
        assert_eq!(count("implicit_task { endpoint: ompt_scope_end"), 1 + 5 * 2 + 3, "{text}");
        assert_eq!(count("task_create {"), 1, "{text}");
        assert_eq!(count("mutex_acquired { kind: ompt_mutex_critical"), 10, "{text}");
        assert_eq!(count("mutex_acquired { kind: ompt_mutex_lock"), 3, "{text}");
        assert_eq!((count("lock_init {"), count("lock_destroy {")), (1, 1), "{text}");
        assert_eq!(count("thread_end {"), 3, "{text}");
        assert_eq!(text.lines().last(), Some("printer: done"), "{text}");
    }
}

#[test]
fn the_profiler_names_each_region_by_file_and_line() {
    let (workshop, tool) = (Workshop::new(env!("CARGO_TARGET_TMPDIR")), example("profiler"));
    for compiler in COMPILERS {
        let program = workshop.program("watched", compiler, &["-g"]);
        let report = workshop.command(&program).libraries(&[&tool]).finish().stderr;
        let rows: Vec<Vec<&str>> = report.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), 2, "{report}");
        for (times, threads, mark) in [("5", "2", "// LONG"), ("1", "3", "// SHORT")] {
            let row = rows
                .iter()
                .find(|row| row[0] == times)
                .unwrap_or_else(|| panic!("no region ran {times} times: {report}"));
            assert_eq!(row[1], threads, "{report}");
            let (file, found) = row[4].rsplit_once(':').unwrap_or_else(|| panic!("no line: {report}"));
            assert!(file.ends_with("watched.c"), "{report}");
            // gcc lets the call in the loop stand at a line before the loop.
            assert!(found == line(mark).to_string() || compiler == Compiler::Gcc, "{report}");
        }
    }
}

#[test]
fn the_timeline_has_each_kernel_and_each_copy() {
    let (workshop, tool) = (Workshop::new(env!("CARGO_TARGET_TMPDIR")), example("timeline"));
    let program = workshop.program("dev_work", Compiler::Offload, &[]);
    let run = workshop.command(&program).args(&["2", "2"]).env("FERROMP_HOST_DEVICES", "2").libraries(&[&tool]);
    let report = run.finish().stderr;
    for device in ["0", "1"] {
        let rows: Vec<&str> = report.lines().filter(|line| line.split_whitespace().next() == Some(device)).collect();
        let count = |what: &str| rows.iter().filter(|line| line.contains(what)).count();
        assert_eq!((count("kernel, 1 teams"), count("kernel, 2 teams")), (2 * 3, 2), "{report}");
        assert_eq!((count("to 8000 bytes"), count("from 8000 bytes")), (2 * 4, 2 * 4), "{report}");
        assert!(rows.iter().all(|line| line.matches('|').count() == 2 && line.contains('#')), "{report}");
        let begins = rows.iter().filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        assert!(begins.clone().count() == rows.len() && begins.is_sorted(), "{report}");
    }
}

#[test]
fn the_watcher_finds_the_lock_that_threads_wait_for() {
    let (workshop, tool) = (Workshop::new(env!("CARGO_TARGET_TMPDIR")), example("locks"));
    for compiler in COMPILERS {
        let program = workshop.program("watched", compiler, &["-g"]);
        let report = workshop.command(&program).libraries(&[&tool]).finish().stderr;
        let rows: Vec<&str> = report.lines().skip(1).collect();
        let taken = |kind: &str| {
            let row = rows.iter().find(|row| row.contains(kind)).unwrap_or_else(|| panic!("no {kind}: {report}"));
            row.split_whitespace().next().expect("a row has words").to_owned()
        };
        assert_eq!(rows.len(), 2, "{report}");
        assert_eq!((taken("ompt_mutex_lock").as_str(), taken("ompt_mutex_critical").as_str()), ("3", "10"), "{report}");
    }
}
