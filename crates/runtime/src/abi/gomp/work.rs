//! Loops, sections, single and scope (`GOMP_loop_*`, `GOMP_sections_*`, `GOMP_single_*`).
//!
//! Loop families differ in type (`long`, or `unsigned long long` with `ull`), schedule and clause. Each family has a
//! start, which returns the first chunk, and a next. gcc does not call the runtime at the end of single and scope
//! regions.

use super::task_reduction::register_workshare;
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::barrier;
use crate::objects::call::Caller;
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::work::{cancel, loops, scope, sections, single};
use ::ompt::SyncRegion;
use std::ffi::{c_long, c_uint, c_ulonglong, c_void};

pub(super) type Ull = c_ulonglong;

/// The bit of a `sched` argument for a monotonic schedule.
const MONOTONIC: c_long = 0x8000_0000;

/// The schedule of a `sched` argument (`enum gomp_schedule_type`). gcc itself compiles `auto` as a static schedule; the
/// number of `auto` means `schedule(nonmonotonic: runtime)` here.
pub(super) fn schedule(thread: &Thread, number: c_long, chunk: i64) -> Schedule {
    let schedule = match number & !MONOTONIC {
        1 => Schedule::fixed(chunk),
        2 => Schedule::dynamic(chunk),
        3 => Schedule::guided(chunk),
        _ => Schedule::runtime(thread),
    };
    if number & MONOTONIC != 0 { schedule.monotonic() } else { schedule }
}

/// A chunk size of the larger type. A size that does not fit becomes the largest that does: no loop has more
/// iterations.
pub(super) fn chunk_size(chunk: Ull) -> i64 {
    i64::try_from(chunk).unwrap_or(i64::MAX)
}

/// A loop of `long`.
pub(super) fn signed(start: c_long, end: c_long, increment: c_long) -> Space {
    Space::exclusive(start, end, increment as u64, increment < 0)
}

/// A loop of `unsigned long long`. A loop that counts down has a negative increment in two's complement.
fn unsigned(up: bool, start: Ull, end: Ull, increment: Ull) -> Space {
    Space::exclusive(start, end, increment, !up)
}

/// Enters a loop and takes the first chunk.
///
/// # Safety
/// `first` and `end` are valid.
unsafe fn start(
    thread: &'static Thread,
    space: Space,
    schedule: Schedule,
    first: *mut u64,
    end: *mut u64,
    call: impl Caller,
) -> bool {
    let _in = Entered::new(thread, call);
    loops::start(thread, space, schedule, call);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { next(thread, first, end, call) }
}

/// Takes the next chunk: false, and nothing is written, if there is none.
///
/// # Safety
/// `first` and `end` are valid.
#[inline(always)]
pub(super) unsafe fn next(thread: &'static Thread, first: *mut u64, end: *mut u64, call: impl Caller) -> bool {
    let Some(chunk) = loops::next(thread, call) else { return false };
    let bounds = thread.member().work.current.space.get().exclusive_bounds(chunk);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        *first = bounds.0;
        *end = bounds.1;
    }
    true
}

/// The `reductions` and `memory` arguments of a construct, each of which may be null.
#[derive(Clone, Copy)]
pub(super) struct Extras {
    pub reductions: *mut usize,
    pub memory: *mut *mut c_void,
}

impl Extras {
    /// A construct with neither.
    pub const NONE: Extras = Extras { reductions: std::ptr::null_mut(), memory: std::ptr::null_mut() };

    /// Enters the construct: by `enter` with as many bytes of memory as the construct's members are to share, by
    /// `plain` without.
    ///
    /// # Safety
    /// `reductions` is null or a description of task reductions. `memory` is null or points to the size, which the
    /// memory's address replaces.
    pub unsafe fn serve(self, thread: &'static Thread, enter: impl FnOnce(usize) -> *mut c_void, plain: impl FnOnce()) {
        if !self.reductions.is_null() {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { register_workshare(thread, self.reductions) };
        }
        if self.memory.is_null() {
            return plain();
        }
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { *self.memory = enter(*self.memory as usize) };
    }
}

/// Enters a loop whose schedule is an argument, and takes the first chunk. Where `first` is null, the program divides
/// the loop itself.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
unsafe fn start_general(
    thread: &'static Thread,
    space: Space,
    schedule: Schedule,
    first: *mut u64,
    end: *mut u64,
    extras: Extras,
    call: impl Caller,
) -> bool {
    let _in = Entered::new(thread, call);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        extras.serve(
            thread,
            |size| loops::start_with_memory(thread, space, schedule, size, call),
            || loops::start(thread, space, schedule, call),
        );
        first.is_null() || next(thread, first, end, call)
    }
}

