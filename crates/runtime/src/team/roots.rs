//! Roots: the end of a root, helper threads of the runtime that are roots, and initial tasks that are not reported.

use crate::model::atomic::Ordering;
use crate::objects::current;
use crate::objects::current::set_current;
use crate::objects::structures::Thread;
use crate::ompd::ferromp_ompd;
use crate::team::hot;
use crate::thread::{roster, wait};
use crate::work::threadprivate;
use crate::{ompt, signals};
use std::ffi::c_void;

/// Makes the calling thread, a helper thread of the runtime, a root with an initial task of its own. The runtime is up.
/// Tools see a thread of kind `ompt_thread_other`. The thread does not count as attached, because it hardly ever runs.
pub fn enter_as_helper() -> &'static Thread {
    let thread = roster::descriptor(::ompt::Thread::OTHER);
    let team = hot::take_spare();
    set_current(Some(thread));
    hot::make_initial(team, thread);
    thread.set_os_thread();
    ompt::thread_begin(thread);
    ompt::initial_task_begin(thread);
    thread
}

/// Ends a thread that [`enter_as_helper`] has made a root.
pub fn leave_helper(thread: &'static Thread) {
    wait::attach(1);
    end(thread);
}

/// Ends a root thread, outside of all regions.
pub(crate) fn end(thread: &'static Thread) {
    let member = thread.member();
    let team = member.team();
    hot::disband_children(member);
    threadprivate::thread_end(thread);
    ompt::initial_task_end(thread);
    ompt::thread_end(thread);
    let _held = signals::hold();
    set_current(None);
    thread.clear_os_thread();
    thread.tasks.release();
    wait::attach(-1);
    if thread.task().generated.has_incomplete_descendants() {
        // A detached task is not complete. Another thread may fulfil its event later, and then counts it down in this
        // initial task. If another root got the same slot, its task would be counted down. So neither the team nor the
        // descriptor is used again.
        return;
    }
    hot::give_back(team);
    roster::give_back(thread);
}

/// Renews the lists of teams and threads in a forked child. A thread that does not exist there may have been changing
/// one. The list of live threads has only the calling one from here on: another might be marked as being in a callback
/// for ever.
pub fn after_fork() {
    roster::SPARE.renew_after_fork();
    hot::after_fork();
    let caller = current::try_current();
    roster::LIVE.store(i32::from(caller.is_some()), Ordering::Relaxed);
    // A host thread that executes a device's code has two descriptors.
    let outside = caller.and_then(Thread::steps_for);
    let mut newest = std::ptr::null_mut();
    for thread in [outside, caller].into_iter().flatten() {
        thread.set_os_thread();
        thread.next.store(newest, Ordering::Relaxed);
        newest = std::ptr::from_ref(thread).cast_mut();
    }
    ferromp_ompd.threads.store(newest, Ordering::Release);
}

/// [`ferromp_up_enter_as_helper`](crate::upcalls::ferromp_up_enter_as_helper).
#[unsafe(no_mangle)]
fn ferromp_up_enter_as_helper() -> *const c_void {
    std::ptr::from_ref(enter_as_helper()).cast()
}

/// [`ferromp_up_leave_helper`](crate::upcalls::ferromp_up_leave_helper).
///
/// # Safety
/// `thread` is a descriptor.
#[unsafe(no_mangle)]
unsafe fn ferromp_up_leave_helper(thread: *const c_void) {
    // SAFETY: the caller passes a descriptor, and descriptors are never freed.
    leave_helper(unsafe { &*thread.cast::<Thread>() });
}
