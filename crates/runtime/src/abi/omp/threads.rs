//! Routines that tell a thread where in its team and in the nest of regions it is (OpenMP 5.1 §3.2, §3.4).

use crate::objects::current;
use crate::process::up;
use std::ffi::c_int;

use super::{integer_routines, queries};
use crate::icv;
use crate::objects::structures::Thread;
use crate::team::query;

queries! {
    /// Threads of the current team (§3.2.2).
    "OMP_1.0" fn omp_get_num_threads, omp_get_num_threads_ -> c_int { query::num_threads() }

    /// The calling thread's number in its team (§3.2.4).
    "OMP_1.0" fn omp_get_thread_num, omp_get_thread_num_ -> c_int { query::thread_num() }

    /// 1 inside an active parallel region, else 0 (§3.2.5).
    "OMP_1.0" fn omp_in_parallel, omp_in_parallel_ -> c_int { c_int::from(query::in_parallel()) }

    /// Nested parallel regions around the caller, active or not (§3.2.17).
    "OMP_3.0" fn omp_get_level, omp_get_level_ -> c_int { query::level() }

    /// Nested active parallel regions around the caller (§3.2.20).
    "OMP_3.0" fn omp_get_active_level, omp_get_active_level_ -> c_int { query::active_level() }

    /// Initial teams of the current teams region; outside one there is 1 (§3.4.1).
    "OMP_4.0" fn omp_get_num_teams, omp_get_num_teams_ -> c_int { query::num_teams() }

    /// The number of the caller's initial team; outside a teams region it is 0 (§3.4.2).
    "OMP_4.0" fn omp_get_team_num, omp_get_team_num_ -> c_int { query::team_num() }

    /// nteams-var: the most teams of a teams region whose construct does not say how many, 0 where the runtime chooses
    /// (§3.4.4).
    "OMP_5.1" fn omp_get_max_teams, omp_get_max_teams_ -> c_int {
        up::prepare_to_answer();
        icv::num_teams(device())
    }

    /// teams-thread-limit-var: the most threads of each team of such a region, 0 where the runtime chooses (§3.4.6).
    "OMP_5.1" fn omp_get_teams_thread_limit, omp_get_teams_thread_limit_ -> c_int {
        up::prepare_to_answer();
        icv::teams_thread_limit(device())
    }
}

/// The device whose thread asks.
fn device() -> i32 {
    current::for_query().map_or(crate::objects::thread::HOST, Thread::device)
}

integer_routines! {
    /// Sets nteams-var; a number that is not positive leaves the choice to the runtime (§3.4.3).
    "OMP_5.1" fn omp_set_num_teams, omp_set_num_teams_, omp_set_num_teams_8_(count) -> () {
        icv::set_num_teams(current::current().device(), count);
    }

    /// Sets teams-thread-limit-var; a number that is not positive leaves the choice to the runtime (§3.4.5).
    "OMP_5.1" fn omp_set_teams_thread_limit, omp_set_teams_thread_limit_, omp_set_teams_thread_limit_8_(limit) -> () {
        icv::set_teams_thread_limit(current::current().device(), limit);
    }

    /// The thread number at a nesting level of the calling thread's ancestor there, -1 for a level that does not exist
    /// (§3.2.18).
    "OMP_3.0" fn omp_get_ancestor_thread_num, omp_get_ancestor_thread_num_, omp_get_ancestor_thread_num_8_(level) -> c_int {
        query::ancestor_thread_num(level)
    }

    /// The size of the team at a nesting level around the caller, -1 for a level that does not exist (§3.2.19).
    "OMP_3.0" fn omp_get_team_size, omp_get_team_size_, omp_get_team_size_8_(level) -> c_int { query::team_size(level) }
}

/// [`omp_get_ancestor_thread_num`] as Fortran's `bind(c)` interface calls it.
#[unsafe(no_mangle)]
pub extern "C" fn ompc_get_ancestor_thread_num(level: c_int) -> c_int {
    omp_get_ancestor_thread_num(level)
}

/// [`omp_get_team_size`] as Fortran's `bind(c)` interface calls it.
#[unsafe(no_mangle)]
pub extern "C" fn ompc_get_team_size(level: c_int) -> c_int {
    omp_get_team_size(level)
}
