//! What the runtime passes to a tool at its start.

use crate::entry_points::Runtime;
use std::ffi::c_int;

/// What a tool learns when it is initialised.
#[derive(Debug)]
pub struct Init<T> {
    pub(crate) runtime: Runtime<T>,
    pub(crate) omp_version: u32,
    pub(crate) runtime_version: String,
    pub(crate) initial_device_num: c_int,
}

impl<T> Init<T> {
    /// The runtime's entry points; copy them into the tool if methods need them.
    pub fn runtime(&self) -> Runtime<T> {
        self.runtime
    }

    /// The value of `_OPENMP` that the runtime implements, such as 202011 for 5.1.
    pub fn omp_version(&self) -> u32 {
        self.omp_version
    }

    /// The runtime's own words on what it is.
    pub fn runtime_version(&self) -> &str {
        &self.runtime_version
    }

    /// The device number of the host.
    pub fn initial_device_num(&self) -> c_int {
        self.initial_device_num
    }
}
