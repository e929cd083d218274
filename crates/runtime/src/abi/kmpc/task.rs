//! Explicit tasks (`__kmpc_omp_task*`, `__kmpc_taskgroup`; OpenMP 5.1 §2.12,
//! §2.19.5–6).

use super::Ident;
use crate::abi::{routines, split_entry_point, split_wide_entry_point};
use crate::icv;
use crate::objects::body::Body;
use crate::objects::call::Caller;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::{Task, Thread};
use crate::objects::task::flag;
use crate::objects::{blocks, current};
use crate::ompt::Entered;
use crate::task::{self, EventHandle};
use std::ffi::c_void;
use std::hint::cold_path;

/// `kmp_task_t`: what the compiler's code sees of a task. Its private variables follow.
#[repr(C)]
pub struct KmpTask {
    /// The block of pointers to shared variables.
    shareds: *mut c_void,
    /// `i32 routine(i32 gtid, kmp_task_t *task)`
    pub(super) routine: *const c_void,
    /// Which part of an untied task is next.
    part_id: i32,
    /// What calls the destructors of the private variables, `i32 (i32 gtid, kmp_task_t *task)`.
    destructors: *const c_void,
    /// The priority clause.
    priority: i32,
}

/// `kmp_depend_info_t`
#[repr(C)]
pub struct KmpDependence {
    base_addr: usize,
    len: usize,
    flags: u8,
}

/// The two lists of dependences that the compiler passes for one task.
#[derive(Clone, Copy)]
pub(in crate::abi) struct DependLists([(i32, *const KmpDependence); 2]);

/// `kmp_tasking_flags_t`, the compiler's half.
mod kmp {
    pub const TIED: i32 = 1;
    pub const FINAL: i32 = 1 << 1;
    pub const MERGEABLE: i32 = 1 << 2;
    pub const DESTRUCTORS: i32 = 1 << 3;
    pub const PROXY: i32 = 1 << 4;
    pub const PRIORITY: i32 = 1 << 5;
    /// `threadset(omp_pool)`
    pub const FREE_AGENT: i32 = 1 << 7;
    /// `transparent`: clang 23 passes nothing else about the clause, whatever its argument.
    pub const TRANSPARENT: i32 = 1 << 8;

    /// Rare flags, which are tested together.
    pub const UNUSUAL: i32 = PROXY | FREE_AGENT | TRANSPARENT;

    pub const DEPEND_IN: u8 = 1;
    pub const DEPEND_OUT: u8 = 2;
    pub const DEPEND_MUTEXINOUTSET: u8 = 4;
    pub const DEPEND_INOUTSET: u8 = 8;
    pub const DEPEND_ALL_MEMORY: u8 = 0x80;
}

/// The part of an untied task in which the code begins. The part before, number 0, only asks for this one.
const FIRST_WITH_CODE: i32 = 1;
/// The task has destructors to call.
const HAS_DESTRUCTORS: u32 = flag::ENTRY_POINT_1;
/// The task has a priority.
const HAS_PRIORITY: u32 = flag::ENTRY_POINT_2;

routines! {
    /// `__kmpc_omp_task_alloc`: a task with space for `kmp_task_t`, private variables and shareds. The program fills
    /// the task in and passes it to one of the other entry points.
    ///
    /// # Safety
    /// The sizes and the routine are the compiler's for one task construct.
    pub fn __kmpc_omp_task_alloc(loc: *const Ident, gtid: i32, flags: i32, sizeof_task: usize, sizeof_shareds: usize,
        routine: *const c_void) -> *mut KmpTask {
        let Some(thread) = current::without_tool() else {
            cold_path();
            return allocate(flags, sizeof_task, sizeof_shareds, sizeof_shareds, routine);
        };
        let offset = offset_of_shareds(sizeof_task);
        if let Some(parent) = task::has_list(thread)
            && flags & kmp::UNUSUAL == 0
            && !routine.is_null()
            && let Some(task) = task::take_prepared(thread, parent, offset + sizeof_shareds, own_flags(flags))
        {
            let data = blocks::behind(task).cast::<KmpTask>();
            task.set_filled_in(routine, data as usize);
            begin_data(data, offset, sizeof_shareds, routine);
            return data;
        }
        allocate_anew(thread, flags, sizeof_task, sizeof_shareds, routine)
    }
}

/// As [`__kmpc_omp_task_alloc`], without a tool and without a prepared header.
///
/// # Safety
/// As for [`__kmpc_omp_task_alloc`].
#[inline(never)]
unsafe fn allocate_anew(
    thread: &Thread,
    flags: i32,
    sizeof_task: usize,
    sizeof_shareds: usize,
    routine: *const c_void,
) -> *mut KmpTask {
    task::prepares_another(thread);
    let offset = offset_of_shareds(sizeof_task);
    let task = task::create_to_fill_in(thread, offset + sizeof_shareds, own_flags(flags));
    // SAFETY: the payload has space for both parts and is aligned for them, and no other thread knows the task yet.
    unsafe { begin_filling(task, flags, offset, sizeof_shareds, routine) }
}

