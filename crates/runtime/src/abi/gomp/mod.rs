//! The ABI of gcc and gfortran: `GOMP_*`. The signatures are those of libgomp's `libgomp_g.h`.

pub mod doacross;
pub mod error;
pub mod interop;
pub mod libomp;
pub mod memory;
pub mod parallel;
pub mod sync;
pub mod target;
pub mod task;
pub mod task_reduction;
pub mod teams;
pub mod work;

/// Ends the program where its compiler passes flags of which the runtime does not know the meaning.
fn check_flags(flags: u32, known: u32, what: &str) {
    if flags & !known != 0 {
        refuse_flags(flags & !known, what);
    }
}

#[cold]
fn refuse_flags(flags: u32, what: &str) -> ! {
    crate::stderr::abort(format_args!(
        "{what}: flags {flags:#x} are not known: the compiler is newer than this runtime"
    ))
}
