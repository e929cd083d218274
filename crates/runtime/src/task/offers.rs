//! Tasks that teams have offered to free agents (OpenMP 6.0, section 14.8): who has some, and who takes them.

use super::group;
use crate::icv;
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::task::flag;
use crate::protocol::deque::Stolen;
use crate::protocol::offers::Offers;

/// The teams that have offered tasks, and the agents.
pub(super) static OFFERS: Offers<Offering> = Offers::new();

/// A team that has offered tasks: the same as another if it is the same object.
#[derive(Clone, Copy)]
pub(super) struct Offering(pub(super) &'static Team);

impl PartialEq for Offering {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// Lets free agents take `task`, which has been counted, waits for nothing and is queued next. Returns false if it goes
/// the ordinary way.
pub(super) fn open(team: &Team, task: &Task) -> bool {
    let open = OFFERS.has_agents() && may_leave(team, task);
    if open {
        task.generated.offer();
    }
    open
}

/// Tells free agents that `team` has queued a task for them.
pub(super) fn announce(team: &'static Team) {
    OFFERS.offer(Offering(team));
}

/// Whether a thread outside of `team` can do what the task needs: nothing there is told by thread numbers, and nobody
/// discards it.
pub(super) fn may_leave(team: &Team, task: &Task) -> bool {
    const STAYS: u32 =
        flag::IMPORTING | flag::TARGET | flag::DEVICE | flag::ASYNCHRONOUS | flag::CANCELLABLE | flag::LOOP_CHUNK;
    icv::settings().reserve.free_agent > 0
        && team.nthreads() > 1
        && !task.has(STAYS)
        && !group::in_reduction(task, false)
}

/// Takes a task that has been offered, of one team, whose region goes on as long as the caller holds the list.
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
                // SAFETY: taken from the queue, so alive and this thread's.
                Stolen::Taken(task) => return Some(unsafe { &*task }),
                Stolen::Lost => std::hint::spin_loop(),
                _ => return None,
            }
        }
    })
}
