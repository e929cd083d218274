//! Leagues: the teams of a teams construct, each with an initial task of its own (OpenMP 5.1 §2.7).
//!
//! A league has a team of threads, as a parallel region has, but these *league threads* execute no implicit tasks. Each
//! becomes the primary thread of an initial team (a [`Team`] of one, the root of a contention group) for one number of
//! the league after the other. So as many teams run side by side as there are CPUs, and a league may have any number of
//! teams. A parallel region in a team forks from its initial team, as it does from a root's. Tools see only the league
//! and its initial tasks.
//!
//! Tiny teams run in turn on the thread that encountered the league, which then needs no league threads (`turns.rs`).

use super::enter::enter;
use super::turns::{Plan, Trial};
use super::{fork, hot, limits, places, worker};
use crate::arch;
use crate::barrier;
use crate::icv::{self, Icvs};
use crate::model::atomic::Ordering;
use crate::objects::call::{Call, Caller};
use crate::objects::clauses::Clauses;
use crate::objects::current;
use crate::objects::structures::{Member, Outlined, Task, Team, Thread};
use crate::objects::task::flag;
use crate::ompt::{self, Entered};
use crate::place::{self, Affinity, Bind};
use crate::thread::wait;
use crate::work::cancel;
use ::ompt::{ParallelFlag, SyncRegion};
use std::ffi::c_void;

impl Clauses {
    /// The number of teams of the league, on the device of its thread. Without a clause and without nteams-var there is
    /// one team, whose threads can use every CPU.
    fn teams(&self, device: i32, cpus: u32) -> u32 {
        match self.at_most {
            0 => icv::NUM_TEAMS.get(device).max(1) as u32,
            most => cpus.clamp(self.at_least.clamp(1, most), most),
        }
        .min(all_threads())
    }

    /// thread-limit-var of the initial tasks. `icvs` are the encountering task's. `side_by_side` teams would run at
    /// once if all threads can be had and the teams do not run in turn.
    fn limit(&self, device: i32, icvs: &Icvs, side_by_side: u32, cpus: u32) -> i32 {
        // A team's share of the threads that `KMP_TEAMS_THREAD_LIMIT` allows all teams together.
        let share = match all_threads() {
            UNLIMITED => i32::MAX,
            all => (all / side_by_side.max(1)).max(1) as i32,
        };
        if self.thread_limit > 0 {
            return i32::try_from(self.thread_limit).unwrap_or(i32::MAX).min(share);
        }
        let limit = match icv::TEAMS_THREAD_LIMIT.get(device) {
            // Neither the environment nor the program has set nthreads-var, so the teams share the CPUs.
            0 if icv::settings().num_threads.is_empty() && icvs.nthreads as u32 == cpus => {
                icvs.thread_limit.min((cpus / side_by_side).max(1) as i32)
            }
            0 => icvs.thread_limit,
            limit => limit,
        };
        limit.min(share)
    }
}

/// The value of [`all_threads`] if there is no limit.
const UNLIMITED: u32 = i32::MAX as u32;

/// The number of threads that the teams of a league may have together (`KMP_TEAMS_THREAD_LIMIT`).
fn all_threads() -> u32 {
    icv::settings().league_threads.unwrap_or(i32::MAX).max(1) as u32
}

/// What league threads must know. Lies on the stack of the thread that encountered the construct.
struct League {
    outlined: Outlined,
    teams: u32,
    thread_limit: i32,
    trial: Trial,
}

