//! Binding the calling thread to the processors of a mask (`kmp_set_affinity`).

use crate::objects::structures::Thread;
use crate::place;
pub(crate) use crate::place::bind::Bind;
use crate::place::machine::machine;
use crate::place::mask::{Mask, capable, set_of_caller, words};

/// Binds the calling thread to the processors of a mask. Regions that its current task forks do not bind their threads
/// any more.
pub fn bind(thread: &Thread, mask: &Mask) -> i32 {
    if !capable() {
        return -1;
    }
    place::CONFINED.store(true, std::sync::atomic::Ordering::Relaxed);
    let result = match set_of_caller(&mask.0) {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(-1),
    };
    thread.set_place(-1);
    thread.icvs_mut().bind = Bind::False;
    result
}

/// Gives the calling thread the CPUs that the process came with.
pub fn free(thread: &Thread) -> i32 {
    if !capable() {
        return -1;
    }
    thread.set_place(-1);
    match set_of_caller(&words(&machine().cpus)) {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(-1),
    }
}
