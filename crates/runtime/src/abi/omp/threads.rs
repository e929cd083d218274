//! Routines about a thread's place in its team and in the nest of regions (OpenMP 5.1 §3.2, §3.4).

use crate::objects::current;
use crate::process::up;
use std::ffi::c_int;

use crate::abi::routines;
use crate::icv;
use crate::objects::structures::Thread;
use crate::team::query;

routines! {
    /// Threads of the current team (§3.2.2).
    "OMP_1.0" pub fn omp_get_num_threads() -> c_int, fortran: omp_get_num_threads_ { query::num_threads() }

    /// The calling thread's number in its team (§3.2.4).
    "OMP_1.0" pub fn omp_get_thread_num() -> c_int, fortran: omp_get_thread_num_ { query::thread_num() }

    /// 1 inside an active parallel region, else 0 (§3.2.5).
    "OMP_1.0" pub fn omp_in_parallel() -> c_int, fortran: omp_in_parallel_ { c_int::from(query::in_parallel()) }

    /// Nested parallel regions around the caller, active or not (§3.2.17).
    "OMP_3.0" pub fn omp_get_level() -> c_int, fortran: omp_get_level_ { query::level() }

    /// Nested active parallel regions around the caller (§3.2.20).
    "OMP_3.0" pub fn omp_get_active_level() -> c_int, fortran: omp_get_active_level_ { query::active_level() }

    /// Initial teams of the current teams region; outside one there is 1 (§3.4.1).
    "OMP_4.0" pub fn omp_get_num_teams() -> c_int, fortran: omp_get_num_teams_ { query::num_teams() }

    /// The number of the caller's initial team; outside a teams region it is 0 (§3.4.2).
    "OMP_4.0" pub fn omp_get_team_num() -> c_int, fortran: omp_get_team_num_ { query::team_num() }

    /// nteams-var: the most teams of a teams region without a `num_teams` clause, 0 where the runtime chooses (§3.4.4).
    "OMP_5.1" pub fn omp_get_max_teams() -> c_int, fortran: omp_get_max_teams_ {
        up::prepare_to_answer();
        icv::NUM_TEAMS.get(device())
    }

    /// teams-thread-limit-var: the most threads of each team of such a region, 0 where the runtime chooses (§3.4.6).
    "OMP_5.1" pub fn omp_get_teams_thread_limit() -> c_int, fortran: omp_get_teams_thread_limit_ {
        up::prepare_to_answer();
        icv::TEAMS_THREAD_LIMIT.get(device())
    }
}

/// The calling thread's device.
fn device() -> i32 {
    current::for_query().map_or(crate::objects::thread::HOST, Thread::device)
}

routines! {
    /// Sets nteams-var; a number that is not positive leaves the choice to the runtime (§3.4.3).
    "OMP_5.1" pub fn omp_set_num_teams(count: c_int), fortran: omp_set_num_teams_ omp_set_num_teams_8_ {
        icv::NUM_TEAMS.set(current::current().device(), count);
    }

    /// Sets teams-thread-limit-var; a number that is not positive leaves the choice to the runtime (§3.4.5).
    "OMP_5.1" pub fn omp_set_teams_thread_limit(limit: c_int),
        fortran: omp_set_teams_thread_limit_ omp_set_teams_thread_limit_8_ {
        icv::TEAMS_THREAD_LIMIT.set(current::current().device(), limit);
    }

    /// The thread number at a nesting level of the calling thread's ancestor there, -1 for a level that does not exist
    /// (§3.2.18).
    "OMP_3.0" pub fn omp_get_ancestor_thread_num(level: c_int) -> c_int, also: ompc_get_ancestor_thread_num,
        fortran: omp_get_ancestor_thread_num_ omp_get_ancestor_thread_num_8_ {
        query::ancestor_thread_num(level)
    }

    /// The size of the team at a nesting level around the caller, -1 for a level that does not exist (§3.2.19).
    "OMP_3.0" pub fn omp_get_team_size(level: c_int) -> c_int, also: ompc_get_team_size,
        fortran: omp_get_team_size_ omp_get_team_size_8_ { query::team_size(level) }
}
