//! `interop` constructs (`__tgt_interop_*`; OpenMP 5.1 §2.15), in the forms of clang and of LLVM's libomptarget since
//! release 22, which has OpenMP 6.0's implicit objects besides.

use super::super::kmpc::Ident;
use super::super::kmpc::task::KmpDependence;
use super::{NOT_OFFLOADED, asked, await_dependences};
use crate::abi::wide_entry_point;
use crate::device;
use crate::device::interop::Object;
use crate::device::interop_sync::{self, Callback};
use crate::objects::call::Call;
use crate::objects::current;
use crate::warnings;
use std::ffi::{c_int, c_void};

/// What clang passes for an object for synchronisation.
const TARGET_SYNC: i32 = 2;
/// `kmp_interop_type_targetsync`: what [`__tgt_interop_get`] gets for that.
const GET_TARGET_SYNC: i32 = 1;
/// `omp_irc_success`
const SUCCESS: c_int = 0;
/// `omp_irc_other`
const OTHER: c_int = -6;

/// `interop_ctx_t`: who asks.
#[repr(C)]
pub struct Context {
    /// 0 is the one that is known.
    version: u32,
    flags: u32,
    gtid: i32,
}

/// The object is the runtime's own, for a `dispatch` construct.
const IMPLICIT: u32 = 1;

/// `dep_pack_t`: dependences; null stands for none.
#[repr(C)]
pub struct Dependences {
    count: i32,
    count_noalias: i32,
    list: *const KmpDependence,
    list_noalias: *const KmpDependence,
}

/// Waits until the construct may begin. With `nowait` it waits as well: what follows is short.
///
/// # Safety
/// The list has as many elements as said.
unsafe fn begin(count: i32, dependences: *const KmpDependence, call: Call) {
    // SAFETY: the caller's.
    unsafe { await_dependences(current::current(), [(count, dependences), (0, std::ptr::null())], call) };
}

/// As [`begin`].
///
/// # Safety
/// Null, or lists that have as many elements as said.
unsafe fn begin_after(dependences: *const Dependences, call: Call) {
    // SAFETY: the caller's.
    unsafe {
        if let Some(pack) = dependences.as_ref() {
            let lists = [(pack.count, pack.list), (pack.count_noalias, pack.list_noalias)];
            await_dependences(current::current(), lists, call);
        }
    }
}

/// Whether a context is of a version that is known.
///
/// # Safety
/// Null, or a context.
unsafe fn is_known(context: *const Context, routine: &str) -> bool {
    // SAFETY: the caller's; all versions begin with their number.
    let version = unsafe { context.as_ref() }.map_or(0, |context| context.version);
    if version != 0 {
        warnings::warn(&format!(
            "ferromp: {routine}: its context has version {version}, and version 0 is known; nothing is done\n"
        ));
    }
    version == 0
}

/// Ends an object that the program has; one that the runtime keeps stays.
///
/// # Safety
/// An object that is there, and is not used any more.
unsafe fn release(object: *mut Object) {
    // SAFETY: the caller's.
    unsafe {
        interop_sync::synchronise(object);
        if !interop_sync::is_kept(object) {
            drop(Box::from_raw(object));
        }
    }
}

wide_entry_point! {
    /// `__tgt_interop_init`: the `init` clause makes an object for a device. `omp_interop_none` for the host, which has
    /// no other runtime.
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
        let chosen = device::chosen(current::current(), asked(device.into()));
        *interop = chosen.map_or(std::ptr::null_mut(),
            |device| Box::into_raw(Object::new(device, kind == TARGET_SYNC)));
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
        if !(*interop).is_null() {
            interop_sync::synchronise(*interop);
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
            release(object);
        }
    }

    /// `__tgt_interop_get`: an object for a device, as `__tgt_interop_init`; with the flag of implicit objects the one
    /// that the runtime keeps for the calling thread. Each device has one kind of object, so that preferences make no
    /// difference.
    pub fn __tgt_interop_get(
        loc: *const Ident,
        kind: i32,
        device: i64,
        preferred: i32,
        preferences: *const c_void,
        context: *const Context,
        dependences: *const Dependences,
    ) -> *mut Object, |call| {
        if !is_known(context, "__tgt_interop_get") {
            return std::ptr::null_mut();
        }
        begin_after(dependences, call);
        let thread = current::current();
        let is_implicit = context.as_ref().is_some_and(|context| context.flags & IMPLICIT != 0);
        let synchronises = kind == GET_TARGET_SYNC;
        match device::chosen(thread, asked(device)) {
            Some(device) if is_implicit => interop_sync::kept(thread, device, synchronises),
            Some(device) => Box::into_raw(Object::new(device, synchronises)),
            None => std::ptr::null_mut(),
        }
    }

    /// `__tgt_interop_use60`: as `__tgt_interop_use`. Not 0 for `omp_interop_none`.
    pub fn __tgt_interop_use60(
        loc: *const Ident,
        interop: *mut Object,
        context: *const Context,
        dependences: *const Dependences,
    ) -> c_int, |call| {
        if interop.is_null() || !is_known(context, "__tgt_interop_use60") {
            return NOT_OFFLOADED;
        }
        begin_after(dependences, call);
        interop_sync::synchronise(interop);
        0
    }

    /// `__tgt_interop_release`: as `__tgt_interop_destroy`, but for the variable. Not 0 for `omp_interop_none`.
    pub fn __tgt_interop_release(
        loc: *const Ident,
        interop: *mut Object,
        context: *const Context,
        dependences: *const Dependences,
    ) -> c_int, |call| {
        if interop.is_null() || !is_known(context, "__tgt_interop_release") {
            return NOT_OFFLOADED;
        }
        begin_after(dependences, call);
        release(interop);
        0
    }

    /// `__tgt_target_sync`: synchronises the objects that the runtime keeps for the calling thread.
    pub fn __tgt_target_sync(loc: *const Ident, gtid: i32, task: *const c_void, event: *const c_void), |call| {
        interop_sync::synchronise_kept(current::current());
    }

    /// `ompx_interop_add_completion_callback`: the function is called once, when the object is synchronised next.
    pub fn ompx_interop_add_completion_callback(interop: *mut Object, callback: Option<Callback>, data: *mut c_void)
        -> c_int, |call| {
        current::current();
        match callback {
            Some(callback) if !interop.is_null() => {
                interop_sync::add_callback(interop, callback, data);
                SUCCESS
            }
            _ => OTHER,
        }
    }
}

/// The type of [`__tgt_target_sync`].
type TargetSync = unsafe extern "C" fn(*const Ident, i32, *const c_void, *const c_void);

/// `kmp_target_sync_cb`: by which LLVM's libomp calls `__tgt_target_sync` of the libomptarget that it finds. It is
/// found here; tasks need not call it, since what is queued by means of kept objects is waited for where they are used.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name that programs link to")]
pub static mut kmp_target_sync_cb: Option<TargetSync> = Some(__tgt_target_sync);
