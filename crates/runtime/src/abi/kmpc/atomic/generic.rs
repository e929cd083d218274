//! Atomic updates by a function of the program: `__kmpc_atomic_<bytes>`.

use crate::abi::kmpc::Ident;
use crate::abi::split_wide_entry_point;
use crate::sync::atomic::{Value, update_in_place};
use std::ffi::c_void;

/// `*out = *old op *by`
type Operation = unsafe extern "C" fn(out: *mut c_void, old: *mut c_void, by: *mut c_void);

/// For the sizes that an instruction can exchange: the operation works on copies.
macro_rules! by_exchange {
    ($($name:ident $ty:ty;)*) => {$(
        split_wide_entry_point! {
            /// Updates a variable by the program's operation. The name has the variable's size in bytes.
            pub fn $name(loc: *const Ident, gtid: i32, place: *mut $ty, by: *mut c_void, operation: Operation), |call| {
                <$ty>::update(place, call, |mut old| {
                    let mut new: $ty = 0;
                    operation((&raw mut new).cast(), (&raw mut old).cast(), by);
                    new
                });
            }
        }
    )*};
}

/// For the other sizes: the operation works in place, under the lock.
macro_rules! in_place {
    ($($name:ident)*) => {$(
        split_wide_entry_point! {
            /// Updates a variable by the program's operation. The name has the variable's size in bytes.
            pub fn $name(loc: *const Ident, gtid: i32, place: *mut c_void, by: *mut c_void, operation: Operation),
                |call| {
                update_in_place(call, || operation(place, place, by));
            }
        }
    )*};
}

by_exchange! {
    __kmpc_atomic_1 u8;
    __kmpc_atomic_2 u16;
    __kmpc_atomic_4 u32;
    __kmpc_atomic_8 u64;
}

in_place! { __kmpc_atomic_10 __kmpc_atomic_16 __kmpc_atomic_20 __kmpc_atomic_32 }
