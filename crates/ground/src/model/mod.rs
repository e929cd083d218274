//! One name for every atomic and for the futex: real in the library, modelled under `--cfg loom`, and simulated with
//! their costs under `--cfg simulated`.
//!
//! Every file of the runtime takes its atomics from here, so that the model tests in `tests/loom_*.rs` check the very
//! code that ships. `cargo xtask tidy` fails where a file takes one from the standard library.
//! `cargo xtask scale` runs the same code on simulated machines (`docs/scale-model.md`).
//! Faults that the tests put into the protocols, to see that the models find them, are in [`mutation`].

pub mod mutation;

/// The hardware's atomics, in every build. They are for words of the whole process, which exist before a model begins.
pub mod hardware {
    pub use std::sync::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
        AtomicUsize, Ordering, compiler_fence, fence,
    };
}

#[cfg(not(any(loom, simulated)))]
pub use hardware as atomic;

#[cfg(loom)]
pub mod atomic {
    //! loom's modelled atomics.
    pub use loom::sync::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
        AtomicUsize, Ordering, fence,
    };
}

#[cfg(simulated)]
pub mod atomic {
    //! The simulator's atomics, which cost what their cache lines make them cost.
    pub use ferromp_simulator::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
        AtomicUsize, Ordering, fence,
    };
}

pub mod sync {
    //! A lock for what is too long for one atomic word, real or modelled.
    #[cfg(loom)]
    pub use loom::sync::{Mutex, MutexGuard};
    #[cfg(not(loom))]
    pub use std::sync::{Mutex, MutexGuard};
}

/// Tells the processor that the caller spins. Under loom it lets another modelled thread run, and a simulated thread
/// lets some time pass.
#[inline(always)]
pub fn spin_hint() {
    #[cfg(not(any(loom, simulated)))]
    std::hint::spin_loop();
    #[cfg(simulated)]
    ferromp_simulator::pause();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// As [`spin_hint`], for so short a pause that a modelled thread does not give way.
#[inline(always)]
pub fn short_pause() {
    #[cfg(not(simulated))]
    std::hint::spin_loop();
    #[cfg(simulated)]
    ferromp_simulator::pause();
}

/// Lets another thread run.
pub fn yield_now() {
    #[cfg(not(any(loom, simulated)))]
    std::thread::yield_now();
    #[cfg(simulated)]
    ferromp_simulator::give_way();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// The light half of a pair of fences: on the path that many threads take. The other half is `membarrier`, which makes
/// every thread of the process execute a fence. Only the compiler is held here; under loom it is a fence.
#[inline(always)]
pub fn light_fence() {
    #[cfg(not(loom))]
    std::sync::atomic::compiler_fence(atomic::Ordering::SeqCst);
    #[cfg(loom)]
    atomic::fence(atomic::Ordering::SeqCst);
}

/// Nothing in the library. loom takes sequentially consistent loads and stores for acquire and release ones: where a
/// protocol relies on their one order, a fence stands here for what they do.
#[inline(always)]
pub fn order_of_seq_cst() {
    #[cfg(loom)]
    atomic::fence(atomic::Ordering::SeqCst);
}

/// What `look` finds at each object, in their order. No look depends on another, so the processor fetches all lines
/// side by side, if the caller does not end at the first that suits it.
#[inline(always)]
pub fn look_at_all<'a, T: 'a, R: Default>(
    objects: impl Iterator<Item = &'a T>,
    look: impl Fn(&'a T) -> R,
) -> impl Iterator<Item = R> {
    #[cfg(not(simulated))]
    let found = objects.map(look);
    #[cfg(simulated)]
    let found = ferromp_simulator::look_together(objects, look).into_iter();
    found
}

/// How many of the words in front are at least `bound`. What was written before these words were stored, with release,
/// is visible afterwards.
///
/// All words are looked at, where a loop that ends at the first small word would wait for each line in turn.
#[inline(always)]
pub fn count_in_front<'a>(words: impl Iterator<Item = &'a atomic::AtomicU64>, bound: u64) -> usize {
    let values = look_at_all(words, |word| word.load(atomic::Ordering::Relaxed));
    let (count, _) = values.fold((0, true), |(count, all), value| {
        let all = all & (value >= bound);
        (count + usize::from(all), all)
    });
    // Acquire loads would wait for each other on Arm.
    atomic::fence(atomic::Ordering::Acquire);
    count
}

/// Defines a function that is `const` in the library. loom's atomics cannot be made at compile time.
macro_rules! const_unless_modelled {
    ($(#[$attribute:meta])* pub fn $($rest:tt)*) => {
        #[cfg(not(loom))]
        $(#[$attribute])*
        pub const fn $($rest)*
        #[cfg(loom)]
        $(#[$attribute])*
        pub fn $($rest)*
    };
}
pub(crate) use const_unless_modelled;

/// Names the fields of a type for the simulator, which says on which of them threads wait. Nothing in the library.
macro_rules! named_fields {
    ($type:ty $(, $parameter:ident)?: $($field:ident),+) => {
        #[cfg(simulated)]
        impl $(<$parameter>)? $type {
            /// The fields that threads share, with their addresses.
            pub fn parts(&self) -> Vec<ferromp_simulator::Part> {
                vec![$(ferromp_simulator::Part::of(stringify!($field), &self.$field)),+]
            }
        }
    };
}
pub(crate) use named_fields;

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
