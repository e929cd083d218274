//! The signatures of what the runtime gives a tool: start-up, and every entry point that the
//! lookup function answers. OpenMP 5.1, sections 4.2, 4.5.1, 4.6.

use crate::describe::Function;
use crate::*;
use crate::{described, function_types};
use core::ffi::{c_char, c_int, c_uint, c_void};

/// An entry point without its type, as the lookup answers it (`ompt_interface_fn_t`); `None` is a
/// null pointer and means "no such entry point".
pub type InterfaceFn = Option<unsafe extern "C" fn()>;

/// A callback without its type, as `ompt_set_callback` takes and `ompt_get_callback` gives it
/// (`ompt_callback_t`); `None` is a null pointer and means "no callback".
pub type Callback = Option<unsafe extern "C" fn()>;

function_types! {
    /// The types of functions that a tool gives, but for the callbacks of events, and of the lookup that it is given.
    pub(crate) TOOL_FUNCTION_TYPES:
    /// A device asks for a trace buffer: writes its address and size in bytes; a null address or no
    /// bytes declines (4.5.2.23).
    BufferRequest "ompt_callback_buffer_request" (device_num: c_int, buffer: *mut *mut Buffer, bytes: *mut usize);
    /// A device hands a trace buffer back, filled with `bytes` bytes from the cursor `begin` on; if
    /// `buffer_owned` is not 0 it may be freed (4.5.2.24).
    BufferComplete "ompt_callback_buffer_complete" (
        device_num: c_int, buffer: *mut Buffer, bytes: usize, begin: BufferCursor, buffer_owned: c_int,
    );
    /// Finds an entry point by its name in C (4.6.3).
    FunctionLookup "ompt_function_lookup" (interface_function_name: *const c_char) -> InterfaceFn;
    /// The tool's initialiser: 0 says that the tool does not want to be active (4.5.1.1).
    Initialize "ompt_initialize" (lookup: FunctionLookup, initial_device_num: c_int, tool_data: *mut Data) -> c_int;
    /// The tool's finaliser (4.5.1.2).
    Finalize "ompt_finalize" (tool_data: *mut Data);
    /// The function that a tool exports under this name (4.2.1); null declines.
    StartTool "ompt_start_tool" (omp_version: c_uint, runtime_version: *const c_char) -> *mut StartToolResult;
}

described! {
    /// What `ompt_start_tool` returns (`ompt_start_tool_result_t`, 4.4.1). The tool keeps it alive
    /// until its finaliser has run.
    #[repr(C)]
    #[derive(Copy, Clone, Debug)]
    pub struct StartToolResult {
        /// Called once while the runtime starts.
        pub initialize: Option<Initialize>,
        /// Called once when the runtime ends, if the initialiser returned other than 0.
        pub finalize: Option<Finalize>,
        /// Handed to both by address.
        pub tool_data: Data,
    }
}

/// The names that the lookup of the host answers (4.6.1).
pub const HOST_ENTRY_POINTS: &[&str] = &names::<{ HOST_FUNCTIONS.len() }>(HOST_FUNCTIONS);

/// The names that the lookup of a device answers (4.6.2).
pub const DEVICE_ENTRY_POINTS: &[&str] = &names::<{ DEVICE_FUNCTIONS.len() }>(DEVICE_FUNCTIONS);

const fn names<const N: usize>(functions: &[Function]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = functions[index].name;
        index += 1;
    }
    names
}

