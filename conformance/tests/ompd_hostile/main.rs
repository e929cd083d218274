//! libompd under a debugger that lies: whatever memory and callbacks answer, and whatever handles it is given, each
//! function returns one of the specification's answers, in time (OpenMP 5.1, section 5.5).
//!
//! The memory is that of a program with threads in many situations (`tools/snapshot.c`). `FERROMP_HOSTILE_SECONDS`
//! makes the test longer, `FERROMP_HOSTILE_SEED` repeats one round; `docs/ompd-hostile.md` has the result of a long
//! run.

mod calls;
mod liar;
mod snapshot;

use std::cell::Cell;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::tools::Workshop;
use ompd::{Rc, ompd_finalize, ompd_initialize};

use calls::World;
use liar::{Dice, Endless, Liar, Lies};
use snapshot::Snapshot;

/// Without the environment's saying: long enough for each kind of lie, many times.
const SECONDS: u64 = 3;

/// Calls of one round.
const CALLS: usize = 150;

fn snapshot(compiler: Compiler, settings: &[(&str, &str)]) -> Snapshot {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(workshop.program("snapshot", compiler, &[]));
    Runtime::chosen().unwrap_or_else(|why| panic!("{why}")).prepare(&mut command);
    command.env("LD_LIBRARY_PATH", &workshop.lib).env("LD_PRELOAD", workshop.lib.join("libferromp.so"));
    Snapshot::of(command.envs(settings.iter().copied()))
}

/// How a round lies.
fn lies(dice: &mut Dice) -> Lies {
    let mut lies = Lies::default();
    match 8 + dice.below(1) {
        // A thread that was killed; a program that writes where it should not.
        0..=4 => {
            let most = 1 << dice.below(8);
            lies.changed = 1 + dice.below(most);
        }
        5 => lies.fails = [5, 50, 300][dice.below(3)],
        6 => lies.flickers = [2, 20, 200][dice.below(3)],
        7 => lies.short = [5, 50, 300][dice.below(3)],
        8 => {
            lies.endless = Some([Endless::Anything, Endless::Pointers, Endless::Onwards][dice.below(3)]);
            lies.changed = dice.below(20);
            lies.no_null = [0, 20, 300][dice.below(3)];
            // How long the library itself goes on takes minutes to see.
            lies.patience = if is_long() && dice.happens(20) { 0 } else { 20_000 };
        }
        _ => lies.odd = [20, 200][dice.below(2)],
    }
    if dice.happens(100) {
        lies.no_memory = [10, 200][dice.below(2)];
    }
    lies.swapped = dice.happens(30);
    lies
}

/// One round: a debugger that lies in one way, and its calls.
fn round(snapshots: &[Snapshot], known: &[Vec<u64>], seed: u64) -> (u64, u64, u64) {
    SEED.set(seed);
    let mut dice = Dice::new(seed);
    let which = dice.below(snapshots.len());
    let (snapshot, known) = (&snapshots[which], &known[which]);
    let liar = Liar::new(snapshot, lies(&mut dice), dice.next(), known);
    liar::let_allocations_fail(liar.lies.no_memory, dice.next());
    let mut world = World::new(&liar, &snapshot.lwps, dice.next());
    world.begin();
    if dice.happens(300) {
        world.walk();
        world.begin();
    }
    for _ in 0..CALLS {
        if world.is_tired() {
            break;
        }
        world.step();
    }
    world.release_all();
    liar::let_allocations_fail(0, 0);
    (world.calls, world.successes, world.most_looks)
}

/// The words that the library reads from an honest debugger.
fn words(snapshot: &Snapshot) -> Vec<u64> {
    let liar = Liar::new(snapshot, Lies::default(), 1, &[]);
    *liar.noted.borrow_mut() = Some(Vec::new());
    let mut world = World::new(&liar, &snapshot.lwps, 1);
    world.begin();
    world.walk();
    assert!(
        world.successes * 4 > world.calls,
        "{} of {} calls succeed where nobody lies",
        world.successes,
        world.calls
    );
    // A word is in the list once for each read. Words that much depends on are therefore changed most often.
    liar.noted.take().unwrap_or_default()
}

