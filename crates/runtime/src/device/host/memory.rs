//! Memory of a host device: small blocks from the C library's heap, and large ones from pages of their own. Blocks that
//! are given back are kept (`blocks.rs`), so that a region that maps an array again and again pays no page faults.

use crate::device::blocks::{self, Class, Kept, UNIT};
use crate::device::driver::Address;

/// Blocks from this size on have pages of their own.
const LARGE: usize = 256 << 10;
/// Bytes that large blocks have beyond their class. A counterpart that is aligned as its variable begins some bytes
/// behind the begin of the block, and fits without a larger class.
const MORE: usize = 4096;
/// Blocks from this size on are aligned so that the system can use huge pages.
const HUGE: usize = 2 << 20;
/// The system may take the pages of kept blocks from this size on when memory runs short.
const LENT: usize = 64 << 20;

/// The memory of one device.
pub struct Memory(Kept);

/// The system's memory.
struct System;

/// The class for requests of `bytes` bytes. Large blocks have [`MORE`] bytes more than their class.
fn class(bytes: usize) -> Option<Class> {
    Class::of(if bytes > LARGE { (bytes - UNIT).max(LARGE) } else { bytes })
}

impl Memory {
    /// Memory of which at most a quarter of the machine's is kept.
    pub fn new() -> Self {
        // SAFETY: `sysconf` has no preconditions.
        let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        let number = |count| usize::try_from(count).unwrap_or(0);
        let kept = Kept::new();
        kept.set_most(number(pages / 4).saturating_mul(number(page)).max(HUGE));
        Memory(kept)
    }

    /// A block of at least `bytes` bytes, aligned to 128; `None` if there is not enough memory.
    pub fn allocate(&self, bytes: usize) -> Option<Address> {
        self.0.allocate(&System, class(bytes)?).ok()
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// The block is from [`allocate`](Self::allocate) for the same size, and no longer used.
    pub unsafe fn free(&self, block: Address, bytes: usize) {
        let Some(class) = class(bytes) else { return };
        // SAFETY: the caller's; the block is a mapping of that size, whose content no longer matters.
        unsafe {
            if class.bytes >= LENT {
                libc::madvise(block as *mut _, class.bytes, libc::MADV_FREE);
            }
            self.0.free(&System, block, class);
        }
    }

    /// Gives all that is kept back to the system.
    pub fn release(&self) {
        self.0.release(&System);
    }

    pub fn after_fork(&self) {
        self.0.after_fork(false);
    }
}

impl blocks::Source for System {
    type Refusal = ();

    fn fresh(&self, size: usize) -> Result<Address, ()> {
        if size < LARGE {
            let mut block = std::ptr::null_mut();
            // SAFETY: writes the block's address; the alignment is a power of two.
            let failed = unsafe { libc::posix_memalign(&mut block, UNIT, size) } != 0;
            return if failed { Err(()) } else { Ok(block as usize) };
        }
        let spare = if size >= HUGE { HUGE } else { 0 };
        let size = size.checked_add(MORE).ok_or(())?;
        let length = size.checked_add(spare).ok_or(())?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: asks for a new mapping, whose unneeded ends are given back.
        unsafe {
            let start = libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0);
            if start == libc::MAP_FAILED {
                return Err(());
            }
            let start = start as usize;
            if spare == 0 {
                return Ok(start);
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
            Ok(block)
        }
    }

    unsafe fn free(&self, block: Address, size: usize) {
        // SAFETY: the caller's; `fresh` decides by the size in the same way.
        unsafe {
            if size < LARGE {
                libc::free(block as *mut _);
            } else {
                libc::munmap(block as *mut _, size + MORE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_large_enough_and_not_much_larger() {
        let mut last = class(1).unwrap();
        for bytes in (1..100_000).chain((1..300).map(|step| step * 77_777_777)) {
            let class = class(bytes).expect("memory may be so large");
            let size = class.bytes;
            let has = if size < LARGE { size } else { size + MORE };
            assert!(
                has >= bytes && size.is_multiple_of(UNIT) && size <= (bytes + bytes / 4).max(bytes + UNIT),
                "{bytes}: {size}"
            );
            assert!(class >= last || bytes == 77_777_777);
            last = class;
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
        assert_eq!(memory.0.bytes(), 0);
    }
}
