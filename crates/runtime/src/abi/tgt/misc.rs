//! Information about devices and mappings, and entry points for LLVM's own tools.

use super::NOT_OFFLOADED;
use crate::abi::routines;
use crate::device::{self, map::info};
use crate::objects::current;
use crate::stderr;
use crate::tool::connect;
use ::ompt::StartToolResult;
use std::ffi::{c_char, c_int, c_void};

routines! {
    /// `__tgt_set_info_flag`: sets the kinds of information that are displayed from now on. The first setting is that
    /// of `LIBOMPTARGET_INFO`.
    pub fn __tgt_set_info_flag(level: u32) {
        info::set_level(level);
    }

    /// `__tgt_print_device_info`: prints what is known of a device. 0 if there is no such device.
    pub fn __tgt_print_device_info(device: i64) -> c_int {
        current::current();
        let Some(device) = i32::try_from(device).ok().and_then(device::find) else { return 0 };
        print(&info::describe(device));
        1
    }

    /// `__tgt_target_nowait_query`: checks whether the operations of a target task are complete, by the handle from
    /// `__kmpc_omp_get_target_async_handle_ptr`. This runtime's target tasks complete without such checks, so the call
    /// does nothing with a handle.
    pub fn __tgt_target_nowait_query(handle: *mut *mut c_void) {
        if handle.is_null() || (*handle).is_null() {
            stderr::terminate("ferromp: __tgt_target_nowait_query was called without a handle; the program ends\n");
        }
    }

    /// `ompt_libomptarget_connect`: gives a plug-in the tool's callbacks.
    pub fn ompt_libomptarget_connect(result: *mut StartToolResult) {
        current::current();
        connect::connect(result, 0);
    }

    /// `ompt_libomp_connect`: gives LLVM's own offload runtime, where a program uses that above this library, the
    /// tool's callbacks.
    pub fn ompt_libomp_connect(result: *mut StartToolResult) {
        current::current();
        connect::connect(result, -1);
    }

    /// `__tgt_register_rpc_callback`: registers a function for LLVM's remote procedure calls, by which the code of GPUs
    /// calls the host. Each program that flang 23 has linked registers one. Code for host devices calls the host's
    /// functions directly. Code for NVIDIA devices that needs such calls is reported when it is loaded
    /// (`device/cuda/module.rs`).
    pub fn __tgt_register_rpc_callback(callback: *const c_void) {}

    /// `__tgt_activate_record_replay`: records kernels with the device's memory, for the replay by LLVM's tools. This
    /// runtime has no such recorder: the call fails and says so, whatever its arguments.
    pub fn __tgt_activate_record_replay() -> c_int {
        refuse_replay("there is no __tgt_activate_record_replay here")
    }

    /// `__tgt_target_kernel_replay`: executes a kernel of such a record. The call fails and says so, whatever its
    /// arguments.
    pub fn __tgt_target_kernel_replay() -> c_int {
        refuse_replay("__tgt_target_kernel_replay has nothing to replay")
    }
}

/// Says why an entry point of LLVM's recorder of kernels fails.
fn refuse_replay(why: &str) -> c_int {
    stderr::write_stderr(&format!("ferromp: kernels are neither recorded nor replayed: {why}\n"));
    NOT_OFFLOADED
}

/// To standard output, as LLVM's runtime does.
fn print(text: &str) {
    let text = format!("{text}\0");
    // SAFETY: strings; standard output is the C library's.
    unsafe { libc::printf(c"%s".as_ptr(), text.as_ptr().cast::<c_char>()) };
}
