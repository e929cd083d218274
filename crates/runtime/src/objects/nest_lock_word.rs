//! TODO-DOC

use crate::arch;
use crate::layout::{Shown, constant};
use crate::objects::structures::Task;
use ompd_layout::Field;

/// How far an address is moved up: the bits above addresses are free.
pub(crate) const OWNER_SHIFT: u32 = u64::BITS - arch::ADDRESS_BITS;

/// What debuggers must know of a word.
pub(crate) const SHOWN: Shown =
    &[(Field::NestOwnerShift, constant(OWNER_SHIFT as usize)), (Field::NestOwnerAlign, constant(align_of::<Task>()))];
