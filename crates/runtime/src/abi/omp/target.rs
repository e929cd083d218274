//! Device memory routines (OpenMP 5.1 §3.8), and LLVM's own ones. Fortran binds to the C names.
//!
//! `omp_depend_t` is one thing in gcc's `omp.h` and another in clang's, so the asynchronous routines exist twice: gcc's
//! under the version that gcc-built programs ask for, clang's as the default.

use crate::objects::current;
use std::ffi::{c_int, c_void};

use super::versions;
use crate::abi::{entry_point, gomp, kmpc, wide_entry_point};
use crate::device::driver::Space;
use crate::device::{
    self, Copy, Fill, MAX_DIMENSIONS, Operation, Owner, Place, Rectangle, Routine, Synchronisation, memory,
};
use crate::objects::call::Call;
use crate::objects::dependence::Dependence;

/// What a routine answers that could not do what it was asked for.
const INVALID: c_int = libc::EINVAL;

/// # Safety
/// As for [`memory::free`]; null is allowed.
unsafe fn free(pointer: *mut c_void, device: c_int, call: Call) {
    let thread = current::current();
    if !pointer.is_null()
        && let Some(owner) = device::owner(device)
    {
        // SAFETY: the caller's.
        unsafe { memory::free(&Routine::begin(thread, call), owner, pointer) };
    }
}

fn allocate(size: usize, device: c_int, space: Space, call: Call) -> *mut c_void {
    let thread = current::current();
    match device::owner(device) {
        Some(owner) => memory::allocate(&Routine::begin(thread, call), owner, size, space),
        None => std::ptr::null_mut(),
    }
}

