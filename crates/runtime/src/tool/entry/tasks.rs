//! Entry points about regions and tasks, the current ones and those around them (OpenMP 5.1 §4.6.1.13–15).
//!
//! Everything is derived from one word, the thread's current task. A signal handler therefore never sees a task in
//! another task's region. An explicit task leads to the tasks that it is executed on top of. The lowest of these is an
//! implicit or initial task, which lies in its slot of its team.

use super::common::{this_thread, write};
use crate::objects::presence::Presence;
use crate::objects::structures::{Member, TargetTool, Task, Team, Thread};
use crate::ompt::several;
use crate::ompt::silence::answers;
use ::ompt::{Data, Frame};
use std::cell::Cell;
use std::ffi::{c_int, c_void};

/// The answer if there is nothing at the level.
const NONE: c_int = 0;
/// The answer if there is something that cannot be described now.
const UNAVAILABLE: c_int = 1;
/// The answer if the region or task is described.
const AVAILABLE: c_int = 2;

/// A task on a thread's stack, or a task that waits for such a task, and the slot of the thread that executes it.
#[derive(Clone, Copy)]
struct At {
    task: &'static Task,
    slot: &'static Member,
}

impl At {
    /// The current task of `thread`.
    fn current(thread: &Thread) -> Option<At> {
        let (task, slot) = (thread.task(), thread.member());
        if task.team().is_some_and(|team| task.is_explicit() && std::ptr::eq(team, slot.team())) {
            // A short cut for stacks of very many tasks.
            return Some(At { task, slot });
        }
        let mut implicit = task;
        while implicit.is_explicit() {
            implicit = implicit.tool.below()?;
        }
        // SAFETY: implicit and initial tasks become current only in their slots.
        let slot = unsafe { Member::of_implicit(implicit) };
        // In a forked child, the thread may have got another slot for the same task.
        let slot = if slot.team().deserted.get() { thread.member() } else { slot };
        Some(At { task, slot })
    }

    /// The task around this one: the task below on the stack, or the task that encountered the region.
    fn outer(self) -> Option<At> {
        let team = self.slot.team();
        let on_stack = if self.task.is_explicit() { Some(self.slot) } else { team.encountered_in() };
        match on_stack {
            Some(slot) => Some(At { task: self.task.tool.below()?, slot }),
            None => Some(At { task: self.task.parent()?, slot: team.parent()? }),
        }
    }

    /// The task that is `level` levels around this one.
    fn ancestor(self, level: c_int) -> Option<At> {
        (0..level).try_fold(self, |at, _| at.outer())
    }
}

/// The innermost implicit or initial task that the thread executes; `None` between tasks.
pub(super) fn innermost_implicit(thread: &Thread) -> Option<&Task> {
    match thread.tool.presence() {
        Presence::Inside | Presence::Leaving if answers(thread) => Some(&At::current(thread)?.slot.implicit),
        _ => None,
    }
}

/// The team that is `level` regions around the slot.
fn enclosing(slot: &'static Member, level: c_int) -> Option<&'static Team> {
    (0..level).try_fold(slot, |slot, _| slot.team().encountered_in().or(slot.team().parent())).map(Member::team)
}

/// The target construct in whose region, on the host, the thread takes part: the construct of the thread that
/// encountered the outermost region.
pub(super) fn target_around(thread: &Thread) -> Option<&'static TargetTool> {
    if thread.tool.presence() == Presence::Outside {
        return None;
    }
    let mut team = thread.member().team();
    loop {
        if let Some(slot) = team.encountered_in() {
            return slot.thread().tool.target();
        }
        team = team.parent()?.team();
    }
}

/// The common part of both entry points: whether the thread is in a task, and what is at the level. `describe` writes
/// the description and says whether there is one. It gets the current task and, at level 0, the thread if the thread is
/// leaving its region.
fn at_level(level: c_int, describe: impl Fn(At, Option<&Thread>) -> bool) -> c_int {
    let Some(thread) = this_thread().filter(|thread| level >= 0 && answers(thread)) else { return NONE };
    let leaving = match thread.tool.presence() {
        Presence::Outside => return if thread.member().is_called(thread) { UNAVAILABLE } else { NONE },
        Presence::Between => return UNAVAILABLE,
        Presence::Inside => None,
        Presence::Leaving => Some(thread),
    };
    let Some(at) = At::current(thread) else { return UNAVAILABLE };
    // An explicit task is executed meanwhile. It belongs to the region, which therefore is not over.
    let leaving = leaving.filter(|_| !at.task.is_explicit());
    let found = describe(at, leaving.filter(|_| level == 0));
    match leaving {
        // The region is over, and its slot may be anywhere or nowhere by now.
        Some(thread) if level > 0 && thread.tool.left_region_is_over() => UNAVAILABLE,
        _ if found => AVAILABLE,
        _ => NONE,
    }
}

