//! What a thread keeps of clauses until their construct comes, and what it last displayed of its affinity.

use std::ffi::c_char;

/// What a thread last displayed about itself: another team size, nesting level or team of a league is news.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shown {
    pub(crate) nthreads: u32,
    pub(crate) level: i32,
    pub(crate) team_num: i32,
}

/// Such a clause, waiting for its construct.
#[derive(Clone, Copy)]
pub struct Demand {
    /// The number of threads of the region itself; 0 leaves it to the ICVs.
    pub num_threads: i32,
    /// What is left of the list, for the regions inside; `ENVIRONMENT` if there was none.
    pub(crate) rest: u16,
    pub(crate) strict: Option<Strict>,
}

/// What happens if the region gets another number of threads than it asks for: the effect of an `error` directive.
#[derive(Clone, Copy)]
pub struct Strict {
    pub severity: Severity,
    /// The program's own words, or null.
    pub message: *const c_char,
    /// Where the construct stands in the source, if the compiler has said so.
    pub place: Option<Place<'static>>,
}

/// The clauses of a teams construct.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clauses {
    /// `num_teams`: the fewest teams; 0 without the clause.
    pub at_least: u32,
    /// The most teams; 0 without the clause.
    pub at_most: u32,
    /// `thread_limit`: the most threads of each team; 0 without the clause.
    pub thread_limit: u32,
}

/// The `severity` clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Warning,
    Fatal,
}

impl Severity {
    pub(crate) fn for_tools(self) -> ::ompt::Severity {
        match self {
            Severity::Warning => ::ompt::Severity::WARNING,
            Severity::Fatal => ::ompt::Severity::FATAL,
        }
    }
}

/// A place in the program's source.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub file: &'a [u8],
    pub line: &'a [u8],
}
