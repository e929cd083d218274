//! The program's `errno`, which the recorder must not change.

/// Restores `errno` when dropped. An event may come between a program's system call and the program's check of `errno`.
pub struct KeepErrno(i32);

impl KeepErrno {
    /// Keeps what `errno` is now.
    pub fn new() -> KeepErrno {
        // SAFETY: the location is the calling thread's own.
        KeepErrno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for KeepErrno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
