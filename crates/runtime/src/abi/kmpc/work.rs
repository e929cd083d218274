//! Loops, sections, single, masked, scope: `__kmpc_for_static_*`, `__kmpc_dispatch_*` and their kin.
//!
//! Each loop function exists for four integer types: `_4` and `_8` signed, `_4u` and `_8u` unsigned.

use super::Ident;
use super::schedule::{STATIC, STATIC_CHUNKED, division, schedule};
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::barrier;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::space::{Chunk, Space, Variable};
use crate::objects::structures::Thread;
use crate::ompt::{self, Entered};
use crate::work::static_schedule::{Bounds, Form, Part, divide, stride_of_all};
use crate::work::{loops, masked, ordered, scope, sections, single};
use ::ompt::{Dispatch, SyncRegion, Work};
use std::ffi::c_void;

/// `KMP_IDENT_WORK_*` among `ident_t`'s flags: what a statically divided construct is.
const WORK_SECTIONS: i32 = 0x400;
const WORK_DISTRIBUTE: i32 = 0x800;

/// The calling thread among those of its team.
pub(super) fn part_of_team(thread: &Thread) -> Part {
    let member = thread.member();
    Part { number: member.tid, of: member.team().nthreads() }
}

/// The calling thread's team among those of the league.
fn part_of_league(thread: &Thread) -> Part {
    let region = &thread.member().team().region;
    Part { number: region.team_num.get().max(0) as u32, of: region.num_teams.get().max(1) as u32 }
}

/// A loop that is divided in advance, as the program describes the loop.
#[derive(Clone, Copy)]
struct StaticLoop<T: Variable> {
    /// Null, or where to write whether the thread has the last iteration.
    last: *mut i32,
    /// The loop's bounds, which those of the thread's part replace.
    lower: *mut T,
    upper: *mut T,
    /// Where to write the distance from one chunk of the thread to the next.
    stride: *mut T::Increment,
    increment: T::Increment,
    chunk: T::Increment,
}

impl<T: Variable> StaticLoop<T> {
    /// Divides the loop and writes what `part` gets.
    ///
    /// # Safety
    /// `last` is null, the other pointers are valid.
    #[inline(always)]
    unsafe fn divide(self, form: Form, part: Part) -> Bounds<T> {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            let bounds = divide(form, *self.lower, *self.upper, self.increment, self.chunk, part);
            self.assign(bounds);
            bounds
        }
    }

    /// Writes what the calling thread gets.
    ///
    /// # Safety
    /// As for [`StaticLoop::divide`].
    #[inline(always)]
    unsafe fn assign(self, bounds: Bounds<T>) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            if !self.last.is_null() {
                *self.last = i32::from(bounds.last);
            }
            *self.lower = bounds.lower;
            *self.upper = bounds.upper;
            *self.stride = bounds.stride;
        }
    }
}

/// Reports the begin of a construct that is divided in advance, and the thread's first chunk. The program executes the
/// thread's chunks without further calls.
#[cold]
pub(super) unsafe fn report_static(thread: &Thread, loc: *const Ident, trips: u64, mine: Option<Chunk>, call: Call) {
    let _in = Entered::new(thread, call);
    // SAFETY: null or made by the compiler.
    let flags = unsafe { loc.as_ref() }.map_or(0, |ident| ident.flags);
    if flags & WORK_SECTIONS != 0 {
        ompt::work_begin(thread, Work::SECTIONS, trips, call);
        if let Some(mine) = mine {
            ompt::section(thread, mine, trips, call);
        }
        return;
    }
    let (work, kind) = match flags & WORK_DISTRIBUTE {
        0 => (Work::LOOP_STATIC, Dispatch::WS_LOOP_CHUNK),
        _ => (Work::DISTRIBUTE, Dispatch::DISTRIBUTE_CHUNK),
    };
    ompt::work_begin(thread, work, trips, call);
    if let Some(chunk) = mine {
        ompt::dispatch_chunk(thread, kind, chunk, call);
    }
}

