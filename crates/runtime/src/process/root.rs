//! Roots: how a thread that the runtime did not create becomes one, and how a root ends (OpenMP 5.1 §1.3).

use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::current::set_current;
use crate::objects::structures::Thread;
use crate::process::{down, up};
use crate::team::{hot, roots};
use crate::thread::{roster, wait};
use crate::{arch, ompt, signals};
use std::ffi::c_void;

/// The thread-specific key whose destructor, [`leave`], runs when a root thread ends.
pub(crate) static KEY: AtomicU32 = AtomicU32::new(u32::MAX);

/// Makes the calling thread a root: [`ferromp_up_enter`](crate::upcalls::ferromp_up_enter), the slow path of
/// [`current`](crate::objects::current::current).
#[cold]
#[unsafe(no_mangle)]
fn ferromp_up_enter() -> *const c_void {
    let held = signals::hold();
    let first_use = up::prepare();
    let thread = roster::descriptor(::ompt::Thread::INITIAL);
    let team = hot::take_spare();
    set_current(Some(thread));
    hot::make_initial(team, thread);
    thread.set_os_thread();
    thread.acc.renew();
    watch_end(thread);
    wait::attach(1);
    up::bind_first_root(thread);
    // The thread is a root from here on. A tool's initialiser and signal handlers may call the runtime.
    drop((first_use, held));
    up::bring_up(thread);
    ompt::thread_begin(thread);
    ompt::initial_task_begin(thread);
    std::ptr::from_ref(thread).cast()
}

/// Arranges that [`leave`] is called when the thread ends.
pub(crate) fn watch_end(thread: &'static Thread) {
    let mut key = KEY.load(Ordering::Acquire);
    if key == u32::MAX {
        let mut fresh = 0;
        // SAFETY: creates a key with a destructor of the right type; the library is never unloaded.
        if unsafe { libc::pthread_key_create(&mut fresh, Some(leave)) } == 0 {
            match KEY.compare_exchange(key, fresh, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => key = fresh,
                Err(theirs) => {
                    // SAFETY: no other thread has seen this key.
                    unsafe { libc::pthread_key_delete(fresh) };
                    key = theirs;
                }
            }
        }
    }
    if key != u32::MAX {
        // SAFETY: the key exists, and the value is a pointer that lives for ever.
        unsafe { libc::pthread_setspecific(key, std::ptr::from_ref(thread).cast()) };
    }
}

/// A root thread ends: its teams are given up, its end is reported, and its descriptor is kept for the next thread.
pub(crate) unsafe extern "C" fn leave(descriptor: *mut c_void) {
    // SAFETY: `watch_end` stored a descriptor, and descriptors live for ever.
    let thread = unsafe { &*descriptor.cast::<Thread>() };
    if arch::tls_thread() != descriptor {
        return;
    }
    if !thread.is_outside_regions() {
        return abandon(thread);
    }
    roots::end(thread);
    if !roster::is_any_left() {
        down::rest();
    }
}

/// The thread ends inside a region, cancelled or by `pthread_exit`. The other threads of its team may be anywhere in
/// the region's code. The thread's teams and its descriptor therefore stay as they are, and are not used again.
#[cold]
pub(crate) fn abandon(thread: &'static Thread) {
    let mut member = thread.member();
    let mut lost = 1;
    while let Some(parent) = member.team().parent() {
        if member.tid != 0 {
            break;
        }
        lost += member.team().attached.get() as i32 - 1;
        member = parent;
    }
    wait::attach(-lost);
    set_current(None);
    thread.clear_os_thread();
}
