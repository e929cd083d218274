//! The runtime library routines, `omp_*`, in their C spelling, in Fortran's (`_` and, for 8-byte integers, `_8_`), and
//! under the symbol versions that gcc-built programs bind to. OpenMP 5.1 §3.

mod affinity;
mod device;
mod gprivate;
mod icvs;
mod interop;
mod kmp;
mod locks;
mod masks;
pub mod memory;
mod places;
mod resources;
mod spaces;
mod target;
mod tasks;
mod threads;
mod time;
mod tool;
mod uid;

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

/// Defines routines without arguments, which are the same in C and Fortran:
/// `"NODE" fn c_name, fortran_name -> T { body }`, with one node or several.
macro_rules! queries {
    ($($(#[$meta:meta])* $node:literal $($more:literal)* fn $name:ident, $fortran:ident -> $ret:ty $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> $ret $body

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $fortran() -> $ret {
            $name()
        }

        $crate::abi::omp::versions! { $name: $node $($more)*; $fortran: $node; }
    )*};
}

/// Defines routines with one integer argument, which Fortran passes by reference:
/// `"NODE" fn c_name, fortran_name, fortran_8_name(arg) -> T { body }`.
macro_rules! integer_routines {
    ($($(#[$meta:meta])* $node:literal fn $name:ident, $fortran:ident, $fortran8:ident($arg:ident) -> $ret:ty $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($arg: std::ffi::c_int) -> $ret $body

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// The argument points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran($arg: *const i32) -> $ret {
            // SAFETY: the caller upholds it.
            $name(unsafe { *$arg })
        }

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it with integers of 8 bytes.")]
        ///
        /// # Safety
        /// The argument points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran8($arg: *const i64) -> $ret {
            // SAFETY: the caller upholds it.
            $name($crate::abi::omp::saturated(unsafe { *$arg }))
        }

        $crate::abi::omp::versions! { $name: $node; $fortran: $node; $fortran8: $node; }
    )*};
}

use {integer_routines, queries, versions};

/// An integer of Fortran's larger kind as C's `int`; one that does not fit becomes the nearest that does.
fn saturated(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

#[cfg(test)]
mod tests {
    #[test]
    fn integers_saturate() {
        assert_eq!([i64::MIN, -5, 7, i64::MAX].map(super::saturated), [i32::MIN, -5, 7, i32::MAX]);
    }
}
