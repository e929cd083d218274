//! The ABI of clang, flang and icx: `__kmpc_*`. Structures, flags and the order of arguments are those of LLVM's
//! `kmp.h`.

pub mod atomic;
pub mod barrier;
pub mod cancel;
pub mod collapse;
pub mod doacross;
pub mod error;
pub mod graph;
pub mod memory;
pub mod parallel;
pub mod reduce;
pub mod schedule;
pub mod sync;
pub mod task;
pub mod task_other;
pub mod task_reduction;
pub mod taskloop;
pub mod teams;
pub mod threadprivate;
pub mod work;

use std::ffi::c_char;

/// `ident_t`: where in the source a construct stands. Made by the compiler, never changed.
#[repr(C)]
pub struct Ident {
    reserved_1: i32,
    /// `KMP_IDENT_*` flags.
    pub flags: i32,
    reserved_2: i32,
    /// Of the text in `source`, where the compiler notes it.
    pub length: i32,
    /// `;file;function;line;column;;`
    pub source: *const c_char,
}
