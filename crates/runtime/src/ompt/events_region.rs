//! Events of threads, parallel regions, implicit tasks and synchronisation regions
//! (OpenMP 5.1 §4.5.2.1, §4.5.2.3–4, §4.5.2.11, §4.5.2.13–14).

use super::frame;
use super::registry::{parallel_data, task_data, tell};
use crate::model::atomic::Ordering::Relaxed;
use crate::objects::call::{Call, Caller};
use crate::objects::presence::{Boundary, Presence};
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::structures::WaitCell;
use crate::objects::structures::{Member, Team};
use crate::objects::switch::active;
use crate::ompd::{self, breakpoints};
use ::ompt::{Data, ScopeEndpoint, State, SyncRegion as Kind, TaskFlag};
use std::ffi::c_void;

/// `ompt_callback_thread_begin`; the thread's state is known from here on.
#[inline]
pub fn thread_begin(thread: &Thread) {
    if active() {
        begin_thread(thread);
    }
}

#[cold]
fn begin_thread(thread: &Thread) {
    let kind = thread.tool.kind.get();
    thread.tool.begun.set(true);
    thread.tool.set_state(if kind == ::ompt::Thread::INITIAL { State::WORK_SERIAL } else { State::OVERHEAD });
    tell::thread_begin(thread, || (kind, thread.tool.data()));
    breakpoints::thread_begins();
}

/// `ompt_callback_thread_end`, if the tool has heard of the thread.
#[inline]
pub fn thread_end(thread: &Thread) {
    if !active() || !thread.tool.begun.replace(false) {
        return;
    }
    tell::thread_end(thread, || (thread.tool.data(),));
    breakpoints::thread_ends();
    thread.tool.set_presence(Presence::Outside);
    thread.tool.set_state(State::UNDEFINED);
}

/// A worker has nothing to do.
#[inline]
pub fn idle(thread: &Thread) {
    if active() {
        thread.tool.set_state(State::IDLE);
        thread.tool.set_presence(Presence::Outside);
    }
}

/// A thread that works for devices has something to do: it executes its initial task again.
#[inline]
pub fn awake(thread: &Thread) {
    if active() {
        thread.tool.set_state(State::OVERHEAD);
        thread.tool.set_presence(Presence::Inside);
    }
}

/// While this lives, the initial task of `thread` counts as inside the runtime: for a thread that runs nothing of the
/// program's itself.
pub fn stay_inside(thread: &Thread) -> frame::Entered<'_> {
    if active() { frame::entered_somewhere(thread) } else { frame::Entered::nowhere() }
}

/// `ompt_callback_implicit_task` for the begin of a root thread's initial task.
#[inline]
pub fn initial_task_begin(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        let _in = frame::entered_somewhere(thread);
        begin_initial(thread);
    }
}

#[inline]
fn begin_initial(thread: &Thread) {
    thread.tool.set_presence(Presence::Inside);
    implicit(thread, ScopeEndpoint::BEGIN, parallel_data(thread), thread.task(), 1, 1, TaskFlag::INITIAL);
    breakpoints::task_begins();
}

/// `ompt_callback_implicit_task` for the end of a root thread's initial task.
#[inline]
pub fn initial_task_end(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        let _in = frame::entered_somewhere(thread);
        end_implicit_task(thread, thread.task(), 1, TaskFlag::INITIAL);
    }
}

/// An implicit or initial task ends. Its region may be over already.
#[inline]
fn end_implicit_task(thread: &Thread, task: &Task, index: u32, flags: TaskFlag) {
    implicit(thread, ScopeEndpoint::END, std::ptr::null_mut(), task, 0, index, flags);
    breakpoints::task_ends();
    thread.tool.set_state(State::OVERHEAD);
    thread.tool.set_presence(Presence::Between);
}

/// A thread of a device begins the initial task of a target region.
#[inline]
pub fn device_task_begin(thread: &Thread) {
    if active() {
        if !thread.tool.begun.get() {
            begin_thread(thread);
        }
        thread.tool.set_state(State::WORK_SERIAL);
        begin_initial(thread);
    }
}

