//! Events inside target regions (OpenMP 5.1 §4.2.5, §4.5.2). A thread of a device calls the functions here instead of
//! the tool's callbacks, and they write records. Where a callback gets a data word, a record has an identifier. The
//! identifier lies in that word.

use super::buffers::SLOT;
use super::clock::Clock;
use super::device::{self, Device, INSIDE, Origin, bit, find};
use crate::model::atomic::{AtomicU64, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::ompt::{registry, several, target};
use ::ompt::*;
use std::ffi::{c_int, c_uint, c_void};

/// Converts an argument of a callback to a field of a record: a data word to its identifier, anything else to itself.
trait Recorded<Field> {
    fn recorded(self) -> Field;
}

impl<T> Recorded<T> for T {
    #[inline(always)]
    fn recorded(self) -> T {
        self
    }
}

impl Recorded<Id> for *mut Data {
    #[inline(always)]
    fn recorded(self) -> Id {
        id(self)
    }
}

/// The function that records an event with this signature, without its type.
macro_rules! function {
    (($event:ident ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )?) fn $own:ident (..)) => {{
        let own: unsafe extern "C" fn($( $ty ),*) $( -> $ret )? = $own;
        Some(own as *const ())
    }};
    (($event:ident ( $( $arg:ident : $ty:ty ),* )) $member:ident $record:ident ( $( $( $field:ident )? $( - )? ),* ))
        => {{
        #[allow(unused_variables, reason = "a record has no field for some arguments")]
        unsafe extern "C" fn record($( $arg: $ty ),*) {
            if let Some((device, thread)) = here() {
                let body = $record { $( $( $field: $arg.recorded(), )? )* };
                write(device, thread, Event::$event, RecordBody { $member: body });
            }
        }
        Some(record as *const ())
    }};
}

/// Makes `recorder!`, which has the function for one event of the table of events. A row has the events, the member of
/// a record's body, the member's type, and the field for each argument of the callback; `-` for an argument without a
/// field. An event whose record is more than its arguments has a function of its own. `$d` is a dollar sign.
macro_rules! recorders {
    ($d:tt $( $( $event:ident )|+ => $member:ident $record:ident $fields:tt; )*) => {
        macro_rules! recorder {
            $( $( ($event $d signature:tt) => { function!($d signature $member $record $fields) }; )+ )*
            // No such event happens on a thread of a device.
            ($d other:ident $d signature:tt) => { None };
        }
    };
}

recorders! { $
    ThreadBegin => thread_begin RecordThreadBegin (thread_type, -);
    ParallelBegin => parallel_begin RecordParallelBegin
        (encountering_task_id, -, parallel_id, requested_parallelism, flags, codeptr_ra);
    ParallelEnd => parallel_end RecordParallelEnd (parallel_id, encountering_task_id, flags, codeptr_ra);
    TaskCreate => task_create RecordTaskCreate
        (encountering_task_id, -, new_task_id, flags, has_dependences, codeptr_ra);
    TaskSchedule => task_schedule RecordTaskSchedule (prior_task_id, prior_task_status, next_task_id);
    ImplicitTask => fn implicit_task (..);
    ControlTool => fn control_tool (..);
    Dependences => fn dependences (..);
    TaskDependence => task_dependence RecordTaskDependence (src_task_id, sink_task_id);
    Work => work RecordWork (work_type, endpoint, parallel_id, task_id, count, codeptr_ra);
    Masked => masked RecordMasked (endpoint, parallel_id, task_id, codeptr_ra);
    SyncRegion | SyncRegionWait | Reduction => sync_region RecordSyncRegion
        (kind, endpoint, parallel_id, task_id, codeptr_ra);
    LockInit | MutexAcquire => mutex_acquire RecordMutexAcquire (kind, hint, mutex_impl, wait_id, codeptr_ra);
    MutexAcquired | MutexReleased | LockDestroy => mutex RecordMutex (kind, wait_id, codeptr_ra);
    NestLock => nest_lock RecordNestLock (endpoint, wait_id, codeptr_ra);
    Flush => flush RecordFlush (-, codeptr_ra);
    Cancel => cancel RecordCancel (task_id, flags, codeptr_ra);
    Dispatch => fn dispatch (..);
}

macro_rules! functions {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal, $args:tt $( -> $ret:ty )? } )*) => {
        /// The function that records an event, without its type; none for an event that has no record here.
        const fn function_of(event: Event) -> Option<*const ()> {
            match event {
                $( Event::$camel => recorder!($camel ($camel $args $( -> $ret )?)), )*
                _ => None,
            }
        }
    };
}
::ompt::for_each_event! { functions }

/// The events that have records here, some of [`INSIDE`].
pub const ALL: u64 = {
    let (mut all, mut event) = (0, 0);
    while event < Event::ALL.len() {
        all |= if function_of(Event::ALL[event].0).is_some() { bit(Event::ALL[event].0) } else { 0 };
        event += 1;
    }
    all
};

