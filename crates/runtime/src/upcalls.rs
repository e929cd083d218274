//! Calls from below to above: the few moments at which a low room needs what only a high one can do. Each is declared
//! here and answered by one function above, which the linker finds by its name. So no room imports a higher one, and
//! nothing has to be registered before a thread's first use of OpenMP, which may be anywhere.
//!
//! All of them are on cold paths. Types are plain, since this room knows no objects: what is a descriptor of a thread
//! says so.

use std::ffi::c_void;

unsafe extern "Rust" {
    /// Makes the calling thread, which has no descriptor, a root, and brings the runtime up; its descriptor. Answered
    /// in `process/root.rs`.
    pub(crate) safe fn ferromp_up_enter() -> *const c_void;

    /// Makes the calling thread, one of the runtime's own, a root that tools know as a thread of another kind; its
    /// descriptor. Answered in `team/roots.rs`.
    pub(crate) safe fn ferromp_up_enter_as_helper() -> *const c_void;

    /// The calling thread, which [`ferromp_up_enter_as_helper`] has made a root, ends. Answered in `team/roots.rs`.
    ///
    /// # Safety
    /// The argument is the descriptor that was answered.
    pub(crate) unsafe fn ferromp_up_leave_helper(thread: *const c_void);

    /// The host's number as a device: how many other devices there are. Answered in `device/upward.rs`.
    pub(crate) safe fn ferromp_up_host_number() -> i32;

    /// The function that records an event, by its number, on a thread of this device; null if no trace wants the
    /// record. Answered in `ompt/trace/inside.rs`.
    pub(crate) safe fn ferromp_up_recorder(device: i32, event: usize) -> *mut c_void;

    /// The lookup function of devices for this tool, through which the tool has a trace of its own. Answered in
    /// `tool/entry/device.rs`.
    pub(crate) safe fn ferromp_up_device_lookup(tool: usize) -> ompt::FunctionLookup;
}