function_types! {
    /// What the lookup of the host answers (4.6.1).
    pub(crate) HOST_FUNCTIONS:
    /// steps through the states; 0 at the end (4.6.1.1).
    EnumerateStates "ompt_enumerate_states" (
        current_state: c_int, next_state: *mut c_int, next_state_name: *mut *const c_char,
    ) -> c_int;
    /// steps through the implementations of mutual exclusion; 0 at the end (4.6.1.2).
    EnumerateMutexImpls "ompt_enumerate_mutex_impls" (
        current_impl: c_int, next_impl: *mut c_int, next_impl_name: *mut *const c_char,
    ) -> c_int;
    /// registers a callback, or removes it by null (4.6.1.3).
    SetCallback "ompt_set_callback" (event: Event, callback: Callback) -> SetResult;
    /// 1 and the callback if one is registered, else 0 (4.6.1.4).
    GetCallback "ompt_get_callback" (event: Event, callback: *mut Callback) -> c_int;
    /// the thread's data word, null on a thread that is none of OpenMP's (4.6.1.5).
    GetThreadData "ompt_get_thread_data" () -> *mut Data;
    /// the number of processors of the device (4.6.1.6).
    GetNumProcs "ompt_get_num_procs" () -> c_int;
    /// the number of places (4.6.1.7).
    GetNumPlaces "ompt_get_num_places" () -> c_int;
    /// the processors of a place: writes at most `ids_size`, answers how many there are (4.6.1.8).
    GetPlaceProcIds "ompt_get_place_proc_ids" (place_num: c_int, ids_size: c_int, ids: *mut c_int) -> c_int;
    /// the thread's place, or -1 if it is not bound (4.6.1.9).
    GetPlaceNum "ompt_get_place_num" () -> c_int;
    /// the places of the thread's partition: writes at most `place_nums_size`, answers how many
    /// there are (4.6.1.10).
    GetPartitionPlaceNums "ompt_get_partition_place_nums" (place_nums_size: c_int, place_nums: *mut c_int) -> c_int;
    /// the processor on which the thread runs, or -1 (4.6.1.11).
    GetProcId "ompt_get_proc_id" () -> c_int;
    /// the thread's [`State`] and what it waits for (4.6.1.12).
    GetState "ompt_get_state" (wait_id: *mut WaitId) -> c_int;
    /// an enclosing parallel region: 2 available, 1 exists but not now, 0 none (4.6.1.13).
    GetParallelInfo "ompt_get_parallel_info" (
        ancestor_level: c_int, parallel_data: *mut *mut Data, team_size: *mut c_int,
    ) -> c_int;
    /// an ancestor task: 2 available, 1 exists but not now, 0 none (4.6.1.14).
    GetTaskInfo "ompt_get_task_info" (
        ancestor_level: c_int, flags: *mut c_int, task_data: *mut *mut Data,
        task_frame: *mut *mut Frame, parallel_data: *mut *mut Data, thread_num: *mut c_int,
    ) -> c_int;
    /// the task's memory, block by block; 0 at the last (4.6.1.15).
    GetTaskMemory "ompt_get_task_memory" (addr: *mut *mut c_void, size: *mut usize, block: c_int) -> c_int;
    /// the target region that the thread is in; 0 if there is none (4.6.1.16).
    GetTargetInfo "ompt_get_target_info" (
        device_num: *mut u64, target_id: *mut Id, host_op_id: *mut Id,
    ) -> c_int;
    /// the number of devices (4.6.1.17).
    GetNumDevices "ompt_get_num_devices" () -> c_int;
    /// a number that no other call in this process has got (4.6.1.18).
    GetUniqueId "ompt_get_unique_id" () -> u64;
    /// ends the tool's activity at once: its finaliser runs, no event follows (4.6.1.19).
    FinalizeTool "ompt_finalize_tool" ();
}

function_types! {
    /// What the lookup of a device answers (4.6.2).
    pub(crate) DEVICE_FUNCTIONS:
    /// the number of processors of the device (4.6.2.1).
    GetDeviceNumProcs "ompt_get_device_num_procs" (device: *mut Device) -> c_int;
    /// the device's clock (4.6.2.2).
    GetDeviceTime "ompt_get_device_time" (device: *mut Device) -> DeviceTime;
    /// a time of the device's clock as `omp_get_wtime` counts, in seconds (4.6.2.3).
    TranslateTime "ompt_translate_time" (device: *mut Device, time: DeviceTime) -> f64;
    /// turns records of an event on or off; 0 as `etype` means all (4.6.2.4).
    SetTraceOmpt "ompt_set_trace_ompt" (device: *mut Device, enable: c_uint, etype: c_uint) -> SetResult;
    /// turns native records on or off (4.6.2.5).
    SetTraceNative "ompt_set_trace_native" (device: *mut Device, enable: c_int, flags: c_int) -> SetResult;
    /// how many trace buffers the tool may be asked for before one comes back, and which size is recommended for each
    /// (OpenMP 6.0, section 37.6).
    GetBufferLimits "ompt_get_buffer_limits" (
        device: *mut Device, max_concurrent_allocs: *mut c_int, recommended_bytes: *mut usize,
    );
    /// starts the trace; 1 on success (4.6.2.6).
    StartTrace "ompt_start_trace" (device: *mut Device, request: BufferRequest, complete: BufferComplete) -> c_int;
    /// pauses (1) or continues (0) the trace; 1 on success (4.6.2.7).
    PauseTrace "ompt_pause_trace" (device: *mut Device, begin_pause: c_int) -> c_int;
    /// has all pending records handed over; 1 on success (4.6.2.8).
    FlushTrace "ompt_flush_trace" (device: *mut Device) -> c_int;
    /// flushes and stops the trace; 1 on success (4.6.2.9).
    StopTrace "ompt_stop_trace" (device: *mut Device) -> c_int;
    /// moves a cursor to the next record; 0 at the end (4.6.2.10).
    AdvanceBufferCursor "ompt_advance_buffer_cursor" (
        device: *mut Device, buffer: *mut Buffer, size: usize, current: BufferCursor,
        next: *mut BufferCursor,
    ) -> c_int;
    /// the kind of the record at a cursor (4.6.2.11).
    GetRecordType "ompt_get_record_type" (buffer: *mut Buffer, current: BufferCursor) -> Record;
    /// the record at a cursor, null if it is no OMPT record (4.6.2.12).
    GetRecordOmpt "ompt_get_record_ompt" (buffer: *mut Buffer, current: BufferCursor) -> *mut RecordOmpt;
    /// the native record at a cursor, null if it is none (4.6.2.13).
    GetRecordNative "ompt_get_record_native" (
        buffer: *mut Buffer, current: BufferCursor, host_op_id: *mut Id,
    ) -> *mut c_void;
    /// the abstract view of a native record, null if there is none (4.6.2.14).
    GetRecordAbstract "ompt_get_record_abstract" (native_record: *mut c_void) -> *mut RecordAbstract;
}
