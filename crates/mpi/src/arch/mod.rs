//! What differs from one processor architecture to the next, one file an architecture with the same names in each:
//!
//! | name | meaning |
//! | --- | --- |
//! | `entry_point!` | an entry point's body: keeps where the call is, goes on to a route's target with all arguments |
//! | `first_call!` | a route's first target: has a function choose the target, goes on there with all arguments |
//! | `caller` | the return address of the calling thread's last entry point |
//! | `entered` | the stack address at the calling thread's last entry point |
//!
//! All arguments of MPI's functions are integers and pointers, which every supported calling convention passes in
//! registers and stack slots of one word each.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("ferromp's MPI library has no code for this processor: src/arch/mod.rs says what an architecture has");
