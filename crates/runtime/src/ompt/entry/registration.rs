//! Entry points that a tool calls while it sets itself up, and the one that ends it (OpenMP 5.1 §4.6.1.1–4, §4.6.1.20).

use crate::ompt::events_mutex::{MUTEX_FUTEX, MUTEX_FUTEX_NAME};
use crate::ompt::{activate, answers, registry};
use crate::tool::end;
use ::ompt::{Callback, Event, SetResult, State};
use std::ffi::{c_char, c_int, c_void};

/// More than the longest name of a state has bytes.
const NAME: usize = 48;
/// The states' names as C strings, which a tool may keep.
static NAMES: [[u8; NAME]; State::ALL.len()] = names();

const fn names() -> [[u8; NAME]; State::ALL.len()] {
    let mut all = [[0; NAME]; State::ALL.len()];
    let mut state = 0;
    while state < all.len() {
        let name = State::ALL[state].1.as_bytes();
        assert!(name.len() < NAME, "a name ends with a zero byte");
        let mut byte = 0;
        while byte < name.len() {
            all[state][byte] = name[byte];
            byte += 1;
        }
        state += 1;
    }
    all
}

/// Steps through the states (§4.6.1.1): a walk begins with `undefined`; 0 at its end, and for a value that is no state.
pub(super) unsafe extern "C" fn enumerate_states(current: c_int, next: *mut c_int, name: *mut *const c_char) -> c_int {
    let index = if current == State::UNDEFINED.0 {
        0
    } else {
        match State::ALL.iter().position(|(state, _)| state.0 == current) {
            Some(index) => index + 1,
            None => return 0,
        }
    };
    match State::ALL.get(index) {
        Some((state, _)) if *state != State::UNDEFINED => {
            // SAFETY: the tool passes two places to write to.
            unsafe {
                super::write(next, state.0);
                super::write(name, NAMES[index].as_ptr().cast());
            }
            1
        }
        _ => 0,
    }
}

/// Steps through the implementations of mutual exclusion (§4.6.1.2): a walk begins with `ompt_mutex_impl_none`; 0 at
/// its end, and for a value that is none of them.
pub(super) unsafe extern "C" fn enumerate_mutex_impls(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    if current != ::ompt::MUTEX_IMPL_NONE as c_int {
        return 0;
    }
    // SAFETY: the tool passes two places to write to.
    unsafe {
        super::write(next, MUTEX_FUTEX as c_int);
        super::write(name, MUTEX_FUTEX_NAME.as_ptr());
    }
    1
}

/// Registers a callback, or removes it (§4.6.1.3). An error for a tool that has been ended.
pub(super) unsafe extern "C" fn set_callback(event: Event, callback: Callback) -> SetResult {
    register(0, event, callback, |callback| registry::set(event, callback))
}

/// As [`set_callback`] of this tool; `set` puts the callback into effect.
pub(in crate::ompt) fn register(tool: usize, event: Event, callback: Callback, set: impl Fn(*mut c_void)) -> SetResult {
    let answer = answers::answer(event);
    if !activate::may_register(tool) {
        return SetResult::ERROR;
    }
    if answer == SetResult::ERROR || answer == SetResult::NEVER {
        return answer;
    }
    set(callback.map_or(std::ptr::null_mut(), |callback| callback as *mut c_void));
    if !activate::may_register(tool) {
        // Another thread has ended the tool meanwhile, and may have taken its callbacks away before this one came.
        set(std::ptr::null_mut());
        return SetResult::ERROR;
    }
    answer
}

/// The callback that is registered for an event (§4.6.1.4); 0 where none is, so also where one was refused.
pub(in crate::ompt) unsafe extern "C" fn get_callback(event: Event, callback: *mut Callback) -> c_int {
    if answers::answer(event) == SetResult::ERROR {
        return 0;
    }
    let pointer = registry::get(event);
    if pointer.is_null() {
        return 0;
    }
    // SAFETY: the tool passes a place to write to; the pointer is what it once registered.
    unsafe { super::write(callback, std::mem::transmute::<*mut c_void, Callback>(pointer)) };
    1
}

/// Ends the tool's activity at once (§4.6.1.20), after the events that the runtime's shutdown brings
/// if the calling thread can bring them about: outside of parallel regions and callbacks.
pub(super) unsafe extern "C" fn finalize_tool() {
    end::end_one(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_states_are_c_strings() {
        for ((state, name), bytes) in State::ALL.iter().zip(&NAMES) {
            let shown = CStr::from_bytes_until_nul(bytes).map(CStr::to_bytes);
            assert_eq!(shown, Ok(name.as_bytes()), "{state:?}");
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
