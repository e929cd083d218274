//! Tasks that code outside the runtime completes (proxy tasks), target tasks, and queries about tasks for libraries of
//! the compilers.

use super::Ident;
use super::task::{KmpTask, allocate};
use crate::abi::{entry_point, routines};
use crate::device;
use crate::device_numbers;
use crate::objects::structures::{Edge, Node};
use crate::objects::task::flag;
use crate::objects::{blocks, current};
use crate::ompt::Entered;
use crate::task;
use std::ffi::c_void;

routines! {
    /// `__kmpc_omp_target_task_alloc`: as `__kmpc_omp_task_alloc`, for the task of a target construct with `nowait` or
    /// `depend`. If there is a device with that number, the construct's operations on it may outlast the task's code.
    ///
    /// # Safety
    /// As for `__kmpc_omp_task_alloc`.
    pub fn __kmpc_omp_target_task_alloc(loc: *const Ident, gtid: i32, flags: i32, sizeof_task: usize,
        sizeof_shareds: usize, routine: *const c_void, device: i64) -> *mut KmpTask {
        // The last word of the task is for the handle of an operation on the device.
        let handle = sizeof_shareds.next_multiple_of(8);
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

routines! {
    /// `__kmpc_omp_get_target_async_handle_ptr`: where the current target task keeps the handle of an operation that
    /// continues after the task's body has returned. The body is called again until the handle is null. Returns null
    /// for any other task, whose code must wait for the operation.
    pub fn __kmpc_omp_get_target_async_handle_ptr(gtid: i32) -> *mut *mut c_void {
        current::try_current().and_then(|thread| thread.task().asynchronous()).unwrap_or(std::ptr::null_mut())
    }

    /// `__kmpc_omp_has_task_team`: whether the current task's team has other threads, which may resume a target task.
    pub fn __kmpc_omp_has_task_team(gtid: i32) -> bool {
        current::try_current().is_some_and(|thread| thread.member().team().nthreads() > 1)
    }

    /// `__kmpc_get_taskid`: a number that identifies the current task among those that are not complete; 0 on
    /// a thread that the runtime does not know.
    pub fn __kmpc_get_taskid() -> u64 {
        current::try_current().map_or(0, |thread| std::ptr::from_ref(thread.task()) as u64)
    }

    /// `__kmpc_get_parent_taskid`: as [`__kmpc_get_taskid`], of the task that generated the current one; 0 for
    /// an initial task.
    pub fn __kmpc_get_parent_taskid() -> u64 {
        let parent = current::try_current().and_then(|thread| thread.task().parent());
        parent.map_or(0, |task| std::ptr::from_ref(task) as u64)
    }

    /// `__kmpc_task_get_depnode`: the task's node among its siblings' dependences (`kmp_base_depnode_t`); null if the
    /// task has no dependences. Valid until the task is complete.
    ///
    /// # Safety
    /// `data` comes from `__kmpc_omp_task_alloc`, and the task is not complete.
    pub fn __kmpc_task_get_depnode(data: *mut KmpTask) -> *const Node { task::node(blocks::task_of(data.cast())) }

    /// `__kmpc_task_get_successors`: the nodes of the tasks that wait for this one (`kmp_depnode_list_t`); null if
    /// there are none. Valid until the task is complete.
    ///
    /// # Safety
    /// As for [`__kmpc_task_get_depnode`].
    pub fn __kmpc_task_get_successors(data: *mut KmpTask) -> *const Edge {
        task::successors(blocks::task_of(data.cast()))
    }
}

entry_point! {
    /// `__kmpc_proxy_task_completed`: a proxy task's work is done. Called by a thread of its team.
    pub fn __kmpc_proxy_task_completed(gtid: i32, data: *mut KmpTask), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill_of(blocks::task_of(data.cast()));
    }

    /// `__kmpc_proxy_task_completed_ooo`: as `__kmpc_proxy_task_completed`, called by any thread.
    pub fn __kmpc_proxy_task_completed_ooo(data: *mut KmpTask), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill_of(blocks::task_of(data.cast()));
    }
}

routines! {
    /// `__kmpc_invoke_task_func`: executes the code of the current parallel region for the calling thread.
    /// Returns 1, or 0 outside of all regions.
    pub fn __kmpc_invoke_task_func(gtid: i32) -> i32 {
        let thread = current::current();
        thread.member().team().invoke(thread).into()
    }
}
