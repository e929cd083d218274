//! Events of synchronisation regions: barriers, taskwait, taskgroup, and reductions (OpenMP 5.1 §4.5.2.13–14).

use super::registry::{if_active, parallel_data, report, task_data};
use super::several;
use super::states::{InState, working};
use crate::model::atomic::Ordering::Relaxed;
use crate::objects::call::Caller;
use crate::objects::presence::Presence;
use crate::objects::structures::{Task, Team, Thread, WaitCell};
use crate::objects::switch::active;
use ::ompt::{Data, ScopeEndpoint, State, SyncRegion as Kind};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// The arguments of a wait's events.
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
}

impl Wait {
    /// The data word of the task that waits.
    #[inline(always)]
    fn task_data(&self) -> *mut Data {
        // SAFETY: a task that waits is not over.
        unsafe { (*self.task).tool.data() }
    }

    /// `ompt_callback_sync_region_wait`.
    #[inline(always)]
    fn report(self, thread: &Thread, endpoint: ScopeEndpoint, parallel: *mut Data) {
        report::sync_region_wait(thread, || (self.kind, endpoint, parallel, self.task_data(), self.codeptr));
    }
}

/// `ompt_callback_sync_region` for the current task.
#[inline]
fn report_region(thread: &Thread, kind: Kind, endpoint: ScopeEndpoint, codeptr: *const c_void) {
    report::sync_region(thread, || (kind, endpoint, parallel_data(thread), task_data(thread), codeptr));
}

/// The begin of a taskgroup region, on the task that encountered the construct.
#[inline(always)]
pub fn taskgroup_begin(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        report_region(thread, Kind::TASKGROUP, ScopeEndpoint::BEGIN, call.codeptr());
    }
}

/// The wait at the end of a taskgroup region. The value's end is the region's end.
#[inline(always)]
pub fn taskgroup_wait<'a>(thread: &'a Thread, call: impl Caller) -> SyncRegion<'a> {
    match call.for_active_tool() {
        None => SyncRegion::NONE,
        Some(call) => SyncRegion::begin_wait(thread, Kind::TASKGROUP, call.codeptr()),
    }
}

/// The end of the taskgroup regions that the current implicit task has begun, and that were cancelled with the task's
/// parallel region. The task has come to the end of that region.
#[cold]
fn end_taskgroups(thread: &Thread, codeptr: *const c_void) {
    for _ in 0..thread.task().open_groups() {
        report_region(thread, Kind::TASKGROUP, ScopeEndpoint::END, codeptr);
    }
}

/// A synchronisation region under way: `sync_region` and `sync_region_wait`, begun together. Ends with
/// [`end`](Self::end).
#[must_use]
pub struct SyncRegion<'a> {
    /// None where no tool is active.
    reported: Option<Reported<'a>>,
}

struct Reported<'a> {
    thread: &'a Thread,
    wait: Wait,
    /// The wait around this one, in which the thread executes a task.
    outer: Option<Wait>,
    /// The thread's state before the region.
    state: State,
    /// Whether the end of the wait has not been reported.
    waits: bool,
}

impl<'a> SyncRegion<'a> {
    const NONE: Self = SyncRegion { reported: None };

    /// Begins a region of this kind for the current task. `codeptr` is where the program encountered the construct.
    #[inline(always)]
    pub fn begin(thread: &'a Thread, kind: Kind, codeptr: *const c_void) -> Self {
        if !active() {
            return Self::NONE;
        }
        if kind == Kind::BARRIER_IMPLICIT_PARALLEL {
            end_taskgroups(thread, codeptr);
        }
        Self::begin_reported(thread, kind, codeptr)
    }

    /// As [`begin`](Self::begin), where the program encountered the construct at `call`.
    #[inline(always)]
    pub fn begin_at(thread: &'a Thread, kind: Kind, call: impl Caller) -> Self {
        // A match, because compilers call `Option::map_or` where its closure is as large as this one.
        match call.for_active_tool() {
            None => Self::NONE,
            Some(call) => Self::begin(thread, kind, call.codeptr()),
        }
    }

