//! Devices other than the host: what the runtime has of each one, and the list of them by number.

use super::addresses::Addresses;
use super::driver::{Abilities, Address, Driver, Kernel, Space, Stream};
use super::images::Loaded;
use super::map::items::Works;
use super::map::table::Table;
use super::state::State;
use crate::device_numbers::{COUNT, MOST};
use crate::icv;
use crate::icv::select::Traits;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::park::mutex::Mutex;
use crate::{shown, warnings};
use std::collections::BTreeMap;
use std::ffi::CString;

/// A device other than the host. Devices live for ever.
pub struct Device {
    pub number: i32,
    pub driver: &'static dyn Driver,
    pub(super) identifier: CString,
    /// What never changes of the device.
    pub abilities: &'static Abilities,
    pub(super) state: State,
    /// The images that the device has. Changed by the holder of `state`.
    pub(super) loaded: Mutex<Vec<Loaded>>,
    /// The device's code of target regions, by the addresses by which programs know the regions.
    pub(super) kernels: Addresses,
    /// The variables that have counterparts on the device.
    pub maps: Table,
    /// The lists that constructs on the device use in turn.
    pub works: Works,
    /// The memory that routines have allocated on the device: sizes in bytes, and spaces.
    pub(super) blocks: Mutex<BTreeMap<Address, (usize, Space)>>,
}

static DEVICES: [AtomicPtr<Device>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];

/// Adds a device, and returns its number. One thread at a time.
pub fn add(driver: &'static dyn Driver) -> i32 {
    let number = COUNT.load(Ordering::Relaxed);
    let device = Box::leak(Box::new(Device::new(number, driver)));
    DEVICES[number as usize].store(device, Ordering::Release);
    COUNT.store(number + 1, Ordering::Release);
    icv::show_teams();
    shown::PROCESS.devices.store(number + 1, Ordering::Relaxed);
    number
}

/// The devices that have been added so far.
pub fn all() -> impl Iterator<Item = &'static Device> {
    (0..COUNT.load(Ordering::Acquire)).filter_map(at)
}

/// The device with this number, if it has been added.
pub fn at(number: i32) -> Option<&'static Device> {
    let slot = DEVICES.get(usize::try_from(number).ok()?)?;
    // SAFETY: `add` stores devices, which live for ever.
    unsafe { slot.load(Ordering::Acquire).as_ref() }
}

impl Device {
    /// A device that has not been opened.
    pub(super) fn new(number: i32, driver: &'static dyn Driver) -> Self {
        Device {
            number,
            driver,
            identifier: CString::new(identifier(driver, number)).unwrap_or_default(),
            abilities: driver.abilities(),
            state: State::default(),
            loaded: Mutex::new(Vec::new()),
            kernels: Addresses::default(),
            maps: Table::default(),
            works: Works::default(),
            blocks: Mutex::new(BTreeMap::new()),
        }
    }

    /// What environment variables may select the device by.
    pub(super) fn traits(&self) -> Traits {
        Traits::new(self.number, self.driver.kind(), identifier(self.driver, self.number))
    }

    /// A stream of the device. The caller waits for the stream's operations before dropping the result.
    pub fn stream(&self, asynchronous: bool) -> Lent {
        Lent(self.driver.stream(asynchronous))
    }

    /// The device's code of a target region, by the address by which the program knows the region.
    #[inline]
    pub fn kernel(&self, region: usize) -> Option<Kernel> {
        self.kernels.get(region).map(Kernel)
    }

    /// Whether all of these bytes are in one block of memory that a routine has allocated on the device.
    pub fn has_given(&self, begin: usize, bytes: usize) -> bool {
        self.blocks.with(|blocks| {
            let before = blocks.range(..=begin).next_back();
            before.is_some_and(|(&block, &(size, _))| begin - block <= size && bytes <= size - (begin - block))
        })
    }

    /// Prints a line about the device.
    #[cold]
    pub fn warn(&self, what: &str) {
        warnings::warn(&format!("ferromp: device {}: {what}\n", self.number));
    }
}

/// The identifier of a device that has this number, or is about to get the number: the driver's identifier, or else one
/// made of the number, which stays the device's as long as the process lives.
pub fn identifier(driver: &dyn Driver, number: i32) -> String {
    let own = driver.identifier().and_then(|own| own.into_string().ok());
    own.unwrap_or_else(|| format!("OMP_DEV_{number}"))
}

/// A stream from a device's pool, which gets the stream back on drop. The stream lives for ever, but may serve another
/// construct then.
pub struct Lent(pub &'static dyn Stream);

impl std::ops::Deref for Lent {
    type Target = dyn Stream;
    fn deref(&self) -> &(dyn Stream + 'static) {
        self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.give_back();
    }
}
