//! The life of a tool: `ompt_start_tool`, the initialiser, the finaliser, the static that holds the tool, and panics in
//! its methods. OpenMP 5.1, sections 4.2.1 and 4.5.1.

use crate::entry_points::Runtime;
use crate::hosted::AbortOnUnwind;
pub use crate::hosted::{Hosted, Instance};
pub use crate::implemented::Implemented;
use crate::{Init, Tool, dispatch};
use ompt::{Data, FunctionLookup, SetCallback, StartToolResult};
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::io::Write;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// One line for a panic, with the tool's name.
fn report_panics<T: Tool>() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("(no message)");
        let (file, line) = info.location().map_or(("?", 0), |at| (at.file(), at.line()));
        let _ = writeln!(std::io::stderr(), "ferromp: tool {} panicked at {file}:{line}: {message}", T::NAME);
    }));
}

/// Answers `ompt_start_tool` for tool `T`.
///
/// # Safety
/// Called by an OpenMP runtime with the arguments of `ompt_start_tool`.
pub unsafe fn start<T: Hosted>(omp_version: c_uint, runtime_version: *const c_char) -> *mut StartToolResult {
    let guard = AbortOnUnwind;
    let version = if runtime_version.is_null() {
        String::new()
    } else {
        // SAFETY: the runtime passes a C string.
        unsafe { CStr::from_ptr(runtime_version) }.to_string_lossy().into_owned()
    };
    let instance = T::instance();
    instance.omp_version.store(omp_version, Ordering::Relaxed);
    *instance.runtime_version.lock().unwrap_or_else(PoisonError::into_inner) = version;
    // Leaked on purpose: the runtime keeps the pointer until its end. Two runtimes in one process
    // get one each.
    let result = Box::leak(Box::new(StartToolResult {
        initialize: Some(initialize::<T>),
        finalize: Some(finalize::<T>),
        tool_data: Data::NONE,
    }));
    std::mem::forget(guard);
    result
}

unsafe extern "C" fn initialize<T: Hosted>(
    lookup: FunctionLookup,
    initial_device_num: c_int,
    _tool_data: *mut Data,
) -> c_int {
    let guard = AbortOnUnwind;
    // SAFETY: `lookup` is the runtime's, by the specification of the initialiser.
    let started = unsafe { try_initialize::<T>(lookup, initial_device_num) };
    if let Err(reason) = &started {
        let _ = writeln!(std::io::stderr(), "ferromp: tool {} stays inactive: {reason}", T::NAME);
    }
    std::mem::forget(guard);
    c_int::from(started.is_ok())
}

/// # Safety
/// `lookup` is a runtime's lookup function.
unsafe fn try_initialize<T: Hosted>(lookup: FunctionLookup, initial_device_num: c_int) -> Result<(), String> {
    // SAFETY: asks for the entry point by its name.
    let set_callback =
        unsafe { lookup(c"ompt_set_callback".as_ptr()) }.ok_or("the runtime has no ompt_set_callback")?;
    // SAFETY: the entry point of this name has this type.
    let set_callback = unsafe { std::mem::transmute::<unsafe extern "C" fn(), SetCallback>(set_callback) };
    let instance = T::instance();
    if instance.taken.swap(true, Ordering::Relaxed) {
        return Err("it already serves another OpenMP runtime in this process".into());
    }
    report_panics::<T>();
    let init = Init {
        // SAFETY: the caller says that `lookup` is a runtime's.
        runtime: unsafe { Runtime::look_up(lookup) },
        omp_version: instance.omp_version.load(Ordering::Relaxed),
        runtime_version: instance.runtime_version.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        initial_device_num,
    };
    let tool = T::initialize(&init)?;
    // SAFETY: `taken` makes this the only write, and nothing reads before a callback is registered.
    unsafe { (*instance.tool.get()).write(tool) };
    instance.ready.store(true, Ordering::Release);
    // SAFETY: the tool is in place now.
    unsafe { dispatch::register::<T>(set_callback) };
    Ok(())
}

unsafe extern "C" fn finalize<T: Hosted>(_tool_data: *mut Data) {
    let guard = AbortOnUnwind;
    // SAFETY: the runtime calls it only if the initialiser returned other than 0.
    unsafe { T::instance().get() }.finalize();
    std::mem::forget(guard);
}

/// Exports a [`Tool`](crate::Tool) from the library that has it: defines `ompt_start_tool`, which OpenMP
/// runtimes look for. Written by [`#[tool]`](crate::tool).
#[doc(hidden)]
#[macro_export]
macro_rules! export {
    ($tool:ty) => {
        const _: () = {
            static INSTANCE: $crate::start::Instance<$tool> = $crate::start::Instance::new();

            impl $crate::start::Hosted for $tool {
                fn instance() -> &'static $crate::start::Instance<Self> {
                    &INSTANCE
                }
            }

            // SAFETY: the OpenMP specification gives this name and this signature to the function that starts tools.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn ompt_start_tool(
                omp_version: ::core::ffi::c_uint,
                runtime_version: *const ::core::ffi::c_char,
            ) -> *mut $crate::ompt::StartToolResult {
                // SAFETY: called by a runtime, which passes what the specification says.
                unsafe { $crate::start::start::<$tool>(omp_version, runtime_version) }
            }
        };
    };
}
