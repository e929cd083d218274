//! The recorder, as far as it has made itself known. The recorder is a tool of the OpenMP runtime, which opens tools
//! for itself alone. The recorder therefore looks for this library and not the other way round.

use crate::library::Symbol;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The functions of a recorder. `crates/trace` has the same structure in `recorder/mpi.rs`; both belong to one release.
#[repr(C)]
pub struct Recorder {
    /// The calling thread begins the call with this number. The return address, the bytes, and the partner's rank or -1
    /// follow.
    pub begin: extern "C" fn(u64, u64, u64, i64),
    /// The calling thread ends the call with this number.
    pub end: extern "C" fn(u64),
    /// The time by the recording's clock, in nanoseconds.
    pub now: extern "C" fn() -> u64,
    /// The ranks have compared their clocks: by how much the process's is ahead of rank 0's, the error, both in
    /// nanoseconds, and how many different clocks there are.
    pub compared: extern "C" fn(i64, u64, u64),
}

/// The recorder that is attached; null if there is none.
static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// Whether the OpenMP runtime knows the thread.
    static KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// Hands over the functions of a recorder, which stay valid for ever; null ends the recording. Called by the recorder.
#[unsafe(no_mangle)]
pub extern "C" fn ferromp_mpi_attach(recorder: *mut Recorder) {
    RECORDER.store(recorder, Ordering::Release);
}

/// The recorder for a call of the calling thread, if there is one.
#[inline]
pub fn of_this_thread() -> Option<&'static Recorder> {
    if !KNOWN.replace(true) {
        introduce();
    }
    // SAFETY: null or what a recorder has handed over for ever.
    unsafe { RECORDER.load(Ordering::Acquire).as_ref() }
}

/// Makes the thread known to the OpenMP runtime by a routine of OpenMP. The first such thread has the runtime start the
/// recorder: `MPI_Init` usually comes before the first region. The thread's end is then reported as that of any thread
/// that uses OpenMP.
#[cold]
fn introduce() {
    static ROUTINE: Symbol = Symbol::named(c"omp_get_max_threads");
    if is_wanted()
        && let Some(routine) = ROUTINE.find()
    {
        // SAFETY: the routine of OpenMP, which takes nothing.
        let routine: extern "C" fn() -> c_int = unsafe { std::mem::transmute(routine) };
        routine();
    }
}

/// Whether the environment asks for the recorder. Otherwise a program that uses no OpenMP would start the runtime.
fn is_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| {
        let names = |variable| std::env::var_os(variable).is_some_and(|list| names_recorder(list.as_encoded_bytes()));
        names("FERROMP_TOOLS") || names("OMP_TOOL_LIBRARIES")
    })
}

fn names_recorder(list: &[u8]) -> bool {
    const NAME: &[u8] = b"libferromp-trace.so";
    list.windows(NAME.len()).any(|window| window == NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorder_is_found_in_a_list_of_tools() {
        assert!(names_recorder(b"mine.so:/opt/ferromp/lib/libferromp-trace.so"));
        assert!(!names_recorder(b"mine.so:/opt/trace.so") && !names_recorder(b""));
    }
}