/// Leaves a loop or sections construct and waits for the others.
#[inline(always)]
fn end_and_wait(thread: &'static Thread, call: impl Caller) {
    loops::end(thread, call);
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLICIT_WORKSHARE, call);
}

/// Defines families of loops, one row a schedule: the start and the next of `long`, and those of `unsigned long long`.
/// A start takes a chunk size where the row names one.
macro_rules! families {
    ($(|$thread:ident $(, $chunk:ident)?| $schedule:expr =>
        $start:ident $next:ident $ull_start:ident $ull_next:ident;)*) => {$(
        split_wide_entry_point! {
            /// Enters a loop; whether a first chunk exists, and its bounds.
            pub fn $start(
                from: c_long, to: c_long, increment: c_long, $($chunk: c_long,)? first: *mut c_long, last: *mut c_long,
            ) -> bool, |$thread, call| {
                start($thread, signed(from, to, increment), $schedule, first.cast(), last.cast(), call)
            }

            /// The same, unsigned.
            pub fn $ull_start(
                up: bool, from: Ull, to: Ull, increment: Ull, $($chunk: Ull,)? first: *mut Ull, last: *mut Ull,
            ) -> bool, |$thread, call| {
                $(let $chunk = chunk_size($chunk);)?
                start($thread, unsigned(up, from, to, increment), $schedule, first, last, call)
            }
        }

        split_entry_point! {
            /// Whether there is another chunk, and its bounds.
            pub fn $next(first: *mut c_long, last: *mut c_long) -> bool,
                |thread, call| { next(thread, first.cast(), last.cast(), call) }

            /// The same, unsigned.
            pub fn $ull_next(first: *mut Ull, last: *mut Ull) -> bool,
                |thread, call| { next(thread, first, last, call) }
        }
    )*};
}

families! {
    |thread, chunk| Schedule::fixed(chunk) =>
        GOMP_loop_static_start GOMP_loop_static_next
        GOMP_loop_ull_static_start GOMP_loop_ull_static_next;
    |thread, chunk| Schedule::dynamic(chunk).monotonic() =>
        GOMP_loop_dynamic_start GOMP_loop_dynamic_next
        GOMP_loop_ull_dynamic_start GOMP_loop_ull_dynamic_next;
    |thread, chunk| Schedule::guided(chunk).monotonic() =>
        GOMP_loop_guided_start GOMP_loop_guided_next
        GOMP_loop_ull_guided_start GOMP_loop_ull_guided_next;
    |thread, chunk| Schedule::dynamic(chunk) =>
        GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_dynamic_next
        GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_dynamic_next;
    |thread, chunk| Schedule::guided(chunk) =>
        GOMP_loop_nonmonotonic_guided_start GOMP_loop_nonmonotonic_guided_next
        GOMP_loop_ull_nonmonotonic_guided_start GOMP_loop_ull_nonmonotonic_guided_next;
    |thread, chunk| Schedule::fixed(chunk).ordered() =>
        GOMP_loop_ordered_static_start GOMP_loop_ordered_static_next
        GOMP_loop_ull_ordered_static_start GOMP_loop_ull_ordered_static_next;
    |thread, chunk| Schedule::dynamic(chunk).ordered() =>
        GOMP_loop_ordered_dynamic_start GOMP_loop_ordered_dynamic_next
        GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ull_ordered_dynamic_next;
    |thread, chunk| Schedule::guided(chunk).ordered() =>
        GOMP_loop_ordered_guided_start GOMP_loop_ordered_guided_next
        GOMP_loop_ull_ordered_guided_start GOMP_loop_ull_ordered_guided_next;
    |thread| Schedule::runtime(thread).monotonic() =>
        GOMP_loop_runtime_start GOMP_loop_runtime_next
        GOMP_loop_ull_runtime_start GOMP_loop_ull_runtime_next;
    |thread| Schedule::runtime(thread) =>
        GOMP_loop_nonmonotonic_runtime_start GOMP_loop_nonmonotonic_runtime_next
        GOMP_loop_ull_nonmonotonic_runtime_start GOMP_loop_ull_nonmonotonic_runtime_next;
    |thread| Schedule::runtime(thread) =>
        GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next
        GOMP_loop_ull_maybe_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_next;
    |thread| Schedule::runtime(thread).ordered() =>
        GOMP_loop_ordered_runtime_start GOMP_loop_ordered_runtime_next
        GOMP_loop_ull_ordered_runtime_start GOMP_loop_ull_ordered_runtime_next;
}

