//! Fork and join, the primary thread's side (OpenMP 5.1 §2.6): choose the number of threads, write
//! down the region, let the workers go, take part, gather.

use super::{hot, limits, places};
use crate::barrier;
use crate::barrier::gather_at_join;
use crate::icv;
use crate::icv::Icvs;
use crate::model::atomic::Ordering;
use crate::objects::call::{Call, Caller};
use crate::objects::clauses::Demand;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Outlined, Team};
use crate::objects::task::flag;
use crate::objects::work::Preset;
use crate::objects::{current, switch};
use crate::ompt;
pub(crate) use crate::place::Bind;
use crate::place::{self, Affinity};
use crate::protocol::barrier::{FLAT_LIMIT, Form};
use crate::protocol::go::Phase;
use crate::task::agents;
use crate::thread::wait;
use crate::work;
use crate::work::cancel;
use std::cell::Cell;

/// What a parallel construct asks for.
#[derive(Clone, Copy)]
pub struct Request {
    /// The `num_threads` clause; 0 if there is none.
    pub num_threads: u32,
    /// The `if` clause is false: one thread.
    pub serial: bool,
    /// The `proc_bind` clause.
    pub bind: Option<Bind>,
    /// The program itself calls the outlined function on the primary thread.
    pub called_by_program: bool,
    /// The combined worksharing construct, where the GOMP ABI leaves its start to the runtime.
    pub preset: Option<Preset>,
}

impl Request {
    /// A construct without clauses.
    pub const PLAIN: Request =
        Request { num_threads: 0, serial: false, bind: None, called_by_program: false, preset: None };

    /// `ompt_parallel_flag_t` of the construct.
    fn flags(&self) -> i32 {
        let invoker = if self.called_by_program {
            ::ompt::ParallelFlag::INVOKER_PROGRAM
        } else {
            ::ompt::ParallelFlag::INVOKER_RUNTIME
        };
        (invoker | ::ompt::ParallelFlag::TEAM).0
    }
}

/// Executes a parallel region from fork to join.
#[inline(always)]
pub fn parallel(thread: &'static Thread, outlined: Outlined, request: Request, call: impl Caller) {
    let _in = ompt::Entered::new(thread, call);
    begin(thread, outlined, request, call);
    let member = thread.member();
    let task = &member.implicit;
    // SAFETY: the entry point that made `outlined` vouches for its function and arguments.
    unsafe { (outlined.invoke)(&outlined, thread, member, task.tool.exit_frame_slot()) };
    end(thread, call);
}

/// Starts a region. When it returns, the calling thread is the primary thread of the new team and
/// executes its implicit task.
#[inline]
pub fn begin(thread: &'static Thread, outlined: Outlined, mut request: Request, call: impl Caller) {
    let parent = thread.member();
    let parent_task = thread.task();
    let team = hot::child(parent);
    if call.for_active_tool().is_some() {
        if ompt::in_callback(thread) {
            // The team may be that of a region which is just being told of.
            request.serial = true;
        } else {
            team.tool.reset();
        }
    } else if call.for_possible_tool().is_some() {
        current::settle();
    }
    let pushed = thread.pushed_num_threads.replace(0);
    let demand = if pushed < 0 { thread.pushed_demand.take() } else { None };
    let pushed = demand.map_or(pushed, |demand| demand.num_threads);
    let bind = request.bind.or(thread.pushed_bind.take());
    let clause = if request.num_threads != 0 { request.num_threads } else { pushed.max(0) as u32 };
    ompt::parallel_begin(thread, team, requested(thread, clause, request.serial), request.flags(), call);

    let icvs = thread.icvs();
    let strict = || demand.as_ref().is_some_and(Demand::is_strict);
    let mut nthreads = choose(parent, icvs, clause, request.serial, strict);
    if nthreads > team.attached.get() {
        let wanted = nthreads;
        nthreads = hot::grow(team, thread, wanted);
        if nthreads < wanted && icvs.thread_limit != i32::MAX {
            parent.team().root().busy.fetch_sub(wanted - nthreads, Ordering::Relaxed);
        }
    }
    if let Some(demand) = demand {
        demand.settle(clause, nthreads, call.for_active_tool().unwrap_or(Call::at(std::ptr::null())));
    }
    let before = team.region.nthreads.get();
    describe(team, parent, parent_task, outlined, &request, nthreads, icvs);
    if let Some(demand) = demand {
        demand.hand_down(team);
    }
    places::arrange(thread, team, bind.unwrap_or(icvs.bind), icvs);
    if call.for_active_tool().is_some() {
        update(&team.tool.codeptr, call.codeptr());
        ompt::region_is_described(thread, team);
    }
    start(thread, team, before, nthreads);
    enter(thread, team.member(0), parent_task, team);
    if call.for_active_tool().is_some() {
        ompt::implicit_task_begin(thread, team, nthreads, 0);
    }
    if let Some(preset) = request.preset {
        work::start_preset(thread, preset);
    }
}

