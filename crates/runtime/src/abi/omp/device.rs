//! Routines about devices (OpenMP 5.1 §3.7).

use crate::device_numbers;
use crate::objects::current;
use crate::process::up;
use std::ffi::c_int;

use super::{integer_routines, queries};
use crate::{device, place};

queries! {
    /// The processors that the process may use: its affinity mask and cgroup quota (§3.7.1).
    "OMP_1.0" fn omp_get_num_procs, omp_get_num_procs_ -> c_int {
        up::prepare_to_answer();
        place::num_procs()
    }

    /// default-device-var (§3.7.3).
    "OMP_4.0" fn omp_get_default_device, omp_get_default_device_ -> c_int { device::default(current::current()) }

    /// Devices besides the host (§3.7.4).
    "OMP_4.0" "VERS1.0" fn omp_get_num_devices, omp_get_num_devices_ -> c_int { { current::current(); device::count() } }

    /// The number of the device that the caller runs on (§3.7.5).
    "OMP_5.0.2" "VERS1.0" fn omp_get_device_num, omp_get_device_num_ -> c_int {
        match current::current().device() {
            crate::objects::thread::HOST => device::host(),
            number => number,
        }
    }

    /// 1 where the caller runs on the host (§3.7.6).
    "OMP_4.0" fn omp_is_initial_device, omp_is_initial_device_ -> c_int {
        current::for_query().is_none_or(|thread| thread.device() == crate::objects::thread::HOST).into()
    }

    /// The host's device number: the one that follows the devices' (§3.7.7).
    "OMP_4.5" "VERS1.0" fn omp_get_initial_device, omp_get_initial_device_ -> c_int { { current::current(); device::host() } }
}

integer_routines! {
    /// Sets default-device-var, which may be `omp_initial_device` or `omp_invalid_device` by gcc's number or LLVM's
    /// (OpenMP 5.2, section 18.7.2). `omp_default_device` leaves it as it is; another negative number counts as 0
    /// (§3.7.2).
    "OMP_4.0" fn omp_set_default_device, omp_set_default_device_, omp_set_default_device_8_(device) -> () {
        let number = match device {
            device_numbers::DEFAULT => return,
            device_numbers::INITIAL => device_numbers::INITIAL,
            device_numbers::INVALID | device_numbers::INVALID_FOR_GOOD => device_numbers::INVALID_FOR_GOOD,
            number => number.max(0),
        };
        current::current().icvs_mut().default_device = number;
    }
}
