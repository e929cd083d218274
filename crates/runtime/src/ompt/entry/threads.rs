//! What a tool may ask about the calling thread, and about devices (OpenMP 5.1 §4.6.1.5, §4.6.1.12, §4.6.1.16–18).

use super::this_thread;
use crate::ompt::registry::answers;
use ::ompt::{Data, Id, State, WaitId};
use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

/// The thread's data word (§4.6.1.5); null for a thread that is none of OpenMP's.
pub(in crate::ompt) unsafe extern "C" fn get_thread_data() -> *mut Data {
    this_thread().map_or(std::ptr::null_mut(), |thread| thread.tool.data())
}

/// The thread's state (§4.6.1.12), and for a thread that waits for mutual exclusion what the mutex events call it; the wait
/// identifier is 0 in all other states. States are kept while a tool is active.
pub(super) unsafe extern "C" fn get_state(wait_id: *mut WaitId) -> c_int {
    let Some(thread) = this_thread().filter(|thread| answers(thread)) else {
        // SAFETY: null or a place to write to.
        unsafe { super::write(wait_id, 0) };
        return State::UNDEFINED.0;
    };
    let state = thread.tool.state();
    let for_mutex = (State::WAIT_MUTEX.0..State::WAIT_TARGET.0).contains(&state.0);
    // SAFETY: null or a place to write to.
    unsafe { super::write(wait_id, if for_mutex { thread.tool.wait_id() } else { 0 }) };
    state.0
}

/// The target region that the thread is in (§4.6.1.16): none, there are no devices.
pub(super) unsafe extern "C" fn get_target_info(_device: *mut u64, _target: *mut Id, _operation: *mut Id) -> c_int {
    0
}

/// Devices (§4.6.1.17).
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    0
}

/// A number that no other call has got (§4.6.1.18).
pub(super) unsafe extern "C" fn get_unique_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
