//! Errors in the use of OpenACC, which end the program (OpenACC 2.6, 3.2).

use crate::stderr;

/// Ends the program after an error for which OpenACC has no other answer.
#[cold]
pub fn end(why: &str) -> ! {
    stderr::terminate(&format!("ferromp: OpenACC: {why}; the program ends\n"))
}

/// Ends the program unless `queue` can be the argument of an `async` clause: a number from 0 on, `acc_async_noval` or
/// `acc_async_sync`.
pub fn check_queue(queue: i32) {
    const SYNCHRONOUS: i32 = -2;
    if queue < SYNCHRONOUS {
        end(&format!("{queue} is no argument for async"));
    }
}

/// Ends the program unless there can be such data: at least one byte, not at the null address (3.2.20, 3.2.21).
pub fn check_data(address: usize, bytes: usize) {
    if address == 0 || bytes == 0 {
        end(&format!("{bytes} bytes at {address:#x} cannot be data of a device"));
    }
}