/// Lets the workers of a team go whose region has been described; `before` is how many threads the
/// last region had.
#[inline(always)]
pub(super) fn start(thread: &'static Thread, team: &'static Team, before: u32, nthreads: u32) {
    update(&team.member(0).thread, std::ptr::from_ref(thread));
    team.signal.go.start(&team.idle, before, nthreads, |tid| &team.member(tid).recall);
}

/// Ends the region that the calling thread is the primary thread of, and returns it to the task that
/// encountered the construct.
#[inline]
pub fn end(thread: &'static Thread, call: impl Caller) {
    let member = thread.member();
    let team = member.team();
    let region = &team.region;
    let nthreads = region.nthreads.get();
    if call.for_active_tool().is_some() {
        member.implicit.tool.code_returned();
    }
    let sync = ompt::SyncRegion::begin_join(thread, team, call);
    join(thread, member, team, nthreads);
    if nthreads > 1 {
        let limit = thread.icvs().thread_limit;
        if limit != i32::MAX {
            team.root().busy.fetch_sub(nthreads - 1, Ordering::Relaxed);
        }
    }
    // Null, as on the workers: the region may count as over (OpenMP 5.1 §4.5.2.13).
    sync.end(std::ptr::null_mut());
    if call.for_active_tool().is_some() {
        ompt::implicit_task_end(thread, 0);
    }
    member.implicit.finish_implicit();

    // SAFETY: every region below level 0 has a parent, and slots live for ever.
    let parent = unsafe { &*region.parent.get() };
    let parent_task = team.parent_task().expect("a region has an encountering task");
    thread.set_member(parent);
    thread.set_task(parent_task);
    if region.affinity.get().has(Affinity::RESET) {
        places::leave(thread, region);
    }
    ompt::parallel_end(thread, team, parent_task, call);
    if limits::gives_back() && nthreads > 1 {
        limits::give_back(parent, region.active_level.get(), nthreads);
    }
}

/// As [`end`], for a region whose primary thread's code the program has run itself.
pub fn end_run_by_program(thread: &'static Thread, call: impl Caller) {
    if let Some(outer) = thread.member().team().parent_task() {
        ompt::program_ran(outer, call);
    }
    end(thread, call);
    ompt::program_resumes(thread);
}

/// Waits until all threads of the team have arrived and its tasks are complete, and lets the workers
/// leave: the primary thread's part of the join.
#[inline(always)]
pub(super) fn join(thread: &'static Thread, member: &Member, team: &'static Team, nthreads: u32) {
    gather_at_join(thread, member, team);
    if nthreads > 1 {
        if team.has_tasks() {
            release_helpers(member, team);
        } else if switch::active() {
            team.signal.go.end(&team.idle, nthreads, Phase::Leave);
        }
    }
    if team.region.form.get() == Form::Cancellable {
        cancel::region_over(member, team);
    }
    // For debuggers: the last region that is over.
    member.seen.set(team.signal.go.latest().epoch());
    team.signal.epoch.set(member.epoch.get());
    team.signal.work_base.set(member.work.base());
}

/// The join of a region with explicit tasks: workers that wait look for tasks, and must have stopped
/// before the team is used again.
#[cold]
fn release_helpers(member: &Member, team: &'static Team) {
    agents::forget(team);
    barrier::leave_together(member, team);
}

/// The number of threads that the construct asks for, for the tool: 1 where its `if` clause is false.
fn requested(thread: &Thread, clause: u32, serial: bool) -> u32 {
    match clause {
        _ if serial => 1,
        0 => thread.icvs().nthreads.max(1) as u32,
        clause => clause,
    }
}

