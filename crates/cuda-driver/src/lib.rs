//! The CUDA driver's own interface: the functions that ferromp calls, found in `libcuda.so.1` at the first use, and the
//! driver's errors. [`image`] reads the images that programs bring for NVIDIA devices, [`notes`] what compilers note in
//! images.
//!
//! Names and numbers are those of CUDA's `cuda.h`. The symbols that end in `_v2` are the ones that its macros choose.
//! The crate knows nothing of OpenMP.

pub mod image;
pub mod notes;

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// `CUresult`
pub type Status = c_int;
/// `CUdevice`
pub type Ordinal = c_int;
/// `CUcontext`, `CUmodule`, `CUfunction`, `CUstream` and `CUevent`: pointers of the driver's; 0 is none.
pub type Context = usize;
pub type Code = usize;
pub type Function = usize;
pub type Queue = usize;
pub type Event = usize;
/// `CUdeviceptr`
pub type Address = usize;

const SUCCESS: Status = 0;
pub const OUT_OF_MEMORY: Status = 2;
const DEINITIALIZED: Status = 4;
const NOT_READY: Status = 600;
const NOT_FOUND: Status = 500;

/// `CUdevice_attribute`
pub mod attribute {
    use std::ffi::c_int;
    pub const MAX_BLOCK_DIM_X: c_int = 2;
    pub const MAX_GRID_DIM_X: c_int = 5;
    pub const WARP_SIZE: c_int = 10;
    pub const MULTIPROCESSOR_COUNT: c_int = 16;
    pub const COMPUTE_MODE: c_int = 20;
    pub const MAX_THREADS_PER_MULTIPROCESSOR: c_int = 39;
    pub const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
    pub const COMPUTE_CAPABILITY_MINOR: c_int = 76;
    pub const PAGEABLE_MEMORY_ACCESS: c_int = 88;
    pub const CONCURRENT_MANAGED_ACCESS: c_int = 89;
    pub const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_int = 97;
}

