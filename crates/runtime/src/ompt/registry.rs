//! The table of callbacks, one word an event, made from the crate `ompt`'s table of events.

use crate::ompd;
use crate::thread::{self, Thread};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering, compiler_fence, fence};
use std::time::{Duration, Instant};

/// Whether somebody wants to know what happens: a tool, or a debugger.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Whether a tool is active: it has been initialised and not yet finalised.
static HAS_TOOL: AtomicBool = AtomicBool::new(false);

/// Whether the last callback has returned, too, since tools were turned off.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Whether there may be a tool: until it is known that there is none, and none will come.
#[cfg(feature = "ompt")]
static WATCHED: AtomicBool = AtomicBool::new(true);

/// Whether there may be a tool, so that constructs have to look for one. One relaxed load.
#[inline(always)]
pub(crate) fn watched() -> bool {
    #[cfg(feature = "ompt")]
    return WATCHED.load(Ordering::Relaxed);
    #[cfg(not(feature = "ompt"))]
    false
}

/// The runtime has looked for a tool, or ended it. If there is none, and no debugger, the doors need not ask any more: a thread that is in
/// one finds one form or the other, and each does what it should.
pub fn settle() {
    #[cfg(feature = "ompt")]
    if ompd::watch() {
        ACTIVE.store(true, Ordering::SeqCst);
    } else if !active() {
        WATCHED.store(false, Ordering::Relaxed);
    }
    ompd::show_kept(active());
}

/// One more than the highest event number of OpenMP 5.1.
const EVENTS: usize = 38;

/// What is called. Empty while no tool is active: events in a tool's initialiser are not told, nor are those of other threads
/// meanwhile.
static CALLBACKS: [AtomicPtr<c_void>; EVENTS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; EVENTS];
/// What the tool has registered.
static REGISTERED: [AtomicPtr<c_void>; EVENTS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; EVENTS];

/// Whether somebody wants to know what happens, a tool or a debugger: states and frames are kept. One relaxed load.
#[inline(always)]
pub fn active() -> bool {
    cfg!(feature = "ompt") && ACTIVE.load(Ordering::Relaxed)
}

/// Whether a tool is active.
#[inline(always)]
pub fn has_tool() -> bool {
    cfg!(feature = "ompt") && HAS_TOOL.load(Ordering::Relaxed)
}

/// Whether a tool's questions about the thread are answered: while a tool is active, and in a callback that had begun before it was
/// turned off, until all those have returned.
pub fn answers(thread: &Thread) -> bool {
    has_tool() || (thread.tool.in_callback() && !SILENT.load(Ordering::Relaxed))
}

