//! `parallel`, alone and combined with a loop or sections (`GOMP_parallel` and its kin), and the
//! barrier. The outlined function takes one pointer.

use super::task_reduction;
use super::work::signed;
use crate::abi::kmpc::parallel::bind;
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::arch;
use crate::barrier;
use crate::objects::call::Caller;
use crate::objects::schedule::Schedule;
use crate::objects::structures::{Group, Member, Outlined, Thread};
use crate::objects::work::Preset;
use crate::ompt::{self, Entered};
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

/// The taskgroup of a region whose implicit tasks begin inside one.
struct Grouped {
    group: *const Group,
    /// How many threads executed the region. Written by the primary thread.
    nthreads: Cell<c_uint>,
}

/// As [`invoke`], inside the taskgroup that `tail` points to.
unsafe fn invoke_grouped(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize) {
    // SAFETY: the entry point that made `outlined` keeps this in place until the join.
    let grouped = unsafe { &*outlined.tail.cast::<Grouped>() };
    if member.tid == 0 {
        grouped.nthreads.set(member.team().nthreads());
    }
    member.implicit.group.set(grouped.group);
    // SAFETY: function and data are those that `invoke` expects.
    unsafe { invoke(outlined, thread, member, exit_frame) };
    member.implicit.group.set(std::ptr::null());
}

pub(super) fn outlined(function: *const c_void, data: *mut c_void) -> Outlined {
    Outlined { invoke, function, argc: 0, head: data.cast(), tail: std::ptr::null() }
}

/// The clauses of a region. `num_threads` is 0 without the clause, and 1 where an `if` clause is false. The low bits of
/// `flags` are the `proc_bind` clause.
fn request(num_threads: c_uint, flags: c_uint, preset: Option<Preset>) -> Request {
    Request { num_threads, bind: bind(flags as i32 & 7), preset, ..Request::PLAIN }
}

/// Begins a region in which the program itself runs the primary thread's code, as programs of gcc up to 4.8 do.
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

    /// `GOMP_parallel_end`: ends the region whose primary thread is the caller.
    pub fn GOMP_parallel_end(), |thread, call| {
        fork::end_run_by_program(thread, call);
    }

    /// `GOMP_parallel_sections_start`: as `GOMP_parallel_start`, with sections.
    pub fn GOMP_parallel_sections_start(function: *const c_void, data: *mut c_void, num_threads: c_uint, count: c_uint),
        |thread, call| {
        start(thread, function, data, num_threads, Some(Preset::Sections(count)), call);
    }

    /// `GOMP_barrier`: all threads of the team arrive, then all continue (OpenMP 5.1 §2.19.2). gcc calls this function
    /// for explicit barriers and for those that worksharing constructs imply, without a difference.
    pub fn GOMP_barrier(), |thread, call, _in| {
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

/// Defines regions whose threads begin with a loop, one row a schedule: `GOMP_parallel_loop_*`, and the older
/// `GOMP_parallel_loop_*_start`, whose primary thread the program runs itself. A function takes a chunk size where its
/// row names one.
macro_rules! combined {
    ($(|$thread:ident $(, $chunk:ident)?| $schedule:expr => $name:ident $($start:ident)?;)*) => {$(
        split_wide_entry_point! {
            /// A region whose threads begin with a loop.
            pub fn $name(function: *const c_void, data: *mut c_void, num_threads: c_uint, first: c_long, end: c_long,
                increment: c_long, $($chunk: c_long,)? flags: c_uint), |$thread, call| {
                let preset = Preset::Loop { space: signed(first, end, increment), schedule: $schedule };
                fork::parallel($thread, outlined(function, data), request(num_threads, flags, Some(preset)), call);
            }
        }
        combined! { @start [$($start)?] |$thread| ($($chunk: c_long)?) $schedule }
    )*};
    (@start [] $($schedule:tt)*) => {};
    (@start [$start:ident] |$thread:ident| ($($chunk:tt)*) $schedule:expr) => {
        split_wide_entry_point! {
            /// As `GOMP_parallel_start`, with a loop.
            pub fn $start(function: *const c_void, data: *mut c_void, num_threads: c_uint, first: c_long, end: c_long,
                increment: c_long, $($chunk)*), |$thread, call| {
                let preset = Preset::Loop { space: signed(first, end, increment), schedule: $schedule };
                start($thread, function, data, num_threads, Some(preset), call);
            }
        }
    };
}

combined! {
    |thread, chunk| Schedule::fixed(chunk) => GOMP_parallel_loop_static GOMP_parallel_loop_static_start;
    |thread, chunk| Schedule::dynamic(chunk).monotonic() =>
        GOMP_parallel_loop_dynamic GOMP_parallel_loop_dynamic_start;
    |thread, chunk| Schedule::guided(chunk).monotonic() => GOMP_parallel_loop_guided GOMP_parallel_loop_guided_start;
    |thread, chunk| Schedule::dynamic(chunk) => GOMP_parallel_loop_nonmonotonic_dynamic;
    |thread, chunk| Schedule::guided(chunk) => GOMP_parallel_loop_nonmonotonic_guided;
    |thread| Schedule::runtime(thread).monotonic() => GOMP_parallel_loop_runtime GOMP_parallel_loop_runtime_start;
    |thread| Schedule::runtime(thread) => GOMP_parallel_loop_nonmonotonic_runtime;
    |thread| Schedule::runtime(thread) => GOMP_parallel_loop_maybe_nonmonotonic_runtime;
}
