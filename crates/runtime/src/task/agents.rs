//! Free agents (OpenMP 6.0, sections 4.3.10 and 14.8): threads that `OMP_THREADS_RESERVE` reserves for tasks with
//! `threadset(omp_pool)`, of whichever team. They begin with the first such task, and are none of the threads that
//! teams are made of.
//!
//! An agent takes a task as a thief does, under the lock of the list of teams that have offered some. A team leaves the
//! list before its region ends, so nobody looks into the queues of a team whose threads have left. The agent executes
//! the task, and whatever that generates, in a team of one of its own: the task's children run where they are
//! generated. When all of them are complete it hands the task to the team, as one that only needs to be counted.

use super::create;
use super::{depend, schedule, wait};
use crate::icv;
use crate::objects::body::Mode;
use crate::objects::current;
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::objects::task::flag;
use crate::ompt;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::place;
use crate::protocol::deque::Stolen;
use crate::stack;
use crate::thread::helpers;
use crate::thread::places;
use crate::warnings;
use ::ompt::State;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// In a queued task's `awaited`: free agents may take it. While a task waits for its children the word has another
/// meaning, and no queue has the task.
const OFFERED: u32 = u32::MAX;

/// Teams that have offered tasks and may have more.
static OFFERS: Mutex<Vec<&'static Team>> = Mutex::new(Vec::new());
/// Where agents wait for offers.
static CALLS: Event = Event::new();
/// Where the end of the program waits for agents to end.
static ENDED: Event = Event::new();
/// Whether agents have been created.
static STARTED: AtomicBool = AtomicBool::new(false);
/// Whether they are to end.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Agents that exist as threads.
static LIVE: AtomicU32 = AtomicU32::new(0);

/// Queues `task`, which has been counted, waits for nothing and may be executed by free agents, in the team of the
/// calling thread. Returns false if it goes the ordinary way.
#[cold]
pub(super) fn publish(thread: &'static Thread, task: &'static Task) -> bool {
    let team = thread.member().team();
    if !may_leave(team, task) {
        return false;
    }
    task.awaited.store(OFFERED, Ordering::Relaxed);
    create::publish(thread, task);
    OFFERS.with(|teams| {
        if !teams.iter().any(|other| std::ptr::eq(*other, team)) {
            teams.push(team);
        }
    });
    if !STARTED.load(Ordering::Relaxed) {
        start_all();
    }
    CALLS.call_one();
    true
}

/// Whether a thread outside of `team` can do what the task needs: nothing there is told by thread numbers, and nobody
/// discards it.
fn may_leave(team: &Team, task: &Task) -> bool {
    const STAYS: u32 =
        flag::IMPORTING | flag::TARGET | flag::DEVICE | flag::ASYNCHRONOUS | flag::CANCELLABLE | flag::LOOP_CHUNK;
    icv::settings().reserve.free_agent > 0
        && team.nthreads() > 1
        && !task.has(STAYS)
        && !wait::in_reduction(task, false)
}

/// The region of `team` is about to end, and all its tasks are complete: no agent looks into its queues any more.
#[cold]
pub fn forget(team: &Team) {
    if STARTED.load(Ordering::Relaxed) {
        OFFERS.with(|teams| teams.retain(|other| !std::ptr::eq(*other, team)));
    }
}

/// Creates the agents that have been reserved.
#[cold]
fn start_all() {
    if STARTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let reserved = icv::settings().reserve.free_agent as u32;
    // Reserved without a number, where there is no limit.
    let number = if reserved > MOST { place::available_cpus() } else { reserved };
    for _ in 0..number {
        LIVE.fetch_add(1, Ordering::Relaxed);
        // SAFETY: `start` makes nothing of its argument.
        match unsafe { stack::create(start, std::ptr::null_mut()) } {
            // SAFETY: a thread that nobody joins.
            Ok(id) => drop(unsafe { libc::pthread_detach(id) }),
            Err(error) => {
                LIVE.fetch_sub(1, Ordering::Relaxed);
                let error = std::io::Error::from_raw_os_error(error);
                return warnings::warn(&format!(
                    "ferromp: cannot create a thread ({error}); there are fewer free agents\n"
                ));
            }
        }
    }
}

