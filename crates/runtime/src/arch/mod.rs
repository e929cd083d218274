//! What differs from one processor architecture to the next, one file an architecture.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("ferromp knows x86_64 only so far; another architecture is one more file in src/arch");
