//! Tasks that teams offer to free agents (OpenMP 6.0, section 14.8): which tasks agents may execute, and how an agent
//! takes one. `agents.rs` has the threads.

use super::group;
use crate::icv;
use crate::objects::structures::{Task, Team};
use crate::objects::task::flag;
use crate::protocol::deque::Stolen;
use crate::protocol::offers::Offers;

/// The teams that have offered tasks, and the agents.
pub(super) static OFFERS: Offers<Offering> = Offers::new();

/// A team that has offered tasks. Two of them are equal if they are the same object.
#[derive(Clone, Copy)]
pub(super) struct Offering(pub(super) &'static Team);

impl PartialEq for Offering {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// Whether free agents may execute `task` of `team`. If not, the task is like others from here on.
pub(super) fn admit(team: &Team, task: &Task) -> bool {
    let admitted = !task.has(flag::UNDEFERRED) && may_leave(team, task);
    if !admitted {
        task.change_flags(0, flag::POOL);
    }
    admitted
}

/// Whether a thread outside of `team` can do what `task` needs: nothing in the task depends on thread numbers, and
/// cancellation cannot discard the task.
fn may_leave(team: &Team, task: &Task) -> bool {
    const STAYS: u32 =
        flag::IMPORTING | flag::TARGET | flag::DEVICE | flag::ASYNCHRONOUS | flag::CANCELLABLE | flag::LOOP_CHUNK;
    icv::settings().reserve.free_agent > 0
        && team.nthreads() > 1
        && !task.has(STAYS)
        && !group::in_reduction(task, false)
}

/// Takes a task that `team` has offered. The caller holds the list of offers, so the team's region goes on meanwhile.
pub(super) fn take_of(team: &'static Team) -> Option<&'static Task> {
    // SAFETY: what is in a queue is a header, and headers stay mapped; what is read of it is atomic.
    let offered = |task: *const Task| unsafe { &*task }.generated.is_offered();
    if !team.tasks.queue.is_empty() {
        let found = team.tasks.queue.take(|task| offered(task) && !task.has(flag::FINISHED));
        if found.is_some() {
            return found;
        }
    }
    (0..team.nthreads()).find_map(|tid| {
        loop {
            match team.member(tid).tasks.deque.steal(offered) {
                // SAFETY: the task was taken from the queue, so it is alive and this thread's.
                Stolen::Taken(task) => return Some(unsafe { &*task }),
                Stolen::Lost => std::hint::spin_loop(),
                _ => return None,
            }
        }
    })
}