const _: () = assert!(ALL & !INSIDE == 0);

/// The function that records an event on `thread`, a thread of a device; null if no trace wants the record.
pub fn recorder(thread: &Thread, event: usize) -> *mut c_void {
    let wanted = find(thread.device()).is_some_and(|device| device.mask() & (1 << event) != 0);
    let function = if wanted { function_of(Event(event as c_int)) } else { None };
    function.map_or(std::ptr::null_mut(), |function| function as *mut c_void)
}

/// The device with this number is open. Returns what `device_initialize` passes to tools as the device.
pub fn make(number: i32, clock: &'static dyn Clock) -> *mut ::ompt::Device {
    registry::set_recorder(recorder);
    device::make(number, clock)
}

/// At the begin of a task, the thread also notes its target region, and for a league the number of teams.
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
        let traced = &thread.tool.traced;
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
        // SAFETY: the list has `ndeps` elements.
        let dep = unsafe { *list.add(index) };
        let body = RecordDependences { task_id: id(task), dep, ndeps };
        write(device, thread, Event::Dependences, RecordBody { dependences: body });
    }
}

/// The chunk that the event's `instance` points to lies behind the record's used part, in the same slot.
unsafe extern "C" fn dispatch(parallel: *mut Data, task: *mut Data, kind: Dispatch, instance: Data) {
    const BEHIND: usize = std::mem::offset_of!(RecordOmpt, record) + size_of::<RecordDispatch>();
    const { assert!(BEHIND + size_of::<DispatchChunk>() <= SLOT) };
    let Some((device, thread)) = here() else { return };
    let has_chunk = matches!(kind, Dispatch::WS_LOOP_CHUNK | Dispatch::TASKLOOP_CHUNK | Dispatch::DISTRIBUTE_CHUNK);
    // SAFETY: for these kinds, `instance` is null or points to a chunk that outlives the event.
    let chunk = if has_chunk { unsafe { instance.ptr().cast::<DispatchChunk>().as_ref() } } else { None };
    let place = |at: *mut u8| at.wrapping_add(BEHIND).cast::<DispatchChunk>();
    let body = |at| {
        let instance = if chunk.is_some() { Data { ptr: place(at).cast() } } else { instance };
        RecordBody { dispatch: RecordDispatch { parallel_id: id(parallel), task_id: id(task), kind, instance } }
    };
    device.standard_with(bit(Event::Dispatch), origin(device, thread), 1, body, |at| {
        if let Some(chunk) = chunk {
            // SAFETY: the slot ends behind the chunk.
            unsafe { place(at).write(*chunk) };
        }
    });
}

/// Records the command. The tool's callback is for threads of the host, so no tool obeys the command.
unsafe extern "C" fn control_tool(command: u64, modifier: u64, _: *mut c_void, codeptr_ra: *const c_void) -> c_int {
    if let Some((device, thread)) = here() {
        let body = RecordControlTool { command, modifier, codeptr_ra };
        write(device, thread, Event::ControlTool, RecordBody { control_tool: body });
    }
    ControlToolResult::NOCALLBACK.0
}

/// The calling thread and its device.
#[inline(always)]
fn here() -> Option<(&'static Device, &'static Thread)> {
    let thread = current::try_current()?;
    Some((find(thread.device())?, thread))
}

#[inline(always)]
fn write(device: &Device, thread: &Thread, event: Event, body: RecordBody) {
    device.standard(bit(event), origin(device, thread), body);
}

#[inline(always)]
fn origin(device: &Device, thread: &Thread) -> Origin {
    Origin { who: device.own(thread), target_id: target_id(thread), time: device.time() }
}

/// The target region that a thread of a device works for.
fn target_id(thread: &Thread) -> Id {
    match thread.tool.traced.target.get() {
        ID_NONE => region(thread),
        known => known,
    }
}

/// The target region that a thread of a device works for, as the team of the region's initial task knows it.
#[cold]
fn region(thread: &Thread) -> Id {
    if !thread.is_set_up() {
        return ID_NONE;
    }
    let mut team = thread.member().team();
    while let Some(outer) = team.encountered_in().or(team.parent()) {
        team = outer.team();
    }
    team.tool.target.load(Ordering::Relaxed)
}

/// The identifier of the object with this data word; `ompt_id_none` for null. The first record that names the object
/// gives it an identifier.
#[inline(always)]
fn id(word: *mut Data) -> Id {
    if word.is_null() {
        return ID_NONE;
    }
    // SAFETY: an object's word. On a device, only this file uses it.
    let word = unsafe { AtomicU64::from_ptr(word.cast()) };
    match word.load(Ordering::Relaxed) {
        0 => name(word),
        known => known,
    }
}

#[cold]
fn name(word: &AtomicU64) -> Id {
    // With several tools, a word may be the number of an array (`several/words.rs`). This bit is in none.
    let apart = if several::is_so() { 1 << 63 } else { 0 };
    let fresh = target::unique() | apart;
    word.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed).err().unwrap_or(fresh)
}
