//! Handlers for `fork`: the runtime does not come up meanwhile, and the child starts with the forking thread alone.

use crate::first_use::{self, caller};
use crate::model::atomic::Ordering;
use crate::objects::current::try_current;
use crate::park::futex;
use crate::process::up::{HOLDER, PREPARED, set_prepared};
use crate::tool::activate;
use crate::tool::state::{ACTIVATOR, COMING_UP, DOWN, STATE, UP, set_up};
use crate::{backtrace, device, icv, mem, ompt, place, stack, stderr, sync, task, team, thread, work};
use std::ffi::{c_int, c_void};

/// A value of [`PREPARED`]: down, until the process has been forked.
pub(crate) const HELD_DOWN: u32 = 3;

/// Runs when the library is loaded. The handlers for `fork` are set here: the first use of OpenMP would be too late for
/// a process that another thread forks during that use.
#[used]
// SAFETY: the section has pointers to functions of this type.
#[unsafe(link_section = ".init_array")]
pub(crate) static AT_LOAD: extern "C" fn() = at_load;

pub(crate) extern "C" fn at_load() {
    // SAFETY: glibc has had the function, of this type, since 2.3.2.
    unsafe extern "C" {
        /// What `pthread_atfork` calls, which itself is no function of glibc's library: each program and library has a
        /// copy. The copy would lie far from all else that is executed at the start.
        fn __register_atfork(
            before: Option<extern "C" fn()>,
            after: Option<extern "C" fn()>,
            in_child: Option<extern "C" fn()>,
            library: *const c_void,
        ) -> c_int;
    }
    stack::at_load();
    // An allocator may set handlers of its own at its first use, which is here. Handlers that are set later run first
    // before the fork and last after it, so these run while the allocator works.
    // SAFETY: the handlers have the right type. They belong to no library, and stay: this library is never unloaded.
    unsafe {
        libc::free(std::hint::black_box(libc::malloc(1)));
        __register_atfork(Some(before_fork), Some(after_fork), Some(forked), std::ptr::null());
    }
}

/// A thread is about to fork. The child would keep for ever what a preparing thread has half done. The fork therefore
/// waits for that thread, and no thread begins to prepare before the fork is over.
pub(crate) extern "C" fn before_fork() {
    loop {
        match PREPARED.compare_exchange(DOWN, HELD_DOWN, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return HOLDER.store(caller(), Ordering::Relaxed),
            Err(UP) => return,
            Err(COMING_UP) if HOLDER.load(Ordering::Relaxed) == caller() => return,
            Err(now) => futex::wait(&PREPARED, now),
        }
    }
}

/// The fork is over: threads may prepare again. Called on the forking thread, in the parent and in the child.
pub(crate) extern "C" fn after_fork() {
    if PREPARED.load(Ordering::Acquire) == HELD_DOWN && HOLDER.load(Ordering::Relaxed) == caller() {
        HOLDER.store(0, Ordering::Relaxed);
        set_prepared(DOWN);
    }
}

/// In a forked child: only the forking thread exists, so that it starts without workers.
pub(crate) extern "C" fn forked() {
    after_fork();
    stderr::after_fork();
    backtrace::after_fork();
    first_use::after_fork();
    work::threadprivate::after_fork();
    work::merges::after_fork();
    if PREPARED.load(Ordering::Acquire) == DOWN {
        return;
    }
    // The list of threads has those of the parent, until the roots are forgotten.
    work::reduction::after_fork();
    icv::after_fork();
    place::display::after_fork();
    thread::pool::after_fork();
    team::roots::after_fork();
    sync::critical::after_fork();
    task::helper::after_fork();
    task::graph::after_fork();
    task::agents::after_fork();
    ompt::trace::after_fork();
    device::after_fork();
    mem::after_fork();
    mem::marks::after_fork();
    let root = try_current().filter(|thread| thread.is_set_up());
    thread::wait::attached_after_fork(root.is_some());
    if let Some(thread) = root {
        team::forked::leave_behind(thread);
    }
    let activator = ACTIVATOR.load(Ordering::Relaxed).cast_const();
    if STATE.load(Ordering::Acquire) == COMING_UP && root.map(std::ptr::from_ref) != Some(activator) {
        // The thread that was activating tools does not exist here.
        activate::give_up_after_fork();
        ompt::silence::settle();
        set_up();
    }
}
