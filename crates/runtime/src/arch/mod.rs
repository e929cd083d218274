//! What differs from one processor architecture to the next: one folder an architecture, with the same names in each.
//! `README.md` lists the names.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("ferromp has no code for this processor: src/arch/README.md says what an architecture must offer");

mod complex;
pub use complex::Complex;