entry_point! {
    /// Memory on a device (§3.8.1); null where there is none left, or no such device.
    pub fn omp_target_alloc(size: usize, device: c_int) -> *mut c_void, |call| {
        allocate(size, device, Space::Device, call)
    }

    /// Gives back memory from `omp_target_alloc` (§3.8.2); null is allowed.
    pub fn omp_target_free(pointer: *mut c_void, device: c_int), |call| {
        free(pointer, device, call);
    }

    /// 1 where a variable of the host has a counterpart on the device (§3.8.3): on the host all have.
    pub fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int, |call| {
        current::current();
        match device::owner(device) {
            Some(Owner::Host) => 1,
            Some(Owner::Device(device)) => device.maps.device_address(pointer as usize).is_some().into(),
            None => 0,
        }
    }

    /// 1 where the device can access the storage by this address (§3.8.4); there is none at null, nor of no bytes. The
    /// host can access all other, and a device can access its own, and the host's if it shares that.
    pub fn omp_target_is_accessible(pointer: *const c_void, size: usize, device: c_int) -> c_int, |call| {
        current::current();
        match device::owner(device) {
            _ if pointer.is_null() || size == 0 => 0,
            Some(Owner::Host) => 1,
            Some(Owner::Device(device)) => {
                (device.abilities().shares_memory || device.has_given(pointer as usize, size)).into()
            }
            None => 0,
        }
    }

    /// The device's pointer that belongs to a host pointer (§3.8.11): on the host the pointer itself. Null for one
    /// without counterpart, and for no such device.
    pub fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void, |call| {
        current::current();
        match device::owner(device) {
            Some(Owner::Host) => pointer.cast_mut(),
            Some(Owner::Device(device)) => device.maps.device_address(pointer as usize).unwrap_or(0) as *mut c_void,
            None => std::ptr::null_mut(),
        }
    }

    /// Ends an association (§3.8.10). Not 0 where there is none, or a construct holds the variable.
    pub fn omp_target_disassociate_ptr(pointer: *const c_void, device: c_int) -> c_int, |call| {
        let thread = current::current();
        match device::owner(device) {
            Some(Owner::Device(device)) if memory::disassociate(&Routine::begin(thread, call), device, pointer as usize)
                => 0,
            _ => INVALID,
        }
    }

    /// Fills memory of a device with a byte; the answer is the memory. (OpenMP 6.0, section 25.8.1.)
    pub fn omp_target_memset(pointer: *mut c_void, value: c_int, bytes: usize, device: c_int) -> *mut c_void, |call| {
        perform(fill(pointer, value, bytes, device), call);
        pointer
    }

    /// `llvm_omp_target_alloc_device`: as `omp_target_alloc`.
    pub fn llvm_omp_target_alloc_device(size: usize, device: c_int) -> *mut c_void, |call| {
        allocate(size, device, Space::Device, call)
    }

    /// `llvm_omp_target_alloc_host`: memory of the host, to and from which the device copies fast.
    pub fn llvm_omp_target_alloc_host(size: usize, device: c_int) -> *mut c_void, |call| {
        allocate(size, device, Space::Host, call)
    }

    /// `llvm_omp_target_alloc_shared`: memory that host and device use by the same address.
    pub fn llvm_omp_target_alloc_shared(size: usize, device: c_int) -> *mut c_void, |call| {
        allocate(size, device, Space::Shared, call)
    }

    /// `llvm_omp_target_free_device`: gives back memory from `llvm_omp_target_alloc_device`.
    pub fn llvm_omp_target_free_device(pointer: *mut c_void, device: c_int), |call| {
        free(pointer, device, call);
    }

    /// `llvm_omp_target_free_host`: gives back memory from `llvm_omp_target_alloc_host`.
    pub fn llvm_omp_target_free_host(pointer: *mut c_void, device: c_int), |call| {
        free(pointer, device, call);
    }

    /// `llvm_omp_target_free_shared`: gives back memory from `llvm_omp_target_alloc_shared`.
    pub fn llvm_omp_target_free_shared(pointer: *mut c_void, device: c_int), |call| {
        free(pointer, device, call);
    }

    /// `llvm_omp_target_dynamic_shared_alloc`: the memory that `ompx_dyn_cgroup_mem` gives each team of a kernel. Null
    /// where it gives none, and on the host.
    pub fn llvm_omp_target_dynamic_shared_alloc() -> *mut c_void, |call| {
        device::team_memory(current::current()).map_or(std::ptr::null_mut(), |memory| memory.address)
    }

    /// `llvm_omp_get_dynamic_shared`: the same by the name that LLVM had for it until release 15.
    pub fn llvm_omp_get_dynamic_shared() -> *mut c_void, |call| {
        device::team_memory(current::current()).map_or(std::ptr::null_mut(), |memory| memory.address)
    }

    /// `llvm_omp_target_lock_mem`: the address by which the device uses memory of the host that stays where it is from
    /// here on. That is the memory's own; null for no such device, and for one that cannot reach the host's memory.
    pub fn llvm_omp_target_lock_mem(pointer: *mut c_void, size: usize, device: c_int) -> *mut c_void, |call| {
        current::current();
        match device::owner(device) {
            Some(Owner::Host) => pointer,
            Some(Owner::Device(device)) if device.abilities().shares_memory => pointer,
            _ => std::ptr::null_mut(),
        }
    }

    /// `llvm_omp_target_unlock_mem`: the memory need not stay any more. What never moved stays as it is.
    pub fn llvm_omp_target_unlock_mem(pointer: *mut c_void, device: c_int), |call| {
        current::current();
        device::owner(device);
    }

    /// `ompx_dump_mapping_tables`: prints what is mapped on each device, to standard error.
    pub fn ompx_dump_mapping_tables(), |call| {
        current::current();
        (0..device::count()).filter_map(device::find).for_each(device::map::info::table);
    }
}

