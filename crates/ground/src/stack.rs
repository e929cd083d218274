//! Creating threads, with stacks as large as `OMP_STACKSIZE` asks for.

use crate::arch;
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::warn_once;

/// Bytes of stack that workers get which are yet to be created; 0 for the system's default.
pub static STACK_SIZE: AtomicUsize = AtomicUsize::new(0);

/// Bytes of stack that workers get (`kmp_get_stacksize`).
pub fn stack_size() -> usize {
    match STACK_SIZE.load(Ordering::Relaxed) {
        0 => SYSTEM_STACK_SIZE.load(Ordering::Relaxed),
        bytes => bytes,
    }
}

/// Bytes of stack that the system gives a thread by default.
pub static SYSTEM_STACK_SIZE: AtomicUsize = AtomicUsize::new(0);

/// Asks the C library for the size of its stacks. When the library is loaded: the answer takes a lock, which the thread
/// may hold that brings the runtime up in a signal handler.
pub fn at_load() {
    let mut bytes = 0;
    // SAFETY: plain use of pthread attributes: initialised, read, destroyed.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        libc::pthread_attr_getstacksize(&attributes, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
    }
    SYSTEM_STACK_SIZE.store(bytes, Ordering::Relaxed);
}

/// Creates a thread with a stack as large as workers' are; the system's error where it cannot.
///
/// # Safety
/// `function` may be called with `argument` on another thread.
pub unsafe fn create(
    function: extern "C" fn(*mut std::ffi::c_void) -> *mut std::ffi::c_void,
    argument: *mut std::ffi::c_void,
) -> Result<libc::pthread_t, i32> {
    // SAFETY: plain use of pthread attributes and pthread_create; the argument is the caller's.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        let size = STACK_SIZE.load(Ordering::Relaxed);
        if size != 0 {
            let size = size.max(libc::PTHREAD_STACK_MIN);
            let whole = size.checked_next_multiple_of(arch::PAGE).unwrap_or(size);
            if libc::pthread_attr_setstacksize(&mut attributes, whole) != 0 {
                warn_once!("OMP_STACKSIZE: cannot give threads {size} bytes of stack; using the system's default");
            }
        }
        let mut id: libc::pthread_t = 0;
        let error = libc::pthread_create(&mut id, &attributes, function, argument);
        libc::pthread_attr_destroy(&mut attributes);
        if error == 0 { Ok(id) } else { Err(error) }
    }
}
