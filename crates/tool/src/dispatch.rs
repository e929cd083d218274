//! From the runtime's C call to the tool's method: one function an event, made from the table of
//! events, and their registration.

use crate::args::FromAbi;
use crate::start::{AbortOnUnwind, Hosted};
use ompt::*;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Makes the C function of one event. The events of devices have none yet.
macro_rules! entry {
    // An array comes as two arguments and goes on as one slice.
    (Dependences, $($rest:tt)*) => {
        unsafe extern "C" fn dependences<T: Hosted>(
            task_data: *mut Data,
            deps: *const Dependence,
            ndeps: c_int,
        ) {
            let guard = AbortOnUnwind;
            let length = usize::try_from(ndeps).unwrap_or(0);
            let deps = if deps.is_null() || length == 0 {
                &[]
            } else {
                // SAFETY: the runtime passes an array of `ndeps` dependences that lives as long as
                // the callback runs.
                unsafe { std::slice::from_raw_parts(deps, length) }
            };
            // SAFETY: registered after the tool was put in place; the argument is the runtime's.
            unsafe { T::instance().get().dependences(FromAbi::from_abi(task_data), deps) }
            std::mem::forget(guard);
        }
    };
    // The message ends with a zero byte; its length need not be passed on.
    (Error, $($rest:tt)*) => {
        unsafe extern "C" fn error<T: Hosted>(
            severity: Severity,
            message: *const c_char,
            _length: usize,
            codeptr_ra: *const c_void,
        ) {
            let guard = AbortOnUnwind;
            // SAFETY: null or a C string that lives as long as the callback runs.
            let message = (!message.is_null()).then(|| unsafe { CStr::from_ptr(message) });
            // SAFETY: registered after the tool was put in place; the argument is the runtime's.
            unsafe { T::instance().get().error(severity, message, FromAbi::from_abi(codeptr_ra)) }
            std::mem::forget(guard);
        }
    };
    (Target, $($rest:tt)*) => {};
    (TargetDataOp, $($rest:tt)*) => {};
    (TargetSubmit, $($rest:tt)*) => {};
    (TargetMap, $($rest:tt)*) => {};
    (TargetEmi, $($rest:tt)*) => {};
    (TargetDataOpEmi, $($rest:tt)*) => {};
    (TargetSubmitEmi, $($rest:tt)*) => {};
    (TargetMapEmi, $($rest:tt)*) => {};
    (DeviceInitialize, $($rest:tt)*) => {};
    (DeviceFinalize, $($rest:tt)*) => {};
    (DeviceLoad, $($rest:tt)*) => {};
    (DeviceUnload, $($rest:tt)*) => {};
    ($camel:ident, $snake:ident, $id:literal, $name:literal,
     ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )?) => {
        unsafe extern "C" fn $snake<T: Hosted>( $( $arg: $ty ),* ) $( -> $ret )? {
            let guard = AbortOnUnwind;
            // SAFETY: registered after the tool was put in place; the arguments are the runtime's.
            let result = unsafe { T::instance().get().$snake( $( FromAbi::from_abi($arg) ),* ) };
            std::mem::forget(guard);
            result
        }
    };
}

/// The untyped pointer to one event's C function, if there is one.
macro_rules! pointer {
    (Target, $($rest:tt)*) => {
        None
    };
    (TargetDataOp, $($rest:tt)*) => {
        None
    };
    (TargetSubmit, $($rest:tt)*) => {
        None
    };
    (TargetMap, $($rest:tt)*) => {
        None
    };
    (TargetEmi, $($rest:tt)*) => {
        None
    };
    (TargetDataOpEmi, $($rest:tt)*) => {
        None
    };
    (TargetSubmitEmi, $($rest:tt)*) => {
        None
    };
    (TargetMapEmi, $($rest:tt)*) => {
        None
    };
    (DeviceInitialize, $($rest:tt)*) => {
        None
    };
    (DeviceFinalize, $($rest:tt)*) => {
        None
    };
    (DeviceLoad, $($rest:tt)*) => {
        None
    };
    (DeviceUnload, $($rest:tt)*) => {
        None
    };
    ($camel:ident, $snake:ident, $($rest:tt)*) => {{
        // The type of the table's signature, so that a function that differs does not compile.
        let typed: ompt::callback::$camel = $snake::<T>;
        // SAFETY: both are pointers to C functions; the runtime calls it by the event's type.
        Some(unsafe { std::mem::transmute::<ompt::callback::$camel, unsafe extern "C" fn()>(typed) })
    }};
}

macro_rules! entries {
    ($( { $($event:tt)* } )*) => {
        $( entry! { $($event)* } )*

        /// The C function of each event for tool `T`, in the order of [`Event::ALL`].
        fn table<T: Hosted>() -> [Callback; Event::COUNT] {
            [ $( pointer! { $($event)* } ),* ]
        }
    };
}
ompt::for_each_event! { entries }

/// Registers the wanted events and tells the tool the answers.
///
/// # Safety
/// The tool is in place, and `set_callback` is the runtime's entry point.
pub(crate) unsafe fn register<T: Hosted>(set_callback: SetCallback) {
    // SAFETY: the caller says so.
    let tool = unsafe { T::instance().get() };
    let wanted = tool.events();
    for ((event, _), callback) in Event::ALL.iter().zip(table::<T>()) {
        if callback.is_some() && T::EVENTS.contains(*event) && wanted.contains(*event) {
            // SAFETY: the function has the type that the table gives this event.
            let answer = unsafe { set_callback(*event, callback) };
            tool.registered(*event, answer);
        }
    }
}
