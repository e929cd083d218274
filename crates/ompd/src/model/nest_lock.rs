//! Nestable locks: a word with the task that owns the lock.

use crate::Rc;
use crate::space::Space;
use ompd_layout::Field;

/// What a thread waits for, as `ThreadWaitFor` has it: the word of a nestable lock.
pub const NEST_LOCK: u64 = 2;

/// The address of the task that owns the lock at `address`; `None` if the lock is free.
pub fn owner(space: &Space, address: u64) -> Result<Option<u64>, Rc> {
    let word = space.memory.unsigned(address, 8)?;
    let mask = space.constant(Field::NestOwnerAlign)?.checked_sub(1).ok_or(Rc::INCOMPATIBLE)?;
    let task = shifted(word, space.constant(Field::NestOwnerShift)?)? & !mask;
    Ok((word != 0).then_some(task))
}

/// Whether a thread that seems to wait for the lock at `wait_id` has it: the thread has just taken the lock, and will
/// go on. A task never waits for its own nestable lock.
pub fn is_taken(space: &Space, thread: u64, wait_id: u64) -> Result<bool, Rc> {
    if space.unsigned(thread, Field::ThreadWaitFor)? != NEST_LOCK {
        return Ok(false);
    }
    let task = space.unsigned(thread, Field::ThreadTask)?;
    // A lock that cannot be read has no owner that is known.
    Ok(owner(space, wait_id).is_ok_and(|owner| owner == Some(task)))
}

/// What lies so many bits up in a word.
pub fn shifted(word: u64, bits: u64) -> Result<u64, Rc> {
    u32::try_from(bits).ok().and_then(|bits| word.checked_shr(bits)).ok_or(Rc::INCOMPATIBLE)
}
