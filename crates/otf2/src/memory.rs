//! The memory in which OTF2's library collects events before it writes them. By itself it takes up to 128 MiB for each
//! location.

use std::ffi::c_void;

/// `OTF2_FILETYPE_EVENTS`
const EVENTS: u8 = 3;
/// Chunks that the events of a location have at most. Without a further one, the library writes them and begins again.
const MOST: usize = 2;

/// `OTF2_MemoryCallbacks`
#[repr(C)]
pub struct MemoryCallbacks {
    allocate: unsafe extern "C" fn(*mut c_void, u8, u64, *mut *mut c_void, u64) -> *mut c_void,
    free_all: unsafe extern "C" fn(*mut c_void, u8, u64, *mut *mut c_void, bool),
}

/// The callbacks, which keep nothing beside what the library keeps for them.
pub static CALLBACKS: MemoryCallbacks = MemoryCallbacks { allocate, free_all };

/// The chunks of a writer.
type Chunks = Vec<*mut c_void>;

/// Allocates a further chunk of `bytes` for a writer. Null if it has enough.
unsafe extern "C" fn allocate(_: *mut c_void, of: u8, _: u64, kept: *mut *mut c_void, bytes: u64) -> *mut c_void {
    // SAFETY: the library passes its word for this writer, which is null at first, and then what is stored here. It
    // calls for one writer at a time.
    let chunks = unsafe {
        if (*kept).is_null() {
            *kept = Box::into_raw(Box::<Chunks>::default()).cast();
        }
        &mut *(*kept).cast::<Chunks>()
    };
    if of == EVENTS && chunks.len() >= MOST {
        return std::ptr::null_mut();
    }
    // SAFETY: plain allocation; null is the library's to handle.
    let chunk = unsafe { libc::malloc(bytes as usize) };
    chunks.extend((!chunk.is_null()).then_some(chunk));
    chunk
}

/// Frees all chunks of a writer; the last time, `is_final`, also the list of them.
unsafe extern "C" fn free_all(_: *mut c_void, _: u8, _: u64, kept: *mut *mut c_void, is_final: bool) {
    // SAFETY: as in `allocate`. The library uses no chunk any more that it has had freed.
    unsafe {
        if (*kept).is_null() {
            return;
        }
        let chunks = &mut *(*kept).cast::<Chunks>();
        chunks.drain(..).for_each(|chunk| libc::free(chunk));
        if is_final {
            drop(Box::from_raw((*kept).cast::<Chunks>()));
            *kept = std::ptr::null_mut();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_a_bound() {
        let (mut kept, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the word is this test's, and is null at first.
        unsafe {
            for _ in 0..2 {
                for _ in 0..MOST {
                    assert!(!allocate(nothing, EVENTS, 0, &raw mut kept, 64).is_null());
                }
                assert!(allocate(nothing, EVENTS, 0, &raw mut kept, 64).is_null());
                free_all(nothing, EVENTS, 0, &raw mut kept, false);
            }
            assert!((0..9).all(|_| !allocate(nothing, 1, 0, &raw mut kept, 64).is_null()));
            free_all(nothing, EVENTS, 0, &raw mut kept, true);
        }
        assert!(kept.is_null());
    }
}
