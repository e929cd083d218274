//! OMPT's entry points on the host: what a tool may ask the runtime (OpenMP 5.1 §4.6.1).
//!
//! All but `ompt_set_callback`, `ompt_get_callback` and `ompt_finalize_tool` are async-signal-safe:
//! they read the calling thread's own structures and take no lock.

use super::{activate, answers, registry};
use crate::place;
use crate::team::Team;
use crate::thread::{self, Thread, process};
use ::ompt::{Callback, Data, Event, Frame, Id, InterfaceFn, SetResult, State, WaitId};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the host as a device: there are no others, so it is 0.
pub const INITIAL_DEVICE: c_int = 0;

/// The one kind of mutual exclusion there is: a futex word in three states, spun on briefly first.
pub const MUTEX_FUTEX: u32 = 1;
/// Its name.
pub const MUTEX_FUTEX_NAME: &CStr = c"ferromp_mutex_futex";

macro_rules! answer {
    ($wanted:expr; $($name:literal => $function:expr, $ty:ty;)*) => {
        match $wanted {
            $($name => {
                let function: $ty = $function;
                // SAFETY: a function pointer as a function pointer without its type; the tool casts it
                // back to the type that belongs to the name.
                #[allow(clippy::useless_transmute, reason = "one of the types has no arguments")]
                let untyped = unsafe { std::mem::transmute::<$ty, unsafe extern "C" fn()>(function) };
                Some(untyped)
            })*
            _ => None,
        }
    };
}

/// `ompt_function_lookup_t`: finds an entry point by its name; null for a name that does not exist.
///
/// # Safety
/// `name` is null or a C string.
pub unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    if name.is_null() {
        return None;
    }
    // SAFETY: the tool passes a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    answer! { name;
        b"ompt_enumerate_states" => enumerate_states, ::ompt::EnumerateStates;
        b"ompt_enumerate_mutex_impls" => enumerate_mutex_impls, ::ompt::EnumerateMutexImpls;
        b"ompt_set_callback" => set_callback, ::ompt::SetCallback;
        b"ompt_get_callback" => get_callback, ::ompt::GetCallback;
        b"ompt_get_thread_data" => get_thread_data, ::ompt::GetThreadData;
        b"ompt_get_num_procs" => get_num_procs, ::ompt::GetNumProcs;
        b"ompt_get_num_places" => get_num_places, ::ompt::GetNumPlaces;
        b"ompt_get_place_proc_ids" => get_place_proc_ids, ::ompt::GetPlaceProcIds;
        b"ompt_get_place_num" => get_place_num, ::ompt::GetPlaceNum;
        b"ompt_get_partition_place_nums" => get_partition_place_nums, ::ompt::GetPartitionPlaceNums;
        b"ompt_get_proc_id" => get_proc_id, ::ompt::GetProcId;
        b"ompt_get_state" => get_state, ::ompt::GetState;
        b"ompt_get_parallel_info" => get_parallel_info, ::ompt::GetParallelInfo;
        b"ompt_get_task_info" => get_task_info, ::ompt::GetTaskInfo;
        b"ompt_get_task_memory" => get_task_memory, ::ompt::GetTaskMemory;
        b"ompt_get_target_info" => get_target_info, ::ompt::GetTargetInfo;
        b"ompt_get_num_devices" => get_num_devices, ::ompt::GetNumDevices;
        b"ompt_get_unique_id" => get_unique_id, ::ompt::GetUniqueId;
        b"ompt_finalize_tool" => finalize_tool, ::ompt::FinalizeTool;
    }
}

/// Steps through the states that the runtime uses (§4.6.1.1).
unsafe extern "C" fn enumerate_states(current: c_int, next: *mut c_int, name: *mut *const c_char) -> c_int {
    let all = State::ALL;
    // `undefined` is where a walk begins.
    let index = if current == State::UNDEFINED.0 {
        0
    } else {
        match all.iter().position(|(state, _)| state.0 == current) {
            Some(index) => index + 1,
            None => return 0,
        }
    };
    match all.get(index) {
        Some((state, _)) if *state != State::UNDEFINED => {
            // SAFETY: the tool passes two places to write to.
            unsafe {
                *next = state.0;
                *name = state_name(index);
            }
            1
        }
        _ => 0,
    }
}

