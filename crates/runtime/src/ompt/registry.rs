//! The registry: the table of callbacks, and a typed call for each event (OpenMP 5.1 §4.2.4, §4.6.1.3).
//!
//! The table has a slot for each event. While a tool is active, the slot holds the tool's callback. With several tools,
//! the slot holds a function of `several/`, which calls the callback of each tool. Without a tool all slots are empty.
//! An event whose slot is empty costs one load and one branch. A slot may also hold a *marker*: devices record the
//! event, and the tool has no callback for it.
//!
//! [`report`] has a function for each event, generated from the table of events in `crates/ompt`. Each function
//!
//! 1. loads the slot, and returns if the slot is empty;
//! 2. marks the thread as inside a callback, because the runtime waits for marked threads before it calls the tool's
//!    finaliser;
//! 3. looks whether tools have been turned off meanwhile: the thread that ends the tool may have looked at the marks
//!    before this mark was visible. That thread's `membarrier` orders steps 2 and 3, so here a compiler fence is
//!    enough. On a kernel without `membarrier`, that thread sleeps for 1 ms instead;
//! 4. computes the arguments and calls the callback;
//! 5. takes the mark back.
//!
//! The functions of [`on`] do steps 1 to 3. They return a [`Callback`], which takes the mark back when it is dropped.
//!
//! Step 2 fails on a thread that is inside a callback, and on a thread of a device. Step 3 fails on every thread once
//! tools are off. [`instead`] says what such a thread calls: a thread of a device calls the function that writes the
//! record of the event (`trace/inside.rs`), any other thread nothing.
//!
//! `protocol/slots.rs` has the table itself, `silence.rs` the end of a tool. `README.md` says how the
//! runtime keeps callbacks out of the finaliser. The runtime waits for marked threads, but at most one second. A thread
//! without a descriptor has no mark, so the runtime does not wait for it.

use crate::model::atomic::{AtomicPtr, AtomicU64, Ordering};
use crate::objects::structures::Thread;
use crate::objects::switch::{ACTIVE, active};
use crate::protocol::mark::CALLING;
use crate::protocol::slots::Slots;
use crate::{arch, ompd, upcalls};
use std::ffi::c_void;
use std::hint::cold_path;
use std::marker::PhantomData;
use std::ptr::null_mut;

/// The table. Events are numbered from 1, so slot 0 stays empty.
static CALLBACKS: Slots<{ ompt::Event::COUNT + 1 }> = Slots::new();

/// Whether a tool is active. One relaxed load.
#[inline(always)]
pub fn has_tool() -> bool {
    cfg!(feature = "ompt") && CALLBACKS.is_on()
}

/// Turns events on for the whole process, or off for good. `ACTIVE` changes after the table's switch and before the
/// slots.
pub fn turn_events(on: bool) {
    CALLBACKS.turn(on, || ACTIVE.store(on || ompd::debugging(), Ordering::SeqCst));
}

/// Registers `callback` (null for none) for an event. The caller has checked that the event exists.
pub fn set(event: ompt::Event, callback: *mut c_void) {
    let event = event.0 as usize;
    CALLBACKS.set(event, callback, |callback| or_marker(event, callback));
}

/// The callback that is registered for an event, null if none is.
pub fn get(event: ompt::Event) -> *mut c_void {
    CALLBACKS.registered(event.0 as usize)
}

/// A callback of type `F` that is about to be called. A host thread with a descriptor is marked as inside a callback as
/// long as the value lives.
pub struct Callback<'a, F> {
    /// An `F`, kept as a raw pointer. With an `F`, null would stand for `None`, and the compiler would compare with
    /// null twice.
    function: *mut c_void,
    /// The thread that reports; `None` for a thread without a descriptor. A device's thread has no mark.
    thread: Option<&'a Thread>,
    kind: PhantomData<F>,
}

impl<F> std::ops::Deref for Callback<'_, F> {
    type Target = F;
    #[inline(always)]
    fn deref(&self) -> &F {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: the function is the tool's, one of `several/`, a record function or the marker. `ompt_set_callback`
        // obliges the tool to the event's type. The runtime's functions have it, and the marker ignores its arguments.
        unsafe { &*(&raw const self.function).cast::<F>() }
    }
}

impl<F> Drop for Callback<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(thread) = self.thread {
            thread.tool.leave_callback();
        }
    }
}

/// The thread on which an event happens: the calling thread, or `None` where the calling thread has no descriptor. A
/// [`Callback`] is a reporter too: it hands its mark on to the next event. Use it only where the runtime does nothing
/// between the two events.
pub trait Reporter<'a> {
    /// Marks the thread. Returns what to call for the event of `slot`, never null, and the marked thread. Returns
    /// `None` if there is nothing to call; the thread then has no mark of this event.
    fn enter(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)>;
}

impl<'a> Reporter<'a> for Option<&'a Thread> {
    #[inline(always)]
    fn enter(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        let mark = || self.is_none_or(|thread| thread.tool.calling.try_enter());
        Some((CALLBACKS.enter(slot, mark, |marked| instead(slot, self, marked))?, self))
    }
}

impl<'a> Reporter<'a> for &'a Thread {
    #[inline(always)]
    fn enter(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        Some(self).enter(slot)
    }
}

