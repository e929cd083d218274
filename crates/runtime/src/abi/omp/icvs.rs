//! Routines that read and write the ICVs of the current task, and `omp_display_env` (OpenMP 5.1 §3.2, §3.15).

use crate::objects::current;
use crate::objects::switch;
use crate::process::up;
use std::ffi::c_int;

use super::{integer_routines, queries, saturated, versions};
use crate::icv::{self, Icvs, Monotonicity, SUPPORTED_ACTIVE_LEVELS, Schedule, ScheduleKind};
use crate::team::query;

/// The bit that `omp_sched_t` adds to a kind for the monotonic modifier.
const MONOTONIC: u32 = 1 << 31;

queries! {
    /// The first element of nthreads-var: no region forked here without a `num_threads` clause has more threads
    /// (§3.2.3).
    "OMP_1.0" fn omp_get_max_threads, omp_get_max_threads_ -> c_int { up::read_icvs(|icvs| icvs.nthreads) }

    /// dyn-var (§3.2.7).
    "OMP_1.0" fn omp_get_dynamic, omp_get_dynamic_ -> c_int { c_int::from(up::read_icvs(|icvs| icvs.dynamic)) }

    /// Whether a region forked here could be an active nested one (§3.2.10).
    "OMP_1.0" fn omp_get_nested, omp_get_nested_ -> c_int {
        let levels = up::read_icvs(|icvs| icvs.max_active_levels);
        c_int::from(levels > 1 && levels > query::active_level())
    }

    /// thread-limit-var (§3.2.13).
    "OMP_3.0" fn omp_get_thread_limit, omp_get_thread_limit_ -> c_int { up::read_icvs(|icvs| icvs.thread_limit) }

    /// max-active-levels-var (§3.2.16).
    "OMP_3.0" fn omp_get_max_active_levels, omp_get_max_active_levels_ -> c_int {
        up::read_icvs(|icvs| icvs.max_active_levels)
    }

    /// The largest value that max-active-levels-var can have (§3.2.14).
    "OMP_5.0.1" fn omp_get_supported_active_levels, omp_get_supported_active_levels_ -> c_int { SUPPORTED_ACTIVE_LEVELS }

    /// cancel-var (§3.2.8).
    "OMP_4.0" fn omp_get_cancellation, omp_get_cancellation_ -> c_int {
        up::prepare_to_answer();
        c_int::from(switch::enabled())
    }
}

integer_routines! {
    /// Sets the first element of nthreads-var; less than one counts as one (§3.2.1).
    "OMP_1.0" fn omp_set_num_threads, omp_set_num_threads_, omp_set_num_threads_8_(threads) -> () {
        current::current().icvs_mut().nthreads = threads.max(1);
    }

    /// Sets dyn-var (§3.2.6).
    "OMP_1.0" fn omp_set_dynamic, omp_set_dynamic_, omp_set_dynamic_8_(dynamic) -> () {
        current::current().icvs_mut().dynamic = dynamic != 0;
    }

    /// Allows or forbids nested active regions, by way of max-active-levels-var (§3.2.9).
    "OMP_1.0" fn omp_set_nested, omp_set_nested_, omp_set_nested_8_(nested) -> () {
        set_nested(current::current().icvs_mut(), nested != 0);
    }

    /// Sets max-active-levels-var; a negative number changes nothing (§3.2.15).
    "OMP_3.0" fn omp_set_max_active_levels, omp_set_max_active_levels_, omp_set_max_active_levels_8_(levels) -> () {
        if levels >= 0 {
            current::current().icvs_mut().max_active_levels = levels;
        }
    }

    /// Prints the initial ICVs (§3.15.1).
    "OMP_5.1" fn omp_display_env, omp_display_env_, omp_display_env_8_(verbose) -> () {
        current::current();
        icv::display(verbose != 0);
    }
}

