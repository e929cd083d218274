//! Doacross loop nests (`GOMP_loop_doacross_*`, `GOMP_doacross_*`): `ordered(n)`. The loops of the
//! nest count from 0; collapsed loops count as one. See [`crate::work::doacross`].

use super::work::{Extras, Ull, chunk_size, next, schedule};
use crate::abi::{entry_point, wide_entry_point};
use crate::arch::{self, ARGUMENT_WORDS};
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::loops::Dimension;
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::ompt::Entered;
use crate::work::doacross;
use crate::work::loops;
use std::ffi::{c_long, c_uint, c_void};

/// How many iterations each loop of a nest has: `number` of them, from the outermost.
#[derive(Clone, Copy)]
struct Counts {
    number: c_uint,
    counts: *const u64,
}

/// Enters a nest and takes the first chunk of its outermost loop.
///
/// # Safety
/// As for the entry points: what the compiler passes.
unsafe fn start(
    counts: Counts,
    schedule: Schedule,
    first: *mut u64,
    end: *mut u64,
    extras: Extras,
    call: Call,
) -> bool {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's: there is at least one.
    let counts = unsafe { std::slice::from_raw_parts(counts.counts, counts.number as usize) };
    let space = Space::exclusive(0, counts.first().copied().unwrap_or(0), 1, false);
    let enter = |size| {
        loops::start_doacross(thread, space, schedule, counts.iter().copied().map(Dimension::counted), size, call)
    };
    // SAFETY: the caller's.
    unsafe {
        extras.serve(thread, |size| enter(Some(size)), || _ = enter(None));
        next(thread, first, end, call)
    }
}

/// Defines the entries of one schedule in both types: with a chunk size, or as run-sched-var has it.
macro_rules! starts {
    (with chunk: $($start:ident $ull_start:ident: $schedule:expr;)*) => {wide_entry_point! {$(
        #[doc = concat!("`", stringify!($start), "`: enters a nest; whether there is a first chunk, and its bounds.")]
        pub fn $start(
            number: c_uint, counts: *const c_long, chunk: c_long, first: *mut c_long, last: *mut c_long,
        ) -> bool, |call| {
            let counts = Counts { number, counts: counts.cast() };
            start(counts, $schedule(chunk), first.cast(), last.cast(), Extras::NONE, call)
        }

        #[doc = concat!("`", stringify!($ull_start), "`: as [`", stringify!($start), "`], unsigned.")]
        pub fn $ull_start(
            number: c_uint, counts: *const Ull, chunk: Ull, first: *mut Ull, last: *mut Ull,
        ) -> bool, |call| {
            start(Counts { number, counts }, $schedule(chunk_size(chunk)), first, last, Extras::NONE, call)
        }
    )*}};
}

starts! { with chunk:
    GOMP_loop_doacross_static_start GOMP_loop_ull_doacross_static_start: Schedule::fixed;
    GOMP_loop_doacross_dynamic_start GOMP_loop_ull_doacross_dynamic_start: Schedule::dynamic;
    GOMP_loop_doacross_guided_start GOMP_loop_ull_doacross_guided_start: Schedule::guided;
}

wide_entry_point! {
    /// `GOMP_loop_doacross_runtime_start`: enters a nest with `schedule(runtime)`.
    pub fn GOMP_loop_doacross_runtime_start(
        number: c_uint, counts: *const c_long, first: *mut c_long, last: *mut c_long,
    ) -> bool, |call| {
        let counts = Counts { number, counts: counts.cast() };
        start(counts, Schedule::runtime(current::current()), first.cast(), last.cast(), Extras::NONE, call)
    }

    /// `GOMP_loop_ull_doacross_runtime_start`: as [`GOMP_loop_doacross_runtime_start`], unsigned.
    pub fn GOMP_loop_ull_doacross_runtime_start(
        number: c_uint, counts: *const Ull, first: *mut Ull, last: *mut Ull,
    ) -> bool, |call| {
        start(Counts { number, counts }, Schedule::runtime(current::current()), first, last, Extras::NONE, call)
    }

    /// `GOMP_loop_doacross_start`: enters a nest whose schedule is an argument.
    pub fn GOMP_loop_doacross_start(
        number: c_uint, counts: *const c_long, sched: c_long, chunk: c_long, first: *mut c_long, last: *mut c_long,
        reductions: *mut usize, memory: *mut *mut c_void,
    ) -> bool, |call| {
        let counts = Counts { number, counts: counts.cast() };
        let schedule = schedule(current::current(), sched, chunk);
        start(counts, schedule, first.cast(), last.cast(), Extras { reductions, memory }, call)
    }

    /// `GOMP_loop_ull_doacross_start`: as [`GOMP_loop_doacross_start`], unsigned.
    pub fn GOMP_loop_ull_doacross_start(
        number: c_uint, counts: *const Ull, sched: c_long, chunk: Ull, first: *mut Ull, last: *mut Ull,
        reductions: *mut usize, memory: *mut *mut c_void,
    ) -> bool, |call| {
        let schedule = schedule(current::current(), sched, chunk_size(chunk));
        start(Counts { number, counts }, schedule, first, last, Extras { reductions, memory }, call)
    }
}

entry_point! {
    /// `GOMP_doacross_post`: `depend(source)` of the iteration `vector`.
    pub fn GOMP_doacross_post(vector: *const c_long), |call| { post(vector.cast(), call) }

    /// `GOMP_doacross_ull_post`: as [`GOMP_doacross_post`], unsigned.
    pub fn GOMP_doacross_ull_post(vector: *const Ull), |call| { post(vector, call) }
}

/// # Safety
/// `vector` holds a number for each loop of the nest.
unsafe fn post(vector: *const u64, call: Call) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's.
    doacross::post(thread, |index| unsafe { *vector.add(index) });
}

/// Defines a variadic entry: spills the argument registers and passes on where the arguments are.
macro_rules! variadic_waits {
    ($($(#[$meta:meta])* $name:ident($ty:ty);)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// Called by compiled code as its ABI asks: a number for each loop of the nest.
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(first: $ty) {
            arch::entry_spills_words!(wait)
        }
    )*};
}

variadic_waits! {
    /// `GOMP_doacross_wait(first, …)`: `depend(sink: …)`.
    GOMP_doacross_wait(c_long);
    /// `GOMP_doacross_ull_wait(first, …)`: as [`GOMP_doacross_wait`], unsigned.
    GOMP_doacross_ull_wait(Ull);
}

/// # Safety
/// `registers` and `stack` point to the arguments of an entry point, and to its caller's frame.
unsafe extern "C" fn wait(registers: *const u64, stack: *const u64, codeptr: usize) {
    let call = Call::new(codeptr, stack as usize);
    let thread = current::current();
    let _in = Entered::new(thread, call);
    let component = |index: usize| {
        // SAFETY: the caller's; the nest has as many loops as the program passes numbers.
        unsafe { if index < ARGUMENT_WORDS { *registers.add(index) } else { *stack.add(index - ARGUMENT_WORDS) } }
    };
    doacross::wait(thread, component);
}
