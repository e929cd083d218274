//! The small structures that events and entry points exchange: tool data words, frames,
//! dependences and identifiers. OpenMP 5.1, section 4.4.4.

use crate::DependenceType;
use crate::{described, described_aliases};
use core::ffi::{c_int, c_void};

described! {
    /// A word that belongs to the tool: the runtime sets it to zero when it makes the thread, parallel
    /// region or task, keeps it, and never reads it (`ompt_data_t`, 4.4.4.4).
    #[repr(C)]
    #[derive(Copy, Clone)]
    pub union Data {
        /// The word as a number.
        pub value: u64,
        /// The word as a pointer.
        pub ptr: *mut c_void,
    }
}

impl Data {
    /// `ompt_data_none`: all zero.
    pub const NONE: Data = Data { value: 0 };

    /// The word as a number. On targets whose pointers have 64 bits both views are the same bits.
    #[inline(always)]
    pub fn value(self) -> u64 {
        // SAFETY: every bit pattern is a `u64`, and constructors write all eight bytes here: a
        // pointer has eight bytes on all targets that the runtime supports.
        unsafe { self.value }
    }

    /// The word as a pointer; only as good as what was stored.
    #[inline(always)]
    pub fn ptr(self) -> *mut c_void {
        // SAFETY: every bit pattern is a raw pointer; following it is the caller's affair.
        unsafe { self.ptr }
    }
}

impl Default for Data {
    fn default() -> Self {
        Data::NONE
    }
}

impl core::fmt::Debug for Data {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Data({:#x})", self.value())
    }
}

described! {
    /// Where the runtime's frames of a task lie on the stack (`ompt_frame_t`, 4.4.4.28). The flags are
    /// [`FrameFlag`](crate::FrameFlag)s.
    #[repr(C)]
    #[derive(Copy, Clone, Debug, Default)]
    pub struct Frame {
        /// The frame that left the runtime to run the task's user code; `NONE` for an initial task and
        /// before the task's code starts.
        pub exit_frame: Data,
        /// The frame through which the task's user code last entered the runtime; `NONE` while user
        /// code runs.
        pub enter_frame: Data,
        /// How to read `exit_frame`.
        pub exit_frame_flags: c_int,
        /// How to read `enter_frame`.
        pub enter_frame_flags: c_int,
    }
}

impl Frame {
    /// A frame with nothing in it.
    pub const NONE: Frame =
        Frame { exit_frame: Data::NONE, enter_frame: Data::NONE, exit_frame_flags: 0, enter_frame_flags: 0 };
}

described_aliases! {
    /// Identifies an object in a trace record (`ompt_id_t`, 4.4.4.3).
    Id = u64, ID_NONE "ompt_id_none";
    /// Identifies what a thread waits for: a lock, a critical name, … (`ompt_wait_id_t`, 4.4.4.30).
    WaitId = u64, WAIT_ID_NONE "ompt_wait_id_none";
    /// A point in time by a device's own clock (`ompt_device_time_t`, 4.4.4.6).
    DeviceTime = u64, TIME_NONE "ompt_time_none";
    /// Identifies a piece of hardware of a device (`ompt_hwid_t`, 4.4.4.26).
    HwId = u64, HWID_NONE "ompt_hwid_none";
    /// A position in a trace buffer; only the device's functions give it a meaning
    /// (`ompt_buffer_cursor_t`, 4.4.4.8).
    BufferCursor = u64;
    /// A trace buffer; opaque (`ompt_buffer_t`, 4.4.4.7).
    Buffer = c_void;
    /// A device that can record a trace; opaque (`ompt_device_t`, 4.4.4.5).
    Device = c_void;
}

/// `ompt_mutex_impl_none`: nothing is known of how the mutual exclusion is implemented.
pub const MUTEX_IMPL_NONE: core::ffi::c_uint = 0;

described! {
    /// One dependence of a task (`ompt_dependence_t`, 4.4.4.9).
    #[repr(C)]
    #[derive(Copy, Clone, Debug)]
    pub struct Dependence {
        /// The address of the storage location, or for `SOURCE` and `SINK` the iteration vector's
        /// value in that dimension.
        pub variable: Data,
        /// The kind of dependence.
        pub dependence_type: DependenceType,
    }
}

described! {
    /// A chunk of a loop's logical iterations, to which the `instance` of a dispatch event points
    /// (`ompt_dispatch_chunk_t`).
    #[repr(C)]
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct DispatchChunk {
        /// The first logical iteration, counted from 0.
        pub start: u64,
        /// The number of iterations.
        pub iterations: u64,
    }
}

described! {
    /// A rectangle that a routine copies, to which an address of a data operation points where its kind is
    /// `ompt_target_data_transfer_rect` (`ompt_subvolume_t`, OpenMP 6.0, section 33.32).
    #[repr(C)]
    #[derive(Copy, Clone, Debug)]
    pub struct Subvolume {
        /// The array's first element.
        pub base: *const c_void,
        /// Bytes of an element.
        pub size: u64,
        /// Dimensions: as many elements each of the lists below has.
        pub num_dims: u64,
        /// Elements of the rectangle in each dimension.
        pub volume: *const u64,
        /// Where the rectangle begins in each dimension.
        pub offsets: *const u64,
        /// Elements of the array in each dimension.
        pub dimensions: *const u64,
    }
}
