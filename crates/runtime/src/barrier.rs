//! Where the threads of a team meet: barriers, with tasks executed while waiting
//! (OpenMP 5.1 §2.19.2, §2.12.6).

use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Team};
use crate::ompt;
use crate::protocol::barrier::Form;
use crate::task;
use crate::thread::wait::{self, Spinner};
use ::ompt::State;

/// A barrier of the current team: all threads arrive, all tasks of the team complete, then all go on.
#[inline]
pub fn barrier(thread: &'static Thread, kind: ::ompt::SyncRegion, call: impl Caller) {
    let member = thread.member();
    let team = member.team();
    let sync = ompt::SyncRegion::begin_at(thread, kind, call);
    if !sync.is_of_a_callback() {
        gather(thread, member, team);
    }
    sync.end_in(team);
}

/// Arrives and waits until all have arrived and no task is left.
#[inline(always)]
pub(crate) fn gather(thread: &'static Thread, member: &Member, team: &Team) {
    if team.nthreads() == 1 && !team.has_tasks() {
        member.epoch.set(member.epoch.get() + 1);
    } else {
        gather_all(team, member, thread);
    }
}

/// As [`gather`], where there may be something to wait for. The thread comes last, so that a door has it in no register
/// that its own arguments are in.
#[inline(never)]
fn gather_all(team: &Team, member: &Member, thread: &'static Thread) {
    let epoch = member.epoch.get() + 1;
    let nthreads = team.nthreads();
    if nthreads > 1 {
        team.barrier.arrive(team.region.form.get(), &member.arrival, epoch, nthreads);
    }
    let over =
        || all_arrived(team, epoch) && (!team.has_tasks() || team.is_cancelled() || task::quiescent(team, epoch));
    meet(thread, team, State::WAIT_BARRIER, over);
    member.epoch.set(epoch);
}

/// As [`gather`], at the end of the region; the primary thread's part.
#[inline(always)]
pub(crate) fn gather_at_join(thread: &'static Thread, member: &Member, team: &Team) {
    let epoch = member.epoch.get() + 1;
    let nthreads = team.nthreads();
    let over = || all_joined(team, epoch, 1) && (!team.has_tasks() || no_task_is_left(team, epoch));
    if nthreads == 1 {
        if team.has_tasks() {
            meet(thread, team, State::WAIT_BARRIER_IMPLICIT_PARALLEL, over);
        }
    } else {
        team.barrier.arrive_at_join(team.region.form.get(), &member.arrival, epoch, nthreads);
        meet(thread, team, State::WAIT_BARRIER_IMPLICIT_PARALLEL, over);
    }
    member.epoch.set(epoch);
}

/// The second arrival after a region with tasks: once all have arrived, nobody looks for tasks.
pub(crate) fn meet_once_more(member: &Member, team: &Team) {
    let epoch = member.epoch.get() + 1;
    let form = team.region.form.get();
    team.barrier.arrive_at_join(form, &member.arrival, epoch, team.nthreads());
    wait::until_in(State::WAIT_BARRIER_IMPLICIT_PARALLEL, &team.barrier.event, || all_joined(team, epoch, 2));
    member.epoch.set(epoch);
}

#[inline(always)]
fn all_arrived(team: &Team, epoch: u64) -> bool {
    let nthreads = team.nthreads();
    nthreads == 1
        || team.barrier.all_arrived(team.region.form.get(), epoch, team.members().map(|member| &*member.arrival))
}

#[inline(always)]
fn all_joined(team: &Team, epoch: u64, round: u32) -> bool {
    let nthreads = team.nthreads();
    let arrivals = team.members().map(|member| &*member.arrival);
    nthreads == 1 || team.barrier.all_joined(team.region.form.get(), epoch, round, nthreads, arrivals)
}

/// Whether all tasks of the region are complete, for a caller that has seen all members arrive at its
/// join. Where the region was cancelled, members may be in different phases: then both count.
pub(crate) fn no_task_is_left(team: &Team, epoch: u64) -> bool {
    match team.region.form.get() {
        Form::Cancellable => task::quiescent_in_both_phases(team),
        _ => task::quiescent(team, epoch),
    }
}

/// Waits for a barrier's end, executing tasks meanwhile. `over` says whether it is over; `state` is for debuggers.
#[inline(always)]
fn meet(thread: &'static Thread, team: &Team, state: State, over: impl Fn() -> bool) {
    let mut spinner = Spinner::new();
    let mut helped = false;
    let event = &team.barrier.event;
    loop {
        if over() {
            if helped {
                // What others wait for may have been completed by this thread.
                event.notify_all();
            }
            return;
        }
        if team.has_tasks() && task::help(thread) {
            helped = true;
            spinner.restart();
            continue;
        }
        if team.is_deserted() {
            return;
        }
        if spinner.pause() {
            continue;
        }
        let ticket = event.prepare();
        if over() {
            event.cancel(ticket);
            continue;
        }
        if team.has_tasks() && task::help(thread) {
            event.cancel(ticket);
            helped = true;
            spinner.restart();
            continue;
        }
        wait::sleep_in(state, event, ticket);
        // Another who completed a task after that look has told, or will.
        helped = false;
        if team.has_tasks() && task::help_when_called(thread) {
            helped = true;
        }
        spinner.restart();
    }
}
