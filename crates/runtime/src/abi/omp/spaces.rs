//! Routines that retrieve memory spaces and allocators for certain devices, and that look into spaces (OpenMP 6.0,
//! chapter 27), in C and in Fortran's spelling, where every argument comes by reference.

use crate::objects::current;
use std::ffi::c_int;

use crate::allocators::spaces::NONE;
use crate::mem::spaces;
use crate::mem::spaces::Devices;

/// # Safety
/// `list` points to as many numbers.
unsafe fn devices<'a>(count: c_int, list: *const c_int) -> Option<Devices<'a>> {
    match usize::try_from(count).ok()? {
        0 => Some(Devices::All),
        _ if list.is_null() => None,
        // SAFETY: by the caller.
        count => Some(Devices::These(unsafe { std::slice::from_raw_parts(list, count) })),
    }
}

/// A memory space for devices, of which a list of none means all; see [`spaces::accessible`].
///
/// # Safety
/// `list` points to as many numbers.
unsafe fn space(count: c_int, list: *const c_int, and_host: bool, memspace: usize) -> usize {
    current::current();
    // SAFETY: by the caller.
    unsafe { devices(count, list) }.map_or(NONE, |devices| spaces::accessible(&devices, and_host, memspace))
}

/// Defines the routines that retrieve a space and those that retrieve an allocator of it, for a list of devices, for
/// one, and both with the host.
macro_rules! retrieving {
    ($($what:literal, $and_host:literal: $many_space:ident $many_space_:ident $one_space:ident $one_space_:ident
       $many_alloc:ident $many_alloc_:ident $one_alloc:ident $one_alloc_:ident;)*) => {$(
        #[doc = concat!("The part of a memory space that ", $what, " can use; 0 for none.")]
        ///
        /// # Safety
        /// `devices` points to as many numbers of devices.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $many_space(count: c_int, devices: *const c_int, memspace: usize) -> usize {
            // SAFETY: by the caller.
            unsafe { space(count, devices, $and_host, memspace) }
        }

        #[doc = concat!("[`", stringify!($many_space), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// As there; the others point to integers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $many_space_(count: *const c_int, devices: *const c_int, memspace: *const usize)
            -> usize {
            // SAFETY: by the caller.
            unsafe { $many_space(*count, devices, *memspace) }
        }

        #[doc = concat!("[`", stringify!($many_space), "`] for one device.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $one_space(device: c_int, memspace: usize) -> usize {
            // SAFETY: one number.
            unsafe { space(1, &device, $and_host, memspace) }
        }

        #[doc = concat!("[`", stringify!($one_space), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// The arguments point to integers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $one_space_(device: *const c_int, memspace: *const usize) -> usize {
            // SAFETY: by the caller.
            unsafe { $one_space(*device, *memspace) }
        }

        #[doc = concat!("The allocator of [`", stringify!($many_space), "`]; 0 for none.")]
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $many_alloc(count: c_int, devices: *const c_int, memspace: usize) -> usize {
            // SAFETY: by the caller.
            spaces::allocator(unsafe { space(count, devices, $and_host, memspace) }) as usize
        }

        #[doc = concat!("[`", stringify!($many_alloc), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// As there; the others point to integers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $many_alloc_(count: *const c_int, devices: *const c_int, memspace: *const usize)
            -> usize {
            // SAFETY: by the caller.
            unsafe { $many_alloc(*count, devices, *memspace) }
        }

        #[doc = concat!("[`", stringify!($many_alloc), "`] for one device.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $one_alloc(device: c_int, memspace: usize) -> usize {
            spaces::allocator($one_space(device, memspace)) as usize
        }

        #[doc = concat!("[`", stringify!($one_alloc), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// The arguments point to integers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $one_alloc_(device: *const c_int, memspace: *const usize) -> usize {
            // SAFETY: by the caller.
            unsafe { $one_alloc(*device, *memspace) }
        }
    )*};
}

retrieving! {
    "all of these devices", false:
        omp_get_devices_memspace omp_get_devices_memspace_ omp_get_device_memspace omp_get_device_memspace_
        omp_get_devices_allocator omp_get_devices_allocator_ omp_get_device_allocator omp_get_device_allocator_;
    "all of these devices and the host", true:
        omp_get_devices_and_host_memspace omp_get_devices_and_host_memspace_
        omp_get_device_and_host_memspace omp_get_device_and_host_memspace_
        omp_get_devices_and_host_allocator omp_get_devices_and_host_allocator_
        omp_get_device_and_host_allocator omp_get_device_and_host_allocator_;
}

/// The part of a memory space that every device and the host can use; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_devices_all_memspace(memspace: usize) -> usize {
    current::current();
    spaces::accessible(&Devices::All, true, memspace)
}

/// [`omp_get_devices_all_memspace`] as Fortran calls it.
///
/// # Safety
/// The argument points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_devices_all_memspace_(memspace: *const usize) -> usize {
    // SAFETY: by the caller.
    omp_get_devices_all_memspace(unsafe { *memspace })
}

/// The allocator of [`omp_get_devices_all_memspace`]; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_devices_all_allocator(memspace: usize) -> usize {
    spaces::allocator(omp_get_devices_all_memspace(memspace)) as usize
}

/// [`omp_get_devices_all_allocator`] as Fortran calls it.
///
/// # Safety
/// The argument points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_devices_all_allocator_(memspace: *const usize) -> usize {
    // SAFETY: by the caller.
    omp_get_devices_all_allocator(unsafe { *memspace })
}

/// How many storage resources a memory space has; 0 for `omp_null_mem_space` and for what is no space.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_memspace_num_resources(memspace: usize) -> c_int {
    current::current();
    spaces::count_resources(memspace)
}

/// [`omp_get_memspace_num_resources`] as Fortran calls it.
///
/// # Safety
/// The argument points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_memspace_num_resources_(memspace: *const usize) -> c_int {
    // SAFETY: by the caller.
    omp_get_memspace_num_resources(unsafe { *memspace })
}

/// The memory space of those resources of another which `resources` lists by number, from 0 on; 0 where there is none
/// such.
///
/// # Safety
/// `resources` points to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_submemspace(memspace: usize, count: c_int, resources: *const c_int) -> usize {
    current::current();
    match usize::try_from(count) {
        Ok(count) if !resources.is_null() => {
            // SAFETY: by the caller.
            spaces::part(memspace, unsafe { std::slice::from_raw_parts(resources, count) })
        }
        _ => NONE,
    }
}

/// [`omp_get_submemspace`] as Fortran calls it.
///
/// # Safety
/// As there; the others point to integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_submemspace_(
    memspace: *const usize,
    count: *const c_int,
    resources: *const c_int,
) -> usize {
    // SAFETY: by the caller.
    unsafe { omp_get_submemspace(*memspace, *count, resources) }
}