    /// As [`begin`](Self::begin), for the primary thread at the end of the region of `team`.
    #[inline(always)]
    pub fn begin_join(thread: &'a Thread, team: &Team, call: impl Caller) -> Self {
        match call.for_active_tool() {
            None => Self::NONE,
            Some(_) => Self::begin(thread, Kind::BARRIER_IMPLICIT_PARALLEL, team.tool.codeptr.get()),
        }
    }

    /// Begins the wait of a worker for the end of its region, in `team`, which was encountered at `codeptr`. The
    /// runtime called the worker, which has encountered no construct. The barrier therefore has no code address, as on
    /// libomp.
    #[inline(always)]
    pub fn begin_leave(thread: &'a Thread, team: &Team, codeptr: *const c_void) -> Self {
        if !active() {
            return Self::NONE;
        }
        end_taskgroups(thread, codeptr);
        let region = Self::begin_reported(thread, Kind::BARRIER_IMPLICIT_PARALLEL, null());
        leave(thread, team);
        region
    }

    #[inline(always)]
    fn begin_reported(thread: &'a Thread, kind: Kind, codeptr: *const c_void) -> Self {
        // A thread that ends a region in an initial task is one of a league.
        let of_league = kind == Kind::BARRIER_IMPLICIT_PARALLEL && thread.task().is_initial();
        let kind = if of_league { Kind::BARRIER_TEAMS } else { kind };
        report_region(thread, kind, ScopeEndpoint::BEGIN, codeptr);
        Self::begin_wait(thread, kind, codeptr)
    }

    /// Begins the wait of a region whose begin has been reported.
    #[inline(always)]
    fn begin_wait(thread: &'a Thread, kind: Kind, codeptr: *const c_void) -> Self {
        let parallel = parallel_data(thread);
        let wait = Wait { kind, task: thread.task(), parallel, codeptr };
        let state = thread.tool.state();
        thread.tool.set_state(waiting(kind));
        wait.report(thread, ScopeEndpoint::BEGIN, parallel);
        let outer = thread.tool.wait.get();
        thread.tool.wait.set(Some(wait));
        SyncRegion { reported: Some(Reported { thread, wait, outer, state, waits: true }) }
    }

    /// Whether a tool has encountered the construct in a callback. Then there is nothing to wait for: a tool's regions
    /// have one thread, and its tasks are complete.
    #[inline(always)]
    pub fn is_of_a_callback(&self) -> bool {
        self.reported.as_ref().is_some_and(|reported| reported.thread.tool.in_callback())
    }

    /// Ends the wait. The region goes on, with work of the runtime's.
    #[inline(always)]
    pub fn end_wait(&mut self, team: &Team) {
        if let Some(reported) = &mut self.reported {
            reported.end_wait(team.tool.data());
        }
    }

    /// Ends the region, which is in the region of `team`; none for the barrier at the end of a parallel region.
    #[inline(always)]
    pub fn end(self, team: Option<&Team>) {
        if let Some(reported) = self.reported {
            reported.end(team.map_or(null_mut(), |team| team.tool.data()));
        }
    }
}

impl Reported<'_> {
    #[inline(always)]
    fn end_wait(&mut self, parallel: *mut Data) {
        self.waits = false;
        self.thread.tool.wait.set(self.outer);
        if active() {
            self.wait.report(self.thread, ScopeEndpoint::END, parallel);
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
        report::sync_region(self.thread, || (wait.kind, ScopeEndpoint::END, parallel, wait.task_data(), wait.codeptr));
        self.thread.tool.set_state(self.state);
    }
}

/// Keeps what tools may ask about the region of `team`: a worker with a slot in the team is about to arrive at the end
/// of the region, which may be over any time after that.
#[cold]
fn leave(thread: &Thread, team: &Team) {
    // Of a league, the thread is in one of the initial teams.
    let shown = if thread.task().is_initial() { thread.member().team() } else { team };
    let left = &thread.tool.left;
    left.team.set(team);
    left.number.set(team.region_under_way());
    left.size.set(shown.shown_size());
    // SAFETY: `copy` wants data words that only tools use: this thread's copy, and the word of a region that cannot be
    // over before this thread has arrived at its end.
    unsafe { several::copy(shown.tool.data(), left.data.get()) };
    thread.tool.set_presence(Presence::Leaving);
}

