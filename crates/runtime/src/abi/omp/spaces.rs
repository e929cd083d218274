//! Routines that retrieve memory spaces and allocators for certain devices, and that look into spaces (OpenMP 6.0,
//! chapter 27), in C and in Fortran's spelling, where every argument comes by reference.

use crate::objects::current;
use std::ffi::c_int;

use crate::abi::{list, routines};
use crate::allocators::spaces::NONE;
use crate::mem::spaces::{self, Devices};

/// A memory space for devices, of which a list of none means all; see [`spaces::accessible`].
///
/// # Safety
/// `devices` points to as many numbers.
unsafe fn space(count: c_int, devices: *const c_int, and_host: bool, memspace: usize) -> usize {
    current::current();
    let devices = match count {
        0 => Devices::All,
        _ if count < 0 || devices.is_null() => return NONE,
        // SAFETY: the caller keeps to the `# Safety` section.
        count => Devices::These(unsafe { list(count, devices) }),
    };
    spaces::accessible(&devices, and_host, memspace)
}

routines! {
    /// The part of a memory space that all of these devices can use; 0 for none.
    ///
    /// # Safety
    /// `devices` points to as many numbers of devices.
    pub fn omp_get_devices_memspace(count: c_int, devices: *const c_int, memspace: usize) -> usize,
        fortran: omp_get_devices_memspace_ {
        space(count, devices, false, memspace)
    }

    /// [`omp_get_devices_memspace`] for one device.
    pub fn omp_get_device_memspace(device: c_int, memspace: usize) -> usize, fortran: omp_get_device_memspace_ {
        space(1, &device, false, memspace)
    }

    /// The allocator of [`omp_get_devices_memspace`]; 0 for none.
    ///
    /// # Safety
    /// `devices` points to as many numbers of devices.
    pub fn omp_get_devices_allocator(count: c_int, devices: *const c_int, memspace: usize) -> usize,
        fortran: omp_get_devices_allocator_ {
        spaces::allocator(omp_get_devices_memspace(count, devices, memspace)) as usize
    }

    /// [`omp_get_devices_allocator`] for one device.
    pub fn omp_get_device_allocator(device: c_int, memspace: usize) -> usize, fortran: omp_get_device_allocator_ {
        spaces::allocator(omp_get_device_memspace(device, memspace)) as usize
    }

    /// The part of a memory space that all of these devices and the host can use; 0 for none.
    ///
    /// # Safety
    /// `devices` points to as many numbers of devices.
    pub fn omp_get_devices_and_host_memspace(count: c_int, devices: *const c_int, memspace: usize) -> usize,
        fortran: omp_get_devices_and_host_memspace_ {
        space(count, devices, true, memspace)
    }

    /// [`omp_get_devices_and_host_memspace`] for one device.
    pub fn omp_get_device_and_host_memspace(device: c_int, memspace: usize) -> usize,
        fortran: omp_get_device_and_host_memspace_ {
        space(1, &device, true, memspace)
    }

    /// The allocator of [`omp_get_devices_and_host_memspace`]; 0 for none.
    ///
    /// # Safety
    /// `devices` points to as many numbers of devices.
    pub fn omp_get_devices_and_host_allocator(count: c_int, devices: *const c_int, memspace: usize) -> usize,
        fortran: omp_get_devices_and_host_allocator_ {
        spaces::allocator(omp_get_devices_and_host_memspace(count, devices, memspace)) as usize
    }

    /// [`omp_get_devices_and_host_allocator`] for one device.
    pub fn omp_get_device_and_host_allocator(device: c_int, memspace: usize) -> usize,
        fortran: omp_get_device_and_host_allocator_ {
        spaces::allocator(omp_get_device_and_host_memspace(device, memspace)) as usize
    }

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
        if count < 0 || resources.is_null() { NONE } else { spaces::part(memspace, list(count, resources)) }
    }
}
