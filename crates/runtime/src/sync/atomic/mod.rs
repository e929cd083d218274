//! Atomic operations on the program's variables, whatever their type (OpenMP 5.1 §2.19.7): those that
//! compilers leave to the runtime.
//!
//! Integers and reals of up to 8 bytes change by compare-and-swap. Larger types, complex numbers and
//! variables that do not lie on a multiple of their size change under the lock of all atomic regions
//! ([`critical`](super::critical)), so that they agree with code that takes the lock itself.

mod complex;
mod locked;
pub mod operators;
mod scalar;

pub use complex::{Complex, Part};
pub use locked::update_in_place;
pub use operators::Convert;

use crate::abi::Call;

/// A type whose variables can be read and changed atomically.
pub trait Value: Copy {
    /// The variable's value. `call` is where the program asked, for tools.
    ///
    /// # Safety
    /// `place` points to a variable of the program that changes through these functions only, or by
    /// what agrees with them.
    unsafe fn read(place: *const Self, call: Call) -> Self;

    /// Gives the variable the value that `change` makes of its value. `change` may be called more
    /// than once.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    unsafe fn update(place: *mut Self, call: Call, change: impl Fn(Self) -> Self) -> Change<Self>;
}

/// What an update has done: the values before and after.
#[derive(Clone, Copy)]
pub struct Change<T> {
    pub old: T,
    pub new: T,
}

impl<T> Change<T> {
    /// The captured value: the new one where `new` is not 0, as the ABI has it.
    #[inline(always)]
    pub fn captured(self, new: i32) -> T {
        if new != 0 { self.new } else { self.old }
    }
}
