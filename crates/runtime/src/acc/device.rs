//! The one device that OpenACC has here, of type `host`: how a thread comes to use it, and what routines say of it
//! (OpenACC 2.6, 3.2.1–8).

use super::end;
use super::profile::{self, Construct, Event, Occasion};
use crate::model::atomic::{AtomicU32, AtomicUsize, Ordering};
use crate::objects::structures::Thread;
use crate::warnings;
use std::sync::OnceLock;

/// `acc_device_current`: the one that the thread uses.
const CURRENT: i32 = -1;
/// `acc_device_none`
const NONE: i32 = 0;
/// `acc_device_default`
const DEFAULT: i32 = 1;
/// `acc_device_host`
pub const HOST: i32 = 2;
/// `acc_device_not_host`
const NOT_HOST: i32 = 4;

/// The types by number, as gcc's `openacc.h` has them.
const NAMES: [(i32, &str); 6] =
    [(NONE, "none"), (DEFAULT, "default"), (HOST, "host"), (NOT_HOST, "not_host"), (5, "nvidia"), (8, "radeon")];

/// Counts how often the device has been activated and shut down: odd while it is active.
static ACTIVATION: AtomicU32 = AtomicU32::new(0);
/// Data regions of all threads.
static REGIONS: AtomicUsize = AtomicUsize::new(0);

/// What the environment says of devices.
struct Wishes {
    /// `ACC_DEVICE_TYPE`, if it asks for another type than the host.
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

/// The name of a type. The program ends if there is no such type.
fn name(kind: i32) -> &'static str {
    match NAMES.iter().find(|(number, _)| *number == kind) {
        Some((_, name)) => name,
        None => end(&format!("{kind} is no device type")),
    }
}

/// Sees that `kind` means the host. The program ends if it does not.
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

/// Sees that the host has this number among the devices of its type, which is 0. The program ends if it does not.
fn require_number(number: i32) {
    if number > 0 {
        end(&format!("device {number} of type host does not exist, only device 0"));
    }
}

/// Makes the thread use the device, which is activated if it is not active (2.1).
#[inline]
pub fn attach(thread: &Thread) {
    if !is_attached(thread) {
        attach_anew(thread, DEFAULT, true);
    }
}

/// Whether the thread uses the device, which is active.
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

/// The type of the thread's device (3.2.3). In a callback that hears of the device's activation there is none yet.
pub fn its_type(thread: &Thread) -> i32 {
    if thread.acc.in_callback.get() && !is_attached(thread) {
        return NONE;
    }
    require_host(DEFAULT);
    HOST
}

/// `acc_set_device_num` (3.2.4). A negative number stands for the default one, type 0 for the thread's own.
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

/// What `acc_get_property` answers for the host (3.2.6): its memory is not the runtime's to tell. For other devices the
/// program ends.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_is_there() {
        assert_eq!([NONE, DEFAULT, HOST, NOT_HOST, 5, 8].map(count), [0, 1, 1, 0, 0, 0]);
        assert_eq!([NONE, DEFAULT, HOST, NOT_HOST].map(is_on), [true, false, true, false]);
        require_host(HOST);
        require_host(DEFAULT);
    }
}
