//! Affinity masks as the kernel takes and gives them (sched_setaffinity(2)), and places, which are masks to bind to.

use crate::model::atomic::{AtomicBool, Ordering};
use std::io;
use std::sync::OnceLock;

/// Whether any thread has been bound. New threads begin with their creators' masks. Once a thread has been bound, each
/// new worker therefore needs the process's mask.
pub(super) static CONFINED: AtomicBool = AtomicBool::new(false);

/// A set of CPUs to which a thread can be bound.
#[derive(Debug)]
pub struct Place {
    /// In ascending order, without repetitions, never empty.
    pub cpus: Vec<u32>,
    /// The same CPUs as a bit mask for the kernel.
    pub(super) mask: Box<[u64]>,
}

impl Place {
    /// A place of these CPUs, which are in ascending order.
    pub(crate) fn new(cpus: Vec<u32>) -> Place {
        let mask = words(&cpus);
        Place { cpus, mask }
    }
}

/// The mask of some CPUs as the kernel takes it.
pub fn words(cpus: &[u32]) -> Box<[u64]> {
    let words = cpus.iter().max().map_or(1, |&cpu| cpu as usize / 64 + 1);
    let mut mask = vec![0u64; words].into_boxed_slice();
    for &cpu in cpus {
        mask[cpu as usize / 64] |= 1 << (cpu % 64);
    }
    mask
}

/// Binds the calling thread, and notes that threads are bound.
pub fn confine_caller(mask: &[u64]) -> io::Result<()> {
    CONFINED.store(true, Ordering::Relaxed);
    set_of_caller(mask)
}

/// Gives the calling thread a mask.
pub fn set_of_caller(mask: &[u64]) -> io::Result<()> {
    // SAFETY: the call reads as many bytes of the mask as it has. 0 is the calling thread.
    match unsafe { libc::sched_setaffinity(0, size_of_val(mask), mask.as_ptr().cast()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The CPUs that the calling thread may run on, ascending; CPU 0 where the kernel gives none.
pub fn of_caller() -> Vec<u32> {
    // The kernel refuses a mask that is shorter than its own. No kernel supports 2^16 CPUs.
    for length in [16, 64, 256, 1024] {
        let mut words = vec![0u64; length];
        // SAFETY: the call writes at most as many bytes as the buffer has. 0 is the calling thread.
        if unsafe { libc::sched_getaffinity(0, length * 8, words.as_mut_ptr().cast()) } == 0 {
            return cpus_in(&words);
        }
    }
    vec![0]
}

/// The CPUs of a mask, ascending. Words without a CPU cost one look: most of a mask's words are empty.
fn cpus_in(mask: &[u64]) -> Vec<u32> {
    let mut cpus = Vec::with_capacity(mask.iter().map(|word| word.count_ones() as usize).sum());
    for (first, &word) in (0u32..).step_by(64).zip(mask) {
        let mut left = word;
        while left != 0 {
            cpus.push(first + left.trailing_zeros());
            left &= left - 1;
        }
    }
    cpus
}

/// The CPUs of the process's affinity mask, ascending. The first call reads the mask, and should come before this
/// library binds any thread.
pub fn of_process() -> &'static [u32] {
    static MASK: OnceLock<Vec<u32>> = OnceLock::new();
    MASK.get_or_init(of_caller)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        let place = Place::new(vec![0, 63, 64, 130]);
        assert_eq!(*place.mask, [1 << 63 | 1, 1, 4]);
        assert_eq!(*words(&[]), [0]);
        assert_eq!(*words(&[1, 64]), [2, 1]);
    }

    #[test]
    fn a_bound_thread_runs_where_it_should() {
        let cpu = *of_process().last().unwrap();
        let bound = std::thread::spawn(move || {
            confine_caller(&Place::new(vec![cpu]).mask).unwrap();
            // SAFETY: the call has no preconditions.
            unsafe { libc::sched_getcpu() }
        });
        assert_eq!(bound.join().unwrap(), cpu as i32);
    }
}
