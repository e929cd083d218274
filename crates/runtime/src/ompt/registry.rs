//! The table of callbacks, one word an event, made from the crate `ompt`'s table of events.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Whether a tool is active: it has been initialised and not yet finalised.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// One more than the highest event number of OpenMP 5.1.
const EVENTS: usize = 38;

static CALLBACKS: [AtomicPtr<c_void>; EVENTS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; EVENTS];

/// Whether a tool is active. One relaxed load.
#[inline(always)]
pub fn active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// Turns events on or off for the whole process.
pub fn set_active(active: bool) {
    if !active {
        for slot in &CALLBACKS {
            slot.store(std::ptr::null_mut(), Ordering::SeqCst);
        }
    }
    ACTIVE.store(active, Ordering::SeqCst);
}

/// Keeps `callback` (null for none) for an event. The caller has checked the number.
pub fn set(event: ompt::Event, callback: *mut c_void) {
    CALLBACKS[event.0 as usize].store(callback, Ordering::Release);
}

/// The callback that is kept for an event, null if none is.
pub fn get(event: ompt::Event) -> *mut c_void {
    CALLBACKS[event.0 as usize].load(Ordering::Acquire)
}

macro_rules! typed {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// The callback of each event, if the tool registered one: `on::parallel_begin()`.
        #[allow(dead_code, reason = "made for all events of the table; devices come later")]
        pub mod on {
            use super::{CALLBACKS, Ordering};
            $(
                #[doc = concat!("The tool's `", $name, "`.")]
                #[inline(always)]
                pub fn $snake() -> Option<ompt::callback::$camel> {
                    let pointer = CALLBACKS[$id].load(Ordering::Relaxed);
                    if pointer.is_null() {
                        return None;
                    }
                    // SAFETY: only `set` fills this slot, with the pointer that the tool gave for
                    // this event, and `ompt_set_callback` obliges the tool to the event's type.
                    Some(unsafe { std::mem::transmute::<*mut std::ffi::c_void, ompt::callback::$camel>(pointer) })
                }
            )*
        }
    };
}
ompt::for_each_event! { typed }
