//! Macros that define exported functions which need not know their caller: the library routines, and a few functions of
//! the compilers' ABIs.
//!
//! Many routines have several names: that of C, a second one in clang's `omp.h`, and two of Fortran, which passes by
//! reference. One row of [`routines!`] defines all of them. For example,
//!
//! ```text
//! routines! {
//!     /// Sets dyn-var (§3.2.6).
//!     "OMP_1.0" pub fn omp_set_dynamic(dynamic: c_int), also: ompc_set_dynamic,
//!         fortran: omp_set_dynamic_ omp_set_dynamic_8_ { body }
//! }
//! ```
//!
//! exports
//!
//! | function | argument | symbol versions |
//! | --- | --- | --- |
//! | `omp_set_dynamic` | `c_int` | the default, and gcc's `OMP_1.0` |
//! | `ompc_set_dynamic` | `c_int` | the default |
//! | `omp_set_dynamic_` | `*const c_int` | the default, and gcc's `OMP_1.0` |
//! | `omp_set_dynamic_8_` | `*const i64` | the default, and gcc's `OMP_1.0` |

use std::ffi::c_int;

/// Gives exported functions their symbol versions: `name@@VERSION`, to which clang-built programs bind, and `name@NODE`
/// for each node of gcc's runtime. Stands in the module of the function, as an assembler can only name what it defines.
///
/// The default version is written out because a linker that finds `name@NODE` at the address of an unversioned `name`
/// takes the two for one and drops the latter.
macro_rules! versions {
    ($($name:ident: $($node:literal)+;)*) => {$(
        $(
            $crate::arch::directives!(
                concat!(".globl ", stringify!($name), "__", $node),
                concat!(".type ", stringify!($name), "__", $node, ",@function"),
                concat!(".set ", stringify!($name), "__", $node, ", ", stringify!($name)),
                concat!(".symver ", stringify!($name), "__", $node, ", ", stringify!($name), "@", $node, ", remove"),
            );
        )+
        $crate::arch::directives!(
            concat!(".symver ", stringify!($name), ", ", stringify!($name), "@@VERSION, remove"),
        );
    )*};
}

/// Defines routines under all their names, one row a routine:
/// `"NODE" pub fn c_name(a: T, …) -> R, also: other_c_name…, fortran: name_ name_8_ { body }`.
///
/// Each part but name, arguments and body may be missing. The first version node has the names of C and of Fortran,
/// further nodes have the name of C alone. The functions of the list after `also` take the arguments of C. Fortran's
/// take them as [`Argument`] says, the second function with integers of 8 bytes.
///
/// # Safety
/// A routine is safe to call for a program that passes what the row's documentation asks for. Fortran's functions ask
/// for valid references besides.
macro_rules! routines {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident $args:tt $(-> $ret:ty)?
        $(, also: $($also:ident)+)? $(, fortran: $fortran:ident $($fortran8:ident)?)? $body:block)*) => {$(
        $crate::abi::routines!(@row [$(#[$meta])*] [$($node)*] $name $args [$($ret)?] [$($($also)+)?]
            [$($fortran $($fortran8)?)?] $body);
    )*};
    (@row $meta:tt $nodes:tt $name:ident $args:tt $ret:tt [$($also:ident)*] [$($fortran:ident $($fortran8:ident)?)?]
        $body:block) => {
        $crate::abi::routines!(@define $meta $name $args $ret $body);
        $crate::abi::routines!(@versions $name $nodes);
        $($crate::abi::routines!(@also $also $name $args $ret);)*
        $(
            $crate::abi::routines!(@fortran Fortran $fortran $name $args $ret);
            $crate::abi::routines!(@versions_of_fortran $fortran $nodes);
            $(
                $crate::abi::routines!(@fortran Fortran8 $fortran8 $name $args $ret);
                $crate::abi::routines!(@versions_of_fortran $fortran8 $nodes);
            )?
        )?
    };
    (@define [$($meta:tt)*] $name:ident ($($arg:ident: $ty:ty),* $(,)?) [$($ret:ty)?] $body:block) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, unused_variables, reason = "called by compiled code, as its ABI asks")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
            // SAFETY: the caller upholds what the routine asks for.
            unsafe { $body }
        }
    };
    (@also $also:ident $name:ident ($($arg:ident: $ty:ty),* $(,)?) [$($ret:ty)?]) => {
        $crate::abi::routines!(@define [#[doc = concat!("[`", stringify!($name), "`] under another name.")]]
            $also ($($arg: $ty),*) [$($ret)?] { $name($($arg),*) });
    };
    (@fortran $kind:ident $fortran:ident $name:ident ($($arg:ident: $ty:ty),* $(,)?) [$($ret:ty)?]) => {
        $crate::abi::routines!(@define [#[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]]
            $fortran ($($arg: <$ty as $crate::abi::routine::Argument<$crate::abi::routine::$kind>>::Passed),*)
            [$($ret)?] { $name($($crate::abi::routine::Argument::<$crate::abi::routine::$kind>::from($arg)),*) });
    };
    (@versions $name:ident []) => {};
    (@versions $name:ident [$($node:literal)+]) => { $crate::abi::versions! { $name: $($node)+; } };
    (@versions_of_fortran $name:ident []) => {};
    (@versions_of_fortran $name:ident [$node:literal $($more:literal)*]) => {
        $crate::abi::versions! { $name: $node; }
    };
}

pub(crate) use {routines, versions};

/// Fortran whose default integers have 4 bytes.
pub struct Fortran;

/// Fortran whose default integers have 8 bytes.
pub struct Fortran8;

/// The type of a routine's argument, and how a kind of Fortran passes the argument: an integer by reference, an address
/// as it is.
pub trait Argument<Kind> {
    /// What Fortran passes.
    type Passed;

    /// # Safety
    /// `passed` is an address as it is, or points to an integer.
    unsafe fn from(passed: Self::Passed) -> Self;
}

/// Types of arguments, one row a type and kind of Fortran: what Fortran passes, and what that means.
macro_rules! arguments {
    ($([$($generic:ident),*] $ty:ty, $kind:ty: $passed_type:ty, |$passed:ident| $value:expr;)*) => {$(
        impl<$($generic),*> Argument<$kind> for $ty {
            type Passed = $passed_type;

            unsafe fn from($passed: $passed_type) -> $ty {
                #[allow(unused_unsafe, reason = "an address is taken as it is")]
                // SAFETY: the caller keeps to the `# Safety` section of the trait.
                unsafe { $value }
            }
        }
    )*};
}

arguments! {
    [] c_int, Fortran: *const c_int, |passed| *passed;
    [] c_int, Fortran8: *const i64, |passed| saturated(*passed);
    [Kind] u32, Kind: *const u32, |passed| *passed;
    [Kind] usize, Kind: *const usize, |passed| *passed;
    [Kind, T] *const T, Kind: *const T, |passed| passed;
    [Kind, T] *mut T, Kind: *mut T, |passed| passed;
}

/// An integer of Fortran's larger kind as C's `int`. A value that does not fit becomes the nearest that does.
pub fn saturated(value: i64) -> c_int {
    value.clamp(i64::from(c_int::MIN), i64::from(c_int::MAX)) as c_int
}

#[cfg(test)]
mod tests {
    #[test]
    fn integers_saturate() {
        assert_eq!([i64::MIN, -5, 7, i64::MAX].map(super::saturated), [i32::MIN, -5, 7, i32::MAX]);
    }
}
