//! The begin of an implicit task, which is the same for the primary thread and for workers.

use super::places;
use crate::objects::structures::{Member, Signal, Task, Team, Thread};
use crate::objects::task::flag;
use crate::place::Affinity;
use crate::work::cancel;

/// Moves the thread into its slot `member` of a region that has been described: numbers barriers and constructs as the
/// other members do, binds the thread to its place, and begins the implicit task. `signal` is what the thread looks at.
#[inline(always)]
pub(super) fn enter(
    thread: &'static Thread,
    member: &'static Member,
    parent_task: &Task,
    team: &Team,
    signal: &Signal,
) {
    let region = &team.region;
    member.epoch.set(signal.epoch.get());
    member.work.start(signal.work_base.get());
    member.tasks.start();
    let mut icvs = region.icvs.get();
    let affinity = region.affinity.get();
    if affinity != Affinity::NONE {
        icvs.partition = places::go(thread, member, affinity, icvs.partition);
    }
    member.implicit.begin_implicit(Some(parent_task), icvs, flag::IMPLICIT | cancel::task_flag());
    thread.move_to(member, &member.implicit);
    if affinity.has(Affinity::SHOW) {
        places::show(thread, region);
    }
}
