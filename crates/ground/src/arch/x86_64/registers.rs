//! Which arguments come in registers, for entry points that go on in another function with the same arguments.

/// Calls `$function` with those of the arguments that callers pass in registers. The others are on the stack already.
#[macro_export]
macro_rules! call_with_register_arguments {
    ($function:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $($stacked:ident)*) => {
        $function($a, $b, $c, $d, $e, $f)
    };
    ($function:ident, $($arg:ident)*) => { $function($($arg),*) };
}

/// Hands a list of arguments on to the macro `$next` as two lists: of those that callers pass in registers, and of all:
/// `$next!{ before... (in registers) (all) after... }`.
#[macro_export]
macro_rules! with_register_arguments {
    ([$($next:tt)*] [$($before:tt)*]
        ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty, $d:ident: $td:ty, $e:ident: $te:ty, $f:ident: $tf:ty,
            $($stacked:ident: $ts:ty),+)
        [$($after:tt)*]
    ) => {
        $($next)*! {
            $($before)*
            ($a: $ta, $b: $tb, $c: $tc, $d: $td, $e: $te, $f: $tf)
            ($a: $ta, $b: $tb, $c: $tc, $d: $td, $e: $te, $f: $tf, $($stacked: $ts),+)
            $($after)*
        }
    };
    ([$($next:tt)*] [$($before:tt)*] $all:tt [$($after:tt)*]) => {
        $($next)*! { $($before)* $all $all $($after)* }
    };
}

pub use {call_with_register_arguments, with_register_arguments};
