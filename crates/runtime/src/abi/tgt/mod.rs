//! The ABI of clang's offload runtime: `__tgt_*`, version node VERS1.0 (OpenMP 5.1 §2.14). The facts of it (structures,
//! flags, argument order) are those of LLVM's `omptarget.h`.

pub mod data;
pub mod interop;
pub mod kernel;
pub mod kernel_language;
pub mod mapper;
pub mod misc;
pub mod register;

use super::kmpc::Ident;
use super::kmpc::task::{DependLists, KmpDependence};
use crate::device::Asked;
use crate::device::construct::Clauses;
use crate::device::map::Lists;
use crate::objects::call::Call;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::task;
use std::ffi::{c_char, c_void};

/// `OFFLOAD_DEVICE_DEFAULT`
const DEFAULT_DEVICE: i64 = -1;
/// `OMP_TGT_FAIL`: the program executes the region itself.
const NOT_OFFLOADED: i32 = !0;

/// The device clause of a construct.
fn asked(device: i64) -> Asked {
    match device {
        DEFAULT_DEVICE => Asked::Default,
        number => Asked::Number(i32::try_from(number).unwrap_or(i32::MAX)),
    }
}

/// # Safety
/// Null, or the compiler's.
unsafe fn clauses(loc: *const Ident, device: i64, nowait: bool) -> Clauses {
    // SAFETY: the caller's.
    let source = unsafe { loc.as_ref() }.map_or(std::ptr::null(), |loc| loc.source);
    Clauses { device: asked(device), nowait, source }
}

/// A construct's variables.
fn lists(
    count: i32,
    bases: *mut usize,
    begins: *const usize,
    sizes: *const i64,
    types: *const u64,
    names: *const *const c_char,
    mappers: *const *const c_void,
) -> Lists {
    Lists { count: usize::try_from(count).unwrap_or(0), bases, begins, sizes, types, names, mappers }
}

/// Waits until a construct with these dependences may begin. Compilers pass none here, as their target tasks have them.
///
/// # Safety
/// The lists have as many elements as said.
unsafe fn await_dependences(thread: &'static Thread, lists: [(i32, *const KmpDependence); 2], call: Call) {
    if lists.iter().any(|list| list.0 > 0) {
        let _in = Entered::new(thread, call);
        // SAFETY: the caller's.
        task::taskwait_depend(thread, unsafe { DependLists::new(lists[0], lists[1]) }, call);
    }
}