/// Executes a teams region.
pub fn teams(thread: &'static Thread, outlined: Outlined, clauses: Clauses, call: impl Caller) {
    let _in = Entered::new(thread, call);
    let cpus = place::available_cpus();
    let teams = clauses.teams(thread.device(), cpus);
    // A teams construct inside a parallel region is not conforming. It gets one thread, as in a tool's callback.
    let outermost = thread.member().team().region.active_level.get() == 0
        && !(call.for_active_tool().is_some() && ompt::in_callback(thread));
    let wanted = if outermost { teams.min(cpus).min(limits::largest_team()) } else { 1 };
    let thread_limit = clauses.limit(thread.device(), thread.icvs(), wanted, cpus);
    let league = League { outlined, teams, thread_limit, trial: Trial::none() };
    if call.for_possible_tool().is_some() {
        // Without a tool, the thread takes the shorter entry points from now on.
        current::note_no_tool();
    }
    if wanted == 1 {
        return in_turn(thread, &league, call);
    }
    // Bound teams run on the places of their league threads.
    if is_bound(thread, hot::child(thread.member())) {
        side_by_side(thread, &league, wanted, call);
        return;
    }
    // A tool hears of an initial task on each league thread. So the encountering thread takes the first team only.
    let told = call.for_active_tool().is_some();
    if teams > 2 && told {
        side_by_side(thread, &league, wanted, call);
        return;
    }
    let place = thread.leagues.at(outlined.function, teams);
    let key = place.key.get();
    match place.plan() {
        Plan::InTurn => {
            let begin = place.turns_begin();
            in_turn(thread, &league, call);
            // The teams may have encountered leagues that have taken the place.
            if place.key.get() == key {
                place.turns_end(begin);
            }
        }
        Plan::SideBySide => {
            let begin = arch::ticks();
            side_by_side(thread, &league, wanted, call);
            if place.key.get() == key {
                place.took(arch::ticks().wrapping_sub(begin));
            }
        }
        Plan::Trial => {
            let crowded = wait::oversubscribed();
            let limit = place.limit_of_trial(crowded);
            // Of two teams, the first one takes half of the time of both.
            let trial = if told { Trial::of(limit / 2, 1) } else { Trial::of(limit, teams) };
            let alone = side_by_side(thread, &League { trial, ..league }, wanted, call);
            let alone = alone.map(|ticks| if told { 2 * ticks } else { ticks });
            if place.key.get() == key && place.tried(alone, limit) && crowded {
                // The threads of regions inside the teams get the other league threads' CPUs.
                hot::disband_children(thread.member());
            }
        }
    }
}

/// Whether the threads of a league run on places of their own, or display where they run. `team` is the team below the
/// encountering thread's slot, with what its last region has left.
#[inline(always)]
fn is_bound(thread: &Thread, team: &Team) -> bool {
    thread.icvs().bind != Bind::False || team.region.affinity.get() != Affinity::NONE
}

/// Executes the teams one after the other on the calling thread.
#[inline(always)]
fn in_turn(thread: &'static Thread, league: &League, call: impl Caller) {
    let team = hot::child(thread.member());
    if call.for_active_tool().is_some() || is_bound(thread, team) {
        std::hint::cold_path();
        side_by_side(thread, league, 1, call);
    } else {
        unseen(thread, league, team);
    }
}

/// Executes the teams one after the other on the calling thread, without events. `team` is the team below the thread's
/// slot, of which nothing is needed here but the place of the initial team. A debugger sees each team inside
/// the encountering task, as in any league.
fn unseen(thread: &'static Thread, league: &League, team: &'static Team) {
    let (outer, task) = (thread.member(), thread.task());
    if team.attached.get() == 0 {
        worker::grow(team, thread, 1);
    }
    // Where a forked child finds the slot of the encountering thread.
    fork::update(&team.region.parent, std::ptr::from_ref(outer));
    let icvs = *thread.icvs();
    let initial = hot::child(team.member(0));
    let slot = describe_initial(initial, thread, league, (outer, task));
    let flags = initial_flags();
    for number in 0..league.teams {
        begin_initial(slot, initial, thread, league, &icvs, flags, number);
        // SAFETY: `league.outlined` comes from an entry point, whose caller passes a function and its arguments.
        unsafe { (league.outlined.invoke)(&league.outlined, thread, slot, slot.implicit.tool.exit_frame_slot()) };
        barrier::gather(thread, slot, initial);
        slot.implicit.finish_implicit();
    }
    // SAFETY: the slot was set above, or in a forked child by `forked.rs`, and slots are never freed.
    thread.move_to(unsafe { &*team.region.parent.get() }, task);
}

