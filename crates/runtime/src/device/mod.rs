//! Devices (OpenMP 5.1 §1.2.1, §1.3, §2.14, §3.7, §3.8): which there are, their numbers, and what happens where there
//! is none.
//!
//! Devices are numbered from 0; the host has the number that follows. They come with the programs and libraries that
//! bring code for them (`images.rs`), and are brought up at their first use. `README.md` has the way of a target
//! construct.

mod addresses;
mod blocks;
pub mod caller;
pub mod construct;
mod cuda;
pub mod driver;
mod fallback;
mod host;
pub mod images;
pub mod interop;
pub mod interop_sync;
mod life;
pub mod map;
pub mod memory;
pub mod traced;
pub mod uid;
mod upward;

use crate::device_numbers::{COUNT, DEFAULT, INITIAL, INVALID, INVALID_FOR_GOOD, LISTED, MOST};
use crate::objects::current;
use crate::shown;
use crate::{stderr, warnings};
pub use fallback::{Private, Region, Synchronisation, data_region, execute, order};
pub use memory::{Copy, Fill, MAX_DIMENSIONS, Operation, Owner, Place, Rectangle, Routine};

use crate::icv::select::{Choice, Item, Traits};
use crate::icv::{self, TargetOffload};
use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use addresses::Addresses;
use driver::{Driver, Stream};
pub use host::{TeamMemory, step_out, team_memory};
pub use images::unified_shared_memory;
pub use life::{after_fork, close_all, pause_all, rest_all};
use std::ffi::CString;

/// A device other than the host. It lives for ever.
pub struct Device {
    number: i32,
    driver: &'static dyn Driver,
    life: life::Life,
    /// The code that the device has, by the addresses by which programs know it.
    kernels: Addresses,
    /// Which variables it has.
    pub maps: map::Table,
    /// What its constructs use one after the other.
    pub works: map::Works,
    /// The memory that routines have given out.
    pub blocks: memory::Blocks,
}

static DEVICES: [AtomicPtr<Device>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];
/// The generation of images (see `images.rs`) that the devices have been counted for.
static COUNTED: AtomicU32 = AtomicU32::new(0);
/// Whether there are host devices.
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

/// Adds the devices that programs have brought code for since the last time. Where `OMP_TARGET_OFFLOAD` is `disabled`
/// there are none.
#[cold]
fn count_anew() {
    ADDING.with(|()| {
        let generation = images::generation();
        let settings = icv::settings();
        if settings.target_offload != TargetOffload::Disabled {
            if COUNT.load(Ordering::Relaxed) == 0 && images::reverse_offload() && images::any(is_code) {
                say_that_none_will_do();
            }
            if let Some(list) = &settings.available_devices {
                add_selected(list, settings.host_devices);
                COUNTED.store(generation, Ordering::Release);
                return;
            }
            cuda::each_new(add);
            if !HAS_HOST_DEVICES.load(Ordering::Relaxed) {
                for _ in 0..host_devices(settings.host_devices) {
                    HAS_HOST_DEVICES.store(true, Ordering::Relaxed);
                    add(host::new(COUNT.load(Ordering::Relaxed)));
                }
            }
        }
        COUNTED.store(generation, Ordering::Release);
    });
}

/// As [`count_anew`], where `OMP_AVAILABLE_DEVICES` says which devices are available, and in which order. Numbers that
/// have been given stay.
#[cold]
fn add_selected(list: &[Item], wanted: i32) {
    let nvidia: Vec<&'static cuda::NvidiaDevice> = cuda::wanted().collect();
    for index in crate::icv::select::available(list, &accessible(&nvidia, wanted)) {
        match nvidia.get(index) {
            Some(device) => device.add_once(add),
            None if HAS_HOST_DEVICES.load(Ordering::Relaxed) => {}
            None => _ = add(host::new(COUNT.load(Ordering::Relaxed))),
        }
    }
    if host_devices(wanted) > 0 {
        HAS_HOST_DEVICES.store(true, Ordering::Relaxed);
    }
}

