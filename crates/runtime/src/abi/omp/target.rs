//! Device memory routines (OpenMP 5.1 §3.8) where the only device is the host. Fortran binds to the C names.
//!
//! `omp_depend_t` is one thing in gcc's `omp.h` and another in clang's, so the asynchronous routines exist twice: gcc's under the
//! version that gcc-built programs ask for, clang's as the default.

use std::ffi::{c_int, c_void};

use super::versions;
use crate::abi::{Call, gomp, kmpc, wide_door};
use crate::device::{self, Copy, Fill, MAX_DIMENSIONS, Operation, Rectangle, Synchronisation};
use crate::task::Dependence;
use crate::thread;

/// What a routine answers that could not do what it was asked for.
const INVALID: c_int = libc::EINVAL;

/// Memory on a device (§3.8.1); null where there is none, or no such device.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_alloc(size: usize, device: c_int) -> *mut c_void {
    thread::current();
    if device::is_known(device) { device::allocate(size) } else { std::ptr::null_mut() }
}

/// Gives back memory from [`omp_target_alloc`] (§3.8.2); null is allowed.
///
/// # Safety
/// The memory came from `omp_target_alloc` for the same device and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_free(memory: *mut c_void, device: c_int) {
    thread::current();
    if !memory.is_null() && device::is_known(device) {
        // SAFETY: the caller upholds it.
        unsafe { device::free(memory) };
    }
}

/// 1 where a pointer refers to storage in the device's data environment (§3.8.3): on the host all is.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_present(_pointer: *const c_void, device: c_int) -> c_int {
    thread::current();
    device::is_known(device).into()
}

/// 1 where the device can access the storage (§3.8.4): the host can.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_accessible(_pointer: *const c_void, _size: usize, device: c_int) -> c_int {
    thread::current();
    device::is_known(device).into()
}

/// The device's pointer that belongs to a host pointer (§3.8.11): on the host the pointer itself. Null for no such device.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
    thread::current();
    if device::is_known(device) { pointer.cast_mut() } else { std::ptr::null_mut() }
}

/// Associates a device pointer with a host pointer (§3.8.9). Not 0: the host's pointers are their own, and there is no other device.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_associate_ptr(
    _host: *const c_void,
    _pointer: *const c_void,
    _size: usize,
    _offset: usize,
    device: c_int,
) -> c_int {
    thread::current();
    device::is_known(device);
    INVALID
}

/// Ends an association (§3.8.10). Not 0, as there is none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_disassociate_ptr(_pointer: *const c_void, device: c_int) -> c_int {
    thread::current();
    device::is_known(device);
    INVALID
}

/// Copies memory between devices (§3.8.5). 0 when that is done; otherwise nothing was copied.
///
/// # Safety
/// Both memories have as many bytes behind their offsets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    thread::current();
    // SAFETY: the caller upholds it.
    perform(copy((to, from), bytes, (to_offset, from_offset), (to_device, from_device)), |copy| unsafe { copy.perform() })
}

/// Copies a part of a multidimensional array to a part of another (§3.8.6). 0 when that is done; otherwise nothing was copied. With
/// neither array the answer is how many dimensions there may be.
///
/// # Safety
/// Each list has as many elements as there are dimensions, and the parts lie in their arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy_rect(
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
) -> c_int {
    thread::current();
    if to.is_null() && from.is_null() {
        return MAX_DIMENSIONS;
    }
    let lists = [volume, to_offsets, from_offsets, to_dimensions, from_dimensions];
    // SAFETY: the caller upholds it.
    unsafe {
        let rectangle = rectangle((to, from), element, dimensions, lists, (to_device, from_device));
        perform(rectangle, |rectangle| rectangle.perform())
    }
}

/// Fills memory of a device with a byte; the answer is the memory. (OpenMP 6.0 and clang's `omp.h` have it.)
///
/// # Safety
/// The memory has as many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memset(memory: *mut c_void, value: c_int, bytes: usize, device: c_int) -> *mut c_void {
    thread::current();
    if !memory.is_null() && device::is_known(device) {
        // SAFETY: the caller upholds it.
        unsafe { Fill { to: memory.cast(), value: value as u8, bytes }.perform() };
    }
    memory
}

fn copy(
    (to, from): (*mut c_void, *const c_void),
    bytes: usize,
    (to_offset, from_offset): (usize, usize),
    devices: (c_int, c_int),
) -> Option<Copy> {
    let copy = Copy { to: to.cast::<u8>().wrapping_add(to_offset), from: from.cast::<u8>().wrapping_add(from_offset), bytes };
    (are_known(devices) && (bytes == 0 || !to.is_null() && !from.is_null())).then_some(copy)
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
    let count = usize::try_from(dimensions).ok().filter(|&count| count > 0)?;
    if !are_known(devices) || to.is_null() || from.is_null() || element == 0 || lists.iter().any(|list| list.is_null()) {
        return None;
    }
    // SAFETY: the caller's.
    let [volume, to_offsets, from_offsets, to_dimensions, from_dimensions] =
        lists.map(|list| unsafe { std::slice::from_raw_parts(list, count) });
    let memory = (to.cast(), from.cast());
    Rectangle::new(memory, element, volume, (to_offsets, from_offsets), (to_dimensions, from_dimensions))
}

fn are_known((to, from): (c_int, c_int)) -> bool {
    // Both are looked at: each may have something to say.
    device::is_known(to) & device::is_known(from)
}

/// 0 where there is an operation, which is done then.
fn perform<T>(operation: Option<T>, how: impl FnOnce(T)) -> c_int {
    operation.map_or(INVALID, |operation| {
        how(operation);
        0
    })
}

/// # Safety
/// As for the operation, until it is done.
unsafe fn perform_in_task<T: Operation>(operation: Option<T>, dependences: &[Dependence], call: Call) -> c_int {
    let order = Synchronisation { dependences, nowait: true };
    // SAFETY: the caller's.
    perform(operation, |operation| unsafe { operation.perform_in_task(thread::current(), order, call) })
}

/// The asynchronous routines for one kind of dependence object.
macro_rules! asynchronous {
    ($copy:ident $rectangle:ident $objects:path) => {
        wide_door! {
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
        }
    };
}

asynchronous! { omp_target_memcpy_async omp_target_memcpy_rect_async kmpc::task::objects }
asynchronous! { gomp_target_memcpy_async gomp_target_memcpy_rect_async gomp::task::objects }

wide_door! {
    /// As [`omp_target_memset`], in a target task with these dependences.
    pub fn omp_target_memset_async(
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device: c_int,
        count: c_int,
        objects: *const c_void,
    ) -> *mut c_void, |call| {
        let known = !memory.is_null() && device::is_known(device);
        let fill = known.then(|| Fill { to: memory.cast(), value: value as u8, bytes });
        perform_in_task(fill, &kmpc::task::objects(count, objects.cast()), call);
        memory
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
    omp_target_memset: "VERS1.0";
    omp_target_memset_async: "VERS1.0";
}

std::arch::global_asm!(
    ".symver gomp_target_memcpy_async, omp_target_memcpy_async@OMP_5.1.1, remove",
    ".symver gomp_target_memcpy_rect_async, omp_target_memcpy_rect_async@OMP_5.1.1, remove",
    options(att_syntax),
);
