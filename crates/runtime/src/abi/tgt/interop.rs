//! `interop` constructs (`__tgt_interop_*`; OpenMP 5.1 §2.15), in the forms of clang and of LLVM's libomptarget since
//! release 22, which has OpenMP 6.0's implicit objects besides.

use super::super::kmpc::Ident;
use super::super::kmpc::task::KmpDependence;
use super::{NOT_OFFLOADED, await_dependences, device_clause};
use crate::abi::{routines, wide_entry_point};
use crate::device;
use crate::device::interop::Object;
use crate::device::interop_sync::{self, Callback};
use crate::objects::call::Call;
use crate::objects::current;
use crate::warnings;
use std::ffi::{c_int, c_void};

/// What clang passes to `__tgt_interop_init` for an object for synchronisation.
const TARGET_SYNC: i32 = 2;
/// `kmp_interop_type_targetsync`: what clang passes to [`__tgt_interop_get`] for such an object.
const GET_TARGET_SYNC: i32 = 1;
/// `omp_irc_success`
const SUCCESS: c_int = 0;
/// `omp_irc_other`
const OTHER: c_int = -6;

/// `interop_ctx_t`: what the compiler passes about the caller.
#[repr(C)]
pub struct Context {
    /// This runtime knows version 0.
    version: u32,
    flags: u32,
    gtid: i32,
}

/// The flag of an object that the runtime keeps, for a `dispatch` construct.
const IMPLICIT: u32 = 1;

/// `dep_pack_t`: dependences; null means none.
#[repr(C)]
pub struct Dependences {
    count: i32,
    count_noalias: i32,
    list: *const KmpDependence,
    list_noalias: *const KmpDependence,
}

/// Waits until the construct may begin, and with `nowait` as well, since what follows is short. Does not wait, and
/// warns, where the context's version is unknown; the answer is whether the construct begins.
///
/// # Safety
/// `context` is null or a context, `dependences` null or lists that have as many elements as said.
unsafe fn begins(context: *const Context, dependences: *const Dependences, routine: &str, call: Call) -> bool {
    // SAFETY: the caller keeps to the `# Safety` section; all versions begin with their number.
    let (context, dependences) = unsafe { (context.as_ref(), dependences.as_ref()) };
    let version = context.map_or(0, |context| context.version);
    if version != 0 {
        warnings::warn(&format!(
            "ferromp: {routine}: its context has version {version}, and version 0 is known; nothing is done\n"
        ));
    } else if let Some(pack) = dependences {
        let lists = [(pack.count, pack.list), (pack.count_noalias, pack.list_noalias)];
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { await_dependences(current::current(), lists, call) };
    }
    version == 0
}

/// Ends an object of the program's. An object that the runtime keeps stays.
///
/// # Safety
/// The object exists, and is not used any more.
unsafe fn release(object: *mut Object) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        interop_sync::synchronise(object);
        if !interop_sync::is_kept(object) {
            drop(Box::from_raw(object));
        }
    }
}

/// Defines the entry points of clang's own form of the construct, each with what it does when the construct may begin.
macro_rules! interop_clauses {
    ($($(#[$meta:meta])* fn $name:ident($interop:ident $(, $kind:ident)?; $device:ident) $body:block)*) => {
        wide_entry_point! {$(
            $(#[$meta])*
            pub fn $name(
                loc: *const Ident,
                gtid: i32,
                $interop: *mut *mut Object,
                $($kind: i32,)?
                $device: i32,
                count: i32,
                dependences: *const KmpDependence,
                nowait: i32,
            ), |thread, call| {
                // With `nowait` the construct waits as well: what follows is short.
                await_dependences(thread, [(count, dependences), (0, std::ptr::null())], call);
                $body
            }
        )*}
    };
}

interop_clauses! {
    /// `__tgt_interop_init`: the `init` clause makes an object for a device. `omp_interop_none` for the host, which has
    /// no other runtime.
    fn __tgt_interop_init(interop, kind; device) {
        let chosen = device::chosen(current::current(), device_clause(device.into()));
        let object = |device| Box::into_raw(Object::new(device, kind == TARGET_SYNC));
        *interop = chosen.map_or(std::ptr::null_mut(), object);
    }

    /// `__tgt_interop_use`: the `use` clause: what other code has queued by means of the object is complete before the
    /// program continues.
    fn __tgt_interop_use(interop; device) {
        if !(*interop).is_null() {
            interop_sync::synchronise(*interop);
        }
    }

    /// `__tgt_interop_destroy`: the `destroy` clause: ends the object, and sets the variable to `omp_interop_none`.
    fn __tgt_interop_destroy(interop; device) {
        let object = std::mem::replace(&mut *interop, std::ptr::null_mut());
        if !object.is_null() {
            release(object);
        }
    }
}

wide_entry_point! {
    /// `__tgt_interop_get`: an object for a device, as `__tgt_interop_init`. With the flag of implicit objects, the
    /// answer is the object that the runtime keeps for the calling thread. Each device has one kind of object, so
    /// preferences make no difference.
    pub fn __tgt_interop_get(
        loc: *const Ident,
        kind: i32,
        device: i64,
        preferred: i32,
        preferences: *const c_void,
        context: *const Context,
        dependences: *const Dependences,
    ) -> *mut Object, |call| {
        if !begins(context, dependences, "__tgt_interop_get", call) {
            return std::ptr::null_mut();
        }
        let thread = current::current();
        let is_implicit = context.as_ref().is_some_and(|context| context.flags & IMPLICIT != 0);
        let synchronises = kind == GET_TARGET_SYNC;
        match device::chosen(thread, device_clause(device)) {
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
        if interop.is_null() || !begins(context, dependences, "__tgt_interop_use60", call) {
            return NOT_OFFLOADED;
        }
        interop_sync::synchronise(interop);
        0
    }

    /// `__tgt_interop_release`: as `__tgt_interop_destroy`, but does not set a variable. Not 0 for `omp_interop_none`.
    pub fn __tgt_interop_release(
        loc: *const Ident,
        interop: *mut Object,
        context: *const Context,
        dependences: *const Dependences,
    ) -> c_int, |call| {
        if interop.is_null() || !begins(context, dependences, "__tgt_interop_release", call) {
            return NOT_OFFLOADED;
        }
        release(interop);
        0
    }

    /// `__tgt_target_sync`: synchronises the objects that the runtime keeps for the calling thread.
    pub fn __tgt_target_sync(loc: *const Ident, gtid: i32, task: *const c_void, event: *const c_void), |call| {
        interop_sync::synchronise_kept(current::current());
    }
}

routines! {
    /// `ompx_interop_add_completion_callback`: the function is called once, when the object is synchronised next.
    pub fn ompx_interop_add_completion_callback(interop: *mut Object, callback: Option<Callback>,
        data: *mut c_void) -> c_int {
        current::current();
        let Some(callback) = callback.filter(|_| !interop.is_null()) else { return OTHER };
        interop_sync::add_callback(interop, callback, data);
        SUCCESS
    }
}

/// The type of [`__tgt_target_sync`].
type TargetSync = unsafe extern "C" fn(*const Ident, i32, *const c_void, *const c_void);

/// `kmp_target_sync_cb`: the pointer by which LLVM's libomp calls `__tgt_target_sync` of the libomptarget that it
/// finds. Programs find the pointer here. This runtime's tasks do not use it: what is queued with kept objects is
/// waited for where the objects are used.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name that programs link to")]
pub static mut kmp_target_sync_cb: Option<TargetSync> = Some(__tgt_target_sync);
