//! Whether a race detector watches the program: LLVM's or gcc's thread sanitizer, which sees what the program does but
//! not this library, and a tool such as Archer that tells it of OpenMP's synchronisation (OpenMP 5.1 §4.5.2 gives that
//! tool all it needs but for one thing: that memory of the runtime which the program has used serves another task).

use crate::model::atomic::{AtomicBool, Ordering};

/// Written when a tool is activated, before the first task.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// A tool has been activated: looks for a thread sanitizer.
pub(crate) fn look() {
    WATCHED.store(is_here(), Ordering::Relaxed);
}

/// Whether a thread sanitizer is in the process.
pub(crate) fn is_here() -> bool {
    // SAFETY: looks a name up in the process's global scope.
    unsafe { !libc::dlsym(libc::RTLD_DEFAULT, c"__tsan_init".as_ptr()).is_null() }
}

/// Whether there is a tool and a thread sanitizer, so that memory which the program's code uses has to come from the
/// heap each time.
pub fn races_are_checked() -> bool {
    WATCHED.load(Ordering::Relaxed)
}
