//! `interop` constructs (`GOMP_interop`; OpenMP 5.1 §2.15), including those that gcc generates for `append_args` (5.1
//! §2.3.5).

use super::check_flags;
use super::task::DependClause;
use crate::abi::{list, wide_entry_point};
use crate::device::interop::Object;
use crate::device::{self, DeviceClause, memory};
use crate::device_numbers;
use crate::objects::current;
use crate::ompt::Entered;
use crate::task;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// `GOMP_INTEROP_TARGETSYNC`: the object is for synchronisation.
const TARGET_SYNC: c_int = 1 << 1;
/// `GOMP_INTEROP_FLAG_NOWAIT`
const NOWAIT: c_uint = 1;

/// An `omp_interop_t`.
type Interop = *mut Object;

/// Waits for the operations that the program has queued with an object.
fn wait(object: &Object) {
    if let Err(why) = object.wait() {
        memory::complain(&why);
    }
}

fn device_clause(number: c_int) -> DeviceClause {
    if number == device_numbers::DEFAULT { DeviceClause::Default } else { DeviceClause::Number(number) }
}

wide_entry_point! {
    /// `GOMP_interop`: destroys, makes and uses objects, in this order. A new object for the host is
    /// `omp_interop_none`, as the host has no other runtime. `prefer_type` does not matter: no device has two runtimes.
    pub fn GOMP_interop(
        device: c_int,
        made: c_int,
        init: *const *mut Interop,
        kinds: *const c_int,
        preferences: *const *const c_char,
        used: c_int,
        uses: *const Interop,
        destroyed: c_int,
        destroys: *const *mut Interop,
        flags: c_uint,
        depend: *const c_void,
    ), |call| {
        check_flags(flags, NOWAIT, "GOMP_interop");
        let thread = current::current();
        if !depend.is_null() {
            // With `nowait` the construct waits as well, since what follows is short.
            let _in = Entered::new(thread, call);
            task::taskwait_depend(thread, DependClause::new(depend.cast()), call);
        }
        for &variable in list(destroyed, destroys) {
            let object = std::mem::replace(&mut *variable, std::ptr::null_mut());
            if !object.is_null() {
                wait(&Box::from_raw(object));
            }
        }
        let variables = list(made, init);
        let chosen = if variables.is_empty() { None } else { device::chosen(thread, device_clause(device)) };
        for (&variable, &kind) in variables.iter().zip(list(made, kinds)) {
            let object = |device| Box::into_raw(Object::new(device, kind & TARGET_SYNC != 0));
            *variable = chosen.map_or(std::ptr::null_mut(), object);
        }
        for &object in list(used, uses) {
            if let Some(object) = object.as_ref() {
                wait(object);
            }
        }
    }
}
