//! Lock routines (OpenMP 5.1 §3.9), and the entry points for locks that clang's code may call. A program's `omp_lock_t`
//! has 4 bytes where gcc compiled the program and 8 where clang did, an `omp_nest_lock_t` 8 or 16. The lock lives in
//! the first 4 or 8 of these bytes. Fortran passes the same address.

use std::ffi::c_int;

use crate::abi::kmpc::Ident;
use crate::abi::lock_entry::lock_entry_points;
use crate::abi::split_entry_point;
use crate::sync::{lock, nest_lock};

/// `omp_sync_hint_none`: what a lock is initialised with where the program gives no hint.
const NO_HINT: u32 = 0;

/// Defines lock routines, one row a routine: in C's and Fortran's spelling, and as clang's code calls them. The body is
/// a function of the lock's address and the caller.
macro_rules! lock_routines {
    ($($(#[$meta:meta])* fn $name:ident, $fortran:ident, $kmpc:ident $(-> $ret:ty)? = $body:expr;)*) => {$(
        split_entry_point! {
            $(#[$meta])*
            ///
            /// # Safety
            /// The argument points to a lock variable.
            "OMP_1.0" "OMP_3.0" pub fn $name(lock: *mut u32) $(-> $ret)?, |call| { ($body)(lock, call) }

            /// The same as Fortran calls it.
            ///
            /// # Safety
            /// As in C.
            "OMP_1.0" "OMP_3.0" pub fn $fortran(lock: *mut u32) $(-> $ret)?, |call| { ($body)(lock, call) }

            /// The same as clang's code calls it.
            ///
            /// # Safety
            /// As in C.
            pub fn $kmpc(loc: *const Ident, gtid: i32, lock: *mut u32) $(-> $ret)?, |call| { ($body)(lock, call) }
        }
    )*};
}

lock_routines! {
    /// Initialises a lock, unlocked (§3.9.1).
    fn omp_init_lock, omp_init_lock_, __kmpc_init_lock = |lock, call| lock::init(lock, NO_HINT, call);

    /// Ends a lock's use (§3.9.3).
    fn omp_destroy_lock, omp_destroy_lock_, __kmpc_destroy_lock = |lock, call| lock::destroy(lock, call);

    /// Takes the lock if that needs no waiting; 1 where it did, else 0 (§3.9.6).
    fn omp_test_lock, omp_test_lock_, __kmpc_test_lock -> c_int = |lock, call| c_int::from(lock::test(lock, call));

    /// Initialises a nestable lock, unlocked (§3.9.1).
    fn omp_init_nest_lock, omp_init_nest_lock_, __kmpc_init_nest_lock =
        |lock, call| nest_lock::init(lock, NO_HINT, call);

    /// Ends a nestable lock's use (§3.9.3).
    fn omp_destroy_nest_lock, omp_destroy_nest_lock_, __kmpc_destroy_nest_lock =
        |lock, call| nest_lock::destroy(lock, call);

    /// Waits until the nestable lock is the caller's, and increments the nesting count (§3.9.4).
    fn omp_set_nest_lock, omp_set_nest_lock_, __kmpc_set_nest_lock = |lock, call| nest_lock::set(lock, call);

    /// Decrements the nesting count of the nestable lock; releases the lock where the count becomes 0 (§3.9.5).
    fn omp_unset_nest_lock, omp_unset_nest_lock_, __kmpc_unset_nest_lock = |lock, call| nest_lock::unset(lock, call);

    /// Takes the nestable lock if that needs no waiting; the new nesting count, or 0 where it did not (§3.9.6).
    fn omp_test_nest_lock, omp_test_nest_lock_, __kmpc_test_nest_lock -> c_int =
        |lock, call| nest_lock::test(lock, call);
}

lock_entry_points! {
    /// Waits until the lock is the caller's (§3.9.4).
    "OMP_1.0" "OMP_3.0" pub fn omp_set_lock(lock: *mut u32) takes(set_slowly, first);

    /// [`omp_set_lock`] as Fortran calls it.
    "OMP_1.0" "OMP_3.0" pub fn omp_set_lock_(lock: *mut u32) takes(set_slowly, first);

    /// [`omp_set_lock`] as clang's code calls it.
    pub fn __kmpc_set_lock(loc: *const Ident, gtid: i32, lock: *mut u32) takes(set_slowly, third);

    /// Releases the lock (§3.9.5).
    "OMP_1.0" "OMP_3.0" pub fn omp_unset_lock(lock: *mut u32) frees(unset_slowly, first);

    /// [`omp_unset_lock`] as Fortran calls it.
    "OMP_1.0" "OMP_3.0" pub fn omp_unset_lock_(lock: *mut u32) frees(unset_slowly, first);

    /// [`omp_unset_lock`] as clang's code calls it.
    pub fn __kmpc_unset_lock(loc: *const Ident, gtid: i32, lock: *mut u32) frees(unset_slowly, third);
}

split_entry_point! {
    /// Initialises a lock that is expected to be used as the hint says (§3.9.2).
    ///
    /// # Safety
    /// The first argument points to a lock variable.
    pub fn omp_init_lock_with_hint(lock: *mut u32, hint: u32), |call| { lock::init(lock, hint, call) }

    /// [`omp_init_lock_with_hint`] as Fortran calls it.
    ///
    /// # Safety
    /// As for [`omp_init_lock_with_hint`]; the hint points to an integer.
    pub fn omp_init_lock_with_hint_(lock: *mut u32, hint: *const u32), |call| { lock::init(lock, *hint, call) }

    /// [`omp_init_lock_with_hint`] as clang's code calls it.
    ///
    /// # Safety
    /// As for [`omp_init_lock_with_hint`].
    pub fn __kmpc_init_lock_with_hint(loc: *const Ident, gtid: i32, lock: *mut u32, hint: usize), |call| {
        lock::init(lock, hint as u32, call);
    }

    /// Initialises a nestable lock that is expected to be used as the hint says (§3.9.2).
    ///
    /// # Safety
    /// The first argument points to a lock variable.
    pub fn omp_init_nest_lock_with_hint(lock: *mut u32, hint: u32), |call| { nest_lock::init(lock, hint, call) }

    /// [`omp_init_nest_lock_with_hint`] as Fortran calls it.
    ///
    /// # Safety
    /// As for [`omp_init_nest_lock_with_hint`]; the hint points to an integer.
    pub fn omp_init_nest_lock_with_hint_(lock: *mut u32, hint: *const u32), |call| {
        nest_lock::init(lock, *hint, call);
    }

    /// [`omp_init_nest_lock_with_hint`] as clang's code calls it.
    ///
    /// # Safety
    /// As for [`omp_init_nest_lock_with_hint`].
    pub fn __kmpc_init_nest_lock_with_hint(loc: *const Ident, gtid: i32, lock: *mut u32, hint: usize), |call| {
        nest_lock::init(lock, hint as u32, call);
    }
}