/// It has come to its end.
#[inline]
pub fn device_task_end(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        end_implicit_task(thread, thread.task(), 1, TaskFlag::INITIAL);
    }
}

/// The current task, a target task, is set aside for the initial task of its region. `outside`, here and below, is an
/// address in a frame of the runtime that is there as long as the initial task.
#[inline]
pub fn target_region_begin(thread: &Thread, outside: *const c_void) {
    if active() {
        // What calls the region's code is none of the program's.
        thread.task().tool.hide_frames(outside);
        thread.tool.set_presence(Presence::Between);
    }
}

/// The initial task of a target region begins, on top of the target task `outer`.
#[inline]
pub fn target_task_begin(thread: &Thread, outer: &Task, outside: *const c_void) {
    if active() {
        let task = thread.task();
        task.tool.set_below(outer);
        task.tool.hide_frames(outside);
        thread.tool.set_state(State::WORK_SERIAL);
        initial_task_begin(thread);
    }
}

/// The code of an initial task that lies on another task is about to be called.
#[inline]
pub fn code_begins(task: &Task) {
    if active() {
        task.tool.unhide_frames();
    }
}

/// The code of an initial task that lies on another task has returned.
#[inline]
pub fn code_ends(task: &Task, outside: *const c_void) {
    if active() {
        task.tool.hide_frames(outside);
    }
}

/// The thread executes the task again that has encountered the target region.
#[inline]
pub fn target_region_end(thread: &Thread) {
    if active() {
        thread.task().tool.unhide_frames();
        thread.tool.set_presence(Presence::Inside);
    }
}

/// `parallelism` is the number of the region's implicit tasks at their begin, 0 at their end.
fn implicit(
    thread: &Thread,
    endpoint: ScopeEndpoint,
    parallel: *mut Data,
    task: &Task,
    parallelism: u32,
    index: u32,
    flags: TaskFlag,
) {
    tell::implicit_task(thread, || (endpoint, parallel, task.tool.data(), parallelism, index, flags.0 as _));
}

/// `ompt_callback_parallel_begin`, on the encountering task.
#[inline(always)]
pub fn parallel_begin(thread: &Thread, team: &Team, requested: u32, flags: i32, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        begin_parallel(thread, team, requested, flags, call);
    }
}

#[inline]
fn begin_parallel(thread: &Thread, team: &Team, requested: u32, flags: i32, call: Call) {
    if !thread.tool.begun.get() && thread.task().is_initial() {
        // The thread became a root while the tool's initialiser was still running.
        begin_thread(thread);
        initial_task_begin(thread);
    }
    team.tool.flags.set(flags);
    let told = tell::parallel_begin(thread, || {
        let task = thread.task();
        (task.tool.data(), task.tool.frame(), team.tool.data(), requested, flags as _, call.codeptr())
    });
    if told.is_some() {
        // A region inside the callback may have had the same team.
        team.tool.flags.set(flags);
    }
    thread.tool.set_state(State::OVERHEAD);
    if is_league(team) {
        // The thread has no task of its own in a league, before it begins one of the league's initial tasks.
        thread.tool.set_presence(Presence::Between);
    }
}

/// The region of `team`, which `thread` has encountered, has been described and is about to begin: a debugger may look.
#[inline]
pub fn region_is_described(thread: &Thread, team: &Team) {
    if ompd::watches() && !thread.tool.in_callback() {
        let member = team.member(0);
        member.thread.set(thread);
        let (outer, presence) = (thread.member(), thread.tool.presence());
        // At the begin of a league, too, the current task is the one that encountered it.
        thread.tool.set_presence(Presence::Inside);
        at_boundary(thread, member, Boundary::Beginning, breakpoints::parallel_begins);
        thread.tool.set_presence(presence);
        thread.set_member(outer);
    }
}

/// Calls a breakpoint's function on a thread that is, with its slot `member`, at the begin or the end of its team's
/// region.
#[cold]
fn at_boundary(thread: &Thread, member: &Member, boundary: Boundary, call: fn()) {
    let tool = &member.team().tool;
    tool.boundary.set(boundary);
    thread.set_member(member);
    call();
    tool.boundary.set(Boundary::None);
}

