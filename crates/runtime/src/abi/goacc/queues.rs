//! Routines about queues (OpenACC 2.6, 3.2.9–14). The host's are always empty, so that every test says so and no wait
//! takes time.

use super::fortran::routines;
use crate::acc::{check_queue, device};
use crate::objects::current;
use std::ffi::c_int;

/// Sees that the thread has a device, and that these may be its queues.
fn with(queues: &[c_int]) {
    device::attach(current::current());
    queues.iter().copied().for_each(check_queue);
}

routines! {
    /// 1 where nothing is under way in the queue (3.2.9).
    fn acc_async_test, acc_async_test_h_(queue: c_int) -> c_int {
        with(&[queue]);
        1
    }

    /// 1 where nothing is under way in any queue (3.2.10).
    fn acc_async_test_all, acc_async_test_all_h_() -> c_int {
        with(&[]);
        1
    }

    /// Waits for a queue (3.2.11).
    fn acc_wait, acc_wait_h_(queue: c_int) -> () {
        with(&[queue]);
    }

    /// What comes to a queue from here on waits for another (3.2.12).
    fn acc_wait_async, acc_wait_async_h_(queue: c_int, other: c_int) -> () {
        with(&[queue, other]);
    }

    /// Waits for all queues (3.2.13).
    fn acc_wait_all, acc_wait_all_h_() -> () {
        with(&[]);
    }

    /// What comes to a queue from here on waits for all others (3.2.14).
    fn acc_wait_all_async, acc_wait_all_async_h_(queue: c_int) -> () {
        with(&[queue]);
    }
}

/// [`acc_wait`], as OpenACC 1.0 called it.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait(queue: c_int) {
    acc_wait(queue);
}

/// [`acc_wait_all`], as OpenACC 1.0 called it.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait_all() {
    acc_wait_all();
}
