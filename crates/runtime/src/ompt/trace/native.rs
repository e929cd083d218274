//! Native records: records in the device's own form, for what standard records have no field for (OpenMP 5.1
//! §4.4.3.2–3, §4.4.4.17, §4.6.2.5).
//!
//! [`DOCUMENTATION`] describes the layout to tools. The layout may get new kinds and changes in no other way.

use super::buffers::SLOT;
use ::ompt::{DeviceTime, HWID_NONE, HwId, Id, NativeMonFlag, RecordAbstract, RecordNative, SetResult, TIME_NONE};
use std::ffi::{CStr, c_int};

/// The documentation of a host device, which tools get by `device_initialize`.
pub const DOCUMENTATION: &CStr = c"ferromp host device: threads and memory of their own on the host's processor.
Time: nanoseconds of CLOCK_MONOTONIC, the clock of omp_get_wtime.
Buffers: a record takes 104 bytes, sizeof(ompt_record_ompt_t), from the first address on that is a multiple of 8; one of target_map takes \
the room of two or more, and is dropped where a buffer has not that much. Threads share up to 32 buffers at a time. A buffer is \
completed once, with buffer_owned = 1, and is the tool's from then on; bytes is its full size. Where it holds no record, ompt_get_record_type \
answers ompt_record_invalid for the cursor, and ompt_advance_buffer_cursor 0. A buffer too small for one record is given back at once, and \
recording ends as after NULL or 0 bytes, until the next ompt_start_trace; records that are dropped meanwhile are counted. Completion \
callbacks run on one thread for all devices, which is none of OpenMP's; ompt_flush_trace and ompt_stop_trace return after them, but when \
called from a callback for buffers. Request callbacks run on the thread that needs the buffer. A forked child has no traces.
Records: thread_id numbers the device's threads from 1, 0 is a thread of the host; parallel_id and task_id are unique in the process; the \
task_id of a target record is what the tool has written to the data word of the task, or else a number that no other task has.
Tools: of several, each has its own trace.
Besides the entry points of OpenMP 5.1 the lookup knows
  unsigned long long ferromp_get_dropped_records(ompt_device_t *device): how many records this tool has lost so far.
Native records (ompt_set_trace_native; ompt_get_record_native gives a pointer to this):
  struct { int mark; unsigned rooms; ompt_record_abstract_t summary; ompt_id_t host_op_id, target_id, thread_id; unsigned long long a, b, c; }
  ompt_native_data_motion_explicit, _implicit (not told from each other): type \"copy\" to or from the device, a = bytes, b = bytes a second, \
c = 1 to the device, 2 from the device
  ompt_native_kernel_invocation: type \"queued\", from the kernel's submission to its begin, a = teams asked for, b = thread limit
  ompt_native_kernel_execution: type \"kernel\", a = teams granted, b = nanoseconds queued, c = address of its code
  ompt_native_overhead: type \"buffer request\", how long it took to get one; and the information \"records dropped\", a = how \
many since the last one, b = in all
  ompt_native_idleness: type \"idle\", the time before a kernel in which the device ran none
  hwid is the processor's number plus 1; 0 is ompt_hwid_none.";

/// The documentation of an NVIDIA device, which tools get by `device_initialize`.
pub const NVIDIA_DOCUMENTATION: &CStr = c"ferromp NVIDIA device: over the CUDA driver (libcuda.so.1).
Time: nanoseconds that the device has counted between events, from a moment on at which it was compared with CLOCK_MONOTONIC, the clock of omp_get_wtime. ompt_translate_time follows comparisons of both, made every four seconds while the device is traced; ompt_get_device_time is the host's time, translated.
Buffers: as on a host device of ferromp. A record takes 104 bytes, sizeof(ompt_record_ompt_t), from the first address on that is a multiple of 8; one of target_map takes the room of two or more. Threads share up to 32 buffers at a time. A buffer is completed once, with buffer_owned = 1; NULL or 0 bytes end the recording until the next ompt_start_trace, and what is lost meanwhile is counted.
Records: of transfers and kernels when they are known to be complete: before the end of the construct that waits for them, with nowait before its task is complete. Start and end are the device's own; granted_num_teams is the number of blocks. thread_id is 0. What happens inside of target regions cannot be recorded (ompt_set_trace_ompt answers ompt_set_impossible): the device runs the code of the compiler's runtime there, which tells nobody.
Besides the entry points of OpenMP 5.1 the lookup knows
  unsigned long long ferromp_get_dropped_records(ompt_device_t *device): how many records this tool has lost so far.
Native records (ompt_set_trace_native; ompt_get_record_native gives a pointer to this):
  struct { int mark; unsigned rooms; ompt_record_abstract_t summary; ompt_id_t host_op_id, target_id, thread_id; unsigned long long a, b, c; }
  ompt_native_data_motion_explicit, _implicit (not told from each other): type \"copy\" to or from the device, a = bytes, b = bytes a second, \
c = 1 to the device, 2 from the device
  ompt_native_kernel_invocation: type \"queued\", from the kernel's submission to its begin, a = teams asked for, b = thread limit
  ompt_native_kernel_execution: type \"kernel\", a = teams granted, b = nanoseconds queued, c = CUDA's function
  ompt_native_overhead: type \"buffer request\", how long it took to get one; and the information \"records dropped\", a = how \
many since the last one, b = in all
  hwid is ompt_hwid_none, but of buffer requests.";