/// The first chunk of a part of the loop that begins at `lower`, by the numbers of the chunk's iterations.
fn first_chunk<T: Variable>(bounds: &Bounds<T>, lower: T, increment: T::Increment) -> Option<Chunk> {
    let step = increment.to_word() as i64;
    let empty = if step < 0 { bounds.lower < bounds.upper } else { bounds.lower > bounds.upper };
    if bounds.trips == 0 || step == 0 || empty {
        return None;
    }
    let steps = |from: T, to: T| match step {
        1.. => to.to_word().wrapping_sub(from.to_word()) / step as u64,
        _ => from.to_word().wrapping_sub(to.to_word()) / step.unsigned_abs(),
    };
    Some(Chunk { first: steps(lower, bounds.lower), count: steps(bounds.lower, bounds.upper).saturating_add(1) })
}

/// A loop variable with entry points of its own.
trait LoopVariable: Variable {
    /// Divides a loop by any static schedule, without a tool. The arguments lie in the registers and stack slots of the
    /// entry point's own, so the entry point's call of this function becomes a jump.
    ///
    /// # Safety
    /// As for [`StaticLoop::divide`].
    unsafe extern "C" fn static_init(
        thread: &'static Thread,
        loc: *const Ident,
        number: i32,
        last: *mut i32,
        lower: *mut Self,
        upper: *mut Self,
        stride: *mut Self::Increment,
        increment: Self::Increment,
        chunk: Self::Increment,
    );
}

/// Divides a loop among the threads of the team, or a loop of `distribute` among the teams of the league.
///
/// # Safety
/// As for [`StaticLoop::divide`].
#[inline(always)]
unsafe fn static_init<T: LoopVariable>(
    thread: &'static Thread,
    loc: *const Ident,
    number: i32,
    of: StaticLoop<T>,
    call: impl Caller,
) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        if call.for_possible_tool().is_some() {
            let from = *of.lower;
            let bounds = divide_between(thread, number, of);
            if let Some(call) = call.for_active_tool() {
                report_static(thread, loc, bounds.trips, first_chunk(&bounds, from, of.increment), call);
            }
        } else if matches!(number, STATIC | STATIC_CHUNKED)
            && thread.member().team().nthreads() == 1
            && let Some(all) = stride_of_all(*of.lower, *of.upper, of.increment)
        {
            if !of.last.is_null() {
                *of.last = 1;
            }
            *of.stride = all;
        } else {
            T::static_init(thread, loc, number, of.last, of.lower, of.upper, of.stride, of.increment, of.chunk);
        }
    }
}

/// Gives the calling thread, or its team, its part.
///
/// # Safety
/// As for [`StaticLoop::divide`].
#[inline(always)]
unsafe fn divide_between<T: Variable>(thread: &'static Thread, number: i32, of: StaticLoop<T>) -> Bounds<T> {
    let (form, distributes) = division(number);
    let part = if distributes { part_of_league(thread) } else { part_of_team(thread) };
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { of.divide(form, part) }
}

/// Divides a loop among the teams of the league in blocks, and each block among the team's threads.
///
/// # Safety
/// As for [`StaticLoop::divide`]; `upper_of_team` is valid, too.
#[inline(always)]
unsafe fn dist_static_init<T: Variable>(
    thread: &'static Thread,
    loc: *const Ident,
    number: i32,
    of: StaticLoop<T>,
    upper_of_team: *mut T,
    call: impl Caller,
) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        let from = *of.lower;
        let team = divide(Form::Blocks, from, *of.upper, of.increment, of.chunk, part_of_league(thread));
        *upper_of_team = team.upper;
        let part = part_of_team(thread);
        let mut bounds = divide(division(number).0, team.lower, team.upper, of.increment, of.chunk, part);
        bounds.last &= team.last;
        of.assign(bounds);
        if let Some(call) = call.for_active_tool() {
            report_static(thread, loc, team.trips, first_chunk(&bounds, from, of.increment), call);
        }
    }
}

