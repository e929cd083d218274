//! Initial tasks of roots: teams of one, kept for later use, and threads of the runtime's own that become roots.

use crate::model::atomic::Ordering;
use crate::objects::current;
use crate::objects::current::set_current;
use crate::objects::structures::{Team, Thread};
use crate::ompd::ferromp_ompd;
use crate::team::hot;
use crate::thread::{roster, wait};
use crate::work::threadprivate;
use crate::{ompt, signals};
use std::ffi::c_void;

/// Makes the calling thread, one of the runtime's own that works for devices, a root with an initial task of its own.
/// Tools know it as one of another kind. It counts as none of those that compete for CPUs, since it hardly runs. The
/// runtime is up.
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

/// The thread that [`enter_as_helper`] has made a root ends.
pub fn leave_helper(thread: &'static Thread) {
    wait::attach(1);
    end(thread);
}

/// Gives a worker that has no slot in a team any more an initial task, of which no tool hears, in a team of one.
pub fn begin_unreported_task(thread: &'static Thread) -> &'static Team {
    let team = hot::take_spare();
    hot::make_initial(team, thread);
    team
}

/// Takes the team back that [`begin_unreported_task`] has given.
pub fn end_unreported_task(thread: &Thread, team: &'static Team) {
    hot::disband_children(thread.member());
    hot::give_back(team);
}

/// A root thread ends, outside of all regions.
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
    if thread.task().has_incomplete_descendants() {
        // Another thread may fulfil an event later (`detach`), and would find the next thread's task in the place of
        // the one that counts. So nobody gets this place again.
        return;
    }
    hot::give_back(team);
    roster::give_back(thread);
}

/// In a forked child the lists start anew: a thread that is gone may have been changing one, and those
/// that are gone would never leave the callback that they were in.
pub fn after_fork() {
    roster::SPARE.renew_after_fork();
    hot::after_fork();
    let caller = current::try_current();
    roster::LIVE.store(i32::from(caller.is_some()), Ordering::Relaxed);
    // The one that steps into a device's code is the same thread.
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
    // SAFETY: a descriptor, by the caller, and descriptors live for ever.
    leave_helper(unsafe { &*thread.cast::<Thread>() });
}
