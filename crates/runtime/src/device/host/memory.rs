//! Memory of a host device: blocks in classes of size, of which those that were given back are kept for the next who
//! asks, up to a bound. A region that maps an array again and again does not pay for fresh pages each time.

use crate::device::blocks::{self, CLASSES, UNIT, size_of_class};
use crate::device::driver::Address;
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;

/// Blocks from this size on are mapped, each by itself.
const LARGE: usize = 256 << 10;
/// What large blocks have more than their class says, so that a variable that begins some bytes behind the block's
/// begin, to be aligned as on the host, needs no larger class.
const MORE: usize = 4096;
/// Blocks from this size on are aligned so that the system can use huge pages.
const HUGE: usize = 2 << 20;
/// Of blocks from this size on that are kept, the system may take the pages when it runs short.
const LENT: usize = 64 << 20;

/// The memory of one device.
pub struct Memory {
    classes: [Mutex<Vec<Address>>; CLASSES],
    /// Bytes in all classes.
    kept: AtomicUsize,
    /// How many bytes are kept at most; 0 until it is known.
    most: AtomicUsize,
}

/// The class for so many bytes, and how many its blocks have, but for [`MORE`]; none where no memory is so large.
fn class(bytes: usize) -> Option<(usize, usize)> {
    blocks::class(if bytes > LARGE { (bytes - UNIT).max(LARGE) } else { bytes })
}

impl Memory {
    pub const fn new() -> Self {
        Memory {
            classes: [const { Mutex::new(Vec::new()) }; CLASSES],
            kept: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    /// A block of at least so many bytes, aligned to 128; none if there is not enough memory.
    pub fn allocate(&self, bytes: usize) -> Option<Address> {
        let (index, size) = class(bytes)?;
        if let Some(block) = self.classes[index].with(Vec::pop) {
            self.kept.fetch_sub(size, Ordering::Relaxed);
            return Some(block);
        }
        fresh(size).or_else(|| {
            self.release();
            fresh(size)
        })
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// It is from [`allocate`](Self::allocate) for as many bytes, and nobody uses it any more.
    pub unsafe fn free(&self, block: Address, bytes: usize) {
        let Some((index, size)) = class(bytes) else { return };
        let most = self.most();
        if self.kept.load(Ordering::Relaxed) + size > most {
            // What is asked for now is likelier to be asked for again than what was long ago.
            self.release();
        }
        if size > most {
            // SAFETY: the caller's.
            return unsafe { give_back(block, size) };
        }
        if size >= LENT {
            // SAFETY: the block is a mapping of that size, and its content does not matter any more.
            unsafe { libc::madvise(block as *mut _, size, libc::MADV_FREE) };
        }
        self.kept.fetch_add(size, Ordering::Relaxed);
        self.classes[index].with(|blocks| blocks.push(block));
    }

    /// Gives all that is kept back to the system.
    pub fn release(&self) {
        for (index, blocks) in self.classes.iter().enumerate() {
            let size = size_of_class(index);
            for block in blocks.with(std::mem::take) {
                self.kept.fetch_sub(size, Ordering::Relaxed);
                // SAFETY: the block has been given back, and was taken from the list by this thread alone.
                unsafe { give_back(block, size) };
            }
        }
    }

    /// A quarter of the machine's memory.
    fn most(&self) -> usize {
        match self.most.load(Ordering::Relaxed) {
            0 => {
                // SAFETY: the calls only ask.
                let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
                let most = usize::try_from(pages / 4)
                    .unwrap_or(0)
                    .saturating_mul(usize::try_from(page).unwrap_or(0))
                    .max(HUGE);
                self.most.store(most, Ordering::Relaxed);
                most
            }
            most => most,
        }
    }

    /// In a forked child: whoever held a list is not there.
    pub fn after_fork(&self) {
        for blocks in &self.classes {
            blocks.force_open();
        }
    }
}

/// A block that nobody has had before.
fn fresh(size: usize) -> Option<Address> {
    if size < LARGE {
        let mut block = std::ptr::null_mut();
        // SAFETY: writes the block's address; the alignment is a power of two.
        let failed = unsafe { libc::posix_memalign(&mut block, UNIT, size) } != 0;
        return (!failed).then_some(block as usize);
    }
    let spare = if size >= HUGE { HUGE } else { 0 };
    let size = size.checked_add(MORE)?;
    let length = size.checked_add(spare)?;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: asks for a new mapping, whose ends that are not needed are given back.
    unsafe {
        let start = libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0);
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = start as usize;
        if spare == 0 {
            return Some(start);
        }
        let block = start.next_multiple_of(HUGE);
        if block != start {
            libc::munmap(start as *mut _, block - start);
        }
        let (end, rest) = (block + size, start + length - (block + size));
        if rest != 0 {
            libc::munmap(end as *mut _, rest);
        }
        libc::madvise(block as *mut _, size, libc::MADV_HUGEPAGE);
        Some(block)
    }
}

/// # Safety
/// The block is from [`fresh`] with this size, and nobody uses it.
unsafe fn give_back(block: Address, size: usize) {
    // SAFETY: the caller's.
    unsafe {
        if size < LARGE {
            libc::free(block as *mut _);
        } else {
            libc::munmap(block as *mut _, size + MORE);
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
            let (index, size) = class(bytes).expect("memory may be so large");
            assert_eq!(size, size_of_class(index), "{bytes}");
            let has = if size < LARGE { size } else { size + MORE };
            assert!(
                has >= bytes && size % UNIT == 0 && size <= (bytes + bytes / 4).max(bytes + UNIT),
                "{bytes}: {size}"
            );
            assert!(index >= last || bytes == 77_777_777);
            last = index;
        }
        assert_eq!(class(usize::MAX), None);
        assert!(Memory::new().allocate(usize::MAX / 2).is_none());
    }

    #[test]
    fn what_is_given_back_comes_again() {
        let memory = Memory::new();
        for bytes in [1, 1000, 300 << 10, 2 << 20, (2 << 20) + 63, 5 << 20] {
            let block = memory.allocate(bytes).expect("there is memory");
            assert_eq!(block % UNIT, 0);
            // SAFETY: the block has that many bytes and is given back once.
            unsafe {
                std::ptr::write_bytes(block as *mut u8, 1, bytes);
                memory.free(block, bytes);
            }
            assert_eq!(memory.allocate(bytes), Some(block));
            // SAFETY: as above.
            unsafe { memory.free(block, bytes) };
        }
        memory.release();
        assert_eq!(memory.kept.load(Ordering::Relaxed), 0);
    }
}
