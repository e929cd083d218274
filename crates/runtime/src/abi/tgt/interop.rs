//! `interop` constructs (`__tgt_interop_*`; OpenMP 5.1 §2.15).

use super::super::kmpc::Ident;
use super::super::kmpc::task::KmpDependence;
use super::{asked, await_dependences};
use crate::abi::{Call, wide_door};
use crate::device::interop::Object;
use crate::device::{self, memory};
use crate::thread;

/// `kmp_interop_type_tasksync`: the object is for synchronisation.
const TARGET_SYNC: i32 = 2;

/// Waits until the construct may begin. With `nowait` it waits as well: what follows is short.
///
/// # Safety
/// The list has as many elements as said.
unsafe fn begin(count: i32, dependences: *const KmpDependence, call: Call) {
    // SAFETY: the caller's.
    unsafe { await_dependences(thread::current(), [(count, dependences), (0, std::ptr::null())], call) };
}

/// Waits for what was queued by means of an object.
fn wait(object: &Object) {
    if let Err(why) = object.wait() {
        memory::complain(&why);
    }
}

wide_door! {
    /// `__tgt_interop_init`: the `init` clause makes an object for a device. `omp_interop_none` for the host, which has no other runtime.
    pub fn __tgt_interop_init(
        loc: *const Ident,
        gtid: i32,
        interop: *mut *mut Object,
        kind: i32,
        device: i32,
        count: i32,
        dependences: *const KmpDependence,
        nowait: i32,
    ), |call| {
        begin(count, dependences, call);
        let chosen = device::chosen(thread::current(), asked(device.into()));
        *interop = chosen.map_or(std::ptr::null_mut(), |device| Box::into_raw(Object::new(device, kind == TARGET_SYNC)));
    }

    /// `__tgt_interop_use`: the `use` clause: what other code has been given the object for comes before what follows.
    pub fn __tgt_interop_use(
        loc: *const Ident,
        gtid: i32,
        interop: *mut *mut Object,
        device: i32,
        count: i32,
        dependences: *const KmpDependence,
        nowait: i32,
    ), |call| {
        begin(count, dependences, call);
        if let Some(object) = (*interop).as_ref() {
            wait(object);
        }
    }

    /// `__tgt_interop_destroy`: the `destroy` clause: the object is gone, and the variable is `omp_interop_none`.
    pub fn __tgt_interop_destroy(
        loc: *const Ident,
        gtid: i32,
        interop: *mut *mut Object,
        device: i32,
        count: i32,
        dependences: *const KmpDependence,
        nowait: i32,
    ), |call| {
        begin(count, dependences, call);
        let object = std::mem::replace(&mut *interop, std::ptr::null_mut());
        if !object.is_null() {
            let object = Box::from_raw(object);
            wait(&object);
        }
    }
}
