//! Target regions (`__tgt_target_kernel`, `__tgt_target*`, `__kmpc_push_target_tripcount`; OpenMP 5.1 §2.14.5).

use super::super::kmpc::Ident;
use super::super::kmpc::task::KmpDependence;
use super::{NOT_OFFLOADED, await_dependences, clauses};
use crate::abi::{routines, wide_entry_point};
use crate::device::caller::release_of;
use crate::device::construct::{self, Region, What};
use crate::device::driver::{Convention, Fallback};
use crate::device::map::Lists;
use crate::objects::call::Call;
use crate::objects::current;
use std::ffi::{c_char, c_void};

/// `KernelArgsTy`. The first version ends before the flags. The numbers of blocks and threads in three dimensions
/// repeat OpenMP's own arguments.
#[repr(C)]
pub struct KernelArguments {
    version: u32,
    count: u32,
    bases: *mut usize,
    begins: *const usize,
    sizes: *const i64,
    types: *const u64,
    names: *const *const c_char,
    mappers: *const *const c_void,
    trip_count: u64,
    /// This field and those below exist from version 2 on.
    flags: u64,
    num_teams: [u32; 3],
    thread_limit: [u32; 3],
    dynamic_memory: u32,
}

/// Versions: that of clang 15, which has no flags; of clang 16 to 18; of clang 19 to 22; and of clang 23.
const WITHOUT_FLAGS: u32 = 1;
const WITH_FLAGS: u32 = 2;
const DRIVERS_FIRST: u32 = 3;
const DRIVERS_LAST: u32 = 5;
/// The construct has a `nowait` clause.
const NOWAIT: u64 = 1;
/// What teams get where the device does not have their memory: two bits.
const FALLBACK_SHIFT: u32 = 2;
const FALLBACK: u64 = 3 << FALLBACK_SHIFT;

/// The `num_teams` of a region that is no league.
const NO_TEAMS: i32 = -1;

/// A clause's number. A negative number means the same as 0: the clause is not there.
fn number(clause: i32) -> u32 {
    u32::try_from(clause).unwrap_or(0)
}

fn teams(clause: i32) -> u32 {
    if clause == NO_TEAMS { 1 } else { number(clause) }
}

/// The meaning of [`KernelArguments`]' version and flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    convention: Convention,
    nowait: bool,
    fallback: Fallback,
}

impl Form {
    /// `Err` has the reason why the runtime cannot serve the version or the flags.
    #[inline(always)]
    fn new(version: u32, flags: u64) -> Result<Form, String> {
        let convention = match version {
            WITHOUT_FLAGS | WITH_FLAGS => Convention::Plain,
            DRIVERS_FIRST => Convention::DriversFirst,
            DRIVERS_LAST => Convention::DriversLast,
            _ => return Err(format!("its arguments have version {version}, and known are 1, 2, 3 and 5")),
        };
        let fallback = match (flags & FALLBACK) >> FALLBACK_SHIFT {
            0 => Some(Fallback::Abort),
            1 => Some(Fallback::Null),
            2 => Some(Fallback::Memory),
            _ => None,
        };
        match fallback {
            Some(fallback) if flags & !(NOWAIT | FALLBACK) == 0 => {
                Ok(Form { convention, nowait: flags & NOWAIT != 0, fallback })
            }
            _ => Err(format!("its flags are {flags:#x}, and known are {:#x}", NOWAIT | FALLBACK)),
        }
    }
}

/// How kernels of version 2 are called. clang 18 puts the driver's pointer first, as version 3 does, without another
/// number. The release is that of the program or library in which the region's identifier lies.
#[cold]
fn convention_with_flags(id: *const c_void) -> Convention {
    const CLANG_18: u32 = 18;
    if release_of(id as usize) == Some(CLANG_18) { Convention::DriversFirst } else { Convention::Plain }
}

/// # Safety
/// The arguments are what the compiler passes to `__tgt_target_kernel`.
unsafe fn kernel(
    loc: *const Ident,
    device: i64,
    (num_teams, thread_limit): (i32, i32),
    id: *const c_void,
    arguments: *const KernelArguments,
    call: Call,
) -> i32 {
    // SAFETY: the caller keeps to the `# Safety` section. A version from 2 on has the later fields.
    unsafe {
        let version = (*arguments).version;
        let (flags, dynamic_memory) = match version >= WITH_FLAGS {
            true => ((*arguments).flags, (*arguments).dynamic_memory),
            false => (0, 0),
        };
        let form = match Form::new(version, flags) {
            Ok(form) => form,
            Err(why) => {
                construct::refuse_target(current::current(), clauses(loc, device, false), &why, call);
                return NOT_OFFLOADED;
            }
        };
        let lists = Lists {
            count: (*arguments).count as usize,
            bases: (*arguments).bases,
            begins: (*arguments).begins,
            sizes: (*arguments).sizes,
            types: (*arguments).types,
            names: (*arguments).names,
            mappers: (*arguments).mappers,
        };
        let region = Region {
            id: id as usize,
            num_teams: teams(num_teams),
            thread_limit: number(thread_limit),
            trip_count: (*arguments).trip_count,
            dynamic_memory,
            fallback: form.fallback,
            convention: match version {
                WITH_FLAGS => convention_with_flags(id),
                _ => form.convention,
            },
        };
        offload(loc, device, form.nowait, region, &lists, call)
    }
}

