//! Information about devices and mappings, and what LLVM's own tools ask of its offload runtime.

use super::super::kmpc::Ident;
use super::NOT_OFFLOADED;
use crate::abi::{entry_point, wide_entry_point};
use crate::device::{self, map::info};
use crate::objects::current;
use crate::stderr;
use crate::tool::connect;
use ::ompt::StartToolResult;
use std::ffi::{c_char, c_int, c_void};

entry_point! {
    /// `__tgt_set_info_flag`: which kinds of information are displayed from now on, as `LIBOMPTARGET_INFO` says at
    /// first.
    pub fn __tgt_set_info_flag(level: u32), |call| {
        info::set_level(level);
    }

    /// `__tgt_print_device_info`: prints what is known of a device. 0 if there is no such device.
    pub fn __tgt_print_device_info(device: i64) -> c_int, |call| {
        current::current();
        match i32::try_from(device).ok().and_then(device::find) {
            Some(device) => {
                print(&info::describe(device));
                1
            }
            None => 0,
        }
    }

    /// `__tgt_target_nowait_query`: asks whether what a target task has queued is complete, by the handle that the task
    /// has got of `__kmpc_omp_get_target_async_handle_ptr`. Tasks have no handle here, since they complete without
    /// being asked.
    pub fn __tgt_target_nowait_query(handle: *mut *mut c_void), |call| {
        if handle.is_null() || (*handle).is_null() {
            stderr::write_stderr("ferromp: __tgt_target_nowait_query was called without a handle; the program ends\n");
            crate::stderr::terminate();
        }
    }
}

entry_point! {
    /// `ompt_libomptarget_connect`: a plug-in asks for the tool's callbacks.
    pub fn ompt_libomptarget_connect(result: *mut StartToolResult), |call| {
        current::current();
        connect::connect(result);
    }

    /// `ompt_libomp_connect`: LLVM's own offload runtime, where it lies over this library, asks for the tool's
    /// callbacks.
    pub fn ompt_libomp_connect(result: *mut StartToolResult), |call| {
        current::current();
        connect::connect_offload_runtime(result);
    }

    /// `__tgt_register_rpc_callback`: a function that serves what the code of GPUs asks of the host by LLVM's remote
    /// procedure calls. Each program that flang 23 has linked registers one. Code for host devices calls the host's
    /// functions themselves, so that nobody asks; code for NVIDIA devices that would is told of when it is loaded
    /// (`device/cuda/module.rs`).
    pub fn __tgt_register_rpc_callback(callback: *const c_void), |call| {}
}

/// To standard output, as LLVM's runtime does.
fn print(text: &str) {
    let text = format!("{text}\0");
    // SAFETY: strings; standard output is the C library's.
    unsafe { libc::printf(c"%s".as_ptr(), text.as_ptr().cast::<c_char>()) };
}

wide_entry_point! {
    /// `__tgt_activate_record_replay`: records kernels with the device's memory, for the replay by LLVM's tools. There
    /// is no such recorder here, so that it fails and says so.
    pub fn __tgt_activate_record_replay(
        device: i64,
        bytes: u64,
        address: *const c_void,
        is_record: bool,
        save_output: bool,
        offset: *mut u64,
    ) -> c_int, |call| {
        stderr::write_stderr("ferromp: kernels are neither recorded nor replayed: there is no __tgt_activate_record_replay here\n");
        NOT_OFFLOADED
    }

    /// `__tgt_target_kernel_replay`: executes a kernel of such a record. There is none, so that it fails and says so.
    pub fn __tgt_target_kernel_replay(
        loc: *const Ident,
        device: i64,
        id: *const c_void,
        memory: *const c_void,
        bytes: i64,
        arguments: *const *const c_void,
        offsets: *const isize,
        count: i32,
        num_teams: i32,
        thread_limit: i32,
        trip_count: u64,
    ) -> c_int, |call| {
        stderr::write_stderr("ferromp: kernels are neither recorded nor replayed: __tgt_target_kernel_replay has nothing to replay\n");
        NOT_OFFLOADED
    }
}
