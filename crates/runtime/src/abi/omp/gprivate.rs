//! Routines about the memory that the `dyn_groupprivate` clause gives each contention group of a kernel (OpenMP 6.1 as
//! clang 23 has it). Fortran binds to the C names. A kernel that wants more than its device gives has fallback memory
//! instead, or none.

use crate::objects::current;
use std::ffi::{c_int, c_void};
use std::ptr;

use crate::abi::routines;
use crate::device::{self, Owner, TeamMemory};
use crate::mem::spaces;

/// `omp_access_cgroup`: the tasks of a contention group, the only group that has such memory.
const CONTENTION_GROUP: c_int = 0;

/// The memory of the calling thread's group, if it has any.
fn memory(group: c_int) -> Option<TeamMemory> {
    let has_some = |memory: &TeamMemory| !memory.address.is_null();
    if group == CONTENTION_GROUP { device::team_memory(current::current()).filter(has_some) } else { None }
}

fn at(memory: Option<TeamMemory>, offset: usize) -> *mut c_void {
    memory.map_or(ptr::null_mut(), |memory| memory.address.wrapping_byte_add(offset))
}

routines! {
    /// The address so many bytes into the memory of the calling thread's group; null where the group has none, as on
    /// the host.
    pub fn omp_get_dyn_gprivate_ptr(offset: usize, group: c_int) -> *mut c_void { at(memory(group), offset) }

    /// As [`omp_get_dyn_gprivate_ptr`], but null where the group has fallback memory instead.
    pub fn omp_get_dyn_gprivate_nofb_ptr(offset: usize, group: c_int) -> *mut c_void {
        at(memory(group).filter(|memory| !memory.is_fallback), offset)
    }

    /// How many bytes the memory of the calling thread's group has; 0 where the group has none.
    pub fn omp_get_dyn_gprivate_size(group: c_int) -> usize { memory(group).map_or(0, |memory| memory.bytes) }

    /// The memory space of the memory of the calling thread's group; `omp_null_mem_space` where the group has none.
    pub fn omp_get_dyn_gprivate_memspace(group: c_int) -> usize {
        match memory(group) {
            None => crate::allocators::spaces::NONE,
            Some(TeamMemory { is_fallback: true, .. }) => crate::allocators::spaces::DEFAULT,
            Some(_) => spaces::CONTENTION_GROUP,
        }
    }

    /// Bytes of memory that each contention group of a target region can have for itself on a device
    /// (`dyn_groupprivate`; OpenMP 6.1); 0 for the host, for other groups of tasks, and for no such device.
    "VERS1.0" pub fn omp_get_gprivate_limit(device: c_int, group: c_int) -> usize {
        current::current();
        match device::owner(device) {
            Some(Owner::Device(device)) if group == CONTENTION_GROUP => device.abilities.team_memory,
            _ => 0,
        }
    }
}
