//! Cancellation: the threads or tasks of a construct skip the rest of it (OpenMP 5.1 §2.20).
//!
//! If cancel-var is true, every region has the cancellable form of the barrier. Threads that skip to the region's end
//! meet there, and no thread goes on waiting for them elsewhere. If cancel-var is false, none of this costs anything. A
//! worksharing construct that may be cancelled ends with a barrier, so its cancellation holds between two barriers.

use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::structures::{Member, Team, Thread};
use crate::objects::switch::enabled;
use crate::objects::task::flag;
use crate::ompt;
use crate::task;
use ::ompt::CancelFlag;

/// The construct that a `cancel` or `cancellation point` directive names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Construct {
    Parallel,
    /// A worksharing loop.
    Loop,
    /// A `sections` construct, if the compiler distinguishes it from a loop.
    Sections,
    Taskgroup,
}

impl Construct {
    /// Whether this is a worksharing construct.
    pub fn is_work(self) -> bool {
        matches!(self, Construct::Loop | Construct::Sections)
    }

    /// The flag by which tools see the construct.
    fn flag(self) -> CancelFlag {
        match self {
            Construct::Parallel => CancelFlag::PARALLEL,
            Construct::Loop => CancelFlag::LOOP,
            Construct::Sections => CancelFlag::SECTIONS,
            Construct::Taskgroup => CancelFlag::TASKGROUP,
        }
    }
}

/// The flag for tasks that may be cancelled; 0 if cancel-var is false.
#[inline(always)]
pub fn task_flag() -> u32 {
    if enabled() { flag::CANCELLABLE } else { 0 }
}

/// Cancels the innermost region of this kind. Returns whether the region is cancelled; if so, the encountering thread
/// or task goes to the region's end.
pub fn cancel(thread: &Thread, construct: Construct, call: impl Caller) -> bool {
    if !enabled() {
        return false;
    }
    let member = thread.member();
    let team = member.team();
    if construct == Construct::Parallel && team.region.level.get() == 0 {
        // There is no parallel region around an initial task.
        return false;
    }
    ompt::cancel(thread, construct.flag() | CancelFlag::ACTIVATED, call);
    match construct {
        Construct::Parallel => {
            task::learn_of_cancellation(thread.task());
            team.cancel();
        }
        Construct::Loop | Construct::Sections => {
            team.work.cancelled.store(phase(member), Ordering::Release);
            member.work.current.exhaust(team);
        }
        Construct::Taskgroup => task::cancel_taskgroup(thread.task()),
    }
    true
}

/// Executes a cancellation point. Returns whether the innermost region of this kind has been cancelled; if so, the
/// encountering thread or task goes to the region's end.
pub fn cancellation_point(thread: &Thread, construct: Construct, call: impl Caller) -> bool {
    if !enabled() {
        return false;
    }
    let member = thread.member();
    let cancelled = match construct {
        Construct::Parallel => member.team().is_cancelled(),
        Construct::Loop | Construct::Sections => is_work_cancelled(member),
        Construct::Taskgroup => task::is_cancelled(thread, thread.task()),
    };
    if cancelled {
        if construct == Construct::Parallel {
            task::learn_of_cancellation(thread.task());
        }
        let region = construct == Construct::Taskgroup && member.team().is_cancelled();
        let flags = match region {
            true if task::is_taskgroup_cancelled(thread.task()) => CancelFlag::TASKGROUP | CancelFlag::PARALLEL,
            true => CancelFlag::PARALLEL,
            false => construct.flag(),
        };
        ompt::cancel(thread, flags | CancelFlag::DETECTED, call);
    }
    cancelled
}

/// Whether the innermost region of this kind has been cancelled. This is no cancellation point.
pub fn status(thread: &Thread, construct: Construct) -> bool {
    let member = thread.member();
    enabled()
        && match construct {
            Construct::Parallel => member.team().is_cancelled(),
            Construct::Loop | Construct::Sections => is_work_cancelled(member),
            Construct::Taskgroup => task::is_taskgroup_cancelled(thread.task()),
        }
}

/// Whether the parallel region has been cancelled. Called after each of its barriers, which are cancellation points.
#[inline]
pub fn is_region_cancelled(thread: &Thread, call: impl Caller) -> bool {
    let cancelled = enabled() && thread.member().team().is_cancelled();
    // A thread that knows of the cancellation already has reported it. It comes here since clang's code executes a
    // barrier on its way to the region's end.
    if cancelled && task::learn_of_cancellation(thread.task()) {
        ompt::cancel(thread, CancelFlag::PARALLEL | CancelFlag::DETECTED, call);
    }
    cancelled
}

/// Whether the member's worksharing construct has been cancelled.
fn is_work_cancelled(member: &Member) -> bool {
    member.team().work.cancelled.load(Ordering::Acquire) == phase(member)
}

/// The epoch of the member's next barrier.
fn phase(member: &Member) -> u64 {
    member.epoch.get() + 1
}

/// Prepares the team for its next region after a region with the cancellable form. All members have arrived for the
/// last time; the primary thread, whose slot is `member`, calls this. In a cancelled region, members have passed
/// different numbers of barriers, and have left constructs that others never encountered.
pub fn region_over(member: &Member, team: &Team) {
    if team.barrier.region_over() {
        let farthest = team.members().map(|member| member.epoch.get()).max();
        member.epoch.set(farthest.unwrap_or(0).max(member.epoch.get()));
        team.work.renew(&member.work);
        team.tasks.shared.clear();
    }
}
