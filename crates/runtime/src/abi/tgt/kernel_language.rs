//! What clang makes of kernel launches in CUDA and HIP programs that are compiled for LLVM's offload runtime
//! (`-foffload-via-llvm`). Their kernels are for GPUs, and are launched by a library of LLVM's own.

use crate::abi::wide_entry_point;
use crate::objects::call_configuration::{CallConfiguration, Dimensions};
use crate::objects::current;
use crate::stderr;
use std::ffi::{c_uint, c_void};

/// `cudaErrorNotSupported`
const NOT_SUPPORTED: c_uint = 801;

wide_entry_point! {
    /// `__llvmPushCallConfiguration`: the thread's next launch has this configuration. 0.
    pub fn __llvmPushCallConfiguration(grid: Dimensions, block: Dimensions, memory: usize, stream: *mut c_void)
        -> c_uint, |call| {
        let configuration = CallConfiguration { grid, block, memory, stream: stream.addr() };
        current::current().call_configuration.set(configuration);
        0
    }

    /// `__llvmPopCallConfiguration`: what was pushed last. 0.
    pub fn __llvmPopCallConfiguration(
        grid: *mut Dimensions,
        block: *mut Dimensions,
        memory: *mut usize,
        stream: *mut usize,
    ) -> c_uint, |call| {
        let configuration = current::current().call_configuration.get();
        *grid = configuration.grid;
        *block = configuration.block;
        *memory = configuration.memory;
        *stream = configuration.stream;
        0
    }
}

wide_entry_point! {
    /// `llvmLaunchKernel`: launches a kernel of such a program. That takes LLVM's own library, so that it fails and
    /// says so.
    pub fn llvmLaunchKernel(
        function: *const c_void,
        grid: Dimensions,
        block: Dimensions,
        arguments: *mut c_void,
        memory: usize,
        stream: *mut c_void,
    ) -> c_uint, |call| {
        stderr::write_stderr(
            "ferromp: llvmLaunchKernel: kernels of CUDA and HIP programs need LLVM's own offload library; the kernel is not executed\n",
        );
        NOT_SUPPORTED
    }
}
