//! A device that this test plays: whatever it is made to record is handed over at once. OpenMP 5.1, section 4.6.2.

use crate::program::*;
use std::ffi::{CStr, c_char};
use std::sync::Mutex as Lock;

/// What `ompt_start_trace` was given.
static CALLBACKS: Lock<Option<(BufferRequest, BufferComplete)>> = Lock::new(None);

unsafe extern "C" fn time(_device: *mut Device) -> DeviceTime {
    1
}

unsafe extern "C" fn translate(_device: *mut Device, time: DeviceTime) -> f64 {
    time as f64
}

unsafe extern "C" fn set(_device: *mut Device, _enable: u32, _event: u32) -> SetResult {
    SetResult::ALWAYS
}

unsafe extern "C" fn start(_device: *mut Device, request: BufferRequest, complete: BufferComplete) -> c_int {
    *CALLBACKS.lock().unwrap() = Some((request, complete));
    1
}

/// One record a buffer. Behind an invalid one something follows: a cursor at no record, with nothing behind, is
/// that of an empty buffer.
unsafe extern "C" fn advance(
    _device: *mut Device,
    buffer: *mut Buffer,
    _size: usize,
    current: BufferCursor,
    next: *mut BufferCursor,
) -> c_int {
    // SAFETY: `record` has put one there, and the framework passes a place to write to.
    unsafe {
        *next = 1;
        (current == 0 && (*buffer.cast::<RecordOmpt>()).type_.0 == 0).into()
    }
}

unsafe extern "C" fn kind(buffer: *mut Buffer, _current: BufferCursor) -> ompt::Record {
    // SAFETY: `record` has put one there.
    if unsafe { (*buffer.cast::<RecordOmpt>()).type_ }.0 == 0 { ompt::Record::INVALID } else { ompt::Record::OMPT }
}

unsafe extern "C" fn get(buffer: *mut Buffer, _current: BufferCursor) -> *mut RecordOmpt {
    buffer.cast()
}

unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    // SAFETY: the framework asks by C strings.
    let found = match unsafe { CStr::from_ptr(name) }.to_str().unwrap() {
        "ompt_get_device_time" => time as GetDeviceTime as *const (),
        "ompt_translate_time" => translate as TranslateTime as *const (),
        "ompt_set_trace_ompt" => set as SetTraceOmpt as *const (),
        "ompt_start_trace" => start as StartTrace as *const (),
        "ompt_advance_buffer_cursor" => advance as AdvanceBufferCursor as *const (),
        "ompt_get_record_type" => kind as GetRecordType as *const (),
        "ompt_get_record_ompt" => get as GetRecordOmpt as *const (),
        _ => return None,
    };
    // SAFETY: as in the host's lookup.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn()>(found) })
}

/// Device 0 comes into being; a device that traces itself or one that does not.
pub fn begin(traces: bool) {
    event!(DeviceInitialize, 0, c"played".as_ptr(), null_mut(), traces.then_some(lookup as FunctionLookup), null());
}

pub fn record(type_: Event, time: DeviceTime, record: RecordBody) {
    let (request, complete) = CALLBACKS.lock().unwrap().expect("the trace was started");
    let (mut buffer, mut bytes) = (null_mut(), 0);
    // SAFETY: as a device does it; the buffer has room for a record.
    unsafe {
        request(0, &mut buffer, &mut bytes);
        assert!(bytes >= size_of::<RecordOmpt>());
        buffer.cast::<RecordOmpt>().write(RecordOmpt { type_, time, thread_id: 1, target_id: 1, record });
        complete(0, buffer, size_of::<RecordOmpt>(), 0, 1);
    }
}

pub fn kernel(op: *mut Id, begin: DeviceTime, end: DeviceTime) {
    // SAFETY: the word lives for ever.
    let host_op_id = unsafe { *op };
    let target_kernel = RecordTargetKernel { host_op_id, requested_num_teams: 0, granted_num_teams: 1, end_time: end };
    record(Event::TargetSubmit, begin, RecordBody { target_kernel });
}
