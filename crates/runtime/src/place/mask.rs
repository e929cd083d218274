//! Affinity masks: the kernel's, of the calling thread, and the objects of the `kmp_*_affinity_mask*` routines, which a
//! program makes, fills and hands over. Their results are those of the runtime that has these routines: 0, -1
//! (impossible), -2 (no such processor for this process), or the system's error number.

use std::cell::Cell;
use std::ffi::c_void;
use std::io;

use super::bind::Bind;
use super::cpus;
use super::in_force;
use super::kmp::Strategy;
use super::machine::machine;

/// The mask of some CPUs as the kernel takes it.
pub fn words(cpus: &[u32]) -> Box<[u64]> {
    let words = cpus.iter().max().map_or(1, |&cpu| cpu as usize / 64 + 1);
    let mut mask = vec![0u64; words].into_boxed_slice();
    for &cpu in cpus {
        mask[cpu as usize / 64] |= 1 << (cpu % 64);
    }
    mask
}

/// Binds the calling thread (sched_setaffinity(2)).
pub fn set_of_caller(mask: &[u64]) -> io::Result<()> {
    // SAFETY: the mask is as long as the call is told, and 0 is the calling thread.
    match unsafe { libc::sched_setaffinity(0, size_of_val(mask), mask.as_ptr().cast()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The CPUs that the calling thread may run on, ascending.
pub fn of_caller() -> Vec<u32> {
    cpus::affinity_mask()
}

/// A mask object: words of 64 CPUs, as many as the machine needs.
#[derive(Default)]
pub struct Mask(pub(crate) Vec<u64>);

impl Mask {
    fn add(&mut self, cpu: u32) {
        let word = cpu as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (cpu % 64);
    }

    fn remove(&mut self, cpu: u32) {
        if let Some(word) = self.0.get_mut(cpu as usize / 64) {
            *word &= !(1 << (cpu % 64));
        }
    }

    fn has(&self, cpu: u32) -> bool {
        self.0.get(cpu as usize / 64).is_some_and(|word| word >> (cpu % 64) & 1 == 1)
    }
}

/// Whether masks can be used: not under `KMP_AFFINITY=disabled`, nor on a made-up machine.
pub(crate) fn capable() -> bool {
    in_force::request().kmp.strategy != Some(Strategy::Disabled) && !machine().made_up
}

/// A new mask without any CPU. Lives until [`destroy`].
pub fn create() -> *mut c_void {
    Box::into_raw(Box::new(Mask(vec![0; machine().numbers.div_ceil(64) as usize]))).cast()
}

/// Ends a mask.
///
/// # Safety
/// `mask` comes from [`create`] and is not used any more; or it is null.
pub unsafe fn destroy(mask: *mut c_void) {
    if !mask.is_null() {
        // SAFETY: the caller upholds it.
        drop(unsafe { Box::from_raw(mask.cast::<Mask>()) });
    }
}

/// One more than the largest processor number; 0 where masks cannot be used.
pub fn numbers() -> i32 {
    if capable() { machine().numbers as i32 } else { 0 }
}

/// The number of a processor that a mask can hold, and whether this process may use it.
fn processor(number: i32) -> Option<(u32, bool)> {
    let cpu = u32::try_from(number).ok().filter(|_| number < numbers())?;
    Some((cpu, machine().cpus.binary_search(&cpu).is_ok()))
}

/// Adds a processor.
pub fn add(mask: &mut Mask, number: i32) -> i32 {
    match processor(number) {
        None => -1,
        Some((_, false)) => -2,
        Some((cpu, true)) => {
            mask.add(cpu);
            0
        }
    }
}

/// Takes a processor out.
pub fn remove(mask: &mut Mask, number: i32) -> i32 {
    match processor(number) {
        None => -1,
        Some((_, false)) => -2,
        Some((cpu, true)) => {
            mask.remove(cpu);
            0
        }
    }
}

/// 1 if the mask holds a processor, 0 if not.
pub fn holds(mask: &Mask, number: i32) -> i32 {
    match processor(number) {
        None => -1,
        Some((cpu, usable)) => i32::from(usable && mask.has(cpu)),
    }
}

/// Binds the calling thread to the processors of a mask. Regions that its current task, whose bind-var is `policy`,
/// forks do not bind their threads any more.
pub fn bind(bound: &Cell<i32>, policy: &mut Bind, mask: &Mask) -> i32 {
    if !capable() {
        return -1;
    }
    super::CONFINED.store(true, crate::model::atomic::Ordering::Relaxed);
    let result = match set_of_caller(&mask.0) {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(-1),
    };
    bound.set(-1);
    *policy = Bind::False;
    result
}

/// Makes a mask the calling thread's.
pub fn copy_of_caller(mask: &mut Mask) -> i32 {
    if !capable() {
        return -1;
    }
    mask.0.fill(0);
    for cpu in of_caller() {
        mask.add(cpu);
    }
    0
}

/// Gives the calling thread the CPUs that the process came with.
pub fn free(bound: &Cell<i32>) -> i32 {
    if !capable() {
        return -1;
    }
    bound.set(-1);
    match set_of_caller(&words(&machine().cpus)) {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects() {
        let mut mask = Mask::default();
        mask.add(130);
        mask.add(3);
        assert!(mask.has(130) && mask.has(3) && !mask.has(4) && !mask.has(100_000));
        mask.remove(130);
        mask.remove(100_000);
        assert!(!mask.has(130));
        assert_eq!(mask.0, [8, 0, 0]);
    }

    #[test]
    fn words_of_masks() {
        assert_eq!(*words(&[]), [0]);
        assert_eq!(*words(&[1, 64]), [2, 1]);
    }
}
