//! The debugger itself, on a program without OpenMP: breakpoints that many threads reach at once, threads by both of
//! their names, memory, attaching, several processes, and core files of gdb and of the kernel.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferromp_debugger::corefile::CoreFile;
use ferromp_debugger::live::{Event, Live, allowed};
use ferromp_debugger::make_core;
use ferromp_debugger::target::{self, Target};
use nix::sys::signal::Signal;

const THREADS: usize = 6;
const ROUNDS: usize = 20;

/// Whether processes can be controlled here; a test without that says so and is over.
fn forbidden() -> bool {
    allowed().inspect_err(|why| eprintln!("skipped: {why}")).is_err()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The program, built once for all tests: a file that runs must not be replaced.
fn program() -> PathBuf {
    let source = include_str!("threads.c");
    let digest = source.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let output = folder().join(format!("threads-{digest:016x}"));
    if !output.exists() {
        let partial = folder().join(format!("threads-{}-{:?}", std::process::id(), std::thread::current().id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads.c");
        let status = Command::new("gcc").args(["-g", "-O1", "-pthread", "-o"]).arg(&partial).arg(source).status();
        assert!(status.is_ok_and(|status| status.success()), "the program does not compile");
        // The first test to finish gives the file its name.
        let _ = std::fs::hard_link(&partial, &output);
        std::fs::remove_file(partial).expect("it can be removed");
    }
    output
}

fn start() -> Live {
    Live::start(&mut Command::new(program())).expect("the program starts")
}

/// Compares the threads of a target with what the program says of them.
fn check(target: &dyn Target) {
    let said = target.symbol("said", None).expect("the program has it");
    let pthreads: Vec<u64> = target::values(target, said, THREADS).expect("it can be read");
    let lwps: Vec<i32> = target::values(target, said + 8 * THREADS as u64, THREADS).expect("it can be read");
    let threads = target.threads();
    assert_eq!(threads.len(), THREADS + 1);
    for number in 0..THREADS {
        let thread = threads.iter().find(|thread| thread.lwp == lwps[number]).expect("a thread that the program knows");
        assert_eq!(thread.pthread, pthreads[number]);
    }
    let word = target.symbol("word", None).and_then(|word| target::value(target, word)).expect("a pointer");
    assert_eq!(target::string(target, word).as_deref(), Some("a word"));
    assert!(!target.read(8, &mut [0]), "nothing lies there");
}

/// Lets a process run until all threads have come to their end.
fn run_until_ready(live: &mut Live) {
    let target = live.target();
    let ready = target.symbol("ready", None).expect("the program has it");
    let until = Instant::now() + Duration::from_secs(30);
    while target.value::<i32>(ready) != Some(THREADS as i32) {
        assert_eq!(live.run_for(Duration::from_millis(2)), None);
        assert!(Instant::now() < until, "the threads do not come to their end");
    }
}

fn let_go(target: &dyn Target) {
    let address = target.symbol("let_go", None).expect("the program has it");
    assert!(target.write(address, &1_i32.to_ne_bytes()));
}

#[test]
fn every_thread_stops_at_a_breakpoint_each_time() {
    if forbidden() {
        return;
    }
    let mut live = start();
    live.run_to_library("libc.so.6");
    let passes = live.break_at_symbol("passes");
    let mut hits = std::collections::BTreeMap::<i32, usize>::new();
    for _ in 0..THREADS * ROUNDS {
        *hits.entry(live.run_to(passes)).or_default() += 1;
    }
    assert_eq!(hits.len(), THREADS);
    assert!(hits.values().all(|count| *count == ROUNDS), "{hits:?}");
    run_until_ready(&mut live);
    check(&*live.target());
    let_go(&*live.target());
    assert_eq!(live.finish(), Event::Exited(7));
}

#[test]
fn a_running_process_is_attached_to_and_left() {
    if forbidden() {
        return;
    }
    let mut child = Command::new(program()).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(20));
    for _ in 0..3 {
        let mut live = Live::attach(child.id()).expect("it can be attached");
        run_until_ready(&mut live);
        check(&*live.target());
        live.detach();
    }
    let live = Live::attach(child.id()).expect("it can be attached");
    let_go(&*live.target());
    live.detach();
    assert_eq!(child.wait().ok().and_then(|status| status.code()), Some(7));
}

#[test]
fn two_processes_at_once_do_not_mix() {
    if forbidden() {
        return;
    }
    let (mut one, mut other) = (start(), start());
    run_until_ready(&mut one);
    run_until_ready(&mut other);
    check(&*one.target());
    check(&*other.target());
    one.kill();
    let_go(&*other.target());
    assert_eq!(other.finish(), Event::Exited(7));
}

#[test]
fn a_deadly_signal_is_told_before_it_kills() {
    if forbidden() {
        return;
    }
    let mut live = Live::start(Command::new(program()).arg("abort")).expect("the program starts");
    assert!(matches!(live.run(), Event::Signal { signal: Signal::SIGABRT, .. }));
    assert_eq!(live.finish(), Event::Killed(Signal::SIGABRT));
}

#[test]
fn a_core_file_by_gcore_shows_the_same() {
    let mut child = Command::new(program()).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(300));
    let core = make_core::by_gcore(child.id(), &folder());
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    match core {
        Ok(core) => {
            check(&CoreFile::open(&core).expect("it is a core file"));
            std::fs::remove_file(core).expect("it can be removed");
        }
        Err(why) => eprintln!("skipped: {why}"),
    }
}

#[test]
fn a_core_file_by_the_kernel_shows_the_same() {
    let mut command = Command::new(program());
    command.arg("abort-later").stdout(Stdio::null());
    match make_core::by_kernel(&mut command, &folder()) {
        Ok(core) => {
            let file: Arc<dyn Target> = Arc::new(CoreFile::open(&core).expect("it is a core file"));
            check(&*file);
            std::fs::remove_file(core).expect("it can be removed");
        }
        Err(why) => eprintln!("skipped: {why}"),
    }
}
