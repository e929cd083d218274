//! Threads: their list, and where each of them is.

use super::nest_lock;
use super::slot::{Go, Slot};
pub use super::slot::{is_in_use, slot};
use super::steps::Steps;
use super::team;
use crate::Rc;
use crate::space::{HOST, Space};
use ompd_layout::Field;
use ompt::State;

/// Whether a thread executes a task. The runtime records this while it keeps states (`Presence`).
const OUTSIDE: u64 = 0;
const BETWEEN: u64 = 1;
const LEAVING: u64 = 3;

/// The position of a thread that executes a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The slot that it works in.
    pub slot: Slot,
    /// The task that it executes.
    pub task: u64,
    /// Whether the thread is leaving a region that is over.
    pub is_leaving: bool,
}

/// Calls `found` for each descriptor that a thread uses, until it returns something.
pub fn search<R>(space: &Space, mut found: impl FnMut(u64) -> Result<Option<R>, Rc>) -> Result<Option<R>, Rc> {
    let mut thread = space.root(Field::RootThreads)?;
    let mut steps = Steps::new();
    while thread != 0 {
        steps.to(thread)?;
        if is_in_use(space, thread)?
            && let Some(result) = found(thread)?
        {
            return Ok(Some(result));
        }
        thread = space.unsigned(thread, Field::ThreadNext)?;
    }
    Ok(None)
}

/// Calls `visit` for each descriptor that a thread uses.
pub fn for_each(space: &Space, mut visit: impl FnMut(u64) -> Result<(), Rc>) -> Result<(), Rc> {
    search(space, |thread| visit(thread).map(|()| None::<()>)).map(|_| ())
}

/// The thread of the space with this native identifier in `field`. A thread of the host that runs a device's code is a
/// thread of both spaces. The host's space describes its part outside the device's code, the device's space its part
/// inside.
pub fn by_native_id(space: &Space, field: Field, id: u64) -> Result<Option<u64>, Rc> {
    let mut innermost = None;
    search(space, |thread| -> Result<Option<()>, Rc> {
        if space.unsigned(thread, field)? != id || space.signed(thread, Field::ThreadDevice)? != space.device {
            return Ok(None);
        }
        if space.device == HOST {
            innermost = Some(thread);
            return Ok(Some(()));
        }
        // The inner of two lanes runs for the outer, and is the innermost thread.
        innermost = match innermost {
            Some(other) if space.unsigned(other, Field::ThreadStepsFor)? == thread => Some(other),
            _ => Some(thread),
        };
        Ok(None)
    })?;
    Ok(innermost)
}

/// The position of a thread; `None` if the thread executes no task: it is idle, waits for a region, or is between two
/// tasks.
pub fn whereabouts(space: &Space, thread: u64) -> Result<Option<At>, Rc> {
    let Some(slot) = slot(space, thread)? else { return Ok(None) };
    let task = space.unsigned(thread, Field::ThreadTask)?;
    // If another thread has taken over the slot, this thread's team has been given up.
    if task == 0 || slot.thread(space)? != thread {
        return Ok(None);
    }
    let is_kept = space.keeps_states()?;
    let presence = if is_kept { space.unsigned(thread, Field::ThreadPresence)? } else { OUTSIDE };
    let is_idle = is_kept && presence == OUTSIDE && has_idle_state(space, thread)?;
    if is_idle || presence == BETWEEN {
        return Ok(None);
    }
    let at = |is_leaving| Ok(Some(At { slot, task, is_leaving }));
    if slot.tid == 0 {
        return match team::is_left_behind(space, slot, thread)? {
            false => at(false),
            // The league is over, but its last initial task on this thread has not ended yet. The same happens with a
            // worker's region.
            true if presence == LEAVING => at(true),
            true => Ok(None),
        };
    }
    let go = Go::of(space, slot.team)?;
    let seen = space.unsigned(slot.member, Field::MemberSeen)?;
    let takes_part = slot.tid < go.threads() && seen == go.region() && !go.is_disbanded();
    if takes_part && team::region_under_way(space, slot.team)? == Some(seen) {
        return at(false);
    }
    // Whether the thread has left is known only if states are kept.
    if presence == LEAVING { at(true) } else { Ok(None) }
}

/// Whether the thread's state says that it is idle.
fn has_idle_state(space: &Space, thread: u64) -> Result<bool, Rc> {
    Ok(space.unsigned(thread, Field::ThreadState)? == State::IDLE.0 as u64)
}

/// The thread's state and its wait identifier, which is 0 if it waits for no mutual exclusion. `None` if states are not
/// kept.
pub fn state(space: &Space, thread: u64) -> Result<Option<(i64, u64)>, Rc> {
    let state = space.unsigned(thread, Field::ThreadState)? as i64;
    if state == i64::from(State::UNDEFINED.0) {
        let is_idle = whereabouts(space, thread)?.is_none();
        return Ok(is_idle.then_some((i64::from(State::IDLE.0), 0)));
    }
    let waits = (i64::from(State::WAIT_MUTEX.0)..i64::from(State::WAIT_TARGET.0)).contains(&state);
    let wait_id = if waits { space.unsigned(thread, Field::ThreadWaitId)? } else { 0 };
    if wait_id != 0 && nest_lock::is_taken(space, thread, wait_id)? {
        return Ok(Some((i64::from(State::WORK_PARALLEL.0), 0)));
    }
    Ok(Some((state, wait_id)))
}
