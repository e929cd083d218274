//! A clang-built and a gcc-built library in one process must share one runtime: settings, threads, and constructs of
//! one inside regions of the other. The program and the library's source lie in `mixed/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::program;
use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::Runtime;

const LIMIT: Duration = Duration::from_secs(40);

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mixed")
}

fn build(name: &str, compiler: Compiler, shared: bool) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("mixed").join(name);
    let (include, cache) = (program::programs_folder(), cache());
    let libs = ["dl".to_owned()];
    let job = Job { compiler, source: &source, shared, flags: &[], libs: &libs, include: &include, cache: &cache };
    job.build().unwrap_or_else(|why| panic!("{why}")).display().to_string()
}

/// Runs the program, built by one compiler, with the libraries of both, in this order.
fn run_with(main: Compiler, libraries: [Compiler; 2]) {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    if matches!(runtime, Runtime::Stock) {
        eprintln!("skipped: the compilers' own runtimes do not share a process");
        return;
    }
    let mut command = Command::new(build("main.c", main, false));
    runtime.prepare(&mut command);
    command.args(libraries.map(|compiler| build("side.c", compiler, true)));
    let outcome = run::run(&mut command, LIMIT, &cache()).unwrap_or_else(|why| panic!("{why}"));
    let ended_well = matches!(outcome.ending, Ending::Exited(0));
    assert!(
        ended_well && outcome.stdout == "ok\n" && outcome.stderr.is_empty(),
        "{command:?} {}\n--- stdout\n{}--- stderr\n{}",
        outcome.ending.describe(LIMIT),
        outcome.stdout,
        outcome.stderr
    );
}

#[test]
fn clang_program_loads_gcc_library_first() {
    run_with(Compiler::Clang, [Compiler::Gcc, Compiler::Clang]);
}

#[test]
fn gcc_program_loads_clang_library_first() {
    run_with(Compiler::Gcc, [Compiler::Clang, Compiler::Gcc]);
}

#[test]
fn program_of_gcc_that_clang_has_linked_starts() {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    // The linker takes the names of libomp then, which has gcc's entry points under a version node of its own.
    let include = program::programs_folder();
    let (object, linked) = (cache().join("probe-by-gcc.o"), cache().join("probe-by-gcc-and-clang"));
    std::fs::create_dir_all(cache()).unwrap_or_else(|why| panic!("{}: {why}", cache().display()));
    let mut compile = Command::new("gcc");
    compile.args(["-O1", "-fopenmp", "-c", "-o"]).arg(&object).arg(include.join("probe.c"));
    let mut link = Command::new("clang-19");
    link.args(["-fopenmp", "-o"]).args([&linked, &object]);
    for mut command in [compile, link] {
        assert!(command.status().is_ok_and(|status| status.success()), "{command:?}");
    }
    let names = Command::new("nm").arg("-D").arg(&linked).output().unwrap_or_else(|why| panic!("nm: {why}"));
    assert!(String::from_utf8_lossy(&names.stdout).contains("GOMP_parallel@VERSION"), "it binds to other names");
    let mut command = Command::new(&linked);
    runtime.prepare(&mut command);
    let outcome = run::run(&mut command, LIMIT, &cache()).unwrap_or_else(|why| panic!("{why}"));
    assert!(matches!(outcome.ending, Ending::Exited(0)), "{}\n{}", outcome.ending.describe(LIMIT), outcome.stderr);
}