/// Whether this is a long run.
fn is_long() -> bool {
    number("FERROMP_HOSTILE_SECONDS").is_some()
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// The only test of this file: the library has one state, and it is finalised between rounds.
#[test]
fn nothing_that_a_debugger_says_brings_the_library_down() {
    let snapshots = [
        snapshot(Compiler::Clang, &[("OMP_DEBUG", "enabled"), ("OMP_NUM_THREADS", "6,2,3"), ("OMP_PLACES", "{0},{0}")]),
        snapshot(Compiler::Gcc, &[("OMP_SCHEDULE", "dynamic,4"), ("OMP_AFFINITY_FORMAT", "%n of %N")]),
    ];
    say_at_a_crash();
    // SAFETY: a complete table of callbacks.
    let start = || unsafe { assert_eq!(ompd_initialize(202011, &liar::table()), Rc::OK) };
    start();
    let known = [words(&snapshots[0]), words(&snapshots[1])];
    if let Some(seed) = number("FERROMP_HOSTILE_SEED") {
        println!("{:?}", round(&snapshots, &known, seed));
        return;
    }
    let limit = Duration::from_secs(number("FERROMP_HOSTILE_SECONDS").unwrap_or(SECONDS));
    let begin = Instant::now();
    let mut totals = [0_u64; 3];
    let mut seed = begin.elapsed().subsec_nanos() as u64 ^ u64::from(std::process::id()) << 20;
    let first = seed;
    while begin.elapsed() < limit {
        // Several threads of a debugger at once; whatever fails, the seed says how to repeat it.
        let watched = AtomicU64::new(seed);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|thread| {
                    let (snapshots, known, watched) = (&snapshots, &known, &watched);
                    scope.spawn(move || {
                        // A failure in a round is reported with the round's number.
                        let _guard = Guard;
                        let mut sums = [0; 3];
                        for turn in 0..20 {
                            if begin.elapsed() > limit {
                                break;
                            }
                            let seed = watched.load(Ordering::Relaxed) + thread * 20 + turn;
                            let (calls, successes, looks) = round(snapshots, known, seed);
                            sums = [sums[0] + calls, sums[1] + successes, looks.max(sums[2])];
                        }
                        sums
                    })
                })
                .collect();
            for thread in threads {
                let sums = thread.join().expect("a panic ends the process");
                totals = [totals[0] + sums[0], totals[1] + sums[1], totals[2].max(sums[2])];
            }
        });
        seed += 60;
        assert_eq!(ompd_finalize(), Rc::OK);
        assert_eq!(liar::held(), 0, "memory is left behind by the rounds from {}", seed - 60);
        start();
    }
    assert_eq!(ompd_finalize(), Rc::OK);
    let [calls, successes, looks] = totals;
    println!(
        "{} rounds from seed {first}: {calls} calls, {successes} of them with success, at most {looks} looks at memory in one",
        seed - first
    );
    assert!(successes * 20 > calls, "calls that nearly all fail find nothing");
}

/// Ends the process when a round has panicked, which tells the seed.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}

thread_local! {
    /// The round that the thread is in.
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// Has the process say how to repeat a round before it ends by a signal, as it does when the library panics.
fn say_at_a_crash() {
    extern "C" fn say(signal: libc::c_int) {
        let mut text = *b"FERROMP_HOSTILE_SEED=                     repeats this round\n";
        let mut left = SEED.get();
        for place in text[21..41].iter_mut().rev() {
            *place = b'0' + (left % 10) as u8;
            left /= 10;
        }
        // SAFETY: writes a buffer of that length, and ends the process as the signal would have.
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT] {
        // SAFETY: the handler calls what signal handlers may.
        unsafe { libc::signal(signal, say as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    }
}
