//! Events of threads, parallel regions and implicit tasks (OpenMP 5.1 §4.5.2.1, §4.5.2.3–4, §4.5.2.11).

use super::frame::{self, Entered};
use super::registry::{if_active, parallel_data, report, task_data};
use super::states::working;
use crate::objects::call::Caller;
use crate::objects::presence::{Breakpoint, Presence};
use crate::objects::structures::{Task, Team, Thread};
use crate::objects::switch::active;
use crate::ompd::{self, breakpoints};
use ::ompt::{Data, ParallelFlag, ScopeEndpoint, State, TaskFlag};
use std::ffi::c_void;
use std::ptr::null_mut;

/// `ompt_callback_thread_begin`. The thread's state is kept from here on.
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
    report::thread_begin(thread, || (kind, thread.tool.data.get()));
    breakpoints::thread_begins();
}

/// `ompt_callback_thread_end`, if the thread's begin was reported.
#[inline]
pub fn thread_end(thread: &Thread) {
    if !active() || !thread.tool.begun.replace(false) {
        return;
    }
    report::thread_end(thread, || (thread.tool.data.get(),));
    breakpoints::thread_ends();
    thread.tool.set_presence(Presence::Outside);
    thread.tool.set_state(State::UNDEFINED);
}

/// The thread has nothing to do: a worker, a free agent, or a thread that works for devices.
#[inline]
pub fn idle(thread: &Thread) {
    if active() {
        thread.tool.set_state(State::IDLE);
        thread.tool.set_presence(Presence::Outside);
    }
}

/// A free agent, or a thread that works for devices, executes its initial task again.
#[inline]
pub fn awake(thread: &Thread) {
    if active() {
        thread.tool.set_state(State::OVERHEAD);
        thread.tool.set_presence(Presence::Inside);
    }
}

/// Keeps the initial task of `thread` inside the runtime while the value lives: for a thread that runs no code of the
/// program outside of explicit tasks.
pub fn stay_inside(thread: &Thread) -> Entered<'_> {
    if active() { frame::entered_somewhere(thread) } else { Entered::NONE }
}

/// `ompt_callback_implicit_task` for the begin of a root's initial task.
#[inline]
pub fn initial_task_begin(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        let _in = frame::entered_somewhere(thread);
        begin_task(thread, parallel_data(thread), 1, 1, TaskFlag::INITIAL);
    }
}

/// `ompt_callback_implicit_task` for the end of a root's initial task.
#[inline]
pub fn initial_task_end(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        let _in = frame::entered_somewhere(thread);
        end_task(thread, 1, TaskFlag::INITIAL);
    }
}

/// The current task begins, implicit or initial: number `index` of `count` in its region.
fn begin_task(thread: &Thread, parallel: *mut Data, count: u32, index: u32, flags: TaskFlag) {
    thread.tool.set_presence(Presence::Inside);
    report::implicit_task(thread, || (ScopeEndpoint::BEGIN, parallel, task_data(thread), count, index, flags.0 as _));
    breakpoints::task_begins();
}

/// The current task ends, implicit or initial. Its region may be over already, so the event does not name the region.
fn end_task(thread: &Thread, index: u32, flags: TaskFlag) {
    report::implicit_task(thread, || (ScopeEndpoint::END, null_mut(), task_data(thread), 0, index, flags.0 as _));
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
        begin_task(thread, parallel_data(thread), 1, 1, TaskFlag::INITIAL);
    }
}

/// A thread of a device ends the initial task of a target region.
#[inline]
pub fn device_task_end(thread: &Thread) {
    if active() && thread.tool.begun.get() {
        end_task(thread, 1, TaskFlag::INITIAL);
    }
}

/// The current task, a target task, is set aside for the initial task of its region. `outside`, here and below, is an
/// address in a frame of the runtime that lasts as long as the initial task.
#[inline]
pub fn target_region_begin(thread: &Thread, outside: *const c_void) {
    if active() {
        // The runtime calls the region's code, so no frame of the program's is between the two tasks.
        thread.task().tool.hide_frames(outside);
        thread.tool.set_presence(Presence::Between);
    }
}

/// The initial task of a target region begins, on top of the target task `outer`.
#[inline]
pub fn target_task_begin(thread: &Thread, outer: &Task, outside: *const c_void) {
    if active() {
        let task = thread.task();
        task.tool.below.set(outer);
        task.tool.hide_frames(outside);
        thread.tool.set_state(State::WORK_SERIAL);
        initial_task_begin(thread);
    }
}

/// The runtime is about to call the code of `task`, an initial task on top of another task.
#[inline]
pub fn code_begins(task: &Task) {
    if active() {
        task.tool.show_frames();
    }
}

/// The code of `task`, an initial task on top of another task, has returned.
#[inline]
pub fn code_ends(task: &Task, outside: *const c_void) {
    if active() {
        task.tool.hide_frames(outside);
    }
}

/// The target region is over. The thread executes the task again that encountered it.
#[inline]
pub fn target_region_end(thread: &Thread) {
    if active() {
        thread.task().tool.show_frames();
        thread.tool.set_presence(Presence::Inside);
    }
}

