//! `parallel`, alone and combined with a loop or sections (`GOMP_parallel` and its kin), and the
//! barrier. The outlined function takes one pointer.

use super::task_reduction;
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::arch;
use crate::barrier;
use crate::objects::call::Caller;
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::objects::structures::Group;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Outlined};
use crate::objects::work::Preset;
use crate::ompt::{self, Entered};
pub(crate) use crate::place::Bind;
use crate::task::reduction;
use crate::team::fork::{self, Request};
use ::ompt::SyncRegion;
use std::cell::Cell;
use std::ffi::{c_long, c_uint, c_void};

/// Calls `function(data)` for an implicit task.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: the entry point that made `outlined` got function and data from the compiler; the data
    // pointer itself travels in `head`.
    unsafe { arch::call_outlined(outlined.function, outlined.head as usize, 0, exit_frame) };
}

/// A region whose implicit tasks begin inside a taskgroup.
struct Grouped {
    group: *const Group,
    /// How many threads executed it. Written by the primary thread.
    nthreads: Cell<c_uint>,
}

/// As [`invoke`], inside the taskgroup that `tail` points to.
unsafe fn invoke_grouped(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize) {
    // SAFETY: the entry point that made `outlined` keeps this in place until the join.
    let grouped = unsafe { &*outlined.tail.cast::<Grouped>() };
    if member.tid == 0 {
        grouped.nthreads.set(member.team().nthreads());
    }
    member.implicit.set_group(grouped.group);
    // SAFETY: the caller's.
    unsafe { invoke(outlined, thread, member, exit_frame) };
    member.implicit.set_group(std::ptr::null());
}

pub(super) fn outlined(function: *const c_void, data: *mut c_void) -> Outlined {
    Outlined { invoke, function, argc: 0, head: data.cast(), tail: std::ptr::null() }
}

/// `num_threads` is 0 without the clause, and 1 where an `if` clause is false; the low bits of
/// `flags` are the `proc_bind` clause.
fn request(num_threads: c_uint, flags: c_uint, preset: Option<Preset>) -> Request {
    let bind = match flags & 7 {
        2 => Some(Bind::Primary),
        3 => Some(Bind::Close),
        4 => Some(Bind::Spread),
        _ => None,
    };
    Request { num_threads, bind, preset, ..Request::PLAIN }
}

/// Begins a region whose primary thread's code the program runs itself, as gcc did up to 4.8.
fn start(
    thread: &'static Thread,
    function: *const c_void,
    data: *mut c_void,
    num_threads: c_uint,
    preset: Option<Preset>,
    call: impl Caller,
) {
    let task = thread.task();
    let entered = Entered::new(thread, call);
    let request = Request { called_by_program: true, ..request(num_threads, 0, preset) };
    fork::begin(thread, outlined(function, data), request, call);
    ompt::program_runs(entered, thread, task, call);
}

/// A loop from `start` to `end` exclusive.
fn space(start: c_long, end: c_long, increment: c_long) -> Space {
    Space::exclusive(start, end, increment as u64, increment < 0)
}

/// What `schedule(runtime)` means for the calling task.
fn runtime(thread: &Thread) -> Schedule {
    Schedule::runtime(thread)
}

split_entry_point! {
    /// `GOMP_parallel`: executes a parallel region (OpenMP 5.1 §2.6).
    pub fn GOMP_parallel(function: *const c_void, data: *mut c_void, num_threads: c_uint, flags: c_uint),
        |thread, call| {
        fork::parallel(thread, outlined(function, data), request(num_threads, flags, None), call);
    }

    /// `GOMP_parallel_reductions`: as `GOMP_parallel`, with `reduction(task, …)`, whose description is the
    /// first word of the data. Returns the number of threads that executed the region.
    pub fn GOMP_parallel_reductions(function: *const c_void, data: *mut c_void, num_threads: c_uint, flags: c_uint)
        -> c_uint, |thread, call| {
        let description = *data.cast::<*mut usize>();
        let most = fork::at_most(thread, num_threads);
        let (group, memory) = reduction::begin_parallel(thread, task_reduction::layouts(description), most);
        task_reduction::hand_over(description, &memory);
        let grouped = Grouped { group, nthreads: Cell::new(1) };
        let outlined = Outlined {
            invoke: invoke_grouped,
            tail: (&raw const grouped).cast(),
            ..outlined(function, data)
        };
        fork::parallel(thread, outlined, request(num_threads, flags, None), call);
        reduction::end_parallel(thread, group);
        grouped.nthreads.get()
    }

    /// `GOMP_parallel_start`: begins a region; the caller runs the primary thread's part itself and
    /// then calls `GOMP_parallel_end`.
    pub fn GOMP_parallel_start(function: *const c_void, data: *mut c_void, num_threads: c_uint), |thread, call| {
        start(thread, function, data, num_threads, None, call);
    }

    /// `GOMP_parallel_end`: ends the region that the caller is the primary thread of.
    pub fn GOMP_parallel_end(), |thread, call| {
        fork::end_run_by_program(thread, call);
    }

    /// `GOMP_parallel_sections_start`: as `GOMP_parallel_start`, with sections.
    pub fn GOMP_parallel_sections_start(function: *const c_void, data: *mut c_void, num_threads: c_uint, count: c_uint),
        |thread, call| {
        start(thread, function, data, num_threads, Some(Preset::Sections(count)), call);
    }

    /// `GOMP_barrier`: all threads of the team arrive, then all go on (OpenMP 5.1 §2.19.2). gcc calls
    /// it for explicit barriers and for those that worksharing constructs imply, and does not say
    /// which.
    pub fn GOMP_barrier(), |thread, call| {
        let _in = Entered::new(thread, call);
        barrier::barrier(thread, SyncRegion::BARRIER_EXPLICIT, call);
    }
}

