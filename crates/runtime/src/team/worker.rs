//! A worker's side of fork and join: wait for the `go` word, take part, arrive, leave.

use super::enter::enter;
use super::{forked, hot, roots};
use crate::barrier::{self, AtBarrier};
use crate::objects::current;
use crate::objects::structures::{Member, Team};
use crate::objects::switch;
use crate::place;
use crate::protocol::go::Go;
use crate::protocol::go::Phase;
use crate::protocol::meeting::Join;
use crate::signals;
use crate::thread::pool::ENDED;
use crate::thread::pool::WORKERS;
use crate::thread::roster;
use crate::work::threadprivate;

use crate::objects::structures::Thread;
use crate::ompt;
use crate::thread::pool;
use crate::thread::wait::{self, InState};
use crate::work;
use ::ompt::State;

/// Gives `team` at least `wanted` threads, the primary among them, as far as threads can be had.
/// Returns how many it has for the next region, at most `wanted`. Only between regions.
#[cold]
pub fn grow(team: &'static Team, primary: &'static Thread, wanted: u32) -> u32 {
    if team.attached.get() == 0 {
        hot::reserve(team, 1);
        team.member(0).thread.set(primary);
        team.attached.set(1);
    }
    let epoch = team.signal.go.latest().epoch();
    for tid in team.attached.get()..wanted {
        // Not more slots than there are threads to be had, whatever the program asks for.
        hot::reserve(team, tid + 1);
        // A slot without a thread knows nothing newer than the team's last region.
        team.member(tid).seen.set(epoch);
        if !pool::assign(team.member(tid), primary.device(), start) {
            break;
        }
        wait::attach(1);
        team.attached.set(tid + 1);
    }
    team.attached.get().min(wanted)
}

/// Works in `member`'s team, region after region, until the team is given up.
fn serve(thread: &'static Thread, member: &'static Member) {
    let team = member.team();
    thread.move_to(member, &member.implicit);
    ompt::idle(thread);
    loop {
        let go = team.signal.go.next(&InState(State::IDLE), &team.idle, &member.recall, member.tid, &member.seen);
        if go.phase() == Phase::Disband {
            if team.is_deserted() {
                forked::end_of_forked_worker();
            }
            hot::disband_children(member);
            pool::served(thread);
            // The last touch of the team; its primary waits for it.
            team.left.leave(&team.barrier.event);
            return;
        }
        execute(thread, member, team, go);
    }
}

/// Executes one region.
#[inline]
fn execute(thread: &'static Thread, member: &'static Member, team: &'static Team, go: Go) {
    let region = &team.region;
    let nthreads = go.nthreads();
    let join =
        Join { go: &team.signal.go, idle: &team.idle, barrier: &team.barrier, form: region.form.get(), nthreads };
    let outlined = team.signal.outlined.get();
    let codeptr = team.tool.codeptr.get();
    // SAFETY: the task that encountered the construct is suspended until the region ends.
    let parent_task = unsafe { &*region.parent_task.get() };
    enter(thread, member, parent_task, team);
    ompt::implicit_task_begin(thread, team, nthreads, member.tid);
    if let Some(preset) = region.preset.get() {
        work::start_preset(thread, preset);
    }
    // SAFETY: the entry point that made `outlined` vouches for its function and arguments, which stay in
    // place until the join.
    unsafe { (outlined.invoke)(&outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    member.implicit.tool.code_returned();
    let sync = ompt::SyncRegion::begin_leave(thread, team, codeptr);
    let epoch = member.epoch.get() + 1;
    member.epoch.set(epoch);
    let helper = AtBarrier { thread, team, state: State::WAIT_BARRIER_IMPLICIT_PARALLEL };
    join.pass(&helper, &member.arrival, epoch, go.epoch(), || barrier::no_task_is_left(team, epoch));
    sync.end(std::ptr::null_mut());
    ompt::implicit_task_end(thread, member.tid);
    member.implicit.finish_implicit();
    ompt::idle(thread);
    current::note_no_tool();
}

/// The slot that a worker has been given, if it has been given one.
fn slot(pointer: *mut Member) -> Option<&'static Member> {
    // SAFETY: null or a slot, and slots live for ever.
    unsafe { pointer.as_ref() }
}

/// The first function of a worker.
pub(crate) extern "C" fn start(argument: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    // SAFETY: `spawn` passes a descriptor, and descriptors live for ever.
    let thread = unsafe { &*argument.cast::<Thread>() };
    let member = slot(thread.idle.take_slot()).expect("a worker starts with a slot");
    thread.move_to(member, &member.implicit);
    // Last: from here on signal handlers find the descriptor, and must find it whole.
    current::set_current(Some(thread));
    thread.set_os_thread();
    thread.acc.renew();
    place::settle_worker(&thread.place);
    ompt::thread_begin(thread);
    let mut next = Some(member);
    while let Some(member) = next {
        serve(thread, member);
        WORKERS.come(thread);
        next = slot(thread.idle.wait_for_slot(&InState(State::IDLE)));
    }
    threadprivate::thread_end(thread);
    if switch::active() {
        // Its last slot may be another worker's by now, and the tool may use OpenMP in its callback.
        let team = roots::begin_unreported_task(thread);
        ompt::thread_end(thread);
        roots::end_unreported_task(thread, team);
    }
    // A handler would take a worker without a descriptor for a new root, and wait for the lock that this thread holds.
    let _held = signals::hold();
    current::set_current(None);
    thread.clear_os_thread();
    thread.tasks.release();
    roster::give_back(thread);
    // SAFETY: the call has no preconditions.
    ENDED.with(|ended| ended.push(unsafe { libc::pthread_self() }));
    WORKERS.end();
    std::ptr::null_mut()
}
