//! A driver's clock, for the trace of its device.

use crate::device::driver::Driver;
use crate::ompt::trace::{Clock, make};

/// The clock of a driver.
pub(crate) struct OfDriver(pub(crate) &'static dyn Driver);

impl Clock for OfDriver {
    fn time(&self) -> u64 {
        self.0.time()
    }
    fn to_wtime(&self, time: u64) -> f64 {
        self.0.to_wtime(time)
    }
    fn processors(&self) -> i32 {
        self.0.processors()
    }
    fn records_inside(&self) -> bool {
        self.0.abilities().records_inside
    }
}

/// Begins the life of a device for tools: the handle for `device_initialize`.
pub fn open(number: i32, driver: &'static dyn Driver) -> *mut ::ompt::Device {
    make(number, Box::new(OfDriver(driver)))
}
