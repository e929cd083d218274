//! Entry points for a tool's initialiser, and the entry point that ends a tool (OpenMP 5.1 §4.6.1.1–4, §4.6.1.20).

use super::common::write;
use crate::ompt::{MUTEX_FUTEX, MUTEX_FUTEX_NAME, answers, several};
use crate::tool::{active, end};
use ::ompt::{Callback, Event, SetResult, State};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::LazyLock;

/// The states' names as C strings, which a tool may keep.
static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
    State::ALL.iter().map(|(_, name)| CString::new(*name).expect("a name without a zero byte")).collect()
});

/// Steps through the states (§4.6.1.1). A walk begins with `ompt_state_undefined`. Returns 0 at the end of the walk,
/// and for a value that is no state.
pub(super) unsafe extern "C" fn enumerate_states(current: c_int, next: *mut c_int, name: *mut *const c_char) -> c_int {
    // `ompt_state_undefined` is the last state of the table, so that the walk ends before it.
    let index = match State::ALL.iter().position(|(state, _)| state.0 == current) {
        _ if current == State::UNDEFINED.0 => 0,
        Some(index) => index + 1,
        None => return 0,
    };
    let Some((state, _)) = State::ALL.get(index).filter(|(state, _)| *state != State::UNDEFINED) else { return 0 };
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(next, state.0);
        write(name, NAMES[index].as_ptr());
    }
    1
}

/// Steps through the implementations of mutual exclusion (§4.6.1.2). A walk begins with `ompt_mutex_impl_none`. Returns
/// 0 at the end of the walk, and for a value that is no implementation.
pub(super) unsafe extern "C" fn enumerate_mutex_impls(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    if current != ::ompt::MUTEX_IMPL_NONE as c_int {
        return 0;
    }
    // SAFETY: each is null or a place to write to.
    unsafe {
        write(next, MUTEX_FUTEX as c_int);
        write(name, MUTEX_FUTEX_NAME.as_ptr());
    }
    1
}

/// Registers the tool's callback, or removes it (§4.6.1.3). An error for a tool that has ended.
pub(super) unsafe extern "C" fn set_callback<const TOOL: usize>(event: Event, callback: Callback) -> SetResult {
    let answer = answers::answer(event);
    if !active::may_register(TOOL) {
        return SetResult::ERROR;
    }
    if answer == SetResult::ERROR || answer == SetResult::NEVER {
        return answer;
    }
    several::set(TOOL, event, callback.map_or(null_mut(), |callback| callback as *mut c_void));
    if !active::may_register(TOOL) {
        // Another thread has ended the tool meanwhile. It may have emptied the tool's slots before this store.
        several::set(TOOL, event, null_mut());
        return SetResult::ERROR;
    }
    answer
}

/// Writes the tool's callback for an event (§4.6.1.4). Returns 0 if none is registered, also because it was refused.
pub(super) unsafe extern "C" fn get_callback<const TOOL: usize>(event: Event, callback: *mut Callback) -> c_int {
    // SAFETY: the tool passes null or a place to write to.
    unsafe { give_callback(event, callback, |event| several::callback(TOOL, event)) }
}

/// As `ompt_get_callback`, where `registered` has the callback for an event, null for none.
///
/// # Safety
/// `place` is null or writable.
pub(crate) unsafe fn give_callback(
    event: Event,
    place: *mut Callback,
    registered: impl Fn(Event) -> *mut c_void,
) -> c_int {
    let pointer = if answers::answer(event) == SetResult::ERROR { null_mut() } else { registered(event) };
    if pointer.is_null() {
        return 0;
    }
    // SAFETY: the caller's; the pointer is what a tool has registered.
    unsafe { write(place, std::mem::transmute::<*mut c_void, Callback>(pointer)) };
    1
}

/// Ends the tool's activity at once (§4.6.1.20); other tools go on. If the calling thread is outside of parallel
/// regions and callbacks, the events of the runtime's shutdown come first.
pub(super) unsafe extern "C" fn finalize_tool<const TOOL: usize>() {
    end::end_one(TOOL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_states_are_c_strings() {
        for ((state, name), shown) in State::ALL.iter().zip(NAMES.iter()) {
            assert_eq!(shown.to_bytes(), name.as_bytes(), "{state:?}");
        }
    }

    #[test]
    fn walk_through_the_states_meets_each_once() {
        let (mut state, mut name) = (State::UNDEFINED.0, std::ptr::null());
        let mut seen = Vec::new();
        // SAFETY: both places are there to be written to.
        while unsafe { enumerate_states(state, &mut state, &mut name) } == 1 {
            seen.push(state);
        }
        let all: Vec<c_int> =
            State::ALL.iter().map(|(state, _)| state.0).filter(|&state| state != State::UNDEFINED.0).collect();
        assert_eq!(seen, all);
    }
}
