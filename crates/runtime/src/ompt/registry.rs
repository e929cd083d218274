//! The table of callbacks, one word an event, made from the crate `ompt`'s table of events.

use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::switch::{ACTIVE, MAY_HAVE_TOOL, active};
use crate::ompd::threads;
use crate::protocol::slots::{self, Slots};
use crate::{arch, ompd};
use std::ffi::c_void;
use std::hint::cold_path;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Whether the last callback has returned, too, since tools were turned off.
static SILENT: AtomicBool = AtomicBool::new(false);

/// The runtime has looked for a tool, or ended it. If there is none, and no debugger, the entry points need not ask any
/// more: a thread that is in one finds one form or the other, and each does what it should.
pub fn settle() {
    #[cfg(feature = "ompt")]
    if ompd::watch() {
        ACTIVE.store(true, Ordering::SeqCst);
    } else if !active() {
        MAY_HAVE_TOOL.store(false, Ordering::Relaxed);
        current::note_no_tool();
    }
    ompd::show_kept(active());
}

/// One more than the highest event number of OpenMP 5.1.
const EVENTS: usize = 38;

/// What is called, and what the tool has registered.
static CALLBACKS: Slots<EVENTS> = Slots::new();

/// Whether a tool is active.
#[inline(always)]
pub fn has_tool() -> bool {
    cfg!(feature = "ompt") && CALLBACKS.is_on()
}

/// Whether a tool's questions about the thread are answered: while a tool is active, and in a callback that had begun
/// before it was turned off, until all those have returned.
pub fn answers(thread: &Thread) -> bool {
    has_tool() || (thread.tool.in_callback() && !SILENT.load(Ordering::Relaxed))
}

/// Turns events on for the whole process, or off for good.
pub fn set_active(active: bool) {
    CALLBACKS.turn(active, || ACTIVE.store(active || ompd::watches(), Ordering::SeqCst));
}

/// Keeps `callback` (null for none) for an event. The caller has checked the number.
pub fn set(event: ompt::Event, callback: *mut c_void) {
    let event = event.0 as usize;
    CALLBACKS.set(event, callback, |callback| or_for_devices(event, callback));
}

/// The callback that is kept for an event, null if none is.
pub fn get(event: ompt::Event) -> *mut c_void {
    CALLBACKS.registered(event.0 as usize)
}

/// A callback about to be called: while this lives, the calling thread counts as running the tool's
/// code, and the tool's finaliser waits for it.
pub struct Told<'a, F> {
    /// An `F`. Not as one, so that who asks whether there is a callback need not compare it with null once more.
    callback: *mut c_void,
    thread: Option<&'a Thread>,
    kind: PhantomData<F>,
}

impl<F> std::ops::Deref for Told<'_, F> {
    type Target = F;
    #[inline(always)]
    fn deref(&self) -> &F {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: only `set` fills the slots, with the pointer that the tool gave for the event, and
        // `ompt_set_callback` obliges the tool to the event's type.
        unsafe { &*(&raw const self.callback).cast::<F>() }
    }
}

impl<F> Drop for Told<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(thread) = self.thread {
            thread.tool.leave_callback();
        }
    }
}

/// Who is to be told of an event: the calling thread, one that the runtime does not know (`None`), or one that has just
/// been told of another event and does nothing in between that is of interest to it.
pub trait Teller<'a> {
    /// The callback in `slot`, never null, and the thread that is marked as being in it.
    fn told(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)>;
}

impl<'a> Teller<'a> for &'a Thread {
    #[inline(always)]
    fn told(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        Some((told(slot, Some(self))?, Some(self)))
    }
}

impl<'a> Teller<'a> for Option<&'a Thread> {
    #[inline(always)]
    fn told(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        Some((told(slot, self)?, self))
    }
}

