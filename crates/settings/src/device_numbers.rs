//! Numbers of devices that stand for something, and how many devices are known.

use crate::model::atomic::{AtomicI32, Ordering};

/// `omp_initial_device`: the host, whatever its number.
pub const INITIAL: i32 = -1;

/// `omp_invalid_device`: whatever uses it ends the program.
pub const INVALID: i32 = -4;

/// `omp_default_device` (OpenMP 6.1): the one that default-device-var says, wherever a number is asked for.
pub const DEFAULT: i32 = -5;

/// `omp_invalid_device` by LLVM's number: in default-device-var, whichever devices there are, and in constructs of
/// clang-built programs.
pub const INVALID_FOR_GOOD: i32 = -2;

/// In default-device-var: what the list in `OMP_DEFAULT_DEVICE` says.
pub const LISTED: i32 = -3;

/// There are never more devices than this.
pub const MOST: usize = 128;

pub static COUNT: AtomicI32 = AtomicI32::new(0);

/// How many devices have been counted so far. Async-signal-safe.
pub fn known() -> i32 {
    COUNT.load(Ordering::Acquire)
}
