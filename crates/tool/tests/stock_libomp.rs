//! The example tool in a program that clang 19 compiles, under LLVM's own libomp.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "
#include <stdio.h>
int main(void) {
    int sum = 0;
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += 1;
    printf(\"sum %d\\n\", sum);
    return 0;
}
";

/// The example as a tool's library. Not every test runner builds examples, so this does.
fn printer() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its file");
    let profile = test.parent().and_then(Path::parent).expect("tests lie in target/PROFILE/deps");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "ferromp-tool", "--example", "printer", "--target-dir"]);
    build.arg(profile.parent().expect("a profile's folder lies in the target folder"));
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let built = build.status().expect("cargo runs tests, so it is there");
    assert!(built.success(), "the example does not build");
    profile.join("examples/libprinter.so")
}

#[test]
fn the_printer_prints_each_thread_and_region() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("printed.c"), folder.join("printed"));
    std::fs::write(&source, PROGRAM).expect("the test's folder is writable");
    let compiled = Command::new("clang-19").arg("-fopenmp").arg("-o").arg(&program).arg(&source).status();
    let compiled = compiled.expect("this test needs clang-19 and libomp-19-dev");
    assert!(compiled.success());

    let printer = printer();
    let output = Command::new(&program).env("OMP_TOOL_LIBRARIES", &printer).output().expect("the compiled program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("sum 3"), 1, "{text}");
    assert_eq!(count("ompt_callback_thread_begin: ompt_set_always"), 1, "{text}");
    assert_eq!(count("begins, ompt_thread_initial"), 1, "{text}");
    assert_eq!(count("begins, ompt_thread_worker"), 2, "{text}");
    assert_eq!(count("parallel begins at 0x"), 1, "{text}");
    assert_eq!(count("parallel ends at 0x"), 1, "{text}");
    assert_eq!(count("of 3, ompt_scope_begin"), 3, "{text}");
    assert_eq!(count("printer: done"), 1, "{text}");
}
