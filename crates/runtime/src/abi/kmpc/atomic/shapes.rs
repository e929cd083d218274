//! The shapes that the routines' signatures have, as macros that define exported functions.
//!
//! All take the location and the thread's number, which do not matter, and then the variable. Most types are passed as
//! Rust passes the same type (`in_registers`, `in_memory`). A captured `float _Complex` is returned through a pointer
//! (`through_pointer`). No Rust type is passed as C's `long double` is, so the entry points for `long double` turn
//! values and results into pointers (`on_the_stack`).
//!
//! Entry points whose arguments are all in registers have two forms, as those of `split_wide_entry_point!`
//! (`abi/entry_point.rs`).

/// Defines one exported function, `__kmpc_atomic_` and the given parts of its name. `$call` is the caller.
macro_rules! routine {
    ([$($part:expr),+] $args:tt $(-> $ret:ty)?, |$call:ident| $body:expr) => {
        const _: () = {
            shapes::routine!(@for_tools [
                // SAFETY: no other symbol has this name.
                #[unsafe(export_name = concat!("__kmpc_atomic_", $($part),+))]
            ] entry $args ($($ret)?), |$call| $body);
        };
    };
    (@for_tools [$($meta:tt)*] $name:ident ($place:ident: $ty:ty $(, $arg:ident: $arg_ty:ty)*) ($($ret:ty)?),
        |$call:ident| $body:expr) => {
        $($meta)*
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        #[allow(improper_ctypes_definitions, reason = "_Float128 is one vector register")]
        unsafe extern "C" fn $name(loc: *const Ident, gtid: i32, $place: *mut $ty $(, $arg: $arg_ty)*) $(-> $ret)? {
            arch::entry_notes_caller!(implementation)
        }

        #[allow(improper_ctypes_definitions, reason = "as above")]
        unsafe extern "C" fn implementation(_: *const Ident, _: i32, $place: *mut $ty $(, $arg: $arg_ty)*) $(-> $ret)? {
            let (codeptr, frame) = arch::tls_call();
            let $call = Call::new(codeptr, frame);
            // SAFETY: the caller upholds what the ABI asks for.
            unsafe { $body }
        }
    };
}

/// As `routine!`, in two forms: without a tool, and for tools. `xtask/src/verify_entry_points.rs` finds the form for
/// tools by its name.
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_routine {
    ([$($part:expr),+] ($place:ident: $ty:ty $(, $arg:ident: $arg_ty:ty)*) $(-> $ret:ty)?, |$call:ident| $body:expr)
        => {
        const _: () = {
            // SAFETY: no other symbol has this name.
            #[unsafe(export_name = concat!("__kmpc_atomic_", $($part),+))]
            #[allow(improper_ctypes_definitions, reason = "_Float128 is one vector register")]
            unsafe extern "C" fn entry(loc: *const Ident, gtid: i32, $place: *mut $ty $(, $arg: $arg_ty)*) $(-> $ret)? {
                if $crate::objects::switch::may_have_tool() {
                    cold_path();
                    // SAFETY: the caller upholds what the ABI asks for.
                    return unsafe { for_tools(loc, gtid, $place $(, $arg)*) };
                }
                let $call = NoTool;
                // SAFETY: as above.
                unsafe { $body }
            }

            shapes::routine!(@for_tools [] for_tools ($place: $ty $(, $arg: $arg_ty)*) ($($ret)?), |$call| $body);
        };
    };
}

/// Types that are passed and returned in registers.
macro_rules! in_registers {
    ($($routine:tt)*) => { shapes::as_in_rust! { split_routine $($routine)* } };
}

/// Types that are passed and returned in memory, as Rust does it too.
macro_rules! in_memory {
    ($($routine:tt)*) => { shapes::as_in_rust! { routine $($routine)* } };
}

/// Types that are passed and returned as Rust does it; `$routine` defines the function.
macro_rules! as_in_rust {
    ($routine:ident update [$($part:expr),+] $ty:ty, $value:ty, |$old:ident, $by:ident| $new:expr) => {
        shapes::$routine! { [$($part),+] (place: $ty, $by: $value), |call| {
            <$ty>::update(place, call, |$old| $new);
        } }
    };
    ($routine:ident capture [$($part:expr),+] $ty:ty, $value:ty, |$old:ident, $by:ident| $new:expr) => {
        shapes::$routine! { [$($part),+] (place: $ty, $by: $value, flag: i32) -> $ty, |call| {
            <$ty>::update(place, call, |$old| $new).captured(flag)
        } }
    };
    ($routine:ident read [$($part:expr),+] $ty:ty) => {
        shapes::$routine! { [$($part),+] (place: $ty) -> $ty, |call| <$ty>::read(place, call) }
    };
    ($routine:ident swap [$($part:expr),+] $ty:ty) => {
        shapes::$routine! { [$($part),+] (place: $ty, value: $ty) -> $ty, |call| {
            <$ty>::update(place, call, |_| value).old
        } }
    };
}

