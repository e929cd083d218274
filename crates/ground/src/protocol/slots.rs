//! The slots of the callbacks: how a tool's callback comes into effect, how a thread finds it, and how the tool is
//! turned off while other threads may be about to call it.
//!
//! The protocol is in `ompt/README.md`; `tests/loom_registry.rs` models it.

use super::mark::Mark;
use crate::model::atomic::{AtomicBool, AtomicPtr, Ordering};
use crate::model::{self, mutation};
use std::ffi::c_void;
use std::hint::cold_path;

/// The callbacks of `N` events.
pub struct Slots<const N: usize> {
    /// Whether a tool is active: it has been initialised and not yet finalised.
    on: AtomicBool,
    /// What is called. Empty while no tool is active: a tool does not hear of the events in its initialiser, nor of
    /// those of other threads meanwhile.
    called: [AtomicPtr<c_void>; N],
    /// What the tool has registered.
    registered: [AtomicPtr<c_void>; N],
}

impl<const N: usize> Slots<N> {
    /// No tool.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Slots {
            on: AtomicBool::new(false),
            called: [const { AtomicPtr::new(std::ptr::null_mut()) }; N],
            registered: [const { AtomicPtr::new(std::ptr::null_mut()) }; N],
        }
    }

    /// No tool.
    #[cfg(loom)]
    pub fn new() -> Self {
        let empty = || std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut()));
        Slots { on: AtomicBool::new(false), called: empty(), registered: empty() }
    }

    /// Whether a tool is active. One relaxed load.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// As [`is_on`](Self::is_on), in the order of the sequentially consistent operations.
    pub fn is_on_in_order(&self) -> bool {
        self.on.load(Ordering::SeqCst)
    }

    /// The slot of an event.
    #[inline(always)]
    pub fn slot(&self, event: usize) -> &AtomicPtr<c_void> {
        &self.called[event]
    }

    /// All slots, by the numbers of their events.
    pub fn all(&self) -> &[AtomicPtr<c_void>; N] {
        &self.called
    }

    /// The callback that is registered for an event, null if none is.
    pub fn registered(&self, event: usize) -> *mut c_void {
        self.registered[event].load(Ordering::Acquire)
    }

    /// Turns events on for the whole process, or off for good. `also` is done when the switch is thrown and before any
    /// slot changes.
    pub fn turn(&self, on: bool, also: impl FnOnce()) {
        // Sequentially consistent, here and in `set`: a callback that is registered at the same time is put into effect
        // by one of both.
        self.on.store(on, Ordering::SeqCst);
        also();
        if !mutation::is("registration: no order between switch and callbacks")
            && !mutation::is("silence: no fence before the look for marks")
        {
            model::order_of_seq_cst();
        }
        for (slot, registered) in self.called.iter().zip(&self.registered) {
            if on {
                // A slot that is no longer empty has what another thread has registered since the switch was thrown. A
                // plain store could put an older callback, or none, over the newer one.
                let (empty, callback) = (std::ptr::null_mut(), registered.load(Ordering::SeqCst));
                if !callback.is_null() {
                    let _ = slot.compare_exchange(empty, callback, Ordering::SeqCst, Ordering::SeqCst);
                }
            } else {
                registered.store(std::ptr::null_mut(), Ordering::SeqCst);
                slot.store(std::ptr::null_mut(), Ordering::SeqCst);
            }
        }
    }

    /// Keeps `callback` (null for none) for an event. `in_effect` says what the slot is to hold for it.
    pub fn set(&self, event: usize, callback: *mut c_void, in_effect: impl Fn(*mut c_void) -> *mut c_void) {
        self.registered[event].store(callback, Ordering::SeqCst);
        model::order_of_seq_cst();
        if self.on.load(Ordering::SeqCst) {
            self.called[event].store(in_effect(callback), Ordering::SeqCst);
            model::order_of_seq_cst();
            if !self.on.load(Ordering::SeqCst) {
                // Tools have been turned off meanwhile, perhaps before this store: then it stays empty.
                self.called[event].store(std::ptr::null_mut(), Ordering::SeqCst);
            }
        }
    }

    /// The callback in `slot`, never null, which the calling thread is marked as being in when this returns. `enter`
    /// marks the thread, unless it must not call the tool now; `otherwise` is for a thread that finds a callback and
    /// may not call it: it hears whether the thread is marked, and says what is called instead.
    #[inline(always)]
    pub fn enter(
        &self,
        slot: &AtomicPtr<c_void>,
        enter: impl FnOnce() -> bool,
        otherwise: impl FnOnce(bool) -> *mut c_void,
    ) -> Option<*mut c_void> {
        // Acquire: what the tool wrote before it registered the callback is seen in it. And tools are turned off before
        // the slots are emptied one by one: a thread that found one empty tells nothing after that, or the tool would
        // hear of what follows an event that it never heard of.
        let callback = slot.load(mutation::or_relaxed("registration: slot read relaxed", Ordering::Acquire));
        if cfg!(not(feature = "ompt")) || callback.is_null() {
            return None;
        }
        // The mark comes before the look at the switch. The thread that throws the switch looks for marks afterwards,
        // behind a barrier on all threads, which stands for the fence between the two on this side.
        let marked = enter();
        // In the library the light fence orders no read. The model's would, so a mutation of the read drops the fence.
        if !mutation::is("silence: no fence after the mark") && !mutation::is("registration: slot read relaxed") {
            model::light_fence();
        }
        if marked && (mutation::is("silence: no look at the switch") || self.is_on()) {
            return Some(callback);
        }
        cold_path();
        let callback = otherwise(marked);
        (!callback.is_null()).then_some(callback)
    }
}

/// Waits until no thread of these is inside a callback that it entered before the call. `fence` orders memory on all
/// threads of the process; `pause` lets a moment pass and says whether to go on waiting.
pub fn wait_for_callbacks<'a>(
    marks: impl Iterator<Item = &'a Mark>,
    fence: impl FnOnce(),
    mut pause: impl FnMut() -> bool,
) {
    // A model's `turn` has a fence where the library has none, so this mutation drops that one as well.
    if !mutation::is("silence: no fence before the look for marks") {
        fence();
    }
    for mark in marks {
        while mark.is_inside() && !mutation::is("silence: callbacks are not waited for") && pause() {}
    }
}

impl<const N: usize> Default for Slots<N> {
    fn default() -> Self {
        Self::new()
    }
}
