//! `cargo xtask sanitize`: the corpus on a runtime that is built with LLVM's thread or address sanitizer, the standard
//! library included, and the unit tests of the lock-free structures under Miri. Needs a nightly toolchain with its
//! sources, which rustup brings. The result of all of it is written to `docs/sanitizers.md`.

use crate::sh::{self, Result, cargo, cmd};
use crate::{arch, dist, setup};
use std::path::Path;

/// Parts of a nightly toolchain that are needed besides what it always has.
const COMPONENTS: [&str; 2] = ["rust-src", "miri"];
/// The only target whose runtime there is.
const TARGET: &str = arch::TARGET;
/// Unit tests that Miri can run: those of code that makes no system call and has no assembly.
const MIRI_TESTS: [&str; 7] = [
    "protocol::deque",
    "protocol::quiescence",
    "protocol::ring",
    "work::single",
    "work::static_schedule",
    "protocol::steal",
    "work::threadprivate",
];

/// Runs what the words ask for.
pub fn sanitize(words: &[String]) -> Result {
    setup::system(&[&setup::DEMO, &setup::TESTS])?;
    cmd("rustup")
        .args(["component", "add", "--toolchain", "nightly"])
        .args(COMPONENTS)
        .check()
        .map_err(|why| format!("{why}\na nightly toolchain is needed: rustup toolchain install nightly"))?;
    let filter = words.get(1).map(String::as_str);
    match words.first().map(String::as_str) {
        Some("miri") => miri().map(|said| println!("{said}")),
        Some(name @ ("thread" | "address")) => corpus(name, filter).map(drop),
        Some(other) => Err(format!("unknown sanitizer {other}")),
        None => everything(),
    }
}

/// All of it, and the page.
fn everything() -> Result {
    let mut failed = Vec::new();
    let mut sections = String::new();
    for (name, what) in [("thread", "Data races"), ("address", "Bad accesses")] {
        let result = corpus(name, None);
        sections += &format!("## {what}\n\n```\n{}\n```\n\n", result.as_ref().unwrap_or_else(|why| why));
        if result.is_err() {
            failed.push(name);
        }
    }
    let result = miri();
    sections += &format!("## Undefined behaviour\n\n```\n{}\n```\n\n", result.as_ref().unwrap_or_else(|why| why));
    if result.is_err() {
        failed.push("miri");
    }
    let version = cmd("rustup").args(["run", "nightly", "rustc", "--version"]).read()?;
    let page = format!("{INTRODUCTION}{sections}{CLOSING}\nLast run with {} and clang 19.\n", version.trim());
    let docs = sh::root().join("docs");
    sh::make_dir(&docs)?;
    sh::write(&docs.join("sanitizers.md"), page.as_bytes())?;
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The corpus with one sanitizer; what it said at its end.
fn corpus(name: &str, filter: Option<&str>) -> Result<String> {
    let target = sh::target().join(format!("sanitize-{name}"));
    sh::step(&format!("runtime with the {name} sanitizer"));
    cmd("rustup")
        .args(["run", "nightly", "cargo", "build", "--quiet", "--release", "--package", "ferromp-runtime"])
        .args(["-Zbuild-std=std,panic_abort", "--target", TARGET])
        .env("RUSTFLAGS", format!("-Zsanitizer={name} --cfg instrumented"))
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "8")
        .check()?;
    let lib = target.join("lib");
    sh::make_dir(&lib)?;
    // The program brings the sanitizer's own runtime.
    let partial = dist::link_runtime(&[&target.join(TARGET).join("release/libferromp.a")], &lib, false)?;
    dist::name_runtime(&partial, &lib)?;
    sh::step(&format!("corpus with the {name} sanitizer"));
    cargo(["build", "--quiet", "--package", "ferromp-checker"]).check()?;
    run_corpus(name, filter, &lib)
}

fn run_corpus(name: &str, filter: Option<&str>, lib: &Path) -> Result<String> {
    let mut summary = Vec::new();
    let result = cargo(["run", "--quiet", "--package", "ferromp-conformance", "--bin", "sanitize", "--", name])
        .args(filter)
        .env("FERROMP_CORPUS_RUNTIME", lib)
        .each_line(|line| {
            if line.starts_with("left out: ") || line.starts_with("failed: ") || line.contains(" sanitizer: ") {
                summary.push(line.to_owned());
            }
        });
    let summary = summary.join("\n");
    match result {
        Ok(()) => Ok(summary),
        Err(why) => Err(format!("{summary}\n{why}")),
    }
}

/// The unit tests under Miri; its last word.
fn miri() -> Result<String> {
    sh::step("unit tests under Miri");
    let mut said = MIRI_TESTS.join(", ");
    let result = cmd("rustup")
        .args(["run", "nightly", "cargo", "miri", "test", "--quiet"])
        .args([
            "--package",
            "ferromp-ground",
            "--package",
            "ferromp-settings",
            "--package",
            "ferromp-runtime",
            "--lib",
            "--",
        ])
        .args(MIRI_TESTS)
        .env("MIRIFLAGS", "-Zmiri-many-seeds=0..3")
        .env("CARGO_TARGET_DIR", sh::target().join("miri"))
        .each_line(|line| {
            if line.starts_with("test result: ") {
                said = format!("{said}: {line}");
            }
        });
    result.map(|()| said)
}

const INTRODUCTION: &str = "\
# Sanitizers

What `cargo xtask sanitize` found when it last ran. The runtime, with the Rust standard library, and the programs of the
corpus are built with the same sanitizer of LLVM. The sanitizer therefore sees both sides of every hand-over between
program and runtime. Each program runs at 2 and at 5 threads, or at the closest of its own thread counts.

";

const CLOSING: &str = "\
## What the sanitizers do not see

- The thread sanitizer does not model fences. Only one protocol of the runtime rests on fences: parking
  (`park/event.rs`). There a fence orders a store before a load, so that no wake is lost; no data is handed over. A lost
  wake would be a hang, not a race. The loom models (`crates/ground/tests/loom_event.rs`) and the soak look for lost
  wakes.
- The naked functions and the trampolines are assembly. They access only the thread's own stack and its own four
  thread-local words, which no other thread sees.
- Entry points with two forms always run the form for tools here, with or without a tool. The sanitizer adds
  instructions at the end of a function, so one form cannot end in a jump to the other. The other form is the same
  source without its events.
- A futex is only a system call to the sanitizers. The runtime never takes a wake for a hand-over: a thread that returns
  from the kernel reads the word again, by an atomic load with acquire ordering.
- gcc's programs bring gcc's sanitizer runtime, which knows other names than this compiler's instrumentation. The GOMP
  entry points translate arguments and call the same core.
- Programs about processes (fork, exec, limits, memory in use) do not run under a sanitizer. They are part of the corpus
  and the soak.
- Miri runs only code without system calls and assembly: the data structures, not the runtime as a whole.
";