/// All flags of OpenMP.
const KNOWN: c_int = 0xff;
/// The kinds of native records that a host device has.
const KINDS: c_int = KNOWN & !(NativeMonFlag::DRIVER.0 | NativeMonFlag::RUNTIME.0);

/// The answer of `ompt_set_trace_native` to these flags, and the flags of which there are records. No flags stand for
/// all flags. `inside` says that the device knows the begin of its kernels before they have ended.
pub fn choose(inside: bool, flags: c_int) -> (SetResult, c_int) {
    let kinds = if inside { KINDS } else { KINDS & !NativeMonFlag::IDLENESS.0 };
    let asked = if flags == 0 { kinds } else { flags };
    let chosen = asked & kinds;
    match chosen {
        _ if asked & !KNOWN != 0 => (SetResult::ERROR, 0),
        0 => (SetResult::NEVER, 0),
        _ if chosen != asked => (SetResult::SOMETIMES, chosen),
        _ => (SetResult::ALWAYS, chosen),
    }
}

/// Stands in a native record where a standard record has its event's number.
pub const NATIVE: c_int = 0x4e61_7476;

/// A native record, as it lies in a buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NativeRecord {
    /// [`NATIVE`], which tells a native record from a standard one.
    pub(super) mark: c_int,
    /// How many slots the record takes.
    pub(super) slots: u32,
    pub summary: RecordAbstract,
    pub host_op_id: Id,
    pub target_id: Id,
    pub thread_id: Id,
    pub a: u64,
    pub b: u64,
    pub c: u64,
}

const _: () = assert!(size_of::<NativeRecord>() <= SLOT);

impl NativeRecord {
    /// Something that happened from `start` to `end` where the calling thread runs now.
    pub fn event(name: &'static CStr, start: DeviceTime, end: DeviceTime) -> Self {
        // SAFETY: takes no arguments.
        let cpu = unsafe { libc::sched_getcpu() };
        // Processor 0 would be `ompt_hwid_none`, so numbers begin at 1. The call returns -1 where no processor is
        // known.
        let hwid = u64::try_from(cpu).map_or(HWID_NONE, |cpu| cpu + 1);
        Self::new(RecordNative::EVENT, name, (start, end), hwid)
    }

    /// A piece of information.
    pub fn information(name: &'static CStr) -> Self {
        Self::new(RecordNative::INFO, name, (TIME_NONE, TIME_NONE), HWID_NONE)
    }

    fn new(rclass: RecordNative, name: &'static CStr, (start_time, end_time): (u64, u64), hwid: HwId) -> Self {
        let summary = RecordAbstract { rclass, type_: name.as_ptr(), start_time, end_time, hwid };
        NativeRecord { mark: NATIVE, slots: 1, summary, host_op_id: 0, target_id: 0, thread_id: 0, a: 0, b: 0, c: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processor_was_none() {
        // SAFETY: an all-zero set is valid; the calls read and write sets of that size, of the calling thread alone.
        let (cpu, hwid) = unsafe {
            let (mut allowed, mut one): (libc::cpu_set_t, libc::cpu_set_t) = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of_val(&allowed), &raw mut allowed);
            let first = (0..libc::CPU_SETSIZE as usize).find(|&cpu| libc::CPU_ISSET(cpu, &allowed)).unwrap();
            libc::CPU_SET(first, &mut one);
            std::thread::spawn(move || {
                libc::sched_setaffinity(0, size_of_val(&one), &raw const one);
                (first as u64, NativeRecord::event(c"", 0, 0).summary.hwid)
            })
            .join()
            .unwrap()
        };
        assert_eq!(hwid, cpu + 1);
    }

    #[test]
    fn answers_are_honest() {
        assert_eq!(choose(true, 0), (SetResult::ALWAYS, KINDS));
        assert_eq!(
            choose(true, NativeMonFlag::KERNEL_EXECUTION.0),
            (SetResult::ALWAYS, NativeMonFlag::KERNEL_EXECUTION.0)
        );
        assert_eq!(choose(true, NativeMonFlag::DRIVER.0).0, SetResult::NEVER);
        let mixed = NativeMonFlag::DRIVER.0 | NativeMonFlag::IDLENESS.0;
        assert_eq!(choose(true, mixed), (SetResult::SOMETIMES, NativeMonFlag::IDLENESS.0));
        assert_eq!(choose(false, NativeMonFlag::IDLENESS.0).0, SetResult::NEVER);
        assert_eq!(choose(false, 0).0, SetResult::ALWAYS);
        assert_eq!(choose(true, 0x100), (SetResult::ERROR, 0));
    }
}
