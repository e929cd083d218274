//! How far the counterpart of a mapped range is. `README.md` has the stages, and the reason why no thread waits for
//! ever.

use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::futex;

/// The entry's maker has not allocated memory yet.
pub const NEW: u32 = 0;
/// The address is known; what is to be copied is not there yet.
pub const ALLOCATED: u32 = 2;
/// What is to be copied is there, or queued; pointers are yet to be attached.
pub const COPIED: u32 = 4;
/// All is there, or queued.
pub const READY: u32 = 6;

/// Set while a thread sleeps until the stage changes.
const AWAITED: u32 = 1;

/// One of the stages above. The entry's maker advances the stage; any thread may wait.
pub struct Stage {
    word: AtomicU32,
}

impl Stage {
    /// Whether the counterpart has come this far. Acquire: what was written before is seen.
    #[inline(always)]
    pub fn has_come_to(&self, stage: u32) -> bool {
        self.word.load(Ordering::Acquire) >= stage
    }

    /// The counterpart has come this far, or begins anew. Release: a thread that sees the stage sees what was written
    /// before.
    pub fn set(&self, stage: u32) {
        let order = mutation::or_relaxed("stage: set relaxed", Ordering::Release);
        if self.word.swap(stage, order) & AWAITED != 0 && !mutation::is("stage: set in silence") {
            futex::wake(&self.word, i32::MAX);
        }
    }

    /// Goes back from [`READY`] to [`COPIED`]; does nothing at another stage.
    pub fn go_back(&self) {
        let _ = self.word.compare_exchange(READY, COPIED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Waits until the counterpart has come this far; whether there was anything to wait for.
    #[inline(always)]
    pub fn reach(&self, stage: u32) -> bool {
        let behind = !self.has_come_to(stage);
        if behind {
            self.wait(stage);
        }
        behind
    }

    /// Waits until the counterpart has come this far.
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
        Stage { word: AtomicU32::new(NEW) }
    }
}