impl<'a, F> Teller<'a> for Told<'a, F> {
    /// The mark stays: what it keeps the finaliser from does not end in between.
    #[inline(always)]
    fn told(self, slot: &AtomicPtr<c_void>) -> Option<(*mut c_void, Option<&'a Thread>)> {
        let thread = self.thread;
        let callback = slot.load(Ordering::Acquire);
        if callback.is_null() || !thread.is_some_and(|thread| thread.tool.may_call_on()) {
            cold_path();
            drop(self);
            return thread.told(slot);
        }
        std::mem::forget(self);
        Some((callback, thread))
    }
}

/// The callback in `slot`, never null, which `thread`, the calling one, is marked as being in; none on a thread that is
/// inside a callback already.
#[inline(always)]
fn told(slot: &AtomicPtr<c_void>, thread: Option<&Thread>) -> Option<*mut c_void> {
    let enter = || thread.is_none_or(|thread| thread.tool.try_enter_callback());
    CALLBACKS.enter(slot, enter, |marked| otherwise(slot, thread, marked))
}

/// What is called instead of the callback for a thread that may not call the tool. A thread that is not `marked` is
/// inside a callback, or is a device's. A thread that is marked has come too late: the tool has been turned off.
#[cold]
#[inline(never)]
fn otherwise(slot: &AtomicPtr<c_void>, thread: Option<&Thread>, marked: bool) -> *mut c_void {
    match thread {
        Some(thread) if !marked => recorded(thread, slot),
        _ => {
            // The tool's finaliser waits for marks.
            thread.inspect(|thread| thread.tool.leave_callback());
            std::ptr::null_mut()
        }
    }
}

/// What stands in the slot of an event that the tool has no callback for, and that a device records: on threads of the
/// host nothing happens.
fn for_devices() -> *mut c_void {
    arch::no_callback as *const () as *mut c_void
}

/// Events whose records devices want, by their bits.
static RECORDED: AtomicU64 = AtomicU64::new(0);

/// On a thread of a device, what writes the record of the event stands in the callback's place: what happens there is
/// no event of the host. What a tool does in its own callback is none either: it would come back here without end.
fn recorded(thread: &Thread, slot: &AtomicPtr<c_void>) -> *mut c_void {
    let nobody = std::ptr::null_mut();
    if thread.tool.in_callback() {
        return nobody;
    }
    let event = (std::ptr::from_ref(slot).addr() - CALLBACKS.all().as_ptr().addr()) / size_of::<AtomicPtr<c_void>>();
    match RECORDER.get() {
        Some(recorder) if has_tool() => recorder(thread, event),
        _ => nobody,
    }
}

/// The function that writes the record of an event on a thread of a device, null where nobody wants the record.
pub type Recorder = fn(&Thread, usize) -> *mut c_void;

/// What answers for devices.
static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// A device is open: `recorder` answers for its threads, as for those of all other devices.
pub fn set_recorder(recorder: Recorder) {
    RECORDER.get_or_init(|| recorder);
}

/// Devices record these events from here on, and no others.
pub fn record_on_devices(events: u64) {
    RECORDED.store(events, Ordering::SeqCst);
    for (event, slot) in CALLBACKS.all().iter().enumerate() {
        let wanted = events & (1 << event) != 0;
        let none = std::ptr::null_mut();
        if wanted && CALLBACKS.is_on_in_order() {
            let _ = slot.compare_exchange(none, for_devices(), Ordering::SeqCst, Ordering::SeqCst);
        } else {
            let _ = slot.compare_exchange(for_devices(), none, Ordering::SeqCst, Ordering::SeqCst);
        }
    }
}

/// The callback that a slot is to hold where the tool has registered this one.
fn or_for_devices(event: usize, callback: *mut c_void) -> *mut c_void {
    if callback.is_null() && RECORDED.load(Ordering::SeqCst) & (1 << event) != 0 { for_devices() } else { callback }
}

/// How long the finaliser waits for callbacks that other threads are in.
const PATIENCE: Duration = Duration::from_secs(1);

