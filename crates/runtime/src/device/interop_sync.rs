//! Synchronisation of interoperability objects (OpenMP 5.1 §2.15): the callbacks that programs add for it, and the
//! objects that the runtime keeps for threads which request them implicitly (OpenMP 6.0, `append_args` of a `dispatch`
//! construct).

use super::devices::Device;
use super::interop::Object;
use super::memory;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use std::ffi::c_void;

/// A program's function, which is called with the object and the program's data.
pub type Callback = unsafe extern "C" fn(*mut Object, *mut c_void);

/// A callback for the next synchronisation of an object.
#[derive(Clone, Copy)]
struct Awaiting {
    object: usize,
    callback: Callback,
    data: usize,
}

/// An object that the runtime keeps for a thread.
#[derive(Clone, Copy)]
struct Kept {
    /// The thread, by the address of its descriptor; descriptors live for ever.
    thread: usize,
    device: i32,
    synchronises: bool,
    object: usize,
}

/// In the order in which they were added.
static AWAITING: Mutex<Vec<Awaiting>> = Mutex::new(Vec::new());
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Adds a call of `callback` with `data` at the object's next synchronisation.
pub fn add_callback(object: *mut Object, callback: Callback, data: *mut c_void) {
    AWAITING.with(|awaiting| awaiting.push(Awaiting { object: object.addr(), callback, data: data.addr() }));
}

/// Waits for all that was queued on the object's stream, and calls the object's callbacks, each once.
///
/// # Safety
/// The object exists.
pub unsafe fn synchronise(object: *mut Object) {
    // SAFETY: the caller keeps to the `# Safety` section.
    if let Err(why) = unsafe { (*object).wait() } {
        memory::complain(&why);
    }
    let its = AWAITING.with(|awaiting| {
        let its: Vec<_> = awaiting.iter().copied().filter(|one| one.object == object.addr()).collect();
        awaiting.retain(|one| one.object != object.addr());
        its
    });
    for Awaiting { callback, data, .. } in its {
        // SAFETY: the function and its data are the program's.
        unsafe { callback(object, data as *mut c_void) };
    }
}

/// The object of a device that the runtime keeps for the calling thread. The first request creates the object, which
/// lives for ever.
pub fn kept(thread: &Thread, device: &'static Device, synchronises: bool) -> *mut Object {
    let (thread, number) = (std::ptr::from_ref(thread).addr(), device.number);
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
        // SAFETY: kept objects live for ever.
        unsafe { synchronise(object as *mut Object) };
    }
}

/// In a forked child, where the thread that held a lock does not exist.
pub fn after_fork() {
    AWAITING.force_open();
    KEPT.force_open();
}
