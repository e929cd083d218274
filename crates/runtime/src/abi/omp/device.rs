//! Routines about devices (OpenMP 5.1 §3.7).

use crate::device_numbers;
use crate::objects::current;
use crate::process::up;
use std::ffi::c_int;

use crate::abi::routines;
use crate::{device, icv, place};

routines! {
    /// The processors that the process may use: its affinity mask and cgroup quota (§3.7.1).
    "OMP_1.0" pub fn omp_get_num_procs() -> c_int, fortran: omp_get_num_procs_ {
        up::prepare_to_answer();
        place::num_procs()
    }

    /// default-device-var (§3.7.3).
    "OMP_4.0" pub fn omp_get_default_device() -> c_int, fortran: omp_get_default_device_ {
        device::default(current::current())
    }

    /// Devices besides the host (§3.7.4).
    "OMP_4.0" "VERS1.0" pub fn omp_get_num_devices() -> c_int, fortran: omp_get_num_devices_ {
        current::current();
        device::count()
    }

    /// The number of the device that the caller runs on (§3.7.5).
    "OMP_5.0.2" "VERS1.0" pub fn omp_get_device_num() -> c_int, fortran: omp_get_device_num_ {
        match current::current().device() {
            crate::objects::thread::HOST => device::host(),
            number => number,
        }
    }

    /// 1 where the caller runs on the host (§3.7.6).
    "OMP_4.0" pub fn omp_is_initial_device() -> c_int, fortran: omp_is_initial_device_ {
        current::asked().is_none_or(|thread| thread.device() == crate::objects::thread::HOST).into()
    }

    /// The host's device number: the one that follows the devices' (§3.7.7).
    "OMP_4.5" "VERS1.0" pub fn omp_get_initial_device() -> c_int, fortran: omp_get_initial_device_ {
        current::current();
        device::host()
    }

    /// Sets default-device-var, which may be `omp_initial_device` or `omp_invalid_device` by gcc's number or LLVM's
    /// (OpenMP 5.2, section 18.7.2). `omp_default_device` leaves it as it is; another negative number counts as 0
    /// (§3.7.2).
    "OMP_4.0" pub fn omp_set_default_device(device: c_int), fortran: omp_set_default_device_ omp_set_default_device_8_ {
        let number = match device {
            device_numbers::DEFAULT => return,
            device_numbers::INITIAL => device_numbers::INITIAL,
            device_numbers::INVALID | device_numbers::INVALID_FOR_GOOD => device_numbers::INVALID_FOR_GOOD,
            number => number.max(0),
        };
        current::current().icvs_mut().default_device = number;
    }

    /// `__kmpc_get_target_offload`: target-offload-var, 0 disabled, 1 default, 2 mandatory.
    pub fn __kmpc_get_target_offload() -> c_int {
        current::current();
        icv::settings().target_offload as c_int
    }
}
