//! What a thread puts into the word of a lock that it takes.

use crate::layout::{Shown, constant};
use ompd_layout::Field;

/// What debuggers must know of a word.
pub(crate) const SHOWN: Shown = &[(Field::LockOwnerShift, constant(OWNER_SHIFT as usize))];

/// How far that is moved up.
pub(crate) const OWNER_SHIFT: u32 = 2;

/// What a thread with this number puts into words that it takes, besides what it puts in without one.
pub fn mark(gtid: i32) -> u32 {
    (gtid as u32 + 1) << OWNER_SHIFT
}
