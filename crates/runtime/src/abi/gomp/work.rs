//! Loops, sections, single and scope (`GOMP_loop_*`, `GOMP_sections_*`, `GOMP_single_*`).
//!
//! The loop families differ in type (`long`, or `unsigned long long` with `ull`), schedule and
//! clause; each has a start, which returns the first chunk, and a next. gcc does not say when single
//! and scope regions end.

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

/// The bit of a `sched` argument that asks for a monotonic schedule.
const MONOTONIC: c_long = 0x8000_0000;

/// `sched` arguments, which name the schedule by number: `enum gomp_schedule_type`. gcc makes `auto` a
/// static schedule itself; its number stands for `schedule(nonmonotonic: runtime)` here.
pub(super) fn schedule(thread: &Thread, number: c_long, chunk: i64) -> Schedule {
    let schedule = match number & !MONOTONIC {
        1 => Schedule::fixed(chunk),
        2 => Schedule::dynamic(chunk),
        3 => Schedule::guided(chunk),
        _ => Schedule::runtime(thread),
    };
    if number & MONOTONIC != 0 { schedule.monotonic() } else { schedule }
}

/// A chunk size of the larger type; more iterations than any loop has mean the same as all.
pub(super) fn chunk_size(chunk: Ull) -> i64 {
    i64::try_from(chunk).unwrap_or(i64::MAX)
}

/// A loop of `long`.
fn signed(start: c_long, end: c_long, increment: c_long) -> Space {
    Space::exclusive(start, end, increment as u64, increment < 0)
}

/// A loop of `unsigned long long`; counting down, the increment is a negative number's word.
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
    // SAFETY: the caller's.
    unsafe { next(thread, first, end, call) }
}

/// Takes the next chunk: false, and nothing is written, if there is none.
///
/// # Safety
/// `first` and `end` are valid.
#[inline(always)]
pub(super) unsafe fn next(thread: &'static Thread, first: *mut u64, end: *mut u64, call: impl Caller) -> bool {
    let Some(chunk) = loops::next(thread, call) else { return false };
    let bounds = thread.member().work.current.space().exclusive_bounds(chunk);
    // SAFETY: the caller's.
    unsafe {
        *first = bounds.0;
        *end = bounds.1;
    }
    true
}

/// What `reductions` and `memory` arguments ask for, for a construct with the one or the other.
#[derive(Clone, Copy)]
pub(super) struct Extras {
    pub reductions: *mut usize,
    pub memory: *mut *mut c_void,
}

impl Extras {
    /// Neither.
    pub const NONE: Extras = Extras { reductions: std::ptr::null_mut(), memory: std::ptr::null_mut() };

    /// Hands the program memory that the members of a construct share, if it asks for some: `enter`
    /// enters the construct with so many bytes, `plain` without.
    ///
    /// # Safety
    /// `reductions` is null or a description of task reductions. `memory` is null or points to the size,
    /// which the address replaces.
    pub unsafe fn serve(self, thread: &'static Thread, enter: impl FnOnce(usize) -> *mut c_void, plain: impl FnOnce()) {
        if !self.reductions.is_null() {
            // SAFETY: the caller's.
            unsafe { register_workshare(thread, self.reductions) };
        }
        if self.memory.is_null() {
            return plain();
        }
        // SAFETY: the caller's.
        unsafe { *self.memory = enter(*self.memory as usize) };
    }
}

/// Enters a loop whose schedule is an argument, and takes the first chunk unless `first` is null:
/// then the program divides the loop itself.
///
/// # Safety
/// As for the entry points: what the compiler passes.
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
    // SAFETY: the caller's.
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
fn end_and_wait(thread: &'static Thread, call: impl Caller) {
    let _in = Entered::new(thread, call);
    loops::end(thread, call);
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLICIT_WORKSHARE, call);
}

/// Leaves a loop or sections construct.
fn end(thread: &'static Thread, call: impl Caller) {
    let _in = Entered::new(thread, call);
    loops::end(thread, call);
}

