//! What the runtime's structures mean: which thread is in which region and task. The answers are those that the entry
//! points of OMPT give inside the program (OpenMP 5.1, sections 4.6.1.13 to 4.6.1.15), as far as they can be seen from
//! outside.
//!
//! Whatever is read may be garbage: a thread may have been killed during a change, or the program may have overwritten
//! the memory. Every walk therefore ends, and addresses are only passed back to the debugger for reading.

pub mod live;
pub mod slot;
pub mod steps;
pub mod task;
pub mod team;
pub mod thread;
