//! The entry points of a device (OpenMP 5.1 §4.6.2), made once for each tool.

use super::common::{answer, of_tool, untyped, write};
use crate::ompt::answers;
use crate::ompt::trace::device::{Device, OUTSIDE, bit};
use crate::ompt::trace::session::{MOST_BUFFERS, RECOMMENDED_BYTES, native as native_bit};
use crate::ompt::trace::{cursor, inside, native};
use ::ompt::*;
use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

/// [`ferromp_up_device_lookup`](crate::upcalls::ferromp_up_device_lookup).
#[unsafe(no_mangle)]
fn ferromp_up_device_lookup(tool: usize) -> FunctionLookup {
    of_tool!(lookup, tool)
}

unsafe extern "C" fn lookup<const TOOL: usize>(name: *const c_char) -> InterfaceFn {
    answer! { name;
        b"ompt_get_device_num_procs" => num_procs, GetDeviceNumProcs;
        b"ompt_get_device_time" => time, GetDeviceTime;
        b"ompt_translate_time" => translate_time, TranslateTime;
        b"ompt_set_trace_ompt" => set_trace_ompt::<TOOL>, SetTraceOmpt;
        b"ompt_set_trace_native" => set_trace_native::<TOOL>, SetTraceNative;
        b"ompt_get_buffer_limits" => buffer_limits, GetBufferLimits;
        b"ompt_start_trace" => start_trace::<TOOL>, StartTraceOrNot;
        b"ompt_pause_trace" => pause_trace::<TOOL>, PauseTrace;
        b"ompt_flush_trace" => flush_trace::<TOOL>, FlushTrace;
        b"ompt_stop_trace" => stop_trace::<TOOL>, StopTrace;
        b"ompt_advance_buffer_cursor" => cursor::advance, AdvanceBufferCursor;
        b"ompt_get_record_type" => cursor::record_type, GetRecordType;
        b"ompt_get_record_ompt" => cursor::record_ompt, GetRecordOmpt;
        b"ompt_get_record_native" => cursor::record_native, GetRecordNative;
        b"ompt_get_record_abstract" => cursor::record_abstract, GetRecordAbstract;
        b"ferromp_get_dropped_records" => dropped::<TOOL>, unsafe extern "C" fn(*mut c_void) -> c_ulonglong;
        _ => None
    }
}

/// The device of a tool's handle; none for null.
///
/// # Safety
/// The handle is null, or what `device_initialize` passed as the device. Tools are obliged to that in each entry point.
unsafe fn device(device: *mut c_void) -> Option<&'static Device> {
    // SAFETY: devices live for ever.
    unsafe { device.cast::<Device>().as_ref() }
}

/// `ompt_get_device_num_procs`; -1 for no device.
unsafe extern "C" fn num_procs(handle: *mut c_void) -> c_int {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(-1, |device| device.clock.processors())
}

/// `ompt_get_device_time`
unsafe extern "C" fn time(handle: *mut c_void) -> DeviceTime {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(TIME_NONE, Device::time)
}

/// `ompt_translate_time`
unsafe extern "C" fn translate_time(handle: *mut c_void, time: DeviceTime) -> f64 {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0.0, |device| device.clock.to_wtime(time))
}

/// `ompt_set_trace_ompt`: one event, or all for 0.
unsafe extern "C" fn set_trace_ompt<const TOOL: usize>(
    handle: *mut c_void,
    enable: c_uint,
    etype: c_uint,
) -> SetResult {
    // SAFETY: the tool's handle.
    let Some(device) = (unsafe { device(handle) }) else { return SetResult::ERROR };
    let (answer, kinds) = kinds(device.clock.records_inside(), etype);
    if kinds != 0 {
        device.change(TOOL, |trace| trace.want(kinds, enable != 0));
    }
    answer
}

/// The answer for an event, and the bits of what is recorded then.
fn kinds(inside: bool, etype: c_uint) -> (SetResult, u64) {
    if etype == 0 {
        // Some events are not recorded each time that they occur.
        let all = OUTSIDE | if inside { inside::ALL } else { 0 };
        return (SetResult::SOMETIMES, all);
    }
    let Ok(number) = c_int::try_from(etype) else { return (SetResult::ERROR, 0) };
    let event = Event(number);
    if event.name().is_none() {
        return (SetResult::ERROR, 0);
    }
    let kinds = bit(event);
    if kinds & OUTSIDE != 0 {
        return (SetResult::ALWAYS, kinds);
    }
    if kinds & inside::ALL == 0 {
        // No record has its form, or the event happens on no device.
        return (SetResult::NEVER, 0);
    }
    if !inside {
        // The compiler's own runtime executes regions on the device, and has no events.
        return (SetResult::IMPOSSIBLE, 0);
    }
    // Only clang makes code for devices whose threads are this runtime's.
    match answers::TABLE[number as usize - 1].by_clang() {
        SetResult::NEVER => (SetResult::NEVER, 0),
        answer => (answer, kinds),
    }
}