/// The execution of a task inside another task, while the value lives. The wait that the thread was in counts as ended:
/// its end is reported now, and its begin again when the value is dropped.
pub struct TaskInside<'a> {
    /// None where no tool is active.
    outer: Option<Outer<'a>>,
}

/// What the thread goes back to.
struct Outer<'a> {
    thread: &'a Thread,
    state: State,
    wait: Option<Wait>,
    /// Whether the wait is that of a worker for the end of its region.
    leaving: bool,
}

impl<'a> TaskInside<'a> {
    /// `thread` is about to execute `task`.
    #[inline(always)]
    pub fn new(thread: &'a Thread, task: &Task) -> Self {
        if !active() {
            return TaskInside { outer: None };
        }
        let state = thread.tool.state();
        // There is a task, so the region is not over.
        let leaving = thread.tool.presence() == Presence::Leaving;
        if leaving {
            thread.tool.set_presence(Presence::Inside);
        }
        let wait = thread.tool.wait.get();
        if let Some(wait) = wait {
            thread.tool.wait.set(None);
            wait.report(thread, ScopeEndpoint::END, wait.parallel);
        }
        let team = thread.member().team();
        let own = task.team().is_none_or(|of| std::ptr::eq(of, team));
        // For a task of another team, `works_in` sets the state.
        thread.tool.set_state(if own { working(team) } else { State::OVERHEAD });
        TaskInside { outer: Some(Outer { thread, state, wait, leaving }) }
    }
}

impl Drop for TaskInside<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // By its parts, and not taken out as a whole: see `WaitCell`.
        if let Some(&Outer { thread, state, wait, leaving }) = self.outer.as_ref() {
            thread.tool.set_state(state);
            if let Some(wait) = wait {
                wait.report(thread, ScopeEndpoint::BEGIN, wait.parallel);
                thread.tool.wait.set(Some(wait));
                if leaving {
                    thread.tool.set_presence(Presence::Leaving);
                }
            }
        }
    }
}

/// `ompt_callback_reduction`, begin: the current task is about to combine its values with those of other tasks.
#[inline(always)]
pub fn reduction_begin(thread: &Thread, codeptr: *const c_void) {
    if_active(move || {
        report_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
        thread.member().work.combines.set(true);
        thread.tool.set_state(State::WORK_REDUCTION);
    });
}

/// `ompt_callback_reduction`, end, if the current task has begun to combine values.
#[inline(always)]
pub fn reduction_end(thread: &Thread, codeptr: *const c_void) {
    if_active(move || {
        if thread.member().work.combines.take() {
            thread.tool.set_state(working(thread.member().team()));
            report_reduction(thread, ScopeEndpoint::END, codeptr);
        }
    });
}

/// `ompt_callback_reduction`, begin and at once end: the program combines the values now, and does not say when it has.
#[inline(always)]
pub fn reduction_without_end(thread: &Thread, codeptr: *const c_void) {
    if_active(move || {
        report_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
        report_reduction(thread, ScopeEndpoint::END, codeptr);
    });
}

fn report_reduction(thread: &Thread, endpoint: ScopeEndpoint, codeptr: *const c_void) {
    report::reduction(thread, || (Kind::REDUCTION, endpoint, parallel_data(thread), task_data(thread), codeptr));
}

/// `ompt_callback_reduction` while the value lives: the current task combines the copies of a task reduction, at the
/// end of the region in which it waits.
pub struct Combining<'a> {
    reported: Option<(InState<'a>, &'a Thread, *const c_void)>,
}

impl<'a> Combining<'a> {
    #[inline]
    pub fn new(thread: &'a Thread, codeptr: *const c_void) -> Self {
        let reported = active().then(|| {
            report_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
            (InState::new(thread, State::WORK_REDUCTION, 0), thread, codeptr)
        });
        Combining { reported }
    }
}

impl Drop for Combining<'_> {
    fn drop(&mut self) {
        if let Some((state, thread, codeptr)) = self.reported.take() {
            drop(state);
            report_reduction(thread, ScopeEndpoint::END, codeptr);
        }
    }
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
