//! Critical and atomic regions, flush, the lock entry points (`__kmpc_critical` and its kin).

use super::Ident;
use crate::abi::split_entry_point;
use crate::model::atomic::{Ordering, fence};
use crate::ompt;
use crate::sync::{critical, lock, nest_lock};

split_entry_point! {
    /// `__kmpc_critical`: enters the critical region whose lock lies at `name`, 32 zeroed bytes.
    pub fn __kmpc_critical(loc: *const Ident, gtid: i32, name: *mut u32), |call| {
        critical::enter(name, 0, call);
    }

    /// `__kmpc_critical_with_hint`: as `__kmpc_critical`, with an `omp_sync_hint_t`.
    pub fn __kmpc_critical_with_hint(loc: *const Ident, gtid: i32, name: *mut u32, hint: u32), |call| {
        critical::enter(name, hint, call);
    }

    /// `__kmpc_end_critical`: leaves the critical region.
    pub fn __kmpc_end_critical(loc: *const Ident, gtid: i32, name: *mut u32), |call| {
        critical::leave(name, call);
    }

    /// `__kmpc_atomic_start`: begins an atomic operation that the processor lacks.
    pub fn __kmpc_atomic_start(), |call| {
        critical::enter_atomic(call);
    }

    /// `__kmpc_atomic_end`: ends such an operation.
    pub fn __kmpc_atomic_end(), |call| {
        critical::leave_atomic(call);
    }

    /// `__kmpc_init_lock`: as `omp_init_lock`, of a lock variable of 8 bytes.
    pub fn __kmpc_init_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        lock::init(lock, 0, call);
    }

    /// `__kmpc_init_lock_with_hint`: as `omp_init_lock_with_hint`.
    pub fn __kmpc_init_lock_with_hint(loc: *const Ident, gtid: i32, lock: *mut u32, hint: usize), |call| {
        lock::init(lock, hint as u32, call);
    }

    /// `__kmpc_destroy_lock`: as `omp_destroy_lock`.
    pub fn __kmpc_destroy_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        lock::destroy(lock, call);
    }

    /// `__kmpc_set_lock`: as `omp_set_lock`.
    pub fn __kmpc_set_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        lock::set(lock, call);
    }

    /// `__kmpc_unset_lock`: as `omp_unset_lock`.
    pub fn __kmpc_unset_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        lock::unset(lock, call);
    }

    /// `__kmpc_test_lock`: as `omp_test_lock`.
    pub fn __kmpc_test_lock(loc: *const Ident, gtid: i32, lock: *mut u32) -> i32, |call| {
        i32::from(lock::test(lock, call))
    }

    /// `__kmpc_init_nest_lock`: as `omp_init_nest_lock`, of a lock variable of 8 bytes.
    pub fn __kmpc_init_nest_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        nest_lock::init(lock, 0, call);
    }

    /// `__kmpc_init_nest_lock_with_hint`: as `omp_init_nest_lock_with_hint`.
    pub fn __kmpc_init_nest_lock_with_hint(loc: *const Ident, gtid: i32, lock: *mut u32, hint: usize), |call| {
        nest_lock::init(lock, hint as u32, call);
    }

    /// `__kmpc_destroy_nest_lock`: as `omp_destroy_nest_lock`.
    pub fn __kmpc_destroy_nest_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        nest_lock::destroy(lock, call);
    }

    /// `__kmpc_set_nest_lock`: as `omp_set_nest_lock`.
    pub fn __kmpc_set_nest_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        nest_lock::set(lock, call);
    }

    /// `__kmpc_unset_nest_lock`: as `omp_unset_nest_lock`.
    pub fn __kmpc_unset_nest_lock(loc: *const Ident, gtid: i32, lock: *mut u32), |call| {
        nest_lock::unset(lock, call);
    }

    /// `__kmpc_test_nest_lock`: as `omp_test_nest_lock`.
    pub fn __kmpc_test_nest_lock(loc: *const Ident, gtid: i32, lock: *mut u32) -> i32, |call| {
        nest_lock::test(lock, call)
    }
}

split_entry_point! {
    /// `__kmpc_flush`: makes the thread's view of memory consistent with memory (OpenMP 5.1 §2.19.8).
    pub fn __kmpc_flush(loc: *const Ident), |thread, call| {
        fence(Ordering::SeqCst);
        ompt::flush(thread, call);
    }
}
