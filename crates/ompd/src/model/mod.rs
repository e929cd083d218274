//! What the runtime's structures mean: which thread is in which region and task. The answers are those that the entry
//! points of OMPT give inside the program (OpenMP 5.1, sections 4.6.1.13 to 4.6.1.15), as far as they can be seen from
//! outside.
//!
//! Whatever is read may be garbage: of a thread that was killed while it changed it, or of a program that has
//! overwritten it. So every walk has an end, and every address is only ever handed back to the debugger to read.

pub mod live;
pub mod slot;
pub mod steps;
pub mod task;
pub mod team;
pub mod thread;
