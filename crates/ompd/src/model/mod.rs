//! The meaning of the runtime's structures: each thread's region and task. The answers are those of OMPT's entry points
//! inside the program (OpenMP 5.1, sections 4.6.1.13 to 4.6.1.15), as far as a debugger can see them from outside.
//!
//! Whatever is read may be garbage: a thread may have been killed during a change, or the program may have overwritten
//! the memory. Every walk therefore ends, and addresses are only passed back to the debugger for reading.

pub mod live;
pub mod nest_lock;
pub mod slot;
pub mod steps;
pub mod task;
pub mod team;
pub mod thread;