/// Where the shareds lie behind the data of a task.
#[inline(always)]
fn offset_of_shareds(sizeof_task: usize) -> usize {
    sizeof_task.next_multiple_of(8)
}

/// The runtime's flags for those that the compiler passes.
#[inline(always)]
fn own_flags(flags: i32) -> u32 {
    // Flags whose values lie equally far apart on both sides are moved together.
    const OF_OMPT: u32 = flag::UNTIED.trailing_zeros() - kmp::TIED.trailing_zeros();
    const OF_ENTRY_POINT: u32 = HAS_DESTRUCTORS.trailing_zeros() - kmp::DESTRUCTORS.trailing_zeros();
    const _: () = {
        assert!(flag::FINAL == (kmp::FINAL as u32) << OF_OMPT);
        assert!(flag::MERGEABLE == (kmp::MERGEABLE as u32) << OF_OMPT);
        assert!(HAS_PRIORITY == (kmp::PRIORITY as u32) << OF_ENTRY_POINT);
    };
    let flags = flags as u32;
    let of_ompt = (flags << OF_OMPT) & (flag::UNTIED | flag::FINAL | flag::MERGEABLE) ^ flag::UNTIED;
    of_ompt | (flags << OF_ENTRY_POINT) & (HAS_DESTRUCTORS | HAS_PRIORITY) | flag::NUMBERED
}

/// A task with `behind` bytes after its data; the first of these bytes are the shareds.
///
/// # Safety
/// As for [`__kmpc_omp_task_alloc`].
pub(super) unsafe fn allocate(
    flags: i32,
    sizeof_task: usize,
    sizeof_shareds: usize,
    behind: usize,
    routine: *const c_void,
) -> *mut KmpTask {
    let thread = current::current();
    task::prepares_another(thread);
    let offset = offset_of_shareds(sizeof_task);
    let task = task::create_out_of_list(thread, offset + behind, own_flags(flags));
    // SAFETY: the payload has space for both parts and is aligned for them, and no other thread knows the task yet.
    unsafe { begin_filling(task, flags, offset, sizeof_shareds, routine) }
}

/// Sets the fields of a new task that the program does not fill in itself.
///
/// # Safety
/// The payload has space for the shareds at `offset`, and no other thread knows the task yet.
#[inline(always)]
unsafe fn begin_filling(
    task: &Task,
    flags: i32,
    offset: usize,
    sizeof_shareds: usize,
    routine: *const c_void,
) -> *mut KmpTask {
    // A task without a routine is a taskwait with `depend` and `nowait`: only the dependences matter.
    let routine = if routine.is_null() {
        cold_path();
        empty_task as *const c_void
    } else {
        routine
    };
    let data = task.payload().cast::<KmpTask>();
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { begin_data(data, offset, sizeof_shareds, routine) };
    set_body(task, data, routine, std::ptr::null());
    if flags & kmp::UNUSUAL != 0 {
        mark_unusual(task, flags);
    }
    data
}

/// Fills in what the compiler's code expects in the data of a new task.
///
/// # Safety
/// As for [`begin_filling`].
#[inline(always)]
unsafe fn begin_data(data: *mut KmpTask, offset: usize, sizeof_shareds: usize, routine: *const c_void) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        (*data).shareds = match sizeof_shareds {
            0 => std::ptr::null_mut(),
            _ => data.byte_add(offset).cast(),
        };
        (*data).routine = routine;
        (*data).part_id = 0;
    }
}

/// Marks a task with rare properties.
#[cold]
fn mark_unusual(task: &Task, flags: i32) {
    if flags & kmp::PROXY != 0 {
        // The code that completes a proxy task fulfils the task's event.
        task::completion_event(task);
    }
    if flags & kmp::FREE_AGENT != 0 {
        task.change_flags(flag::POOL, 0);
    }
    if flags & kmp::TRANSPARENT != 0 {
        task.change_flags(flag::IMPORTING | flag::EXPORTING, 0);
    }
}

/// The code of a task without a routine.
extern "C" fn empty_task(_gtid: i32, _data: *mut KmpTask) -> i32 {
    0
}

/// Sets the body of a task whose data has been filled in up to the routine, and what to call after it.
pub(super) fn set_body(task: &Task, data: *mut KmpTask, function: *const c_void, after: *const c_void) {
    task.body.set(Body { function, a: 0, b: data as usize, after });
}

