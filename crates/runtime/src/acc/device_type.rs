//! The types of devices in OpenACC (`acc_device_t`; OpenACC 2.6, 3.1).

use super::error::end;

/// `acc_device_current`: the thread's own type.
pub const CURRENT: i32 = -1;
/// `acc_device_none`
pub const NONE: i32 = 0;
/// `acc_device_default`
pub const DEFAULT: i32 = 1;
/// `acc_device_host`
pub const HOST: i32 = 2;
/// `acc_device_not_host`
pub const NOT_HOST: i32 = 4;

/// The types by number, as in gcc's `openacc.h`.
const NAMES: [(i32, &str); 6] =
    [(NONE, "none"), (DEFAULT, "default"), (HOST, "host"), (NOT_HOST, "not_host"), (5, "nvidia"), (8, "radeon")];

/// The name of a type. The program ends if there is no such type.
pub fn name(kind: i32) -> &'static str {
    match NAMES.iter().find(|(number, _)| *number == kind) {
        Some((_, name)) => name,
        None => end(&format!("{kind} is no device type")),
    }
}
