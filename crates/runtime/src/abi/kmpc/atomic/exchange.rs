//! Atomic compare and swap: `__kmpc_atomic_{bool,val}_<bytes>_cas`, for `atomic compare`
//! (OpenMP 5.1 §2.19.7).

use crate::abi::kmpc::Ident;
use crate::abi::split_wide_entry_point;
use crate::objects::call::Caller;
use crate::sync::atomic::{Change, Value};

/// `if (*place == expected) *place = desired`; the variable before and after.
///
/// # Safety
/// `place` points to a variable that is accessed by atomic operations alone.
#[inline(always)]
unsafe fn exchange<T: Value + PartialEq>(place: *mut T, expected: T, desired: T, call: impl Caller) -> Change<T> {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { T::update(place, call, |old| if old == expected { desired } else { old }) }
}

macro_rules! exchanges {
    ($($ty:ty: $bool:ident $value:ident $bool_captured:ident $value_captured:ident;)*) => {$(
        split_wide_entry_point! {
            /// `if (*place == expected) *place = desired`; whether they were equal.
            pub fn $bool(loc: *const Ident, gtid: i32, place: *mut $ty, expected: $ty, desired: $ty) -> bool, |call| {
                exchange(place, expected, desired, call).old == expected
            }

            /// The same; the old value.
            pub fn $value(loc: *const Ident, gtid: i32, place: *mut $ty, expected: $ty, desired: $ty) -> $ty, |call| {
                exchange(place, expected, desired, call).old
            }

            /// The same; whether they were equal. Where they were not, the old value goes to `captured`.
            pub fn $bool_captured(
                loc: *const Ident, gtid: i32, place: *mut $ty, expected: $ty, desired: $ty, captured: *mut $ty,
            ) -> bool, |call| {
                let old = exchange(place, expected, desired, call).old;
                if old != expected {
                    captured.write_unaligned(old);
                }
                old == expected
            }

            /// The same; the old value. The new one goes to `captured`.
            pub fn $value_captured(
                loc: *const Ident, gtid: i32, place: *mut $ty, expected: $ty, desired: $ty, captured: *mut $ty,
            ) -> $ty, |call| {
                let change = exchange(place, expected, desired, call);
                captured.write_unaligned(change.new);
                change.old
            }
        }
    )*};
}

exchanges! {
    i8: __kmpc_atomic_bool_1_cas __kmpc_atomic_val_1_cas __kmpc_atomic_bool_1_cas_cpt __kmpc_atomic_val_1_cas_cpt;
    i16: __kmpc_atomic_bool_2_cas __kmpc_atomic_val_2_cas __kmpc_atomic_bool_2_cas_cpt __kmpc_atomic_val_2_cas_cpt;
    i32: __kmpc_atomic_bool_4_cas __kmpc_atomic_val_4_cas __kmpc_atomic_bool_4_cas_cpt __kmpc_atomic_val_4_cas_cpt;
    i64: __kmpc_atomic_bool_8_cas __kmpc_atomic_val_8_cas __kmpc_atomic_bool_8_cas_cpt __kmpc_atomic_val_8_cas_cpt;
}
