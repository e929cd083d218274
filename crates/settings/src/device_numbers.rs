//! Numbers of devices with a meaning, and the number of known devices.

use crate::model::atomic::{AtomicI32, Ordering};

/// `omp_initial_device`: the host.
pub const INITIAL: i32 = -1;

/// `omp_invalid_device`: a construct on this device ends the program.
pub const INVALID: i32 = -4;

/// `omp_default_device` (OpenMP 6.1): the device in default-device-var.
pub const DEFAULT: i32 = -5;

/// `omp_invalid_device` by LLVM's number, in constructs of programs that clang has built, and in default-device-var.
pub const INVALID_FOR_GOOD: i32 = -2;

/// In default-device-var: the device that the list in `OMP_DEFAULT_DEVICE` selects.
pub const LISTED: i32 = -3;

/// The most devices that there can be.
pub const MOST: usize = 128;

/// The devices that have been counted so far. Written where devices are counted, read by [`known`].
pub static COUNT: AtomicI32 = AtomicI32::new(0);

/// The number of devices that have been counted so far. Async-signal-safe.
pub fn known() -> i32 {
    COUNT.load(Ordering::Acquire)
}