/// The devices that programs have brought code for, as they are numbered without `OMP_AVAILABLE_DEVICES`.
fn accessible(nvidia: &[&'static cuda::NvidiaDevice], wanted: i32) -> Vec<Traits> {
    let kinds = nvidia.iter().map(|device| (device.kind(), device.identifier()));
    let kinds = kinds.chain((0..host_devices(wanted)).map(|_| (host::kind(), None)));
    (0..).zip(kinds).map(|(number, (kind, own))| Traits::new(number, kind, identifier(own, number))).collect()
}

/// A program requires what no device here has, so that its target regions run on the host (§2.5.1). There their
/// `ancestor` regions are where they should be.
#[cold]
fn say_that_none_will_do() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        warnings::warn(
            "ferromp: a program requires reverse_offload, which no device has: target regions run on the host\n",
        );
    }
}

/// How many devices there will be for the programs that have been registered so far, if there are to be so many host
/// devices, and those alone are to be available that a list says.
pub fn expected(wanted: i32, available: Option<&[Item]>) -> u32 {
    match available {
        Some(list) => {
            crate::icv::select::available(list, &accessible(&cuda::wanted().collect::<Vec<_>>(), wanted)).len() as u32
        }
        None => cuda::expected() + host_devices(wanted),
    }
}

/// How many host devices programs have brought code for.
fn host_devices(wanted: i32) -> u32 {
    if images::any(host::accepts) && !images::reverse_offload() { wanted.unsigned_abs() } else { 0 }
}

/// Whether the image is code for any kind of device.
fn is_code(image: &[u8]) -> bool {
    host::accepts(image) || cuda::is_ours(image)
}

/// Adds a device; its number. The caller holds [`ADDING`].
fn add(driver: &'static dyn Driver) -> i32 {
    let number = COUNT.load(Ordering::Relaxed);
    let device = Device::new(number, driver);
    DEVICES[number as usize].store(Box::leak(Box::new(device)), Ordering::Release);
    COUNT.store(number + 1, Ordering::Release);
    icv::show_teams();
    shown::show_devices(number + 1);
    number
}

/// All devices there are so far.
fn all() -> impl Iterator<Item = &'static Device> {
    (0..COUNT.load(Ordering::Acquire)).filter_map(at)
}

/// The device with this number.
fn at(number: i32) -> Option<&'static Device> {
    let slot = DEVICES.get(usize::try_from(number).ok()?)?;
    // SAFETY: null or a device, and devices live for ever.
    unsafe { slot.load(Ordering::Acquire).as_ref() }
}

/// The host's number: the one that follows the devices'.
pub fn host() -> i32 {
    count()
}

/// Whether the host has this number.
pub fn is_host(number: i32) -> bool {
    number == INITIAL || number == host()
}

/// The device with this number, which need not have been brought up; none for the host and for numbers that no device
/// has.
pub fn find(number: i32) -> Option<&'static Device> {
    if number < count() { at(number) } else { None }
}

/// default-device-var of the calling thread's task.
pub fn default(thread: &Thread) -> i32 {
    match thread.icvs().default_device {
        // What it is for lack of a device, where the host will not do (§2.4.2).
        INVALID if count() > 0 => 0,
        INVALID_FOR_GOOD => INVALID,
        LISTED => listed(),
        number => number,
    }
}

/// The device that the list in `OMP_DEFAULT_DEVICE` stands for, among those that there are now (OpenMP 6.0, section
/// 4.3.8).
#[cold]
fn listed() -> i32 {
    let settings = icv::settings();
    let mut devices: Vec<Traits> = (0..count()).filter_map(at).map(Device::traits).collect();
    devices.push(Traits::new(INITIAL, host::kind(), String::from("OMP_INITIAL_DEVICE")));
    match crate::icv::select::default(settings.default_devices.as_deref().unwrap_or_default(), &devices) {
        Choice::Number(number) => number,
        Choice::Default if count() > 0 || settings.target_offload != TargetOffload::Mandatory => 0,
        Choice::Default | Choice::Invalid => INVALID,
    }
}

/// The identifier of a device: what its driver says, or the number, which is a device's own as long as the process
/// lives.
fn identifier(own: Option<CString>, number: i32) -> String {
    own.and_then(|own| own.into_string().ok()).unwrap_or_else(|| format!("OMP_DEV_{number}"))
}

