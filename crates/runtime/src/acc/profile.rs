//! OpenACC's profiling interface (OpenACC 2.6, chapter 5): the callbacks that libraries register for events, and the
//! libraries in `ACC_PROFLIB`. The host has the events of constructs and of the device's activation.

use super::device_type::HOST;
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::openacc::AccThread;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use crate::warnings;
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::Once;

/// `acc_async_sync`
const SYNCHRONOUS: i32 = -2;
/// The version of the interface.
const VERSION: i32 = 201_711;
/// Events have numbers below this; 0 means all of them.
const EVENTS: usize = 26;

/// A pair of events, at a beginning and an end. The number is that of the first; the second has the next number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    DeviceInit = 1,
    EnterData = 10,
    ExitData = 12,
    Update = 14,
    ComputeConstruct = 16,
}

/// The construct of an event (`acc_construct_t`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Construct {
    Parallel = 0,
    Data = 3,
    EnterData = 4,
    ExitData = 5,
    HostData = 6,
    Update = 12,
    RuntimeApi = 15,
}

/// What a call of a registration routine changes (`acc_register_t`).
const REGISTER: i32 = 0;
const TOGGLE: i32 = 1;
const TOGGLE_PER_THREAD: i32 = 2;

/// `acc_prof_info`
#[repr(C)]
pub struct ProfInfo {
    event: i32,
    valid_bytes: i32,
    version: i32,
    device_type: i32,
    device_number: i32,
    thread: i32,
    queue: isize,
    queue_of_device: isize,
    source: *const c_char,
    function: *const c_char,
    /// First and last line of the construct, then of the function; -1 if unknown.
    lines: [i32; 4],
}

/// `acc_other_event_info`, with the size of its union.
#[repr(C)]
pub struct EventInfo {
    event: i32,
    valid_bytes: i32,
    construct: i32,
    implicit: i32,
    /// The tool's word, from the beginning to the end.
    tool: *mut c_void,
    rest: [usize; 4],
}

/// `acc_api_info`
#[repr(C)]
pub struct ApiInfo {
    api: i32,
    valid_bytes: i32,
    device_type: i32,
    vendor: i32,
    handles: [*const c_void; 3],
}

/// `acc_prof_callback`
pub type Callback = unsafe extern "C" fn(*mut ProfInfo, *mut EventInfo, *mut ApiInfo);

/// A callback of an event.
#[derive(Clone, Copy)]
struct Entry {
    /// The address, for comparison.
    callback: usize,
    /// The number of registrations.
    times: u32,
    enabled: bool,
}

struct Registry {
    /// By event; 0 disables all events.
    disabled: [bool; EVENTS],
    /// By event, in the order of the calls.
    callbacks: [Vec<Entry>; EVENTS],
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { disabled: [false; EVENTS], callbacks: [const { Vec::new() }; EVENTS] });
/// Whether a callback was ever registered.
static IN_USE: AtomicBool = AtomicBool::new(false);

/// Whether the event is the second of a pair, whose callbacks are called in reverse order (5.3).
fn ends(event: usize) -> bool {
    matches!(event, 2 | 4 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25)
}

/// `acc_prof_register` (5.3.1): registers a callback, or enables a callback, an event, all events, or the thread's
/// events. If not `on`, the opposite: `acc_prof_unregister` (5.3.2). Other arguments are ignored, because the interface
/// has no error.
pub fn change(thread: &AccThread, event: i32, callback: Option<Callback>, how: i32, on: bool) {
    let Some(event) = usize::try_from(event).ok().filter(|&event| event < EVENTS) else { return };
    match (how, callback) {
        (TOGGLE_PER_THREAD, None) if event == 0 => thread.silent.set(!on),
        (TOGGLE, None) => REGISTRY.with(|registry| registry.disabled[event] = !on),
        (TOGGLE, Some(callback)) if event != 0 => REGISTRY.with(|registry| {
            let entries = &mut registry.callbacks[event];
            if let Some(entry) = entries.iter_mut().find(|entry| entry.callback == callback as usize) {
                entry.enabled = on;
            }
        }),
        (REGISTER, Some(callback)) => {
            IN_USE.store(true, Ordering::Relaxed);
            REGISTRY.with(|registry| count(&mut registry.callbacks[event], event, callback as usize, on));
        }
        _ => {}
    }
}

/// Adds or removes one registration of a callback.
fn count(entries: &mut Vec<Entry>, event: usize, callback: usize, on: bool) {
    match entries.iter().position(|entry| entry.callback == callback) {
        Some(at) if on => entries[at].times += 1,
        Some(at) => {
            entries[at].times -= 1;
            if entries[at].times == 0 {
                entries.remove(at);
            }
        }
        None if on => {
            let place = if ends(event) { 0 } else { entries.len() };
            entries.insert(place, Entry { callback, times: 1, enabled: true });
        }
        None => {}
    }
}

/// The enabled callbacks of an event.
fn callbacks(event: usize) -> Vec<usize> {
    REGISTRY.with(|registry| match registry.disabled[0] || registry.disabled[event] {
        true => Vec::new(),
        false => registry.callbacks[event].iter().filter(|entry| entry.enabled).map(|entry| entry.callback).collect(),
    })
}

/// What an event is reported with.
#[derive(Clone, Copy, Debug)]
pub struct Occasion {
    pub construct: Construct,
    /// Whether the program has no directive for the construct.
    pub implicit: bool,
    /// The argument of its `async` clause.
    pub queue: i32,
    /// The type and the number of its device.
    pub device: (i32, i32),
}

