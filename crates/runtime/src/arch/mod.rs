//! What differs from one processor architecture to the next, one file an architecture, and one for the
//! real types of its C that Rust lacks.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;
pub mod complex;
#[cfg(target_arch = "x86_64")]
mod x86_64_reals;
#[cfg(target_arch = "x86_64")]
pub use x86_64_reals::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("ferromp knows x86_64 only so far; another architecture is one more file in src/arch");