/// Defines loops whose schedule has a chunk size, and loops that run by run-sched-var, each with
/// both types: `long start, long next, ull start, ull next: schedule`.
macro_rules! families {
    (with chunk: $($start:ident $next:ident $ull_start:ident $ull_next:ident: $schedule:expr;)*) => {$(
        split_wide_entry_point! {
            #[doc = concat!("`", stringify!($start), "`: enters a loop; whether there is a first chunk, and its bounds.")]
            pub fn $start(
                from: c_long, to: c_long, increment: c_long, chunk: c_long, first: *mut c_long, last: *mut c_long,
            ) -> bool, |thread, call| {
                let schedule: fn(i64) -> Schedule = $schedule;
                start(thread, signed(from, to, increment), schedule(chunk), first.cast(), last.cast(), call)
            }

            #[doc = concat!("`", stringify!($ull_start), "`: as [`", stringify!($start), "`], unsigned.")]
            pub fn $ull_start(
                up: bool, from: Ull, to: Ull, increment: Ull, chunk: Ull, first: *mut Ull, last: *mut Ull,
            ) -> bool, |thread, call| {
                let schedule: fn(i64) -> Schedule = $schedule;
                start(thread, unsigned(up, from, to, increment), schedule(chunk_size(chunk)), first, last, call)
            }
        }
        families! { next: $next $ull_next }
    )*};
    (runtime: $($start:ident $next:ident $ull_start:ident $ull_next:ident: $schedule:expr;)*) => {$(
        split_wide_entry_point! {
            #[doc = concat!("`", stringify!($start), "`: enters a loop; whether there is a first chunk, and its bounds.")]
            pub fn $start(
                from: c_long, to: c_long, increment: c_long, first: *mut c_long, last: *mut c_long,
            ) -> bool, |thread, call| {
                let schedule: fn(&Thread) -> Schedule = $schedule;
                start(thread, signed(from, to, increment), schedule(thread), first.cast(), last.cast(), call)
            }

            #[doc = concat!("`", stringify!($ull_start), "`: as [`", stringify!($start), "`], unsigned.")]
            pub fn $ull_start(
                up: bool, from: Ull, to: Ull, increment: Ull, first: *mut Ull, last: *mut Ull,
            ) -> bool, |thread, call| {
                let schedule: fn(&Thread) -> Schedule = $schedule;
                start(thread, unsigned(up, from, to, increment), schedule(thread), first, last, call)
            }
        }
        families! { next: $next $ull_next }
    )*};
    (next: $next:ident $ull_next:ident) => {
        split_entry_point! {
            #[doc = concat!("`", stringify!($next), "`: whether there is another chunk, and its bounds.")]
            pub fn $next(first: *mut c_long, last: *mut c_long) -> bool,
                |thread, call| { next(thread, first.cast(), last.cast(), call) }

            #[doc = concat!("`", stringify!($ull_next), "`: as [`", stringify!($next), "`], unsigned.")]
            pub fn $ull_next(first: *mut Ull, last: *mut Ull) -> bool,
                |thread, call| { next(thread, first, last, call) }
        }
    };
    (general: $($start:ident $ull_start:ident: $adjust:expr;)*) => {split_wide_entry_point! {$(
        #[doc = concat!("`", stringify!($start), "`: enters a loop whose schedule is an argument.")]
        pub fn $start(
            from: c_long, to: c_long, increment: c_long, sched: c_long, chunk: c_long, first: *mut c_long,
            last: *mut c_long, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool, |thread, call| {
            let adjust: fn(Schedule) -> Schedule = $adjust;
            let schedule = adjust(schedule(thread, sched, chunk));
            let extras = Extras { reductions, memory };
            start_general(thread, signed(from, to, increment), schedule, first.cast(), last.cast(), extras, call)
        }

        #[doc = concat!("`", stringify!($ull_start), "`: as [`", stringify!($start), "`], unsigned.")]
        pub fn $ull_start(
            up: bool, from: Ull, to: Ull, increment: Ull, sched: c_long, chunk: Ull, first: *mut Ull,
            last: *mut Ull, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool, |thread, call| {
            let adjust: fn(Schedule) -> Schedule = $adjust;
            let schedule = adjust(schedule(thread, sched, chunk_size(chunk)));
            let extras = Extras { reductions, memory };
            start_general(thread, unsigned(up, from, to, increment), schedule, first, last, extras, call)
        }
    )*}};
}

families! { with chunk:
    GOMP_loop_static_start GOMP_loop_static_next
        GOMP_loop_ull_static_start GOMP_loop_ull_static_next: Schedule::fixed;
    GOMP_loop_dynamic_start GOMP_loop_dynamic_next
        GOMP_loop_ull_dynamic_start GOMP_loop_ull_dynamic_next: |chunk| Schedule::dynamic(chunk).monotonic();
    GOMP_loop_guided_start GOMP_loop_guided_next
        GOMP_loop_ull_guided_start GOMP_loop_ull_guided_next: |chunk| Schedule::guided(chunk).monotonic();
    GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_dynamic_next
        GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_dynamic_next: Schedule::dynamic;
    GOMP_loop_nonmonotonic_guided_start GOMP_loop_nonmonotonic_guided_next
        GOMP_loop_ull_nonmonotonic_guided_start GOMP_loop_ull_nonmonotonic_guided_next: Schedule::guided;
    GOMP_loop_ordered_static_start GOMP_loop_ordered_static_next
        GOMP_loop_ull_ordered_static_start GOMP_loop_ull_ordered_static_next: |chunk| Schedule::fixed(chunk).ordered();
    GOMP_loop_ordered_dynamic_start GOMP_loop_ordered_dynamic_next
        GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ull_ordered_dynamic_next:
            |chunk| Schedule::dynamic(chunk).ordered();
    GOMP_loop_ordered_guided_start GOMP_loop_ordered_guided_next
        GOMP_loop_ull_ordered_guided_start GOMP_loop_ull_ordered_guided_next: |chunk| Schedule::guided(chunk).ordered();
}

families! { runtime:
    GOMP_loop_runtime_start GOMP_loop_runtime_next
        GOMP_loop_ull_runtime_start GOMP_loop_ull_runtime_next: |thread| Schedule::runtime(thread).monotonic();
    GOMP_loop_nonmonotonic_runtime_start GOMP_loop_nonmonotonic_runtime_next
        GOMP_loop_ull_nonmonotonic_runtime_start GOMP_loop_ull_nonmonotonic_runtime_next: Schedule::runtime;
    GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next
        GOMP_loop_ull_maybe_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_next: Schedule::runtime;
    GOMP_loop_ordered_runtime_start GOMP_loop_ordered_runtime_next
        GOMP_loop_ull_ordered_runtime_start GOMP_loop_ull_ordered_runtime_next:
            |thread| Schedule::runtime(thread).ordered();
}

families! { general:
    GOMP_loop_start GOMP_loop_ull_start: |schedule| schedule;
    GOMP_loop_ordered_start GOMP_loop_ull_ordered_start: Schedule::ordered;
}

/// The number by which gcc knows a section: from 1, and 0 for none.
fn section_number(section: Option<u32>) -> c_uint {
    section.map_or(0, |section| section + 1)
}

split_entry_point! {
    /// `GOMP_loop_end`: leaves a loop and waits for the others.
    pub fn GOMP_loop_end(), |thread, call| { end_and_wait(thread, call) }

    /// `GOMP_loop_end_nowait`: leaves a loop.
    pub fn GOMP_loop_end_nowait(), |thread, call| { end(thread, call) }

    /// `GOMP_loop_end_cancel`: as `GOMP_loop_end`; whether the region has been cancelled.
    pub fn GOMP_loop_end_cancel() -> bool, |thread, call| {
        let _in = Entered::new(thread, call);
        end_and_wait(thread, call);
        cancel::is_region_cancelled(thread, call)
    }

    /// `GOMP_sections_start`: enters a sections construct; the first section to execute.
    pub fn GOMP_sections_start(count: c_uint) -> c_uint, |thread, call| {
        let _in = Entered::new(thread, call);
        sections::start(thread, count, call);
        section_number(sections::next(thread, call))
    }

    /// `GOMP_sections2_start`: as `GOMP_sections_start`, with memory that the threads share.
    pub fn GOMP_sections2_start(count: c_uint, reductions: *mut usize, memory: *mut *mut c_void) -> c_uint,
        |thread, call| {
        let _in = Entered::new(thread, call);
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
    pub fn GOMP_sections_end(), |thread, call| { end_and_wait(thread, call) }

    /// `GOMP_sections_end_nowait`: leaves a sections construct.
    pub fn GOMP_sections_end_nowait(), |thread, call| { end(thread, call) }

    /// `GOMP_sections_end_cancel`: as `GOMP_sections_end`; whether the region has been cancelled.
    pub fn GOMP_sections_end_cancel() -> bool, |thread, call| {
        let _in = Entered::new(thread, call);
        end_and_wait(thread, call);
        cancel::is_region_cancelled(thread, call)
    }

    /// `GOMP_single_start`: whether the thread is to execute the region.
    pub fn GOMP_single_start() -> bool, |thread, call| {
        let _in = Entered::new(thread, call);
        single::begin_without_end(thread, call)
    }

    /// `GOMP_single_copy_start`: null on the thread that is to execute the region, which then calls
    /// `GOMP_single_copy_end`; on the others, once it has, the address that it passed there.
    pub fn GOMP_single_copy_start() -> *mut c_void, |thread, call| {
        let _in = Entered::new(thread, call);
        if single::begin(thread, call) {
            return std::ptr::null_mut();
        }
        let copied = single::copied(thread, call);
        if copied.is_null() {
            // The parallel region has been cancelled: the thread executes the single region for itself.
            single::begin_alone(thread, call);
        }
        copied
    }

    /// `GOMP_single_copy_end`: the executor hands its values to the others.
    pub fn GOMP_single_copy_end(data: *mut c_void), |thread, call| {
        let _in = Entered::new(thread, call);
        single::end(thread, call);
        single::copy(thread, data, call);
    }

    /// `GOMP_scope_start`: enters a scope region with a task reduction.
    pub fn GOMP_scope_start(reductions: *mut usize), |thread, call| {
        let _in = Entered::new(thread, call);
        if !reductions.is_null() {
            register_workshare(thread, reductions);
        }
        scope::begin_without_end(thread, call);
    }
}
