//! The one device that OpenACC has here, of type `host`: how a thread attaches to the device, and what routines say of
//! it (OpenACC 2.6, 3.2.1–8).

use super::device_type::{CURRENT, DEFAULT, HOST, NONE, name};
use super::error::end;
use super::profile::{self, Construct, Event, Occasion};
use crate::model::atomic::{AtomicU32, AtomicUsize, Ordering};
use crate::objects::structures::Thread;
use crate::warnings;
use std::sync::OnceLock;

/// The number of activations and shutdowns of the device: odd while the device is active.
static ACTIVATION: AtomicU32 = AtomicU32::new(0);
/// The number of open data regions of all threads.
static REGIONS: AtomicUsize = AtomicUsize::new(0);

/// What environment variables say of devices.
struct Wishes {
    /// `ACC_DEVICE_TYPE`, if the type is not the host.
    other: Option<String>,
    /// `ACC_DEVICE_NUM`
    number: i32,
}

fn wishes() -> &'static Wishes {
    static WISHES: OnceLock<Wishes> = OnceLock::new();
    WISHES.get_or_init(|| {
        let text = |name| std::env::var_os(name).map(|text| text.to_string_lossy().into_owned());
        let number = text("ACC_DEVICE_NUM").map_or(0, |text| match text.trim().parse() {
            Ok(number @ 0..) => number,
            _ => {
                warnings::warn(&format!("ferromp: ACC_DEVICE_NUM is `{text}`, which is no device number; using 0\n"));
                0
            }
        });
        let other = text("ACC_DEVICE_TYPE").filter(|text| !text.is_empty() && !text.eq_ignore_ascii_case("host"));
        Wishes { other, number }
    })
}

/// Ends the program unless `kind` means the host.
fn require_host(kind: i32) {
    let name = name(kind);
    match kind {
        HOST => {}
        DEFAULT => {
            if let Some(other) = &wishes().other {
                end(&format!("ACC_DEVICE_TYPE is `{other}`, and the only device is the host"));
            }
        }
        _ => end(&format!("there is no device of type {name}, only the host")),
    }
}

/// Ends the program if no device of type host has this number. The host has 0; negative numbers mean the default.
fn require_number(number: i32) {
    if number > 0 {
        end(&format!("device {number} of type host does not exist, only device 0"));
    }
}

/// Attaches the thread to the device, and activates the device if need be (2.1).
#[inline]
pub fn attach(thread: &Thread) {
    if !is_attached(thread) {
        attach_anew(thread, DEFAULT, true);
    }
}

/// Whether the device is active and the thread attached to it.
#[inline]
fn is_attached(thread: &Thread) -> bool {
    let activation = ACTIVATION.load(Ordering::Acquire);
    !activation.is_multiple_of(2) && thread.acc.activation.get() == activation
}

#[cold]
fn attach_anew(thread: &Thread, kind: i32, implicit: bool) {
    profile::load_libraries();
    let before = ACTIVATION.load(Ordering::Acquire);
    if before.is_multiple_of(2) {
        let construct = if implicit { Construct::Parallel } else { Construct::RuntimeApi };
        let occasion = Occasion { implicit, device: (kind, wishes().number), ..Occasion::of(construct) };
        profile::around(thread, Event::DeviceInit, occasion, || {
            require_host(kind);
            require_number(wishes().number);
            // Another thread may have been first.
            let _ = ACTIVATION.compare_exchange(before, before + 1, Ordering::AcqRel, Ordering::Relaxed);
        });
    }
    thread.acc.activation.set(ACTIVATION.load(Ordering::Acquire));
}

/// `acc_init` (3.2.7)
pub fn init(thread: &Thread, kind: i32) {
    require_host(kind);
    attach_anew(thread, kind, false);
}

/// `acc_shutdown` (3.2.8)
pub fn shutdown(kind: i32) {
    require_host(kind);
    if REGIONS.load(Ordering::Relaxed) > 0 {
        end("acc_shutdown in a data region");
    }
    let before = ACTIVATION.load(Ordering::Acquire);
    if before.is_multiple_of(2) {
        end("acc_shutdown without an active device");
    }
    let _ = ACTIVATION.compare_exchange(before, before + 1, Ordering::AcqRel, Ordering::Relaxed);
}

/// How many devices of a type there are (3.2.1).
pub fn count(kind: i32) -> i32 {
    name(kind);
    match kind {
        HOST => 1,
        DEFAULT => wishes().other.is_none().into(),
        _ => 0,
    }
}

/// `acc_set_device_type` (3.2.2)
pub fn set_type(thread: &Thread, kind: i32) {
    require_host(kind);
    attach_anew(thread, kind, true);
}

/// The type of the thread's device (3.2.3). In a callback for the device's activation there is none yet.
pub fn its_type(thread: &Thread) -> i32 {
    if thread.acc.telling.get() && !is_attached(thread) {
        return NONE;
    }
    require_host(DEFAULT);
    HOST
}

/// `acc_set_device_num` (3.2.4). A negative number means the default device, type 0 the thread's own type.
pub fn set_number(thread: &Thread, number: i32, kind: i32) {
    if kind != NONE {
        require_host(kind);
    }
    require_number(if number < 0 { wishes().number } else { number });
    attach(thread);
}

/// `acc_get_device_num` (3.2.5)
pub fn number(thread: &Thread, kind: i32) -> i32 {
    require_host(kind);
    if is_attached(thread) { 0 } else { wishes().number }
}

/// Ends the program unless the arguments of `acc_get_property` mean the host (3.2.6).
pub fn require_property_of_host(thread: &Thread, number: i32, kind: i32) {
    attach(thread);
    if kind != CURRENT {
        require_host(kind);
    }
    require_number(number);
}

/// Whether the code runs on a device of this type (3.2.17).
pub fn is_on(kind: i32) -> bool {
    matches!(kind, HOST | NONE)
}

/// The thread enters a data region.
pub fn region_begins(thread: &Thread) {
    thread.acc.regions.set(thread.acc.regions.get() + 1);
    REGIONS.fetch_add(1, Ordering::Relaxed);
}

/// The thread leaves a data region.
pub fn region_ends(thread: &Thread) {
    match thread.acc.regions.get() {
        0 => end("a data region ends where none has begun"),
        regions => thread.acc.regions.set(regions - 1),
    }
    REGIONS.fetch_sub(1, Ordering::Relaxed);
}

/// Whether the device has such data (3.2.30): the host has all of the program's memory.
pub fn is_present(thread: &Thread, address: usize, bytes: usize) -> bool {
    attach(thread);
    address != 0 && bytes != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acc::device_type::NOT_HOST;

    #[test]
    fn only_the_host_is_there() {
        assert_eq!([NONE, DEFAULT, HOST, NOT_HOST, 5, 8].map(count), [0, 1, 1, 0, 0, 0]);
        assert_eq!([NONE, DEFAULT, HOST, NOT_HOST].map(is_on), [true, false, true, false]);
        require_host(HOST);
        require_host(DEFAULT);
    }
}
