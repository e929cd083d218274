//! Routines that read and write the ICVs of the current task, and `omp_display_env` (OpenMP 5.1 §3.2, §3.15).

use crate::objects::{current, switch};
use crate::process::up;
use std::ffi::c_int;

use crate::abi::routine::saturated;
use crate::abi::routines;
use crate::icv::{self, Icvs, Monotonicity, SUPPORTED_ACTIVE_LEVELS, Schedule, ScheduleKind};
use crate::team::query;

/// The bit of an `omp_sched_t` for the monotonic modifier.
const MONOTONIC: u32 = 1 << 31;

routines! {
    /// The first element of nthreads-var: no region forked here without a `num_threads` clause has more threads
    /// (§3.2.3).
    "OMP_1.0" pub fn omp_get_max_threads() -> c_int, fortran: omp_get_max_threads_ {
        up::read_icvs(|icvs| icvs.nthreads)
    }

    /// dyn-var (§3.2.7).
    "OMP_1.0" pub fn omp_get_dynamic() -> c_int, fortran: omp_get_dynamic_ {
        c_int::from(up::read_icvs(|icvs| icvs.dynamic))
    }

    /// Whether a region forked here could be an active nested one (§3.2.10).
    "OMP_1.0" pub fn omp_get_nested() -> c_int, fortran: omp_get_nested_ {
        let levels = up::read_icvs(|icvs| icvs.max_active_levels);
        c_int::from(levels > 1 && levels > query::active_level())
    }

    /// thread-limit-var (§3.2.13).
    "OMP_3.0" pub fn omp_get_thread_limit() -> c_int, fortran: omp_get_thread_limit_ {
        up::read_icvs(|icvs| icvs.thread_limit)
    }

    /// max-active-levels-var (§3.2.16).
    "OMP_3.0" pub fn omp_get_max_active_levels() -> c_int, fortran: omp_get_max_active_levels_ {
        up::read_icvs(|icvs| icvs.max_active_levels)
    }

    /// The largest value that max-active-levels-var can have (§3.2.14).
    "OMP_5.0.1" pub fn omp_get_supported_active_levels() -> c_int, fortran: omp_get_supported_active_levels_ {
        SUPPORTED_ACTIVE_LEVELS
    }

    /// cancel-var (§3.2.8).
    "OMP_4.0" pub fn omp_get_cancellation() -> c_int, fortran: omp_get_cancellation_ {
        up::prepare_to_answer();
        c_int::from(switch::enabled())
    }

    /// Sets the first element of nthreads-var; less than one counts as one (§3.2.1).
    "OMP_1.0" pub fn omp_set_num_threads(threads: c_int), also: ompc_set_num_threads,
        fortran: omp_set_num_threads_ omp_set_num_threads_8_ {
        current::current().icvs_mut().nthreads = threads.max(1);
    }

    /// Sets dyn-var (§3.2.6).
    "OMP_1.0" pub fn omp_set_dynamic(dynamic: c_int), also: ompc_set_dynamic,
        fortran: omp_set_dynamic_ omp_set_dynamic_8_ {
        current::current().icvs_mut().dynamic = dynamic != 0;
    }

    /// Allows or forbids nested active regions, by way of max-active-levels-var (§3.2.9).
    "OMP_1.0" pub fn omp_set_nested(nested: c_int), also: ompc_set_nested,
        fortran: omp_set_nested_ omp_set_nested_8_ {
        set_nested(current::current().icvs_mut(), nested != 0);
    }

    /// Sets max-active-levels-var; a negative number changes nothing (§3.2.15).
    "OMP_3.0" pub fn omp_set_max_active_levels(levels: c_int), also: ompc_set_max_active_levels,
        fortran: omp_set_max_active_levels_ omp_set_max_active_levels_8_ {
        if levels >= 0 {
            current::current().icvs_mut().max_active_levels = levels;
        }
    }

    /// Prints the initial ICVs (§3.15.1).
    "OMP_5.1" pub fn omp_display_env(verbose: c_int), fortran: omp_display_env_ omp_display_env_8_ {
        current::current();
        icv::display(verbose != 0);
    }
}

