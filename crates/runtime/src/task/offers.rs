//! Tasks that teams have offered to free agents (OpenMP 6.0, section 14.8): who has some, and who takes them.

use super::group;
use crate::icv;
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::task::flag;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::protocol::deque::Stolen;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

/// Teams that have offered tasks and may have more.
pub(super) static OFFERS: Mutex<Vec<&'static Team>> = Mutex::new(Vec::new());

/// Where agents wait for offers.
pub(super) static CALLS: Event = Event::new();

/// Whether agents have been created.
pub(super) static STARTED: AtomicBool = AtomicBool::new(false);

/// Lets free agents take `task`, which has been counted, waits for nothing and is queued next. Returns false if it goes
/// the ordinary way.
pub(super) fn open(team: &Team, task: &Task) -> bool {
    let open = STARTED.load(Ordering::Relaxed) && may_leave(team, task);
    if open {
        task.generated.offer();
    }
    open
}

/// Tells free agents that `team` has queued a task for them.
pub(super) fn announce(team: &'static Team) {
    OFFERS.with(|teams| {
        if !teams.iter().any(|other| std::ptr::eq(*other, team)) {
            teams.push(team);
        }
    });
    CALLS.call_one();
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

/// The region of `team` is about to end, and all its tasks are complete: no agent looks into its queues any more.
#[cold]
pub(super) fn forget(team: &Team) {
    OFFERS.with(|teams| teams.retain(|other| !std::ptr::eq(*other, team)));
}

/// Takes a task that has been offered. A team where none is to be had is off the list until it offers another.
pub(super) fn take() -> Option<(&'static Task, &'static Team)> {
    OFFERS.with(|teams| {
        while let Some(&team) = teams.last() {
            if let Some(task) = take_of(team) {
                // The other teams' turn is next.
                teams.rotate_right(1);
                return Some((task, team));
            }
            teams.pop();
        }
        None
    })
}

/// As `take`, of one team, whose region goes on as long as the caller holds the list.
fn take_of(team: &'static Team) -> Option<&'static Task> {
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