/// Corrects the address of the shareds in a copy of a task whose data lay at `from`: the shareds lie at the same
/// distance from the data.
///
/// # Safety
/// `copy` is such a copy, with the shareds, and no other thread knows its task yet.
pub(super) unsafe fn move_shareds(copy: *mut KmpTask, from: usize) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        if !(*copy).shareds.is_null() {
            (*copy).shareds = copy.byte_add((*copy).shareds as usize - from).cast();
        }
    }
}

/// The task of `data`, with the fields that the program has filled in since the allocation.
///
/// # Safety
/// `data` comes from `__kmpc_omp_task_alloc`.
#[inline(always)]
pub(super) unsafe fn filled_in(thread: &Thread, data: *mut KmpTask) -> &'static Task {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        let task = blocks::task_of(data.cast());
        task::has_prepared(thread, task);
        if task.has(HAS_DESTRUCTORS | HAS_PRIORITY | flag::DETACHABLE) {
            take_filled_in(task, data);
        }
        task
    }
}

/// Takes what the program has filled in for a task with destructors, a priority or an event.
///
/// # Safety
/// As for [`filled_in`].
#[cold]
unsafe fn take_filled_in(task: &Task, data: *mut KmpTask) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        if task.has(HAS_DESTRUCTORS) {
            set_body(task, data, (*data).routine, (*data).destructors);
        }
        if task.has(HAS_PRIORITY) {
            task.priority.set((*data).priority.clamp(0, icv::settings().max_task_priority));
        }
    }
}

impl DependLists {
    /// # Safety
    /// Each list has as many elements as its number says, and keeps them while the result is used.
    #[inline(always)]
    pub(in crate::abi) unsafe fn new(lists: [(i32, *const KmpDependence); 2]) -> DependLists {
        DependLists(lists)
    }
}

impl Dependences for DependLists {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = Dependence> {
        self.0.into_iter().flat_map(|(count, list)| {
            // SAFETY: the `# Safety` section of `new` asks for as many elements.
            (0..usize::try_from(count).unwrap_or(0)).map(move |index| dependence(unsafe { &*list.add(index) }))
        })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().all(|&(count, _)| count <= 0)
    }
}

fn dependence(item: &KmpDependence) -> Dependence {
    let kind = match item.flags {
        kmp::DEPEND_IN => DependenceKind::In,
        kmp::DEPEND_MUTEXINOUTSET => DependenceKind::MutexInOutSet,
        kmp::DEPEND_INOUTSET => DependenceKind::InOutSet,
        kmp::DEPEND_OUT if item.base_addr != usize::MAX => DependenceKind::Out,
        flags if flags & kmp::DEPEND_ALL_MEMORY != 0 || item.base_addr == usize::MAX => DependenceKind::AllMemory,
        // `inout`, which clang passes for `out` as well. Kinds of newer compilers count as `inout`, too: the strictest
        // kind is never wrong.
        _ => DependenceKind::InOut,
    };
    Dependence { address: item.base_addr, kind }
}

/// The dependences of an array of `omp_depend_t`. Each object points to a list of dependences; the element before the
/// list holds the list's length.
///
/// # Safety
/// The array has `count` elements, all of them initialised.
pub(in crate::abi) unsafe fn objects(count: i32, list: *const *const KmpDependence) -> Vec<Dependence> {
    let all = (0..usize::try_from(count).unwrap_or(0)).flat_map(|index| {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            let object = *list.add(index);
            DependLists::new([((*object.sub(1)).base_addr as i32, object), (0, std::ptr::null())]).iter()
        }
    });
    all.collect()
}

/// Generates the task. If `data` is the current untied task's own, the call ends a part, and the next part will follow.
///
/// # Safety
/// `data` comes from `__kmpc_omp_task_alloc`.
#[inline(always)]
unsafe fn generate(thread: &'static Thread, data: *mut KmpTask, call: impl Caller) -> i32 {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        if task::execute_prepared(thread, blocks::task_of(data.cast()), call) {
            return 0;
        }
        generate_anew(thread, data, call)
    }
}

/// As [`generate`], for a task whose header was not prepared.
///
/// # Safety
/// As for [`generate`].
#[inline(never)]
unsafe fn generate_anew(thread: &'static Thread, data: *mut KmpTask, call: impl Caller) -> i32 {
    // SAFETY: the caller keeps to the `# Safety` section.
    let (task, part) = unsafe { (filled_in(thread, data), (*data).part_id) };
    if !task::part_again(thread, task, part == FIRST_WITH_CODE) && !task::execute_unprepared(thread, task, call) {
        let _in = Entered::new(thread, call);
        task::launch(thread, task, (), call);
    }
    0
}

/// Begins an undeferred task whose code the program calls next, if its header is not prepared.
///
/// # Safety
/// As for [`generate`].
#[inline(never)]
unsafe fn begin_slowly(thread: &'static Thread, data: *mut KmpTask, call: impl Caller) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let task = unsafe { filled_in(thread, data) };
    if !task::prepare_in_place(thread, task, call) {
        task::begin_undeferred(thread, task, call);
    }
}

