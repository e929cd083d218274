//! Internal control variables: their list, and the value of each for a process, device, thread, region or task (OpenMP
//! 5.1, sections 2.4 and 5.5.9).
//!
//! [`table`] lists them; [`subject`] finds out what a handle stands for; [`read`] reads values; [`show`] writes them as
//! the environment's variables have them; [`display`] makes the list of the variables themselves.

mod display;
mod read;
mod show;
mod subject;
mod table;

use std::ffi::{c_char, c_int, c_void};

use crate::answer::{answer, place, write};
use crate::handles::{self, given};
use crate::{AddressSpaceHandle, ICV_UNDEFINED, IcvId, Rc, Scope, Word, heap};
pub use display::{ompd_get_display_control_vars, ompd_rel_display_control_vars};
use read::Integer;
use subject::Subject;

/// Names the ICV after `current`: its number, its name, and the scope of the handles that have it. `*more` is 0 with
/// the last ICV. The first ICV comes after [`ICV_UNDEFINED`]. The name is the debugger's, which gives the memory back
/// (5.5.9.1).
///
/// `ompd_rc_bad_input` for a number that is none, or behind which nothing comes, and for null pointers. The numbers up
/// to 30 are those of LLVM's library. An ICV of the whole process has the scope of address spaces here; that of
/// implicit tasks, of tasks.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_enumerate_icvs(
    handle: *mut AddressSpaceHandle,
    current: IcvId,
    next_id: *mut IcvId,
    next_icv_name: *mut *const c_char,
    next_scope: *mut Scope,
    more: *mut c_int,
) -> Rc {
    let tell = || {
        let space = handles::space(given(handle))?;
        // SAFETY: the caller passes null or places to write to.
        let (id, name, scope, more) =
            unsafe { (place(next_id)?, place(next_icv_name)?, place(next_scope)?, place(more)?) };
        let next = current.checked_add(1).ok_or(Rc::BAD_INPUT)?;
        let icv = table::find(next)?;
        *name = heap::string(space.memory.heap(), icv.name.as_bytes())?;
        *id = next;
        *scope = icv.scope;
        *more = c_int::from(table::find(next.saturating_add(1)).is_ok());
        Ok(())
    };
    answer(tell())
}

const _: () = assert!(ICV_UNDEFINED == 0, "the first ICV comes after it");

/// Writes the value of an ICV as a number, for the process, device, thread, region or task of `handle`, whose kind is
/// `scope` (5.5.9.2).
///
/// `ompd_rc_incomplete` where the ICV is a list of more than the element that was written; `ompd_rc_incompatible` where
/// it is no number; `ompd_rc_bad_input` for an ICV that there is not, or not in that scope, and for a null pointer;
/// `ompd_rc_unavailable` where the program has no value yet.
///
/// # Safety
/// `icv_value` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_icv_from_scope(
    handle: *mut c_void,
    scope: Scope,
    icv_id: IcvId,
    icv_value: *mut Word,
) -> Rc {
    let tell = || {
        let subject = Subject::of(handle, scope)?;
        // SAFETY: the caller passes null or a place to write to.
        let to = unsafe { place(icv_value) }?;
        match table::find_in(icv_id, scope)?.read(&subject)?.integer(&subject)? {
            Integer::Whole(value) => *to = value,
            Integer::First(value) => {
                *to = value;
                return Err(Rc::INCOMPLETE);
            }
        }
        Ok(())
    };
    answer(tell())
}

/// Writes the value of an ICV as the environment variable would have it that sets it, `dynamic,4` or `spread,close`.
/// The string is the debugger's, which gives its memory back (5.5.9.3).
///
/// Answers as [`ompd_get_icv_from_scope`], but that every ICV is a string.
///
/// # Safety
/// `icv_string` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_icv_string_from_scope(
    handle: *mut c_void,
    scope: Scope,
    icv_id: IcvId,
    icv_string: *mut *const c_char,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(icv_string, Subject::of(handle, scope), |subject| {
            let value = table::find_in(icv_id, scope)?.read(&subject)?;
            show::string(&subject.space, &value)
        })
    }
}