/// A limit that already allows nesting stays as it is when nesting is allowed again.
fn set_nested(icvs: &mut Icvs, nested: bool) {
    match nested {
        true if icvs.max_active_levels <= 1 => icvs.max_active_levels = SUPPORTED_ACTIVE_LEVELS,
        false if icvs.max_active_levels > 1 => icvs.max_active_levels = 1,
        _ => {}
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

/// A value of run-sched-var as `omp_get_schedule` gives it: one that is neither static nor auto has at
/// least 1 as its chunk size. libomp's own kinds come back under their numbers in its `kmp_sched_t`.
fn schedule_to(schedule: Schedule) -> (u32, c_int) {
    let modifier = if schedule.monotonic == Monotonicity::Monotonic { MONOTONIC } else { 0 };
    let least = i64::from(!matches!(schedule.kind, ScheduleKind::Static | ScheduleKind::Auto));
    (schedule.kind as u32 | modifier, saturated(schedule.chunk.max(least)))
}

/// Sets run-sched-var; a kind that OpenMP does not have changes nothing (§3.2.11).
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_schedule(kind: u32, chunk: c_int) {
    if let Some(schedule) = schedule_from(kind, chunk) {
        current::current().icvs_mut().run_sched = schedule;
    }
}

/// Reads run-sched-var (§3.2.12).
///
/// # Safety
/// Both arguments point to integers that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_schedule(kind: *mut u32, chunk: *mut c_int) {
    let (its_kind, its_chunk) = schedule_to(up::read_icvs(|icvs| icvs.run_sched));
    // SAFETY: the caller upholds it.
    unsafe { (kind.write(its_kind), chunk.write(its_chunk)) };
}

/// [`omp_set_schedule`] as Fortran calls it.
///
/// # Safety
/// Both arguments point to integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_schedule_(kind: *const u32, chunk: *const i32) {
    // SAFETY: the caller upholds it.
    unsafe { omp_set_schedule(*kind, *chunk) }
}

/// [`omp_set_schedule`] as Fortran calls it with a chunk size of 8 bytes.
///
/// # Safety
/// Both arguments point to integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_schedule_8_(kind: *const u32, chunk: *const i64) {
    // SAFETY: the caller upholds it.
    unsafe { omp_set_schedule(*kind, saturated(*chunk)) }
}

/// [`omp_get_schedule`] as Fortran calls it.
///
/// # Safety
/// Both arguments point to integers that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_schedule_(kind: *mut u32, chunk: *mut i32) {
    // SAFETY: the caller upholds it.
    unsafe { omp_get_schedule(kind, chunk) }
}

/// [`omp_get_schedule`] as Fortran calls it with a chunk size of 8 bytes.
///
/// # Safety
/// Both arguments point to integers that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_schedule_8_(kind: *mut u32, chunk: *mut i64) {
    let mut its_chunk = 0;
    // SAFETY: the caller upholds it.
    unsafe {
        omp_get_schedule(kind, &mut its_chunk);
        chunk.write(i64::from(its_chunk));
    }
}

versions! {
    omp_set_schedule: "OMP_3.0";
    omp_set_schedule_: "OMP_3.0";
    omp_set_schedule_8_: "OMP_3.0";
    omp_get_schedule: "OMP_3.0";
    omp_get_schedule_: "OMP_3.0";
    omp_get_schedule_8_: "OMP_3.0";
}

/// Defines what Fortran's `bind(c)` interfaces call: a C routine under the prefix `ompc_`.
macro_rules! bind_c {
    ($($alias:ident = $name:ident($($arg:ident: $ty:ty),+);)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`] as Fortran's `bind(c)` interface calls it.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $alias($($arg: $ty),+) {
            $name($($arg),+);
        }
    )*};
}

bind_c! {
    ompc_set_num_threads = omp_set_num_threads(threads: c_int);
    ompc_set_dynamic = omp_set_dynamic(dynamic: c_int);
    ompc_set_nested = omp_set_nested(nested: c_int);
    ompc_set_max_active_levels = omp_set_max_active_levels(levels: c_int);
    ompc_set_schedule = omp_set_schedule(kind: u32, chunk: c_int);
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
            (4, 9, (4, 0)),
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
