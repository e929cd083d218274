//! The profiling interface (`acc_prof_*`; OpenACC 2.6, chapter 5).

use crate::abi::routines;
use crate::acc;
use crate::acc::profile::{self, Callback};
use crate::objects::current;
use std::ffi::{c_char, c_int, c_void};

routines! {
    /// Registers a callback (5.3.1).
    pub fn acc_prof_register(event: c_int, callback: Option<Callback>, how: c_int) {
        profile::change(&current::current().acc, event, callback, how, true);
    }

    /// Takes a registration back (5.3.2).
    pub fn acc_prof_unregister(event: c_int, callback: Option<Callback>, how: c_int) {
        profile::change(&current::current().acc, event, callback, how, false);
    }

    /// Looks up what the interface has beyond these routines (5.4.1): nothing.
    pub fn acc_prof_lookup(name: *const c_char) -> *const c_void { std::ptr::null() }

    /// A profiling library's own function (5.4), which the runtime calls in the libraries that `ACC_PROFLIB` names.
    /// This definition is called where a library has none: the program ends.
    pub fn acc_register_library(register: *const c_void, unregister: *const c_void, lookup: *const c_void) {
        acc::end("acc_register_library is a profiling library's to define, and none has");
    }
}
