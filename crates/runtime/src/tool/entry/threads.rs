//! Entry points about the calling thread, and about devices (OpenMP 5.1 §4.6.1.5, §4.6.1.12, §4.6.1.16–18).

use super::common::{this_thread, write};
use super::tasks::target_around;
use crate::device_numbers;
use crate::model::atomic::Ordering;
use crate::ompt::several;
use crate::ompt::silence::answers;
use crate::ompt::target::unique;
use ::ompt::{Data, Id, State, WaitId};
use std::ffi::{c_int, c_void};

/// The tool's word of the thread (§4.6.1.5); null for a thread that is none of OpenMP's.
pub(super) unsafe extern "C" fn get_thread_data<const TOOL: usize>() -> *mut Data {
    // SAFETY: the thread's word.
    this_thread().map_or(std::ptr::null_mut(), |thread| unsafe { several::word(thread.tool.data.get(), TOOL) })
}

/// The thread's state (§4.6.1.12). For a thread that waits for mutual exclusion, also the wait identifier of the mutex
/// events; 0 in all other states. States are kept while a tool is active.
pub(super) unsafe extern "C" fn get_state(wait_id: *mut WaitId) -> c_int {
    let thread = this_thread().filter(|thread| answers(thread));
    let state = thread.map_or(State::UNDEFINED, |thread| thread.tool.state());
    let for_mutex = (State::WAIT_MUTEX.0..State::WAIT_TARGET.0).contains(&state.0);
    let id = thread.filter(|_| for_mutex).map_or(0, |thread| thread.tool.wait_id.load(Ordering::Relaxed));
    // SAFETY: null or a place to write to.
    unsafe { write(wait_id, id) };
    state.0
}

/// The target region that the thread is in (§4.6.1.16), and the operation on the device that the thread has begun and
/// not ended. Identifiers are what the tool has written to the words that the `_emi` callbacks give it, or else the
/// runtime's own.
pub(super) unsafe extern "C" fn get_target_info<const TOOL: usize>(
    device: *mut u64,
    target: *mut Id,
    operation: *mut Id,
) -> c_int {
    let Some(thread) = this_thread().filter(|thread| answers(thread)) else { return 0 };
    let own = thread.tool.target();
    let Some(found) = own.or_else(|| target_around(thread)) else { return 0 };
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(device, found.device.get() as u64);
        write(target, found.target_id(Some(TOOL)));
        write(operation, own.map_or(::ompt::ID_NONE, |own| own.host_op_id(Some(TOOL))));
    }
    1
}

/// The number of devices (§4.6.1.17).
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    device_numbers::known()
}

/// A number that no other call returns (§4.6.1.18).
pub(super) unsafe extern "C" fn get_unique_id() -> u64 {
    unique()
}

/// `ferromp_get_construct_function`: the outlined function of the construct whose begin is being reported to a callback
/// on the calling thread; null in other callbacks, and outside of callbacks. `docs/tools.md` has the details.
pub(super) unsafe extern "C" fn get_construct_function() -> *const c_void {
    this_thread().map_or(0, |thread| thread.tool.named()) as *const c_void
}

/// `ferromp_get_sections`: the number of the section, from 1, whose begin is being reported to a callback on the
/// calling thread, and how many sections from there on the thread executes without a further report. `docs/tools.md`
/// has the details.
///
/// # Safety
/// `count` is null, or can be written to.
pub(super) unsafe extern "C" fn get_sections(count: *mut u64) -> u64 {
    let thread = this_thread().filter(|thread| thread.is_set_up());
    let (first, executed) = thread.map_or((0, 0), |thread| thread.member().work.sections.get());
    // SAFETY: null or a place to write to.
    unsafe { write(count, executed) };
    first
}
