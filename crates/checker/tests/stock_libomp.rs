//! The checker in programs that clang 19 compiles, under LLVM's own libomp, which breaks some of the
//! rules: those are found, and nothing else is.

use std::path::Path;
use std::process::{Command, Output};

const LOOPS: &str = "
#include <stdio.h>
int main(void) {
    int sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
        #pragma omp parallel num_threads(3)
        {
            #pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int i = 0; i < 10; ++i) sum += i;
            #pragma omp single
            sum += 1;
            #pragma omp barrier
            #pragma omp masked
            sum += 1;
            #pragma omp sections
            {
                #pragma omp section
                #pragma omp critical
                sum += 1;
                #pragma omp section
                #pragma omp critical
                sum += 1;
            }
        }
    }
    printf(\"sum %d\\n\", sum);
    return 0;
}
";

const TASKS: &str = "
#include <stdio.h>
int fib(int n) {
    int a, b;
    if (n < 2) return n;
    #pragma omp task shared(a)
    a = fib(n - 1);
    #pragma omp task shared(b)
    b = fib(n - 2);
    #pragma omp taskwait
    return a + b;
}
int main(void) {
    int result = 0;
    #pragma omp parallel num_threads(3)
    #pragma omp single
    result = fib(12);
    printf(\"fib %d\\n\", result);
    return 0;
}
";

/// What libomp 19 is known to break; docs/libomp-19.md says more of each.
const LOOPS_IGNORED: &str = "data-not-null,actual-parallelism,dispatch-overlap";
const TASKS_IGNORED: &str = "data-not-null,actual-parallelism";

/// Compiles a program and runs it under the checker.
fn check(name: &str, text: &str, ignore: &str) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("the test's folder is writable");
    let compiled = Command::new("clang-19")
        .args(["-fopenmp", "-fopenmp-version=51", "-o"])
        .arg(&program)
        .arg(&source)
        .status()
        .expect("this test needs clang-19 and libomp-19-dev");
    assert!(compiled.success());
    let test = std::env::current_exe().expect("a test knows its file");
    Command::new(&program)
        .env("OMP_TOOL_LIBRARIES", test.with_file_name("libferromp_checker.so"))
        .env("FERROMP_CHECKER_IGNORE", ignore)
        .env("FERROMP_CHECKER_STRICT", if ignore.is_empty() { "yes" } else { "no" })
        .output()
        .expect("the compiled program runs")
}

#[test]
fn loops_break_only_the_rules_that_libomp_is_known_to_break() {
    let output = check("loops", LOOPS, LOOPS_IGNORED);
    let lines = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{lines}");
    assert!(lines.ends_with(" events, 0 violations\n"), "{lines}");
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "sum 147\n");
}

#[test]
fn tasks_break_only_the_rules_that_libomp_is_known_to_break() {
    let output = check("tasks", TASKS, TASKS_IGNORED);
    let lines = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{lines}");
    assert!(lines.ends_with(" events, 0 violations\n"), "{lines}");
}

#[test]
fn tasks_run_inside_a_wait_are_found_and_the_program_ends_with_87() {
    let output = check("tasks_found", TASKS, "");
    let lines = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(87), "{lines}");
    assert!(lines.contains("ferromp-checker: violation: schedule-inside-wait: "), "{lines}");
    // What the program wrote is not lost.
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fib 144\n");
}

#[test]
fn the_report_goes_to_the_named_file() {
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.txt");
    // The file may be there from an earlier run.
    let _ = std::fs::remove_file(&report);
    check("named", TASKS, "");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let test = std::env::current_exe().expect("a test knows its file");
    let output = Command::new(folder.join("named"))
        .env("OMP_TOOL_LIBRARIES", test.with_file_name("libferromp_checker.so"))
        .env("FERROMP_CHECKER_OUT", &report)
        .output()
        .expect("the compiled program runs");
    assert_eq!(output.status.code(), Some(87));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let lines = std::fs::read_to_string(&report).expect("the report has been written");
    let findings = lines.lines().filter(|line| line.contains("violation: "));
    assert!(findings.count() <= 20, "{lines}");
    assert!(lines.lines().last().unwrap().ends_with(" violations"), "{lines}");
}
