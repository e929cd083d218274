//! Bringing the runtime up, once: the environment is read, then tools are activated.

use crate::icv::Icvs;
use crate::model::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::objects::current::{for_query, try_current};
use crate::objects::structures::Thread;
use crate::objects::{current, switch};
use crate::park::futex;
use crate::place::{Partition, display};
use crate::process::down::finish;
use crate::team::limits;
use crate::thread::{pool, wait};
use crate::tool::activate;
use crate::tool::state::{ACTIVATOR, COMING_UP, DOWN, STATE, UP, set_up};
use crate::{environment, first_use, icv, ompd, ompt, place, warnings};
use std::time::{Duration, Instant};

/// Calls `read` with the ICVs of the calling thread's current task. If [`asked`] has no thread, with those of an
/// initial task.
#[inline(always)]
pub fn read_icvs<T>(read: impl FnOnce(&Icvs) -> T) -> T {
    match for_query() {
        Some(thread) => read(thread.icvs()),
        None => {
            prepare_to_answer();
            read(&icv::initial())
        }
    }
}

/// Reads the environment if it has not been read, for a routine that is not about the calling thread. A signal handler
/// activates no tool: the dynamic linker allocates memory if it does not find one.
#[inline]
pub fn prepare_to_answer() {
    if for_query().is_none() && !is_prepared() {
        prepare_in_handler();
    }
}

#[cold]
pub(crate) fn prepare_in_handler() {
    let held = crate::signals::hold();
    let first_use = prepare();
    drop((first_use, held));
}

/// Whether the environment has been read: `DOWN`, `COMING_UP`, `UP`, or held down around a fork (`fork.rs`).
pub(crate) static PREPARED: AtomicU32 = AtomicU32::new(DOWN);

/// The thread that reads the environment, or that holds [`PREPARED`] down, as `pthread_self` has it.
pub(crate) static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// Reads the environment, once. Other callers wait until that is done. No tool's code runs here, and nothing waits for
/// another thread. While the first caller keeps the result, its memory does not come from `malloc`.
pub fn prepare() -> Option<first_use::FirstUse> {
    loop {
        match PREPARED.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => break,
            Err(UP) => return None,
            Err(now) => futex::wait(&PREPARED, now),
        }
    }
    let first_use = first_use::begin();
    HOLDER.store(first_use::caller(), Ordering::Relaxed);
    icv::startup();
    display::show_format_to_debuggers();
    // The parts that keep some of the settings.
    wait::set_up();
    pool::set_up();
    limits::set_up();
    switch::set_up();
    place::places();
    ompd::start_up();
    set_prepared(UP);
    Some(first_use)
}

/// Whether the environment has been read, so that there are settings. Async-signal-safe.
pub fn is_prepared() -> bool {
    PREPARED.load(Ordering::Acquire) == UP
}

pub(crate) fn set_prepared(state: u32) {
    PREPARED.store(state, Ordering::Release);
    futex::wake(&PREPARED, i32::MAX);
}

/// `kmp_set_defaults`: settings in the form `NAME=value|NAME=value`, which override the environment's. The calling
/// thread's task gets the ICVs that they name. Prints a warning for each setting that cannot be changed any more.
pub fn set_defaults(text: &str) {
    if try_current().is_none() && PREPARED.load(Ordering::Acquire) == DOWN {
        // No setting has been used yet, so the text counts as the environment.
        icv::change(&environment::Environment::of_text(text));
        current::current();
        return;
    }
    let thread = current::current();
    let mut named = environment::Environment::of_text(text);
    for (name, value) in named.take(&icv::too_late()).shown() {
        warnings::warn(&format!("ferromp: {name}='{value}': cannot be changed any more; ignored\n"));
    }
    icv::change(&named);
    icv::show_to_debuggers();
    display::show_format_to_debuggers();
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
    icv::show(|| named);
}

/// Binds the first root thread to the first place, if threads are bound at all (OpenMP 5.1 §2.6.2). Later roots run
/// where the program put them.
pub fn bind_first_root(thread: &Thread) {
    static BOUND: AtomicBool = AtomicBool::new(false);
    if !BOUND.swap(true, Ordering::Relaxed) {
        place::bind_initial(&thread.place, thread.gtid());
    }
}

/// How long a thread waits for another thread that is inside a tool's initialiser.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// Activates tools, once. The calling thread is a root already. Another thread that comes here meanwhile waits, so that
/// its begin is reported. The wait is bounded, because the tool's initialiser may be waiting for that thread.
pub fn bring_up(thread: &Thread) {
    if STATE.compare_exchange(DOWN, COMING_UP, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        ACTIVATOR.store(std::ptr::from_ref(thread).cast_mut(), Ordering::Relaxed);
        if activate::activate() || icv::settings().debug == icv::ToolSetting::Enabled {
            // Registered after the tool's library was loaded, so that the handler runs before the library's
            // destructors. SAFETY: a handler of the right type in a library that is never unloaded.
            unsafe { libc::atexit(finish) };
        }
        ompt::silence::settle();
        set_up();
        return;
    }
    let begun = Instant::now();
    while STATE.load(Ordering::Acquire) != UP
        && let Some(left) = PATIENCE.checked_sub(begun.elapsed())
    {
        futex::wait_for(&STATE, COMING_UP, Some(left));
    }
}

/// The place partition of the current task.
pub fn partition() -> Partition {
    read_icvs(|icvs| icvs.partition)
}