/// `ompt_callback_parallel_end`, on the encountering task, which is the current one again.
#[inline(always)]
pub fn parallel_end(thread: &Thread, team: &Team, task: &Task, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        end_parallel(thread, team, task, call);
    }
}

#[inline]
fn end_parallel(thread: &Thread, team: &Team, task: &Task, call: Call) {
    thread.tool.set_presence(Presence::Inside);
    // A region that the program itself runs is ended from another place than it was begun.
    let codeptr = if team.tool.codeptr.get().is_null() { call.codeptr() } else { team.tool.codeptr.get() };
    tell::parallel_end(thread, || (team.tool.data(), task.tool.data(), team.tool.flags.get() as _, codeptr));
    if ompd::watches() && !thread.tool.in_callback() {
        let outer = thread.member();
        at_boundary(thread, team.member(0), Boundary::Ending, breakpoints::parallel_ends);
        thread.set_member(outer);
    }
    let outside = thread.member().team().region.level.get() == 0;
    thread.tool.set_state(if outside { State::WORK_SERIAL } else { State::WORK_PARALLEL });
}

/// `ompt_callback_implicit_task`, begin.
#[inline(always)]
pub fn implicit_task_begin(thread: &Thread, team: &Team, nthreads: u32, tid: u32) {
    if active() {
        begin_implicit(thread, team, nthreads, tid);
    }
}

/// `ompt_callback_implicit_task` for the begin of the initial task of team `number` of a league.
#[inline]
pub fn league_task_begin(thread: &Thread, league: &Team, teams: u32, number: u32, outside: *const c_void) {
    if active() {
        thread.task().tool.hide_frames(outside);
        thread.tool.set_presence(Presence::Inside);
        implicit(thread, ScopeEndpoint::BEGIN, league.tool.data(), thread.task(), teams, number, TaskFlag::INITIAL);
        breakpoints::task_begins();
        thread.tool.set_state(State::WORK_SERIAL);
    }
}

/// Whether the region of a team is a league, whose threads have no implicit tasks.
fn is_league(team: &Team) -> bool {
    team.tool.flags.get() & ::ompt::ParallelFlag::LEAGUE.0 != 0
}

#[inline]
fn begin_implicit(thread: &Thread, team: &Team, nthreads: u32, tid: u32) {
    if !thread.tool.begun.get() {
        // The worker is older than the tool's activity: its initialiser has begun a region.
        begin_thread(thread);
    }
    // A worker was idle until now.
    thread.tool.set_state(State::OVERHEAD);
    if is_league(team) {
        return thread.tool.set_presence(Presence::Between);
    }
    thread.tool.set_presence(Presence::Inside);
    implicit(thread, ScopeEndpoint::BEGIN, team.tool.data(), thread.task(), nthreads, tid, TaskFlag::IMPLICIT);
    breakpoints::task_begins();
    thread.tool.set_state(State::WORK_PARALLEL);
}

/// `ompt_callback_implicit_task`, end. The region itself may have ended already.
#[inline(always)]
pub fn implicit_task_end(thread: &Thread, tid: u32) {
    if active() {
        end_implicit(thread, tid);
    }
}

#[inline]
fn end_implicit(thread: &Thread, tid: u32) {
    if !thread.tool.begun.get() {
        // The tool has become active since the task began.
        return;
    }
    let task = thread.task();
    let (index, flags) = match task.is_initial() {
        // Of a league, whose number the thread's team has.
        true => (thread.member().team().region.team_num.get() as u32, TaskFlag::INITIAL),
        false => (tid, TaskFlag::IMPLICIT),
    };
    end_implicit_task(thread, task, index, flags);
}

/// A wait that the tool has been told of: what its events say.
#[derive(Clone, Copy)]
pub struct Wait {
    kind: Kind,
    task: *const Task,
    parallel: *mut Data,
    codeptr: *const c_void,
}

impl WaitCell {
    #[inline(always)]
    fn get(&self) -> Option<Wait> {
        let kind = self.kind.load(Relaxed);
        (kind != 0).then(|| Wait {
            kind: Kind(kind),
            task: self.task.load(Relaxed),
            parallel: self.parallel.load(Relaxed),
            codeptr: self.codeptr.load(Relaxed),
        })
    }

