//! Clauses that a thread keeps until their construct comes, and what the thread last displayed of its affinity.

use std::ffi::c_char;

/// What a thread last displayed with `OMP_DISPLAY_AFFINITY`. It displays again if one of these differs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shown {
    pub(crate) nthreads: u32,
    pub(crate) level: i32,
    pub(crate) team_num: i32,
}

/// A `num_threads` clause that is more than a number, kept for its construct.
#[derive(Clone, Copy)]
pub struct Demand {
    /// The number of threads of the region itself; 0 leaves it to the ICVs.
    pub num_threads: i32,
    /// The rest of the list, for nested regions; `ENVIRONMENT` if there was no list.
    pub(crate) rest: u16,
    pub(crate) strict: Option<Strict>,
}

/// The `strict` modifier: if the region gets another number of threads, this has the effect of an `error` directive.
#[derive(Clone, Copy)]
pub struct Strict {
    pub severity: Severity,
    /// The program's message, or null.
    pub message: *const c_char,
    /// The place of the construct in the source, if the compiler passes it.
    pub place: Option<Place<'static>>,
}

/// The clauses of a teams construct.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clauses {
    /// `num_teams`: the lower bound; 0 without the clause.
    pub at_least: u32,
    /// `num_teams`: the upper bound; 0 without the clause.
    pub at_most: u32,
    /// `thread_limit`: the largest number of threads of each team; 0 without the clause.
    pub thread_limit: u32,
}

/// The `severity` clause, with OMPT's values (`ompt_severity_t`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Warning = ::ompt::Severity::WARNING.0 as isize,
    Fatal = ::ompt::Severity::FATAL.0 as isize,
}

/// A place in the program's source.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub file: &'a [u8],
    pub line: &'a [u8],
}
