//! Fork and join, the primary thread's side (OpenMP 5.1 §2.6).
//!
//! A thread that encounters a parallel construct becomes the primary thread of a team. After the join, the thread keeps
//! the team and its workers. Such a team is a *hot team* (`hot.rs`). Making threads takes far longer than a region. The
//! primary thread takes these steps; the functions stand in this order:
//!
//! 1. [`begin`], the fork: the thread chooses the number of threads, and gets more workers if the team has too few. It
//!    writes the region's description into the team. Then it stores the team's `go` word: the region's number, the
//!    number of threads and a phase. Workers wait on `go`, and the store makes the description visible to them. A
//!    worker that reads a `go` in which it takes no part is *in reserve*: it sleeps until its `recall` counter changes.
//!    After the store of `go`, the primary thread adds 1 to the counter of a worker that the region may need. A region
//!    of one thread notifies no worker, so its workers may remain asleep where they were.
//! 2. The primary thread executes the region's code, as every member of the team does. A member that creates its
//!    first deferred task of the region sets the phase `Tasks` in `go`, unless another member has.
//! 3. [`end`], the join: the thread waits until all members have arrived and all tasks are complete. A team of one
//!    thread then publishes nothing. In a larger team
//!    - if the region had tasks, workers may still be looking into each other's queues. The primary thread publishes
//!      the phase `LeaveTogether`, and waits until each worker has confirmed that it has stopped;
//!    - if not, but a tool or a debugger is active, the primary thread publishes the phase `Leave` and does not wait;
//!    - otherwise it publishes nothing, and the workers wait for the next `go`.
//!
//! `README.md` has the whole protocol, with examples of two threads step by step. `worker.rs` is the workers' side.

use super::enter::enter;
use super::{hot, limits, places, worker};
use crate::barrier;
use crate::icv;
use crate::icv::Icvs;
use crate::model::atomic::Ordering;
use crate::objects::call::{Call, Caller};
use crate::objects::structures::{Member, Outlined, Signal, Task, Team, Thread};
use crate::objects::work::Preset;
use crate::objects::{current, switch};
use crate::ompt;
use crate::place::Bind;
use crate::place::{self, Affinity};
use crate::protocol::barrier::Form;
use crate::protocol::go::Phase;
use crate::task::agents;
use crate::thread::wait;
use crate::work;
use crate::work::cancel;
use crate::work::merges;
use ::ompt::ParallelFlag;
use std::cell::Cell;

/// The clauses of a parallel construct, and how its code is called.
#[derive(Clone, Copy)]
pub struct Request {
    /// The `num_threads` clause; 0 if there is none.
    pub num_threads: u32,
    /// The `if` clause is false, so the region gets one thread.
    pub serial: bool,
    /// The `proc_bind` clause.
    pub bind: Option<Bind>,
    /// The program, not the runtime, calls the outlined function on the primary thread.
    pub called_by_program: bool,
    /// The worksharing construct that the region begins with, if the compiler combines both into one entry point.
    pub preset: Option<Preset>,
}

impl Request {
    /// The request of a construct without clauses.
    pub const PLAIN: Request =
        Request { num_threads: 0, serial: false, bind: None, called_by_program: false, preset: None };

    /// The construct's `ompt_parallel_flag_t`.
    fn flags(&self) -> i32 {
        let by_program = self.called_by_program;
        let invoker = if by_program { ParallelFlag::INVOKER_PROGRAM } else { ParallelFlag::INVOKER_RUNTIME };
        (invoker | ParallelFlag::TEAM).0
    }
}

/// Executes a parallel region from fork to join.
#[inline(always)]
pub fn parallel(thread: &'static Thread, outlined: Outlined, request: Request, call: impl Caller) {
    let _in = ompt::Entered::new(thread, call);
    begin(thread, outlined, request, call);
    let member = thread.member();
    let task = &member.implicit;
    // SAFETY: `outlined` comes from an entry point, whose caller, the compiled program, passes a function and the
    // arguments that it takes.
    unsafe { (outlined.invoke)(&outlined, thread, member, task.tool.exit_frame_slot()) };
    end(thread, call);
}

