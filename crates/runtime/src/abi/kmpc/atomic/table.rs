//! The table of atomic routines: which types have which operators.

use super::shapes::{self, in_memory, in_registers, on_the_stack, through_pointer};
use crate::abi::kmpc::Ident;
use crate::arch::{self, F128, LongDouble};
use crate::objects::call::Call;
#[cfg(not(any(debug_assertions, instrumented)))]
use crate::objects::call::NoTool;
use crate::sync::atomic::operators::{self, Convert};
use crate::sync::atomic::{Complex, Value};
#[cfg(not(any(debug_assertions, instrumented)))]
use std::hint::cold_path;

type Complex4 = Complex<f32>;
type Complex8 = Complex<f64>;
type Complex10 = Complex<LongDouble>;
type Complex16 = Complex<F128>;

/// Reading, writing and swapping: `shape! "type" Type;`
macro_rules! accesses {
    ($($shape:ident $name:literal $ty:ident;)*) => {$(
        $shape! { read [$name, "_rd"] $ty }
        $shape! { update [$name, "_wr"] $ty, $ty, |_old, value| value }
        $shape! { swap [$name, "_swp"] $ty }
    )*};
}

/// An update, and the one with a captured value: `both! shape [parts of the name] "suffix" Type, Operand, operation`
macro_rules! both {
    ($shape:ident [$($part:expr),+] $suffix:literal $($operation:tt)*) => {
        $shape! { update [$($part),+, $suffix] $($operation)* }
        $shape! { capture [$($part),+, "_cpt", $suffix] $($operation)* }
    };
}

/// Updates with operands of one type: `shape! "type" Type…: [operators] reversed: [operators];`
macro_rules! updates {
    ($($shape:ident $($name:literal $ty:ident)+: $ops:tt reversed: $reversed:tt;)*) => {$($(
        updates! { @of $shape $name $ty $ops $reversed }
    )+)*};
    (@of $shape:ident $name:literal $ty:ident [$($op:ident)*] [$($reversed:ident)*]) => {
        $( both! { $shape [$name, "_", stringify!($op)] "" $ty, $ty, |old, value| operators::$op(old, value) } )*
        $(
            both! { $shape [$name, "_", stringify!($reversed)] "_rev" $ty, $ty, |old, value| {
                operators::$reversed(value, old)
            } }
        )*
    };
}

/// Updates by a value of a wider type, in which they are computed:
/// `shape! "type" Type… by "wide type" Wide: [operators];`
macro_rules! mixed_updates {
    ($($shape:ident $($name:literal $ty:ident)+ by $wide_name:literal $wide:ident: $ops:tt;)*) => {$($(
        mixed_updates! { @of $shape $name $ty $wide_name $wide $ops }
    )+)*};
    (@of $shape:ident $name:literal $ty:ident $wide_name:literal $wide:ident [$($op:ident)*]) => {
        $(
            $shape! { update [$name, "_", stringify!($op), "_", $wide_name] $ty, $wide, |old, value| {
                Convert::<$wide>::narrow(operators::$op(Convert::<$wide>::widen(old), value))
            } }
        )*
    };
}

/// Updates by a `_Float128`, in which they are computed: `shape! "type" Type…;`
macro_rules! updates_by_f128 {
    ($($shape:ident $($name:literal $ty:ident)+;)*) => {$($(
        updates_by_f128! { @of $shape $name $ty: add sub mul div; reversed: sub div; }
    )+)*};
    (@of $shape:ident $name:literal $ty:ident: $($op:ident)*; reversed: $($reversed:ident)*;) => {
        $(
            both! { $shape [$name, "_", stringify!($op)] "_fp" $ty, F128, |old, value| {
                Convert::<F128>::narrow(operators::$op(Convert::<F128>::widen(old), value))
            } }
        )*
        $(
            both! { $shape [$name, "_", stringify!($reversed)] "_rev_fp" $ty, F128, |old, value| {
                Convert::<F128>::narrow(operators::$reversed(value, Convert::<F128>::widen(old)))
            } }
        )*
    };
}

accesses! {
    in_registers "fixed1" i8;
    in_registers "fixed2" i16;
    in_registers "fixed4" i32;
    in_registers "fixed8" i64;
    in_registers "float4" f32;
    in_registers "float8" f64;
    on_the_stack "float10" LongDouble;
    in_registers "float16" F128;
    through_pointer "cmplx4" Complex4;
    in_registers "cmplx8" Complex8;
    on_the_stack "cmplx10" Complex10;
    in_memory "cmplx16" Complex16;
}

updates! {
    in_registers "fixed1" i8 "fixed2" i16 "fixed4" i32 "fixed8" i64:
        [add sub mul div min max andb orb xor shl shr andl orl eqv neqv] reversed: [sub div shl shr];
    in_registers "fixed1u" u8 "fixed2u" u16 "fixed4u" u32 "fixed8u" u64: [div shr] reversed: [div shr];
    in_registers "float4" f32 "float8" f64 "float16" F128: [add sub mul div min max] reversed: [sub div];
    on_the_stack "float10" LongDouble: [add sub mul div min max] reversed: [sub div];
    through_pointer "cmplx4" Complex4: [add sub mul div] reversed: [sub div];
    in_registers "cmplx8" Complex8: [add sub mul div] reversed: [sub div];
    on_the_stack "cmplx10" Complex10: [add sub mul div] reversed: [sub div];
    in_memory "cmplx16" Complex16: [add sub mul div] reversed: [sub div];
}

mixed_updates! {
    in_registers "fixed1" i8 "fixed2" i16 "fixed4" i32 "fixed8" i64 by "float8" f64: [mul div];
    in_registers "float4" f32 by "float8" f64: [add sub mul div];
    in_registers "cmplx4" Complex4 by "cmplx8" Complex8: [add sub mul div];
}

updates_by_f128! {
    in_registers "fixed1" i8 "fixed2" i16 "fixed4" i32 "fixed8" i64 "float4" f32 "float8" f64;
    in_registers "fixed1u" u8 "fixed2u" u16 "fixed4u" u32 "fixed8u" u64;
    on_the_stack "float10" LongDouble;
}
