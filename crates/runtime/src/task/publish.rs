//! Where tasks are put that any thread of the team may take next, and who is woken for them.

use super::Task;
use crate::team::Team;
use crate::thread::Thread;

/// Queues a task that has been counted and waits for nothing.
#[inline(always)]
pub(super) fn publish(thread: &Thread, task: &Task) {
    let member = thread.member();
    if task.priority.get() > 0 {
        publish_prioritised(member.team(), task);
        return;
    }
    let alone = member.team().nthreads() == 1;
    if member.tasks.deque.push(task, alone) {
        call_for_help(member.team());
    }
}

/// Calls one of the threads that sleep for want of tasks, and those that wait inside tasks, who may
/// not execute every one. The caller has published a task by a sequentially consistent
/// read-modify-write, which a sleeper's last look either sees or comes before this look.
#[inline(always)]
fn call_for_help(team: &Team) {
    team.barrier.event.call_one();
    wake_waiters(team);
}

/// Wakes the threads that wait for children, groups or predecessors. The caller has published what
/// they wait for, as for [`call_for_help`].
#[inline(always)]
pub(super) fn wake_waiters(team: &Team) {
    if team.waits.has_sleepers() {
        team.waits.notify_all();
    }
}

/// Wakes whoever may have to do with a task that was put into the team's queue.
#[cold]
pub(super) fn wake_all(team: &Team) {
    team.barrier.event.notify_all();
    team.waits.notify_all();
}

/// As [`publish`], on a thread that is no member of `team`.
#[cold]
pub(super) fn publish_from_outside(team: &Team, task: &Task) {
    publish_prioritised(team, task);
}

#[cold]
fn publish_prioritised(team: &Team, task: &Task) {
    team.tasks.queue.put(task);
    wake_all(team);
}

/// Queues a task that has run and is to go on, on any thread, but after others: a task that yields lets
/// those run that it may be waiting for.
#[cold]
pub(super) fn set_aside(team: &Team, task: &Task) {
    team.tasks.aside.put(task);
    wake_all(team);
}
