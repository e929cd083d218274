//! Whether a device can be used, and which thread is changing that.

use crate::model::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::park::event::Event;
use crate::thread::wait;

/// What has become of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Stage {
    /// Not opened yet, or no longer there in a forked child.
    Closed = 0,
    Open,
    /// The device could not be opened, or has been closed at the end of the program.
    Lost,
}

/// The state of one device, which is closed at first, and the lock for changes of the state.
#[derive(Default)]
pub struct State {
    /// One more than the generation of images that the device has loaded; 0 while the device cannot be used. Written by
    /// the holder, read by every construct.
    up_to: AtomicU64,
    /// A [`Stage`]. Written by the holder.
    stage: AtomicU32,
    /// The thread that changes the state, by its `pthread_t`; 0 for none.
    holder: AtomicUsize,
    /// Where other threads wait for the holder.
    released: Event,
}

impl State {
    /// Whether the device can be used and has all images up to `generation`.
    #[inline]
    pub fn is_up_to(&self, generation: u32) -> bool {
        self.up_to.load(Ordering::Acquire) == u64::from(generation) + 1
    }

    /// Notes that the device has all images up to `generation`; with `None`, that the device cannot be used.
    pub fn set_up_to(&self, generation: Option<u32>) {
        self.up_to.store(generation.map_or(0, |generation| u64::from(generation) + 1), Ordering::Release);
    }

    pub fn is(&self, stage: Stage) -> bool {
        self.stage.load(Ordering::Acquire) == stage as u32
    }

    pub fn set(&self, stage: Stage) {
        self.stage.store(stage as u32, Ordering::Release);
    }

    /// Calls `body` while no other thread does so for this device. The constructors of images and the tool's callbacks
    /// that `body` runs may need the device: a nested call on the same thread calls `nested` at once.
    pub fn hold<R>(&self, body: impl FnOnce() -> R, nested: impl FnOnce() -> R) -> R {
        // SAFETY: `pthread_self` has no preconditions.
        let caller = unsafe { libc::pthread_self() as usize };
        if self.holder.load(Ordering::Relaxed) == caller {
            return nested();
        }
        wait::until(&self.released, || {
            self.holder.compare_exchange(0, caller, Ordering::Acquire, Ordering::Relaxed).is_ok()
        });
        let result = body();
        self.holder.store(0, Ordering::Release);
        self.released.notify_all();
        result
    }

    /// In a forked child, the holder and the waiting threads do not exist.
    pub fn after_fork(&self) {
        self.holder.store(0, Ordering::Relaxed);
        self.released.forget_sleepers();
    }
}
