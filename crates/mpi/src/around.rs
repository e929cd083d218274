//! What happens before and after a call of MPI. A call inside another one, such as those that Fortran's entry points
//! make, is part of the outer one and not recorded.
//!
//! A call may never return: an error handler of the program throws an exception or uses `longjmp`, or the thread is
//! cancelled. Such a call ends with the thread's next call, or with the thread. Code that runs while the stack unwinds
//! would be no help: `longjmp` runs none, and a library that is built to abort on panics cannot have any.

use crate::recorder::{self, Recorder};
use crate::traffic::Traffic;
use crate::{arch, clocks};
use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// Memory in the frame of the function around a call. A call inside that one enters below this memory. A later call
/// from the same function enters above its begin, because stack slots of arguments take less.
pub type Frame = MaybeUninit<[u64; 16]>;

/// The outermost call that the thread is in.
#[derive(Clone, Copy)]
struct Outer {
    /// Where its [`Frame`] begins; 0 without a call.
    bottom: usize,
    number: u64,
    recorder: Option<&'static Recorder>,
}

impl Outer {
    const NONE: Outer = Outer { bottom: 0, number: 0, recorder: None };

    /// The call has ended.
    fn end(self) {
        if let Some(recorder) = self.recorder {
            (recorder.end)(self.number);
        }
    }
}

thread_local! {
    static OUTER: Cell<Outer> = const { Cell::new(Outer::NONE) };
    /// Ends the call that a thread was cancelled in.
    static LEAVER: Leaver = const { Leaver };
}

struct Leaver;

impl Drop for Leaver {
    fn drop(&mut self) {
        OUTER.replace(Outer::NONE).end();
    }
}

/// The numbers of the calls that begin and end the use of MPI.
const INIT: u64 = 1;
const INIT_THREAD: u64 = 2;
const FINALIZE: u64 = 3;

/// A call that is under way.
pub struct Call {
    number: u64,
    /// Where the call's [`Frame`] begins; 0 if the call is inside another one.
    bottom: usize,
}

impl Call {
    /// The calling thread's entry point begins the call with this number. `traffic` reads the arguments. `frame` lives
    /// in the function that calls MPI.
    #[inline(always)]
    pub fn begin(number: u64, frame: &mut Frame, traffic: impl FnOnce() -> Traffic) -> Call {
        let (caller, entered) = (arch::caller(), arch::entered());
        let outer = OUTER.get();
        let mut bottom = 0;
        if entered >= outer.bottom {
            // An earlier call has never returned if its frame would be here or below.
            outer.end();
            bottom = black_box(frame.as_mut_ptr()) as usize;
            let recorder = recorder::of_this_thread();
            // After the thread was made known, so that the call ends before the thread does.
            let _ = LEAVER.try_with(|_| ());
            OUTER.set(Outer { bottom, number, recorder });
            if let Some(recorder) = recorder {
                let Traffic { bytes, partner } = traffic();
                (recorder.begin)(number, caller as u64, bytes, partner);
            }
        }
        // Also inside another call: the other ranks wait for this one.
        if number == FINALIZE {
            clocks::end();
        }
        Call { number, bottom }
    }

    /// MPI's own function has returned.
    #[inline(always)]
    pub fn end(self) {
        if self.bottom == 0 {
            return;
        }
        if self.number == INIT || self.number == INIT_THREAD {
            clocks::begin();
        }
        let outer = OUTER.get();
        // A call on another stack may have ended this one.
        if outer.bottom == self.bottom {
            OUTER.set(Outer::NONE);
            outer.end();
        }
    }
}