    #[inline(always)]
    pub(crate) fn set(&self, wait: Option<Wait>) {
        let Some(wait) = wait else { return self.kind.store(0, Relaxed) };
        self.kind.store(wait.kind.0, Relaxed);
        self.task.store(wait.task.cast_mut(), Relaxed);
        self.parallel.store(wait.parallel, Relaxed);
        self.codeptr.store(wait.codeptr.cast_mut(), Relaxed);
    }

    #[inline(always)]
    fn replace(&self, wait: Option<Wait>) -> Option<Wait> {
        let before = self.get();
        self.set(wait);
        before
    }
}

impl Wait {
    /// The data word of the task that waits.
    #[inline(always)]
    fn task_data(&self) -> *mut Data {
        // SAFETY: the task waits, so it is alive.
        unsafe { (*self.task).tool.data() }
    }

    #[inline(always)]
    fn tell(self, thread: &Thread, endpoint: ScopeEndpoint, parallel: *mut Data) {
        tell::sync_region_wait(thread, || (self.kind, endpoint, parallel, self.task_data(), self.codeptr));
    }
}

/// Tells the tool of the begin of a synchronisation region; its wait begins later.
#[inline]
pub(super) fn tell_begin(thread: &Thread, kind: Kind, codeptr: *const c_void) {
    tell::sync_region(thread, || (kind, ScopeEndpoint::BEGIN, parallel_data(thread), task_data(thread), codeptr));
}

/// The current implicit task has come to the end of its region; taskgroup regions that it has begun and that were
/// cancelled with the region end here.
#[cold]
fn end_taskgroups(thread: &Thread, codeptr: *const c_void) {
    for _ in 0..thread.task().open_groups() {
        tell::sync_region(thread, || {
            (Kind::TASKGROUP, ScopeEndpoint::END, parallel_data(thread), task_data(thread), codeptr)
        });
    }
}

/// The kind of the barrier at the end of a region as tools are to hear of it: a thread that comes there
/// in an initial task is one of a league.
fn at_join(thread: &Thread, kind: Kind) -> Kind {
    if kind == Kind::BARRIER_IMPLICIT_PARALLEL && thread.task().is_initial() { Kind::BARRIER_TEAMS } else { kind }
}

/// A synchronisation region under way: `sync_region` and `sync_region_wait`, begun together. Ends
/// with [`end`](Self::end).
#[must_use]
pub struct SyncRegion<'a> {
    told: Option<Told<'a>>,
}

struct Told<'a> {
    thread: &'a Thread,
    wait: Wait,
    outer: Option<Wait>,
    state: State,
    /// Whether the wait goes on.
    waits: bool,
}

impl<'a> SyncRegion<'a> {
    /// A region that no tool hears of.
    const UNTOLD: Self = SyncRegion { told: None };

    /// Begins a region of this kind for the current task. `codeptr` is where the program encountered
    /// the construct.
    #[inline(always)]
    pub fn begin(thread: &'a Thread, kind: Kind, codeptr: *const c_void) -> Self {
        if !active() {
            return Self::UNTOLD;
        }
        if kind == Kind::BARRIER_IMPLICIT_PARALLEL {
            end_taskgroups(thread, codeptr);
        }
        let kind = at_join(thread, kind);
        tell_begin(thread, kind, codeptr);
        Self::wait_told(thread, kind, codeptr)
    }

    /// As [`begin`](Self::begin), where the program encountered the construct at `call`.
    #[inline(always)]
    pub fn begin_at(thread: &'a Thread, kind: Kind, call: impl Caller) -> Self {
        match call.for_active_tool() {
            None => Self::UNTOLD,
            Some(call) => Self::begin(thread, kind, call.codeptr()),
        }
    }

