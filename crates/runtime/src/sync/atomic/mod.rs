//! Atomic operations on the program's variables, whatever their type (OpenMP 5.1 §2.19.7): those that
//! compilers leave to the runtime.
//!
//! Integers and reals of up to 8 bytes change by compare-and-swap. Larger types, complex numbers and
//! variables that do not lie on a multiple of their size change under the lock of all atomic regions
//! ([`critical`](super::critical)), so that they agree with code that takes the lock itself.
//!
//! Tools hear of both as atomic regions (§4.5.2.14–15). The variable's address is the wait identifier of a
//! compare-and-swap, which never waits: two threads may have been told that they are in such a region at the same time.

mod complex;
mod locked;
pub mod operators;
mod scalar;

pub use crate::arch::Complex;
use crate::objects::current;
pub use complex::Part;
pub use locked::update_in_place;
pub use operators::Convert;

use super::lock;
use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::ompt::{self, Entered};
use ::ompt::Mutex;

/// A type whose variables can be read and changed atomically.
pub trait Value: Copy {
    /// The variable's value. `call` is where the program asked, for tools.
    ///
    /// # Safety
    /// `place` points to a variable of the program that changes through these functions only, or by
    /// what agrees with them.
    unsafe fn read(place: *const Self, call: impl Caller) -> Self;

    /// Gives the variable the value that `change` makes of its value. `change` may be called more
    /// than once.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    unsafe fn update(place: *mut Self, call: impl Caller, change: impl Fn(Self) -> Self) -> Change<Self>;
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

/// While this lives, the thread is in an atomic region that no lock protects: tools hear of its begin and its end.
/// Without tools it is nothing.
struct Region<C: Caller> {
    told: Option<(&'static Thread, Entered<'static>)>,
    id: u64,
    call: C,
}

impl<C: Caller> Region<C> {
    /// The region is about the variable at `place`.
    #[inline(always)]
    fn enter<T>(place: *const T, call: C) -> Self {
        let id = place as u64;
        let told = if lock::unobserved(call) { None } else { Some(begin(id, call)) };
        Region { told, id, call }
    }
}

#[cold]
#[inline(never)]
fn begin(id: u64, call: impl Caller) -> (&'static Thread, Entered<'static>) {
    let thread = current::current();
    let entered = Entered::new(thread, call);
    ompt::mutex(thread, Mutex::ATOMIC, 0, id, call, || true, || ());
    (thread, entered)
}

impl<C: Caller> Drop for Region<C> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some((thread, _)) = self.told {
            end(thread, self.id, self.call);
        }
    }
}

#[cold]
#[inline(never)]
fn end(thread: &Thread, id: u64, call: impl Caller) {
    ompt::mutex_released(thread, Mutex::ATOMIC, id, call);
}
