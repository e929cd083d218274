//! Initial tasks beside a thread's first one: a target region that runs on the host is executed by an initial task of
//! its own, in a contention group of its own, on the thread that encountered it (OpenMP 5.1 §1.3, §2.14.5).

use super::hot;
use crate::barrier;
use crate::icv::Icvs;
use crate::objects::structures::Thread;
use crate::objects::structures::{Outlined, Team};
use crate::ompt::{self, InState};
use ::ompt::State;

/// Executes `outlined` as an initial task, with the ICVs that the program started with. `thread_limit` is the clause's
/// value. When it returns, the task's descendants are complete and the calling thread executes the task that it
/// executed before.
#[cold]
pub fn execute(thread: &'static Thread, outlined: &Outlined, thread_limit: Option<i32>) {
    let outer_task = thread.task();
    let outside = (&raw const *outlined).cast();
    let team = hot::take_spare();
    team.encountered_in.set(thread.member());
    let state = InState::new(thread, State::OVERHEAD, 0);
    ompt::target_region_begin(thread, outside);
    hot::make_initial(team, thread);
    team.region.team_num.set(0);
    team.region.num_teams.set(1);
    team.signal.outlined.set(*outlined);
    if let Some(limit) = thread_limit {
        limit_threads(thread, limit);
    }
    let member = thread.member();
    ompt::target_task_begin(thread, outer_task, outside);
    ompt::code_begins(&member.implicit);
    // SAFETY: whoever made `outlined` vouches for its function and arguments.
    unsafe { (outlined.invoke)(outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    ompt::code_ends(&member.implicit, outside);
    barrier::gather(thread, member, team);
    ompt::initial_task_end(thread);
    member.implicit.finish_implicit();
    hot::disband_children(member);
    // Another slot than before, if this is a child that was forked meanwhile.
    thread.set_member(team.encountered_in().expect("a target region is encountered somewhere"));
    thread.set_task(outer_task);
    ompt::target_region_end(thread);
    drop(state);
    team.encountered_in.set(std::ptr::null());
    hot::give_back(team);
}

/// Executes `outlined` as the initial task of a target region on a device, by a thread of the device that does nothing
/// else meanwhile. `team` is its own, and keeps what it forks for the next region. `thread_limit` is the clause's
/// value; the other ICVs are `icvs`.
pub fn execute_on_device(
    thread: &'static Thread,
    team: &'static Team,
    outlined: &Outlined,
    icvs: &Icvs,
    thread_limit: Option<i32>,
) {
    hot::make_initial(team, thread);
    *thread.icvs_mut() = *icvs;
    team.signal.outlined.set(*outlined);
    if let Some(limit) = thread_limit {
        limit_threads(thread, limit);
    }
    let member = thread.member();
    ompt::device_task_begin(thread);
    // SAFETY: whoever made `outlined` vouches for its function and arguments.
    unsafe { (outlined.invoke)(outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    barrier::gather(thread, member, team);
    ompt::device_task_end(thread);
    member.implicit.finish_implicit();
}

/// The `thread_limit` clause of a target construct, in its initial task.
fn limit_threads(thread: &Thread, limit: i32) {
    let icvs = thread.icvs_mut();
    icvs.thread_limit = limit.clamp(1, icvs.thread_limit);
    icvs.nthreads = icvs.nthreads.min(icvs.thread_limit);
}
