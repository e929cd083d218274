//! What debuggers must know of the word of a nestable lock.

use crate::layout::{Shown, constant};
use crate::objects::structures::Task;
use ompd_layout::Field;

/// How far an address is moved up: addresses of programs have 47 bits.
pub(crate) const OWNER_SHIFT: u32 = 17;

/// What debuggers must know of a word.
pub(crate) const SHOWN: Shown =
    &[(Field::NestOwnerShift, constant(OWNER_SHIFT as usize)), (Field::NestOwnerAlign, constant(align_of::<Task>()))];