impl Occasion {
    /// A synchronous construct.
    pub const fn of(construct: Construct) -> Occasion {
        Occasion { construct, implicit: false, queue: SYNCHRONOUS, device: (HOST, 0) }
    }

    /// A construct with an `async` clause.
    pub const fn queued(construct: Construct, queue: i32) -> Occasion {
        Occasion { queue, ..Occasion::of(construct) }
    }
}

/// Calls `body` between the two events of a pair.
#[inline]
pub fn around(thread: &Thread, event: Event, occasion: Occasion, body: impl FnOnce()) {
    if !IN_USE.load(Ordering::Relaxed) || thread.acc.silent.get() || thread.acc.in_callback.get() {
        return body();
    }
    let mut arguments = Arguments::new(occasion);
    arguments.report(thread, event as i32);
    body();
    arguments.report(thread, event as i32 + 1);
}

/// The arguments of callbacks.
struct Arguments {
    prof: ProfInfo,
    event: EventInfo,
    api: ApiInfo,
}

impl Arguments {
    fn new(occasion: Occasion) -> Arguments {
        let Occasion { construct, implicit, queue, device } = occasion;
        let prof = ProfInfo {
            event: 0,
            valid_bytes: size_of::<ProfInfo>() as i32,
            version: VERSION,
            device_type: device.0,
            device_number: device.1,
            thread: -1,
            queue: queue as isize,
            queue_of_device: queue as isize,
            source: std::ptr::null(),
            function: std::ptr::null(),
            lines: [-1; 4],
        };
        let event = EventInfo {
            event: 0,
            valid_bytes: std::mem::offset_of!(EventInfo, rest) as i32,
            construct: construct as i32,
            implicit: implicit.into(),
            tool: std::ptr::null_mut(),
            rest: [0; 4],
        };
        let handles = [std::ptr::null(); 3];
        let api =
            ApiInfo { api: 0, valid_bytes: size_of::<ApiInfo>() as i32, device_type: device.0, vendor: -1, handles };
        Arguments { prof, event, api }
    }

    #[cold]
    fn report(&mut self, thread: &Thread, event: i32) {
        (self.prof.event, self.event.event) = (event, event);
        thread.acc.in_callback.set(true);
        for callback in callbacks(event as usize) {
            // SAFETY: registered callbacks have this type.
            unsafe {
                let callback = std::mem::transmute::<usize, Callback>(callback);
                callback(&raw mut self.prof, &raw mut self.event, &raw mut self.api);
            }
        }
        thread.acc.in_callback.set(false);
    }
}

/// The arguments of a library's `acc_register_library`: the registration routines, and a lookup of extensions, of which
/// there are none.
type Registration = unsafe extern "C" fn(i32, Option<Callback>, i32);
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;

unsafe extern "C" fn register_for_library(event: i32, callback: Option<Callback>, how: i32) {
    change(&crate::objects::current::current().acc, event, callback, how, true);
}

unsafe extern "C" fn unregister_for_library(event: i32, callback: Option<Callback>, how: i32) {
    change(&crate::objects::current::current().acc, event, callback, how, false);
}

unsafe extern "C" fn lookup_for_library(_name: *const c_char) -> *const c_void {
    std::ptr::null()
}

/// Loads the libraries in `ACC_PROFLIB`, separated by semicolons, at the first call (5.4). Set-user-id programs load
/// none.
pub fn load_libraries() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        // SAFETY: `getauxval` has no preconditions.
        let trusted = unsafe { libc::getauxval(libc::AT_SECURE) } == 0;
        let names = std::env::var_os("ACC_PROFLIB").filter(|_| trusted).unwrap_or_default();
        for name in names.as_bytes().split(|&byte| byte == b';').filter(|name| !name.is_empty()) {
            // The value of an environment variable has no zero byte.
            let Ok(name) = CString::new(name) else { continue };
            if let Err(why) = load(&name) {
                warnings::warn(&format!(
                    "ferromp: ACC_PROFLIB names `{}`, which is not used: {why}\n",
                    name.to_string_lossy()
                ));
            }
        }
    });
}

fn load(name: &CStr) -> Result<(), String> {
    // SAFETY: the user names the library, which is never unloaded; its `acc_register_library` has this type, by the
    // interface.
    unsafe {
        let library = libc::dlopen(name.as_ptr(), libc::RTLD_LAZY);
        if library.is_null() {
            let why = libc::dlerror().as_ref().map(|text| CStr::from_ptr(text).to_string_lossy().into_owned());
            return Err(why.unwrap_or_else(|| "it cannot be loaded".to_owned()));
        }
        let entry = libc::dlsym(library, c"acc_register_library".as_ptr());
        if entry.is_null() {
            libc::dlclose(library);
            return Err("it has no acc_register_library".to_owned());
        }
        let entry = std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Registration, Registration, Lookup)>(entry);
        entry(register_for_library, unregister_for_library, lookup_for_library);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callbacks_come_in_the_order_of_registration_and_back() {
        let in_order = |event| {
            let mut entries = Vec::new();
            for (callback, on) in [(1, true), (2, true), (3, true), (2, true), (1, false), (2, false), (9, false)] {
                count(&mut entries, event, callback, on);
            }
            entries.iter().map(|entry| entry.callback).collect::<Vec<_>>()
        };
        assert_eq!(in_order(Event::EnterData as usize), [2, 3]);
        assert_eq!(in_order(Event::EnterData as usize + 1), [3, 2]);
    }

    #[test]
    fn structures_are_as_the_header_has_them() {
        assert_eq!((size_of::<ProfInfo>(), size_of::<EventInfo>(), size_of::<ApiInfo>()), (72, 56, 40));
    }
}
