//! One name for every atomic and for the futex, real in the library and modelled under `--cfg loom`.
//!
//! The lock-free protocols (`park/`, `protocol/`, `device/map/stage.rs`, …) take their atomics from here and from nowhere
//! else, so that the model tests in `tests/loom_*.rs` check the very code that ships.

#[cfg(not(loom))]
pub mod atomic {
    //! The hardware's atomics.
    pub use std::sync::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
        AtomicUsize, Ordering, fence,
    };
}

#[cfg(loom)]
pub mod atomic {
    //! loom's modelled atomics.
    pub use loom::sync::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
        AtomicUsize, Ordering, fence,
    };
}

/// Tells the processor that the caller spins. Under loom it lets another modelled thread run.
#[inline(always)]
pub fn spin_hint() {
    #[cfg(not(loom))]
    std::hint::spin_loop();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// Lets another thread run.
pub fn yield_now() {
    #[cfg(not(loom))]
    std::thread::yield_now();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// Keeps `T` on cache lines of its own: 128 bytes, because x86 fetches lines in pairs and some
/// ARM cores have lines that long.
#[repr(align(128))]
#[derive(Default)]
pub struct Padded<T>(pub T);

impl<T> std::ops::Deref for Padded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