split_wide_entry_point! {
    /// `GOMP_parallel_sections`: a region whose threads begin with `count` sections.
    pub fn GOMP_parallel_sections(function: *const c_void, data: *mut c_void, num_threads: c_uint, count: c_uint,
        flags: c_uint), |thread, call| {
        let request = request(num_threads, flags, Some(Preset::Sections(count)));
        fork::parallel(thread, outlined(function, data), request, call);
    }
}

/// Defines the combined forms of one schedule: `GOMP_parallel_loop_X` and, where it exists, the old
/// `GOMP_parallel_loop_X_start`.
macro_rules! combined {
    (with chunk: $($(#[$meta:meta])* $name:ident, $schedule:expr;)*) => {
        split_wide_entry_point! {$(
            $(#[$meta])*
            pub fn $name(function: *const c_void, data: *mut c_void, num_threads: c_uint, first: c_long, end: c_long,
                increment: c_long, chunk: c_long, flags: c_uint), |thread, call| {
                let schedule: fn(i64) -> Schedule = $schedule;
                let preset = Preset::Loop { space: space(first, end, increment), schedule: schedule(chunk) };
                fork::parallel(thread, outlined(function, data), request(num_threads, flags, Some(preset)), call);
            }
        )*}
    };
    (without chunk: $($(#[$meta:meta])* $name:ident, $schedule:expr;)*) => {
        split_wide_entry_point! {$(
            $(#[$meta])*
            pub fn $name(function: *const c_void, data: *mut c_void, num_threads: c_uint, first: c_long, end: c_long,
                increment: c_long, flags: c_uint), |thread, call| {
                let schedule: fn(&Thread) -> Schedule = $schedule;
                let preset = Preset::Loop { space: space(first, end, increment), schedule: schedule(thread) };
                fork::parallel(thread, outlined(function, data), request(num_threads, flags, Some(preset)), call);
            }
        )*}
    };
    (started: $($(#[$meta:meta])* $name:ident, $schedule:expr;)*) => {
        split_wide_entry_point! {$(
            $(#[$meta])*
            pub fn $name(function: *const c_void, data: *mut c_void, num_threads: c_uint, first: c_long, end: c_long,
                increment: c_long, chunk: c_long), |thread, call| {
                let schedule: fn(i64) -> Schedule = $schedule;
                let preset = Preset::Loop { space: space(first, end, increment), schedule: schedule(chunk) };
                start(thread, function, data, num_threads, Some(preset), call);
            }
        )*}
    };
}

combined! { with chunk:
    /// A region whose threads begin with a loop, `schedule(static, chunk)`.
    GOMP_parallel_loop_static, Schedule::fixed;
    /// A region whose threads begin with a loop, `schedule(monotonic: dynamic, chunk)`.
    GOMP_parallel_loop_dynamic, |chunk| Schedule::dynamic(chunk).monotonic();
    /// A region whose threads begin with a loop, `schedule(monotonic: guided, chunk)`.
    GOMP_parallel_loop_guided, |chunk| Schedule::guided(chunk).monotonic();
    /// A region whose threads begin with a loop, `schedule(nonmonotonic: dynamic, chunk)`.
    GOMP_parallel_loop_nonmonotonic_dynamic, Schedule::dynamic;
    /// A region whose threads begin with a loop, `schedule(nonmonotonic: guided, chunk)`.
    GOMP_parallel_loop_nonmonotonic_guided, Schedule::guided;
}

combined! { without chunk:
    /// A region whose threads begin with a loop, `schedule(monotonic: runtime)`.
    GOMP_parallel_loop_runtime, |thread| runtime(thread).monotonic();
    /// A region whose threads begin with a loop, `schedule(nonmonotonic: runtime)`.
    GOMP_parallel_loop_nonmonotonic_runtime, runtime;
    /// A region whose threads begin with a loop, `schedule(runtime)` without a modifier.
    GOMP_parallel_loop_maybe_nonmonotonic_runtime, runtime;
}

combined! { started:
    /// As `GOMP_parallel_start`, with a loop, `schedule(static, chunk)`.
    GOMP_parallel_loop_static_start, Schedule::fixed;
    /// As `GOMP_parallel_start`, with a loop, `schedule(dynamic, chunk)`.
    GOMP_parallel_loop_dynamic_start, |chunk| Schedule::dynamic(chunk).monotonic();
    /// As `GOMP_parallel_start`, with a loop, `schedule(guided, chunk)`.
    GOMP_parallel_loop_guided_start, |chunk| Schedule::guided(chunk).monotonic();
}

split_wide_entry_point! {
    /// As `GOMP_parallel_start`, with a loop, `schedule(runtime)`.
    pub fn GOMP_parallel_loop_runtime_start(function: *const c_void, data: *mut c_void, num_threads: c_uint,
        first: c_long, end: c_long, increment: c_long), |thread, call| {
        let preset = Preset::Loop { space: space(first, end, increment), schedule: runtime(thread).monotonic() };
        start(thread, function, data, num_threads, Some(preset), call);
    }
}
