//! Routines about the current task (OpenMP 5.1 §3.5).

use std::ffi::c_int;

use super::{queries, versions};
use crate::icv;
use crate::task::{self, EventHandle};
use crate::team::query;
use crate::thread;

queries! {
    /// 1 where the current task is final, else 0 (§3.5.3).
    "OMP_3.1" fn omp_in_final, omp_in_final_ -> c_int { c_int::from(query::in_final()) }

    /// 1 where the current task is an explicit task, else 0 (§3.5.2).
    "OMP_5.2" fn omp_in_explicit_task, omp_in_explicit_task_ -> c_int { c_int::from(query::in_explicit_task()) }

    /// max-task-priority-var (§3.5.1).
    "OMP_4.5" fn omp_get_max_task_priority, omp_get_max_task_priority_ -> c_int {
        thread::current();
        icv::settings().max_task_priority
    }
}

/// Fulfils the event of a detachable task (§3.5.1).
///
/// # Safety
/// The handle is one that a `detach` clause has given, and its event has not been fulfilled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_fulfill_event(event: EventHandle) {
    // SAFETY: the caller upholds it.
    unsafe { task::fulfill(event) };
}

/// [`omp_fulfill_event`] as gfortran calls it: its interface passes the handle by value.
///
/// # Safety
/// As for [`omp_fulfill_event`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_fulfill_event_(event: EventHandle) {
    // SAFETY: the caller upholds it.
    unsafe { task::fulfill(event) };
}

versions! {
    omp_fulfill_event: "OMP_5.0.1";
    omp_fulfill_event_: "OMP_5.0.1";
}
