//! Address spaces: the process, the host devices in it, and which OpenMP they have (OpenMP 5.1, sections 5.5.2 and
//! 5.5.4).

use crate::answer::{answer, place, write};
use crate::handles::{self, given};
use crate::library;
use crate::space::{HOST, Space};
use crate::{AddressSpaceContext, AddressSpaceHandle, Device, Rc, Size, Word, heap};
use std::ffi::{c_char, c_void};

/// `OMPD_DEVICE_KIND_HOST`: devices that are the host's own processors. Their numbers are identifiers of 4 or 8 bytes.
pub const DEVICE_KIND_HOST: Device = 1;

/// The OpenMP version of every runtime that shows itself as this library reads it, as a value of `_OPENMP`.
const OMP_VERSION: Word = 202011;
/// The same, for people.
const OMP_VERSION_STRING: &str = "OpenMP 5.1 (ferromp)";

/// Begins the work on a process or core file, which the debugger calls `context` (5.5.2.1).
///
/// `ompd_rc_incompatible`, and a printed line, if the process has no runtime that the library can read;
/// `ompd_rc_bad_input` for null pointers.
///
/// # Safety
/// `handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_process_initialize(
    context: *mut AddressSpaceContext,
    handle: *mut *mut AddressSpaceHandle,
) -> Rc {
    let begin = || {
        // SAFETY: the caller passes null or a place to write to.
        let handle = unsafe { place(handle) }?;
        if context.is_null() {
            return Err(Rc::BAD_INPUT);
        }
        let space = Space::of_process(&library::callbacks()?, context)?;
        *handle = handles::new_space(&space)?;
        Ok(())
    };
    answer(begin())
}

/// Begins the work on a device of a process, which the debugger calls `device_context` (5.5.2.2). Host devices are
/// supported ([`DEVICE_KIND_HOST`]); their identifiers are the numbers that the program knows them by.
///
/// `ompd_rc_unsupported` for another kind of device, or one that the process does not have; `ompd_rc_bad_input` for
/// null pointers, an identifier of another size, or a handle that is not a process's.
///
/// # Safety
/// `id` is null or points to `sizeof_id` bytes; `device_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_device_initialize(
    process_handle: *mut AddressSpaceHandle,
    device_context: *mut AddressSpaceContext,
    kind: Device,
    sizeof_id: Size,
    id: *mut c_void,
    device_handle: *mut *mut AddressSpaceHandle,
) -> Rc {
    let begin = || {
        // SAFETY: the caller passes null or a place to write to.
        let handle = unsafe { place(device_handle) }?;
        if device_context.is_null() || id.is_null() {
            return Err(Rc::BAD_INPUT);
        }
        let process = handles::space(given(process_handle))?;
        if kind != DEVICE_KIND_HOST {
            return Err(Rc::UNSUPPORTED);
        }
        let number = match sizeof_id {
            // SAFETY: the caller says that there are so many bytes.
            4 => i64::from(unsafe { id.cast::<i32>().read_unaligned() }),
            // SAFETY: as above.
            8 => unsafe { id.cast::<i64>().read_unaligned() },
            _ => return Err(Rc::BAD_INPUT),
        };
        if process.device != HOST {
            return Err(Rc::BAD_INPUT);
        }
        if !process.has_device(number)? {
            return Err(Rc::UNSUPPORTED);
        }
        *handle = handles::new_space(&process.device(number, device_context))?;
        Ok(())
    };
    answer(begin())
}

/// Ends the work on an address space. All handles that were found through it are stale then (5.5.2.3).
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_address_space_handle(handle: *mut AddressSpaceHandle) -> Rc {
    answer(handles::release_space(handle))
}

/// Writes which OpenMP an address space has, as a value of `_OPENMP` (5.5.4.1).
///
/// # Safety
/// `omp_version` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_omp_version(address_space: *mut AddressSpaceHandle, omp_version: *mut Word) -> Rc {
    let tell = || {
        handles::space(given(address_space))?;
        // SAFETY: the caller passes null or a place to write to.
        *unsafe { place(omp_version) }? = OMP_VERSION;
        Ok(())
    };
    answer(tell())
}

/// Writes a string that says which OpenMP an address space has. It is the debugger's, which gives its memory back
/// (5.5.4.2).
///
/// # Safety
/// `string` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_omp_version_string(
    address_space: *mut AddressSpaceHandle,
    string: *mut *const c_char,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(string, handles::space(given(address_space)), |space| {
            heap::string(space.memory.heap(), OMP_VERSION_STRING.as_bytes())
        })
    }
}