/// The C string of a state's name. Built once; the tool may keep it.
fn state_name(index: usize) -> *const c_char {
    static NAMES: std::sync::OnceLock<Vec<std::ffi::CString>> = std::sync::OnceLock::new();
    NAMES.get_or_init(|| {
        State::ALL.iter().map(|(_, name)| std::ffi::CString::new(*name).expect("a name without zero bytes")).collect()
    })[index]
        .as_ptr()
}

/// Steps through the implementations of mutual exclusion (§4.6.1.2).
unsafe extern "C" fn enumerate_mutex_impls(current: c_int, next: *mut c_int, name: *mut *const c_char) -> c_int {
    if current != ::ompt::MUTEX_IMPL_NONE as c_int {
        return 0;
    }
    // SAFETY: the tool passes two places to write to.
    unsafe {
        *next = MUTEX_FUTEX as c_int;
        *name = MUTEX_FUTEX_NAME.as_ptr();
    }
    1
}

/// Registers a callback, or removes it (§4.6.1.3).
unsafe extern "C" fn set_callback(event: Event, callback: Callback) -> SetResult {
    let answer = answers::answer(event);
    if answer == SetResult::ERROR || answer == SetResult::NEVER {
        return answer;
    }
    registry::set(event, callback.map_or(std::ptr::null_mut(), |callback| callback as *mut c_void));
    answer
}

/// The callback that is registered for an event (§4.6.1.4).
unsafe extern "C" fn get_callback(event: Event, callback: *mut Callback) -> c_int {
    if answers::answer(event) == SetResult::ERROR {
        return 0;
    }
    let pointer = registry::get(event);
    if pointer.is_null() {
        return 0;
    }
    // SAFETY: the tool passes a place to write to; the pointer is what it once registered.
    unsafe { *callback = std::mem::transmute::<*mut c_void, Callback>(pointer) };
    1
}

/// The calling thread's descriptor, if the tool may see it.
fn this_thread() -> Option<&'static Thread> {
    thread::try_current().filter(|thread| thread.is_set_up())
}

/// The thread's data word (§4.6.1.5).
unsafe extern "C" fn get_thread_data() -> *mut Data {
    this_thread().map_or(std::ptr::null_mut(), |thread| thread.tool.data())
}

/// Processors of the host (§4.6.1.6).
unsafe extern "C" fn get_num_procs() -> c_int {
    place::num_procs()
}

/// Places (§4.6.1.7).
unsafe extern "C" fn get_num_places() -> c_int {
    place::places().len() as c_int
}

/// Processors of a place (§4.6.1.8).
unsafe extern "C" fn get_place_proc_ids(place: c_int, size: c_int, ids: *mut c_int) -> c_int {
    let Some(place) = usize::try_from(place).ok().and_then(|index| place::places().get(index)) else {
        return 0;
    };
    let room = if ids.is_null() { 0 } else { size.max(0) as usize };
    for (index, cpu) in place.cpus().iter().take(room).enumerate() {
        // SAFETY: the tool says that there is room for `size` numbers.
        unsafe { *ids.add(index) = *cpu as c_int };
    }
    place.cpus().len() as c_int
}

/// The thread's place (§4.6.1.9).
unsafe extern "C" fn get_place_num() -> c_int {
    this_thread().map_or(-1, Thread::place)
}

/// The places of the thread's partition (§4.6.1.10).
unsafe extern "C" fn get_partition_place_nums(size: c_int, nums: *mut c_int) -> c_int {
    let Some(thread) = this_thread() else { return 0 };
    let partition = thread.icvs().partition;
    let room = if nums.is_null() { 0 } else { size.max(0) as u32 };
    for index in 0..partition.count.min(room) {
        // SAFETY: the tool says that there is room for `size` numbers.
        unsafe { *nums.add(index as usize) = (partition.first + index) as c_int };
    }
    partition.count as c_int
}

/// The processor that the thread runs on (§4.6.1.11); -1 for a thread that has nothing to do with
/// OpenMP.
unsafe extern "C" fn get_proc_id() -> c_int {
    if this_thread().is_none() {
        return -1;
    }
    // SAFETY: takes no arguments.
    unsafe { libc::sched_getcpu() }
}