impl<'a, F> Reporter<'a> for Callback<'a, F> {
    /// The thread stays marked from the first event to the second. So the thread that ends the tool still waits, and
    /// step 3 is not needed again.
    #[inline(always)]
    fn enter(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        let thread = self.thread;
        let callback = slot.load(Ordering::Acquire);
        // A host thread whose state is not saved may call the tool again without further preparation.
        if callback.is_null() || thread.is_none_or(|thread| thread.tool.calling.own() != CALLING) {
            cold_path();
            drop(self);
            return thread.enter(slot);
        }
        std::mem::forget(self);
        Some((callback, thread))
    }
}

/// The function to call in place of the callback; null for none. A `marked` thread has found that tools are off. A
/// thread that is not `marked` is inside a callback or executes a device's code.
#[cold]
#[inline(never)]
fn instead(slot: &AtomicPtr<c_void>, thread: Option<&Thread>, marked: bool) -> *mut c_void {
    match thread {
        // A construct that a tool encounters in a callback is not recorded. The record could call the tool again,
        // without end.
        Some(thread) if !marked && (thread.tool.in_callback() || !has_tool()) => null_mut(),
        Some(thread) if !marked => {
            let offset = std::ptr::from_ref(slot).addr() - CALLBACKS.all().as_ptr().addr();
            upcalls::ferromp_up_recorder(thread.device(), offset / size_of::<AtomicPtr<c_void>>())
        }
        _ => {
            // The thread that ends the tool waits until the mark is gone.
            thread.inspect(|thread| thread.tool.leave_callback());
            null_mut()
        }
    }
}

/// Runs `report`, out of line, while a tool or a debugger is active.
#[inline(always)]
pub(super) fn if_active(report: impl FnOnce()) {
    #[inline(never)]
    fn out_of_line(report: impl FnOnce()) {
        report();
    }
    if active() {
        cold_path();
        out_of_line(report);
    }
}

/// Whether `thread`, the calling thread, encounters a construct inside a callback. Such a construct has no events, and
/// its region has this thread alone. Saves the thread's state, which is restored when the callback returns. A caller on
/// a hot path checks first that a tool is active.
#[inline]
pub fn in_callback(thread: &Thread) -> bool {
    let inside = thread.tool.in_callback();
    if inside {
        cold_path();
        thread.tool.save_state(thread.task());
    }
    inside
}

/// The data word of the parallel region that `thread` executes.
#[inline(always)]
pub(super) fn parallel_data(thread: &Thread) -> *mut ompt::Data {
    thread.member().team().tool.data()
}

/// The data word of `thread`'s current task.
#[inline(always)]
pub(super) fn task_data(thread: &Thread) -> *mut ompt::Data {
    thread.task().tool.data()
}

/// Bit `n` is set if some device records event `n`.
static RECORDED: AtomicU64 = AtomicU64::new(0);

/// What a slot holds if devices record the event and the tool has no callback for it. A thread of the host calls the
/// marker, which does nothing.
const MARKER: *mut c_void = arch::no_callback as *const () as *mut c_void;

/// What an event's slot holds for `callback`: the marker if `callback` is null and devices record the event.
fn or_marker(event: usize, callback: *mut c_void) -> *mut c_void {
    if callback.is_null() && RECORDED.load(Ordering::SeqCst) & (1 << event) != 0 { MARKER } else { callback }
}

/// From now on threads of devices look for exactly these events. Each device records those of its own mask. Only an
/// empty slot gets the marker, and only the marker is removed: a tool's callback stays.
pub fn record_on_devices(events: u64) {
    RECORDED.store(events, Ordering::SeqCst);
    for (event, slot) in CALLBACKS.all().iter().enumerate() {
        let exchange = |old, new| slot.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if events & (1 << event) != 0 {
            exchange(null_mut(), MARKER);
        }
        // Looked at after the marker stands: a tool that ends now may have emptied the slot before.
        if events & (1 << event) == 0 || !CALLBACKS.is_on_in_order() {
            exchange(MARKER, null_mut());
        }
    }
}

macro_rules! typed {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// What to call for each event, if its slot is not empty and `thread` may call it. The callback may unwind:
        /// `unwind.rs` says what happens then.
        pub mod on {
            use super::{CALLBACKS, Callback, PhantomData, Reporter};
            $(
                #[doc = concat!("The tool's `", $name, "`.")]
                #[inline(always)]
                pub fn $snake<'a>(
                    thread: impl Reporter<'a>,
                ) -> Option<Callback<'a, unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )?>> {
                    let (function, thread) = thread.enter(CALLBACKS.slot($id))?;
                    Some(Callback { function, thread, kind: PhantomData })
                }
            )*
        }

        /// A function for each event, which calls the tool's callback if `thread` may call it. `arguments` runs only
        /// then, so that a construct without a tool does not pay for them. Returns what the callback returned; `None`
        /// if there was no call.
        pub(super) mod report {
            use super::{Reporter, on};
            $(
                #[doc = concat!("Calls the tool's `", $name, "`.")]
                #[inline(always)]
                #[allow(unused_parens, reason = "most callbacks return nothing, which is `()`")]
                pub fn $snake<'a>(
                    thread: impl Reporter<'a>,
                    arguments: impl FnOnce() -> ( $( $ty, )* ),
                ) -> Option<( $( $ret )? )> {
                    let callback = on::$snake(thread)?;
                    let ( $( $arg, )* ) = arguments();
                    // SAFETY: the tool registered the callback for this event. The functions that report events pass
                    // data words, frames and lists that live until the callback has returned.
                    Some(unsafe { callback($( $arg ),*) })
                }
            )*
        }
    };
}
ompt::for_each_event! { typed }
