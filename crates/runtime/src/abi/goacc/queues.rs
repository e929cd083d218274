//! Routines about queues (OpenACC 2.6, 3.2.9–14). The host's queues are always empty: every test says so, and no wait
//! takes time.

use crate::abi::routines;
use crate::acc::{check_queue, device};
use crate::objects::current;
use std::ffi::c_int;

/// Gives the thread a device, and ends the program where a number cannot be that of a queue.
fn with(queues: &[c_int]) {
    device::attach(current::current());
    queues.iter().copied().for_each(check_queue);
}

routines! {
    /// 1 where nothing is under way in the queue (3.2.9).
    pub fn acc_async_test(queue: c_int) -> c_int, fortran: acc_async_test_h_ {
        with(&[queue]);
        1
    }

    /// 1 where nothing is under way in any queue (3.2.10).
    pub fn acc_async_test_all() -> c_int, fortran: acc_async_test_all_h_ {
        with(&[]);
        1
    }

    /// Waits for a queue (3.2.11). OpenACC 1.0 had another name.
    pub fn acc_wait(queue: c_int), also: acc_async_wait, fortran: acc_wait_h_ {
        with(&[queue]);
    }

    /// Operations that are queued from now on wait for another queue (3.2.12).
    pub fn acc_wait_async(queue: c_int, other: c_int), fortran: acc_wait_async_h_ {
        with(&[queue, other]);
    }

    /// Waits for all queues (3.2.13). OpenACC 1.0 had another name.
    pub fn acc_wait_all(), also: acc_async_wait_all, fortran: acc_wait_all_h_ {
        with(&[]);
    }

    /// Operations that are queued from now on wait for all other queues (3.2.14).
    pub fn acc_wait_all_async(queue: c_int), fortran: acc_wait_all_async_h_ {
        with(&[queue]);
    }
}
