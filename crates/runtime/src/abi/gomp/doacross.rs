//! Doacross loop nests (`GOMP_loop_doacross_*`, `GOMP_doacross_*`): `ordered(n)`. The loops of the
//! nest count from 0; collapsed loops count as one. See [`crate::work::doacross`].

use super::work::{Extras, Ull, chunk_size, next, schedule};
use crate::abi::{entry_point, list, wide_entry_point};
use crate::arch::{self, ARGUMENT_WORDS};
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::loops::Dimension;
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::work::{doacross, loops};
use std::ffi::{c_long, c_uint, c_void};

/// Enters a nest and takes the first chunk of its outermost loop. `counts` are the iteration counts of the loops, from
/// the outermost.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
unsafe fn start(
    thread: &'static Thread,
    counts: &[u64],
    schedule: Schedule,
    first: *mut u64,
    end: *mut u64,
    extras: Extras,
    call: Call,
) -> bool {
    let space = Space::exclusive(0, counts.first().copied().unwrap_or(0), 1, false);
    let enter = |size| {
        loops::start_doacross(thread, space, schedule, counts.iter().copied().map(Dimension::counted), size, call)
    };
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        extras.serve(thread, |size| enter(Some(size)), || _ = enter(None));
        next(thread, first, end, call)
    }
}

/// Defines the starts of nests, one row a schedule, in both types. A start takes a chunk size where the row names one.
macro_rules! starts {
    ($(|$thread:ident $(, $chunk:ident)?| $schedule:expr => $start:ident $ull_start:ident;)*) => {wide_entry_point! {$(
        /// Enters a nest; whether there is a first chunk, and its bounds.
        pub fn $start(
            number: c_uint, counts: *const c_long, $($chunk: c_long,)? first: *mut c_long, last: *mut c_long,
        ) -> bool, |$thread, call, _in| {
            start($thread, list(number, counts.cast()), $schedule, first.cast(), last.cast(), Extras::NONE, call)
        }

        /// The same, unsigned.
        pub fn $ull_start(
            number: c_uint, counts: *const Ull, $($chunk: Ull,)? first: *mut Ull, last: *mut Ull,
        ) -> bool, |$thread, call, _in| {
            $(let $chunk = chunk_size($chunk);)?
            start($thread, list(number, counts), $schedule, first, last, Extras::NONE, call)
        }
    )*}};
}

starts! {
    |thread, chunk| Schedule::fixed(chunk) => GOMP_loop_doacross_static_start GOMP_loop_ull_doacross_static_start;
    |thread, chunk| Schedule::dynamic(chunk) => GOMP_loop_doacross_dynamic_start GOMP_loop_ull_doacross_dynamic_start;
    |thread, chunk| Schedule::guided(chunk) => GOMP_loop_doacross_guided_start GOMP_loop_ull_doacross_guided_start;
    |thread| Schedule::runtime(thread) => GOMP_loop_doacross_runtime_start GOMP_loop_ull_doacross_runtime_start;
}

wide_entry_point! {
    /// `GOMP_loop_doacross_start`: enters a nest whose schedule is an argument.
    pub fn GOMP_loop_doacross_start(
        number: c_uint, counts: *const c_long, sched: c_long, chunk: c_long, first: *mut c_long, last: *mut c_long,
        reductions: *mut usize, memory: *mut *mut c_void,
    ) -> bool, |thread, call, _in| {
        let (counts, schedule) = (list(number, counts.cast()), schedule(thread, sched, chunk));
        start(thread, counts, schedule, first.cast(), last.cast(), Extras { reductions, memory }, call)
    }

    /// `GOMP_loop_ull_doacross_start`: as [`GOMP_loop_doacross_start`], unsigned.
    pub fn GOMP_loop_ull_doacross_start(
        number: c_uint, counts: *const Ull, sched: c_long, chunk: Ull, first: *mut Ull, last: *mut Ull,
        reductions: *mut usize, memory: *mut *mut c_void,
    ) -> bool, |thread, call, _in| {
        let schedule = schedule(thread, sched, chunk_size(chunk));
        start(thread, list(number, counts), schedule, first, last, Extras { reductions, memory }, call)
    }
}

entry_point! {
    /// `GOMP_doacross_post`: `depend(source)` of the iteration `vector`, which has a number for each loop of the nest.
    pub fn GOMP_doacross_post(vector: *const c_long), |thread, call, _in| {
        doacross::post(thread, |index| *vector.add(index) as u64);
    }

    /// `GOMP_doacross_ull_post`: as [`GOMP_doacross_post`], unsigned.
    pub fn GOMP_doacross_ull_post(vector: *const Ull), |thread, call, _in| {
        doacross::post(thread, |index| *vector.add(index));
    }
}

/// `GOMP_doacross_wait(first, …)`: `depend(sink: …)`. Spills the argument registers: `wait` gets the addresses of the
/// arguments.
///
/// # Safety
/// The arguments are a number for each loop of the nest.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_doacross_wait(first: c_long) {
    arch::entry_spills_words!(wait)
}

/// `GOMP_doacross_ull_wait(first, …)`: as [`GOMP_doacross_wait`], unsigned.
///
/// # Safety
/// As for [`GOMP_doacross_wait`].
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_doacross_ull_wait(first: Ull) {
    arch::entry_spills_words!(wait)
}

/// # Safety
/// `registers` points to the spilled arguments of an entry point, `stack` to its caller's frame, where further
/// arguments lie.
unsafe extern "C" fn wait(registers: *const u64, stack: *const u64, codeptr: usize) {
    let call = Call::new(codeptr, stack as usize);
    let thread = current::current();
    let _in = Entered::new(thread, call);
    let component = |index: usize| {
        // SAFETY: the caller keeps to the `# Safety` section; the nest has as many loops as the program passes numbers.
        unsafe { if index < ARGUMENT_WORDS { *registers.add(index) } else { *stack.add(index - ARGUMENT_WORDS) } }
    };
    doacross::wait(thread, component);
}