/// Turns events on for the whole process, or off for good.
pub fn set_active(active: bool) {
    // Sequentially consistent, here and in `set`: a callback that is registered at the same time is put into effect by one of both.
    HAS_TOOL.store(active, Ordering::SeqCst);
    ACTIVE.store(active || ompd::watches(), Ordering::SeqCst);
    for (slot, registered) in CALLBACKS.iter().zip(&REGISTERED) {
        if !active {
            registered.store(std::ptr::null_mut(), Ordering::SeqCst);
        }
        slot.store(registered.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

/// Keeps `callback` (null for none) for an event. The caller has checked the number.
pub fn set(event: ompt::Event, callback: *mut c_void) {
    let event = event.0 as usize;
    REGISTERED[event].store(callback, Ordering::SeqCst);
    if HAS_TOOL.load(Ordering::SeqCst) {
        CALLBACKS[event].store(or_for_devices(event, callback), Ordering::SeqCst);
        if !HAS_TOOL.load(Ordering::SeqCst) {
            // The tool has been ended meanwhile.
            CALLBACKS[event].store(std::ptr::null_mut(), Ordering::SeqCst);
        }
    }
}

/// The callback that is kept for an event, null if none is.
pub fn get(event: ompt::Event) -> *mut c_void {
    REGISTERED[event.0 as usize].load(Ordering::Acquire)
}

/// A callback about to be called: while this lives, the calling thread counts as running the tool's
/// code, and the tool's finaliser waits for it.
pub struct Told<F> {
    callback: F,
    thread: Option<&'static Thread>,
}

impl<F> std::ops::Deref for Told<F> {
    type Target = F;
    fn deref(&self) -> &F {
        &self.callback
    }
}

impl<F> Drop for Told<F> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(thread) = self.thread {
            thread.tool.leave_callback();
        }
    }
}

/// The callback in `slot`, marked as being called; none on a thread that is inside a callback already. The mark comes before the second look at the slot,
/// and the finaliser empties the slots before it looks for marks; its `membarrier` stands for the
/// fence between the two on this side.
#[inline(always)]
fn told(slot: &AtomicPtr<c_void>) -> Option<Told<*mut c_void>> {
    if cfg!(not(feature = "ompt")) || slot.load(Ordering::Relaxed).is_null() {
        return None;
    }
    let thread = thread::try_current();
    if let Some(thread) = thread {
        if thread.tool.in_callback() {
            // What a tool does in its own callback is no event: it would come back here without end.
            return None;
        }
        if thread.device() != thread::HOST {
            return recorded(thread, slot);
        }
        thread.tool.enter_callback();
    }
    compiler_fence(Ordering::SeqCst);
    // Acquire: what the tool wrote before it registered the callback is seen in it.
    let told = Told { callback: slot.load(Ordering::Acquire), thread };
    // Tools are turned off before the slots are emptied one by one. A thread that found one empty tells nothing after that, or the
    // tool would hear of what follows an event that it never heard of; the fence is for the look at that slot.
    fence(Ordering::Acquire);
    (!told.callback.is_null() && !std::ptr::eq(told.callback, FOR_DEVICES) && has_tool()).then_some(told)
}

/// What stands in the slot of an event that the tool has no callback for, and that a device records.
const FOR_DEVICES: *mut c_void = std::ptr::without_provenance_mut(1);

/// Events whose records devices want, by their bits.
static RECORDED: AtomicU64 = AtomicU64::new(0);

/// On a thread of a device, what writes the record of the event stands in the callback's place: what happens there is no event of the
/// host.
#[inline(never)]
fn recorded(thread: &'static Thread, slot: &AtomicPtr<c_void>) -> Option<Told<*mut c_void>> {
    let event = (std::ptr::from_ref(slot).addr() - CALLBACKS.as_ptr().addr()) / size_of::<AtomicPtr<c_void>>();
    let callback = super::trace::recorder(thread, event);
    (!callback.is_null() && has_tool()).then_some(Told { callback, thread: None })
}

/// Devices record these events from here on, and no others.
pub fn record_on_devices(events: u64) {
    RECORDED.store(events, Ordering::SeqCst);
    for (event, slot) in CALLBACKS.iter().enumerate() {
        let wanted = events & (1 << event) != 0;
        let none = std::ptr::null_mut();
        if wanted && HAS_TOOL.load(Ordering::SeqCst) {
            let _ = slot.compare_exchange(none, FOR_DEVICES, Ordering::SeqCst, Ordering::SeqCst);
        } else {
            let _ = slot.compare_exchange(FOR_DEVICES, none, Ordering::SeqCst, Ordering::SeqCst);
        }
    }
}

/// The callback that a slot is to hold where the tool has registered this one.
fn or_for_devices(event: usize, callback: *mut c_void) -> *mut c_void {
    if callback.is_null() && RECORDED.load(Ordering::SeqCst) & (1 << event) != 0 { FOR_DEVICES } else { callback }
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
        thread::root::all().for_each(|thread| thread.tool.set_state(ompt::State::UNDEFINED));
    }
}

/// Waits, for a bounded time, until no other thread is inside a callback that it entered before the call: the caller has emptied
/// the slots that matter.
pub fn wait_for_callbacks() {
    if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) {
        // An old kernel: give the other threads' stores time to come out.
        std::thread::sleep(Duration::from_millis(1));
    }
    let own = thread::try_current().map(std::ptr::from_ref);
    let patience = Instant::now() + PATIENCE;
    for thread in thread::root::all() {
        while Some(std::ptr::from_ref(thread)) != own && thread.tool.in_callback() && Instant::now() < patience {
            std::thread::sleep(Duration::from_micros(20));
        }
    }
}

macro_rules! typed {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// The callback of each event, if the tool registered one: `on::parallel_begin()`.
        pub mod on {
            use super::{CALLBACKS, Told, told};
            $(
                #[doc = concat!("The tool's `", $name, "`.")]
                #[inline(always)]
                pub fn $snake() -> Option<Told<unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )?>> {
                    type Callback = unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )?;
                    let mut told = told(&CALLBACKS[$id])?;
                    let thread = told.thread.take();
                    // SAFETY: only `set` fills this slot, with the pointer that the tool gave for
                    // this event, and `ompt_set_callback` obliges the tool to the event's type. It is called as
                    // one that may unwind, so that what it throws ends here (`unwind.rs`).
                    let callback = unsafe { std::mem::transmute::<*mut std::ffi::c_void, Callback>(told.callback) };
                    Some(Told { callback, thread })
                }
            )*
        }
    };
}
ompt::for_each_event! { typed }
