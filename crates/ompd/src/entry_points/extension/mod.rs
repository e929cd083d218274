//! Functions that a debugger needs and OpenMP 5.1 lacks: lists of threads, tasks and regions, the arrivals at a
//! barrier, and handles for the members of such lists. Their names begin with `ferromp_ompd_`.
//!
//! A list lies in the debugger's memory: it gives it back by [`ferromp_ompd_free`]. An empty list is a null pointer.
//! All functions return `ompd_rc_bad_input` for null pointers, and otherwise what section 5.5 lists at its beginning.

mod arrivals;
mod handles;
mod locks;
mod parallels;
mod tasks;
mod threads;

pub use arrivals::*;
pub use handles::*;
pub use locks::*;
pub use parallels::*;
pub use tasks::*;
pub use threads::*;

use crate::answer::{answer, place};
use crate::heap::{Heap, List};
use crate::space::Space;
use crate::{Rc, Size, library};
use std::ffi::c_void;

/// Gives a list back; null is none.
///
/// # Safety
/// `list` is null or was written by one of these functions, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_free(list: *mut c_void) -> Rc {
    let free = || {
        let heap = Heap::of(&library::callbacks()?)?;
        if !list.is_null() {
            heap.give_back(list);
        }
        Ok(())
    };
    answer(free())
}

/// Writes the list that `fill` fills from an address space and an object of the space.
///
/// # Safety
/// `records` and `count` are null or may be written to.
unsafe fn write_list<O, T: Copy>(
    records: *mut *mut T,
    count: *mut Size,
    subject: Result<(Space, O), Rc>,
    fill: impl FnOnce(&Space, O, &mut List<T>) -> Result<(), Rc>,
) -> Rc {
    let write = || {
        let (space, object) = subject?;
        // SAFETY: the pointers are null or valid by the contract above.
        let (records, count) = unsafe { (place(records)?, place(count)?) };
        let mut list = List::new(space.memory.heap());
        fill(&space, object, &mut list)?;
        let (start, len) = list.into_raw();
        *records = start;
        *count = len as Size;
        Ok(())
    };
    answer(write())
}
