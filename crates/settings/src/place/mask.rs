//! The affinity masks of the `kmp_*_affinity_mask*` routines: a program makes a mask, fills it and binds threads by it.
//! The results are libomp's: 0, -1 (impossible), -2 (no such processor for this process), or the system's error number.

use std::cell::Cell;
use std::ffi::c_void;
use std::io;

use super::bind::Bind;
use super::in_force;
use super::kernel;
use super::kmp::Strategy;
use super::machine::machine;

/// A mask object: words of 64 CPUs, as many as the machine needs.
#[derive(Default)]
pub struct Mask(Vec<u64>);

impl Mask {
    fn set(&mut self, cpu: u32, on: bool) {
        let (word, bit) = (cpu as usize / 64, 1 << (cpu % 64));
        if on {
            self.0.resize(self.0.len().max(word + 1), 0);
            self.0[word] |= bit;
        } else if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    fn has(&self, cpu: u32) -> bool {
        self.0.get(cpu as usize / 64).is_some_and(|word| word >> (cpu % 64) & 1 == 1)
    }
}

/// Whether masks can be used: not under `KMP_AFFINITY=disabled`, nor on a made-up machine.
fn capable() -> bool {
    in_force::request().kmp.strategy != Some(Strategy::Disabled) && !machine().made_up
}

/// A new mask without any CPU. Lives until [`destroy`].
pub fn create() -> *mut c_void {
    Box::into_raw(Box::new(Mask(vec![0; machine().numbers.div_ceil(64) as usize]))).cast()
}

/// Ends a mask.
///
/// # Safety
/// `mask` comes from [`create`] and is not used any more, or is null.
pub unsafe fn destroy(mask: *mut c_void) {
    if !mask.is_null() {
        // SAFETY: the mask came from a box in `create`, and is not used any more (`# Safety`).
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

/// Adds a processor, or takes it out.
pub fn set(mask: &mut Mask, number: i32, on: bool) -> i32 {
    match processor(number) {
        None => -1,
        Some((_, false)) => -2,
        Some((cpu, true)) => {
            mask.set(cpu, on);
            0
        }
    }
}

/// 1 if the mask holds a processor, 0 if not.
pub fn holds(mask: &Mask, number: i32) -> i32 {
    processor(number).map_or(-1, |(cpu, usable)| i32::from(usable && mask.has(cpu)))
}

/// Binds the calling thread to the processors of a mask. `policy` is bind-var of the thread's current task. It becomes
/// false, so that regions which the task forks bind no threads.
pub fn bind(bound: &Cell<i32>, policy: &mut Bind, mask: &Mask) -> i32 {
    if !capable() {
        return -1;
    }
    bound.set(-1);
    *policy = Bind::False;
    status(kernel::confine_caller(&mask.0))
}

/// Copies the calling thread's mask into `mask`.
pub fn copy_of_caller(mask: &mut Mask) -> i32 {
    if !capable() {
        return -1;
    }
    mask.0.fill(0);
    for cpu in kernel::of_caller() {
        mask.set(cpu, true);
    }
    0
}

/// Gives the calling thread all CPUs that the process may use.
pub fn free(bound: &Cell<i32>) -> i32 {
    if !capable() {
        return -1;
    }
    bound.set(-1);
    status(kernel::set_of_caller(&kernel::words(&machine().cpus)))
}

/// 0, or the system's error number.
fn status(result: io::Result<()>) -> i32 {
    result.map_or_else(|error| error.raw_os_error().unwrap_or(-1), |()| 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects() {
        let mut mask = Mask::default();
        mask.set(130, true);
        mask.set(3, true);
        assert!(mask.has(130) && mask.has(3) && !mask.has(4) && !mask.has(100_000));
        mask.set(130, false);
        mask.set(100_000, false);
        assert!(!mask.has(130));
        assert_eq!(mask.0, [8, 0, 0]);
    }
}
