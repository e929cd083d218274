//! Routines that retrieve memory spaces and allocators for certain devices, and that look into spaces (OpenMP 6.0,
//! chapter 27), in C and in Fortran's spelling, where every argument comes by reference.

use crate::objects::current;
use std::ffi::c_int;

use crate::abi::routines;
use crate::allocators::spaces::NONE;
use crate::mem::spaces::{self, Devices};

/// # Safety
/// `list` points to as many numbers.
unsafe fn devices<'a>(count: c_int, list: *const c_int) -> Option<Devices<'a>> {
    match usize::try_from(count).ok()? {
        0 => Some(Devices::All),
        _ if list.is_null() => None,
        // SAFETY: the caller keeps to the `# Safety` section.
        count => Some(Devices::These(unsafe { std::slice::from_raw_parts(list, count) })),
    }
}

/// A memory space for devices, of which a list of none means all; see [`spaces::accessible`].
///
/// # Safety
/// `list` points to as many numbers.
unsafe fn space(count: c_int, list: *const c_int, and_host: bool, memspace: usize) -> usize {
    current::current();
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { devices(count, list) }.map_or(NONE, |devices| spaces::accessible(&devices, and_host, memspace))
}

/// Defines the routines that retrieve a space and those that retrieve an allocator of the space, for a list of devices
/// and for one.
macro_rules! retrieving {
    ($($what:literal, $and_host:literal: $many_space:ident $many_space_:ident $one_space:ident $one_space_:ident
       $many_alloc:ident $many_alloc_:ident $one_alloc:ident $one_alloc_:ident;)*) => {$(routines! {
        #[doc = concat!("The part of a memory space that ", $what, " can use; 0 for none.")]
        ///
        /// # Safety
        /// `devices` points to as many numbers of devices.
        pub fn $many_space(count: c_int, devices: *const c_int, memspace: usize) -> usize, fortran: $many_space_ {
            space(count, devices, $and_host, memspace)
        }

        #[doc = concat!("[`", stringify!($many_space), "`] for one device.")]
        pub fn $one_space(device: c_int, memspace: usize) -> usize, fortran: $one_space_ {
            space(1, &device, $and_host, memspace)
        }

        #[doc = concat!("The allocator of [`", stringify!($many_space), "`]; 0 for none.")]
        ///
        /// # Safety
        /// `devices` points to as many numbers of devices.
        pub fn $many_alloc(count: c_int, devices: *const c_int, memspace: usize) -> usize, fortran: $many_alloc_ {
            spaces::allocator(space(count, devices, $and_host, memspace)) as usize
        }

        #[doc = concat!("[`", stringify!($many_alloc), "`] for one device.")]
        pub fn $one_alloc(device: c_int, memspace: usize) -> usize, fortran: $one_alloc_ {
            spaces::allocator(space(1, &device, $and_host, memspace)) as usize
        }
    })*};
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

routines! {
    /// The part of a memory space that every device and the host can use; 0 for none.
    pub fn omp_get_devices_all_memspace(memspace: usize) -> usize, fortran: omp_get_devices_all_memspace_ {
        space(0, std::ptr::null(), true, memspace)
    }

    /// The allocator of [`omp_get_devices_all_memspace`]; 0 for none.
    pub fn omp_get_devices_all_allocator(memspace: usize) -> usize, fortran: omp_get_devices_all_allocator_ {
        spaces::allocator(omp_get_devices_all_memspace(memspace)) as usize
    }

    /// How many storage resources a memory space has; 0 for `omp_null_mem_space` and for what is no space.
    pub fn omp_get_memspace_num_resources(memspace: usize) -> c_int, fortran: omp_get_memspace_num_resources_ {
        current::current();
        spaces::count_resources(memspace)
    }

    /// The memory space of those resources of another space which `resources` lists by number, from 0 on; 0 where no
    /// such space exists.
    ///
    /// # Safety
    /// `resources` points to `count` numbers.
    pub fn omp_get_submemspace(memspace: usize, count: c_int, resources: *const c_int) -> usize,
        fortran: omp_get_submemspace_ {
        current::current();
        match usize::try_from(count) {
            Ok(count) if !resources.is_null() => {
                spaces::part(memspace, std::slice::from_raw_parts(resources, count))
            }
            _ => NONE,
        }
    }
}