wide_entry_point! {
    /// Associates a device pointer with a host pointer (§3.8.9). Not 0 where a part of the variable has another
    /// counterpart already, and for the host, whose pointers are their own.
    pub fn omp_target_associate_ptr(
        variable: *const c_void,
        pointer: *const c_void,
        size: usize,
        offset: usize,
        device: c_int,
    ) -> c_int, |call| {
        let thread = current::current();
        let Some(Owner::Device(device)) = device::owner(device) else { return INVALID };
        if variable.is_null() || pointer.is_null() || size == 0 {
            return INVALID;
        }
        let address = (pointer as usize).wrapping_add(offset);
        let done = memory::associate(&Routine::begin(thread, call), device, variable as usize, size, address);
        if done { 0 } else { INVALID }
    }

    /// Copies memory between devices (§3.8.5). 0 when that is done.
    pub fn omp_target_memcpy(
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        to_offset: usize,
        from_offset: usize,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int, |call| {
        perform(copy((to, from), bytes, (to_offset, from_offset), (to_device, from_device)), call)
    }

    /// Copies a part of a multidimensional array to a part of another (§3.8.6). 0 when that is done. With neither array
    /// the answer is how many dimensions there may be.
    pub fn omp_target_memcpy_rect(
        to: *mut c_void,
        from: *const c_void,
        element: usize,
        dimensions: c_int,
        volume: *const usize,
        to_offsets: *const usize,
        from_offsets: *const usize,
        to_dimensions: *const usize,
        from_dimensions: *const usize,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int, |call| {
        if to.is_null() && from.is_null() {
            return MAX_DIMENSIONS;
        }
        let lists = [volume, to_offsets, from_offsets, to_dimensions, from_dimensions];
        perform(rectangle((to, from), element, dimensions, lists, (to_device, from_device)), call)
    }
}

fn copy(
    (to, from): (*mut c_void, *const c_void),
    bytes: usize,
    (to_offset, from_offset): (usize, usize),
    devices: (c_int, c_int),
) -> Option<Copy> {
    current::current();
    let (to, from) = places((to, from), devices)?;
    let there = bytes == 0 || to.address != 0 && from.address != 0;
    let at = |place: Place, offset: usize| Place { address: place.address.wrapping_add(offset), ..place };
    there.then(|| Copy { to: at(to, to_offset), from: at(from, from_offset), bytes })
}

fn fill(pointer: *mut c_void, value: c_int, bytes: usize, device: c_int) -> Option<Fill> {
    current::current();
    let owner = device::owner(device).filter(|_| !pointer.is_null())?;
    Some(Fill { to: Place { owner, address: pointer as usize }, value: value as u8, bytes })
}

/// # Safety
/// Each list has as many elements as there are dimensions.
unsafe fn rectangle(
    (to, from): (*mut c_void, *const c_void),
    element: usize,
    dimensions: c_int,
    lists: [*const usize; 5],
    devices: (c_int, c_int),
) -> Option<Rectangle> {
    current::current();
    let count = usize::try_from(dimensions).ok().filter(|&count| count > 0)?;
    let memory = places((to, from), devices)?;
    if to.is_null() || from.is_null() || element == 0 || lists.iter().any(|list| list.is_null()) {
        return None;
    }
    // SAFETY: the caller's.
    let [volume, to_offsets, from_offsets, to_dimensions, from_dimensions] =
        lists.map(|list| unsafe { std::slice::from_raw_parts(list, count) });
    Rectangle::new(memory, element, volume, (to_offsets, from_offsets), (to_dimensions, from_dimensions))
}

/// Both ends of a copy.
fn places(
    (to, from): (*mut c_void, *const c_void),
    (to_device, from_device): (c_int, c_int),
) -> Option<(Place, Place)> {
    // Both are looked at: each may have something to say.
    let (to_owner, from_owner) = (device::owner(to_device), device::owner(from_device));
    let place = |owner, address| Place { owner, address };
    Some((place(to_owner?, to as usize), place(from_owner?, from as usize)))
}

/// 0 where there is an operation, which is done then.
///
/// # Safety
/// As for the operation.
unsafe fn perform<T: Operation>(operation: Option<T>, call: Call) -> c_int {
    let Some(operation) = operation else { return INVALID };
    let routine = Routine::begin(current::current(), call);
    // SAFETY: the caller's.
    match unsafe { operation.perform(&routine) } {
        Ok(()) => 0,
        Err(why) => {
            memory::complain(&why);
            INVALID
        }
    }
}

/// # Safety
/// As for the operation, until it is done.
unsafe fn perform_in_task<T: Operation>(operation: Option<T>, dependences: &[Dependence], call: Call) -> c_int {
    let Some(operation) = operation else { return INVALID };
    let order = Synchronisation { dependences, nowait: true };
    // SAFETY: the caller's.
    unsafe { operation.perform_in_task(current::current(), order, call) };
    0
}

/// The asynchronous routines for one kind of dependence object.
macro_rules! asynchronous {
    ($copy:ident $rectangle:ident $fill:ident $objects:path) => {
        wide_entry_point! {
            /// As [`omp_target_memcpy`], in a target task with these dependences (§3.8.7).
            pub fn $copy(
                to: *mut c_void,
                from: *const c_void,
                bytes: usize,
                to_offset: usize,
                from_offset: usize,
                to_device: c_int,
                from_device: c_int,
                count: c_int,
                objects: *const c_void,
            ) -> c_int, |call| {
                let copy = copy((to, from), bytes, (to_offset, from_offset), (to_device, from_device));
                perform_in_task(copy, &$objects(count, objects.cast()), call)
            }

            /// As [`omp_target_memcpy_rect`], in a target task with these dependences (§3.8.8).
            pub fn $rectangle(
                to: *mut c_void,
                from: *const c_void,
                element: usize,
                dimensions: c_int,
                volume: *const usize,
                to_offsets: *const usize,
                from_offsets: *const usize,
                to_dimensions: *const usize,
                from_dimensions: *const usize,
                to_device: c_int,
                from_device: c_int,
                count: c_int,
                objects: *const c_void,
            ) -> c_int, |call| {
                if to.is_null() && from.is_null() {
                    return MAX_DIMENSIONS;
                }
                let lists = [volume, to_offsets, from_offsets, to_dimensions, from_dimensions];
                let rectangle = rectangle((to, from), element, dimensions, lists, (to_device, from_device));
                perform_in_task(rectangle, &$objects(count, objects.cast()), call)
            }

            /// As [`omp_target_memset`], in a target task with these dependences (OpenMP 6.0, section 25.8.2).
            pub fn $fill(
                pointer: *mut c_void,
                value: c_int,
                bytes: usize,
                device: c_int,
                count: c_int,
                objects: *const c_void,
            ) -> *mut c_void, |call| {
                perform_in_task(fill(pointer, value, bytes, device), &$objects(count, objects.cast()), call);
                pointer
            }
        }
    };
}

asynchronous! { omp_target_memcpy_async omp_target_memcpy_rect_async omp_target_memset_async kmpc::task::objects }
asynchronous! { gomp_target_memcpy_async gomp_target_memcpy_rect_async gomp_target_memset_async gomp::task::objects }

/// `omp_access_cgroup`: the tasks of a contention group.
const CONTENTION_GROUP: c_int = 0;

entry_point! {
    /// Bytes of memory that each contention group of a target region can have for itself on a device
    /// (`dyn_groupprivate`; OpenMP 6.1); 0 for the host, for other groups of tasks, and for no such device.
    pub fn omp_get_gprivate_limit(device: c_int, group: c_int) -> usize, |call| {
        current::current();
        match device::owner(device) {
            Some(Owner::Device(device)) if group == CONTENTION_GROUP => device.abilities().team_memory,
            _ => 0,
        }
    }
}

// clang-built programs that offload bind to the second one, which their libomptarget has.
versions! {
    omp_target_alloc: "OMP_4.5" "VERS1.0";
    omp_target_free: "OMP_4.5" "VERS1.0";
    omp_target_is_present: "OMP_4.5" "VERS1.0";
    omp_target_memcpy: "OMP_4.5" "VERS1.0";
    omp_target_memcpy_rect: "OMP_4.5" "VERS1.0";
    omp_target_associate_ptr: "OMP_4.5" "VERS1.0";
    omp_target_disassociate_ptr: "OMP_4.5" "VERS1.0";
    omp_target_is_accessible: "OMP_5.1.1" "VERS1.0";
    omp_get_mapped_ptr: "OMP_5.1.1" "VERS1.0";
    omp_target_memcpy_async: "VERS1.0";
    omp_target_memcpy_rect_async: "VERS1.0";
    omp_target_memset: "GOMP_6.0.1" "VERS1.0";
    omp_target_memset_async: "VERS1.0";
    omp_get_gprivate_limit: "VERS1.0";
}

crate::arch::directives!(
    ".symver gomp_target_memcpy_async, omp_target_memcpy_async@OMP_5.1.1, remove",
    ".symver gomp_target_memcpy_rect_async, omp_target_memcpy_rect_async@OMP_5.1.1, remove",
    ".symver gomp_target_memset_async, omp_target_memset_async@GOMP_6.0.1, remove",
);