/// Enters a loop whose threads take chunks one by one.
#[inline(always)]
fn dispatch_init<T: Variable>(
    thread: &'static Thread,
    number: i32,
    lower: T,
    upper: T,
    increment: T::Increment,
    chunk: T::Increment,
    call: impl Caller,
) {
    let _in = Entered::new(thread, call);
    let schedule = schedule(thread, number, chunk.to_word() as i64);
    loops::start(thread, Space::inclusive(lower, upper, increment), schedule, call);
}

/// Enters the block of a loop that the calling thread's team got from the league.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the ABI says how many")]
unsafe fn dist_dispatch_init<T: Variable>(
    thread: &'static Thread,
    number: i32,
    last: *mut i32,
    lower: T,
    upper: T,
    increment: T::Increment,
    chunk: T::Increment,
    call: impl Caller,
) {
    let team = divide(Form::Blocks, lower, upper, increment, chunk, part_of_league(thread));
    if !last.is_null() {
        // SAFETY: the entry points' callers pass a valid pointer or null.
        unsafe { *last = i32::from(team.last) };
    }
    dispatch_init(thread, number, team.lower, team.upper, increment, chunk, call);
}

/// The next chunk: 1 and its bounds. 0 where no chunk is left; the thread has then left the loop.
#[inline(always)]
unsafe fn dispatch_next<T: Variable>(
    thread: &'static Thread,
    last: *mut i32,
    lower: *mut T,
    upper: *mut T,
    stride: *mut T::Increment,
    call: impl Caller,
) -> i32 {
    let Some(chunk) = loops::next(thread, call) else {
        let _in = Entered::new(thread, call);
        loops::end(thread, call);
        return 0;
    };
    let space = thread.member().work.current.space.get();
    let (first, end) = space.inclusive_bounds(chunk);
    // SAFETY: the entry points' callers pass valid pointers; `last` and `stride` may be null.
    unsafe {
        *lower = T::from_word(first);
        *upper = T::from_word(end);
        if !last.is_null() {
            *last = i32::from(space.is_last(chunk));
        }
        if !stride.is_null() {
            *stride = T::Increment::from_word(space.increment);
        }
    }
    1
}

