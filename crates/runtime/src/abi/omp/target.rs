//! Device memory routines (OpenMP 5.1 §3.8), and LLVM's own ones. Fortran binds to the C names.
//!
//! `omp_depend_t` differs between gcc's `omp.h` and clang's, so the asynchronous routines exist twice: gcc's under the
//! version of gcc-built programs, clang's as the default.

use crate::objects::current;
use std::ffi::{c_int, c_void};

use crate::abi::{entry_point, gomp, kmpc, routines, versions, wide_entry_point};
use crate::device::driver::Space;
use crate::device::{
    self, Copy, Fill, MAX_DIMENSIONS, Operation, Owner, Place, Rectangle, Routine, Synchronisation, memory,
};
use crate::objects::call::Call;
use crate::objects::dependence::Dependence;

/// The result of a routine that failed.
const INVALID: c_int = libc::EINVAL;

/// The device's address of a variable of the host, if it has one. On the host that is the variable's own.
fn counterpart(pointer: *const c_void, device: c_int) -> Option<usize> {
    current::current();
    match device::owner(device)? {
        Owner::Host => Some(pointer as usize),
        Owner::Device(device) => device.maps.device_address(pointer as usize),
    }
}

routines! {
    /// 1 where a variable of the host has a counterpart on the device (§3.8.3): on the host all have.
    "OMP_4.5" "VERS1.0" pub fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int {
        counterpart(pointer, device).is_some().into()
    }

    /// The device's pointer that belongs to a host pointer (§3.8.11): on the host the pointer itself. Null for a
    /// pointer without counterpart, and for no such device.
    "OMP_5.1.1" "VERS1.0" pub fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
        counterpart(pointer, device).unwrap_or(0) as *mut c_void
    }
}

entry_point! {
    /// Ends an association (§3.8.10). Not 0 where there is none, or a construct holds the variable.
    "OMP_4.5" "VERS1.0" pub fn omp_target_disassociate_ptr(pointer: *const c_void, device: c_int) -> c_int,
        |thread, call| {
        match device::owner(device) {
            Some(Owner::Device(device)) if memory::disassociate(&Routine::begin(thread, call), device, pointer as usize)
                => 0,
            _ => INVALID,
        }
    }
}

routines! {
    /// 1 where the device can access the storage by this address (§3.8.4); no storage lies at null, and none has no
    /// bytes. The host can access all other storage. A device can access its own, and the host's if it shares the
    /// host's memory.
    "OMP_5.1.1" "VERS1.0" pub fn omp_target_is_accessible(pointer: *const c_void, size: usize, device: c_int) -> c_int {
        current::current();
        match device::owner(device) {
            _ if pointer.is_null() || size == 0 => 0,
            Some(Owner::Host) => 1,
            Some(Owner::Device(device)) => {
                (device.abilities.shares_memory || device.has_given(pointer as usize, size)).into()
            }
            None => 0,
        }
    }

    /// `llvm_omp_target_lock_mem`: pins memory of the host; the answer is the address by which the device uses the
    /// memory. That is the memory's own address; null for no such device, and for a device that cannot access the
    /// host's memory.
    pub fn llvm_omp_target_lock_mem(pointer: *mut c_void, size: usize, device: c_int) -> *mut c_void {
        current::current();
        match device::owner(device) {
            Some(Owner::Host) => pointer,
            Some(Owner::Device(device)) if device.abilities.shares_memory => pointer,
            _ => std::ptr::null_mut(),
        }
    }

    /// `llvm_omp_target_unlock_mem`: unpins the memory. Nothing needs to be done: the host's memory never moves.
    pub fn llvm_omp_target_unlock_mem(pointer: *mut c_void, device: c_int) {
        current::current();
        device::owner(device);
    }

    /// `ompx_dump_mapping_tables`: prints what is mapped on each device, to standard error.
    pub fn ompx_dump_mapping_tables() {
        current::current();
        (0..device::count()).filter_map(device::find).for_each(device::map::info::table);
    }
}

wide_entry_point! {
    /// Associates a device pointer with a host pointer (§3.8.9). Not 0 where a part of the variable has another
    /// counterpart already, and for the host, whose pointers are their own.
    "OMP_4.5" "VERS1.0" pub fn omp_target_associate_ptr(
        variable: *const c_void,
        pointer: *const c_void,
        size: usize,
        offset: usize,
        device: c_int,
    ) -> c_int, |thread, call| {
        let Some(Owner::Device(device)) = device::owner(device) else { return INVALID };
        if variable.is_null() || pointer.is_null() || size == 0 {
            return INVALID;
        }
        let address = (pointer as usize).wrapping_add(offset);
        let done = memory::associate(&Routine::begin(thread, call), device, variable as usize, size, address);
        if done { 0 } else { INVALID }
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
    // SAFETY: the caller keeps to the `# Safety` section.
    let [volume, to_offsets, from_offsets, to_dimensions, from_dimensions] =
        lists.map(|list| unsafe { std::slice::from_raw_parts(list, count) });
    Rectangle::new(memory, element, volume, (to_offsets, from_offsets), (to_dimensions, from_dimensions))
}

/// Both ends of a copy.
fn places(
    (to, from): (*mut c_void, *const c_void),
    (to_device, from_device): (c_int, c_int),
) -> Option<(Place, Place)> {
    // Both devices are looked up first: each look-up may print a message.
    let (to_owner, from_owner) = (device::owner(to_device), device::owner(from_device));
    let place = |owner, address| Place { owner, address };
    Some((place(to_owner?, to as usize), place(from_owner?, from as usize)))
}

/// Does an operation, now or in a target task with these dependences. The answer is not 0 where there is no operation,
/// or where the operation failed.
///
/// # Safety
/// As for the operation; in a task, until the task is complete.
unsafe fn perform<T: Operation>(operation: Option<T>, in_task: Option<&[Dependence]>, call: Call) -> c_int {
    let Some(operation) = operation else { return INVALID };
    let thread = current::current();
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        match in_task {
            None => {
                if let Err(why) = operation.perform(&Routine::begin(thread, call)) {
                    memory::complain(&why);
                    return INVALID;
                }
            }
            Some(dependences) => {
                operation.perform_in_task(thread, Synchronisation { dependences, nowait: true }, call);
            }
        }
    }
    0
}

