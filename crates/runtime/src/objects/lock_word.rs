//! What debuggers need to read the words of simple and nestable locks, and the mark that a thread puts into a lock's
//! word.

use crate::layout::{Shown, constant};
use crate::protocol::{lock_word, nest_word};
use ompd_layout::Field;

pub use crate::protocol::lock_word::mark;

/// Where the words have their owners.
pub(crate) const SHOWN: Shown = &[
    (Field::LockOwnerShift, constant(lock_word::OWNER_SHIFT as usize)),
    (Field::NestOwnerShift, constant(nest_word::OWNER_SHIFT as usize)),
    (Field::NestOwnerAlign, constant(nest_word::OWNER_ALIGN)),
];
