//! Entry points about processors and places (OpenMP 5.1 §4.6.1.6–11).

use super::common::this_thread;
use super::tasks;
use crate::objects::structures::Thread;
use crate::place;
use crate::tool::state;
use std::ffi::c_int;

/// Computes the processors and the place list. Called before a tool can call an entry point from a signal handler: the
/// entry points only look up.
pub fn prepare() {
    place::num_procs();
    place::places();
}

/// Processors of the host (§4.6.1.6).
pub(super) unsafe extern "C" fn get_num_procs() -> c_int {
    place::num_procs()
}

/// Places (§4.6.1.7).
pub(super) unsafe extern "C" fn get_num_places() -> c_int {
    place::places().len() as c_int
}

/// Writes the processors of a place, as many as there is room for (§4.6.1.8). Returns how many there are; 0 for a place
/// that does not exist.
pub(super) unsafe extern "C" fn get_place_proc_ids(place: c_int, size: c_int, ids: *mut c_int) -> c_int {
    let Some(place) = usize::try_from(place).ok().and_then(|index| place::places().get(index)) else {
        return 0;
    };
    let cpus = place.cpus.iter().map(|&cpu| cpu as c_int);
    // SAFETY: the tool passes an array of `size` numbers.
    unsafe { fill(ids, size, cpus) };
    place.cpus.len() as c_int
}

/// The thread's place (§4.6.1.9); -1 for a thread that is not bound.
pub(super) unsafe extern "C" fn get_place_num() -> c_int {
    this_thread().map_or(-1, Thread::place)
}

/// Writes the places of the innermost implicit task's partition, as many as there is room for (§4.6.1.10). Returns how
/// many there are; 0 for a thread that executes no task. In a tool's initialiser, the partition is that of the initial
/// task, which is about to begin.
pub(super) unsafe extern "C" fn get_partition_place_nums(size: c_int, nums: *mut c_int) -> c_int {
    let task_of = |thread: &'static Thread| {
        if state::is_activating(thread) { Some(&thread.member().implicit) } else { tasks::innermost_implicit(thread) }
    };
    let Some(implicit) = this_thread().and_then(task_of) else { return 0 };
    // SAFETY: the calling thread executes the task, and a task's partition does not change while it is the current one.
    let partition = unsafe { (*implicit.icvs.get()).partition };
    // SAFETY: the tool passes an array of `size` numbers.
    unsafe { fill(nums, size, (0..partition.count).map(|index| (partition.first + index) as c_int)) };
    partition.count as c_int
}

/// # Safety
/// `array` is null or has room for `size` numbers.
unsafe fn fill(array: *mut c_int, size: c_int, numbers: impl Iterator<Item = c_int>) {
    let room = if array.is_null() { 0 } else { usize::try_from(size).unwrap_or(0) };
    for (index, number) in numbers.take(room).enumerate() {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { *array.add(index) = number };
    }
}

/// The processor that the thread runs on (§4.6.1.11); -1 for a thread that is none of OpenMP's.
pub(super) unsafe extern "C" fn get_proc_id() -> c_int {
    // SAFETY: takes no arguments.
    this_thread().map_or(-1, |_| unsafe { libc::sched_getcpu() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_written_than_there_is_room_for() {
        for (size, wanted) in [(3, [7, 8, 9, -1]), (4, [7, 8, 9, -1]), (2, [7, 8, -1, -1]), (0, [-1; 4]), (-2, [-1; 4])]
        {
            let mut array = [-1; 4];
            // SAFETY: the array has room for as many.
            unsafe { fill(array.as_mut_ptr(), size, 7..10) };
            assert_eq!(array, wanted, "room for {size}");
        }
        // SAFETY: nothing is written to no array.
        unsafe { fill(std::ptr::null_mut(), 5, 7..10) };
    }
}