/// Defines the routines that copy and fill memory, which do so in a task if `$in_task` has its dependences. The
/// asynchronous ones have further arguments for these.
macro_rules! transfers {
    ($($copy:ident $rectangle:ident $fill:ident ($($extra:ident: $ty:ty),*) $in_task:expr;)*) => {wide_entry_point! {$(
        /// Copies memory between devices (§3.8.5, §3.8.7). 0 when that is done, or the task is generated.
        pub fn $copy(
            to: *mut c_void,
            from: *const c_void,
            bytes: usize,
            to_offset: usize,
            from_offset: usize,
            to_device: c_int,
            from_device: c_int,
            $($extra: $ty),*
        ) -> c_int, |call| {
            let copy = copy((to, from), bytes, (to_offset, from_offset), (to_device, from_device));
            perform(copy, $in_task, call)
        }

        /// Copies a part of a multidimensional array to a part of another (§3.8.6, §3.8.8). 0 when that is done, or the
        /// task is generated. With neither array the answer is how many dimensions there may be.
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
            $($extra: $ty),*
        ) -> c_int, |call| {
            if to.is_null() && from.is_null() {
                return MAX_DIMENSIONS;
            }
            let lists = [volume, to_offsets, from_offsets, to_dimensions, from_dimensions];
            perform(rectangle((to, from), element, dimensions, lists, (to_device, from_device)), $in_task, call)
        }

        /// Fills memory of a device with a byte; the answer is the memory. (OpenMP 6.0, sections 25.8.1 and 25.8.2.)
        pub fn $fill(pointer: *mut c_void, value: c_int, bytes: usize, device: c_int $(, $extra: $ty)*)
            -> *mut c_void, |call| {
            perform(fill(pointer, value, bytes, device), $in_task, call);
            pointer
        }
    )*}};
}

transfers! {
    omp_target_memcpy omp_target_memcpy_rect omp_target_memset () None;
    omp_target_memcpy_async omp_target_memcpy_rect_async omp_target_memset_async
        (count: c_int, objects: *const c_void) Some(&kmpc::task::objects(count, objects.cast()));
    gomp_target_memcpy_async gomp_target_memcpy_rect_async gomp_target_memset_async
        (count: c_int, objects: *const c_void) Some(&gomp::task::objects(count, objects.cast()));
}

/// Defines the routines that allocate and free each kind of memory (§3.8.1–2; LLVM's own). An allocation answers null
/// where there is no memory left, or no such device.
macro_rules! allocations {
    ($($space:ident: $($alloc:ident)+, $($free:ident)+;)*) => {entry_point! {$(
        $(
            /// Memory of a device, or of the host for devices: see [`Space`].
            pub fn $alloc(size: usize, device: c_int) -> *mut c_void, |thread, call| {
                let allocate = |owner| memory::allocate(&Routine::begin(thread, call), owner, size, Space::$space);
                device::owner(device).map_or(std::ptr::null_mut(), allocate)
            }
        )+

        $(
            /// Gives back such memory; null is allowed.
            pub fn $free(pointer: *mut c_void, device: c_int), |thread, call| {
                if !pointer.is_null() && let Some(owner) = device::owner(device) {
                    memory::free(&Routine::begin(thread, call), owner, pointer);
                }
            }
        )+
    )*}};
}

allocations! {
    Device: omp_target_alloc llvm_omp_target_alloc_device, omp_target_free llvm_omp_target_free_device;
    Host: llvm_omp_target_alloc_host, llvm_omp_target_free_host;
    Shared: llvm_omp_target_alloc_shared, llvm_omp_target_free_shared;
}

routines! {
    /// `llvm_omp_target_dynamic_shared_alloc`: the memory that `ompx_dyn_cgroup_mem` gives each team of a kernel. Null
    /// where it gives none, and on the host. LLVM had another name until release 15.
    pub fn llvm_omp_target_dynamic_shared_alloc() -> *mut c_void, also: llvm_omp_get_dynamic_shared {
        device::team_memory(current::current()).map_or(std::ptr::null_mut(), |memory| memory.address)
    }
}

// clang-built programs that offload bind to `VERS1.0`, the node of their libomptarget.
versions! {
    omp_target_alloc: "OMP_4.5" "VERS1.0";
    omp_target_free: "OMP_4.5" "VERS1.0";
    omp_target_memcpy: "OMP_4.5" "VERS1.0";
    omp_target_memcpy_rect: "OMP_4.5" "VERS1.0";
    omp_target_memcpy_async: "VERS1.0";
    omp_target_memcpy_rect_async: "VERS1.0";
    omp_target_memset: "GOMP_6.0.1" "VERS1.0";
    omp_target_memset_async: "VERS1.0";
}

crate::arch::directives!(
    ".symver gomp_target_memcpy_async, omp_target_memcpy_async@OMP_5.1.1, remove",
    ".symver gomp_target_memcpy_rect_async, omp_target_memcpy_rect_async@OMP_5.1.1, remove",
    ".symver gomp_target_memset_async, omp_target_memset_async@GOMP_6.0.1, remove",
);