/// Forks: starts a region. When this returns, the calling thread executes its implicit task as the primary thread of
/// the team. The workers may have started.
#[inline]
pub fn begin(thread: &'static Thread, outlined: Outlined, mut request: Request, call: impl Caller) {
    let parent = thread.member();
    let parent_task = thread.task();
    let team = hot::child(parent);
    if call.for_active_tool().is_some() {
        if ompt::in_callback(thread) {
            // The callback may be about a region of this team, whose workers and data word are still in use.
            request.serial = true;
        } else {
            team.tool.reset();
        }
    } else if call.for_possible_tool().is_some() {
        // No tool is active. The thread takes the shorter entry points from now on.
        current::note_no_tool();
    }
    // A clause of the construct overrides a clause that the program has pushed by a call of its own (kmpc). A negative
    // number means that the clause is more than a number, and lies in `pushed_demand`.
    let pushed = thread.pushed_num_threads.replace(0);
    let demand = if pushed < 0 { thread.pushed_demand.take() } else { None };
    let pushed = demand.map_or(pushed, |demand| demand.num_threads);
    let bind = request.bind.or(thread.pushed_bind.take());
    let clause = if request.num_threads != 0 { request.num_threads } else { pushed.max(0) as u32 };
    let requested = requested(thread, clause, request.serial);
    ompt::parallel_begin(thread, team, outlined.function, requested, request.flags(), call);

    let icvs = thread.icvs();
    let strict = || demand.as_ref().is_some_and(|demand| demand.strict.is_some());
    let mut nthreads = choose(parent, icvs, clause, request.serial, strict);
    if nthreads > team.attached.get() {
        // The hot team has too few threads.
        let wanted = nthreads;
        nthreads = worker::grow(team, thread, wanted);
        if nthreads < wanted && icvs.thread_limit != i32::MAX {
            // `choose` has reserved `wanted - 1` threads under the limit. The others could not be created.
            parent.team().root().busy.fetch_sub(wanted - nthreads, Ordering::Relaxed);
        }
    }
    if let Some(demand) = demand {
        demand.check(clause, nthreads, call.for_active_tool().unwrap_or(Call::at(std::ptr::null())));
    }
    // After the callback of the region's begin: a region inside the callback may have used this team.
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
    enter(thread, team.member(0), parent_task, team, &team.signal);
    if call.for_active_tool().is_some() {
        ompt::implicit_task_begin(thread, team, nthreads, 0);
    }
    if let Some(preset) = request.preset {
        work::start_preset(thread, preset);
    }
}

/// Publishes the described region of `team` to its workers. `before` is the number of threads of the last region:
/// workers from that number on are recalled. For a worker that is not in reserve, that is harmless. A region of one
/// thread wakes no worker.
#[inline(always)]
pub(super) fn start(thread: &'static Thread, team: &'static Team, before: u32, nthreads: u32) {
    update(&team.member(0).thread, std::ptr::from_ref(thread));
    if nthreads > 1 {
        // A region of one thread in between has announced nothing.
        let watched = team.announced.get().max(nthreads);
        update(&team.announced, nthreads);
        if watched > Signal::FIRST_COPY {
            return start_many(team, before, nthreads, watched);
        }
    }
    team.signal.go.start(&team.idle, before, nthreads, |tid| &team.member(tid).recall, std::iter::empty());
}

/// Starts a region of one thread in a team that has had no other thread.
#[inline(always)]
pub(super) fn start_alone(team: &Team) {
    team.signal.go.start(&team.idle, 1, 1, |tid| &team.member(tid).recall, std::iter::empty());
}

/// As [`start`], where workers with numbers below `watched` look at the signal or its copies.
#[cold]
#[inline(never)]
fn start_many(team: &'static Team, before: u32, nthreads: u32, watched: u32) {
    let signal = &team.signal;
    for copy in team.signal_copies(watched) {
        copy.epoch.set(signal.epoch.get());
        copy.work_base.set(signal.work_base.get());
        copy.outlined.set(signal.outlined.get());
    }
    let copies = team.signal_copies(watched).map(|copy| &copy.go);
    signal.go.start(&team.idle, before, nthreads, |tid| &team.member(tid).recall, copies);
}

/// Joins: ends the region whose primary thread is the calling thread. When this returns, the thread executes the task
/// that encountered the construct.
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
            // The workers no longer count towards the thread limit.
            team.root().busy.fetch_sub(nthreads - 1, Ordering::Relaxed);
        }
    }
    // The tool gets null for the region's data (OpenMP 5.1 §4.5.2.13 allows that). On a worker the region may already
    // be over, and the primary thread reports the same.
    sync.end(None);
    if call.for_active_tool().is_some() {
        ompt::implicit_task_end(thread, 0);
    }
    member.implicit.finish_implicit();

    // SAFETY: `describe` has set the parent slot, and slots are never freed.
    let parent = unsafe { &*region.parent.get() };
    let parent_task = team.parent_task().expect("a region has an encountering task");
    thread.move_to(parent, parent_task);
    if region.affinity.get().has(Affinity::RESET) {
        places::leave(thread, region);
    }
    ompt::parallel_end(thread, team, parent_task, call);
    if limits::gives_back() && nthreads > 1 {
        // The settings ask that threads go back to the pool between regions.
        limits::give_back(parent, region.active_level.get(), nthreads);
    }
}

