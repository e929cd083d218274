//! ferromp in a process in which another OpenMP runtime is at work: a library that is bound to a copy of libgomp,
//! libomp or libiomp5 under a name of its own, as Python packages bring them. Neither runtime aborts or hangs,
//! whichever comes first. And ferromp in a process that loads it late. The sources lie in `beside/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::program;
use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::Runtime;

const LIMIT: Duration = Duration::from_secs(60);

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside")
}

fn build(name: &str, compiler: Compiler, shared: bool, flags: &[String]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("beside").join(name);
    let (include, cache) = (program::programs_folder(), cache());
    let libs = ["dl".to_owned(), "pthread".to_owned()];
    let job = Job { compiler, source: &source, shared, flags, libs: &libs, include: &include, cache: &cache };
    job.build().unwrap_or_else(|why| panic!("{why}"))
}

/// Another runtime: the compiler whose programs it serves, the name that they ask for, and where it lies.
struct Other {
    compiler: Compiler,
    name: &'static str,
    path: PathBuf,
}

fn libgomp() -> Other {
    let path = file_of("gcc", "libgomp.so.1");
    Other { compiler: Compiler::Gcc, name: "libgomp.so.1", path }
}

fn libomp() -> Other {
    Other { compiler: Compiler::Clang, name: "libomp.so.5", path: file_of("clang-19", "libomp.so.5") }
}

/// Intel's build of the same runtime, from the Python environment of the tests.
fn libiomp5() -> Other {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python").join("bin/python");
    let python = std::env::var_os("FERROMP_TEST_PYTHON").map_or(beside, PathBuf::from);
    let home = python.parent().and_then(Path::parent).expect("an interpreter lies in bin");
    let path = home.join("lib/libiomp5.so");
    assert!(path.exists(), "{} is missing: run `cargo xtask setup` first", path.display());
    Other { compiler: Compiler::Clang, name: "libomp.so.5", path }
}

/// Where a compiler finds a library of its own.
fn file_of(compiler: &str, name: &str) -> PathBuf {
    let output = Command::new(compiler).arg(format!("-print-file-name={name}")).output();
    let output = output.unwrap_or_else(|why| panic!("{compiler}: {why}"));
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    // gcc does not look where clang's libraries lie.
    if path.exists() { path } else { Path::new("/usr/lib/llvm-19/lib").join(name) }
}

/// Copies a file, with the runtime's name in it changed to another one of the same length.
fn copy_renamed(from: &Path, to: &Path, name: &str) {
    let mut bytes = std::fs::read(from).unwrap_or_else(|why| panic!("{}: {why}", from.display()));
    let wanted = name.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(wanted.len()).position(|window| window == wanted) {
        at += found;
        bytes[at..at + wanted.len()].copy_from_slice(private(name).as_bytes());
    }
    std::fs::write(to, bytes).unwrap_or_else(|why| panic!("{}: {why}", to.display()));
}

/// The name of a private copy.
fn private(name: &str) -> String {
    name.replacen("omp", "opm", 1)
}

fn ferromp() -> Option<(Runtime, PathBuf)> {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    match &runtime {
        Runtime::Ferromp { lib, .. } => Some((runtime.clone(), lib.clone())),
        Runtime::Stock => {
            eprintln!("skipped: the test is about ferromp beside others");
            None
        }
    }
}

/// Runs the program with a library on ferromp and one on a private copy of `other`. With `preloaded`, ferromp takes the
/// place of both.
fn run_beside(other: &Other, ours: Compiler, mode: &str, order: &str, preloaded: bool) {
    let Some((runtime, lib)) = ferromp() else { return };
    // Tests run side by side: a folder each.
    let file = other.path.file_name().expect("a library is a file").display();
    let folder = cache().join(format!("{file}-{}-{mode}-{order}-{preloaded}", ours.name()));
    std::fs::create_dir_all(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    copy_renamed(&other.path, &folder.join(private(other.name)), other.name);
    let theirs = folder.join("theirs.so");
    copy_renamed(&build("side.c", other.compiler, true, &[]), &theirs, other.name);
    let main = build("main.c", Compiler::Gcc, false, &["-fno-openmp".to_owned()]);

    let mut command = Command::new(main);
    runtime.prepare(&mut command);
    if !preloaded {
        command.env_remove("LD_PRELOAD");
    }
    command.env("LD_LIBRARY_PATH", format!("{}:{}", lib.display(), folder.display()));
    // Where one runtime serves both libraries, the regions of one inside those of the other are nested ones.
    command.env("OMP_MAX_ACTIVE_LEVELS", "2");
    command.arg(mode).arg(build("side.c", ours, true, &[])).arg(order).arg(&theirs);
    expect_ok(&mut command);
}

fn expect_ok(command: &mut Command) {
    let outcome = run::run(command, LIMIT, &cache()).unwrap_or_else(|why| panic!("{why}"));
    assert!(
        matches!(outcome.ending, Ending::Exited(0)) && outcome.stdout == "ok\n" && outcome.stderr.is_empty(),
        "{command:?} {}\n--- stdout\n{}--- stderr\n{}",
        outcome.ending.describe(LIMIT),
        outcome.stdout,
        outcome.stderr
    );
}

#[test]
fn beside_libgomp_in_any_order() {
    for order in ["first", "second"] {
        for mode in ["local", "global"] {
            run_beside(&libgomp(), Compiler::Clang, mode, order, false);
        }
        run_beside(&libgomp(), Compiler::Gcc, "local", order, false);
    }
}

#[test]
fn beside_libomp_in_any_order() {
    for order in ["first", "second"] {
        for mode in ["local", "global"] {
            run_beside(&libomp(), Compiler::Clang, mode, order, false);
        }
        run_beside(&libomp(), Compiler::Gcc, "local", order, false);
    }
}

#[test]
fn beside_libiomp5_in_any_order() {
    for order in ["first", "second"] {
        for mode in ["local", "global"] {
            run_beside(&libiomp5(), Compiler::Clang, mode, order, false);
        }
        run_beside(&libiomp5(), Compiler::Gcc, "local", order, false);
    }
}

#[test]
fn preloaded_before_private_copies_of_others() {
    run_beside(&libgomp(), Compiler::Gcc, "local", "second", true);
    run_beside(&libomp(), Compiler::Clang, "local", "second", true);
}

#[test]
fn loaded_late_and_closed_by_a_program_without_openmp() {
    let Some((runtime, lib)) = ferromp() else { return };
    let mut command = Command::new(build("late.c", Compiler::Gcc, false, &["-fno-openmp".to_owned()]));
    runtime.prepare(&mut command);
    command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH").arg(lib.join("libferromp.so"));
    expect_ok(&mut command);
}