/// An enclosing parallel region (§4.6.1.13): 2 if the region is described; 1 if it cannot be described now, because the
/// thread is on its way into a region or out of one; 0 if there is none. A worker that waits at the end of a region
/// gets a copy of the region's data word, because the region may be over.
pub(super) unsafe extern "C" fn get_parallel_info<const TOOL: usize>(
    level: c_int,
    data: *mut *mut Data,
    size: *mut c_int,
) -> c_int {
    at_level(level, |at, leaving| {
        let (word, threads) = match (leaving, enclosing(at.slot, level)) {
            (Some(thread), _) => (thread.tool.left.data.get(), thread.tool.left.size.get()),
            (None, Some(team)) => (team.tool.data(), team.shown_size()),
            (None, None) => return false,
        };
        // SAFETY: each is null or a place to write to; the words are those of objects.
        unsafe {
            write(data, several::word(word, TOOL));
            write(size, threads as c_int);
        }
        true
    })
}

/// An ancestor task (§4.6.1.14): 2 if the task is described; 1 if it cannot be described now, because the thread is
/// between tasks; 0 if there is none. Ancestors are the tasks whose frames are on the thread's stack, innermost first.
/// Below a stolen task is the task that the thief set aside, not the task that generated the stolen one.
pub(super) unsafe extern "C" fn get_task_info<const TOOL: usize>(
    level: c_int,
    flags: *mut c_int,
    data: *mut *mut Data,
    frame: *mut *mut Frame,
    parallel: *mut *mut Data,
    number: *mut c_int,
) -> c_int {
    at_level(level, |at, leaving| {
        let Some(At { task, slot }) = at.ancestor(level) else { return false };
        let region = leaving.map_or_else(|| slot.team().tool.data(), |thread| thread.tool.left.data.get());
        // SAFETY: each is null or a place to write to; the words are those of objects.
        unsafe {
            write(flags, task.ompt_flags());
            write(data, several::word(task.tool.data(), TOOL));
            write(frame, task.tool.frame.get());
            write(parallel, several::word(region, TOOL));
            write(number, slot.tid as c_int);
        }
        true
    })
}

/// The flags and the data word of an ancestor task, for runtimes that are connected (`tool/connect.rs`). The word is
/// the one that the table's callbacks take, also with several tools.
pub(crate) fn flags_and_data(level: c_int) -> Option<(c_int, *mut Data)> {
    let found = Cell::new(None);
    let answer = at_level(level, |at, _| {
        found.set(at.ancestor(level).map(|At { task, .. }| (task.ompt_flags(), task.tool.data())));
        found.get().is_some()
    });
    found.get().filter(|_| answer == AVAILABLE)
}

/// A block of the current task's memory (§4.6.1.15). Returns 1 if there are further blocks. The size is 0 where there
/// is no block.
///
/// - An explicit task has one block, with its private variables and its pointers to shared variables.
/// - An implicit task has its private variables on the stack. Its blocks are the arguments of the outlined function
///   that the runtime passes on: up to three that came in registers, and a second block with the others. gcc's code has
///   one argument of unknown size, and so no block.
pub(super) unsafe extern "C" fn get_task_memory(address: *mut *mut c_void, size: *mut usize, block: c_int) -> c_int {
    let inside = |thread: &&Thread| answers(thread) && thread.tool.presence() == Presence::Inside;
    let at = this_thread().filter(inside).and_then(At::current);
    let blocks = match at {
        Some(At { task, .. }) if task.is_explicit() => [(task.payload().cast(), task.payload_bytes()), NOTHING],
        Some(At { slot, .. }) => slot.team().arguments(),
        None => [NOTHING; 2],
    };
    let of = |index: usize| blocks.get(index).copied().unwrap_or(NOTHING);
    let index = usize::try_from(block).unwrap_or(usize::MAX);
    let (start, bytes) = of(index);
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(address, start);
        write(size, bytes);
    }
    (of(index.saturating_add(1)).1 > 0).into()
}

/// No block of memory.
const NOTHING: (*mut c_void, usize) = (std::ptr::null_mut(), 0);