/// Executes a league on `wanted` league threads, or as many as there are. Returns how long this thread took for its
/// teams, if no other had begun by then: see [`Trial`].
fn side_by_side(thread: &'static Thread, league: &League, wanted: u32, call: impl Caller) -> Option<u64> {
    let outlined = &league.outlined;
    let team = begin(thread, league.teams, outlined.function, ParallelFlag::INVOKER_RUNTIME, call);
    let threads = worker::grow(team, thread, wanted);
    let runs =
        Outlined { invoke: run, function: outlined.function, head: (&raw const *league).cast(), ..Outlined::NOTHING };
    start(team, thread, runs, threads, league.teams);
    let member = team.member(0);
    let begun = league.trial.begin();
    // SAFETY: `runs` has a league in `head`, which outlives the join below.
    unsafe { run(&runs, thread, member, std::ptr::null_mut()) };
    let alone = league.trial.primary_is_done(begun);
    // The thread is still in its last initial task.
    let sync = ompt::SyncRegion::begin(thread, SyncRegion::BARRIER_TEAMS, team.tool.codeptr.get());
    fork::join(thread, member, team, threads);
    sync.end(None);
    finish(thread, team, call);
    alone
}

/// Reports the begin of a league that `thread` has encountered, with the code `function`; null if that is not known.
/// Returns the league threads' team, with nothing in it ready.
fn begin(
    thread: &'static Thread,
    teams: u32,
    function: *const c_void,
    invoker: ParallelFlag,
    call: impl Caller,
) -> &'static Team {
    let team = hot::child(thread.member());
    if call.for_active_tool().is_some() && !ompt::in_callback(thread) {
        team.tool.reset();
    }
    ompt::parallel_begin(thread, team, function, teams, (invoker | ParallelFlag::LEAGUE).0, call);
    fork::update(&team.tool.codeptr, call.codeptr());
    team
}

/// Describes the league of `teams` teams and starts its `threads` league threads, the first of which is `thread`.
fn start(team: &'static Team, thread: &'static Thread, outlined: Outlined, threads: u32, teams: u32) {
    let before = team.region.nthreads.get();
    let parent_task = thread.task();
    let icvs = *thread.icvs();
    fork::describe(team, thread.member(), parent_task, outlined, &fork::Request::PLAIN, threads, &icvs);
    let region = &team.region;
    // The league is no nested region, so its initial tasks have the encountering task's ICVs.
    fork::update(&region.icvs, icvs);
    fork::update(&region.num_teams, teams as i32);
    places::arrange_league(thread, team, &icvs);
    ompt::region_is_described(thread, team);
    fork::start(thread, team, before, threads);
    enter(thread, team.member(0), parent_task, team, &team.signal);
}

/// The task that encountered the teams construct. `team` is the league threads' team or an initial team.
fn encountering_task(team: &Team) -> &Task {
    team.parent_task().expect("a league has an encountering task")
}

/// Ends the league: the thread goes back to the task that encountered the construct.
fn finish(thread: &'static Thread, team: &'static Team, call: impl Caller) {
    ompt::implicit_task_end(thread, 0);
    // SAFETY: `fork::describe` has set the parent slot, and slots are never freed.
    let parent = unsafe { &*team.region.parent.get() };
    let parent_task = encountering_task(team);
    thread.move_to(parent, parent_task);
    if team.region.affinity.get().has(Affinity::RESET) {
        places::leave(thread, &team.region);
    }
    ompt::parallel_end(thread, team, parent_task, call);
}

