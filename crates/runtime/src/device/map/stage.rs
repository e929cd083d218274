//! How far a mapped range's counterpart is, as others wait for it. The steps, and why nobody waits for ever, are in
//! `README.md`.

use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::futex;

/// Whoever made the entry has not allocated its memory yet.
pub const NEW: u32 = 0;
/// The address is known; what is to be copied is not there yet.
pub const ALLOCATED: u32 = 2;
/// What is to be copied is there, or on its way; pointers are yet to be attached.
pub const COPIED: u32 = 4;
/// All is there, or on its way.
pub const READY: u32 = 6;

/// Set while somebody sleeps until the stage is another one.
const AWAITED: u32 = 1;

/// A stage, one of the above. Its maker advances it; anybody may wait.
pub struct Stage {
    word: AtomicU32,
}

impl Stage {
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Stage { word: AtomicU32::new(NEW) }
    }

    #[cfg(loom)]
    pub fn new() -> Self {
        Stage { word: AtomicU32::new(NEW) }
    }

    /// Whether it has come so far. Acquire: what was written before is seen.
    #[inline(always)]
    pub fn has_come_to(&self, stage: u32) -> bool {
        self.word.load(Ordering::Acquire) >= stage
    }

    /// It has come so far, or begins anew. Release: who sees the stage sees what was written before.
    pub fn set(&self, stage: u32) {
        let order = mutation::or_relaxed("stage: set relaxed", Ordering::Release);
        if self.word.swap(stage, order) & AWAITED != 0 && !mutation::is("stage: set in silence") {
            futex::wake(&self.word, i32::MAX);
        }
    }

    /// From [`READY`] it goes back to [`COPIED`]; from another stage it does not.
    pub fn go_back(&self) {
        let _ = self.word.compare_exchange(READY, COPIED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Waits until it has come so far.
    #[cold]
    pub fn wait(&self, stage: u32) {
        loop {
            let now = self.word.load(Ordering::Acquire);
            if now >= stage {
                return;
            }
            let awaited = now | AWAITED;
            if now == awaited || self.word.compare_exchange(now, awaited, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                futex::wait(&self.word, awaited);
            }
        }
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}