    /// As [`begin`](Self::begin), for the primary thread at the end of the region of `team`.
    #[inline(always)]
    pub fn begin_join(thread: &'a Thread, team: &Team, call: impl Caller) -> Self {
        match call.for_active_tool() {
            None => Self::UNTOLD,
            Some(_) => Self::begin(thread, Kind::BARRIER_IMPLICIT_PARALLEL, team.tool.codeptr.get()),
        }
    }

    /// Begins the wait of a worker for the end of its region, in `team`, which was encountered at `codeptr`. The worker
    /// itself has encountered nothing there: the runtime called it, so its barrier has no code address, as on libomp.
    #[inline(always)]
    pub fn begin_leave(thread: &'a Thread, team: &Team, codeptr: *const c_void) -> Self {
        if !active() {
            return Self::UNTOLD;
        }
        end_taskgroups(thread, codeptr);
        let kind = at_join(thread, Kind::BARRIER_IMPLICIT_PARALLEL);
        tell_begin(thread, kind, std::ptr::null());
        let region = Self::wait_told(thread, kind, std::ptr::null());
        leave(thread, team);
        region
    }

    /// Begins the wait of a region that [`tell_begin`] has begun.
    #[inline(always)]
    pub fn begin_wait(thread: &'a Thread, kind: Kind, call: impl Caller) -> Self {
        match call.for_active_tool() {
            None => Self::UNTOLD,
            Some(call) => Self::wait_told(thread, kind, call.codeptr()),
        }
    }

    #[inline(always)]
    fn wait_told(thread: &'a Thread, kind: Kind, codeptr: *const c_void) -> Self {
        let parallel = thread.member().team().tool.data();
        let wait = Wait { kind, task: thread.task(), parallel, codeptr };
        let state = thread.tool.state();
        thread.tool.set_state(waiting(kind));
        wait.tell(thread, ScopeEndpoint::BEGIN, parallel);
        let outer = thread.tool.wait.replace(Some(wait));
        SyncRegion { told: Some(Told { thread, wait, outer, state, waits: true }) }
    }

    /// Whether a tool has encountered the construct, in a callback: then there is nothing to wait for. The tool's
    /// regions have this thread alone, and its tasks are complete.
    #[inline(always)]
    pub fn is_of_a_callback(&self) -> bool {
        self.told.as_ref().is_some_and(|told| told.thread.tool.in_callback())
    }

    /// Ends the wait of a region that goes on for a while, with work of the runtime's.
    #[inline(always)]
    pub fn end_wait(&mut self, team: &Team) {
        if let Some(told) = &mut self.told {
            told.end_wait(team.tool.data());
        }
    }

    /// Ends the region. `parallel` is the data word of the parallel region, null for the barrier at its end.
    #[inline(always)]
    pub fn end(self, parallel: *mut Data) {
        if let Some(told) = self.told {
            told.end(parallel);
        }
    }

    /// As [`end`](Self::end), in the region of `team`.
    #[inline(always)]
    pub fn end_in(self, team: &Team) {
        if let Some(told) = self.told {
            told.end(team.tool.data());
        }
    }
}

/// A worker that has a slot in `team` is about to arrive at the end of its region.
#[cold]
fn leave(thread: &Thread, team: &Team) {
    // Of a league, the thread is in one of the initial teams.
    let shown = if thread.task().is_initial() { thread.member().team() } else { team };
    thread.tool.leave_region(shown, team);
}

impl Told<'_> {
    #[inline(always)]
    fn end_wait(&mut self, parallel: *mut Data) {
        self.waits = false;
        self.thread.tool.wait.set(self.outer);
        if active() {
            self.wait.tell(self.thread, ScopeEndpoint::END, parallel);
            self.thread.tool.set_state(State::OVERHEAD);
        }
    }

    #[inline(always)]
    fn end(mut self, parallel: *mut Data) {
        let state = self.thread.tool.state();
        if self.waits {
            self.end_wait(parallel);
            self.thread.tool.set_state(state);
        }
        if !active() {
            return;
        }
        let wait = self.wait;
        tell::sync_region(self.thread, || (wait.kind, ScopeEndpoint::END, parallel, wait.task_data(), wait.codeptr));
        self.thread.tool.set_state(self.state);
    }
}

