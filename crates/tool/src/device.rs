//! A device that can trace itself: what `device_initialize` hands to a tool. OpenMP 5.1, sections
//! 4.5.2.19 and 4.6.2.

use ompt::{DeviceTime, FunctionLookup, GetDeviceNumProcs, GetDeviceTime, InterfaceFn, TranslateTime};
use std::ffi::{CStr, c_int, c_void};

/// A device, with its entry points. It may be kept: it is good until the device's `device_finalize`.
#[derive(Copy, Clone, Debug)]
pub struct Device {
    device: *mut ompt::Device,
    lookup: Option<FunctionLookup>,
}

// SAFETY: the device's entry points may be called from any thread (4.6.2).
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// # Safety
    /// Both are what a runtime passed to `device_initialize`.
    pub(crate) unsafe fn new(device: *mut c_void, lookup: Option<FunctionLookup>) -> Device {
        Device { device, lookup }
    }

    /// The pointer by which the device's entry points know it.
    pub fn as_ptr(self) -> *mut ompt::Device {
        self.device
    }

    /// Whether the device can trace at all: its lookup is there.
    pub fn can_trace(self) -> bool {
        self.lookup.is_some()
    }

    /// One of the device's entry points ([`ompt::DEVICE_ENTRY_POINTS`]), to be cast to its type in the
    /// crate [`ompt`].
    pub fn entry_point(self, name: &CStr) -> InterfaceFn {
        // SAFETY: asks by a C string.
        self.lookup.and_then(|lookup| unsafe { lookup(name.as_ptr()) })
    }

    /// The number of the device's processors.
    pub fn num_procs(self) -> Option<c_int> {
        let get = self.entry_point(c"ompt_get_device_num_procs")?;
        // SAFETY: the entry point of this name has this type.
        let get = unsafe { std::mem::transmute::<unsafe extern "C" fn(), GetDeviceNumProcs>(get) };
        // SAFETY: the device is the one that the entry point was asked of.
        Some(unsafe { get(self.device) })
    }

    /// The device's clock.
    pub fn time(self) -> Option<DeviceTime> {
        let get = self.entry_point(c"ompt_get_device_time")?;
        // SAFETY: as in `num_procs`.
        let get = unsafe { std::mem::transmute::<unsafe extern "C" fn(), GetDeviceTime>(get) };
        // SAFETY: as in `num_procs`.
        Some(unsafe { get(self.device) })
    }

    /// A time of the device's clock as `omp_get_wtime` counts, in seconds.
    pub fn translate_time(self, time: DeviceTime) -> Option<f64> {
        let translate = self.entry_point(c"ompt_translate_time")?;
        // SAFETY: as in `num_procs`.
        let translate = unsafe { std::mem::transmute::<unsafe extern "C" fn(), TranslateTime>(translate) };
        // SAFETY: as in `num_procs`.
        Some(unsafe { translate(self.device, time) })
    }
}