impl Device {
    /// One that has not been brought up.
    fn new(number: i32, driver: &'static dyn Driver) -> Self {
        Device {
            number,
            driver,
            life: life::Life::new(),
            kernels: Addresses::new(),
            maps: map::Table::new(),
            works: map::Works::new(),
            blocks: memory::Blocks::new(),
        }
    }

    /// Its number.
    pub fn number(&self) -> i32 {
        self.number
    }

    /// What variables may ask for.
    fn traits(&self) -> Traits {
        Traits::new(self.number, self.driver.kind(), identifier(self.driver.identifier(), self.number))
    }

    /// What it can do.
    pub fn driver(&self) -> &'static dyn Driver {
        self.driver
    }

    /// Sees that the device has been brought up, with all images that fit it. False where it cannot be used; that has
    /// been said then.
    #[inline]
    pub fn ready(&'static self) -> bool {
        self.life.is_up_to(images::generation()) || self.bring_up()
    }

    /// A stream of the device, until it is dropped; its operations are complete by then, or have been waited for.
    pub fn stream(&self, asynchronous: bool) -> Lent {
        Lent { driver: self.driver, stream: self.driver.stream(asynchronous) }
    }
}

/// A stream from a device's pool.
pub struct Lent {
    driver: &'static dyn Driver,
    stream: &'static dyn Stream,
}

impl Lent {
    /// The stream itself, which lives for ever, though it may serve others once this is dropped.
    pub fn stream(&self) -> &'static dyn Stream {
        self.stream
    }
}

impl std::ops::Deref for Lent {
    type Target = dyn Stream;
    fn deref(&self) -> &(dyn Stream + 'static) {
        self.stream
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.driver.give_back(self.stream);
    }
}

/// What a construct says of its device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceClause {
    /// Nothing: default-device-var says which.
    Default,
    /// The host, because an `if` clause is false.
    Host,
    /// The number in its `device` clause.
    Number(i32),
}

/// The number that a number stands for.
pub fn resolved(number: i32) -> i32 {
    if number == DEFAULT { default(current::current()) } else { number }
}

/// The device of a construct whose code any device may have; none for the host. The device has been brought up. If the
/// construct names `omp_invalid_device`, or a device that does not exist or cannot be used while `OMP_TARGET_OFFLOAD`
/// is `mandatory`, the program ends (§6.17).
pub fn chosen(thread: &Thread, asked: DeviceClause) -> Option<&'static Device> {
    let number = match asked {
        DeviceClause::Host => return None,
        DeviceClause::Default => default(thread),
        DeviceClause::Number(INVALID_FOR_GOOD) => INVALID,
        DeviceClause::Number(number) => number,
    };
    if is_host(number) {
        return None;
    }
    let found = find(number).filter(|device| device.ready());
    if found.is_none() {
        refuse_unless_host_will_do(number, "a device construct");
    }
    found
}

/// Sees that a construct may run on the host, which alone has its code. If it may not, because it names
/// `omp_invalid_device`, or because it asks for another device and `OMP_TARGET_OFFLOAD` is `mandatory`, the program
/// ends (§6.17).
pub fn require(thread: &Thread, asked: DeviceClause) {
    let number = match asked {
        DeviceClause::Host => return,
        DeviceClause::Default => default(thread),
        DeviceClause::Number(INVALID_FOR_GOOD) => INVALID,
        DeviceClause::Number(number) => number,
    };
    if !is_host(number) {
        refuse_unless_host_will_do(number, "a device construct");
    }
}

/// Who has the memory of the device that a routine is called for, which has been brought up; none if there is no such
/// device. Where `OMP_TARGET_OFFLOAD` is `mandatory` the program ends then (§6.17).
pub fn owner(number: i32) -> Option<Owner> {
    let number = resolved(number);
    if is_host(number) {
        return Some(Owner::Host);
    }
    let found = find(number).filter(|device| device.ready());
    if found.is_none() {
        refuse_unless_host_will_do(number, "a device memory routine");
    }
    found.map(Owner::Device)
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
    let there = match count() {
        0 => match cuda::trouble() {
            Some(trouble) => format!("there is none but the host ({trouble})"),
            None => String::from("there is none but the host"),
        },
        count => format!("there are {count} and the host"),
    };
    stderr::write_stderr(&format!("ferromp: {what} asks for {asked}, and {there} ({why}); the program ends\n"));
    stderr::terminate();
}