/// Where max-active-levels-var already agrees, it stays as it is.
fn set_nested(icvs: &mut Icvs, nested: bool) {
    if nested != (icvs.max_active_levels > 1) {
        icvs.max_active_levels = if nested { SUPPORTED_ACTIVE_LEVELS } else { 1 };
    }
}

/// run-sched-var's value for the arguments of `omp_set_schedule`; `None` for a kind that neither OpenMP nor libomp has.
fn schedule_from(kind: u32, chunk: c_int) -> Option<Schedule> {
    let monotonic = if kind & MONOTONIC != 0 { Monotonicity::Monotonic } else { Monotonicity::Unspecified };
    let kind = match kind & !MONOTONIC {
        1 => ScheduleKind::Static,
        2 => ScheduleKind::Dynamic,
        3 => ScheduleKind::Guided,
        4 => ScheduleKind::Auto,
        101 => ScheduleKind::Trapezoidal,
        102 => ScheduleKind::StaticSteal,
        _ => return None,
    };
    let chunk = if kind == ScheduleKind::Auto { 0 } else { i64::from(chunk.max(0)) };
    Some(Schedule { kind, monotonic, chunk })
}

/// A value of run-sched-var as `omp_get_schedule` returns it. A kind other than static has a chunk size of at least 1:
/// of auto, libgomp and libomp say so, too. libomp's own kinds have their numbers in `kmp_sched_t`.
fn schedule_to(schedule: Schedule) -> (u32, c_int) {
    let modifier = if schedule.monotonic == Monotonicity::Monotonic { MONOTONIC } else { 0 };
    let least = i64::from(schedule.kind != ScheduleKind::Static);
    (schedule.kind as u32 | modifier, saturated(schedule.chunk.max(least)))
}

routines! {
    /// Sets run-sched-var; a kind that OpenMP does not have changes nothing (§3.2.11).
    "OMP_3.0" pub fn omp_set_schedule(kind: u32, chunk: c_int), also: ompc_set_schedule,
        fortran: omp_set_schedule_ omp_set_schedule_8_ {
        if let Some(schedule) = schedule_from(kind, chunk) {
            current::current().icvs_mut().run_sched = schedule;
        }
    }

    /// Reads run-sched-var (§3.2.12).
    ///
    /// # Safety
    /// Both arguments point to integers that may be written.
    "OMP_3.0" pub fn omp_get_schedule(kind: *mut u32, chunk: *mut c_int), fortran: omp_get_schedule_ {
        (*kind, *chunk) = schedule_to(up::read_icvs(|icvs| icvs.run_sched));
    }

    /// [`omp_get_schedule`] as Fortran calls it with a chunk size of 8 bytes.
    "OMP_3.0" pub fn omp_get_schedule_8_(kind: *mut u32, chunk: *mut i64) {
        let mut its_chunk = 0;
        omp_get_schedule(kind, &mut its_chunk);
        *chunk = i64::from(its_chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_come_back_as_they_were_set() {
        for (kind, chunk, expected) in [
            (1, 0, (1, 0)),
            (1, -1, (1, 0)),
            (1, 16, (1, 16)),
            (2, 0, (2, 1)),
            (3, 7, (3, 7)),
            (4, 9, (4, 1)),
            (101, 6, (101, 6)),
            (102, 0, (102, 1)),
            (102, 14, (102, 14)),
            (MONOTONIC | 102, 3, (MONOTONIC | 102, 3)),
            (MONOTONIC | 2, 5, (MONOTONIC | 2, 5)),
        ] {
            assert_eq!(schedule_from(kind, chunk).map(schedule_to), Some(expected), "{kind} {chunk}");
        }
        for kind in [0, 5, 100, 103, u32::MAX] {
            assert_eq!(schedule_from(kind, 1), None);
        }
    }

    #[test]
    fn nesting_is_a_matter_of_levels() {
        let mut icvs = icv::initial();
        for (before, nested, after) in [
            (1, true, SUPPORTED_ACTIVE_LEVELS),
            (0, true, SUPPORTED_ACTIVE_LEVELS),
            (3, true, 3),
            (3, false, 1),
            (0, false, 0),
        ] {
            icvs.max_active_levels = before;
            set_nested(&mut icvs, nested);
            assert_eq!(icvs.max_active_levels, after);
        }
    }
}
