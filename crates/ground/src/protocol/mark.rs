//! The mark of a thread that is inside a tool's callback: the runtime waits for the mark to go before it
//! calls the tool's finaliser. `ompt/README.md` has the protocol, `tests/loom_registry.rs` models it.

use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;

/// In a callback.
pub const CALLING: u32 = 1;
/// In a callback that has encountered a construct of OpenMP's.
pub const DISTURBED: u32 = 2;
/// The thread is a device's: what happens on it is no event of the host's.
pub const OF_DEVICE: u32 = 4;

/// [`CALLING`], and [`DISTURBED`] besides; [`OF_DEVICE`]. Written by the thread alone, read by the thread that ends a
/// tool.
#[derive(Default)]
pub struct Mark(AtomicU32);

impl Mark {
    /// What the thread itself, which alone may ask here, has written last.
    #[inline(always)]
    pub fn own(&self) -> u32 {
        #[cfg(loom)]
        return self.0.load(Ordering::Relaxed);
        // SAFETY: only the thread itself writes the word. Not as an atomic one, which compilers put into a register
        // before they look at it.
        #[cfg(not(loom))]
        unsafe {
            *self.0.as_ptr()
        }
    }

    /// Changes the mark without an order. For the thread, or for the one that prepares the thread's descriptor.
    #[inline(always)]
    pub fn set(&self, mark: u32) {
        self.0.store(mark, Ordering::Relaxed);
    }

    /// Takes back what the mark had more than `mark`. What the thread has done in the callback happens before whatever
    /// follows a look at the mark. The thread only.
    #[inline(always)]
    pub fn lower(&self, mark: u32) {
        // Release: what the tool did happens before its finaliser.
        self.0.store(mark, mutation::or_relaxed("silence: callback left relaxed", Ordering::Release));
    }

    /// Marks the thread as being in a callback, if it is one of the host's that is not inside one. The thread only.
    #[inline(always)]
    pub fn try_enter(&self) -> bool {
        let may = self.own() == 0;
        if may {
            self.set(CALLING);
        }
        may
    }

    /// Whether the thread is inside a callback. Any thread may ask.
    pub fn is_inside(&self) -> bool {
        self.0.load(Ordering::Acquire) & !OF_DEVICE != 0
    }
}