/// The part of the league thread in slot `member`: with `n` league threads, every `n`th team. The thread stays in its
/// last team's initial task, whose end is reported after the join.
///
/// # Safety
/// `outlined.head` points to a [`League`] that outlives the call.
unsafe fn run(outlined: &Outlined, thread: &Thread, member: &Member, _: *mut usize) {
    // SAFETY: the caller's `outlined.head`.
    let league = unsafe { &*outlined.head.cast::<League>() };
    // An address in the caller's frame, which exists until the end of the last initial task has been reported.
    let outside = (&raw const *outlined).cast();
    let step = member.team().nthreads();
    let mut number = member.tid;
    if number != 0 {
        // After a trial, the encountering thread has executed some teams, or all.
        let left = league.trial.hold_back();
        number += left.saturating_sub(number).next_multiple_of(step);
        if number >= league.teams {
            return;
        }
    }
    loop {
        let initial = enter_team(member.thread(), member, league, number, outside);
        let slot = initial.member(0);
        ompt::code_begins(&slot.implicit);
        // SAFETY: `league.outlined` comes from an entry point, whose caller passes a function and its arguments.
        unsafe { (league.outlined.invoke)(&league.outlined, thread, slot, slot.implicit.tool.exit_frame_slot()) };
        ompt::code_ends(&slot.implicit, outside);
        // The team is done when its tasks are complete, detached ones included.
        barrier::gather(member.thread(), slot, initial);
        slot.implicit.finish_implicit();
        let next = match member.tid {
            0 if league.trial.take(number + 1) => number + 1,
            0 => number - number % step + step,
            _ => number.saturating_add(step),
        };
        if next >= league.teams {
            return;
        }
        number = next;
        leave_team(thread, member);
    }
}

/// Begins the initial task of team `number`. `member` is the thread's slot among the league threads, and `outside` an
/// address in a frame of the runtime outside the task's.
fn enter_team(
    thread: &'static Thread,
    member: &Member,
    league: &League,
    number: u32,
    outside: *const c_void,
) -> &'static Team {
    let of = member.team();
    let initial = hot::child(member);
    let task = encountering_task(of);
    // A walk up from here must not meet the league threads: they have no tasks that a program or a tool may see.
    let outer = of.parent().expect("a league has an encountering task");
    let slot = describe_initial(initial, thread, league, (outer, task));
    initial.tool.stands_for.set(&of.tool);
    fork::update(&initial.tool.codeptr, of.tool.codeptr.get());
    let icvs = *thread.icvs();
    begin_initial(slot, initial, thread, league, &icvs, initial_flags(), number);
    // Where the next team of a league that the program runs itself finds the limit.
    initial.region.icvs.set(*thread.icvs());
    ompt::league_task_begin(thread, of, league.teams, number, outside);
    initial
}

/// Describes what the teams of a league have in common that run on the slot of `initial`, with `thread`. `outer` is the
/// slot in which the league was encountered, and its task. Returns the slot of `initial`.
#[inline(always)]
fn describe_initial(
    initial: &'static Team,
    thread: &'static Thread,
    league: &League,
    outer: (&Member, &Task),
) -> &'static Member {
    if initial.attached.get() == 0 {
        worker::grow(initial, thread, 1);
    }
    initial.signal.outlined.set(league.outlined);
    initial.busy.store(1, Ordering::Relaxed);
    let region = &initial.region;
    region.nthreads.set(1);
    region.level.set(0);
    region.active_level.set(0);
    region.parent.set(outer.0);
    region.parent_task.set(outer.1);
    region.root.set(initial);
    region.num_teams.set(league.teams as i32);
    region.preset.set(None);
    let slot = initial.member(0);
    fork::update(&slot.thread, std::ptr::from_ref(thread));
    slot
}

/// The [`flag`]s of a team's initial task.
#[inline(always)]
fn initial_flags() -> u32 {
    flag::INITIAL | cancel::task_flag()
}

/// Begins team `number` of a league and its initial task, a child of the encountering task with these [`flag`]s. The
/// task has `icvs` but for thread-limit-var. `slot` is that of `initial`, which has been described.
#[inline(always)]
fn begin_initial(
    slot: &Member,
    initial: &Team,
    thread: &Thread,
    league: &League,
    icvs: &Icvs,
    flags: u32,
    number: u32,
) {
    initial.region.team_num.set(number as i32);
    fork::start_alone(initial);
    slot.work.start(slot.work.base());
    slot.tasks.start();
    slot.implicit.begin_implicit(initial.parent_task(), *icvs, flags);
    // SAFETY: the calling thread executes the task, and nothing else refers to the ICVs now.
    unsafe { (*slot.implicit.icvs.get()).thread_limit = league.thread_limit };
    thread.move_to(slot, &slot.implicit);
}

/// Ends the initial task of a team that is not the league thread's last.
fn leave_team(thread: &Thread, member: &Member) {
    ompt::implicit_task_end(thread, 0);
    thread.move_to(member, &member.implicit);
}

