//! Lock routines (OpenMP 5.1 §3.9). A program's `omp_lock_t` has 4 bytes where gcc compiled it and 8 where clang did,
//! an `omp_nest_lock_t` 8 or 16: the lock lives in the first 4 or 8 of them. Fortran passes the same address.

use std::ffi::c_int;

use super::versions;
use crate::abi::split_entry_point;
use crate::sync::{lock, nest_lock};

/// `omp_sync_hint_none`: what a lock is initialised with where the program gives no hint.
const NO_HINT: u32 = 0;

/// Defines lock routines in both spellings, with the lock's address as the only argument and the body given as a
/// function of the address and the caller.
macro_rules! lock_routines {
    ($($(#[$meta:meta])* fn $name:ident, $fortran:ident($lock:ty) $(-> $ret:ty)? = $body:expr;)*) => {$(
        split_entry_point! {
            $(#[$meta])*
            ///
            /// # Safety
            /// The argument points to a lock variable.
            pub fn $name(lock: *mut $lock) $(-> $ret)?, |call| { ($body)(lock, call) }

            #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
            ///
            /// # Safety
            #[doc = concat!("As for [`", stringify!($name), "`].")]
            pub fn $fortran(lock: *mut $lock) $(-> $ret)?, |call| { ($body)(lock, call) }
        }

        versions! { $name: "OMP_1.0" "OMP_3.0"; $fortran: "OMP_1.0" "OMP_3.0"; }
    )*};
}

lock_routines! {
    /// Initialises a lock, unlocked (§3.9.1).
    fn omp_init_lock, omp_init_lock_(u32) = |lock, call| lock::init(lock, NO_HINT, call);

    /// Ends a lock's use (§3.9.3).
    fn omp_destroy_lock, omp_destroy_lock_(u32) = |lock, call| lock::destroy(lock, call);

    /// Waits until the lock is the caller's (§3.9.4).
    fn omp_set_lock, omp_set_lock_(u32) = |lock, call| lock::set(lock, call);

    /// Releases the lock (§3.9.5).
    fn omp_unset_lock, omp_unset_lock_(u32) = |lock, call| lock::unset(lock, call);

    /// Takes the lock if that needs no waiting; 1 where it did, else 0 (§3.9.6).
    fn omp_test_lock, omp_test_lock_(u32) -> c_int = |lock, call| c_int::from(lock::test(lock, call));

    /// Initialises a nestable lock, unlocked (§3.9.1).
    fn omp_init_nest_lock, omp_init_nest_lock_(u32) = |lock, call| nest_lock::init(lock, NO_HINT, call);

    /// Ends a nestable lock's use (§3.9.3).
    fn omp_destroy_nest_lock, omp_destroy_nest_lock_(u32) = |lock, call| nest_lock::destroy(lock, call);

    /// Waits until the nestable lock is the caller's, and counts how often it is (§3.9.4).
    fn omp_set_nest_lock, omp_set_nest_lock_(u32) = |lock, call| nest_lock::set(lock, call);

    /// Takes back one setting of the nestable lock; the last one releases it (§3.9.5).
    fn omp_unset_nest_lock, omp_unset_nest_lock_(u32) = |lock, call| nest_lock::unset(lock, call);

    /// Takes the nestable lock if that needs no waiting; the new nesting count, or 0 where it did not (§3.9.6).
    fn omp_test_nest_lock, omp_test_nest_lock_(u32) -> c_int = |lock, call| nest_lock::test(lock, call);
}

split_entry_point! {
    /// Initialises a lock that is expected to be used as the hint says (§3.9.2).
    ///
    /// # Safety
    /// The argument points to a lock variable.
    pub fn omp_init_lock_with_hint(lock: *mut u32, hint: u32), |call| { lock::init(lock, hint, call) }

    /// [`omp_init_lock_with_hint`] as Fortran calls it.
    ///
    /// # Safety
    /// As for [`omp_init_lock_with_hint`]; the hint points to an integer.
    pub fn omp_init_lock_with_hint_(lock: *mut u32, hint: *const u32), |call| { lock::init(lock, *hint, call) }

    /// Initialises a nestable lock that is expected to be used as the hint says (§3.9.2).
    ///
    /// # Safety
    /// The argument points to a nestable lock variable.
    pub fn omp_init_nest_lock_with_hint(lock: *mut u32, hint: u32), |call| { nest_lock::init(lock, hint, call) }

    /// [`omp_init_nest_lock_with_hint`] as Fortran calls it.
    ///
    /// # Safety
    /// As for [`omp_init_nest_lock_with_hint`]; the hint points to an integer.
    pub fn omp_init_nest_lock_with_hint_(lock: *mut u32, hint: *const u32), |call| {
        nest_lock::init(lock, *hint, call)
    }
}
