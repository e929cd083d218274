//! Initial tasks of target regions. A target region that runs on the host is executed by an initial task of its own, in
//! a contention group of its own, on the thread that encountered it (OpenMP 5.1 §1.3, §2.14.5).

use super::hot;
use crate::barrier;
use crate::icv::Icvs;
use crate::objects::structures::{Outlined, Team, Thread};
use crate::ompt::{self, InState};
use ::ompt::State;

/// Executes `outlined` as an initial task with the ICVs that the program started with. `thread_limit` is the clause's
/// value. When this returns, the task's descendants are complete, and the thread executes its former task again.
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
    set_code(thread, team, outlined, thread_limit);
    let member = thread.member();
    ompt::target_task_begin(thread, outer_task, outside);
    ompt::code_begins(&member.implicit);
    // SAFETY: the caller made `outlined` of a function and the arguments that it takes.
    unsafe { (outlined.invoke)(outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    ompt::code_ends(&member.implicit, outside);
    barrier::gather(thread, member, team);
    ompt::initial_task_end(thread);
    member.implicit.finish_implicit();
    hot::disband_children(member);
    // Not the slot of the begin, if the code has called `fork` and this is the child.
    thread.move_to(team.encountered_in().expect("a target region is encountered somewhere"), outer_task);
    ompt::target_region_end(thread);
    drop(state);
    team.encountered_in.set(std::ptr::null());
    hot::give_back(team);
}

/// Executes `outlined` as the initial task of a target region on the host device, on a thread of that device. `team` is
/// the thread's own; it keeps the teams that it forks for the next region. The ICVs are `icvs`, with `thread_limit`
/// from the clause.
pub fn execute_on_device(
    thread: &'static Thread,
    team: &'static Team,
    outlined: &Outlined,
    icvs: &Icvs,
    thread_limit: Option<i32>,
) {
    hot::make_initial(team, thread);
    *thread.icvs_mut() = *icvs;
    set_code(thread, team, outlined, thread_limit);
    let member = thread.member();
    ompt::device_task_begin(thread);
    // SAFETY: the caller made `outlined` of a function and the arguments that it takes.
    unsafe { (outlined.invoke)(outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    barrier::gather(thread, member, team);
    ompt::device_task_end(thread);
    member.implicit.finish_implicit();
}

/// Sets the code of an initial task that `thread` has just begun, and applies the `thread_limit` clause.
fn set_code(thread: &Thread, team: &Team, outlined: &Outlined, thread_limit: Option<i32>) {
    team.signal.outlined.set(*outlined);
    if let Some(limit) = thread_limit {
        let icvs = thread.icvs_mut();
        icvs.thread_limit = limit.clamp(1, icvs.thread_limit);
        icvs.nthreads = icvs.nthreads.min(icvs.thread_limit);
    }
}