/// As [`teams`], for a program that runs the code of each team itself, one after the other: begins the league and its
/// first team.
pub fn begin_in_turn(thread: &'static Thread, clauses: Clauses, call: Call) {
    let outer = thread.task();
    let entered = ompt::Entered::new(thread, call);
    // One thread executes all teams, so the league has the fewest that the clause allows.
    let teams = if clauses.at_most == 0 {
        clauses.teams(thread.device(), 1)
    } else {
        clauses.at_least.clamp(1, clauses.at_most)
    };
    let thread_limit = clauses.limit(thread.device(), thread.icvs(), 1, place::available_cpus());
    let team = begin(thread, teams, std::ptr::null(), ParallelFlag::INVOKER_PROGRAM, call);
    worker::grow(team, thread, 1);
    start(team, thread, Outlined::NOTHING, 1, teams);
    let league = League { outlined: Outlined::NOTHING, teams, thread_limit, trial: Trial::none() };
    enter_team(thread, team.member(0), &league, 0, (&raw const league).cast());
    ompt::program_runs(entered, thread, outer, call);
}

/// Ends the team that the program has run itself, and begins the next. Returns false if there is no next team, or if
/// the program has begun no league.
pub fn next_in_turn(thread: &'static Thread, call: Call) -> bool {
    let initial = thread.member().team();
    let Some(outer) = initial.parent().filter(|_| thread.task().is_initial()) else { return false };
    let team = hot::child(outer);
    let member = team.member(0);
    let region = &initial.region;
    let (number, teams) = (region.team_num.get() as u32, region.num_teams.get() as u32);
    ompt::program_ran(encountering_task(team), call);
    let league = League {
        outlined: Outlined::NOTHING,
        teams,
        thread_limit: region.icvs.get().thread_limit,
        trial: Trial::none(),
    };
    let outside = (&raw const league).cast();
    ompt::code_ends(thread.task(), outside);
    barrier::gather(thread, initial.member(0), initial);
    initial.member(0).implicit.finish_implicit();
    if number + 1 == teams {
        fork::join(thread, member, team, 1);
        finish(thread, team, call);
        ompt::program_resumes(thread);
        return false;
    }
    leave_team(thread, member);
    enter_team(thread, member, &league, number + 1, outside);
    ompt::program_runs(Entered::NONE, thread, encountering_task(team), call);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::thread::HOST;

    fn teams(at_least: u32, at_most: u32, cpus: u32) -> u32 {
        Clauses { at_least, at_most, thread_limit: 0 }.teams(HOST, cpus)
    }

    #[test]
    fn a_league_has_as_many_teams_as_it_asks_for() {
        assert_eq!(teams(7, 7, 2), 7);
        assert_eq!(teams(0, 3, 8), 3);
        assert_eq!(teams(u32::MAX, u32::MAX, 2), i32::MAX as u32);
    }

    #[test]
    fn between_bounds_the_cpus_decide() {
        assert_eq!([teams(2, 6, 1), teams(2, 6, 4), teams(2, 6, 16)], [2, 4, 6]);
        assert_eq!(teams(9, 6, 4), 6);
    }

    #[test]
    fn a_thread_limit_clause_counts_before_all_else() {
        let clauses = Clauses { thread_limit: 3, ..Clauses::default() };
        assert_eq!(clauses.limit(HOST, &icv::initial(), 2, 8), 3);
    }

    #[test]
    fn teams_that_run_side_by_side_share_the_cpus() {
        if !icv::settings().num_threads.is_empty() || icv::TEAMS_THREAD_LIMIT.get(HOST) != 0 {
            // Where the tests run, the environment says otherwise.
            return;
        }
        let icvs = Icvs { nthreads: 8, thread_limit: i32::MAX, ..icv::initial() };
        assert_eq!(Clauses::default().limit(HOST, &icvs, 4, 8), 2);
        // The program has said how many threads it wants.
        assert_eq!(Clauses::default().limit(HOST, &Icvs { nthreads: 5, ..icvs }, 4, 8), i32::MAX);
    }
}
