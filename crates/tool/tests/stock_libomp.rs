//! The example tools in programs that clang 19 compiles, under LLVM's own libomp.

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

/// Compiles `source` with line numbers and runs it under the example; answers stdout and stderr.
fn run(name: &str, source: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, source).expect("the test's folder is writable");
    let compiled = Command::new("clang-19").args(["-g", "-fopenmp", "-o"]).arg(&program).arg(&file).status();
    let compiled = compiled.expect("this test needs clang-19 and libomp-19-dev");
    assert!(compiled.success());
    let output =
        Command::new(&program).env("OMP_TOOL_LIBRARIES", example(name)).output().expect("the compiled program runs");
    assert!(output.status.success(), "{output:?}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_printer_prints_every_event() {
    let (text, _) = run(
        "printer",
        "#include <stdio.h>
         int main(void) {
             int sum = 0;
             #pragma omp parallel num_threads(3) reduction(+ : sum)
             sum += 1;
             #pragma omp task
             sum += 1;
             #pragma omp critical
             printf(\"sum %d\\n\", sum);
             return 0;
         }",
    );
    let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("sum 3"), 1, "{text}");
    assert_eq!(count("printer: ompt_callback_"), 37, "{text}");
    assert_eq!(count("ompt_callback_thread_begin: ompt_set_always"), 1, "{text}");
    assert_eq!(count("thread_begin { thread_type: ompt_thread_initial"), 1, "{text}");
    assert_eq!(count("thread_begin { thread_type: ompt_thread_worker"), 2, "{text}");
    assert_eq!(count("parallel_begin { encountering_task_data: Some(Slot("), 1, "{text}");
    assert_eq!(count("parallel_end {"), 1, "{text}");
    assert_eq!(count("implicit_task { endpoint: ompt_scope_begin"), 4, "{text}");
    assert_eq!(count("task_create {"), 1, "{text}");
    assert_eq!(count("mutex_acquired { kind: ompt_mutex_critical"), 1, "{text}");
    assert_eq!(count("printer: done"), 1, "{text}");
}

#[test]
fn the_profiler_names_each_region_by_file_and_line() {
    let (_, report) = run(
        "profiler",
        "#include <unistd.h>
         int main(void) {
             for (int i = 0; i < 5; i++) {
                 #pragma omp parallel num_threads(2)
                 usleep(2000);
             }
             #pragma omp parallel num_threads(3)
             usleep(100);
             return 0;
         }",
    );
    let rows: Vec<Vec<&str>> = report.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 2, "{report}");
    assert_eq!(rows[0][..2], ["5", "2"], "{report}");
    assert!(rows[0][4].ends_with("profiler.c:4"), "{report}");
    assert_eq!(rows[1][..2], ["1", "3"], "{report}");
    assert!(rows[1][4].ends_with("profiler.c:7"), "{report}");
}

#[test]
fn the_watcher_finds_the_lock_that_threads_wait_for() {
    let (_, report) = run(
        "locks",
        "#include <omp.h>
         #include <unistd.h>
         int main(void) {
             omp_lock_t lock;
             omp_init_lock(&lock);
             #pragma omp parallel num_threads(3)
             {
                 for (int i = 0; i < 100; i++) {
                     #pragma omp critical(quick)
                     __asm__ volatile(\"\" ::: \"memory\");
                 }
                 #pragma omp barrier
                 omp_set_lock(&lock);
                 usleep(20000);
                 omp_unset_lock(&lock);
             }
             omp_destroy_lock(&lock);
             return 0;
         }",
    );
    let rows: Vec<&str> = report.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{report}");
    let row = |name: &str| *rows.iter().find(|row| row.contains(name)).unwrap_or_else(|| panic!("no {name}: {report}"));
    let words: Vec<&str> = row("ompt_mutex_lock 0x").split_whitespace().collect();
    assert_eq!(words[0], "3", "{report}");
    assert!(
        words[1].ends_with("ms") && words[1].trim_end_matches("ms").parse::<f64>().is_ok_and(|ms| ms >= 55.0),
        "{report}"
    );
    // On a busy machine, this lock may have had the longer wait.
    assert!(row("ompt_mutex_critical 0x").trim_start().starts_with("300 "), "{report}");
}
