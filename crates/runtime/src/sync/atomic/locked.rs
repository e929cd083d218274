//! Atomic operations under the lock of all atomic regions: on types that no processor instruction
//! changes at once, and on variables that are not aligned (OpenMP 5.1 §2.19.7).

use super::{Change, Value};
use crate::arch::{Complex, F128, LongDouble};
use crate::objects::call::Caller;
use crate::sync::critical;

/// See [`Value::read`].
///
/// # Safety
/// As there.
pub(super) unsafe fn read<T: Copy>(place: *const T, call: impl Caller) -> T {
    critical::enter_atomic(call);
    // SAFETY: the caller's; the lock keeps others away.
    let value = unsafe { place.read_unaligned() };
    critical::leave_atomic(call);
    value
}

/// See [`Value::update`].
///
/// # Safety
/// As there.
pub(super) unsafe fn update<T: Copy>(place: *mut T, call: impl Caller, change: impl Fn(T) -> T) -> Change<T> {
    critical::enter_atomic(call);
    // SAFETY: the caller's; the lock keeps others away.
    let done = unsafe {
        let old = place.read_unaligned();
        let new = change(old);
        place.write_unaligned(new);
        Change { old, new }
    };
    critical::leave_atomic(call);
    done
}

/// Runs `change`, which changes a variable of any type in place, while no other such change is
/// under way.
pub fn update_in_place(call: impl Caller, change: impl FnOnce()) {
    critical::enter_atomic(call);
    change();
    critical::leave_atomic(call);
}

macro_rules! values_under_the_lock {
    ($($ty:ty)*) => {$(
        impl Value for $ty {
            #[inline]
            unsafe fn read(place: *const Self, call: impl Caller) -> Self {
                // SAFETY: the caller's.
                unsafe { read(place, call) }
            }

            #[inline]
            unsafe fn update(place: *mut Self, call: impl Caller, change: impl Fn(Self) -> Self) -> Change<Self> {
                // SAFETY: the caller's.
                unsafe { update(place, call, change) }
            }
        }
    )*};
}

values_under_the_lock! { LongDouble F128 Complex<f32> Complex<f64> Complex<LongDouble> Complex<F128> }
