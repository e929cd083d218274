//! What differs from one processor architecture to the next: one folder an architecture, with the same names in each.
//! `README.md` lists the names.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("ferromp has no code for this processor: src/arch/README.md says what an architecture must offer");

// A futex waits on the lower half of a 64-bit word, which is looked for at the address of the word. Words hold an
// address and a number.
const _: () = assert!(cfg!(target_endian = "little") && usize::BITS == 64, "ferromp needs 64 bits, little-endian");

mod complex;
pub use complex::Complex;
