//! Unique identifiers of devices (OpenMP 6.0, sections 24.7 and 24.8; `OMP_AVAILABLE_DEVICES` names devices by them):
//! strings that may stand wherever a device number may.

use super::available::{count, find as device, is_host};
use super::choice::resolved;
use crate::device_numbers::INITIAL;
use std::ffi::CStr;

/// The host's identifier.
const HOST: &CStr = c"OMP_INITIAL_DEVICE";

/// The identifier of a device, which lives for ever; `None` for a number of no device.
pub fn of(number: i32) -> Option<&'static CStr> {
    let number = resolved(number);
    if is_host(number) {
        return Some(HOST);
    }
    Some(&device(number)?.identifier)
}

/// The number of the device with this identifier, [`INITIAL`] for the host.
pub fn find(identifier: &[u8]) -> Option<i32> {
    if identifier == HOST.to_bytes() {
        return Some(INITIAL);
    }
    (0..count()).find(|&number| of(number).is_some_and(|its| its.to_bytes() == identifier))
}
