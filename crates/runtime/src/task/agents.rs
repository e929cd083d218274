//! Free agents (OpenMP 6.0, sections 4.3.10 and 14.8): threads that `OMP_THREADS_RESERVE` reserves for tasks with
//! `threadset(omp_pool)`, of whichever team. They begin with the first such task, and are none of the threads that
//! teams are made of.
//!
//! An agent takes a task as a thief does, under the lock of the list of teams that have offered some. A team leaves the
//! list before its region ends, so nobody looks into the queues of a team whose threads have left. The agent executes
//! the task, and whatever that generates, in a team of one of its own: the task's children run where they are
//! generated. When all of them are complete it hands the task to the team, as one that only needs to be counted.

use super::depend;
use super::life;
use super::offers::{self, OFFERS, Offering};
use super::wait;
use crate::icv;
use crate::objects::body::Mode;
use crate::objects::current;
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::ompt;
use crate::place;
use crate::protocol::offers::Found;
use crate::stack;
use crate::thread::helpers;
use crate::warnings;
use ::ompt::State;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// A task that free agents may execute is generated, in `team`: the agents begin with the first such task.
#[cold]
pub(super) fn begin(team: &Team, task: &Task) {
    if !OFFERS.has_agents() && offers::may_leave(team, task) {
        OFFERS.start_once(start_all);
    }
}

/// The region of `team` is about to end, and all its tasks are complete: no agent looks into its queues any more.
#[cold]
pub fn forget(team: &'static Team) {
    OFFERS.withdraw(Offering(team));
}

/// Creates the agents that have been reserved.
#[cold]
fn start_all() {
    let reserved = icv::settings().reserve.free_agent as u32;
    // Reserved without a number, where there is no limit.
    let number = if reserved > MOST { place::available_cpus() } else { reserved };
    for _ in 0..number {
        OFFERS.begin();
        // SAFETY: `start` makes nothing of its argument.
        match unsafe { stack::create(start, std::ptr::null_mut()) } {
            // SAFETY: a thread that nobody joins.
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

/// More than any reservation that is a number.
const MOST: u32 = 1 << 16;

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    let thread = helpers::enter_as_helper();
    place::settle_worker(&thread.place);
    let inside = ompt::stay_inside(thread);
    ompt::idle(thread);
    while let Found::Task((task, team)) = OFFERS.next(|Offering(team)| Some((offers::take_of(team)?, team))) {
        ompt::awake(thread);
        execute(thread, task, team);
        ompt::idle(thread);
    }
    ompt::awake(thread);
    drop(inside);
    helpers::leave_helper(thread);
    OFFERS.leave();
    std::ptr::null_mut()
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
    life::execute_from_outside(thread, task, await_descendants);
    thread.member().team().tool.stand_in_for(None);
    thread.set_works_for(None);
    stand(before);
}

/// Waits for the descendants of `task`, which this agent has executed: the barriers of the task's team do not count
/// them.
fn await_descendants(thread: &'static Thread, task: &Task) {
    wait::until(thread, State::WAIT_TASKWAIT, || !task.has_incomplete_descendants());
    task.generated.forget();
    if !task.children.get().is_null() {
        depend::forget(task);
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
