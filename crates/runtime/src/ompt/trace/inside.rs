//! Events inside target regions: on a thread of a device, the functions here stand in the place of the tool's
//! callbacks, and write records (OpenMP 5.1 §4.2.5, §4.5.2). Where a callback gets a data word, a record has an
//! identifier, which lies in that word.

use super::{Device, bit, buffers, find};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::ompt::{several, target};
use ::ompt::*;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! recorders {
    ($( $event:ident = $function:ident ( $( $arg:ident : $ty:ty ),* $(,)? ) => $member:ident $body:expr; )*) => {
        /// The events that have records here.
        pub const ALL: u64 = $( bit(Event::$event) )|* | BY_HAND;

        $(
            unsafe extern "C" fn $function($( $arg: $ty ),*) {
                if let Some((device, thread)) = here() {
                    write(device, thread, Event::$event, RecordBody { $member: $body });
                }
            }
        )*

        /// The function that records an event on `thread`, which is a device's; null where nobody wants it.
        pub fn recorder(thread: &Thread, event: usize) -> *mut c_void {
            match find(thread.device()) {
                Some(device) if device.mask() & (1 << event) != 0 => {}
                _ => return std::ptr::null_mut(),
            }
            match Event(event as c_int) {
                $( Event::$event => $function as *const () as *mut c_void, )*
                Event::ImplicitTask => implicit_task as *const () as *mut c_void,
                Event::Dependences => dependences as *const () as *mut c_void,
                Event::Dispatch => dispatch as *const () as *mut c_void,
                Event::ControlTool => control_tool as *const () as *mut c_void,
                _ => std::ptr::null_mut(),
            }
        }
    };
}