/// While this lives, the thread's wait counts as ended, because a task runs inside it; then it
/// begins again.
pub struct PausedWait<'a> {
    paused: Option<Paused<'a>>,
}

struct Paused<'a> {
    thread: &'a Thread,
    wait: Wait,
    state: State,
    /// Whether the wait is that of a worker for the end of its region.
    leaving: bool,
}

impl<'a> PausedWait<'a> {
    /// Ends the wait that `thread` is in, if it is in one that the tool knows.
    #[inline(always)]
    pub fn new(thread: &'a Thread) -> Self {
        if !active() {
            return PausedWait { paused: None };
        }
        // There is a task, so the region is not over.
        let leaving = thread.tool.presence() == Presence::Leaving;
        if leaving {
            thread.tool.set_presence(Presence::Inside);
        }
        let paused = thread.tool.wait.replace(None).map(|wait| {
            wait.tell(thread, ScopeEndpoint::END, wait.parallel);
            Paused { thread, wait, state: thread.tool.state(), leaving }
        });
        thread.tool.set_state(State::WORK_PARALLEL);
        PausedWait { paused }
    }
}

impl Drop for PausedWait<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // By its parts, and not taken out as a whole: see `WaitCell`.
        if let Some(&Paused { thread, wait, state, leaving }) = self.paused.as_ref() {
            thread.tool.set_state(state);
            wait.tell(thread, ScopeEndpoint::BEGIN, wait.parallel);
            thread.tool.wait.set(Some(wait));
            if leaving {
                thread.tool.set_presence(Presence::Leaving);
            }
        }
    }
}

/// `ompt_callback_reduction`, begin: the current task is about to combine its values with those of others.
#[inline(always)]
pub fn reduction_begin(thread: &Thread, codeptr: *const c_void) {
    if active() {
        begin_reduction(thread, codeptr);
    }
}

#[cold]
fn begin_reduction(thread: &Thread, codeptr: *const c_void) {
    tell_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
    thread.member().work.combines.set(true);
    thread.tool.set_state(State::WORK_REDUCTION);
}

/// `ompt_callback_reduction`, end, if the current task has begun to combine values.
#[inline(always)]
pub fn reduction_end(thread: &Thread, codeptr: *const c_void) {
    if active() && thread.member().work.combines.take() {
        end_reduction(thread, codeptr);
    }
}

#[cold]
fn end_reduction(thread: &Thread, codeptr: *const c_void) {
    let outside = thread.member().team().region.level.get() == 0;
    thread.tool.set_state(if outside { State::WORK_SERIAL } else { State::WORK_PARALLEL });
    tell_reduction(thread, ScopeEndpoint::END, codeptr);
}

/// `ompt_callback_reduction`, begin and at once end: the program combines the values now, and does not say when it has.
#[inline(always)]
pub fn reduction_without_end(thread: &Thread, codeptr: *const c_void) {
    if active() {
        tell_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
        tell_reduction(thread, ScopeEndpoint::END, codeptr);
    }
}

#[cold]
pub(super) fn tell_reduction(thread: &Thread, endpoint: ScopeEndpoint, codeptr: *const c_void) {
    tell::reduction(thread, || (Kind::REDUCTION, endpoint, parallel_data(thread), task_data(thread), codeptr));
}

/// The state of a thread that waits in a region of this kind.
fn waiting(kind: Kind) -> State {
    match kind {
        Kind::BARRIER_EXPLICIT => State::WAIT_BARRIER_EXPLICIT,
        Kind::BARRIER_IMPLICIT_PARALLEL => State::WAIT_BARRIER_IMPLICIT_PARALLEL,
        Kind::BARRIER_IMPLICIT_WORKSHARE => State::WAIT_BARRIER_IMPLICIT_WORKSHARE,
        Kind::BARRIER_IMPLEMENTATION => State::WAIT_BARRIER_IMPLEMENTATION,
        Kind::BARRIER_TEAMS => State::WAIT_BARRIER_TEAMS,
        Kind::TASKWAIT => State::WAIT_TASKWAIT,
        Kind::TASKGROUP => State::WAIT_TASKGROUP,
        _ => State::WAIT_BARRIER,
    }
}
