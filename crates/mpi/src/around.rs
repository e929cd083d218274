//! What happens before and after a call of MPI. A call inside another one, such as those that Fortran's entry points
//! make, is part of the outer one and not recorded.

use crate::recorder::{self, Recorder};
use crate::traffic::Traffic;
use crate::{arch, clocks};
use std::cell::Cell;

thread_local! {
    /// The calls that the thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The numbers of the calls that begin and end the use of MPI.
const INIT: u64 = 1;
const INIT_THREAD: u64 = 2;
const FINALIZE: u64 = 3;

/// A call that is under way.
pub struct Call {
    number: u64,
    /// Who records it; nobody if it is inside another call.
    recorder: Option<&'static Recorder>,
}

impl Call {
    /// The calling thread's entry point begins the call with this number. `traffic` reads the arguments.
    #[inline(always)]
    pub fn begin(number: u64, traffic: impl FnOnce() -> Traffic) -> Call {
        let caller = arch::caller();
        let depth = DEPTH.replace(DEPTH.get() + 1);
        let recorder = if depth == 0 { recorder::of_this_thread() } else { None };
        if let Some(recorder) = recorder {
            let Traffic { bytes, partner } = traffic();
            (recorder.begin)(number, caller as u64, bytes, partner);
            if number == FINALIZE {
                clocks::end(recorder);
            }
        }
        Call { number, recorder }
    }

    /// MPI's own function has returned.
    #[inline(always)]
    pub fn end(self) {
        if let Some(recorder) = self.recorder
            && (self.number == INIT || self.number == INIT_THREAD)
        {
            clocks::begin(recorder);
        }
        DEPTH.set(DEPTH.get() - 1);
        if let Some(recorder) = self.recorder {
            (recorder.end)(self.number);
        }
    }
}
