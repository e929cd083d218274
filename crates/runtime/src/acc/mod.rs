//! OpenACC 2.6 on the host, for programs that use it beside OpenMP or instead.
//!
//! The only device is of type `host` and shares all memory with the program. So the encountering thread calls a compute
//! region's code, data constructs have nothing to copy, and queues are always empty. A program that asks for a device
//! of another type gets an error, as from any implementation without such a device.
//!
//! ```text
//! entry points ──> construct.rs ──> device.rs: attaches the thread, counts data regions
//! (abi/goacc)             └───────> profile.rs: calls the callbacks of profiling libraries
//! ```

pub mod construct;
pub mod device;
mod device_type;
mod error;
pub mod profile;

pub use device::is_present;
pub use error::{check_data, check_queue, end};

use crate::objects::openacc::AccThread;

impl AccThread {
    /// Resets the OpenACC state of a descriptor for its next thread.
    pub fn renew(&self) {
        self.activation.set(0);
        self.regions.set(0);
        self.silent.set(false);
        self.telling.set(false);
    }
}
