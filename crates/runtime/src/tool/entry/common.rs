//! What entry points have in common.

use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::thread::HOST;

/// An entry point of type `$ty` as the lookup function returns it: without its type. The tool casts it back.
macro_rules! untyped {
    ($function:expr, $ty:ty) => {{
        let function: $ty = $function;
        #[allow(clippy::useless_transmute, reason = "one of the types has no arguments")]
        // SAFETY: a function pointer of any type has this size. The tool casts it back to the type that the
        // specification gives the name.
        let untyped = unsafe { std::mem::transmute::<$ty, unsafe extern "C" fn()>(function) };
        Some(untyped)
    }};
}
pub(crate) use untyped;

/// The result of a lookup function for the C string `$wanted`: the function of its row, `$other` for a name without a
/// row, none for null.
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

/// The instance of the generic function `$lookup` for tool `$tool`.
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

/// The calling thread's descriptor, if a tool may see the thread. A thread of the host that executes a device's code
/// shows its own descriptor. A device's own threads are not shown.
pub(super) fn this_thread() -> Option<&'static Thread> {
    let thread = current::try_current()?;
    let seen = thread.steps_for().unwrap_or(thread);
    (seen.is_set_up() && seen.device() == HOST).then_some(seen)
}

/// # Safety
/// `place` is null or writable.
pub(super) unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { *place = value };
    }
}