/// `ompt_set_trace_native`
unsafe extern "C" fn set_trace_native<const TOOL: usize>(
    handle: *mut c_void,
    enable: c_int,
    flags: c_int,
) -> SetResult {
    // SAFETY: the tool's handle.
    let Some(device) = (unsafe { device(handle) }) else { return SetResult::ERROR };
    let (answer, chosen) = native::choose(device.clock.records_inside(), flags);
    if chosen != 0 {
        device.change(TOOL, |trace| trace.want(native_bit(NativeMonFlag(chosen)), enable != 0));
    }
    answer
}

/// `ompt_get_buffer_limits` (OpenMP 6.0, section 37.6). The limits are the same for each device, at any time. For null,
/// nothing is written.
unsafe extern "C" fn buffer_limits(handle: *mut c_void, most: *mut c_int, bytes: *mut usize) {
    // SAFETY: the tool's handle.
    if unsafe { device(handle) }.is_none() {
        return;
    }
    // SAFETY: each is null or a place of the tool's to write to.
    unsafe {
        write(most, MOST_BUFFERS as c_int);
        write(bytes, RECOMMENDED_BYTES);
    }
}

/// As [`StartTrace`], for a tool that may pass null callbacks.
type StartTraceOrNot = unsafe extern "C" fn(*mut c_void, Option<BufferRequest>, Option<BufferComplete>) -> c_int;
const _: () = assert!(size_of::<StartTraceOrNot>() == size_of::<StartTrace>());

/// `ompt_start_trace`: 1, or 0 if the trace cannot be started.
unsafe extern "C" fn start_trace<const TOOL: usize>(
    handle: *mut c_void,
    request: Option<BufferRequest>,
    complete: Option<BufferComplete>,
) -> c_int {
    let (Some(request), Some(complete)) = (request, complete) else { return 0 };
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0, |device| device.change(TOOL, |trace| trace.start(request, complete)).into())
}

/// `ompt_pause_trace`: 0 where no trace has been started.
unsafe extern "C" fn pause_trace<const TOOL: usize>(handle: *mut c_void, begin_pause: c_int) -> c_int {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0, |device| device.change(TOOL, |trace| trace.pause(begin_pause != 0)).into())
}

/// `ompt_flush_trace`: 1. All that was recorded before the call has been delivered when the call returns.
unsafe extern "C" fn flush_trace<const TOOL: usize>(handle: *mut c_void) -> c_int {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0, |device| {
        device.flush(TOOL);
        1
    })
}

/// `ompt_stop_trace`: 0 where no trace has been started.
unsafe extern "C" fn stop_trace<const TOOL: usize>(handle: *mut c_void) -> c_int {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0, |device| device.stop(TOOL).into())
}

/// How many records the tool has lost.
unsafe extern "C" fn dropped<const TOOL: usize>(handle: *mut c_void) -> c_ulonglong {
    // SAFETY: the tool's handle.
    unsafe { device(handle) }.map_or(0, |device| device.trace(TOOL).dropped())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_point_of_the_specification_is_there() {
        for name in DEVICE_ENTRY_POINTS {
            let name = std::ffi::CString::new(*name).unwrap();
            for tool in [0, 7] {
                // SAFETY: a C string.
                assert!(unsafe { ferromp_up_device_lookup(tool)(name.as_ptr()) }.is_some(), "{name:?}");
            }
        }
        // SAFETY: the tool's handle.
        assert!(unsafe { ferromp_up_device_lookup(0)(c"ompt_set_callback".as_ptr()) }.is_none());
        // SAFETY: null is no name.
        assert!(unsafe { ferromp_up_device_lookup(0)(std::ptr::null()) }.is_none());
    }

    #[test]
    fn answers_are_honest() {
        let answer = |inside, event: Event| kinds(inside, event.0 as c_uint).0;
        for event in [Event::Target, Event::TargetEmi, Event::TargetDataOp, Event::TargetSubmitEmi, Event::TargetMap] {
            assert_eq!(
                (answer(true, event), answer(false, event)),
                (SetResult::ALWAYS, SetResult::ALWAYS),
                "{event:?}"
            );
        }
        for event in [Event::ThreadEnd, Event::Error, Event::DeviceInitialize, Event::DeviceUnload] {
            assert_eq!(answer(true, event), SetResult::NEVER, "{event:?}");
        }
        assert_eq!(answer(true, Event::ImplicitTask), SetResult::ALWAYS);
        assert_eq!(answer(true, Event::Dispatch), SetResult::SOMETIMES);
        assert_eq!(answer(true, Event::Reduction), SetResult::SOMETIMES_PAIRED);
        assert_eq!(answer(false, Event::ImplicitTask), SetResult::IMPOSSIBLE);
        assert_eq!(kinds(true, 38), (SetResult::ERROR, 0));
        assert_eq!(kinds(true, u32::MAX), (SetResult::ERROR, 0));
        assert_eq!(kinds(false, 0).1 & inside::ALL, 0);
    }
}
