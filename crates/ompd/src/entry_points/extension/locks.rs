//! The holders of what threads wait for.

use crate::answer::write;
use crate::model::nest_lock::{self, NEST_LOCK, shifted};
use crate::model::task::Task;
use crate::model::{live, thread};
use crate::space::Space;
use crate::{AddressSpaceHandle, Rc};
use ompd_layout::Field;

/// The lock has no owner.
pub const FREE: i32 = -1;
/// The holder is unknown, or the wait is for something without a holder.
pub const NOT_KNOWN: i32 = -2;

/// What a thread waits for, as `ThreadWaitFor` has it.
const LOCK: u64 = 1;

/// Writes which thread has the lock, or is in the critical or atomic region, that a wait identifier stands for: by the
/// number by which clang's programs know it, [`FREE`] or [`NOT_KNOWN`]. What an identifier stands for is known while a
/// thread waits for it.
///
/// # Safety
/// `gtid` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_get_lock_owner(
    address_space: *mut AddressSpaceHandle,
    wait_id: u64,
    gtid: *mut i32,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(gtid, live::space(address_space), |(space, _)| {
            let kind = thread::search(&space, |thread| match thread::state(&space, thread)? {
                Some((_, waits)) if waits == wait_id && wait_id != 0 => {
                    space.unsigned(thread, Field::ThreadWaitFor).map(Some)
                }
                _ => Ok(None),
            })?;
            Ok(match kind {
                Some(LOCK) => owner_of_lock(&space, wait_id)?,
                Some(NEST_LOCK) => owner_of_nest_lock(&space, wait_id)?,
                _ => NOT_KNOWN,
            })
        })
    }
}

/// The owner of a simple lock, whose word holds a thread.
fn owner_of_lock(space: &Space, address: u64) -> Result<i32, Rc> {
    match space.memory.unsigned(address, 4)? {
        0 => Ok(FREE),
        word => match shifted(word, space.constant(Field::LockOwnerShift)?)? {
            0 => Ok(NOT_KNOWN),
            owner => Ok(i32::try_from(owner - 1).unwrap_or(NOT_KNOWN)),
        },
    }
}

/// The owner of a nestable lock, whose word holds a task: the thread that executes the task.
fn owner_of_nest_lock(space: &Space, address: u64) -> Result<i32, Rc> {
    let Some(task) = nest_lock::owner(space, address)? else { return Ok(FREE) };
    let task = Task::at(space, task)?;
    let thread = match task.slot {
        Some(slot) => Some(slot.thread(space)?),
        None => task.on_stack(space)?.map(|(thread, _)| thread),
    };
    match thread {
        Some(thread) if thread != 0 => Ok(space.signed(thread, Field::ThreadGtid)? as i32),
        _ => Ok(NOT_KNOWN),
    }
}