/// Defines the loop entry points for one type.
macro_rules! loops {
    ($ty:ty, $increment:ty: $static_init:ident $dist_static_init:ident $team_static_init:ident
     $dispatch_init:ident $dist_dispatch_init:ident $dispatch_next:ident $dispatch_fini:ident) => {
        impl LoopVariable for $ty {
            // Exported, because the compiler may pass the arguments of a private function in other places. SAFETY: no
            // other symbol has this name.
            #[unsafe(export_name = concat!("ferromp", stringify!($static_init)))]
            // SAFETY: the linker puts sections of this name among the code.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($static_init)))]
            unsafe extern "C" fn static_init(
                thread: &'static Thread,
                _: *const Ident,
                number: i32,
                last: *mut i32,
                lower: *mut $ty,
                upper: *mut $ty,
                stride: *mut $increment,
                increment: $increment,
                chunk: $increment,
            ) {
                // SAFETY: the entry point's callers pass valid pointers.
                unsafe { divide_between(thread, number, StaticLoop { last, lower, upper, stride, increment, chunk }) };
            }
        }

        split_wide_entry_point! {
            /// The thread's part of a statically scheduled loop.
            pub fn $static_init(
                loc: *const Ident, gtid: i32, schedule: i32, last: *mut i32, lower: *mut $ty, upper: *mut $ty,
                stride: *mut $increment, increment: $increment, chunk: $increment,
            ), |thread, call| {
                static_init(thread, loc, schedule, StaticLoop { last, lower, upper, stride, increment, chunk }, call)
            }

            /// The thread's part of its team's part of a loop.
            pub fn $dist_static_init(
                loc: *const Ident, gtid: i32, schedule: i32, last: *mut i32, lower: *mut $ty, upper: *mut $ty,
                upper_of_team: *mut $ty, stride: *mut $increment, increment: $increment, chunk: $increment,
            ), |thread, call| {
                let of = StaticLoop { last, lower, upper, stride, increment, chunk };
                dist_static_init(thread, loc, schedule, of, upper_of_team, call)
            }

            /// The first chunk of the thread's team.
            pub fn $team_static_init(
                loc: *const Ident, gtid: i32, last: *mut i32, lower: *mut $ty, upper: *mut $ty,
                stride: *mut $increment, increment: $increment, chunk: $increment,
            ), |thread, call| {
                let of = StaticLoop { last, lower, upper, stride, increment, chunk };
                of.divide(Form::Chunks, part_of_league(thread));
            }

            /// Enters a loop that is handed out chunk by chunk.
            pub fn $dispatch_init(
                loc: *const Ident, gtid: i32, schedule: i32, lower: $ty, upper: $ty, increment: $increment,
                chunk: $increment,
            ), |thread, call| {
                dispatch_init::<$ty>(thread, schedule, lower, upper, increment, chunk, call)
            }

            /// Enters the team's block of a loop.
            pub fn $dist_dispatch_init(
                loc: *const Ident, gtid: i32, schedule: i32, last: *mut i32, lower: $ty, upper: $ty,
                increment: $increment, chunk: $increment,
            ), |thread, call| {
                dist_dispatch_init::<$ty>(thread, schedule, last, lower, upper, increment, chunk, call)
            }

            /// 1 and the thread's next chunk, or 0.
            pub fn $dispatch_next(
                loc: *const Ident, gtid: i32, last: *mut i32, lower: *mut $ty, upper: *mut $ty,
                stride: *mut $increment,
            ) -> i32, |thread, call| {
                dispatch_next::<$ty>(thread, last, lower, upper, stride, call)
            }
        }

        split_entry_point! {
            /// An iteration of an ordered loop is over.
            pub fn $dispatch_fini(loc: *const Ident, gtid: i32), |thread, call| {
                ordered::iteration_over(thread, call);
            }
        }
    };
}

loops! { i32, i32: __kmpc_for_static_init_4 __kmpc_dist_for_static_init_4 __kmpc_team_static_init_4
__kmpc_dispatch_init_4 __kmpc_dist_dispatch_init_4 __kmpc_dispatch_next_4 __kmpc_dispatch_fini_4 }
loops! { u32, i32: __kmpc_for_static_init_4u __kmpc_dist_for_static_init_4u __kmpc_team_static_init_4u
__kmpc_dispatch_init_4u __kmpc_dist_dispatch_init_4u __kmpc_dispatch_next_4u __kmpc_dispatch_fini_4u }
loops! { i64, i64: __kmpc_for_static_init_8 __kmpc_dist_for_static_init_8 __kmpc_team_static_init_8
__kmpc_dispatch_init_8 __kmpc_dist_dispatch_init_8 __kmpc_dispatch_next_8 __kmpc_dispatch_fini_8 }
loops! { u64, i64: __kmpc_for_static_init_8u __kmpc_dist_for_static_init_8u __kmpc_team_static_init_8u
__kmpc_dispatch_init_8u __kmpc_dist_dispatch_init_8u __kmpc_dispatch_next_8u __kmpc_dispatch_fini_8u }

