//! Which task a thread takes next, and whether any is left (OpenMP 5.1 §2.12.6).
//!
//! The task scheduling constraint is kept in a stricter form: a thread that waits inside an explicit task, tied or not,
//! starts only that task's descendants. So stacks nest no deeper than tasks do.

use crate::model::atomic::Ordering;
use crate::objects::structures::{Member, Task, Team};
use crate::objects::task::flag;
use crate::protocol::deque::Stolen;
use crate::protocol::quiescence;

/// The longest pause after a vain search or a lost race, about a microsecond.
const MOST_PAUSES: u32 = 24;

/// Whether no task is left that was created before barrier `epoch`. The caller has seen all members arrive there.
pub fn quiescent(team: &Team, epoch: u64) -> bool {
    quiescence::quiescent(counts(team), epoch as usize & 1)
}

/// As [`quiescent`], whatever phases members were in. The caller has seen all members arrive at the join.
pub fn quiescent_in_both_phases(team: &Team) -> bool {
    quiescence::all_quiescent(counts(team))
}

/// The counts of a team's members.
fn counts(team: &Team) -> impl Iterator<Item = &quiescence::Counts> + Clone {
    (0..team.nthreads()).map(move |tid| &*team.member(tid).tasks.counts)
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

/// Takes a task: from the team's queue, the member's own, or another member's.
#[inline]
pub(super) fn find(member: &Member, within: Option<&Task>) -> Option<&'static Task> {
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
            // SAFETY: the task was taken from the queue, so it is alive and this thread's.
            return Some(unsafe { &*task });
        }
    }
    let stolen = if alone { None } else { steal(member, team, within) };
    if stolen.is_none() && !team.tasks.aside.is_empty() {
        return team.tasks.aside.take(|task| allowed(task, within));
    }
    stolen
}

#[inline(never)]
fn steal(member: &Member, team: &Team, within: Option<&Task>) -> Option<&'static Task> {
    let nthreads = team.nthreads();
    // The team may have shrunk since.
    let first = member.tasks.victim.get() % nthreads;
    for step in 0..nthreads {
        let tid = if first + step < nthreads { first + step } else { first + step - nthreads };
        if tid == member.tid {
            continue;
        }
        let deque = &team.member(tid).tasks.deque;
        let mut losses = 0;
        // The thread looks until there is nothing for it. Only then may it sleep, because a task that joins others
        // wakes no thread. Each loss is an item that another thread took, so the team gets on, and soon a look wins or
        // finds nothing.
        loop {
            // SAFETY: as in `find`.
            match deque.steal(|task| allowed(unsafe { &*task }, within)) {
                Stolen::Taken(task) => {
                    member.tasks.victim.set(tid);
                    member.tasks.misses.set(0);
                    // SAFETY: as in `find`.
                    return Some(unsafe { &*task });
                }
                Stolen::Lost => {
                    losses = (losses + 1).min(MOST_PAUSES);
                    pause(losses);
                }
                _ => break,
            }
        }
    }
    // Each look takes a cache line away from the thread that is working: look less often.
    let misses = member.tasks.misses.get();
    member.tasks.misses.set((misses + 1).min(MOST_PAUSES));
    pause(misses);
    // The next search begins with another member.
    member.tasks.victim.set((first + 1) % nthreads);
    None
}

fn pause(times: u32) {
    for _ in 0..times {
        std::hint::spin_loop();
    }
}
