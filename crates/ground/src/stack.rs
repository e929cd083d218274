//! Stacks: creating threads with stacks as large as `OMP_STACKSIZE` asks for, and how much of a stack is in use.

use crate::arch;
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::warn_once;
use std::cell::Cell;
use std::hint::black_box;

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

/// The upper half of a thread's stack, which is the half that is used first. Only the thread itself uses the value.
#[derive(Default)]
pub struct UpperHalf {
    /// The address at which the half begins; 0 before the thread has asked the C library.
    from: Cell<usize>,
    /// The half's size; 0 if the stack is not known.
    bytes: Cell<usize>,
}

/// The most bytes of a stack that count as its upper half. Some stacks have no limit, a program may lower the limit of
/// its first thread's, and a task's own arrays need room below the chain that generated the task.
const MOST: usize = 512 << 10;

impl UpperHalf {
    /// Whether the caller runs in the upper half of its thread's stack. False if the stack is not known. False as well
    /// on other stacks, such as those of signal handlers and coroutines: their ends are not known. A stack that the
    /// program has made of an array in the upper half cannot be told from the thread's own.
    #[inline(never)]
    pub fn has_caller(&self) -> bool {
        let local = 0u8;
        let here = black_box(&raw const local) as usize;
        if self.from.get() == 0 {
            self.look();
        }
        here.wrapping_sub(self.from.get()) < self.bytes.get()
    }

    /// Another thread uses the value from now on.
    pub fn forget(&self) {
        self.from.set(0);
    }

    /// Asks the C library for the calling thread's stack. For a process's first thread, the C library reads a file of
    /// the system.
    #[cold]
    fn look(&self) {
        let (mut bottom, mut size) = (std::ptr::null_mut(), 0);
        // SAFETY: plain use of pthread attributes: filled in, read, destroyed.
        unsafe {
            let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
            if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) == 0 {
                libc::pthread_attr_getstack(&attributes, &mut bottom, &mut size);
                libc::pthread_attr_destroy(&mut attributes);
            }
        }
        let bytes = (size / 2).min(MOST);
        self.bytes.set(bytes);
        self.from.set((bottom as usize + size - bytes).max(1));
    }
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;

    #[inline(never)]
    fn with_bytes_below<const BYTES: usize>(half: &UpperHalf) -> bool {
        let room = [0u8; BYTES];
        black_box(&room);
        let is_upper = half.has_caller();
        black_box(&room);
        is_upper
    }

    #[test]
    fn the_lower_half_of_a_stack_is_found() {
        // Larger than the stacks of other tests' threads, which the C library may use again.
        let thread = std::thread::Builder::new().stack_size(16 << 20);
        let asks = || {
            let half = UpperHalf::default();
            let answers = (half.has_caller(), with_bytes_below::<{ 10 << 20 }>(&half));
            half.forget();
            (answers, half.has_caller())
        };
        assert_eq!(thread.spawn(asks).unwrap().join().unwrap(), ((true, false), true));
    }

    #[test]
    fn another_stack_is_not_the_threads() {
        let half = UpperHalf::default();
        assert!(half.has_caller());
        std::thread::scope(|scope| {
            struct Lent<'a>(&'a UpperHalf);
            // SAFETY: the other thread waits meanwhile, so that one thread at a time uses the value.
            unsafe impl Send for Lent<'_> {}
            let lent = Lent(&half);
            let asks = move || {
                let lent = lent;
                lent.0.has_caller()
            };
            assert!(!scope.spawn(asks).join().unwrap());
        });
    }
}