/// More than any reservation that is a number.
const MOST: u32 = 1 << 16;

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    let thread = helpers::enter_as_helper();
    places::settle_worker(thread);
    let inside = ompt::stay_inside(thread);
    ompt::idle(thread);
    loop {
        if let Some((task, team)) = take() {
            ompt::awake(thread);
            execute(thread, task, team);
            ompt::idle(thread);
            continue;
        }
        let ticket = CALLS.prepare();
        if ENDING.load(Ordering::SeqCst) {
            CALLS.cancel(ticket);
            break;
        }
        if OFFERS.with(|teams| !teams.is_empty()) {
            CALLS.cancel(ticket);
            continue;
        }
        CALLS.sleep(ticket);
    }
    ompt::awake(thread);
    drop(inside);
    helpers::leave_helper(thread);
    LIVE.fetch_sub(1, Ordering::SeqCst);
    ENDED.notify_all();
    std::ptr::null_mut()
}

/// Takes a task that has been offered. A team where none is to be had is off the list until it offers another.
fn take() -> Option<(&'static Task, &'static Team)> {
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
    let offered = |task: *const Task| unsafe { &*task }.awaited.load(Ordering::Relaxed) == OFFERED;
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

/// Executes a task of `team` on an agent.
fn execute(thread: &'static Thread, task: &'static Task, team: &'static Team) {
    let own = &thread.member().team().region;
    let theirs = &team.region;
    let before = (own.level.get(), own.active_level.get(), own.num_teams.get(), own.team_num.get());
    let stand = |(level, active_level, num_teams, team_num): (i32, i32, i32, i32)| {
        own.level.set(level);
        own.active_level.set(active_level);
        own.num_teams.set(num_teams);
        own.team_num.set(team_num);
    };
    // What its tasks generate runs where it is generated.
    thread.member().tasks.mode.set(Mode::Outside);
    stand((theirs.level.get(), theirs.active_level.get(), theirs.num_teams.get(), theirs.team_num.get()));
    thread.set_works_for(Some(team));
    thread.member().team().tool.stand_in_for(Some(&team.tool));
    schedule::execute_from_outside(thread, task);
    thread.member().team().tool.stand_in_for(None);
    thread.set_works_for(None);
    stand(before);
}

/// The code of `task`, one that free agents may execute, has returned. Returns whether an agent has executed it; then
/// all its descendants are complete.
#[cold]
pub(super) fn body_returned(thread: &'static Thread, task: &'static Task) -> bool {
    if task.team().is_none_or(|team| std::ptr::eq(team, thread.member().team())) {
        return false;
    }
    // The team's barriers do not count its descendants.
    wait::until(thread, State::WAIT_TASKWAIT, || !task.has_incomplete_descendants());
    task.forget_children();
    if !task.children.get().is_null() {
        depend::forget(task);
    }
    true
}

/// How long [`end`] waits for agents that give no sign.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends the agents, so that a tool hears of the end of each. Others begin with the next task for them.
pub fn end() {
    if !STARTED.load(Ordering::Relaxed) {
        return;
    }
    ENDING.store(true, Ordering::SeqCst);
    CALLS.notify_all();
    let begun = Instant::now();
    while LIVE.load(Ordering::SeqCst) > 0 && begun.elapsed() < PATIENCE {
        let ticket = ENDED.prepare();
        if LIVE.load(Ordering::SeqCst) == 0 {
            ENDED.cancel(ticket);
            break;
        }
        ENDED.sleep_for(ticket, PATIENCE);
    }
    ENDING.store(false, Ordering::SeqCst);
    STARTED.store(false, Ordering::Relaxed);
}

/// In a forked child there are no agents.
pub fn after_fork() {
    OFFERS.renew_after_fork();
    CALLS.forget_sleepers();
    ENDED.forget_sleepers();
    STARTED.store(false, Ordering::Relaxed);
    LIVE.store(0, Ordering::Relaxed);
}

/// Whether the calling thread is a free agent (`omp_is_free_agent`; OpenMP 6.0, section 23.1.4).
pub fn is_one() -> bool {
    current::asked().is_some_and(|thread| thread.works_for().is_some())
}