/// Defines loops whose schedule is an argument, in both types.
macro_rules! general {
    ($($start:ident $ull_start:ident: |$schedule:ident| $adjusted:expr;)*) => {split_wide_entry_point! {$(
        /// Enters a loop whose schedule is an argument.
        pub fn $start(
            from: c_long, to: c_long, increment: c_long, sched: c_long, chunk: c_long, first: *mut c_long,
            last: *mut c_long, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool, |thread, call| {
            let $schedule = schedule(thread, sched, chunk);
            let extras = Extras { reductions, memory };
            start_general(thread, signed(from, to, increment), $adjusted, first.cast(), last.cast(), extras, call)
        }

        /// The same, unsigned.
        pub fn $ull_start(
            up: bool, from: Ull, to: Ull, increment: Ull, sched: c_long, chunk: Ull, first: *mut Ull,
            last: *mut Ull, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool, |thread, call| {
            let $schedule = schedule(thread, sched, chunk_size(chunk));
            let extras = Extras { reductions, memory };
            start_general(thread, unsigned(up, from, to, increment), $adjusted, first, last, extras, call)
        }
    )*}};
}

general! {
    GOMP_loop_start GOMP_loop_ull_start: |schedule| schedule;
    GOMP_loop_ordered_start GOMP_loop_ull_ordered_start: |schedule| schedule.ordered();
}

/// gcc's number for a section: from 1 on, and 0 for none.
fn section_number(section: Option<u32>) -> c_uint {
    section.map_or(0, |section| section + 1)
}

split_entry_point! {
    /// `GOMP_loop_end`: leaves a loop and waits for the others.
    pub fn GOMP_loop_end(), |thread, call, _in| { end_and_wait(thread, call) }

    /// `GOMP_loop_end_nowait`: leaves a loop.
    pub fn GOMP_loop_end_nowait(), |thread, call, _in| { loops::end(thread, call) }

    /// `GOMP_loop_end_cancel`: as `GOMP_loop_end`; whether the region has been cancelled.
    pub fn GOMP_loop_end_cancel() -> bool, |thread, call, _in| {
        end_and_wait(thread, call);
        cancel::is_region_cancelled(thread, call)
    }

    /// `GOMP_sections_start`: enters a sections construct; the first section to execute.
    pub fn GOMP_sections_start(count: c_uint) -> c_uint, |thread, call, _in| {
        sections::start(thread, count, call);
        section_number(sections::next(thread, call))
    }

    /// `GOMP_sections2_start`: as `GOMP_sections_start`, with memory that the threads share.
    pub fn GOMP_sections2_start(count: c_uint, reductions: *mut usize, memory: *mut *mut c_void) -> c_uint,
        |thread, call, _in| {
        Extras { reductions, memory }.serve(
            thread,
            |size| sections::start_with_memory(thread, count, size, call),
            || sections::start(thread, count, call),
        );
        section_number(sections::next(thread, call))
    }

    /// `GOMP_sections_next`: the next section to execute.
    pub fn GOMP_sections_next() -> c_uint, |thread, call| {
        section_number(sections::next(thread, call))
    }

    /// `GOMP_sections_end`: leaves a sections construct and waits for the others.
    pub fn GOMP_sections_end(), |thread, call, _in| { end_and_wait(thread, call) }

    /// `GOMP_sections_end_nowait`: leaves a sections construct.
    pub fn GOMP_sections_end_nowait(), |thread, call, _in| { loops::end(thread, call) }

    /// `GOMP_sections_end_cancel`: as `GOMP_sections_end`; whether the region has been cancelled.
    pub fn GOMP_sections_end_cancel() -> bool, |thread, call, _in| {
        end_and_wait(thread, call);
        cancel::is_region_cancelled(thread, call)
    }

    /// `GOMP_single_start`: whether the thread is to execute the region.
    pub fn GOMP_single_start() -> bool, |thread, call, _in| {
        single::begin_without_end(thread, call)
    }

    /// `GOMP_single_copy_start`: null on the thread that is to execute the region. This thread then calls
    /// `GOMP_single_copy_end` with an address, which the others get here.
    pub fn GOMP_single_copy_start() -> *mut c_void, |thread, call, _in| {
        if single::begin(thread, call) {
            return std::ptr::null_mut();
        }
        let copied = single::copied(thread, call);
        if copied.is_null() {
            // The parallel region has been cancelled: the thread executes the single region alone.
            single::begin_alone(thread, call);
        }
        copied
    }

    /// `GOMP_single_copy_end`: the executor passes its values to the others.
    pub fn GOMP_single_copy_end(data: *mut c_void), |thread, call, _in| {
        single::end(thread, call);
        single::copy(thread, data, call);
    }

    /// `GOMP_scope_start`: enters a scope region with a task reduction.
    pub fn GOMP_scope_start(reductions: *mut usize), |thread, call, _in| {
        if !reductions.is_null() {
            register_workshare(thread, reductions);
        }
        scope::begin_without_end(thread, call);
    }
}
