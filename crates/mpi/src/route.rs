//! Where an entry point goes on to. Most go on to the function that records the call. A program may have a function of
//! its own under a name of Fortran's, such as a helper in C that is called `mpi_send_`. This library, which is
//! preloaded, then takes the calls of that function over, and hands them on with all arguments as they are.

use crate::arch;
use crate::library::{self, Symbol};
use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The way of an entry point.
#[repr(C)]
pub struct Route {
    /// The function that the entry point goes on to; first, so that the entry point finds the address.
    target: AtomicPtr<()>,
    /// The function that records the call.
    recording: *const (),
    /// MPI's own function.
    real: &'static Symbol,
    /// The name of the entry point.
    name: &'static CStr,
}

// SAFETY: the pointer is the address of a function.
unsafe impl Sync for Route {}

impl Route {
    /// The way of the entry point `name` to a function that records the call of MPI's function `real`.
    pub const fn new(recording: *const (), real: &'static Symbol, name: &'static CStr) -> Route {
        Route { target: AtomicPtr::new(first_call as *const () as *mut ()), recording, real, name }
    }
}

/// The target of a route until the first call has chosen another one.
// SAFETY: the body is assembly that keeps all arguments.
#[unsafe(naked)]
unsafe extern "C" fn first_call() {
    arch::first_call!(choose)
}

/// Chooses the target of a route. The program ends if nobody has a function of this name, as the program would without
/// this library.
extern "C" fn choose(route: &Route) -> *const () {
    let target = match route.real.find() {
        Some(_) => route.recording,
        None => library::behind(route.name).unwrap_or_else(|| route.real.missing()) as *const (),
    };
    route.target.store(target.cast_mut(), Ordering::Relaxed);
    target
}
