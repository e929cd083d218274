//! Reductions (`__kmpc_reduce` and its kin). See [`crate::work::reduction`].

use super::Ident;
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::work::reduction;
use crate::work::reduction::{Merge, Request, Role};
use std::ffi::c_void;

/// `KMP_IDENT_ATOMIC_REDUCE` among `ident_t`'s flags: there is code for the atomic method.
const ATOMIC: i32 = 0x10;

/// Returns of `__kmpc_reduce*`.
const NOTHING: i32 = 0;
const COMBINE: i32 = 1;
const COMBINE_ATOMICALLY: i32 = 2;

/// Comes to a reduction.
///
/// # Safety
/// As for the entry points: what the compiler passes.
#[allow(clippy::too_many_arguments, reason = "the ABI says how many")]
unsafe fn begin(
    thread: &Thread,
    loc: *const Ident,
    data: *mut c_void,
    merge: Option<Merge>,
    lock: *mut u32,
    ends: bool,
    call: impl Caller,
) -> i32 {
    // SAFETY: null or made by the compiler.
    let atomic = unsafe { loc.as_ref() }.is_some_and(|ident| ident.flags & ATOMIC != 0);
    // SAFETY: the caller's.
    match unsafe { reduction::begin(thread, &Request { data, merge, atomic, lock, ends }, call) } {
        Role::Combine => COMBINE,
        Role::CombineAtomically => COMBINE_ATOMICALLY,
        Role::Done => NOTHING,
    }
}

split_wide_entry_point! {
    /// `__kmpc_reduce_nowait`: comes to a reduction with `nowait`. 1: combine, then call
    /// `__kmpc_end_reduce_nowait`; 2: combine with atomic operations; 0: nothing is left to do.
    pub fn __kmpc_reduce_nowait(
        loc: *const Ident, gtid: i32, count: i32, size: usize, data: *mut c_void, merge: Option<Merge>,
        lock: *mut u32,
    ) -> i32, |thread, call| {
        let _in = Entered::new(thread, call);
        // Behind the atomic method compilers do not call `__kmpc_end_reduce_nowait`.
        begin(thread, loc, data, merge, lock, false, call)
    }

    /// `__kmpc_reduce`: as `__kmpc_reduce_nowait`, but all threads wait for the result, in
    /// `__kmpc_end_reduce`, which is called after 1 and 2, or here.
    pub fn __kmpc_reduce(
        loc: *const Ident, gtid: i32, count: i32, size: usize, data: *mut c_void, merge: Option<Merge>,
        lock: *mut u32,
    ) -> i32, |thread, call| {
        let _in = Entered::new(thread, call);
        let role = begin(thread, loc, data, merge, lock, true, call);
        if role == NOTHING {
            reduction::wait_for_all(thread, call);
        }
        role
    }
}

split_entry_point! {
    /// `__kmpc_end_reduce_nowait`: the thread has combined its values.
    pub fn __kmpc_end_reduce_nowait(loc: *const Ident, gtid: i32, lock: *mut u32), |thread, call| {
        let _in = Entered::new(thread, call);
        reduction::end(thread, lock, call);
    }

    /// `__kmpc_end_reduce`: the thread has combined its values, and waits until all have.
    pub fn __kmpc_end_reduce(loc: *const Ident, gtid: i32, lock: *mut u32), |thread, call| {
        let _in = Entered::new(thread, call);
        reduction::end(thread, lock, call);
        reduction::wait_for_all(thread, call);
    }
}
