//! A driver's clock, as the tracing of its device uses it.

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
        self.0.records_inside()
    }
}

/// The device of this number is up: what `device_initialize` is to hand to tools as the device.
pub fn open(number: i32, driver: &'static dyn Driver) -> *mut ::ompt::Device {
    make(number, Box::new(OfDriver(driver)))
}
