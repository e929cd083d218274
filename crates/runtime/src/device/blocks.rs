//! Blocks of a device's memory. A block that is given back is kept for the next request of its size: fresh memory costs
//! page faults on a host device, and on an NVIDIA device a call that waits for all that is under way.
//!
//! Blocks come in classes, four for each power of two, so a block is at most a quarter larger than the request.

use super::driver::Address;
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;

/// The alignment of blocks, and the size of the smallest.
pub const UNIT: usize = 128;
/// How many classes there are.
const CLASSES: usize = 4 * 56;

/// Where blocks come from.
pub trait Source {
    /// What the source says when it has no memory.
    type Refusal;

    /// A new block of `bytes` bytes, the size of a class.
    fn fresh(&self, bytes: usize) -> Result<Address, Self::Refusal>;

    /// Gives a block back to the system.
    ///
    /// # Safety
    /// The block is from [`fresh`](Self::fresh) with the same size, and no longer used.
    unsafe fn free(&self, block: Address, bytes: usize);
}

/// A class of blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    index: usize,
    /// Bytes of each block.
    pub bytes: usize,
}

impl Class {
    /// The class for requests of `bytes` bytes; `None` if no memory is that large.
    pub fn of(bytes: usize) -> Option<Class> {
        let units = bytes.div_ceil(UNIT).max(1);
        if units <= 4 {
            return Some(Class { index: units - 1, bytes: units * UNIT });
        }
        let top = (units - 1).ilog2() as usize;
        let step = 1 << (top - 2);
        let steps = units.div_ceil(step);
        let index = 4 * (top - 1) + (steps - 5);
        let bytes = steps.checked_mul(step)?.checked_mul(UNIT)?;
        (index < CLASSES).then_some(Class { index, bytes })
    }

    fn at(index: usize) -> Class {
        let bytes = match index {
            0..4 => (index + 1) * UNIT,
            _ => (UNIT * (index % 4 + 5)) << (index / 4 - 1),
        };
        Class { index, bytes }
    }
}

/// The blocks of one device that have been given back.
pub struct Kept {
    classes: [Mutex<Vec<Address>>; CLASSES],
    /// Bytes in all classes.
    bytes: AtomicUsize,
    /// How many bytes are kept at most.
    most: AtomicUsize,
}

impl Kept {
    pub const fn new() -> Self {
        let classes = [const { Mutex::new(Vec::new()) }; CLASSES];
        Kept { classes, bytes: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }

    /// Sets how many bytes are kept at most.
    pub fn set_most(&self, bytes: usize) {
        self.most.store(bytes, Ordering::Relaxed);
    }

    /// How many bytes are kept.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// A block of this class.
    pub fn allocate<S: Source>(&self, source: &S, class: Class) -> Result<Address, S::Refusal> {
        if let Some(block) = self.classes[class.index].with(Vec::pop) {
            self.bytes.fetch_sub(class.bytes, Ordering::Relaxed);
            return Ok(block);
        }
        source.fresh(class.bytes).or_else(|_| {
            self.release(source);
            source.fresh(class.bytes)
        })
    }

    /// Takes a block back. When more than the bound would be kept, the older blocks go: a size that is freed now is the
    /// likeliest to be asked for next.
    ///
    /// # Safety
    /// The block is from [`allocate`](Self::allocate) with the same class, and no longer used.
    pub unsafe fn free<S: Source>(&self, source: &S, block: Address, class: Class) {
        let most = self.most.load(Ordering::Relaxed);
        if self.bytes.load(Ordering::Relaxed) + class.bytes > most {
            self.release(source);
        }
        if class.bytes > most {
            // SAFETY: the caller keeps to the `# Safety` section.
            return unsafe { source.free(block, class.bytes) };
        }
        self.bytes.fetch_add(class.bytes, Ordering::Relaxed);
        self.classes[class.index].with(|blocks| blocks.push(block));
    }

    /// Gives all kept blocks back to the system.
    pub fn release(&self, source: &impl Source) {
        for (index, blocks) in self.classes.iter().enumerate() {
            for block in blocks.with(std::mem::take) {
                let bytes = Class::at(index).bytes;
                self.bytes.fetch_sub(bytes, Ordering::Relaxed);
                // SAFETY: the block was given back with this class, and only this thread has taken it off the list.
                unsafe { source.free(block, bytes) };
            }
        }
    }

    /// In a forked child, where the thread that held a list does not exist. Where `forget`, the device and its memory
    /// do not exist either.
    pub fn after_fork(&self, forget: bool) {
        for blocks in &self.classes {
            if forget { blocks.renew_after_fork() } else { blocks.force_open() }
        }
        if forget {
            self.bytes.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_large_enough_and_not_much_larger() {
        let mut last = 0;
        for bytes in (1..100_000).chain((1..300).map(|step| step * 77_777_777)) {
            let class = Class::of(bytes).expect("memory may be so large");
            let Class { index, bytes: size } = class;
            assert_eq!(class, Class::at(index), "{bytes}");
            assert!(
                size >= bytes && size % UNIT == 0 && size <= (bytes + bytes / 4).max(bytes + UNIT),
                "{bytes}: {size}"
            );
            assert!(index >= last || bytes == 77_777_777);
            last = index;
        }
        assert_eq!(Class::of(usize::MAX), None);
    }
}
