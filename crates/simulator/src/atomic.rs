//! Simulated atomics. An access first costs what the line's state makes it cost, and lets all threads run that are
//! behind. Then the access happens, whatever its order: one thread of the system runs all simulated threads.

use crate::world::{self, Kind, access};
pub use std::sync::atomic::Ordering;
use std::sync::atomic::{self as hardware, Ordering::SeqCst};

/// A fence. All but full ones cost nothing.
pub fn fence(order: Ordering) {
    if order == SeqCst {
        world::fence();
    }
}

/// What a store of this order is to the processor.
fn store_kind(order: Ordering) -> Kind {
    if order == SeqCst { Kind::ReadModifyWrite } else { Kind::Store }
}

/// The methods that all atomics have.
macro_rules! atomic {
    ($([$parameter:ident])? $name:ident $(<$same:ident>)?: $value:ty) => {
        #[doc = concat!("As `std`'s `", stringify!($name), "`.")]
        #[repr(transparent)]
        pub struct $name $(<$parameter>)? (hardware::$name $(<$parameter>)?);

        impl $(<$parameter>)? Default for $name $(<$parameter>)? {
            fn default() -> Self {
                $name(hardware::$name::default())
            }
        }

        impl $(<$parameter>)? $name $(<$parameter>)? {
            /// A word that holds `value`.
            pub const fn new(value: $value) -> Self {
                $name(hardware::$name::new(value))
            }

            /// The word at `pointer`.
            ///
            /// # Safety
            /// As for `std`'s type.
            pub unsafe fn from_ptr<'a>(pointer: *mut $value) -> &'a Self {
                // SAFETY: the caller's promise is that of `std`'s function, and the types have the same layout.
                unsafe { &*pointer.cast::<Self>() }
            }

            /// Where the value lies.
            pub const fn as_ptr(&self) -> *mut $value {
                self.0.as_ptr()
            }

            fn access(&self, kind: Kind) {
                access(std::ptr::from_ref(self).addr(), kind);
            }

            pub fn load(&self, _order: Ordering) -> $value {
                self.access(Kind::Load);
                self.0.load(SeqCst)
            }

            pub fn store(&self, value: $value, order: Ordering) {
                self.access(store_kind(order));
                self.0.store(value, SeqCst);
            }

            pub fn swap(&self, value: $value, _order: Ordering) -> $value {
                self.access(Kind::ReadModifyWrite);
                self.0.swap(value, SeqCst)
            }

            pub fn compare_exchange(
                &self,
                expected: $value,
                value: $value,
                _success: Ordering,
                _failure: Ordering,
            ) -> Result<$value, $value> {
                self.access(Kind::ReadModifyWrite);
                self.0.compare_exchange(expected, value, SeqCst, SeqCst)
            }

            pub fn compare_exchange_weak(
                &self,
                expected: $value,
                value: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(expected, value, success, failure)
            }
        }
    };
}

/// The methods of atomic numbers.
macro_rules! number {
    ($name:ident: $value:ty) => {
        atomic!($name: $value);
        number!($name: $value; fetch_add, fetch_sub, fetch_or, fetch_and, fetch_max, fetch_min);
    };
    ($name:ident: $value:ty; $($method:ident),+) => {
        impl $name {
            $(pub fn $method(&self, value: $value, _order: Ordering) -> $value {
                self.access(Kind::ReadModifyWrite);
                self.0.$method(value, SeqCst)
            })+
        }
    };
}

atomic!(AtomicBool: bool);
atomic!([T] AtomicPtr<T>: *mut T);
number!(AtomicU8: u8);
number!(AtomicU16: u16);
number!(AtomicU32: u32);
number!(AtomicU64: u64);
number!(AtomicUsize: usize);
number!(AtomicI32: i32);
number!(AtomicI64: i64);
number!(AtomicIsize: isize);
