//! `num_threads` clauses that are more than a number: with the `strict` modifier, and with a list for
//! nested regions. OpenMP 6.0 has them; compilers that know them call entry points of their own.

use super::Team;
use crate::icv::{self, lists};
use crate::stderr;
use crate::thread::Thread;
use std::ffi::{CStr, c_char};

/// Such a clause, waiting for its construct.
#[derive(Clone, Copy)]
pub struct Demand {
    /// The number of threads of the region itself; 0 leaves it to the ICVs.
    pub num_threads: i32,
    /// What is left of the list, for the regions inside; `ENVIRONMENT` if there was none.
    rest: u16,
    strict: Option<Strict>,
}

/// What happens if the region cannot have as many threads as it asks for.
#[derive(Clone, Copy)]
pub struct Strict {
    /// The program ends.
    pub fatal: bool,
    /// The program's own words, or null.
    pub message: *const c_char,
}

impl Demand {
    /// A clause with these numbers, the first for the region itself. Numbers below 1 are not conforming
    /// and leave the choice to the ICVs.
    pub fn new(list: &[i32], strict: Option<Strict>) -> Demand {
        let (first, rest) = list.split_first().map_or((0, list), |(&first, rest)| (first.max(0), rest));
        let usable = !rest.is_empty() && rest.iter().all(|&number| number > 0);
        Demand { num_threads: first, rest: if usable { lists::number_of(rest) } else { lists::ENVIRONMENT }, strict }
    }

    /// Leaves the clause for the next parallel construct that `thread` encounters.
    pub fn push(self, thread: &Thread) {
        thread.pushed_demand.set(Some(self));
        thread.pushed_num_threads.set(-1);
    }

    /// The region gets `nthreads` threads instead of `wanted`: says so, and ends the program where that is asked for.
    #[cold]
    pub(super) fn settle(&self, wanted: u32, nthreads: u32) {
        let Some(strict) = self.strict else { return };
        if nthreads >= wanted {
            return;
        }
        // SAFETY: the compiler passes a string constant, or the program a string that lives as long as the construct.
        let words = (!strict.message.is_null()).then(|| unsafe { CStr::from_ptr(strict.message) }.to_string_lossy());
        let words = words.as_deref().unwrap_or("a parallel region cannot have the number of threads that it strictly asks for");
        if strict.fatal {
            stderr::abort(format_args!("{words} ({nthreads} threads instead of {wanted})"));
        }
        icv::write_stderr(&format!("ferromp: {words} ({nthreads} threads instead of {wanted}; it runs with fewer)\n"));
    }

    /// Gives the region's implicit tasks the rest of the list. The region has been described.
    #[cold]
    pub(super) fn hand_down(&self, team: &Team) {
        if let Some((nthreads, left)) = lists::take_first(self.rest) {
            let icvs = team.region.icvs.get();
            team.region.icvs.set(icv::Icvs { nthreads, nthreads_list: left, ..icvs });
        }
    }
}
