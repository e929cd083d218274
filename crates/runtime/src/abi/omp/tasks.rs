//! Routines about the current task (OpenMP 5.1 §3.5).

use crate::process::up;
use std::ffi::c_int;

use crate::abi::{entry_point, routines};
use crate::icv;
use crate::ompt::Entered;
use crate::task::{self, EventHandle, agents};
use crate::team::query;

routines! {
    /// 1 where the current task is final, else 0 (§3.5.3).
    "OMP_3.1" pub fn omp_in_final() -> c_int, fortran: omp_in_final_ { c_int::from(query::in_final()) }

    /// 1 where the current task is an explicit task, else 0 (§3.5.2).
    "OMP_5.2" pub fn omp_in_explicit_task() -> c_int, fortran: omp_in_explicit_task_ {
        c_int::from(query::in_explicit_task())
    }

    /// max-task-priority-var (§3.5.1).
    "OMP_4.5" pub fn omp_get_max_task_priority() -> c_int, fortran: omp_get_max_task_priority_ {
        up::prepare_to_answer();
        icv::settings().max_task_priority
    }

    /// 1 where a free agent executes the current task, else 0 (OpenMP 6.0, section 23.1.4).
    pub fn omp_is_free_agent() -> c_int, fortran: omp_is_free_agent_ { agents::is_one().into() }

    /// 1 where the ancestor of the executing thread at that nesting level is a free agent, else 0 (OpenMP 6.0, section
    /// 23.1.5).
    pub fn omp_ancestor_is_free_agent(level: c_int) -> c_int, fortran: omp_ancestor_is_free_agent_ {
        query::ancestor_is_free_agent(level).into()
    }
}

entry_point! {
    /// `omp_fulfill_event`: fulfils the event of a detachable task (§3.5.1). Any thread may call it, including threads
    /// that do not use OpenMP otherwise.
    "OMP_5.0.1" pub fn omp_fulfill_event(event: EventHandle), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill(event);
    }

    /// `omp_fulfill_event_`: as gfortran calls it. gfortran's interface passes the handle by value.
    "OMP_5.0.1" pub fn omp_fulfill_event_(event: EventHandle), |call| {
        let _in = Entered::by_any_thread(call);
        task::fulfill(event);
    }
}
