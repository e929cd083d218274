//! The functions of `libompd.so` that need no program: its versions, its start and its end.
//! OpenMP 5.1, section 5.5.1.

use crate::heap::Heap;
use crate::{Callbacks, Rc, Word, handles};
use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

/// The versions of the interface that debuggers may request, as values of `_OPENMP`: 5.1, 5.0, 5.2 and 6.0, whose
/// callback tables and functions are the same. The first is the library's own; `docs/ompd.md` lists what the library
/// has of later versions.
const API_VERSIONS: [Word; 4] = [202011, 201811, 202111, 202411];

/// What the library is, for people.
const VERSION_STRING: &str = concat!("ferromp ", env!("CARGO_PKG_VERSION"), ", OMPD 5.1\0");

/// The debugger's functions while the library is initialised.
static CALLBACKS: Mutex<Option<Callbacks>> = Mutex::new(None);

/// The debugger's functions; `ompd_rc_error` while the library is not initialised.
pub(crate) fn callbacks() -> Result<Callbacks, Rc> {
    (*CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner)).ok_or(Rc::ERROR)
}

/// Starts the library: the debugger names the version that it speaks and lends its functions, which
/// are copied (5.5.1.1).
///
/// `ompd_rc_unsupported` if the library does not speak that version, `ompd_rc_bad_input` if functions are missing,
/// `ompd_rc_error` if it has started already with other functions; with the same ones nothing changes.
///
/// # Safety
/// `callbacks` is null or points to a table of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_initialize(api_version: Word, callbacks: *const Callbacks) -> Rc {
    if !API_VERSIONS.contains(&api_version) {
        return Rc::UNSUPPORTED;
    }
    // SAFETY: the caller passes null or a table.
    let Some(callbacks) = (unsafe { callbacks.as_ref() }) else {
        return Rc::BAD_INPUT;
    };
    if !callbacks.suffice() {
        return Rc::BAD_INPUT;
    }
    let mut current = CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(before) = &*current {
        return if before.are(callbacks) { Rc::OK } else { Rc::ERROR };
    }
    *current = Some(*callbacks);
    Rc::OK
}

/// Writes the version of the interface, as a value of `_OPENMP`. May be called before
/// `ompd_initialize` (5.5.1.2). `ompd_rc_bad_input` for a null pointer.
///
/// # Safety
/// `version` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_api_version(version: *mut Word) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    match unsafe { version.as_mut() } {
        Some(version) => {
            *version = API_VERSIONS[0];
            Rc::OK
        }
        None => Rc::BAD_INPUT,
    }
}

/// Writes a pointer to a string that says what the library is; the library keeps the string. May be
/// called before `ompd_initialize` (5.5.1.3). `ompd_rc_bad_input` for a null pointer.
///
/// # Safety
/// `string` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version_string(string: *mut *const c_char) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    match unsafe { string.as_mut() } {
        Some(string) => {
            *string = VERSION_STRING.as_ptr().cast();
            Rc::OK
        }
        None => Rc::BAD_INPUT,
    }
}

/// Ends the library's work: all handles are stale, the debugger's functions are called no more, and it may start anew
/// (5.5.1.4). `ompd_rc_unsupported` if it has not started.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_finalize() -> Rc {
    let Some(callbacks) = CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return Rc::UNSUPPORTED;
    };
    match Heap::of(&callbacks) {
        Ok(heap) => {
            handles::clear(heap);
            Rc::OK
        }
        Err(code) => code,
    }
}
