//! What debuggers must know of the word of a nestable lock.

use crate::layout::{Shown, constant};
use crate::protocol::nest_word;
use ompd_layout::Field;

/// What debuggers must know of a word.
pub(crate) const SHOWN: Shown = &[
    (Field::NestOwnerShift, constant(nest_word::OWNER_SHIFT as usize)),
    (Field::NestOwnerAlign, constant(nest_word::OWNER_ALIGN)),
];