split_entry_point! {
    /// `__kmpc_for_static_fini`: leaves a statically scheduled construct.
    pub fn __kmpc_for_static_fini(loc: *const Ident, gtid: i32), |call| {
        if call.for_active_tool().is_some() {
            let thread = current::current();
            let _in = Entered::new(thread, call);
            ompt::work_end(thread, call);
        }
    }

    /// `__kmpc_dispatch_deinit`: the thread is done with a loop. The call that found no further chunk has left the loop
    /// already.
    pub fn __kmpc_dispatch_deinit(loc: *const Ident, gtid: i32), |call| {}

    /// `__kmpc_sections_init`: enters a sections construct.
    pub fn __kmpc_sections_init(loc: *const Ident, gtid: i32), |thread, call, _in| {
        sections::start(thread, 0, call);
    }

    /// `__kmpc_next_section`: the next section to execute, or `count` if there is none.
    pub fn __kmpc_next_section(loc: *const Ident, gtid: i32, count: i32) -> i32, |thread, call| {
        sections::next_of(thread, count.max(0) as u32, call).map_or(count, |section| section as i32)
    }

    /// `__kmpc_end_sections`: leaves a sections construct.
    pub fn __kmpc_end_sections(loc: *const Ident, gtid: i32), |thread, call, _in| {
        loops::end(thread, call);
    }

    /// `__kmpc_single`: 1 on the thread that is to execute the region.
    pub fn __kmpc_single(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        i32::from(single::begin(thread, call))
    }

    /// `__kmpc_end_single`: called by the thread that executed the region.
    pub fn __kmpc_end_single(loc: *const Ident, gtid: i32), |thread, call, _in| {
        single::end(thread, call);
    }

    /// `__kmpc_copyprivate_light`: after a single region, the address that its executor passed.
    pub fn __kmpc_copyprivate_light(loc: *const Ident, gtid: i32, data: *mut c_void) -> *mut c_void, |thread, call,
        _in| {
        // The executor alone passes an address. The program calls a barrier of its own afterwards.
        if data.is_null() {
            single::copied(thread, call)
        } else {
            single::copy(thread, data, call);
            data
        }
    }

    /// `__kmpc_master`: 1 on the primary thread.
    pub fn __kmpc_master(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        i32::from(masked::begin(thread, 0, call))
    }

    /// `__kmpc_end_master`: called by the thread that executed the region.
    pub fn __kmpc_end_master(loc: *const Ident, gtid: i32), |thread, call, _in| {
        masked::end(thread, call);
    }

    /// `__kmpc_masked`: 1 on the thread with number `filter`.
    pub fn __kmpc_masked(loc: *const Ident, gtid: i32, filter: i32) -> i32, |thread, call, _in| {
        i32::from(masked::begin(thread, filter, call))
    }

    /// `__kmpc_end_masked`: called by the thread that executed the region.
    pub fn __kmpc_end_masked(loc: *const Ident, gtid: i32), |thread, call, _in| {
        masked::end(thread, call);
    }

    /// `__kmpc_scope`: enters a scope region.
    pub fn __kmpc_scope(loc: *const Ident, gtid: i32, reserved: *mut c_void), |thread, call, _in| {
        scope::begin(thread, call);
    }

    /// `__kmpc_end_scope`: leaves a scope region.
    pub fn __kmpc_end_scope(loc: *const Ident, gtid: i32, reserved: *mut c_void), |thread, call, _in| {
        scope::end(thread, call);
    }

    /// `__kmpc_ordered`: enters an ordered region.
    pub fn __kmpc_ordered(loc: *const Ident, gtid: i32), |thread, call, _in| {
        ordered::begin(thread, call);
    }

    /// `__kmpc_end_ordered`: leaves an ordered region.
    pub fn __kmpc_end_ordered(loc: *const Ident, gtid: i32), |thread, call, _in| {
        ordered::end(thread, call);
    }
}

split_wide_entry_point! {
    /// `__kmpc_copyprivate`: after a single region, copies its executor's values to the others:
    /// `copy(own, executor's)` on each. `executed` is 1 on the executor.
    pub fn __kmpc_copyprivate(
        loc: *const Ident, gtid: i32, size: usize, data: *mut c_void,
        copy: unsafe extern "C" fn(*mut c_void, *mut c_void), executed: i32,
    ), |thread, call, _in| {
        if executed != 0 {
            single::copy(thread, data, call);
        } else {
            let source = single::copied(thread, call);
            // Null where the region has been cancelled: then the values do not matter.
            if !source.is_null() {
                copy(data, source);
            }
        }
        // The executor's values must live until all threads have copied them.
        barrier::barrier(thread, SyncRegion::BARRIER_IMPLICIT_WORKSHARE, call);
    }
}
