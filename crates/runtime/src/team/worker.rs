//! A worker's side of fork and join: wait for the `go` word, take part, arrive, leave.

use super::go::{Go, Phase};
use super::meeting::Join;
use super::rendezvous::{self, AtBarrier};
use super::{Member, Team, fork, hot};

use crate::ompt;
use crate::thread::wait::InState;
use crate::thread::{self, Thread, pool, process};
use crate::work;
use ::ompt::State;

/// Makes a new worker's descriptor whole before the tool hears of the thread: it belongs to the
/// slot's implicit task from here on.
pub fn settle(thread: &Thread, member: &Member) {
    thread.set_member(member);
    thread.set_task(&member.implicit);
}

/// Works in `member`'s team, region after region, until the team is given up.
pub fn serve(thread: &'static Thread, member: &'static Member) {
    let team = member.team();
    settle(thread, member);
    ompt::idle(thread);
    loop {
        let go = team.signal.go.next(&InState(State::IDLE), &team.idle, &member.recall, member.tid, &member.seen);
        if go.phase() == Phase::Disband {
            if team.is_deserted() {
                process::end_of_forked_worker();
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
    fork::enter(thread, member, parent_task, team);
    ompt::implicit_task_begin(thread, team, nthreads, member.tid);
    if let Some(preset) = region.preset.get() {
        work::start_preset(thread, preset);
    }
    // SAFETY: the door that made `outlined` vouches for its function and arguments, which stay in
    // place until the join.
    unsafe { (outlined.invoke)(&outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    member.implicit.tool.code_returned();
    let sync = ompt::SyncRegion::begin_leave(thread, team, codeptr);
    let epoch = member.epoch.get() + 1;
    member.epoch.set(epoch);
    let helper = AtBarrier { thread, team, state: State::WAIT_BARRIER_IMPLICIT_PARALLEL };
    join.pass(&helper, &member.arrival, epoch, go.epoch(), || rendezvous::no_task_is_left(team, epoch));
    sync.end(std::ptr::null_mut());
    ompt::implicit_task_end(thread, member.tid);
    member.implicit.finish_implicit();
    ompt::idle(thread);
    thread::settle();
}
