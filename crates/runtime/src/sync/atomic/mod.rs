//! Atomic operations on the program's variables, whatever their type (OpenMP 5.1 §2.19.7): those that compilers leave
//! to the runtime.
//!
//! Integers and reals of up to 8 bytes change by compare-and-swap (`scalar.rs`). Larger types, complex numbers and
//! variables that do not lie on a multiple of their size change under the lock of all atomic regions (`value.rs`). So
//! they agree with code that takes the lock itself.
//!
//! Tools hear of both as atomic regions (§4.5.2.14–15). The wait identifier of a compare-and-swap is the variable's
//! address. It never waits, so two threads may be reported in such a region at the same time.

mod complex;
pub mod operators;
mod scalar;
mod value;

pub use crate::arch::Complex;
pub use complex::Part;
pub use operators::Convert;
pub use value::{Change, Value, update_in_place};