/// `CU_COMPUTEMODE_PROHIBITED`
pub const PROHIBITED: c_int = 2;
/// `CU_CTX_SCHED_SPIN`: threads that wait for the device do not sleep, except for an event that says otherwise.
pub const SPINNING: c_uint = 1;
/// `CU_LIMIT_STACK_SIZE`: bytes of each thread's stack.
pub const STACK: c_int = 0;
/// `CU_LIMIT_MALLOC_HEAP_SIZE`: bytes of the heap that kernels share.
pub const HEAP: c_int = 2;
/// `CU_STREAM_NON_BLOCKING`: the stream does not wait for what the program does on the default stream.
pub const NON_BLOCKING: c_uint = 1;
/// `CU_EVENT_BLOCKING_SYNC`, with the time.
pub const TIMED: c_uint = 1;
/// The same, with `CU_EVENT_DISABLE_TIMING`.
pub const UNTIMED: c_uint = 3;
/// `CU_MEM_ATTACH_GLOBAL`
pub const ATTACH_GLOBAL: c_uint = 1;
/// `CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK`
pub const MAX_THREADS: c_int = 0;
/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
pub const DYNAMIC_MEMORY: c_int = 8;
/// `CU_JIT_ERROR_LOG_BUFFER`, and how many bytes it has.
pub const ERROR_LOG: c_int = 5;
pub const ERROR_LOG_BYTES: c_int = 6;
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE`, `CU_LAUNCH_PARAM_END`
pub const ARGUMENTS: usize = 1;
pub const ARGUMENTS_BYTES: usize = 2;
pub const ARGUMENTS_END: usize = 0;

/// `CUstreamCallback`
pub type Callback = unsafe extern "C" fn(Queue, Status, *mut c_void);

/// A call that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    pub call: &'static str,
    pub status: Status,
}

impl Fault {
    fn check(call: &'static str, status: Status) -> Result<(), Fault> {
        if status == SUCCESS { Ok(()) } else { Err(Fault { call, status }) }
    }

    /// Whether the device is lost: each later call fails in the same way.
    pub fn is_final(self) -> bool {
        // Errors of memory and links, of kernels, and the end of the driver.
        matches!(self.status, DEINITIALIZED | 214 | 220 | 700 | 702 | 709 | 710 | 714..=719 | 721)
    }

    pub fn is_not_found(self) -> bool {
        self.status == NOT_FOUND
    }

    pub fn is_not_ready(self) -> bool {
        self.status == NOT_READY
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Fault { call, status } = *self;
        match LOADED.get().and_then(|loaded| loaded.as_ref().ok()) {
            Some(api) => write!(f, "{call}: {}", api.describe(status)),
            None => write!(f, "{call}: error {status}"),
        }
    }
}

/// Makes [`Api`] and its methods from a table of the driver's functions. Where a row has a result, the driver's
/// function writes the result through its first argument.
macro_rules! functions {
    ($($(#[$documentation:meta])* $name:ident $symbol:literal
        ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The driver, with all functions that are needed.
        pub struct Api {
            $($name: unsafe extern "C" fn($(*mut $result,)? $($type),*) -> Status,)*
        }

        #[expect(clippy::too_many_arguments, reason = "the driver's functions have as many")]
        #[expect(unused_parens, reason = "without a result the type is `()`")]
        impl Api {
            /// # Safety
            /// The library is the CUDA driver's.
            unsafe fn find(library: *mut c_void) -> Result<Self, String> {
                // SAFETY: the driver's functions have these types, by its header.
                unsafe {
                    Ok(Api {
                        $($name: std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($(*mut $result,)? $($type),*) -> Status,
                        >(symbol(library, concat!($symbol, "\0"))?),)*
                    })
                }
            }

            $(
                $(#[$documentation])*
                ///
                /// # Safety
                /// As the driver's documentation says of its function.
                pub unsafe fn $name(&self $(, $argument: $type)*) -> Result<($($result)?), Fault> {
                    let result = Cell::<($($result)?)>::default();
                    // SAFETY: the caller's; the result is written through the first argument.
                    let status = unsafe {
                        (self.$name)($(result.as_ptr().cast::<$result>(),)? $($argument),*)
                    };
                    Fault::check($symbol, status).map(|()| result.into_inner())
                }
            )*
        }
    };
}

functions! {
    /// Makes the driver usable in this process.
    init "cuInit" (flags: c_uint);
    /// How many devices there are.
    device_count "cuDeviceGetCount" () -> c_int;
    /// A device by its number in the driver.
    device "cuDeviceGet" (number: c_int) -> Ordinal;
    device_name "cuDeviceGetName" (name: *mut c_char, bytes: c_int, device: Ordinal);
    /// The identifier by which every process knows the device.
    device_identifier "cuDeviceGetUuid" (device: Ordinal) -> [u8; 16];
    /// A property of a device.
    device_attribute "cuDeviceGetAttribute" (attribute: c_int, device: Ordinal) -> c_int;
    device_memory "cuDeviceTotalMem_v2" (device: Ordinal) -> usize;
    /// Whether the program uses the device's primary context already.
    context_state "cuDevicePrimaryCtxGetState" (device: Ordinal, flags: *mut c_uint, active: *mut c_int);
    context_flags "cuDevicePrimaryCtxSetFlags_v2" (device: Ordinal, flags: c_uint);
    context_retain "cuDevicePrimaryCtxRetain" (device: Ordinal) -> Context;
    context_release "cuDevicePrimaryCtxRelease_v2" (device: Ordinal);
    /// Makes a context the calling thread's current one, until it is popped.
    context_push "cuCtxPushCurrent_v2" (context: Context);
    context_pop "cuCtxPopCurrent_v2" () -> Context;
    /// Sets the bytes that the current context has for one of its purposes ([`STACK`], [`HEAP`]).
    context_limit "cuCtxSetLimit" (which: c_int, bytes: usize);
    module_load "cuModuleLoadDataEx"
        (image: *const c_void, count: c_uint, options: *mut c_int, values: *mut *mut c_void) -> Code;
    module_unload "cuModuleUnload" (module: Code);
    module_function "cuModuleGetFunction" (module: Code, name: *const c_char) -> Function;
    module_global "cuModuleGetGlobal_v2" (bytes: *mut usize, module: Code, name: *const c_char) -> Address;
    function_attribute "cuFuncGetAttribute" (attribute: c_int, function: Function) -> c_int;
    set_function_attribute "cuFuncSetAttribute" (function: Function, attribute: c_int, value: c_int);
    allocate "cuMemAlloc_v2" (bytes: usize) -> Address;
    free "cuMemFree_v2" (address: Address);
    allocate_host "cuMemAllocHost_v2" (bytes: usize) -> usize;
    free_host "cuMemFreeHost" (memory: *mut c_void);
    allocate_managed "cuMemAllocManaged" (bytes: usize, flags: c_uint) -> Address;
    copy_to "cuMemcpyHtoDAsync_v2" (to: Address, from: *const c_void, bytes: usize, queue: Queue);
    copy_from "cuMemcpyDtoHAsync_v2" (to: *mut c_void, from: Address, bytes: usize, queue: Queue);
    copy_within "cuMemcpyDtoDAsync_v2" (to: Address, from: Address, bytes: usize, queue: Queue);
    copy_between "cuMemcpyPeerAsync"
        (to: Address, to_context: Context, from: Address, from_context: Context, bytes: usize, queue: Queue);
    fill "cuMemsetD8Async" (to: Address, value: u8, bytes: usize, queue: Queue);
    stream_create "cuStreamCreate" (flags: c_uint) -> Queue;
    stream_synchronize "cuStreamSynchronize" (queue: Queue);
    stream_query "cuStreamQuery" (queue: Queue);
    stream_destroy "cuStreamDestroy_v2" (queue: Queue);
    stream_wait "cuStreamWaitEvent" (queue: Queue, event: Event, flags: c_uint);
    /// Calls a function on a thread of the driver, once all before it is complete; after an error on the device too.
    stream_callback "cuStreamAddCallback" (queue: Queue, callback: Callback, data: *mut c_void, flags: c_uint);
    event_create "cuEventCreate" (flags: c_uint) -> Event;
    event_record "cuEventRecord" (event: Event, queue: Queue);
    event_synchronize "cuEventSynchronize" (event: Event);
    /// Milliseconds between two events that are complete.
    event_elapsed "cuEventElapsedTime" (start: Event, end: Event) -> f32;
    event_destroy "cuEventDestroy_v2" (event: Event);
    launch "cuLaunchKernel"
        (function: Function, blocks_x: c_uint, blocks_y: c_uint, blocks_z: c_uint, threads_x: c_uint, threads_y: c_uint,
        threads_z: c_uint, shared: c_uint, queue: Queue, arguments: *mut *mut c_void, extra: *mut *mut c_void);
    error_name "cuGetErrorName" (status: Status, text: *mut *const c_char);
    error_text "cuGetErrorString" (status: Status, text: *mut *const c_char);
}

/// The driver, or the reason why there is none.
static LOADED: OnceLock<Result<Api, String>> = OnceLock::new();
/// Whether the process is a forked child of one that had initialised the driver: the driver does not work there.
static FORKED: AtomicBool = AtomicBool::new(false);

/// The driver, which the first call loads and initialises, or the reason why that is impossible.
pub fn api() -> Result<&'static Api, &'static str> {
    if FORKED.load(Ordering::Relaxed) {
        return Err("CUDA is of no use in a forked child of a process that has used it");
    }
    LOADED.get_or_init(load).as_ref().map_err(String::as_str)
}

/// The reason why there is no driver, if [`api`] has looked for it.
pub fn trouble() -> Option<&'static str> {
    LOADED.get().and_then(|loaded| loaded.as_ref().err()).map(String::as_str)
}

/// In a forked child.
pub fn after_fork() {
    if matches!(LOADED.get(), Some(Ok(_))) {
        FORKED.store(true, Ordering::Relaxed);
    }
}

#[cold]
fn load() -> Result<Api, String> {
    const LIBRARY: &CStr = c"libcuda.so.1";
    // SAFETY: the driver's library may be loaded at any time, and is never unloaded.
    let library = unsafe { libc::dlopen(LIBRARY.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        return Err(linker_says());
    }
    // SAFETY: the library is the driver's, by its name; 0 is the only value of the flags.
    unsafe {
        let api = Api::find(library)?;
        api.init(0).map_err(|fault| format!("libcuda.so.1: {}: {}", fault.call, api.describe(fault.status)))?;
        Ok(api)
    }
}

/// The reason why the last call of the dynamic linker failed.
fn linker_says() -> String {
    // SAFETY: null or a string that exists until this thread's next call of the dynamic linker.
    let text = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
    text.map_or(String::from("libcuda.so.1 cannot be loaded"), |text| text.to_string_lossy().into_owned())
}

/// # Safety
/// The handle is the dynamic linker's, the name ends with a zero byte.
unsafe fn symbol(library: *mut c_void, name: &str) -> Result<*mut c_void, String> {
    // SAFETY: the caller keeps to the `# Safety` section.
    let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
    if address.is_null() {
        return Err(format!("libcuda.so.1 has no {}: the driver is too old", name.trim_end_matches('\0')));
    }
    Ok(address)
}

