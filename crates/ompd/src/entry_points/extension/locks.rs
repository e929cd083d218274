//! The holders of what threads wait for.

use crate::answer::write;
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
const NEST_LOCK: u64 = 2;

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
    let word = space.memory.unsigned(address, 8)?;
    if word == 0 {
        return Ok(FREE);
    }
    let align = space.constant(Field::NestOwnerAlign)?;
    let mask = align.checked_sub(1).ok_or(Rc::INCOMPATIBLE)?;
    let task = Task::at(space, shifted(word, space.constant(Field::NestOwnerShift)?)? & !mask)?;
    let thread = match task.slot {
        Some(slot) => Some(slot.thread(space)?),
        None => task.on_stack(space)?.map(|(thread, _)| thread),
    };
    match thread {
        Some(thread) if thread != 0 => Ok(space.signed(thread, Field::ThreadGtid)? as i32),
        _ => Ok(NOT_KNOWN),
    }
}

/// What lies so many bits up in a word.
fn shifted(word: u64, bits: u64) -> Result<u64, Rc> {
    u32::try_from(bits).ok().and_then(|bits| word.checked_shr(bits)).ok_or(Rc::INCOMPATIBLE)
}
