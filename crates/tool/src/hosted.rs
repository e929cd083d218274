//! The static in which a tool sits, and what ends the process when the tool panics.

use crate::Tool;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Where a tool lives; made by [`#[tool]`](crate::tool).
pub struct Instance<T> {
    pub(crate) tool: UnsafeCell<MaybeUninit<T>>,
    pub(crate) taken: AtomicBool,
    /// Whether `tool` is there.
    pub(crate) ready: AtomicBool,
    pub(crate) omp_version: AtomicU32,
    pub(crate) runtime_version: Mutex<String>,
}

// SAFETY: `tool` is written once, by the call of `initialize` that took `taken`, before a callback
// is registered; from then on only shared references are handed out, and tools are `Sync`.
unsafe impl<T: Sync> Sync for Instance<T> {}

impl<T> Instance<T> {
    /// The place of a tool that has not started.
    pub const fn new() -> Self {
        Instance {
            tool: UnsafeCell::new(MaybeUninit::uninit()),
            taken: AtomicBool::new(false),
            ready: AtomicBool::new(false),
            omp_version: AtomicU32::new(0),
            runtime_version: Mutex::new(String::new()),
        }
    }

    /// Whether the tool has been put in place.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// The tool.
    ///
    /// # Safety
    /// It has been put in place.
    #[inline(always)]
    pub(crate) unsafe fn get(&self) -> &T {
        // SAFETY: the caller says that it is initialised, and nothing writes to it after that.
        unsafe { (*self.tool.get()).assume_init_ref() }
    }
}

impl<T> Default for Instance<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A tool with a static to live in; implemented by [`#[tool]`](crate::tool).
pub trait Hosted: Tool {
    /// The static.
    fn instance() -> &'static Instance<Self>;
}

/// Ends the process when dropped, which happens only if a tool's method panics; a method that returns forgets the
/// value. The panic hook has printed the line by then.
pub(crate) struct AbortOnUnwind;

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}
