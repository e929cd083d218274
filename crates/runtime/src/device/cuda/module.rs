//! Images that an NVIDIA device has loaded: their kernels, what LLVM's device runtime in them needs to know, and the
//! code that runs when images come and go (OpenMP 5.1 §2.14.7).

use super::device::Gpu;
use super::kernel::Kernel;
use crate::park::mutex::Mutex;
use crate::{device_numbers, warnings};
use cuda_driver::image::Image;
use cuda_driver::notes::{Environment, environments, numbered};
use cuda_driver::{self as api, Address, Api, Code, Fault, Function};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_void};

/// The variable by which LLVM's device runtime knows its device. In images of older compilers, the variable has the
/// first fields alone.
const DEVICE_ENVIRONMENT: &CStr = c"__omp_rtl_device_environment";
/// A variable of code that uses LLVM's remote procedure calls to the host.
const REMOTE_CALLS: &CStr = c"__llvm_rpc_client";

/// LLVM's `DeviceEnvironmentTy`.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceEnvironment {
    debug: u32,
    devices: u32,
    number: u32,
    dynamic_memory: u32,
    /// Ticks in a second of the clock that `omp_get_wtime` reads on the device.
    frequency: u64,
    /// The table of functions that are called by the host's pointers: pairs of addresses, sorted.
    functions: Address,
    function_count: u64,
    /// Warps that can run at once.
    warps: u64,
}

/// A kernel that calls the image's constructors or destructors.
struct Hooks {
    kernel: &'static CStr,
    /// The variables where the kernel looks for the list of functions.
    start: &'static CStr,
    end: &'static CStr,
    /// What the names of the pointers to the functions begin with.
    prefix: &'static [u8],
}

const CONSTRUCTORS: Hooks = Hooks {
    kernel: c"nvptx$device$init",
    start: c"__init_array_start",
    end: c"__init_array_end",
    prefix: b"__init_array_object_",
};
const DESTRUCTORS: Hooks = Hooks {
    kernel: c"nvptx$device$fini",
    start: c"__fini_array_start",
    end: c"__fini_array_end",
    prefix: b"__fini_array_object_",
};

/// An image on a device.
pub struct Loaded {
    code: Code,
    environments: BTreeMap<Vec<u8>, Environment>,
    /// The pointers to destructors, in the order of the calls.
    destructors: Vec<CString>,
    /// The table of functions that are called by the host's pointers: its address on the device, and its size in bytes;
    /// 0 without such functions.
    functions: Mutex<(Address, usize)>,
}

// Callers of all functions have entered the device's context.
impl Loaded {
    /// Loads an image, and runs its constructors.
    pub fn new(gpu: &Gpu, bytes: &[u8]) -> Result<Self, String> {
        let image = Image::new(bytes).ok_or("it is no image for NVIDIA devices")?;
        let loaded = Loaded {
            code: load(gpu.api, bytes)?,
            environments: environments(image),
            destructors: numbered(image, DESTRUCTORS.prefix),
            functions: Mutex::new((0, 0)),
        };
        if loaded.global(gpu, REMOTE_CALLS).is_ok() {
            warnings::warn(&format!(
                "ferromp: code for device {} has LLVM's remote procedure calls (its C library's printf, for one), which nothing here answers\n",
                gpu.number()
            ));
        }
        let ready = loaded
            .write_environment(gpu, (0, 0))
            .and_then(|()| loaded.call(gpu, &CONSTRUCTORS, &numbered(image, CONSTRUCTORS.prefix)));
        if let Err(fault) = ready {
            // SAFETY: no kernel of the image is under way.
            let _ = unsafe { gpu.api.module_unload(loaded.code) };
            return Err(fault.to_string());
        }
        Ok(loaded)
    }

    /// Runs the image's destructors, and unloads the image. No kernel of the image is under way.
    pub fn unload(&self, gpu: &Gpu) -> Result<(), Fault> {
        let called = self.call(gpu, &DESTRUCTORS, &self.destructors);
        let (list, bytes) = self.functions.with(std::mem::take);
        // SAFETY: no kernel of the image is under way. The table is from `write_functions`.
        unsafe {
            if list != 0 {
                gpu.free(list, bytes);
            }
            called.and(gpu.api.module_unload(self.code))
        }
    }

    /// The address and the size of a variable.
    pub fn global(&self, gpu: &Gpu, name: &CStr) -> Result<(Address, usize), Fault> {
        let mut bytes = 0;
        // SAFETY: writes the size; the name is a string.
        let address = unsafe { gpu.api.module_global(&raw mut bytes, self.code, name.as_ptr())? };
        Ok((address, bytes))
    }