/// The thread's state (§4.6.1.12).
unsafe extern "C" fn get_state(wait_id: *mut WaitId) -> c_int {
    let Some(thread) = this_thread() else { return State::UNDEFINED.0 };
    let state = thread.tool.state();
    if !wait_id.is_null() {
        let waits = (State::WAIT_BARRIER.0..State::IDLE.0).contains(&state.0);
        // SAFETY: the tool passes a place to write to.
        unsafe { *wait_id = if waits { thread.tool.wait_id() } else { 0 } };
    }
    state.0
}

/// The team that is `level` parallel regions around the calling thread.
fn enclosing(thread: &Thread, level: c_int) -> Option<&'static Team> {
    let mut team = thread.member().team();
    for _ in 0..level {
        team = team.parent()?.team();
    }
    Some(team)
}

/// An enclosing parallel region (§4.6.1.13): 2 if it is there, 0 if not.
unsafe extern "C" fn get_parallel_info(level: c_int, data: *mut *mut Data, size: *mut c_int) -> c_int {
    let Some(thread) = this_thread() else { return 0 };
    if level < 0 {
        return 0;
    }
    let Some(team) = enclosing(thread, level) else { return 0 };
    if thread.tool.state() == State::IDLE {
        return 1;
    }
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(data, team.tool.data());
        write(size, if team.is_of_league() { team.region.num_teams.get() } else { team.nthreads() as c_int });
    }
    2
}

/// An ancestor task (§4.6.1.14): 2 if it is there, 1 if the thread is between tasks, 0 if not.
/// Ancestors are the tasks whose frames are on the thread's stack, innermost first: what lies below a
/// stolen task is the task that the thief set aside, not the one that generated it.
unsafe extern "C" fn get_task_info(
    level: c_int,
    flags: *mut c_int,
    data: *mut *mut Data,
    frame: *mut *mut Frame,
    parallel: *mut *mut Data,
    number: *mut c_int,
) -> c_int {
    let Some(thread) = this_thread() else { return 0 };
    if level < 0 {
        return 0;
    }
    if thread.tool.state() == State::IDLE {
        return 1;
    }
    let mut task = thread.task();
    let mut member = thread.member();
    for _ in 0..level {
        let ancestor = match task.tool.below() {
            Some(below) if task.is_explicit() => below,
            _ => {
                let Some(parent) = task.parent() else { return 0 };
                // The ancestor of an implicit task is in the team outside.
                let Some(outer) = member.team().parent() else { return 0 };
                member = outer;
                parent
            }
        };
        task = ancestor;
    }
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(flags, task.ompt_flags());
        write(data, task.tool.data());
        write(frame, task.tool.frame());
        write(parallel, member.team().tool.data());
        write(number, member.tid as c_int);
    }
    2
}

/// # Safety
/// `place` is null or writable.
unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller says so.
        unsafe { *place = value };
    }
}

/// The task's memory (§4.6.1.15). None is described yet, which 0 with an empty block says.
unsafe extern "C" fn get_task_memory(address: *mut *mut c_void, size: *mut usize, _block: c_int) -> c_int {
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(address, std::ptr::null_mut());
        write(size, 0);
    }
    0
}

/// The target region that the thread is in (§4.6.1.16): none, there are no devices.
unsafe extern "C" fn get_target_info(_device: *mut u64, _target: *mut Id, _operation: *mut Id) -> c_int {
    0
}

/// Devices (§4.6.1.17).
unsafe extern "C" fn get_num_devices() -> c_int {
    0
}

/// A number that no other call has got (§4.6.1.18).
unsafe extern "C" fn get_unique_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Ends the tool's activity at once (§4.6.1.20), after the events that the runtime's shutdown brings
/// if the calling thread can bring them about: outside of parallel regions and callbacks.
unsafe extern "C" fn finalize_tool() {
    let idle = |thread: &Thread| thread.is_outside_regions() && !thread.tool.in_callback();
    if super::active() && this_thread().is_some_and(idle) {
        process::end_tool();
    } else {
        activate::finalize();
    }
}
