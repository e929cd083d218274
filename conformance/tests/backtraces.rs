//! A debugger sees the whole stack wherever it stops: at every instruction of the naked entry points and of the
//! trampolines, in outlined functions and tasks, and in workers that sleep. The program and gdb's script lie in
//! `debug/`.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::run;
use ferromp_conformance::runtime::Runtime;

/// gdb takes a while for some hundred stops on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);
/// Naked functions that the program does not call by name. They lie in the module of the processor's architecture.
const TRAMPOLINES: [&str; 2] = ["call_outlined", "call_microtask"];
/// Functions of the program to stop in.
const FUNCTIONS: &str = "in_region in_task";

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("backtraces")
}

/// What a command prints.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Offset, size and name of what is to be stopped in: the entry points that the program imports, with their forms for
/// tools, and the trampolines.
fn places(program: &Path, library: &Path) -> String {
    let undefined = output(Command::new("nm").args(["-D", "--undefined-only", "--format=posix"]).arg(program));
    let imported: HashSet<&str> = undefined
        .lines()
        .filter_map(|line| line.split([' ', '@']).next())
        .filter(|name| !name.starts_with("__libc"))
        .collect();
    let symbols = output(Command::new("nm").args(["--defined-only", "--print-size", "--demangle"]).arg(library));
    let mut places = String::new();
    let mut seen = HashSet::new();
    for line in symbols.lines() {
        let mut words = line.splitn(4, ' ');
        let (Some(offset), Some(size), Some(kind), Some(name)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        let name = name.split('@').next().unwrap_or(name);
        let entry_point = name.strip_suffix("::for_tools").and_then(|path| path.rsplit("::").next()).unwrap_or(name);
        let of_arch = name.strip_prefix("ferromp_ground::arch::").and_then(|path| path.rsplit("::").next());
        let wanted = imported.contains(entry_point) || of_arch.is_some_and(|name| TRAMPOLINES.contains(&name));
        if "tT".contains(kind) && wanted && seen.insert(offset.to_owned()) {
            // Entry points that are no naked functions are long, and compiled like everything else: their beginning
            // will do.
            let size = u64::from_str_radix(size, 16).unwrap_or(0).min(96);
            writeln!(places, "{offset} {size:x} {name}").unwrap_or_default();
        }
    }
    for trampoline in TRAMPOLINES {
        assert!(places.contains(&format!("::{trampoline}\n")), "the library has no symbol for {trampoline}");
    }
    places
}

/// Runs the program of one compiler under gdb.
fn whole_everywhere(compiler: Compiler) {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    let Runtime::Ferromp { lib, .. } = &runtime else {
        eprintln!("skipped: the test is about ferromp's stacks");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("debug");
    let (source, cache) = (folder.join("paths.c"), cache());
    let job = Job { compiler, source: &source, shared: false, flags: &[], libs: &[], include: &folder, cache: &cache };
    let program = job.build().unwrap_or_else(|why| panic!("{why}"));
    let library = lib.join("libferromp.so");
    let list = cache.join(format!("places-{}", compiler.name()));
    std::fs::write(&list, places(&program, &library)).unwrap_or_else(|why| panic!("{}: {why}", list.display()));

    let mut command = Command::new("gdb");
    runtime.prepare(&mut command);
    command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH");
    command.env("PLACES", &list).env("LIBRARY", &library).env("FUNCTIONS", FUNCTIONS);
    command.args(["--batch", "-nx"]);
    let settings = [
        ("LD_LIBRARY_PATH", lib.display().to_string()),
        ("OMP_NUM_THREADS", "3".into()),
        ("KMP_BLOCKTIME", "0".into()),
    ];
    for (name, value) in settings {
        command.arg("-ex").arg(format!("set environment {name} {value}"));
    }
    command.arg("-x").arg(folder.join("unwind.py")).arg(&program);
    let outcome = run::run(&mut command, LIMIT, &cache).unwrap_or_else(|why| panic!("{why}"));
    let said = outcome.stdout.lines().rev().find(|line| line.contains(" stops, ")).unwrap_or_default();
    let stops: u32 = said.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
    let broken: Vec<&str> = outcome.stdout.lines().filter(|line| line.starts_with("BROKEN")).collect();
    assert!(
        broken.is_empty() && said.ends_with(" threads at rest: whole") && stops > 50,
        "{said}\n{}\n--- stdout\n{}--- stderr\n{}",
        broken.join("\n"),
        outcome.stdout,
        outcome.stderr
    );
}

#[test]
fn stacks_of_clang_programs_are_whole_everywhere() {
    whole_everywhere(Compiler::Clang);
}

#[test]
fn stacks_of_gcc_programs_are_whole_everywhere() {
    whole_everywhere(Compiler::Gcc);
}

/// The chain of frame pointers, which `perf record -g` follows, is whole as well: the runtime is built with them.
fn chain_is_whole(compiler: Compiler) {
    let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("debug");
    let (source, cache) = (folder.join("chain.c"), cache());
    let flags = ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-rdynamic"].map(str::to_owned);
    let libs = ["dl".to_owned()];
    let job =
        Job { compiler, source: &source, shared: false, flags: &flags, libs: &libs, include: &folder, cache: &cache };
    let program = job.build().unwrap_or_else(|why| panic!("{why}"));
    if matches!(runtime, Runtime::Stock) {
        eprintln!("skipped: the test is about ferromp's stacks");
        return;
    }
    for threads in ["1", "3", "8"] {
        let mut command = Command::new(&program);
        runtime.prepare(&mut command);
        command.env("OMP_NUM_THREADS", threads);
        let outcome = run::run(&mut command, LIMIT, &cache).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(outcome.stdout, "ok\n", "{threads} threads\n{}", outcome.stderr);
    }
}

#[test]
fn frame_pointers_of_clang_programs_lead_to_main() {
    chain_is_whole(Compiler::Clang);
}

#[test]
fn frame_pointers_of_gcc_programs_lead_to_main() {
    chain_is_whole(Compiler::Gcc);
}
