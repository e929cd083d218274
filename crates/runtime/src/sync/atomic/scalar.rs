//! Atomic operations on integers and reals of up to 8 bytes, by compare-and-swap (OpenMP 5.1 §2.19.7).

use super::value::{Change, Value, read_locked, update_locked};
use crate::model::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::ompt::{self, Entered};
use crate::sync::lock;
use ::ompt::Mutex;

/// The atomic region that the thread is in while this lives, which no lock protects. Tools hear of its begin and its
/// end.
struct Region<C: Caller> {
    thread: &'static Thread,
    id: u64,
    call: C,
    /// Ends after the region.
    _entered: Entered<'static>,
}

impl<C: Caller> Region<C> {
    /// Enters the region around a change of the variable at `place`, unless no tool hears of it.
    #[inline(always)]
    fn enter<T>(place: *const T, call: C) -> Option<Self> {
        if lock::is_unreported(call) { None } else { Some(Self::begin(place as u64, call)) }
    }

    #[cold]
    #[inline(never)]
    fn begin(id: u64, call: C) -> Self {
        let thread = current::current();
        let entered = Entered::new(thread, call);
        ompt::mutex(thread, Mutex::ATOMIC, 0, id, call, || true, || ());
        Region { thread, id, call, _entered: entered }
    }
}

impl<C: Caller> Drop for Region<C> {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        ompt::mutex_released(self.thread, Mutex::ATOMIC, self.id, self.call);
    }
}

macro_rules! scalars {
    ($($ty:ty, $word:ty, $atomic:ty;)*) => {$(
        impl Value for $ty {
            #[inline]
            unsafe fn read(place: *const Self, call: impl Caller) -> Self {
                if !place.is_aligned() {
                    // SAFETY: the caller upholds this function's own contract.
                    return unsafe { read_locked(place, call) };
                }
                let _region = Region::enter(place, call);
                // SAFETY: the variable is the caller's, and aligned.
                let word = unsafe { <$atomic>::from_ptr(place.cast_mut().cast()) };
                <$ty>::from_ne_bytes(word.load(Ordering::SeqCst).to_ne_bytes())
            }

            #[inline]
            unsafe fn update(place: *mut Self, call: impl Caller, change: impl Fn(Self) -> Self) -> Change<Self> {
                if !place.is_aligned() {
                    // SAFETY: the caller upholds this function's own contract.
                    return unsafe { update_locked(place, call, change) };
                }
                let _region = Region::enter(place, call);
                // SAFETY: the variable is the caller's, and aligned.
                let word = unsafe { <$atomic>::from_ptr(place.cast()) };
                // Relaxed: the exchange finds out whether the value is still there.
                let mut seen = word.load(Ordering::Relaxed);
                loop {
                    let old = <$ty>::from_ne_bytes(seen.to_ne_bytes());
                    let new = change(old);
                    // Sequentially consistent, which any memory order clause is content with.
                    match word.compare_exchange_weak(
                        seen,
                        <$word>::from_ne_bytes(new.to_ne_bytes()),
                        Ordering::SeqCst,
                        Ordering::Relaxed,
                    ) {
                        Ok(_) => return Change { old, new },
                        Err(now) => seen = now,
                    }
                }
            }
        }
    )*};
}

scalars! {
    i8, u8, AtomicU8;
    u8, u8, AtomicU8;
    i16, u16, AtomicU16;
    u16, u16, AtomicU16;
    i32, u32, AtomicU32;
    u32, u32, AtomicU32;
    i64, u64, AtomicU64;
    u64, u64, AtomicU64;
    f32, u32, AtomicU32;
    f64, u64, AtomicU64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::call::NoTool;

    #[test]
    fn changes_of_many_threads_add_up() {
        let mut total = 0.0_f64;
        let place = &raw mut total as usize;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    for _ in 0..1000 {
                        // SAFETY: the variable outlives the scope.
                        unsafe { f64::update(place as *mut f64, NoTool, |old| old + 0.5) };
                    }
                });
            }
        });
        assert_eq!(total, 2000.0);
    }

    #[test]
    fn variables_need_not_be_aligned() {
        let mut bytes = [0_u8; 16];
        let place = bytes.as_mut_ptr().wrapping_add(3).cast::<i64>();
        // SAFETY: the variable lies within the array.
        let change = unsafe { i64::update(place, NoTool, |old| old - 5) };
        assert_eq!((change.old, change.new), (0, -5));
        // SAFETY: as above.
        assert_eq!(unsafe { i64::read(place, NoTool) }, -5);
        assert_eq!((bytes[2], bytes[11]), (0, 0));
    }
}
