//! Reductions (`__kmpc_reduce` and its kin). See [`crate::work::reduction`].

use super::Ident;
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::work::merges::Merge;
use crate::work::reduction::{self, Request, Role};
use std::ffi::c_void;

/// `KMP_IDENT_ATOMIC_REDUCE` among `ident_t`'s flags: there is code for the atomic method.
const ATOMIC: i32 = 0x10;

/// Return values of `__kmpc_reduce*`.
const NOTHING: i32 = 0;
const COMBINE: i32 = 1;
const COMBINE_ATOMICALLY: i32 = 2;

/// The encountering thread's part in a reduction: a return value of `__kmpc_reduce*`.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
#[allow(clippy::too_many_arguments, reason = "the ABI says how many")]
unsafe fn begin(
    thread: &Thread,
    loc: *const Ident,
    count: i32,
    data: *mut c_void,
    merge: Option<Merge>,
    lock: *mut u32,
    ends: bool,
    call: impl Caller,
) -> i32 {
    // SAFETY: null or made by the compiler.
    let atomic = unsafe { loc.as_ref() }.is_some_and(|ident| ident.flags & ATOMIC != 0);
    let variables = u32::try_from(count).unwrap_or(0);
    let request = Request { data, merge, variables, atomic, lock, ends };
    // SAFETY: the caller keeps to the `# Safety` section.
    match unsafe { reduction::begin(thread, &request, call) } {
        Role::Combine => COMBINE,
        Role::CombineAtomically => COMBINE_ATOMICALLY,
        Role::Done => NOTHING,
    }
}

split_wide_entry_point! {
    /// `__kmpc_reduce_nowait`: begins a reduction with `nowait`. Returns 1 where the thread is to combine its values
    /// and then call `__kmpc_end_reduce_nowait`, 2 where it is to combine them with atomic operations, 0 where nothing
    /// is left to do.
    pub fn __kmpc_reduce_nowait(
        loc: *const Ident, gtid: i32, count: i32, size: usize, data: *mut c_void, merge: Option<Merge>,
        lock: *mut u32,
    ) -> i32, |thread, call, _in| {
        // After the atomic method compilers do not call `__kmpc_end_reduce_nowait`.
        begin(thread, loc, count, data, merge, lock, false, call)
    }

    /// `__kmpc_reduce`: as `__kmpc_reduce_nowait`, but all threads wait for the result. After 1 and 2 the program calls
    /// `__kmpc_end_reduce`, which waits; after 0 this function has waited.
    pub fn __kmpc_reduce(
        loc: *const Ident, gtid: i32, count: i32, size: usize, data: *mut c_void, merge: Option<Merge>,
        lock: *mut u32,
    ) -> i32, |thread, call, _in| {
        let role = begin(thread, loc, count, data, merge, lock, true, call);
        if role == NOTHING {
            reduction::wait_for_all(thread, call);
        }
        role
    }
}

split_entry_point! {
    /// `__kmpc_end_reduce_nowait`: the thread has combined its values.
    pub fn __kmpc_end_reduce_nowait(loc: *const Ident, gtid: i32, lock: *mut u32), |thread, call, _in| {
        reduction::end(thread, lock, call);
    }

    /// `__kmpc_end_reduce`: the thread has combined its values, and waits until all have.
    pub fn __kmpc_end_reduce(loc: *const Ident, gtid: i32, lock: *mut u32), |thread, call, _in| {
        reduction::end(thread, lock, call);
        reduction::wait_for_all(thread, call);
    }
}
