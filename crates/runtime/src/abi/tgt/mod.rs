//! The ABI of clang's offload runtime: `__tgt_*`, version node VERS1.0 (OpenMP 5.1 §2.14). Structures, flags and the
//! order of arguments are those of LLVM's `omptarget.h`.

/// The four entry points of a construct that has its variables in lists. Two are of older compilers, without source and
/// mappers; the other two have both. Of each two the second is for `nowait`. `$first` and `$last` are the arguments
/// that only this construct has, before the lists and behind them. The closure `$serve` serves all four.
macro_rules! construct_entry_points {
    ($(#[$meta:meta])* ($($first:tt)*), $last:tt, $ret:ty, $serve:expr;
     $old:ident $old_nowait:ident $new:ident $new_nowait:ident) => {
        construct_entry_points!(@old [$(#[$meta])*] $old, false, ($($first)*) $last $ret, $serve);
        construct_entry_points!(@old [$(#[$meta])*] $old_nowait, true, ($($first)*) $last $ret, $serve);
        construct_entry_points!(@new [$(#[$meta])*] $new, false, ($($first)*) $last $ret, $serve);
        construct_entry_points!(@new [$(#[$meta])*] $new_nowait, true, ($($first)*) $last $ret, $serve);
    };
    (@old $meta:tt $name:ident, $nowait:literal, $first:tt $last:tt $ret:ty, $serve:expr) => {
        construct_entry_points!(@define $meta $name, $nowait, () $first () $last $ret, $serve,
            std::ptr::null(), std::ptr::null(), std::ptr::null());
    };
    (@new $meta:tt $name:ident, $nowait:literal, $first:tt $last:tt $ret:ty, $serve:expr) => {
        construct_entry_points!(@define $meta $name, $nowait, (loc: *const $crate::abi::kmpc::Ident,) $first
            (names: *const *const std::ffi::c_char, mappers: *const *const std::ffi::c_void,) $last $ret, $serve,
            loc, names, mappers);
    };
    (@define [$($meta:tt)*] $name:ident, $nowait:literal, ($($loc:tt)*) ($($first:ident: $type:ty)?) ($($newer:tt)*)
        ($($last:ident),*) $ret:ty, $serve:expr, $source:expr, $names:expr, $mappers:expr) => {
        $crate::abi::wide_entry_point! {
            $($meta)*
            pub fn $name(
                $($loc)*
                device: i64,
                $($first: $type,)?
                count: i32,
                bases: *mut usize,
                begins: *const usize,
                sizes: *const i64,
                types: *const u64,
                $($newer)*
                $($last: i32),*
            ) -> $ret, |call| {
                let count = usize::try_from(count).unwrap_or(0);
                let (names, mappers) = ($names, $mappers);
                let lists = $crate::device::map::Lists { count, bases, begins, sizes, types, names, mappers };
                ($serve)($source, device, $nowait, &lists, call)
            }
        }
    };
}

pub mod data;
pub mod interop;
pub mod kernel;
pub mod kernel_language;
pub mod mapper;
pub mod misc;
pub mod register;

use super::kmpc::Ident;
use super::kmpc::task::{DependLists, KmpDependence};
use crate::device::DeviceClause;
use crate::device::construct::Clauses;
use crate::device::map::Name;
use crate::objects::call::Call;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::task;

/// `OFFLOAD_DEVICE_DEFAULT`
const DEFAULT_DEVICE: i64 = -1;
/// `OMP_TGT_FAIL`: the program executes the region itself.
const NOT_OFFLOADED: i32 = !0;

/// The device clause of a construct.
fn device_clause(device: i64) -> DeviceClause {
    match device {
        DEFAULT_DEVICE => DeviceClause::Default,
        number => DeviceClause::Number(i32::try_from(number).unwrap_or(i32::MAX)),
    }
}

/// # Safety
/// `loc` is null or made by the compiler.
unsafe fn clauses(loc: *const Ident, device: i64, nowait: bool) -> Clauses {
    // SAFETY: the caller keeps to the `# Safety` section.
    let source = unsafe { loc.as_ref().map_or(Name::default(), |loc| Name::new(loc.source)) };
    Clauses { device: device_clause(device), nowait, source }
}

/// Waits until a construct with these dependences may begin. Compilers pass none here, as their target tasks have the
/// dependences.
///
/// # Safety
/// The lists have as many elements as their numbers say.
unsafe fn await_dependences(thread: &'static Thread, lists: [(i32, *const KmpDependence); 2], call: Call) {
    if lists.iter().any(|list| list.0 > 0) {
        let _in = Entered::new(thread, call);
        // SAFETY: the caller keeps to the `# Safety` section.
        task::taskwait_depend(thread, unsafe { DependLists::new(lists) }, call);
    }
}
