//! What a thread puts into the word of a lock that it takes.
//! What debuggers and threads must know of the word of a simple lock.

use crate::layout::{Shown, constant};
use crate::protocol::lock_word;
use ompd_layout::Field;

pub use crate::protocol::lock_word::mark;

/// What debuggers must know of a word.
pub(crate) const SHOWN: Shown = &[(Field::LockOwnerShift, constant(lock_word::OWNER_SHIFT as usize))];
