//! Whether a thread sanitizer, LLVM's or gcc's, looks for races in the program. The sanitizer sees the program's
//! accesses and not this library's. A tool such as Archer explains OpenMP's synchronisation to the sanitizer. OMPT
//! reports all of it (OpenMP 5.1 §4.5.2) but one thing: that memory of the runtime, which one task has used, serves
//! another task.

use crate::model::atomic::{AtomicBool, Ordering};

/// Written when a tool is activated, before the first task.
static DETECTED: AtomicBool = AtomicBool::new(false);

/// Looks for a thread sanitizer. Called when a tool is activated.
pub(crate) fn look() {
    DETECTED.store(is_here(), Ordering::Relaxed);
}

/// Whether a thread sanitizer is in the process.
pub(crate) fn is_here() -> bool {
    // SAFETY: looks a name up in the process's global scope.
    unsafe { !libc::dlsym(libc::RTLD_DEFAULT, c"__tsan_init".as_ptr()).is_null() }
}

/// Whether there are a tool and a thread sanitizer. Memory that the program's code uses must come from the heap then
/// each time: the sanitizer would take the reuse of a block for a race.
pub fn races_are_checked() -> bool {
    DETECTED.load(Ordering::Relaxed)
}
