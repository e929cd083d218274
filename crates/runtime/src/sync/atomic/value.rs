//! Types whose variables change atomically, and the way that serves each of them: under the lock of all atomic regions
//! ([`critical`]; OpenMP 5.1 §2.19.7).

use crate::arch::{Complex, F128, LongDouble};
use crate::objects::call::Caller;
use crate::sync::critical;

/// A type whose variables can be read and changed atomically. Without functions of its own a type does so under the
/// lock: no processor instruction changes such a variable at once.
pub trait Value: Copy {
    /// The variable's value. `call` is where the program asked, for tools.
    ///
    /// # Safety
    /// `place` points to a variable of the program that changes through these functions only, or by what agrees with
    /// them.
    #[inline]
    unsafe fn read(place: *const Self, call: impl Caller) -> Self {
        // SAFETY: the caller upholds this function's own contract.
        unsafe { read_locked(place, call) }
    }

    /// Gives the variable the value that `change` makes of its value. `change` may be called more than once.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    #[inline]
    unsafe fn update(place: *mut Self, call: impl Caller, change: impl Fn(Self) -> Self) -> Change<Self> {
        // SAFETY: the caller upholds this function's own contract.
        unsafe { update_locked(place, call, change) }
    }
}

impl Value for LongDouble {}
impl Value for F128 {}
impl Value for Complex<f32> {}
impl Value for Complex<f64> {}
impl Value for Complex<LongDouble> {}
impl Value for Complex<F128> {}

/// What an update has done: the values before and after.
#[derive(Clone, Copy)]
pub struct Change<T> {
    pub old: T,
    pub new: T,
}

impl<T> Change<T> {
    /// The captured value: the new one if `new` is not 0, as the ABI has it.
    #[inline(always)]
    pub fn captured(self, new: i32) -> T {
        if new != 0 { self.new } else { self.old }
    }
}

/// See [`Value::read`]. The variable need not be aligned.
///
/// # Safety
/// As there.
pub(super) unsafe fn read_locked<T: Copy>(place: *const T, call: impl Caller) -> T {
    critical::enter_atomic(call);
    // SAFETY: the variable is the caller's, and the lock keeps other threads away.
    let value = unsafe { place.read_unaligned() };
    critical::leave_atomic(call);
    value
}

/// See [`Value::update`]. The variable need not be aligned.
///
/// # Safety
/// As there.
pub(super) unsafe fn update_locked<T: Copy>(place: *mut T, call: impl Caller, change: impl Fn(T) -> T) -> Change<T> {
    critical::enter_atomic(call);
    // SAFETY: the variable is the caller's, and the lock keeps other threads away.
    let done = unsafe {
        let old = place.read_unaligned();
        let new = change(old);
        place.write_unaligned(new);
        Change { old, new }
    };
    critical::leave_atomic(call);
    done
}

/// Runs `change`, which changes a variable of any type in place, while no other such change is under way.
pub fn update_in_place(call: impl Caller, change: impl FnOnce()) {
    critical::enter_atomic(call);
    change();
    critical::leave_atomic(call);
}
