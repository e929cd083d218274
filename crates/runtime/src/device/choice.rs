//! The device that a construct or a routine asks for (OpenMP 5.1 §2.14, §3.7, §6.17).

use super::available::{count, find, is_host, traits};
use super::cuda;
use super::devices::Device;
use super::memory::Owner;
use crate::device_numbers::{DEFAULT, INVALID, INVALID_FOR_GOOD, LISTED};
use crate::icv::select::{self, Choice};
use crate::icv::{self, TargetOffload};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::stderr;

/// A construct's device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceClause {
    /// default-device-var decides, because there is no clause.
    Default,
    /// The host, because an `if` clause is false.
    Host,
    /// The number in the `device` clause.
    Number(i32),
}

impl DeviceClause {
    /// The number of the device; `None` for the host.
    fn number(self, thread: &Thread) -> Option<i32> {
        let number = match self {
            DeviceClause::Host => return None,
            DeviceClause::Default => default(thread),
            DeviceClause::Number(INVALID_FOR_GOOD) => INVALID,
            DeviceClause::Number(number) => number,
        };
        (!is_host(number)).then_some(number)
    }
}

/// default-device-var of the calling thread's task.
pub fn default(thread: &Thread) -> i32 {
    match thread.icvs().default_device {
        // The initial value without devices, if the host may not stand in for one (§2.4.2).
        INVALID if count() > 0 => 0,
        INVALID_FOR_GOOD => INVALID,
        LISTED => listed(),
        number => number,
    }
}

/// The device that the list in `OMP_DEFAULT_DEVICE` selects among the devices that there are now (OpenMP 6.0, section
/// 4.3.8).
#[cold]
fn listed() -> i32 {
    let settings = icv::settings();
    match select::default(settings.default_devices.as_ref().map_or(&[], |list| &list.items), &traits()) {
        Choice::Number(number) => number,
        Choice::Default if count() > 0 || settings.target_offload != TargetOffload::Mandatory => 0,
        Choice::Default | Choice::Invalid => INVALID,
    }
}

/// The number that a routine's argument stands for.
pub fn resolved(number: i32) -> i32 {
    if number == DEFAULT { default(current::current()) } else { number }
}

/// The device of a construct, brought up; `None` for the host. The program ends if the construct names
/// `omp_invalid_device`, or a device that does not exist or cannot be used while `OMP_TARGET_OFFLOAD` is `mandatory`
/// (§6.17).
pub fn chosen(thread: &Thread, clause: DeviceClause) -> Option<&'static Device> {
    ready(clause.number(thread)?, "a device construct")
}

/// Checks that a construct may run on the host, which alone has its code. The program ends if the construct names
/// `omp_invalid_device`, or a device while `OMP_TARGET_OFFLOAD` is `mandatory` (§6.17).
pub fn require(thread: &Thread, clause: DeviceClause) {
    if let Some(number) = clause.number(thread) {
        refuse_unless_host_will_do(number, "a device construct");
    }
}

/// The owner of the memory that a routine's device number means, brought up; `None` if there is no such device. With
/// `OMP_TARGET_OFFLOAD=mandatory` the program ends instead (§6.17).
pub fn owner(number: i32) -> Option<Owner> {
    match resolved(number) {
        number if is_host(number) => Some(Owner::Host),
        number => ready(number, "a device memory routine").map(Owner::Device),
    }
}

fn ready(number: i32, what: &str) -> Option<&'static Device> {
    let found = find(number).filter(|device| device.ready());
    if found.is_none() {
        refuse_unless_host_will_do(number, what);
    }
    found
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
    let requested = if number == INVALID { String::from("a device") } else { format!("device {number}") };
    let there = match (count(), cuda::trouble()) {
        (0, Some(trouble)) => format!("there is none but the host ({trouble})"),
        (0, None) => String::from("there is none but the host"),
        (count, _) => format!("there are {count} and the host"),
    };
    stderr::terminate(&format!("ferromp: {what} asks for {requested}, and {there} ({why}); the program ends\n"));
}