recorders! {
    ThreadBegin = thread_begin(kind: ::ompt::Thread, _data: *mut Data) => thread_begin RecordThreadBegin { thread_type: kind };
    ParallelBegin = parallel_begin(
        task: *mut Data, _frame: *const Frame, parallel: *mut Data, requested_parallelism: c_uint, flags: c_int, codeptr_ra: *const c_void,
    ) => parallel_begin RecordParallelBegin {
        encountering_task_id: id(task), parallel_id: id(parallel), requested_parallelism, flags, codeptr_ra,
    };
    ParallelEnd = parallel_end(parallel: *mut Data, task: *mut Data, flags: c_int, codeptr_ra: *const c_void)
        => parallel_end RecordParallelEnd { parallel_id: id(parallel), encountering_task_id: id(task), flags, codeptr_ra };
    Work = work(
        work_type: Work, endpoint: ScopeEndpoint, parallel: *mut Data, task: *mut Data, count: u64, codeptr_ra: *const c_void,
    ) => work RecordWork { work_type, endpoint, parallel_id: id(parallel), task_id: id(task), count, codeptr_ra };
    TaskCreate = task_create(
        task: *mut Data, _frame: *const Frame, new: *mut Data, flags: c_int, has_dependences: c_int, codeptr_ra: *const c_void,
    ) => task_create RecordTaskCreate {
        encountering_task_id: id(task), new_task_id: id(new), flags, has_dependences, codeptr_ra,
    };
    TaskDependence = task_dependence(source: *mut Data, sink: *mut Data)
        => task_dependence RecordTaskDependence { src_task_id: id(source), sink_task_id: id(sink) };
    TaskSchedule = task_schedule(prior: *mut Data, prior_task_status: TaskStatus, next: *mut Data)
        => task_schedule RecordTaskSchedule { prior_task_id: id(prior), prior_task_status, next_task_id: id(next) };
    Masked = masked(endpoint: ScopeEndpoint, parallel: *mut Data, task: *mut Data, codeptr_ra: *const c_void)
        => masked RecordMasked { endpoint, parallel_id: id(parallel), task_id: id(task), codeptr_ra };
    SyncRegion = sync_region(
        kind: SyncRegion, endpoint: ScopeEndpoint, parallel: *mut Data, task: *mut Data, codeptr_ra: *const c_void,
    ) => sync_region RecordSyncRegion { kind, endpoint, parallel_id: id(parallel), task_id: id(task), codeptr_ra };
    SyncRegionWait = sync_region_wait(
        kind: SyncRegion, endpoint: ScopeEndpoint, parallel: *mut Data, task: *mut Data, codeptr_ra: *const c_void,
    ) => sync_region RecordSyncRegion { kind, endpoint, parallel_id: id(parallel), task_id: id(task), codeptr_ra };
    Reduction = reduction(
        kind: SyncRegion, endpoint: ScopeEndpoint, parallel: *mut Data, task: *mut Data, codeptr_ra: *const c_void,
    ) => sync_region RecordSyncRegion { kind, endpoint, parallel_id: id(parallel), task_id: id(task), codeptr_ra };
    MutexAcquire = mutex_acquire(kind: Mutex, hint: c_uint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: *const c_void)
        => mutex_acquire RecordMutexAcquire { kind, hint, mutex_impl, wait_id, codeptr_ra };
    LockInit = lock_init(kind: Mutex, hint: c_uint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: *const c_void)
        => mutex_acquire RecordMutexAcquire { kind, hint, mutex_impl, wait_id, codeptr_ra };
    MutexAcquired = mutex_acquired(kind: Mutex, wait_id: WaitId, codeptr_ra: *const c_void)
        => mutex RecordMutex { kind, wait_id, codeptr_ra };
    MutexReleased = mutex_released(kind: Mutex, wait_id: WaitId, codeptr_ra: *const c_void)
        => mutex RecordMutex { kind, wait_id, codeptr_ra };
    LockDestroy = lock_destroy(kind: Mutex, wait_id: WaitId, codeptr_ra: *const c_void)
        => mutex RecordMutex { kind, wait_id, codeptr_ra };
    NestLock = nest_lock(endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: *const c_void)
        => nest_lock RecordNestLock { endpoint, wait_id, codeptr_ra };
    Flush = flush(_data: *mut Data, codeptr_ra: *const c_void) => flush RecordFlush { codeptr_ra };
    Cancel = cancel(task: *mut Data, flags: c_int, codeptr_ra: *const c_void)
        => cancel RecordCancel { task_id: id(task), flags, codeptr_ra };
}

/// Those that do more than write one record of their arguments.
const BY_HAND: u64 =
    bit(Event::ImplicitTask) | bit(Event::Dependences) | bit(Event::Dispatch) | bit(Event::ControlTool);

/// A thread learns by the begin of a task for which region it works; of a league, how many teams it has.
unsafe extern "C" fn implicit_task(
    endpoint: ScopeEndpoint,
    parallel: *mut Data,
    task: *mut Data,
    actual_parallelism: c_uint,
    index: c_uint,
    flags: c_int,
) {
    let Some((device, thread)) = here() else { return };
    if endpoint == ScopeEndpoint::BEGIN {
        let traced = thread.tool.traced();
        traced.target.set(region(thread));
        if flags & TaskFlag::INITIAL.0 as c_int != 0 {
            traced.teams.set(traced.teams.get().max(actual_parallelism));
        }
    }
    let body =
        RecordImplicitTask { endpoint, parallel_id: id(parallel), task_id: id(task), actual_parallelism, index, flags };
    write(device, thread, Event::ImplicitTask, RecordBody { implicit_task: body });
}

/// One record for each dependence.
unsafe extern "C" fn dependences(task: *mut Data, list: *const Dependence, ndeps: c_int) {
    let Some((device, thread)) = here() else { return };
    for index in 0..usize::try_from(ndeps).unwrap_or(0) {
        // SAFETY: the event's list has as many elements as it says.
        let dep = unsafe { *list.add(index) };
        let body = RecordDependences { task_id: id(task), dep, ndeps };
        write(device, thread, Event::Dependences, RecordBody { dependences: body });
    }
}

