//! Calls of the program's code through the trampolines.
//!
//! A trampoline is assembly, of which a crate above would know nothing but the name, and which it would call through
//! the table of other libraries' functions. These functions are inlined when the library is linked, and call directly:
//! so none is `#[inline]`, which would put the call into the crates above again.

use super::trampolines;
use std::ffi::c_void;

/// Calls `function(a, b)` and stores the frame pointer of the call in `*exit_frame` first, so that a debugger or tool
/// can tell where the program's frames begin (OMPT `exit_frame`).
///
/// # Safety
/// `function` must accept two machine words; `exit_frame` must be writable.
pub unsafe fn call_outlined(function: *const c_void, a: usize, b: usize, exit_frame: *mut usize) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { trampolines::call_outlined(function, a, b, exit_frame) }
}

/// Calls a microtask of the kmpc ABI: `microtask(gtid, btid, a0, a1, …)` with `argc` further pointers. The first
/// [`FORK_WORDS`](super::FORK_WORDS) lie at `head`, the rest at `tail`; `*exit_frame` as in [`call_outlined`].
///
/// # Safety
/// `head` must hold three readable words, `tail` one, or `argc - 3` if that is more.
pub unsafe fn call_microtask(
    microtask: *const c_void,
    gtid: *const i32,
    btid: *const i32,
    argc: usize,
    head: *const usize,
    tail: *const usize,
    exit_frame: *mut usize,
) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { trampolines::call_microtask(microtask, gtid, btid, argc, head, tail, exit_frame) }
}

/// Calls `function` with `argc` words as its arguments, which lie at `argv`; `*exit_frame` as in [`call_outlined`].
///
/// # Safety
/// `function` takes that many words, and `exit_frame` is writable.
pub unsafe fn call_with(function: *const c_void, argc: usize, argv: *const usize, exit_frame: *mut usize) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { trampolines::call_with(function, argc, argv, exit_frame) }
}
