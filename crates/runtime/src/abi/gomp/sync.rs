//! Critical, atomic and ordered regions, and cancellation (`GOMP_critical_*` and its kin).

use crate::abi::lock_entry::lock_entry_points;
use crate::abi::split_entry_point;
use crate::barrier;
use crate::sync::critical;
use crate::work::cancel::{self, Construct};
use crate::work::ordered;
use ::ompt::SyncRegion;
use std::ffi::{c_int, c_void};

lock_entry_points! {
    /// `GOMP_critical_start`: enters the critical region without a name.
    pub fn GOMP_critical_start() takes(enter_slowly, critical::UNNAMED);

    /// `GOMP_critical_end`: leaves it.
    pub fn GOMP_critical_end() frees(leave_slowly, critical::UNNAMED);

    /// `GOMP_critical_name_start`: enters a named critical region; the compiler reserves a zeroed pointer, whose first
    /// half is the lock.
    pub fn GOMP_critical_name_start(name: *mut *mut c_void) takes(enter_slowly, first);

    /// `GOMP_critical_name_end`: leaves it.
    pub fn GOMP_critical_name_end(name: *mut *mut c_void) frees(leave_slowly, first);
}

split_entry_point! {
    /// `GOMP_atomic_start`: begins an atomic operation that the processor lacks.
    pub fn GOMP_atomic_start(), |call| {
        critical::enter_atomic(call);
    }

    /// `GOMP_atomic_end`: ends it.
    pub fn GOMP_atomic_end(), |call| {
        critical::leave_atomic(call);
    }

    /// `GOMP_ordered_start`: enters an ordered region.
    pub fn GOMP_ordered_start(), |thread, call, _in| {
        ordered::begin(thread, call);
    }

    /// `GOMP_ordered_end`: leaves it.
    pub fn GOMP_ordered_end(), |thread, call, _in| {
        ordered::end(thread, call);
    }

    /// `GOMP_barrier_cancel`: a barrier of any kind, as `GOMP_barrier`; whether the parallel region has been cancelled.
    pub fn GOMP_barrier_cancel() -> bool, |thread, call, _in| {
        barrier::barrier(thread, SyncRegion::BARRIER_EXPLICIT, call);
        cancel::is_region_cancelled(thread, call)
    }

    /// `GOMP_cancel`: requests cancellation. Where the `if` clause is false, the call is a cancellation point. Returns
    /// whether the construct is cancelled.
    pub fn GOMP_cancel(which: c_int, requested: bool) -> bool, |thread, call, _in| {
        let construct = construct(which);
        match requested {
            true => cancel::cancel(thread, construct, call),
            false => cancel::cancellation_point(thread, construct, call),
        }
    }

    /// `GOMP_cancellation_point`: whether the construct is cancelled.
    pub fn GOMP_cancellation_point(which: c_int) -> bool, |thread, call, _in| {
        cancel::cancellation_point(thread, construct(which), call)
    }
}

/// The construct of an `enum gomp_cancel_kind`. Each construct has a bit: 1 parallel, 2 loop, 4 sections, 8 taskgroup.
fn construct(which: c_int) -> Construct {
    match which {
        _ if which & 2 != 0 => Construct::Loop,
        _ if which & 4 != 0 => Construct::Sections,
        _ if which & 8 != 0 => Construct::Taskgroup,
        _ => Construct::Parallel,
    }
}
