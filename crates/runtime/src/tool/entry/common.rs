//! What entry points share.

use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::thread::HOST;

/// An entry point of type `$ty` as the lookup function gives it: without its type, which the tool gives back to it.
macro_rules! untyped {
    ($function:expr, $ty:ty) => {{
        let function: $ty = $function;
        #[allow(clippy::useless_transmute, reason = "one of the types has no arguments")]
        // SAFETY: a function pointer as a function pointer without its type; the tool casts it back to the type that
        // belongs to the name.
        let untyped = unsafe { std::mem::transmute::<$ty, unsafe extern "C" fn()>(function) };
        Some(untyped)
    }};
}
pub(crate) use untyped;

/// What a lookup function answers for the C string `$wanted`: nothing for null, the function of a row, and `$other` for
/// a name that has no row.
macro_rules! answer {
    ($wanted:ident; $($name:literal => $function:expr, $ty:ty;)* _ => $other:expr) => {{
        if $wanted.is_null() {
            return None;
        }
        // SAFETY: the tool passes a C string.
        match unsafe { std::ffi::CStr::from_ptr($wanted) }.to_bytes() {
            $($name => untyped!($function, $ty),)*
            _ => $other,
        }
    }};
}
pub(crate) use answer;

/// The lookup function for tool `$tool`, of functions that are made once a tool.
macro_rules! of_tool {
    ($lookup:ident, $tool:expr) => {{
        const ALL: [::ompt::FunctionLookup; $crate::ompt::several::MOST] = [
            $lookup::<0>,
            $lookup::<1>,
            $lookup::<2>,
            $lookup::<3>,
            $lookup::<4>,
            $lookup::<5>,
            $lookup::<6>,
            $lookup::<7>,
        ];
        ALL[$tool]
    }};
}
pub(crate) use of_tool;

/// The calling thread's descriptor, if the tool may see it. A thread of the host that runs a device's code meanwhile is
/// what it is outside of that; a device's own threads are none of the host's.
pub(super) fn this_thread() -> Option<&'static Thread> {
    let thread = current::try_current()?;
    let seen = thread.steps_for().unwrap_or(thread);
    (seen.is_set_up() && seen.device() == HOST).then_some(seen)
}

/// # Safety
/// `place` is null or writable.
pub(super) unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller says so.
        unsafe { *place = value };
    }
}