/// `float _Complex`: as [`in_registers`], but a captured value comes back through a pointer.
macro_rules! through_pointer {
    (capture [$($part:expr),+] $ty:ty, $value:ty, |$old:ident, $by:ident| $new:expr) => {
        shapes::split_routine! { [$($part),+] (place: $ty, $by: $value, out: *mut $ty, flag: i32), |call| {
            out.write_unaligned(<$ty>::update(place, call, |$old| $new).captured(flag));
        } }
    };
    (swap [$($part:expr),+] $ty:ty) => {
        shapes::split_routine! { [$($part),+] (place: $ty, value: $ty, out: *mut $ty), |call| {
            out.write_unaligned(<$ty>::update(place, call, |_| value).old);
        } }
    };
    ($($other:tt)*) => { shapes::in_registers! { $($other)* } };
}

/// `long double` and `long double _Complex`. The implementation gets pointers to the value and to the result.
macro_rules! on_the_stack {
    (@entry void $ty:ident) => { arch::entry_takes_long_double!(implementation) };
    (@entry value LongDouble) => { arch::entry_returns_long_double!(implementation) };
    (@entry value $complex:ident) => { arch::entry_returns_complex_long_double!(implementation) };
    (@routine [$($part:expr),+] $kind:ident $ty:ident ($place:ident, $flag:ident, $value:ident, $out:ident,
        $wide:ident), |$call:ident| $body:expr) => {
        const _: () = {
            // SAFETY: the body is assembly that keeps to the ABI.
            #[unsafe(naked)]
            // SAFETY: no other symbol has this name.
            #[unsafe(export_name = concat!("__kmpc_atomic_", $($part),+))]
            unsafe extern "C" fn entry_point() {
                shapes::on_the_stack!(@entry $kind $ty)
            }

            #[allow(unused_variables, reason = "which arguments matter depends on the operation")]
            #[allow(improper_ctypes_definitions, reason = "_Float128 is one vector register")]
            unsafe extern "C" fn implementation(
                _loc: *const Ident,
                _gtid: i32,
                $place: *mut $ty,
                $flag: i32,
                $value: *const $ty,
                $out: *mut $ty,
                $wide: F128,
            ) {
                let (codeptr, frame) = arch::tls_call();
                let $call = Call::new(codeptr, frame);
                // SAFETY: the caller upholds what the ABI asks for; the entry point's pointers lie in its frames.
                unsafe { $body }
            }
        };
    };
    (@operand F128 $value:ident $wide:ident) => { $wide };
    (@operand $same:ident $value:ident $wide:ident) => { $value.read() };
    (update [$($part:expr),+] $ty:ident, $operand:ident, |$old:ident, $by:ident| $new:expr) => {
        shapes::on_the_stack! { @routine [$($part),+] void $ty (place, flag, value, out, wide), |call| {
            let $by = shapes::on_the_stack!(@operand $operand value wide);
            <$ty>::update(place, call, |$old| $new);
        } }
    };
    (capture [$($part:expr),+] $ty:ident, $operand:ident, |$old:ident, $by:ident| $new:expr) => {
        shapes::on_the_stack! { @routine [$($part),+] value $ty (place, flag, value, out, wide), |call| {
            let $by = shapes::on_the_stack!(@operand $operand value wide);
            out.write(<$ty>::update(place, call, |$old| $new).captured(flag));
        } }
    };
    (read [$($part:expr),+] $ty:ident) => {
        shapes::on_the_stack! { @routine [$($part),+] value $ty (place, flag, value, out, wide), |call| {
            out.write(<$ty>::read(place, call));
        } }
    };
    (swap [$($part:expr),+] $ty:ident) => {
        shapes::on_the_stack! { @routine [$($part),+] value $ty (place, flag, value, out, wide), |call| {
            let by = value.read();
            out.write(<$ty>::update(place, call, |_| by).old);
        } }
    };
}

// A compiler that makes no jump of a last call has the form for tools alone, as in `abi/entry_point.rs`.
#[cfg(any(debug_assertions, instrumented))]
pub(super) use routine as split_routine;
#[cfg(not(any(debug_assertions, instrumented)))]
pub(super) use split_routine;
pub(super) use {as_in_rust, in_memory, in_registers, on_the_stack, routine, through_pointer};
