//! Calls of MPI, which the preloaded library of `crates/mpi` reports. The runtime opens the recorder for itself alone,
//! so the recorder looks for that library in the program's own scope, and hands it its functions.

use super::errno::KeepErrno;
use super::local::Local;
use super::session::Session;
use crate::store::Record;
use crate::store::clock::Ticker;
use std::sync::OnceLock;

/// The functions for the library. `crates/mpi` has the same structure in `recorder.rs`; both belong to one release.
#[repr(C)]
struct Functions {
    begin: extern "C" fn(u64, u64, u64, i64),
    end: extern "C" fn(u64),
    now: extern "C" fn() -> u64,
    compared: extern "C" fn(i64, u64, u64),
}

static FUNCTIONS: Functions = Functions { begin, end, now, compared };

/// The clock, from before the first call on.
static TICKER: OnceLock<Ticker> = OnceLock::new();

/// Has calls recorded from here on, if the library is there.
pub fn attach(ticker: Ticker) {
    let _ = TICKER.set(ticker);
    hand_over(&raw const FUNCTIONS);
}

/// No further call is recorded.
pub fn detach() {
    hand_over(std::ptr::null());
}

fn hand_over(functions: *const Functions) {
    // SAFETY: the name is terminated.
    let taker = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ferromp_mpi_attach".as_ptr()) };
    if !taker.is_null() {
        // SAFETY: the library's function of this name takes a pointer that stays valid for ever, or null.
        unsafe {
            let taker: extern "C" fn(*const Functions) = std::mem::transmute(taker);
            taker(functions);
        }
    }
}

/// The calling thread begins a call.
extern "C" fn begin(call: u64, codeptr: u64, bytes: u64, partner: i64) {
    let Some(ticker) = TICKER.get() else { return };
    let now = ticker.now();
    if let Some(local) = Local::get(now) {
        local.calibrate(now);
        local.meter(now);
        // The rank is at least -1.
        let partner = partner.wrapping_add(1) as u64;
        local.record_at(now, codeptr, Record::MpiBegin { call, bytes, partner, codeptr });
    }
}

/// The calling thread ends a call.
extern "C" fn end(call: u64) {
    let Some(ticker) = TICKER.get() else { return };
    if let Some(local) = Local::existing() {
        let now = ticker.now();
        local.meter(now);
        local.record(now, Record::MpiEnd { call });
    }
}

/// The time by the recording's clock, in nanoseconds since 1970-01-01 UTC; 0 without a recording.
extern "C" fn now() -> u64 {
    Session::current().map_or(0, Session::unix_ns)
}

/// The ranks have compared their clocks: the process's is ahead by an offset with an error, in nanoseconds, and there
/// are so many different clocks.
extern "C" fn compared(offset_ns: i64, error_ns: u64, clocks: u64) {
    let _errno = KeepErrno::new();
    if let Some(session) = Session::current() {
        session.note_comparison(offset_ns, error_ns, clocks as u32);
    }
}
