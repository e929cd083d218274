//! How interoperability objects are synchronised (OpenMP 5.1 §2.15): the callbacks that programs add for that moment,
//! and the objects that the runtime keeps for the threads that ask for them implicitly (OpenMP 6.0, `append_args` of a
//! `dispatch` construct).

use super::devices::Device;
use super::interop::Object;
use super::memory;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use std::ffi::c_void;

/// A program's function; it gets the object, and what the program has given with it.
pub type Callback = unsafe extern "C" fn(*mut Object, *mut c_void);

/// A callback that waits for its object.
#[derive(Clone, Copy)]
struct Awaiting {
    object: usize,
    callback: Callback,
    data: usize,
}

/// An object that the runtime keeps.
#[derive(Clone, Copy)]
struct Kept {
    /// The thread that asked, by its descriptor; descriptors live for ever.
    thread: usize,
    device: i32,
    synchronises: bool,
    object: usize,
}

/// In the order in which they were added.
static AWAITING: Mutex<Vec<Awaiting>> = Mutex::new(Vec::new());
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Calls `callback` with `data` when the object is synchronised next.
pub fn add_callback(object: *mut Object, callback: Callback, data: *mut c_void) {
    AWAITING.with(|awaiting| awaiting.push(Awaiting { object: object.addr(), callback, data: data.addr() }));
}

/// Waits for what was queued by means of the object, and calls its callbacks, each once.
///
/// # Safety
/// An object that is there.
pub unsafe fn synchronise(object: *mut Object) {
    // SAFETY: the caller's.
    if let Err(why) = unsafe { (*object).wait() } {
        memory::complain(&why);
    }
    let its = AWAITING.with(|awaiting| {
        let its: Vec<_> = awaiting.iter().copied().filter(|one| one.object == object.addr()).collect();
        awaiting.retain(|one| one.object != object.addr());
        its
    });
    for Awaiting { callback, data, .. } in its {
        // SAFETY: the program's function, with what the program gave for it.
        unsafe { callback(object, data as *mut c_void) };
    }
}

/// The object that the runtime keeps of a device for the calling thread. It is made when it is asked for first, and
/// stays.
pub fn kept(thread: &Thread, device: &'static Device, synchronises: bool) -> *mut Object {
    let (thread, number) = (std::ptr::from_ref(thread).addr(), device.number());
    let is_it = |kept: &&Kept| (kept.thread, kept.device, kept.synchronises) == (thread, number, synchronises);
    if let Some(object) = KEPT.with(|all| all.iter().find(is_it).map(|kept| kept.object)) {
        return object as *mut Object;
    }
    let object = Box::into_raw(Object::new(device, synchronises));
    KEPT.with(|all| all.push(Kept { thread, device: number, synchronises, object: object.expose_provenance() }));
    object
}

/// Whether the runtime keeps the object.
pub fn is_kept(object: *mut Object) -> bool {
    KEPT.with(|all| all.iter().any(|kept| kept.object == object.addr()))
}

/// Synchronises the objects that the runtime keeps for the calling thread.
pub fn synchronise_kept(thread: &Thread) {
    let thread = std::ptr::from_ref(thread).addr();
    let its: Vec<_> =
        KEPT.with(|all| all.iter().filter(|kept| kept.thread == thread).map(|kept| kept.object).collect());
    for object in its {
        // SAFETY: kept objects stay.
        unsafe { synchronise(object as *mut Object) };
    }
}

/// In a forked child: who held a lock is not there.
pub fn after_fork() {
    AWAITING.force_open();
    KEPT.force_open();
}
