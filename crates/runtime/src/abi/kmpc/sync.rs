//! Critical and atomic regions, and flush (`__kmpc_critical` and its kin). `abi/omp/locks.rs` has the entry points for
//! locks.

use super::Ident;
use crate::abi::lock_entry::lock_entry_points;
use crate::abi::split_entry_point;
use crate::model::atomic::{Ordering, fence};
use crate::ompt;
use crate::sync::critical;

lock_entry_points! {
    /// `__kmpc_critical`: enters the critical region whose lock lies at `name`, 32 zeroed bytes.
    pub fn __kmpc_critical(loc: *const Ident, gtid: i32, name: *mut u32) takes(enter_slowly, third);

    /// `__kmpc_end_critical`: leaves the critical region.
    pub fn __kmpc_end_critical(loc: *const Ident, gtid: i32, name: *mut u32) frees(leave_slowly, third);
}

split_entry_point! {
    /// `__kmpc_critical_with_hint`: as `__kmpc_critical`, with an `omp_sync_hint_t`.
    pub fn __kmpc_critical_with_hint(loc: *const Ident, gtid: i32, name: *mut u32, hint: u32), |call| {
        critical::enter(name, hint, call);
    }

    /// `__kmpc_atomic_start`: begins an atomic operation that the processor lacks.
    pub fn __kmpc_atomic_start(), |call| {
        critical::enter_atomic(call);
    }

    /// `__kmpc_atomic_end`: ends such an operation.
    pub fn __kmpc_atomic_end(), |call| {
        critical::leave_atomic(call);
    }

    /// `__kmpc_flush`: makes the thread's view of memory consistent with memory (OpenMP 5.1 §2.19.8).
    pub fn __kmpc_flush(loc: *const Ident), |thread, call| {
        fence(Ordering::SeqCst);
        ompt::flush(thread, call);
    }
}
