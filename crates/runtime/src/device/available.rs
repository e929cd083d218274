//! Which devices are available, and their numbers (OpenMP 5.1 §2.4.4, §3.7).
//!
//! Devices come with the programs and libraries that bring code for them. Devices are added and never go.

use super::cuda::{self, NvidiaDevice};
use super::devices::{Device, add, all, at, identifier};
use super::driver::Driver;
use super::{host as host_device, images};
use crate::device_numbers::{COUNT, INITIAL};
use crate::icv::select::{self, Item, Traits};
use crate::icv::{self, TargetOffload};
use crate::model::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::park::mutex::Mutex;
use crate::warnings;

/// The generation of images (`images.rs`) that [`COUNT`] is for.
static COUNTED: AtomicU32 = AtomicU32::new(0);
/// Whether host devices have been added.
static HAS_HOST_DEVICES: AtomicBool = AtomicBool::new(false);
/// Held while devices are added.
static ADDING: Mutex<()> = Mutex::new(());

/// How many devices there are besides the host. The runtime is up.
#[inline]
pub fn count() -> i32 {
    if COUNTED.load(Ordering::Acquire) != images::generation() {
        count_anew();
    }
    COUNT.load(Ordering::Acquire)
}

/// The host's number, which follows the devices'.
pub fn host() -> i32 {
    count()
}

/// Whether the host has this number.
pub fn is_host(number: i32) -> bool {
    number == INITIAL || number == host()
}

/// The device with this number, which may be closed. `None` for the host's numbers and for numbers of no device.
pub fn find(number: i32) -> Option<&'static Device> {
    if number < count() { at(number) } else { None }
}

/// Adds the devices that programs have brought code for since the last time. With `OMP_TARGET_OFFLOAD=disabled` there
/// are none.
#[cold]
fn count_anew() {
    ADDING.with(|()| {
        let generation = images::generation();
        let settings = icv::settings();
        if settings.target_offload != TargetOffload::Disabled {
            if COUNT.load(Ordering::Relaxed) == 0 && images::reverse_offload() && images::any(is_code) {
                warn_of_reverse_offload();
            }
            add_new(settings.available_devices.as_ref().map(|list| &*list.items), settings.host_devices);
        }
        COUNTED.store(generation, Ordering::Release);
    });
}

/// Adds the accessible devices that are new; with a list (`OMP_AVAILABLE_DEVICES`), those of the list in its order.
/// Devices keep their numbers. `wanted` is how many host devices there are to be.
fn add_new(list: Option<&[Item]>, wanted: i32) {
    let nvidia: Vec<_> = cuda::wanted().collect();
    for index in chosen(&nvidia, list, wanted) {
        match nvidia.get(index) {
            Some(device) => device.add_once(add),
            None if HAS_HOST_DEVICES.load(Ordering::Relaxed) => {}
            None => _ = add(host_device::new(COUNT.load(Ordering::Relaxed))),
        }
    }
    if host_devices(wanted) > 0 {
        HAS_HOST_DEVICES.store(true, Ordering::Relaxed);
    }
}

/// The accessible devices that are to be available, by their numbers without `OMP_AVAILABLE_DEVICES`: NVIDIA devices
/// come first, then host devices.
fn chosen(nvidia: &[&'static NvidiaDevice], list: Option<&[Item]>, wanted: i32) -> Vec<usize> {
    let Some(list) = list else { return (0..nvidia.len() + host_devices(wanted) as usize).collect() };
    let first = nvidia.len() as i32;
    let nvidia = (0..).zip(nvidia);
    let nvidia = nvidia.map(|(number, &device)| Traits::new(number, device.kind(), identifier(device, number)));
    let hosts = (first..).take(host_devices(wanted) as usize);
    let hosts = hosts.map(|number| Traits::new(number, host_device::kind(), format!("OMP_DEV_{number}")));
    select::available(list, &nvidia.chain(hosts).collect::<Vec<_>>())
}

/// How many host devices programs have brought code for.
fn host_devices(wanted: i32) -> u32 {
    if images::any(host_device::accepts) && !images::reverse_offload() { wanted.unsigned_abs() } else { 0 }
}

/// Whether the image is code for any kind of device.
fn is_code(image: &[u8]) -> bool {
    host_device::accepts(image) || cuda::is_ours(image)
}

/// Says that no device supports `reverse_offload`, which a program requires (§2.5.1). Target regions then run on the
/// host, where their `ancestor` regions belong.
#[cold]
fn warn_of_reverse_offload() {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if !WARNED.swap(true, Ordering::Relaxed) {
        warnings::warn(
            "ferromp: a program requires reverse_offload, which no device has: target regions run on the host\n",
        );
    }
}

/// The available devices, then the host, as `OMP_DEFAULT_DEVICE` may describe them.
pub fn traits() -> Vec<Traits> {
    count();
    let host = Traits::new(INITIAL, host_device::kind(), String::from("OMP_INITIAL_DEVICE"));
    all().map(Device::traits).chain([host]).collect()
}

/// In a forked child, where the thread that was adding devices does not exist.
pub fn after_fork() {
    ADDING.renew_after_fork();
}
