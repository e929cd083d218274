//! The process: bringing the runtime up once, `fork`, and the end.

use super::{Thread, pool, root, try_current, wait};
use crate::icv;
use crate::ompt;
use crate::place;
use crate::sync::futex;
use crate::team::{hot, limits};
use crate::work::threadprivate;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

const DOWN: u32 = 0;
const COMING_UP: u32 = 1;
const UP: u32 = 2;
/// How far the environment has been read and the process hooks set.
static PREPARED: AtomicU32 = AtomicU32::new(DOWN);
/// How far the tool has been activated.
static STATE: AtomicU32 = AtomicU32::new(DOWN);

/// Reads the environment and sets the process hooks, once. No tool's code runs here.
pub fn prepare() {
    once(&PREPARED, || {
        icv::startup();
        follow_settings();
        // SAFETY: the handler has the right type, and the library is never unloaded.
        unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    });
}

/// Passes the settings on to those who keep a part of them.
fn follow_settings() {
    wait::set_up();
    pool::set_up();
    limits::set_up();
}

/// Settings in the form `NAME=value|NAME=value` that the program puts above the environment's (`kmp_set_defaults`). The
/// calling thread's task gets the ICVs that they name; what cannot be changed any more is named in a line.
pub fn set_defaults(text: &str) {
    let thread = super::current();
    let mut named = icv::Environment::of_text(text);
    for (name, value) in named.take(&icv::TOO_LATE).shown() {
        icv::warn(&format!("ferromp: {name}='{value}': cannot be changed any more; ignored\n"));
    }
    icv::change(&named);
    icv::follow(&named, thread.icvs_mut());
    if named.has(&["GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY"]) {
        wait::set_up();
    }
    if named.has(&["GOMP_STACKSIZE", "KMP_STACKSIZE", "OMP_STACKSIZE"]) && !pool::had_workers() {
        pool::set_up();
    }
    if named.has(&["KMP_HOT_TEAMS_MAX_LEVEL", "KMP_HOT_TEAMS_MODE", "KMP_LIBRARY", "OMP_WAIT_POLICY"]) {
        limits::set_up();
    }
    icv::show(&named);
}

/// Gives back what the runtime holds on to between parallel regions: the workers with their stacks, and after a `hard` pause
/// the memory that they had used. They come again with the next region (OpenMP 5.1 §3.6). False inside a region: then nothing
/// happens.
pub fn pause(hard: bool) -> bool {
    let thread = super::current();
    let member = thread.member();
    if !thread.task().is_initial() || member.team().region.level.get() != 0 {
        return false;
    }
    hot::disband_children(member);
    pool::dismiss_all();
    if hard {
        // SAFETY: the call has no preconditions.
        unsafe { libc::malloc_trim(0) };
    }
    PAUSED.store(true, Ordering::Relaxed);
    true
}

/// Whether the runtime has been paused, and no worker created since. A plain flag.
static PAUSED: AtomicBool = AtomicBool::new(false);

/// Ends a pause, as the next region would. False where there is none.
pub fn resume() -> bool {
    PAUSED.swap(false, Ordering::Relaxed)
}

/// Binds the first root thread to the first place, if threads are to be bound at all
/// (OpenMP 5.1 §2.6.2); later roots run where the program put them.
pub fn bind_first_root(thread: &Thread) {
    static BOUND: AtomicBool = AtomicBool::new(false);
    if !BOUND.swap(true, Ordering::Relaxed) {
        thread.set_place(place::bind_initial());
    }
}

/// How long a thread waits for another one that is inside a tool's initialiser.
const PATIENCE: Duration = Duration::from_secs(1);

/// Activates a tool, once. The calling thread is a root already. A thread that comes here while
/// another one activates the tool waits for it, so that the tool hears of its begin; but not for
/// ever, because the tool's initialiser may be waiting for this very thread.
pub fn bring_up() {
    if STATE.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        if ompt::activate::activate() {
            // Registered after the tool's library was loaded, so that it runs before the
            // destructors of that library.
            // SAFETY: a handler of the right type in a library that is never unloaded.
            unsafe { libc::atexit(finish) };
        }
        STATE.store(UP, Ordering::Release);
        return;
    }
    let patience = Instant::now() + PATIENCE;
    while STATE.load(Ordering::Acquire) != UP && Instant::now() < patience {
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// Runs `body` once; other callers wait until it has run.
fn once(state: &AtomicU32, body: impl FnOnce()) {
    if state.load(Ordering::Acquire) == UP {
        return;
    }
    match state.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            body();
            state.store(UP, Ordering::Release);
            futex::wake(state, i32::MAX);
        }
        Err(_) => {
            while state.load(Ordering::Acquire) != UP {
                futex::wait(state, COMING_UP);
            }
        }
    }
}

/// In a forked child only the forking thread exists: its teams' workers are gone, so it starts with
/// none.
extern "C" fn forked() {
    icv::after_fork();
    pool::after_fork();
    root::after_fork();
    threadprivate::after_fork();
    place::refresh();
    wait::set_up();
    wait::attached_after_fork();
    if let Some(thread) = try_current()
        && thread.is_set_up()
    {
        hot::after_fork(thread.member());
    }
}

/// The end of the program.
extern "C" fn finish() {
    if ompt::active() {
        end_tool();
    }
}

/// Ends the activity of the tool: every worker ends, every open scope of the calling thread ends, then
/// the tool is finalised, then there is silence (OpenMP 5.1 §4.2.4). For a thread that is in no
/// callback. Regions that follow get new workers.
pub fn end_tool() {
    let root = try_current().filter(|thread| thread.is_set_up() && thread.task().is_initial());
    if let Some(thread) = root {
        hot::disband_children(thread.member());
    }
    pool::dismiss_all();
    if let Some(thread) = root {
        ompt::initial_task_end(thread);
        ompt::thread_end(thread);
    }
    ompt::activate::finalize();
}
