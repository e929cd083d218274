//! Kernel launches of CUDA and HIP programs that clang compiles for LLVM's offload runtime (`-foffload-via-llvm`).
//! Their kernels are for GPUs. A library of LLVM's own launches them.

use crate::abi::routines;
use crate::objects::call_configuration::{CallConfiguration, Dimensions};
use crate::objects::current;
use crate::stderr;
use std::ffi::{c_uint, c_void};

/// `cudaErrorNotSupported`
const NOT_SUPPORTED: c_uint = 801;

routines! {
    /// `__llvmPushCallConfiguration`: the thread's next launch has this configuration. 0.
    pub fn __llvmPushCallConfiguration(grid: Dimensions, block: Dimensions, memory: usize,
        stream: *mut c_void) -> c_uint {
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
    ) -> c_uint {
        let configuration = current::current().call_configuration.get();
        *grid = configuration.grid;
        *block = configuration.block;
        *memory = configuration.memory;
        *stream = configuration.stream;
        0
    }

    /// `llvmLaunchKernel`: launches a kernel of such a program. Only LLVM's own library can: the call fails and says
    /// so, whatever its arguments.
    pub fn llvmLaunchKernel() -> c_uint {
        stderr::write_stderr(
            "ferromp: llvmLaunchKernel: kernels of CUDA and HIP programs need LLVM's own offload library; \
             the kernel is not executed\n",
        );
        NOT_SUPPORTED
    }
}
