//! Tasks that something outside of the runtime completes (proxy tasks), target tasks, and what libraries
//! beside the compiler's code ask about tasks.

use super::Ident;
use super::task::{KmpTask, allocate};
use crate::abi::entry_point;
use crate::device;
use crate::device_numbers;
use crate::objects::blocks;
use crate::objects::current;
use crate::objects::structures::{Edge, Node};
use crate::objects::task::flag;
use crate::ompt::Entered;
use crate::task;
use std::ffi::c_void;

/// `__kmpc_omp_target_task_alloc`: as `__kmpc_omp_task_alloc`, for the task of a target construct with `nowait` or
/// `depend`. If there is a device with that number, the construct's operations on it may outlast the task's code.
///
/// # Safety
/// As for `__kmpc_omp_task_alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_target_task_alloc(
    _loc: *const Ident,
    _gtid: i32,
    flags: i32,
    sizeof_task: usize,
    sizeof_shareds: usize,
    routine: *const c_void,
    device: i64,
) -> *mut KmpTask {
    // Behind everything else the word for the handle of an operation on the device.
    let handle = sizeof_shareds.next_multiple_of(8);
    // SAFETY: the caller's sizes, and one word more that starts as null.
    unsafe {
        let data = allocate(flags, sizeof_task, sizeof_shareds, handle + 8, routine);
        let task = blocks::task_of(data.cast());
        task.change_flags(flag::TARGET | flag::ASYNCHRONOUS, 0);
        if let Some(handle) = task.asynchronous() {
            *handle = std::ptr::null_mut();
        }
        if device::find(device_number(device)).is_some() {
            task::target::for_device(task);
        }
        data
    }
}

/// The device that a construct names; `OMP_DEVICEID_UNDEF` (-1) where it has no clause.
fn device_number(number: i64) -> i32 {
    match i32::try_from(number) {
        Ok(-1) => device::default(current::current()),
        Ok(number) => number,
        Err(_) => device_numbers::INVALID,
    }
}

/// `__kmpc_omp_get_target_async_handle_ptr`: where the current task, a target task, keeps the handle of
/// an operation that goes on after its body has returned: the body is called again until the handle is
/// null. Null for any other task, which then has to wait for the operation itself.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_get_target_async_handle_ptr(_gtid: i32) -> *mut *mut c_void {
    current::try_current().and_then(|thread| thread.task().asynchronous()).unwrap_or(std::ptr::null_mut())
}

/// `__kmpc_omp_has_task_team`: whether other threads may go on with the current task.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_has_task_team(_gtid: i32) -> bool {
    current::try_current().is_some_and(|thread| thread.member().team().nthreads() > 1)
}

/// `__kmpc_get_taskid`: a number that identifies the current task among those that are not complete; 0 on
/// a thread that the runtime does not know.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_taskid() -> u64 {
    current::try_current().map_or(0, |thread| std::ptr::from_ref(thread.task()) as u64)
}

/// `__kmpc_get_parent_taskid`: as [`__kmpc_get_taskid`], of the task that generated the current one; 0 for
/// an initial task.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_parent_taskid() -> u64 {
    let parent = current::try_current().and_then(|thread| thread.task().parent());
    parent.map_or(0, |task| std::ptr::from_ref(task) as u64)
}

/// `__kmpc_task_get_depnode`: what stands for the task among its siblings' dependences
/// (`kmp_base_depnode_t`), null if it has none; until it is complete.
///
/// # Safety
/// `data` comes from `__kmpc_omp_task_alloc`, and the task is not complete.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_task_get_depnode(data: *mut KmpTask) -> *const Node {
    // SAFETY: the caller says so.
    task::node(unsafe { blocks::task_of(data.cast()) })
}

/// `__kmpc_task_get_successors`: the list of what stands for the tasks that wait for this one
/// (`kmp_depnode_list_t`), null if there are none; until it is complete.
///
/// # Safety
/// As for [`__kmpc_task_get_depnode`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_task_get_successors(data: *mut KmpTask) -> *const Edge {
    // SAFETY: the caller says so.
    task::successors(unsafe { blocks::task_of(data.cast()) })
}

entry_point! {
    /// `__kmpc_proxy_task_completed`: a proxy task's work is done, says a thread of its team.
    pub fn __kmpc_proxy_task_completed(gtid: i32, data: *mut KmpTask), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill_of(blocks::task_of(data.cast()));
    }

    /// `__kmpc_proxy_task_completed_ooo`: a proxy task's work is done, says any thread.
    pub fn __kmpc_proxy_task_completed_ooo(data: *mut KmpTask), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill_of(blocks::task_of(data.cast()));
    }
}

/// `__kmpc_invoke_task_func`: executes the code of the current parallel region for the calling thread.
/// Returns 1, or 0 outside of all regions.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_invoke_task_func(_gtid: i32) -> i32 {
    let thread = current::current();
    thread.member().team().invoke(thread).into()
}
