//! Thread handles (OpenMP 5.1, section 5.5.5).

use crate::answer::{answer, compare, place};
use crate::handles;
use crate::model::team::{self, Slot};
use crate::model::{live, thread};
use crate::space::Space;
use crate::{AddressSpaceHandle, ParallelHandle, Rc, Size, ThreadHandle, ThreadId};
use ompd_layout::Field;
use std::ffi::{c_int, c_void};

/// `OMPD_THREAD_ID_PTHREAD`: a thread as the C library knows it (`pthread_t`), with the size of a pointer.
pub const THREAD_ID_PTHREAD: ThreadId = 0;
/// `OMPD_THREAD_ID_LWP`: a thread as the kernel knows it (`gettid`), of 4 or 8 bytes.
pub const THREAD_ID_LWP: ThreadId = 1;

/// The field that holds native identifiers of a kind, if they have `size` bytes.
fn field_of(space: &Space, kind: ThreadId, size: Size) -> Result<Field, Rc> {
    let (field, fits) = match kind {
        THREAD_ID_PTHREAD => (Field::ThreadPthread, size == space.memory.pointer_size() as u64 || size == 8),
        THREAD_ID_LWP => (Field::ThreadLwp, matches!(size, 4 | 8)),
        _ => return Err(Rc::UNSUPPORTED),
    };
    if fits { Ok(field) } else { Err(Rc::BAD_INPUT) }
}

/// Finds the thread with number `thread_num` of a parallel region (5.5.5.1). `ompd_rc_bad_input` for a number that no
/// thread of the region has, `ompd_rc_unavailable` for a thread that has just been created and executes nothing of
/// OpenMP's yet.
///
/// # Safety
/// `thread_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_in_parallel(
    parallel_handle: *mut ParallelHandle,
    thread_num: c_int,
    thread_handle: *mut *mut ThreadHandle,
) -> Rc {
    let find = || {
        // SAFETY: the caller passes null or a place to write to.
        let handle = unsafe { place(thread_handle) }?;
        let (space, parallel) = live::parallel(parallel_handle)?;
        let number = u64::try_from(thread_num).map_err(|_| Rc::BAD_INPUT)?;
        if number >= team::size(&space, parallel.team)? {
            return Err(Rc::BAD_INPUT);
        }
        let thread = Slot::of_team(&space, parallel.team, number)?.thread(&space)?;
        if !thread::is_in_use(&space, thread)? {
            return Err(Rc::UNAVAILABLE);
        }
        *handle = handles::new_thread(&space, live::of_thread(&space, parallel.space, thread)?)?;
        Ok(())
    };
    answer(find())
}

/// Finds a thread by its native identifier: [`THREAD_ID_PTHREAD`] or [`THREAD_ID_LWP`] (5.5.5.2).
///
/// `ompd_rc_unsupported` for another kind, `ompd_rc_bad_input` for an identifier of another size, `ompd_rc_unavailable`
/// for a thread that is none of OpenMP's, or of another address space.
///
/// # Safety
/// `thread_id` is null or points to `sizeof_thread_id` bytes; `thread_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_handle(
    handle: *mut AddressSpaceHandle,
    kind: ThreadId,
    sizeof_thread_id: Size,
    thread_id: *const c_void,
    thread_handle: *mut *mut ThreadHandle,
) -> Rc {
    let find = || {
        let (space, handle) = live::space(handle)?;
        // SAFETY: the caller passes null or a place to write to.
        let found = unsafe { place(thread_handle) }?;
        if thread_id.is_null() {
            return Err(Rc::BAD_INPUT);
        }
        let field = field_of(&space, kind, sizeof_thread_id)?;
        let id = match sizeof_thread_id {
            // SAFETY: the caller says that there are so many bytes.
            4 => u64::from(unsafe { thread_id.cast::<u32>().read_unaligned() }),
            // SAFETY: as above.
            _ => unsafe { thread_id.cast::<u64>().read_unaligned() },
        };
        let thread = thread::by_native_id(&space, field, id)?.ok_or(Rc::UNAVAILABLE)?;
        *found = handles::new_thread(&space, live::of_thread(&space, handle, thread)?)?;
        Ok(())
    };
    answer(find())
}

/// Releases a handle (5.5.5.3).
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_thread_handle(thread_handle: *mut ThreadHandle) -> Rc {
    answer(handles::release_thread(thread_handle))
}

/// Says whether two handles are of one thread, and which comes first in an order that means nothing else (5.5.5.4).
/// `ompd_rc_bad_input` for handles from different address spaces.
///
/// # Safety
/// `cmp_value` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_thread_handle_compare(
    thread_handle_1: *mut ThreadHandle,
    thread_handle_2: *mut ThreadHandle,
    cmp_value: *mut c_int,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        compare(handles::thread, (thread_handle_1, thread_handle_2), cmp_value, |thread| (thread.thread, thread.lwp))
    }
}

/// Writes a thread's native identifier of a kind (5.5.5.5). `ompd_rc_unsupported` for a kind, `ompd_rc_bad_input` for a
/// size that is not one of [`ompd_get_thread_handle`]'s.
///
/// # Safety
/// `thread_id` is null or has room for `sizeof_thread_id` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_id(
    thread_handle: *mut ThreadHandle,
    kind: ThreadId,
    sizeof_thread_id: Size,
    thread_id: *mut c_void,
) -> Rc {
    let tell = || {
        let (space, thread) = live::thread(thread_handle)?;
        if thread_id.is_null() {
            return Err(Rc::BAD_INPUT);
        }
        let id = match field_of(&space, kind, sizeof_thread_id)? {
            Field::ThreadPthread => thread.pthread,
            _ => thread.lwp,
        };
        match sizeof_thread_id {
            // SAFETY: by the caller's contract `thread_id` has `sizeof_thread_id` bytes.
            4 => unsafe { thread_id.cast::<u32>().write_unaligned(id as u32) },
            // SAFETY: as above.
            _ => unsafe { thread_id.cast::<u64>().write_unaligned(id) },
        }
        Ok(())
    };
    answer(tell())
}
