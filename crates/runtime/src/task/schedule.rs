//! Which task a thread takes next, and whether any is left (OpenMP 5.1 §2.12.6).
//!
//! The task scheduling constraint is kept in a stricter form: a thread that waits inside an explicit task, tied or not,
//! starts only that task's descendants. So stacks nest no deeper than tasks do.

use super::headers;
use super::life;
use crate::model::atomic::Ordering;
use crate::objects::body::Mode;
use crate::objects::structures::{Member, Task, Team, Thread};
use crate::objects::task::flag;
use crate::protocol::quiescence::GROUP;
use crate::protocol::theft::{Attempt, FEWEST, Search};
use crate::thread::wait;

/// The member is about to publish or to complete a task, for the first time since it was last without work.
#[cold]
pub(super) fn begin(member: &Member) {
    let team = member.team();
    let tasks = &member.tasks;
    tasks.mode.set(match (team.region.level.get(), team.nthreads()) {
        (0, _) => Mode::Outside,
        (_, 1) => Mode::Alone,
        _ => Mode::Shared,
    });
    team.tasks.sums.begin(&tasks.account, member.tid, team.nthreads());
    team.tasks.groups.restart(member.tid, team.nthreads(), &tasks.deque);
    tasks.thief.restart();
}

/// Adds the member's account to the team's sums, if the member has found no task, and then asks `is_over`. The answer
/// is false if the member may find more.
#[inline]
fn settled_and(member: &Member, team: &Team, is_over: impl FnOnce() -> bool) -> bool {
    let tasks = &member.tasks;
    if tasks.account.is_busy() {
        if !tasks.thief.has_missed() {
            return false;
        }
        tasks.mode.set(Mode::Unknown);
        team.tasks.sums.settle(&tasks.account, member.tid, team.nthreads());
    }
    let over = is_over();
    // Now that others do not wait for this thread.
    let store = &member.thread().tasks;
    if store.has_aside() {
        headers::free_those_aside(store);
    }
    over
}

/// Whether no task is left that was created before barrier `epoch`. The caller has seen all members arrive there.
///
/// Not inlined: a barrier of a region without tasks would save registers for this function at each look.
#[inline(never)]
pub fn quiescent(member: &Member, team: &Team, epoch: u64) -> bool {
    let sums = &team.tasks.sums;
    // A thread alone is told nothing by others. The initial team of a league begins anew with old epochs, so a note of
    // an earlier league would mislead it.
    let others = team.nthreads() > 1;
    if others && sums.has_ended(epoch) {
        return true;
    }
    settled_and(member, team, || {
        let over = sums.finds_end(&member.tasks.account, member.tid, team.nthreads(), epoch);
        if over && others && sums.end(epoch) {
            team.barrier.event.notify_all();
        }
        over
    })
}

/// As [`quiescent`], at the join, for the primary thread. Members may have been in different phases.
#[inline]
pub fn quiescent_at_join(member: &Member, team: &Team) -> bool {
    settled_and(member, team, || team.tasks.sums.is_quiescent(&member.tasks.account, member.tid, team.nthreads()))
}

/// As [`quiescent_at_join`], for a worker at the join of barrier epoch `epoch`. The last member to settle gets the
/// answer true, and wakes the primary thread.
#[inline]
pub fn finds_end_at_join(member: &Member, team: &Team, epoch: u64) -> bool {
    settled_and(member, team, || team.tasks.sums.finds_end(&member.tasks.account, member.tid, team.nthreads(), epoch))
}

/// Whether a thread that waits in `within` may start `task`. Any header may be asked about, also one that is not a live
/// task's; then the answer means nothing.
#[inline(always)]
fn allowed(task: &Task, within: Option<&Task>) -> bool {
    within.is_none_or(|ancestor| descends(task, ancestor))
}

