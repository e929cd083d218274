//! Free agents (OpenMP 6.0, sections 4.3.10 and 14.8): threads that execute tasks with `threadset(omp_pool)` of any
//! team, and belong to none. `OMP_THREADS_RESERVE` reserves them; they begin with the first such task.
//!
//! An agent takes a task as a thief does, under the lock of the list of teams that have offered tasks. A team leaves
//! the list before its region ends, so no agent looks into the queues of a team whose threads have left. The agent
//! executes the task, and whatever that generates, in a team of one of its own: the task's children run where they are
//! generated. When all of them are complete, the agent hands the task to its team, which only has to count it.

use super::helper;
use super::life;
use super::offers::{self, OFFERS, Offering};
use super::table;
use super::wait;
use crate::icv;
use crate::objects::body::Mode;
use crate::objects::current;
use crate::objects::structures::{Task, Team, Thread};
use crate::place;
use crate::stack;
use crate::warnings;
use ::ompt::State;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// Creates the agents that have been reserved, if there are none yet. Called when a task that they may execute is
/// generated.
#[cold]
pub(super) fn begin() {
    OFFERS.start_once(start_all);
}

/// Withdraws the offers of `team`, whose region is about to end, and whose tasks are all complete. No agent looks into
/// the team's queues any more.
#[cold]
pub fn forget(team: &'static Team) {
    OFFERS.withdraw(Offering(team));
}

/// More than any reservation that is a number.
const MOST: u32 = 1 << 16;

#[cold]
fn start_all() {
    let reserved = icv::settings().reserve.free_agent as u32;
    // A reservation without a number, where there is no limit, is for as many as there are CPUs.
    let number = if reserved > MOST { place::available_cpus() } else { reserved };
    for _ in 0..number {
        OFFERS.begin();
        // SAFETY: `start` ignores its argument.
        match unsafe { stack::create(start, std::ptr::null_mut()) } {
            // SAFETY: the thread is new, and no thread joins it.
            Ok(id) => drop(unsafe { libc::pthread_detach(id) }),
            Err(error) => {
                OFFERS.fail();
                let error = std::io::Error::from_raw_os_error(error);
                return warnings::warn(&format!(
                    "ferromp: cannot create a thread ({error}); there are fewer free agents\n"
                ));
            }
        }
    }
}

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    let next = || OFFERS.next(|Offering(team)| Some((offers::take_of(team)?, team)));
    helper::serve(next, |thread, (task, team)| execute(thread, task, team));
    OFFERS.leave();
    std::ptr::null_mut()
}

/// Executes a task of `team` on an agent, whose own team takes the place of `team` for the routines that the task
/// calls.
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
    thread.works_for.set(team);
    thread.member().team().tool.stands_for.set(&team.tool);
    life::execute_from_outside(thread, task, await_descendants);
    thread.member().team().tool.stands_for.set(std::ptr::null());
    thread.works_for.set(std::ptr::null());
    stand(before);
}

/// Waits for the descendants of `task`, which this agent has executed. The barriers of the task's team do not count
/// them.
fn await_descendants(thread: &'static Thread, task: &Task) {
    wait::until(thread, State::WAIT_TASKWAIT, || !task.generated.has_incomplete_descendants());
    task.generated.forget();
    if !task.children.get().is_null() {
        table::forget(task);
    }
}

/// How long [`end`] waits for agents that give no sign.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends the agents, so that a tool hears of the end of each. Others begin with the next task for them.
pub fn end() {
    if !OFFERS.has_agents() {
        return;
    }
    let begun = Instant::now();
    OFFERS.end(|event, ticket| event.sleep_for(ticket, PATIENCE), || begun.elapsed() < PATIENCE);
}

/// In a forked child there are no agents.
pub fn after_fork() {
    OFFERS.after_fork();
}

/// Whether the calling thread is a free agent (`omp_is_free_agent`; OpenMP 6.0, section 23.1.4).
pub fn is_one() -> bool {
    current::for_query().is_some_and(|thread| thread.works_for().is_some())
}
