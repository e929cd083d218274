//! Cancellation: a construct's threads or tasks give up what is left of it (OpenMP 5.1 §2.20).
//!
//! Where cancel-var is true, every region has the cancellable form of barrier, so that threads which
//! leave for its end meet there and those that wait for them elsewhere go on; where it is false, none
//! of this costs anything. A cancelled worksharing construct must end with a barrier, so its
//! cancellation holds for the phase between two barriers.

use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::structures::{Member, Team, Thread};
use crate::objects::switch::enabled;
use crate::objects::task::flag;
use crate::ompt;
use crate::task;
use ::ompt::CancelFlag;

/// What a cancel or cancellation point construct names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Construct {
    Parallel,
    /// A worksharing loop.
    Loop,
    /// A `sections` construct, where the compiler tells it from a loop.
    Sections,
    Taskgroup,
}

impl Construct {
    /// Whether it is a worksharing construct.
    pub fn is_work(self) -> bool {
        matches!(self, Construct::Loop | Construct::Sections)
    }

    /// How tools hear of it.
    fn flag(self) -> CancelFlag {
        match self {
            Construct::Parallel => CancelFlag::PARALLEL,
            Construct::Loop => CancelFlag::LOOP,
            Construct::Sections => CancelFlag::SECTIONS,
            Construct::Taskgroup => CancelFlag::TASKGROUP,
        }
    }
}

/// The flag that makes a task's children cancellable, if anything is.
#[inline(always)]
pub fn task_flag() -> u32 {
    if enabled() { flag::CANCELLABLE } else { 0 }
}

/// Asks for cancellation of the innermost region of that kind: whether it is cancelled, so that the
/// encountering thread or task goes to its end.
pub fn cancel(thread: &Thread, construct: Construct, call: impl Caller) -> bool {
    if !enabled() {
        return false;
    }
    let member = thread.member();
    let team = member.team();
    if construct == Construct::Parallel && team.region.level.get() == 0 {
        // An initial task has no region around it.
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

/// A cancellation point: whether the innermost region of that kind has been cancelled, so that the
/// encountering thread or task goes to its end.
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

/// Whether the innermost region of that kind has been cancelled. Only asks: nothing ends because of it.
pub fn status(thread: &Thread, construct: Construct) -> bool {
    let member = thread.member();
    enabled()
        && match construct {
            Construct::Parallel => member.team().is_cancelled(),
            Construct::Loop | Construct::Sections => is_work_cancelled(member),
            Construct::Taskgroup => task::is_taskgroup_cancelled(thread.task()),
        }
}

/// Whether the parallel region has been cancelled: asked behind its barriers, each of which is a cancellation point.
#[inline]
pub fn is_region_cancelled(thread: &Thread, call: impl Caller) -> bool {
    let cancelled = enabled() && thread.member().team().is_cancelled();
    // On the way from where it cancelled the region, or found it cancelled, clang's programs come to a barrier.
    if cancelled && task::learn_of_cancellation(thread.task()) {
        ompt::cancel(thread, CancelFlag::PARALLEL | CancelFlag::DETECTED, call);
    }
    cancelled
}

/// Whether the worksharing construct that the member is in has been cancelled.
fn is_work_cancelled(member: &Member) -> bool {
    member.team().work.cancelled.load(Ordering::Acquire) == phase(member)
}

/// The barrier that ends the phase that the member is in.
fn phase(member: &Member) -> u64 {
    member.epoch.get() + 1
}

/// A region of the cancellable form is over, and all members have arrived for the last time. Called by
/// the primary thread, whose slot is `member`: where the region was cancelled, members have passed
/// different numbers of barriers and left constructs that others never came to.
pub fn region_over(member: &Member, team: &Team) {
    if team.barrier.region_over() {
        let farthest = team.members().map(|member| member.epoch.get()).max();
        member.epoch.set(farthest.unwrap_or(0).max(member.epoch.get()));
        team.work.renew(&member.work);
        team.tasks.shared.clear();
    }
}
