//! The process: bringing the runtime up once, `fork`, and the end.

use super::{pool, root, wait};
use crate::backtrace;
use crate::device::{self, helper};
use crate::first_use::{self, FirstUse};
use crate::icv;
use crate::mem;
use crate::objects::current::try_current;
use crate::objects::structures::Thread;
use crate::objects::{current, switch};
use crate::ompd;
use crate::ompt;
use crate::park::futex;
use crate::place;
use crate::sync::critical;
use crate::task;
use crate::team::{self, hot, limits};
use crate::work::{cancel, threadprivate};
use crate::{stderr, warnings};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const DOWN: u32 = 0;
const COMING_UP: u32 = 1;
const UP: u32 = 2;
/// Down, and to stay so until the process has been forked.
const HELD_DOWN: u32 = 3;
/// How far the environment has been read and the process hooks set.
static PREPARED: AtomicU32 = AtomicU32::new(DOWN);
/// How far the tool has been activated.
static STATE: AtomicU32 = AtomicU32::new(DOWN);

/// The thread that is preparing, or that holds [`PREPARED`] down, as `pthread_self` has it.
static HOLDER: AtomicUsize = AtomicUsize::new(0);
/// The descriptor of the thread that activates the tool.
static ACTIVATOR: AtomicPtr<Thread> = AtomicPtr::new(std::ptr::null_mut());

/// Asks for what a signal handler may not, and sets the handlers for `fork`, when the library is loaded: one that the
/// first use of OpenMP set would come too late for a process that another thread forks during that use.
#[used]
// SAFETY: the section has pointers to functions of this type.
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    pool::at_load();
    // SAFETY: a block is allocated and freed, so that an allocator which sets handlers at its first use has set them by
    // now: then ours, set later, run while it works. The handlers have the right type, and the library is never
    // unloaded.
    unsafe {
        libc::free(std::hint::black_box(libc::malloc(1)));
        libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(forked));
    }
}

/// Reads the environment, once; other callers wait until that is done. No tool's code runs here, and nothing that waits
/// for another thread. The thread that has done so gets what it goes on to need from elsewhere than `malloc`, as long
/// as it keeps the result.
pub fn prepare() -> Option<FirstUse> {
    loop {
        match PREPARED.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => break,
            Err(UP) => return None,
            Err(now) => futex::wait(&PREPARED, now),
        }
    }
    let first_use = first_use::begin();
    HOLDER.store(caller(), Ordering::Relaxed);
    icv::startup();
    follow_settings();
    place::places();
    ompd::start_up();
    set_prepared(UP);
    Some(first_use)
}

/// Whether the environment has been read: there are settings to answer from. Async-signal-safe.
pub fn is_prepared() -> bool {
    PREPARED.load(Ordering::Acquire) == UP
}

fn set_prepared(state: u32) {
    PREPARED.store(state, Ordering::Release);
    futex::wake(&PREPARED, i32::MAX);
}

/// The calling thread, as `pthread_self` has it.
fn caller() -> usize {
    // SAFETY: only asks for the caller's identity.
    unsafe { libc::pthread_self() as usize }
}

/// Passes the settings on to those who keep a part of them.
fn follow_settings() {
    wait::set_up();
    pool::set_up();
    limits::set_up();
    cancel::set_up();
}

