//! `num_threads` clauses with the `strict` modifier, or with a list for nested regions. OpenMP 6.0 has them; compilers
//! that support them call entry points of their own.

use crate::error::{self, Cause};
use crate::icv::{self, lists};
use crate::objects::call::Call;
use crate::objects::clauses::{Demand, Strict};
use crate::objects::structures::{Team, Thread};
use std::ffi::CStr;

impl Demand {
    /// A clause with these numbers, the first for the region itself. Numbers below 1 are not conforming; the ICVs
    /// decide in their place.
    pub fn new(list: &[i32], strict: Option<Strict>) -> Demand {
        let (first, rest) = list.split_first().map_or((0, list), |(&first, rest)| (first.max(0), rest));
        let usable = !rest.is_empty() && rest.iter().all(|&number| number > 0);
        Demand { num_threads: first, rest: if usable { lists::number_of(rest) } else { lists::ENVIRONMENT }, strict }
    }

    /// Keeps the clause for the next parallel construct that `thread` encounters.
    pub fn push(self, thread: &Thread) {
        thread.pushed_demand.set(Some(self));
        thread.pushed_num_threads.set(-1);
    }

    /// Raises the error of a `strict` clause if the region gets `had` threads, not `wanted`. This may end the program.
    /// `call` is that of the parallel construct (OpenMP 6.0, section 12.1.2).
    #[cold]
    pub(super) fn check(&self, wanted: u32, had: u32, call: Call) {
        let Some(strict) = self.strict.filter(|_| had != wanted && wanted != 0) else { return };
        // SAFETY: the message is a string constant, or a string of the program that lives as long as the construct.
        let message = (!strict.message.is_null()).then(|| unsafe { CStr::from_ptr(strict.message) }.to_bytes());
        error::raise(Cause::Threads { wanted, had }, strict.severity, strict.place, message.unwrap_or_default(), call);
    }

    /// Puts the rest of the list into the ICVs of the described region's implicit tasks.
    #[cold]
    pub(super) fn hand_down(&self, team: &Team) {
        if let Some((nthreads, left)) = lists::take_first(self.rest) {
            let icvs = team.region.icvs.get();
            team.region.icvs.set(icv::Icvs { nthreads, nthreads_list: left, ..icvs });
        }
    }
}