/// # Safety
/// As for [`construct::execute`].
unsafe fn offload(loc: *const Ident, device: i64, nowait: bool, mut region: Region, lists: &Lists, call: Call) -> i32 {
    let thread = current::current();
    let pushed = thread.pushed_trip_count.take();
    if region.trip_count == 0 {
        region.trip_count = pushed;
    }
    // SAFETY: the caller keeps to the `# Safety` section.
    let done = unsafe { construct::execute(thread, clauses(loc, device, nowait), What::Region(&region), lists, call) };
    if done { 0 } else { NOT_OFFLOADED }
}

/// A region of a compiler that is older than [`KernelArguments`].
fn old_region(id: *const c_void, num_teams: u32, thread_limit: i32) -> Region {
    let thread_limit = number(thread_limit);
    Region { id: id as usize, num_teams, thread_limit, ..Region::default() }
}

wide_entry_point! {
    /// `__tgt_target_kernel`: executes a target region on a device. Returns 0 on success; otherwise the program
    /// executes the region itself.
    pub fn __tgt_target_kernel(
        loc: *const Ident,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        id: *const c_void,
        arguments: *const KernelArguments,
    ) -> i32, |call| {
        kernel(loc, device, (num_teams, thread_limit), id, arguments, call)
    }

    /// `__tgt_target_kernel_nowait`: as `__tgt_target_kernel`, after the predecessor tasks.
    pub fn __tgt_target_kernel_nowait(
        loc: *const Ident,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        id: *const c_void,
        arguments: *const KernelArguments,
        count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ) -> i32, |call| {
        await_dependences(current::current(), [(count, list), (count_noalias, list_noalias)], call);
        kernel(loc, device, (num_teams, thread_limit), id, arguments, call)
    }
}

// The entry points of compilers that are older than `KernelArguments`. Those with `nowait` read no dependences, as in
// `data.rs`.
construct_entry_points! {
    /// A target region, from older compilers.
    (id: *const c_void), (), i32, |loc, device, nowait, lists, call| {
        offload(loc, device, nowait, old_region(id, 1, 0), lists, call)
    };
    __tgt_target __tgt_target_nowait __tgt_target_mapper __tgt_target_nowait_mapper
}
construct_entry_points! {
    /// A league in a target region, from older compilers.
    (id: *const c_void), (num_teams, thread_limit), i32,
    |loc, device, nowait, lists, call| {
        offload(loc, device, nowait, old_region(id, teams(num_teams), thread_limit), lists, call)
    };
    __tgt_target_teams __tgt_target_teams_nowait __tgt_target_teams_mapper __tgt_target_teams_nowait_mapper
}

routines! {
    /// `__kmpc_push_target_tripcount`: how many iterations the loop of the next target region has, from older
    /// compilers.
    pub fn __kmpc_push_target_tripcount(device: i64, count: u64) {
        current::current().pushed_trip_count.set(count);
    }

    /// `__kmpc_push_target_tripcount_mapper`: the same.
    pub fn __kmpc_push_target_tripcount_mapper(loc: *const Ident, device: i64, count: u64) {
        current::current().pushed_trip_count.set(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_flags_that_are_not_known_were_taken_for_the_last_ones() {
        let convention = |version| Form::new(version, 0).map(|form| form.convention);
        for (version, expected) in [
            (1, Convention::Plain),
            (2, Convention::Plain),
            (3, Convention::DriversFirst),
            (5, Convention::DriversLast),
        ] {
            assert_eq!(convention(version), Ok(expected));
        }
        for version in [0, 4, 6, u32::MAX] {
            assert!(convention(version).unwrap_err().contains(&version.to_string()));
        }
        let form = Form::new(5, 0b1001).unwrap();
        assert_eq!((form.nowait, form.fallback), (true, Fallback::Memory));
        assert_eq!(Form::new(5, 0b0100).unwrap().fallback, Fallback::Null);
        for flags in [0b10, 0b1100, 0x10, 1 << 40] {
            assert!(Form::new(5, flags).unwrap_err().contains(&format!("{flags:#x}")));
        }
    }
}
