//! The parts of the conformance runner: a program's directives, its compilation, the choice of the runtime, and the
//! run. The files in `tests/` put them together; `README.md` describes the corpus and the directives.

pub mod compile;
pub mod compiler;
pub mod directives;
pub mod journal;
pub mod program;
pub mod root;
pub mod run;
pub mod runtime;
pub mod sanitize;
pub mod sequence;
pub mod snapshot;
pub mod soak;
pub mod stopped;
pub mod tools;
pub mod trial;
pub mod workspace;