/// Asks the kernel to order memory on all threads of the process when [`silence`] wants it.
pub fn prepare_silence() {
    membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: the call takes no pointers.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// No event from here on: turns them off and waits, for a bounded time, until no other thread is
/// inside a callback.
pub fn silence() {
    set_active(false);
    settle();
    wait_for_callbacks();
    SILENT.store(true, Ordering::Relaxed);
    if !active() {
        // Nobody keeps them any more: a debugger is not to take them for what they were.
        threads::all().for_each(|thread| thread.tool.set_state(ompt::State::UNDEFINED));
    }
}

/// Waits, for a bounded time, until no other thread is inside a callback that it entered before the call: the caller
/// has emptied the slots that matter.
pub fn wait_for_callbacks() {
    let fence = || {
        if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) {
            // An old kernel: give the other threads' stores time to come out.
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let own = current::try_current().map(std::ptr::from_ref);
    let others = threads::all().filter(|&thread| Some(std::ptr::from_ref(thread)) != own);
    let mut patience = None;
    slots::wait_for_callbacks(others.map(|thread| &thread.tool.calling), fence, || {
        let patience = *patience.get_or_insert_with(|| Instant::now() + PATIENCE);
        std::thread::sleep(Duration::from_micros(20));
        Instant::now() < patience
    });
}

/// Whether the calling thread, `thread`, is inside a callback of a tool: constructs that it encounters there are the
/// tool's, which no tool hears of, and have this thread alone. Not for hot paths; they ask whether a tool is active
/// first.
#[cold]
pub fn in_callback(thread: &Thread) -> bool {
    let inside = thread.tool.in_callback();
    if inside {
        thread.tool.save_state(thread.task());
    }
    inside
}

/// The data word of the parallel region that `thread` is in.
#[inline(always)]
pub(super) fn parallel_data(thread: &Thread) -> *mut ompt::Data {
    thread.member().team().tool.data()
}

/// The data word of `thread`'s current task.
#[inline(always)]
pub(super) fn task_data(thread: &Thread) -> *mut ompt::Data {
    thread.task().tool.data()
}

macro_rules! typed {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// The callback of each event, if the tool registered one, to be called at once: `on::parallel_begin(thread)`.
        /// It is called as one that may unwind, so that what it throws ends here (`unwind.rs`).
        pub mod on {
            use super::{CALLBACKS, PhantomData, Teller, Told};
            $(
                #[doc = concat!("The tool's `", $name, "`.")]
                #[inline(always)]
                pub fn $snake<'a>(
                    teller: impl Teller<'a>,
                ) -> Option<Told<'a, unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )?>> {
                    let (callback, thread) = teller.told(CALLBACKS.slot($id))?;
                    Some(Told { callback, thread, kind: PhantomData })
                }
            )*
        }

        /// One function an event, which calls the tool's callback for the event, if there is one to be called. The
        /// arguments are computed only then: a construct without a tool does not pay for them. Each function answers
        /// what the callback has returned, or nothing if no callback was called.
        pub(super) mod tell {
            use super::{Teller, on};
            $(
                #[doc = concat!("Calls the tool's `", $name, "`.")]
                #[inline(always)]
                #[allow(unused_parens, reason = "most callbacks return nothing, which is `()`")]
                pub fn $snake<'a>(
                    teller: impl Teller<'a>,
                    arguments: impl FnOnce() -> ( $( $ty, )* ),
                ) -> Option<( $( $ret )? )> {
                    let callback = on::$snake(teller)?;
                    let ( $( $arg, )* ) = arguments();
                    // SAFETY: the tool registered the callback for this event. The functions that emit events name
                    // words, frames and lists of objects that live until the callback has returned.
                    Some(unsafe { callback($( $arg ),*) })
                }
            )*
        }
    };
}
ompt::for_each_event! { typed }
