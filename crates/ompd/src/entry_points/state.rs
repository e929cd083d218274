//! Thread states (OpenMP 5.1, sections 5.5.7.9 and 5.5.7.10). They are OMPT's.

use crate::answer::{answer, place};
use crate::model::{live, thread};
use crate::{AddressSpaceHandle, Rc, ThreadHandle, WaitId, Word, heap};
use ompt::State;
use std::ffi::c_char;

/// Steps through the states that a thread may have (5.5.7.9). A walk begins with `ompt_state_undefined`; the name is
/// the debugger's, which gives its memory back. `*more_enums` is 0 when the state that is returned is the last one;
/// behind that comes `ompt_state_undefined` again. `ompd_rc_bad_input` for a value that is no state.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_enumerate_states(
    address_space_handle: *mut AddressSpaceHandle,
    current_state: Word,
    next_state: *mut Word,
    next_state_name: *mut *const c_char,
    more_enums: *mut Word,
) -> Rc {
    let walk = || {
        let (space, _) = live::space(address_space_handle)?;
        // SAFETY: the caller passes null or places to write to.
        let (next, name, more) = unsafe { (place(next_state)?, place(next_state_name)?, place(more_enums)?) };
        let defined = || State::ALL.iter().filter(|(state, _)| *state != State::UNDEFINED);
        let mut rest = defined();
        if current_state != Word::from(State::UNDEFINED.0) {
            rest.find(|(state, _)| Word::from(state.0) == current_state).ok_or(Rc::BAD_INPUT)?;
        }
        let undefined = (State::UNDEFINED, State::UNDEFINED.name().unwrap_or_default());
        let (state, text) = rest.next().copied().unwrap_or(undefined);
        *name = heap::string(space.memory.heap(), text.as_bytes())?;
        *next = Word::from(state.0);
        *more = Word::from(rest.next().is_some());
        Ok(())
    };
    answer(walk())
}

/// Writes a thread's state, and what it waits for: 0 in states other than those of waiting for mutual exclusion
/// (5.5.7.10). `ompd_rc_needs_state_tracking` where the runtime does not keep states; that a thread is idle can always
/// be seen.
///
/// # Safety
/// `state` and `wait_id` are null or may be written to. `wait_id` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_state(
    thread_handle: *mut ThreadHandle,
    state: *mut Word,
    wait_id: *mut WaitId,
) -> Rc {
    let tell = || {
        let (space, thread) = live::thread(thread_handle)?;
        // SAFETY: the caller passes null or a place to write to.
        let place = unsafe { place(state) }?;
        let (state, id) = thread::state(&space, thread.thread)?.ok_or(Rc::NEEDS_STATE_TRACKING)?;
        *place = state;
        // SAFETY: as above.
        if let Some(wait_id) = unsafe { wait_id.as_mut() } {
            *wait_id = id;
        }
        Ok(())
    };
    answer(tell())
}