#[inline]
fn descends(task: &Task, ancestor: &Task) -> bool {
    let wanted = std::ptr::from_ref(ancestor);
    let mut parent = task.parent.load(Ordering::Relaxed).cast_const();
    if parent == wanted {
        return true;
    }
    if !ancestor.is_explicit() {
        return task.root.load(Ordering::Relaxed).cast_const() == wanted;
    }
    // Each step goes up a generation. So a header that has been used again cannot lead round in circles.
    let floor = ancestor.depth.load(Ordering::Relaxed);
    let mut depth = task.depth.load(Ordering::Relaxed);
    // SAFETY: null or a header; headers stay mapped, and what is read of them is atomic.
    while let Some(task) = unsafe { parent.as_ref() } {
        let here = task.depth.load(Ordering::Relaxed);
        if here <= floor || here >= depth {
            return false;
        }
        depth = here;
        parent = task.parent.load(Ordering::Relaxed);
        if parent == wanted {
            return true;
        }
    }
    false
}

/// The thread does not look for tasks of its barrier any more.
#[inline(always)]
pub fn leave(thread: &'static Thread) {
    stop_waiting(thread.member());
}

/// Takes a task: from the team's queue, the member's own, or another member's.
#[inline]
pub(super) fn find(member: &Member, within: Option<&Task>, search: Search) -> Option<&'static Task> {
    let task = look(member, within, search)?;
    stop_waiting(member);
    if member.tasks.mode.get() == Mode::Unknown {
        begin(member);
    }
    Some(task)
}

/// The member does anything but look for tasks, so no other member may give it one any more.
#[inline(always)]
pub(super) fn stop_waiting(member: &Member) {
    if member.tasks.thief.waits() {
        close(member);
    }
}

#[inline(never)]
fn close(member: &Member) {
    if let Some(late) = member.tasks.thief.close(&member.tasks.lifeline) {
        // SAFETY: the giver has put a task into the lifeline that only its taker may start.
        life::publish_here(member, unsafe { &*late });
    }
}

#[inline]
fn look(member: &Member, within: Option<&Task>, search: Search) -> Option<&'static Task> {
    let team = member.team();
    if !team.tasks.queue.is_empty() {
        // Any thread may complete a finished task, unless that queues successors. Above what this thread waits for,
        // tasks that it may not start would hide those that it has to.
        let may = |task: &Task| task.has(flag::FINISHED) && task.node.get().is_null() || allowed(task, within);
        if let Some(task) = team.tasks.queue.take(may) {
            return Some(task);
        }
    }
    let alone = team.nthreads() == 1;
    let deque = &member.tasks.deque;
    if let Some(newest) = deque.newest() {
        // SAFETY: what is in a queue is a header, and headers stay mapped.
        if allowed(unsafe { &*newest }, within)
            && let Some(task) = deque.pop(alone)
        {
            if team.nthreads() > GROUP && deque.told_from.load(Ordering::Relaxed) > FEWEST {
                team.tasks.groups.restart(member.tid, team.nthreads(), deque);
            }
            // SAFETY: the task was taken from the queue, so it is alive and this thread's.
            return Some(unsafe { &*task });
        }
    }
    let stolen = if alone { None } else { steal(member, team, within, search) };
    if stolen.is_none() && !team.tasks.aside.is_empty() {
        return team.tasks.aside.take(|task| allowed(task, within));
    }
    stolen
}

/// Steals a task. A thread that may execute any task, and has none, takes several. One that waits inside a task takes
/// one: the others that it may execute are mostly those that the queue's owner waits for.
#[inline(never)]
fn steal(member: &Member, team: &Team, within: Option<&Task>, search: Search) -> Option<&'static Task> {
    let mine = &*member.tasks.deque;
    let attempt = Attempt {
        thief: &member.tasks.thief,
        groups: &team.tasks.groups,
        tid: member.tid,
        nthreads: team.nthreads(),
        deque: |tid| &*team.member(tid).tasks.deque,
        // SAFETY: as in `look`.
        allowed: |task: *const Task| allowed(unsafe { &*task }, within),
        mine: (within.is_none() && mine.is_empty()).then_some(mine),
        lifeline: &member.tasks.lifeline,
        // A thread that may not be running would keep the task waiting.
        may_wait: within.is_none() && team.nthreads() > GROUP && !wait::oversubscribed(),
    };
    let (task, more) = attempt.find(search)?;
    if more {
        life::call_for_help(team);
    }
    // SAFETY: as in `look`.
    Some(unsafe { &*task })
}