/// An upper bound of the threads that a region gets whose `num_threads` clause is `clause`, 0 for none.
pub fn at_most(thread: &Thread, clause: u32) -> u32 {
    requested(thread, clause, false).min(limits::MAX_THREADS)
}

/// How many threads the region gets (OpenMP 5.1 §2.6.1, Algorithm 2.1). A clause that is `strict` is not adjusted
/// dynamically: the algorithm allows as many threads as are asked for.
#[inline]
fn choose(parent: &Member, icvs: &Icvs, clause: u32, serial: bool, strict: impl FnOnce() -> bool) -> u32 {
    let region = &parent.team().region;
    if serial || region.active_level.get() >= icvs.max_active_levels {
        return 1;
    }
    let mut wanted = if clause != 0 { clause } else { icvs.nthreads.max(1) as u32 };
    if icvs.dynamic && !strict() {
        wanted = wanted.min(place::available_cpus());
    }
    wanted = wanted.min(limits::largest_team());
    if icvs.thread_limit != i32::MAX && wanted > 1 {
        wanted = within_limit(parent.team(), icvs.thread_limit, wanted);
    }
    wanted
}

/// Takes up to `wanted - 1` more threads of the contention group's limit.
#[cold]
fn within_limit(team: &Team, limit: i32, wanted: u32) -> u32 {
    let limit = icv::settings().reserve.structured_limit(limit);
    let busy = &team.root().busy;
    let mut used = busy.load(Ordering::Relaxed);
    loop {
        let more = (wanted - 1).min(limit.saturating_sub(used));
        match busy.compare_exchange_weak(used, used + more, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return 1 + more,
            Err(now) => used = now,
        }
    }
}

/// Writes down what the members must know of the region.
#[inline(always)]
pub(super) fn describe(
    team: &'static Team,
    parent: &Member,
    parent_task: &Task,
    outlined: Outlined,
    request: &Request,
    nthreads: u32,
    icvs: &Icvs,
) {
    let region = &team.region;
    let outer = &parent.team().region;
    team.signal.outlined.set(outlined);
    update(&region.nthreads, nthreads);
    update(&region.level, outer.level.get() + 1);
    update(&region.active_level, outer.active_level.get() + i32::from(nthreads > 1));
    match nthreads {
        // Nobody else reads them: writing is quicker than looking whether they changed.
        1 => region.icvs.set(icvs.for_nested()),
        _ => update(&region.icvs, icvs.for_nested()),
    }
    update(&region.parent, std::ptr::from_ref(parent));
    update(&region.parent_task, std::ptr::from_ref(parent_task));
    update(&region.root, outer.root.get());
    update(&region.team_num, outer.team_num.get());
    update(&region.num_teams, outer.num_teams.get());
    if request.preset.is_some() || region.preset.get().is_some() {
        region.preset.set(request.preset);
    }
    let flat = nthreads <= FLAT_LIMIT && !wait::oversubscribed();
    let form = if flat { Form::Flat } else { Form::Central };
    update(&region.form, if switch::enabled() { Form::Cancellable } else { form });
}

/// Writes a cell only if that changes it.
#[inline(always)]
pub(super) fn update<T: Copy + PartialEq>(cell: &Cell<T>, value: T) {
    if cell.get() != value {
        cell.set(value);
    }
}

/// What each thread does first in a region, once it has seen the region's description: takes its
/// slot and becomes its implicit task.
#[inline(always)]
pub(super) fn enter(thread: &Thread, member: &Member, parent_task: &Task, team: &Team) {
    let region = &team.region;
    member.epoch.set(team.signal.epoch.get());
    member.work.start(team.signal.work_base.get());
    member.tasks.start();
    let mut icvs = region.icvs.get();
    let affinity = region.affinity.get();
    if affinity != Affinity::NONE {
        icvs.partition = places::go(thread, member, affinity, icvs.partition);
    }
    member.implicit.begin_implicit(Some(parent_task), icvs, flag::IMPLICIT | cancel::task_flag());
    thread.set_member(member);
    thread.set_task(&member.implicit);
    if affinity.has(Affinity::SHOW) {
        places::show(thread, region);
    }
}

impl Team {
    /// The team of the initial task of this contention group.
    pub fn root(&self) -> &Team {
        // SAFETY: set before the team is used, and teams live for ever.
        unsafe { &*self.region.root.get() }
    }
}