impl Api {
    /// CUDA's own name and description of an error.
    fn describe(&self, status: Status) -> String {
        let mut texts: [*const c_char; 2] = [std::ptr::null(); 2];
        // SAFETY: each call writes null or a pointer to a string that lives for ever.
        let [name, meaning] = unsafe {
            let found = [self.error_name(status, &raw mut texts[0]), self.error_text(status, &raw mut texts[1])];
            let text =
                |index: usize| (found[index].is_ok() && !texts[index].is_null()).then(|| CStr::from_ptr(texts[index]));
            [text(0), text(1)].map(|text| text.map(CStr::to_string_lossy))
        };
        match (name, meaning) {
            (Some(name), Some(meaning)) => format!("{name} ({meaning})"),
            (Some(name), None) => name.into_owned(),
            _ => format!("error {status}"),
        }
    }

    /// Calls `body` with a context as the calling thread's current one. The one before is current again afterwards.
    pub fn within<R>(&self, context: Context, body: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
        // SAFETY: the context has been retained, or is 0, which the driver refuses.
        unsafe { self.context_push(context)? };
        let done = body();
        // SAFETY: pops what has been pushed. There is nothing to do about an error.
        let _ = unsafe { self.context_pop() };
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_device() {
        let fault = |status| Fault { call: "cuLaunchKernel", status };
        assert!([700, 719, 4].into_iter().all(|status| fault(status).is_final()));
        assert!([2, 1, 500, 600, 701, 999].into_iter().all(|status| !fault(status).is_final()));
        assert_eq!(Fault::check("cuInit", 0), Ok(()));
    }
}