    /// A kernel.
    pub fn kernel(&self, gpu: &Gpu, name: &CStr) -> Result<&'static Kernel, Fault> {
        let function = self.function(gpu, name)?;
        // SAFETY: the function is one of the loaded image.
        let threads = unsafe { gpu.api.function_attribute(api::MAX_THREADS, function)? };
        Ok(Box::leak(Box::new(Kernel {
            function,
            name: name.to_owned(),
            environment: self.environments.get(name.to_bytes()).copied().unwrap_or_default(),
            most_threads: u32::try_from(threads).unwrap_or(0),
        })))
    }

    fn function(&self, gpu: &Gpu, name: &CStr) -> Result<Function, Fault> {
        // SAFETY: the name is a string.
        unsafe { gpu.api.module_function(self.code, name.as_ptr()) }
    }

    /// Notes functions that are called by the host's pointers, for the device runtime.
    pub fn write_functions(&self, gpu: &Gpu, functions: &[(usize, Address)]) -> Result<(), Fault> {
        let mut sorted = functions.to_vec();
        sorted.sort_unstable();
        let bytes = size_of_val(sorted.as_slice());
        let list = gpu.allocate(bytes)?;
        self.functions.with(|functions| *functions = (list, bytes));
        // SAFETY: both have this size.
        unsafe { gpu.copy_to(list, sorted.as_ptr().cast(), bytes)? };
        self.write_environment(gpu, (list, sorted.len()))
    }

    /// Describes the device for the device runtime, and the table of functions that are called by the host's pointers.
    fn write_environment(&self, gpu: &Gpu, functions: (Address, usize)) -> Result<(), Fault> {
        let (address, bytes) = match self.global(gpu, DEVICE_ENVIRONMENT) {
            Err(fault) if fault.is_not_found() => return Ok(()),
            found => found?,
        };
        let limits = gpu.limits();
        let environment = DeviceEnvironment {
            debug: 0,
            devices: device_numbers::known().unsigned_abs(),
            number: gpu.number().unsigned_abs(),
            dynamic_memory: 0,
            frequency: 1_000_000_000,
            functions: functions.0,
            function_count: functions.1 as u64,
            warps: u64::from(limits.processors) * u64::from(limits.threads_of_processor / limits.warp.max(1)),
        };
        let from = (&raw const environment).cast();
        // SAFETY: neither side is smaller.
        unsafe { gpu.copy_to(address, from, bytes.min(size_of_val(&environment))) }
    }

    /// Calls the functions that the variables `pointers` point to.
    fn call(&self, gpu: &Gpu, hooks: &Hooks, pointers: &[CString]) -> Result<(), Fault> {
        if pointers.is_empty() {
            return Ok(());
        }
        let kernel = self.function(gpu, hooks.kernel)?;
        let word = size_of::<Address>();
        let mut functions: Vec<Address> = vec![0; pointers.len()];
        for (name, function) in pointers.iter().zip(&mut functions) {
            let (from, _) = self.global(gpu, name)?;
            let to = std::ptr::from_mut(function).cast();
            // SAFETY: the variable is a pointer.
            gpu.alone(|queue| unsafe { gpu.api.copy_from(to, from, word, queue) })?;
        }
        let bytes = size_of_val(functions.as_slice());
        let list = gpu.allocate(bytes)?;
        // SAFETY: list and functions have the same size; the bounds are pointers; the kernel takes no arguments.
        let run = || unsafe {
            gpu.copy_to(list, functions.as_ptr().cast(), bytes)?;
            for (name, bound) in [(hooks.start, list), (hooks.end, list + bytes)] {
                gpu.copy_to(self.global(gpu, name)?.0, (&raw const bound).cast(), word)?;
            }
            let none = std::ptr::null_mut();
            gpu.alone(|queue| gpu.api.launch(kernel, 1, 1, 1, 1, 1, 1, 0, queue, none, none))
        };
        let done = run();
        // SAFETY: `run` has waited for all uses of the list.
        unsafe { gpu.free(list, bytes) };
        done
    }
}

/// Loads an image. If the driver refuses the image, the error has the driver's own words.
fn load(api: &Api, bytes: &[u8]) -> Result<Code, String> {
    const LOG: usize = 2048;
    let mut log = vec![0_u8; LOG];
    let mut options = [api::ERROR_LOG, api::ERROR_LOG_BYTES];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG as *mut c_void];
    // SAFETY: the image is whole, and the log has the size in the options.
    let done = unsafe { api.module_load(bytes.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr()) };
    done.map_err(|fault| {
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(LOG);
        let words = String::from_utf8_lossy(&log[..end]).split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() { fault.to_string() } else { format!("{fault}: {words}") }
    })
}
