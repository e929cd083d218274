//! OpenACC 2.6 on the host, for programs that use it beside OpenMP or instead. The only device is of type `host` and
//! shares all memory with the program: a compute region is called by the thread that meets it, data are where they
//! were, and queues are always empty.
//!
//! Who has a device of another type gets an error, as from any implementation without one. `profile.rs` has OpenACC's
//! profiling interface.

pub mod construct;
pub mod device;
pub mod profile;

use crate::objects::openacc::AccThread;
use crate::objects::structures::Thread;
use crate::stderr;

impl AccThread {
    /// A new thread uses the descriptor from here on.
    pub fn renew(&self) {
        self.activation.set(0);
        self.regions.set(0);
        self.silent.set(false);
        self.in_callback.set(false);
    }
}

/// Ends the program because of an error that OpenACC has no other answer to.
#[cold]
pub fn end(why: &str) -> ! {
    stderr::write_stderr(&format!("ferromp: OpenACC: {why}; the program ends\n"));
    stderr::terminate()
}

/// Ends the program unless `queue` can be the argument of an `async` clause: a number from 0 on, `acc_async_noval` or
/// `acc_async_sync`.
pub fn check_queue(queue: i32) {
    const SYNCHRONOUS: i32 = -2;
    if queue < SYNCHRONOUS {
        end(&format!("{queue} is no argument for async"));
    }
}

/// Ends the program unless there are such data: some bytes at an address (OpenACC 2.6, 3.2.20, 3.2.21).
pub fn check_data(address: usize, bytes: usize) {
    if address == 0 || bytes == 0 {
        end(&format!("{bytes} bytes at {address:#x} cannot be data of a device"));
    }
}

/// Whether a device has such data (3.2.30): the host has whatever is anywhere.
pub fn is_present(thread: &Thread, address: usize, bytes: usize) -> bool {
    device::attach(thread);
    address != 0 && bytes != 0
}