/// As [`end`], for a region whose code the program, not the runtime, has called on the primary thread.
pub fn end_run_by_program(thread: &'static Thread, call: impl Caller) {
    if let Some(outer) = thread.member().team().parent_task() {
        ompt::program_ran(outer, call);
    }
    end(thread, call);
    ompt::program_resumes(thread);
}

/// The primary thread's part of the join: waits until all members have arrived and all tasks are complete, then
/// publishes a phase if the workers need one.
#[inline(always)]
pub(super) fn join(thread: &'static Thread, member: &Member, team: &'static Team, nthreads: u32) {
    barrier::gather_at_join(thread, member, team);
    if nthreads > 1 {
        if team.has_tasks() {
            // Workers may still be looking for tasks of this region, as may free agents: threads of no team, which
            // execute tasks of any (`agents.rs`). All must stop first.
            agents::forget(team);
            barrier::leave_together(member, team);
        } else if switch::active() {
            // Each worker now reports the end of its barrier and of its implicit task. Without a tool and a debugger,
            // no worker needs to know before the next region.
            let copies = team.signal_copies(nthreads).map(|copy| &copy.go);
            team.signal.go.end(&team.idle, nthreads, Phase::Leave, copies);
        }
    }
    if team.region.form.get() == Form::Cancellable {
        // The members of a cancelled region have passed different numbers of barriers: they get a common one.
        cancel::region_over(member, team);
    }
    // In the primary thread's slot, `seen` is the last region that is over. Debuggers read it.
    member.seen.set(team.signal.go.latest().epoch());
    // The members of the next region count barriers and constructs on from these numbers (`enter`). They are written
    // here and not at the next fork: `go` lies in the same cache line, which then is on its way to this thread already.
    team.signal.epoch.set(member.epoch.get());
    team.signal.work_base.set(member.work.base());
}

/// The number of threads that the construct asks for, as tools see it: 1 if its `if` clause is false.
fn requested(thread: &Thread, clause: u32, serial: bool) -> u32 {
    match clause {
        _ if serial => 1,
        0 => thread.icvs().nthreads.max(1) as u32,
        clause => clause,
    }
}

/// The largest number of threads that a region with the `num_threads` clause `clause` can get. `clause` is 0 if there
/// is none.
pub fn at_most(thread: &Thread, clause: u32) -> u32 {
    requested(thread, clause, false).min(limits::MAX_THREADS)
}

/// The number of threads that the region gets (OpenMP 5.1 §2.6.1, Algorithm 2.1). If the clause is `strict`, dyn-var
/// does not lower the number.
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

/// Reserves up to `wanted - 1` threads under the contention group's thread limit. Returns how many threads the region
/// gets, the primary thread among them. Relaxed: the counter protects no data.
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

/// Writes the region's description into the team. Workers read it after they have seen the new `go` word. Most cells
/// are written only if the value differs, so the workers' copies of the cache lines stay valid.
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
    // First: `go` lies in the same cache line, which comes over from the workers while the rest is written.
    team.signal.outlined.set(outlined);
    update(&region.nthreads, nthreads);
    update(&region.level, outer.level.get() + 1);
    update(&region.active_level, outer.active_level.get() + i32::from(nthreads > 1));
    match nthreads {
        // With one thread no worker reads the line in this region, and comparing ICVs takes longer than writing them.
        1 => region.icvs.set(icvs.for_nested()),
        _ if icvs.are_inherited_as(&region.icvs.get()) => {}
        _ => update(&region.icvs, icvs.for_nested()),
    }
    update(&region.parent, std::ptr::from_ref(parent));
    update(&region.parent_task, std::ptr::from_ref(parent_task));
    update(&region.root, outer.root.get());
    update(&region.team_num, outer.team_num.get());
    update(&region.num_teams, outer.num_teams.get());
    update(&region.known_merges, merges::known_now());
    // Most regions have no preset, and neither had the one before. Then nothing is written.
    if request.preset.is_some() || region.preset.get().is_some() {
        region.preset.set(request.preset);
    }
    let form = if wait::oversubscribed() { Form::Central } else { Form::for_threads(nthreads) };
    update(&region.form, if switch::enabled() { Form::Cancellable } else { form });
}

/// Writes a cell only if the value differs. Otherwise other threads keep their copies of the cache line.
#[inline(always)]
pub(super) fn update<T: Copy + PartialEq>(cell: &Cell<T>, value: T) {
    if cell.get() != value {
        cell.set(value);
    }
}