split_entry_point! {
    /// `__kmpc_omp_task`: generates the task. An untied task calls this function with itself at the end of a part; its
    /// code is then called again.
    pub fn __kmpc_omp_task(loc: *const Ident, gtid: i32, data: *mut KmpTask) -> i32, |thread, call| {
        generate(thread, data, call)
    }

    /// `__kmpc_omp_task_parts`: as [`__kmpc_omp_task`].
    pub fn __kmpc_omp_task_parts(loc: *const Ident, gtid: i32, data: *mut KmpTask) -> i32, |thread, call| {
        generate(thread, data, call)
    }

    /// `__kmpc_omp_task_begin_if0`: an undeferred task whose code the program calls next.
    pub fn __kmpc_omp_task_begin_if0(loc: *const Ident, gtid: i32, data: *mut KmpTask), |thread, call| {
        if task::begin_in_place(thread, blocks::task_of(data.cast()), call) {
            return;
        }
        begin_slowly(thread, data, call);
    }

    /// `__kmpc_omp_task_complete_if0`: the program has called the task's code.
    pub fn __kmpc_omp_task_complete_if0(loc: *const Ident, gtid: i32, data: *mut KmpTask), |thread, call| {
        let task = blocks::task_of(data.cast());
        if task::complete_in_place(thread, task, call) {
            return;
        }
        task::complete_undeferred(thread, task, call);
    }

    /// `__kmpc_omp_taskwait`: waits for the children of the current task.
    pub fn __kmpc_omp_taskwait(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        task::taskwait(thread, call);
        0
    }

    /// `__kmpc_omp_taskyield`: the thread may execute another task first.
    pub fn __kmpc_omp_taskyield(loc: *const Ident, gtid: i32, end_part: i32) -> i32, |thread, call, _in| {
        task::taskyield(thread);
        0
    }

    /// `__kmpc_taskgroup`: a taskgroup region begins.
    pub fn __kmpc_taskgroup(loc: *const Ident, gtid: i32), |thread, call, _in| {
        task::taskgroup_begin(thread, call);
    }

    /// `__kmpc_end_taskgroup`: waits for the tasks of the taskgroup region and ends it.
    pub fn __kmpc_end_taskgroup(loc: *const Ident, gtid: i32), |thread, call, _in| {
        task::taskgroup_end(thread, call);
    }
}

routines! {
    /// `__kmpc_omp_reg_task_with_affinity`: a hint where to execute the task. An implementation may ignore the hint
    /// (OpenMP 5.1 §2.12.1); this one does, and reports success.
    pub fn __kmpc_omp_reg_task_with_affinity(loc: *const Ident, gtid: i32, data: *mut KmpTask, count: i32) -> i32 { 0 }

    /// `__kmpc_task_allow_completion_event`: the handle of the event that completes the task.
    pub fn __kmpc_task_allow_completion_event(loc: *const Ident, gtid: i32, data: *mut KmpTask) -> EventHandle {
        task::prepared_event(current::current(), blocks::task_of(data.cast()))
    }
}

split_wide_entry_point! {
    /// `__kmpc_omp_task_with_deps`: generates a task with dependences.
    pub fn __kmpc_omp_task_with_deps(
        loc: *const Ident,
        gtid: i32,
        data: *mut KmpTask,
        count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ) -> i32, |thread, call| {
        let task = filled_in(thread, data);
        if task::part_again(thread, task, false) {
            return 0;
        }
        let _in = Entered::new(thread, call);
        task::launch(thread, task, DependLists::new([(count, list), (count_noalias, list_noalias)]), call);
        0
    }

    /// `__kmpc_omp_wait_deps`: waits until an undeferred task with these dependences may start. The program generates
    /// the task later, without dependences. Tools therefore see the wait as a taskwait construct, which newer compilers
    /// make of it.
    pub fn __kmpc_omp_wait_deps(
        loc: *const Ident,
        gtid: i32,
        count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |thread, call, _in| {
        task::taskwait_depend(thread, DependLists::new([(count, list), (count_noalias, list_noalias)]), call);
    }

    /// `__kmpc_omp_taskwait_deps_51`: a taskwait construct with a `depend` clause. With `nowait`, an empty task with
    /// these dependences is generated instead.
    pub fn __kmpc_omp_taskwait_deps_51(
        loc: *const Ident,
        gtid: i32,
        count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
        nowait: i32,
    ), |thread, call, _in| {
        let dependences = DependLists::new([(count, list), (count_noalias, list_noalias)]);
        if nowait == 0 {
            task::taskwait_depend(thread, dependences, call);
        } else {
            task::taskwait_depend_nowait(thread, dependences, call);
        }
    }
}