/// `ompt_callback_parallel_begin`, on the encountering task. `function` is the region's outlined function, which the
/// team does not have yet.
#[inline]
pub fn parallel_begin(
    thread: &Thread,
    team: &Team,
    function: *const c_void,
    requested: u32,
    flags: i32,
    call: impl Caller,
) {
    let Some(call) = call.for_active_tool() else { return };
    if !thread.tool.begun.get() && thread.task().is_initial() {
        // The thread became a root while the tool's initialiser was still running.
        begin_thread(thread);
        initial_task_begin(thread);
    }
    team.tool.flags.set(flags);
    let named = thread.tool.name(function);
    let reported = report::parallel_begin(thread, || {
        let task = thread.task();
        (task.tool.data(), task.tool.frame.get(), team.tool.data(), requested, flags as _, call.codeptr())
    });
    drop(named);
    if reported.is_some() {
        // A region inside the callback may have used the same team.
        team.tool.flags.set(flags);
    }
    thread.tool.set_state(State::OVERHEAD);
    if is_league(team) {
        // Until the thread begins one of the league's initial tasks, it has no task in the league.
        thread.tool.set_presence(Presence::Between);
    }
}

/// Calls the breakpoint function for the begin of the region of `team`, which `thread` has encountered. The team's
/// fields describe the region already.
#[inline]
pub fn region_is_described(thread: &Thread, team: &Team) {
    if ompd::debugging() && !thread.tool.in_callback() {
        team.member(0).thread.set(thread);
        let presence = thread.tool.presence();
        // The current task is the one that encountered the region, also at the begin of a league.
        thread.tool.set_presence(Presence::Inside);
        call_breakpoint(thread, team, Breakpoint::Begin, breakpoints::parallel_begins);
        thread.tool.set_presence(presence);
    }
}

/// Calls a breakpoint function with the primary's slot in `team` as the thread's slot: the debugger takes the region of
/// `team` for the thread's current region.
#[cold]
fn call_breakpoint(thread: &Thread, team: &Team, breakpoint: Breakpoint, call: fn()) {
    let outer = thread.member();
    team.tool.breakpoint.set(breakpoint);
    thread.set_member(team.member(0));
    call();
    team.tool.breakpoint.set(Breakpoint::None);
    thread.set_member(outer);
}

/// `ompt_callback_parallel_end`, on the encountering task, which is the current task again.
#[inline]
pub fn parallel_end(thread: &Thread, team: &Team, task: &Task, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    thread.tool.set_presence(Presence::Inside);
    // A region that the program itself runs ends in another call than it began.
    let codeptr = if team.tool.codeptr.get().is_null() { call.codeptr() } else { team.tool.codeptr.get() };
    report::parallel_end(thread, || (team.tool.data(), task.tool.data(), team.tool.flags.get() as _, codeptr));
    if ompd::debugging() && !thread.tool.in_callback() {
        call_breakpoint(thread, team, Breakpoint::End, breakpoints::parallel_ends);
    }
    thread.tool.set_state(working(thread.member().team()));
}

/// `ompt_callback_implicit_task`, begin.
#[inline(always)]
pub fn implicit_task_begin(thread: &Thread, team: &Team, nthreads: u32, tid: u32) {
    if_active(move || {
        if !thread.tool.begun.get() {
            // A tool's initialiser began a region, so the worker is older than the tool's activity.
            begin_thread(thread);
        }
        // A worker was idle until now.
        thread.tool.set_state(State::OVERHEAD);
        if is_league(team) {
            return thread.tool.set_presence(Presence::Between);
        }
        let _named = thread.tool.name(team.signal.outlined.get().function);
        begin_task(thread, team.tool.data(), nthreads, tid, TaskFlag::IMPLICIT);
        thread.tool.set_state(State::WORK_PARALLEL);
    });
}

/// `ompt_callback_implicit_task` for the begin of the initial task of team `number` of a league.
#[inline]
pub fn league_task_begin(thread: &Thread, league: &Team, teams: u32, number: u32, outside: *const c_void) {
    if active() {
        thread.task().tool.hide_frames(outside);
        let _named = thread.tool.name(league.signal.outlined.get().function);
        begin_task(thread, league.tool.data(), teams, number, TaskFlag::INITIAL);
        thread.tool.set_state(State::WORK_SERIAL);
    }
}

/// Whether the region of a team is a league, whose threads have no implicit tasks.
fn is_league(team: &Team) -> bool {
    team.tool.flags.get() & ParallelFlag::LEAGUE.0 != 0
}

/// `ompt_callback_implicit_task`, end. The region itself may be over already.
#[inline(always)]
pub fn implicit_task_end(thread: &Thread, tid: u32) {
    if_active(move || {
        if !thread.tool.begun.get() {
            // The tool has become active since the task began.
            return;
        }
        if thread.task().is_initial() {
            // The initial task is one of a league. The thread's team has its number.
            end_task(thread, thread.member().team().region.team_num.get() as u32, TaskFlag::INITIAL);
        } else {
            end_task(thread, tid, TaskFlag::IMPLICIT);
        }
    });
}