/// Settings in the form `NAME=value|NAME=value` that the program puts above the environment's (`kmp_set_defaults`). The
/// calling thread's task gets the ICVs that they name; what cannot be changed any more is named in a line.
pub fn set_defaults(text: &str) {
    if try_current().is_none() && PREPARED.load(Ordering::Acquire) == DOWN {
        // Nothing has been used up yet: this is as good as the environment.
        icv::change(&icv::Environment::of_text(text));
        current::current();
        return;
    }
    let thread = current::current();
    let mut named = icv::Environment::of_text(text);
    for (name, value) in named.take(&icv::TOO_LATE).shown() {
        warnings::warn(&format!("ferromp: {name}='{value}': cannot be changed any more; ignored\n"));
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

/// Gives back what the runtime holds on to between parallel regions: the workers with their stacks, and after a `hard`
/// pause the memory that they had used. They come again with the next region (OpenMP 5.1 §3.6). False inside a region:
/// then nothing happens.
pub fn pause(hard: bool) -> bool {
    let thread = current::current();
    let member = thread.member();
    if !thread.is_outside_regions() {
        return false;
    }
    hot::disband_children(member);
    pool::dismiss_all();
    pool::join_dismissed();
    if hard {
        thread.tasks.trim(0);
        // SAFETY: the call has no preconditions.
        unsafe { libc::malloc_trim(0) };
    }
    PAUSED.store(true, Ordering::Relaxed);
    true
}

/// The last root has ended. The threads that the runtime keeps for later use would keep the process alive for ever, if
/// no other thread of the program is left: they end, and come again when a new root needs them. The C library ends the
/// process with its last thread.
#[cold]
pub fn rest() {
    helper::rest();
    task::agents::end();
    if root::is_any_left() {
        return;
    }
    device::rest_all();
    ompt::trace::rest();
    end_idle_workers();
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
        place::bind_initial(thread);
    }
}

/// How long a thread waits for another one that is inside a tool's initialiser.
const PATIENCE: Duration = Duration::from_secs(1);

/// Activates a tool, once. The calling thread is a root already. A thread that comes here while
/// another one activates the tool waits for it, so that the tool hears of its begin; but not for
/// ever, because the tool's initialiser may be waiting for this very thread.
pub fn bring_up(thread: &Thread) {
    if STATE.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        ACTIVATOR.store(std::ptr::from_ref(thread).cast_mut(), Ordering::Relaxed);
        if ompt::activate::activate() || icv::settings().debug {
            // Registered after the tool's library was loaded, so that it runs before the
            // destructors of that library.
            // SAFETY: a handler of the right type in a library that is never unloaded.
            unsafe { libc::atexit(finish) };
        }
        ompt::registry::settle();
        STATE.store(UP, Ordering::Release);
        return;
    }
    let patience = Instant::now() + PATIENCE;
    while STATE.load(Ordering::Acquire) != UP && Instant::now() < patience {
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// Whether this thread is activating tools: in their initialisers it is a root already, whose initial task has not
/// begun. Async-signal-safe.
pub fn is_activating(thread: &Thread) -> bool {
    STATE.load(Ordering::Acquire) == COMING_UP && std::ptr::eq(ACTIVATOR.load(Ordering::Relaxed), thread)
}

/// A thread is about to fork. What a preparing thread is in the middle of would stay half done in the child for ever,
/// so the fork waits for it, and nobody starts to prepare before the fork is over.
extern "C" fn before_fork() {
    loop {
        match PREPARED.compare_exchange(DOWN, HELD_DOWN, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return HOLDER.store(caller(), Ordering::Relaxed),
            Err(UP) => return,
            Err(COMING_UP) if HOLDER.load(Ordering::Relaxed) == caller() => return,
            Err(now) => futex::wait(&PREPARED, now),
        }
    }
}

/// The forking thread, in the parent and in the child.
extern "C" fn after_fork() {
    if PREPARED.load(Ordering::Acquire) == HELD_DOWN && HOLDER.load(Ordering::Relaxed) == caller() {
        HOLDER.store(0, Ordering::Relaxed);
        set_prepared(DOWN);
    }
}

/// In a forked child only the forking thread exists: its teams' workers are gone, so it starts with
/// none.
extern "C" fn forked() {
    after_fork();
    backtrace::after_fork();
    threadprivate::after_fork();
    if PREPARED.load(Ordering::Acquire) == DOWN {
        return;
    }
    icv::after_fork();
    place::display::after_fork();
    pool::after_fork();
    root::after_fork();
    critical::after_fork();
    helper::after_fork();
    task::graph::after_fork();
    task::agents::after_fork();
    ompt::trace::after_fork();
    device::after_fork();
    mem::after_fork();
    mem::marks::after_fork();
    let thread = try_current().filter(|thread| thread.is_set_up());
    wait::attached_after_fork(thread.is_some());
    if let Some(thread) = thread {
        team::forked::leave_behind(thread);
    }
    let activator = ACTIVATOR.load(Ordering::Relaxed).cast_const();
    if STATE.load(Ordering::Acquire) == COMING_UP && thread.map(std::ptr::from_ref) != Some(activator) {
        // The thread that was activating a tool will not come back from there.
        ompt::activate::give_up_after_fork();
        ompt::registry::settle();
        STATE.store(UP, Ordering::Release);
    }
}

/// The end of a child that a worker forked inside a region: the region is over, and the code behind it is the primary
/// thread's, which the child does not have.
pub fn end_of_forked_worker() -> ! {
    stderr::write_stderr(
        "ferromp: a process forked by a worker of a parallel region has come to the end of the region; the process ends there\n",
    );
    // SAFETY: no thread of the runtime holds anything that a handler could wait for.
    unsafe { libc::exit(1) }
}

/// The end of the program.
extern "C" fn finish() {
    device::step_out();
    if switch::active() {
        end_tool();
    }
}

/// Ends the activity of the tool: every device is closed, every worker ends, every open scope of the calling thread
/// ends, then the tool is finalised, then there is silence (OpenMP 5.1 §4.2.4). For a thread that is in no callback.
/// Regions that follow get new workers.
pub fn end_tool() {
    device::close_all();
    helper::end();
    task::agents::end();
    let root = try_current().filter(|thread| thread.is_set_up() && thread.is_outside_regions());
    match root {
        Some(thread) => end_workers(thread),
        None => end_idle_workers(),
    }
    if let Some(thread) = root {
        ompt::initial_task_end(thread);
        ompt::thread_end(thread);
    }
    ompt::activate::finalize();
}

/// Ends the workers of `thread`, which is the calling one and outside of regions, and those in the pool.
pub fn end_workers(thread: &Thread) {
    hot::disband_children(thread.member());
    end_idle_workers();
}

fn end_idle_workers() {
    pool::dismiss_all();
    pool::release_dismissed();
}
