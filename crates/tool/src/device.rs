//! A device that can trace itself: what `device_initialize` hands to a tool. OpenMP 5.1, sections
//! 4.5.2.19 and 4.6.2. The records that a trace consists of are in `trace.rs`.

use ompt::*;
use std::ffi::{CStr, c_int, c_uint, c_void};

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

/// One of the device's entry points by its name, as a function of its type.
macro_rules! entry_point {
    ($device:expr, $name:literal as $ty:ty) => {
        // SAFETY: the entry point of this name has this type.
        $device
            .entry_point($name)
            .map(|function| unsafe { std::mem::transmute::<unsafe extern "C" fn(), $ty>(function) })
    };
}
pub(crate) use entry_point;

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

    /// Whether the device can trace at all: it has the entry point that starts a trace. Runtimes hand out lookups that
    /// know none.
    pub fn can_trace(self) -> bool {
        self.entry_point(c"ompt_start_trace").is_some()
    }

    /// One of the device's entry points ([`ompt::DEVICE_ENTRY_POINTS`]), to be cast to its type in the
    /// crate [`ompt`].
    pub fn entry_point(self, name: &CStr) -> InterfaceFn {
        // SAFETY: asks by a C string.
        self.lookup.and_then(|lookup| unsafe { lookup(name.as_ptr()) })
    }

    /// The number of the device's processors.
    pub fn num_procs(self) -> Option<c_int> {
        let get = entry_point!(self, c"ompt_get_device_num_procs" as GetDeviceNumProcs)?;
        // SAFETY: this device has answered the look-up of the entry point; likewise below.
        Some(unsafe { get(self.device) })
    }

    /// The device's clock.
    pub fn time(self) -> Option<DeviceTime> {
        let get = entry_point!(self, c"ompt_get_device_time" as GetDeviceTime)?;
        // SAFETY: as in `num_procs`.
        Some(unsafe { get(self.device) })
    }

    /// A time of the device's clock as `omp_get_wtime` counts, in seconds.
    pub fn translate_time(self, time: DeviceTime) -> Option<f64> {
        let translate = entry_point!(self, c"ompt_translate_time" as TranslateTime)?;
        // SAFETY: as in `num_procs`.
        Some(unsafe { translate(self.device, time) })
    }

    /// Turns records of an event on or off, of every event for `None`. *error* where the device has no such entry
    /// point.
    pub fn set_trace(self, event: Option<Event>, on: bool) -> SetResult {
        let Some(set) = entry_point!(self, c"ompt_set_trace_ompt" as SetTraceOmpt) else { return SetResult::ERROR };
        // SAFETY: as in `num_procs`.
        unsafe { set(self.device, c_uint::from(on), event.map_or(0, |event| event.0 as c_uint)) }
    }

    /// Turns the device's own records on or off, those that `flags` choose. *error* where the device has no such entry
    /// point.
    pub fn set_trace_native(self, flags: NativeMonFlag, on: bool) -> SetResult {
        let Some(set) = entry_point!(self, c"ompt_set_trace_native" as SetTraceNative) else { return SetResult::ERROR };
        // SAFETY: as in `num_procs`.
        unsafe { set(self.device, c_int::from(on), flags.0 as c_int) }
    }

    /// Pauses the trace, or goes on with it. Returns whether that was possible.
    pub fn pause_trace(self, pause: bool) -> bool {
        let Some(call) = entry_point!(self, c"ompt_pause_trace" as PauseTrace) else { return false };
        // SAFETY: as in `num_procs`.
        unsafe { call(self.device, c_int::from(pause)) != 0 }
    }

    /// Has all records handed over that are there. Returns whether that was possible.
    pub fn flush_trace(self) -> bool {
        let Some(call) = entry_point!(self, c"ompt_flush_trace" as FlushTrace) else { return false };
        // SAFETY: as in `num_procs`.
        unsafe { call(self.device) != 0 }
    }

    /// Ends the trace, after all records have been handed over. Returns whether that was possible.
    pub fn stop_trace(self) -> bool {
        let Some(call) = entry_point!(self, c"ompt_stop_trace" as StopTrace) else { return false };
        // SAFETY: as in `num_procs`.
        unsafe { call(self.device) != 0 }
    }
}