/// A chunk, to which the event's `instance` points, lies behind what the record has of its room.
unsafe extern "C" fn dispatch(parallel: *mut Data, task: *mut Data, kind: Dispatch, instance: Data) {
    const BEHIND: usize = std::mem::offset_of!(RecordOmpt, record) + size_of::<RecordDispatch>();
    const { assert!(BEHIND + size_of::<DispatchChunk>() <= buffers::ROOM) };
    let Some((device, thread)) = here() else { return };
    let chunk = match kind {
        Dispatch::WS_LOOP_CHUNK | Dispatch::TASKLOOP_CHUNK | Dispatch::DISTRIBUTE_CHUNK
            if !instance.ptr().is_null() =>
        {
            // SAFETY: for these kinds it is a chunk that outlives the event.
            Some(unsafe { *instance.ptr().cast::<DispatchChunk>() })
        }
        _ => None,
    };
    let (who, time, target_id) = (device.own(thread), device.time(), target_id(thread));
    device.record(bit(Event::Dispatch), who.strip, 1, |at, _| {
        let behind = at.wrapping_add(BEHIND).cast::<DispatchChunk>();
        let instance = if chunk.is_some() { Data { ptr: behind.cast() } } else { instance };
        let body = RecordDispatch { parallel_id: id(parallel), task_id: id(task), kind, instance };
        let record = RecordOmpt {
            type_: Event::Dispatch,
            time,
            thread_id: who.id,
            target_id,
            record: RecordBody { dispatch: body },
        };
        // SAFETY: room for a record, which ends with the chunk.
        unsafe {
            at.cast::<RecordOmpt>().write(record);
            super::set_rooms(at, 1);
            if let Some(chunk) = chunk {
                behind.write(chunk);
            }
        }
    });
}

/// Nobody does what the command says: the tool's own callback is the host's.
unsafe extern "C" fn control_tool(command: u64, modifier: u64, _: *mut c_void, codeptr_ra: *const c_void) -> c_int {
    const NO_CALLBACK: c_int = -1;
    if let Some((device, thread)) = here() {
        let body = RecordControlTool { command, modifier, codeptr_ra };
        write(device, thread, Event::ControlTool, RecordBody { control_tool: body });
    }
    NO_CALLBACK
}

/// The calling thread and its device.
#[inline(always)]
fn here() -> Option<(&'static Device, &'static Thread)> {
    let thread = current::try_current()?;
    Some((find(thread.device())?, thread))
}

#[inline(always)]
fn write(device: &Device, thread: &Thread, event: Event, body: RecordBody) {
    device.standard(bit(event), device.own(thread), target_id(thread), device.time(), |_| event, body);
}

/// The target region that a thread of a device works for.
fn target_id(thread: &Thread) -> Id {
    match thread.tool.traced().target.get() {
        ID_NONE => region(thread),
        known => known,
    }
}

/// The same, by the team of the region's initial task.
#[cold]
fn region(thread: &Thread) -> Id {
    if !thread.is_set_up() {
        return ID_NONE;
    }
    let mut team = thread.member().team();
    while let Some(outer) = team.encountered_in().or(team.parent()) {
        team = outer.team();
    }
    team.tool.target()
}

/// The identifier of the object with this data word, which is given one when it is first named; none for null.
#[inline(always)]
fn id(word: *mut Data) -> Id {
    if word.is_null() {
        return ID_NONE;
    }
    // SAFETY: an object's word, which on a device belongs to this file.
    let word = unsafe { AtomicU64::from_ptr(word.cast()) };
    match word.load(Ordering::Relaxed) {
        0 => name(word),
        known => known,
    }
}

#[cold]
fn name(word: &AtomicU64) -> Id {
    // With several tools a word is the number of an array; this is none.
    let apart = if several::is_so() { 1 << 63 } else { 0 };
    let fresh = target::unique() | apart;
    word.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed).err().unwrap_or(fresh)
}
