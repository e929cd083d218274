//! Devices, for a host without any (OpenMP 5.1 §1.3, §2.14, §3.7, §3.8): the host is device 0, its memory is every data environment,
//! and target regions run on it.

mod memory;
mod region;

pub use memory::{Copy, Fill, MAX_DIMENSIONS, Operation, Rectangle, allocate, free};
pub use region::{Private, Region, Synchronisation, execute, order};

use crate::error;
use crate::icv::{self, TargetOffload};
use crate::thread::Thread;

/// Devices besides the host.
pub const COUNT: i32 = 0;
/// The host's number: the one that follows the devices'.
pub const HOST: i32 = COUNT;
/// `omp_invalid_device`: whatever uses it ends the program.
pub const INVALID: i32 = -4;

/// What a construct says of its device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// Nothing: default-device-var says which.
    Default,
    /// The host, because an `if` clause is false.
    Host,
    /// The number in its `device` clause.
    Number(i32),
}

/// Sees that a construct may run on the host. If it may not, because it names `omp_invalid_device`, or because its device does not
/// exist and `OMP_TARGET_OFFLOAD` is `mandatory`, the program ends (§6.17).
pub fn require(thread: &Thread, device: Device) {
    let number = match device {
        Device::Host => return,
        Device::Default => thread.icvs().default_device,
        Device::Number(number) => number,
    };
    if number != HOST {
        refuse_unless_host_will_do(number, "a device construct");
    }
}

/// Whether a device routine may use this device number. Where `OMP_TARGET_OFFLOAD` is `mandatory`, one that names no device ends the
/// program (§6.17).
pub fn is_known(number: i32) -> bool {
    if number != HOST {
        refuse_unless_host_will_do(number, "a device memory routine");
    }
    number == HOST
}

#[cold]
fn refuse_unless_host_will_do(number: i32, what: &str) {
    let why = if icv::settings().target_offload == TargetOffload::Mandatory {
        "OMP_TARGET_OFFLOAD is mandatory"
    } else if number == INVALID {
        "omp_invalid_device is no device"
    } else {
        return;
    };
    let asked = if number == INVALID { String::from("a device") } else { format!("device {number}") };
    icv::write_stderr(&format!("ferromp: {what} asks for {asked}, and there is none but the host ({why}); the program ends\n"));
    error::terminate();
}
