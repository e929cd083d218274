//! Numbers of OMPT as the store has them.

use std::ffi::c_int;

/// An open enumeration's value or flags as a record's number.
pub(super) fn number(value: c_int) -> u64 {
    u64::from(value as u32)
}
