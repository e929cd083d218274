//! Routines about the current task (OpenMP 5.1 §3.5).

use crate::process::up;
use std::ffi::c_int;

use super::{queries, versions};
use crate::abi::entry_point;
use crate::icv;
use crate::ompt::Entered;
use crate::task::{self, EventHandle, agents};
use crate::team::query;

queries! {
    /// 1 where the current task is final, else 0 (§3.5.3).
    "OMP_3.1" fn omp_in_final, omp_in_final_ -> c_int { c_int::from(query::in_final()) }

    /// 1 where the current task is an explicit task, else 0 (§3.5.2).
    "OMP_5.2" fn omp_in_explicit_task, omp_in_explicit_task_ -> c_int { c_int::from(query::in_explicit_task()) }

    /// max-task-priority-var (§3.5.1).
    "OMP_4.5" fn omp_get_max_task_priority, omp_get_max_task_priority_ -> c_int {
        up::prepare_to_answer();
        icv::settings().max_task_priority
    }
}

/// 1 where a free agent executes the current task, else 0 (OpenMP 6.0, section 23.1.4).
#[unsafe(no_mangle)]
pub extern "C" fn omp_is_free_agent() -> c_int {
    agents::is_one().into()
}

/// As [`omp_is_free_agent`], from Fortran.
#[unsafe(no_mangle)]
pub extern "C" fn omp_is_free_agent_() -> c_int {
    agents::is_one().into()
}

/// 1 where the ancestor at that nesting level of the thread that executes the current task is a free agent, else 0
/// (OpenMP 6.0, section 23.1.5).
#[unsafe(no_mangle)]
pub extern "C" fn omp_ancestor_is_free_agent(level: c_int) -> c_int {
    query::ancestor_is_free_agent(level).into()
}

/// As [`omp_ancestor_is_free_agent`], from Fortran.
///
/// # Safety
/// The pointer is a Fortran argument: valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_ancestor_is_free_agent_(level: *const c_int) -> c_int {
    // SAFETY: the caller says so.
    query::ancestor_is_free_agent(unsafe { *level }).into()
}

entry_point! {
    /// `omp_fulfill_event`: fulfils the event of a detachable task (§3.5.1). Any thread may, also one that is none of
    /// OpenMP's.
    pub fn omp_fulfill_event(event: EventHandle), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill(event);
    }

    /// `omp_fulfill_event_`: as gfortran calls it, whose interface passes the handle by value.
    pub fn omp_fulfill_event_(event: EventHandle), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill(event);
    }
}

versions! {
    omp_fulfill_event: "OMP_5.0.1";
    omp_fulfill_event_: "OMP_5.0.1";
}
