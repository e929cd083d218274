//! The profiling interface (`acc_prof_*`; OpenACC 2.6, chapter 5).

use crate::acc;
use crate::acc::profile::{self, Callback};
use crate::objects::current;
use std::ffi::{c_char, c_int, c_void};

/// Registers a callback (5.3.1).
#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_register(event: c_int, callback: Option<Callback>, how: c_int) {
    profile::register(&current::current().acc, event, callback, how);
}

/// Takes a registration back (5.3.2).
#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_unregister(event: c_int, callback: Option<Callback>, how: c_int) {
    profile::unregister(&current::current().acc, event, callback, how);
}

/// Looks up what the interface has beyond these routines (5.4.1): nothing.
#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_lookup(_name: *const c_char) -> *const c_void {
    std::ptr::null()
}

/// A profiling library's own function (5.4), which the runtime calls in those that `ACC_PROFLIB` names. This one stands
/// for a library's that is not there: the program ends.
#[unsafe(no_mangle)]
pub extern "C" fn acc_register_library(_register: *const c_void, _unregister: *const c_void, _lookup: *const c_void) {
    acc::end("acc_register_library is a profiling library's to define, and none has");
}
