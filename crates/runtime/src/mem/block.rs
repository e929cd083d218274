//! The header before each block of the host's memory: the block's allocator, its size and the source of its memory
//! (OpenMP 5.1 §3.13). `omp_free` and `omp_realloc` read the header, because programs need not pass the allocator.

use std::ptr::NonNull;

use crate::allocators::Handle;

/// Bytes of a header, which lies right before the block.
const HEADER: usize = size_of::<Header>();

/// The alignment of the C library's allocator, and of a header.
pub const NATURAL: usize = 16;

/// Part of the check word: makes it unlikely that other memory looks like a header.
const MARK: u64 = 0x9e6c_63d0_876a_3fb5;

/// The source of a block's memory.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The C library's allocator.
    Heap = 1,
    /// Pages of the block's own.
    Pages = 2,
}

/// What is known of a block of the host's memory.
#[repr(C, align(16))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Where the memory from the source begins.
    pub base: *mut u8,
    /// Bytes that the program asked for.
    pub size: usize,
    /// Tells apart allocators that had the same handle one after the other; 0 for a predefined allocator.
    pub serial: u32,
    /// The handle of the block's allocator.
    owner: u16,
    /// The block's alignment, as a power of two.
    alignment: u8,
    source: u8,
    /// A hash of the fields above and the block's address; 0 once the block has been freed.
    check: u64,
}

/// Bytes of memory for a block of `size` bytes at `alignment`; `None` if that is more than there can be.
pub fn needed(size: usize, alignment: usize) -> Option<usize> {
    let slack = alignment.saturating_sub(NATURAL);
    size.checked_add(HEADER)?.checked_add(slack).filter(|&bytes| bytes <= isize::MAX as usize)
}

/// Makes a block in the memory at `base`, which is aligned to [`NATURAL`] and has [`needed`] bytes. The block's
/// address.
///
/// # Safety
/// The memory is the caller's.
pub unsafe fn place(
    base: NonNull<u8>,
    size: usize,
    alignment: usize,
    source: Source,
    owner: Handle,
    serial: u32,
) -> NonNull<u8> {
    let alignment = alignment.max(NATURAL);
    let first = base.addr().get() + HEADER;
    let offset = HEADER + (first.next_multiple_of(alignment) - first);
    let mut header = Header {
        base: base.as_ptr(),
        size,
        serial,
        owner: owner as u16,
        alignment: alignment.trailing_zeros() as u8,
        source: source as u8,
        check: 0,
    };
    // SAFETY: the needed bytes hold the slack, the header and the block, in this order.
    unsafe {
        let block = base.add(offset);
        header.check = header.expected(block.addr().get());
        header_of(block).write(header);
        block
    }
}

/// The header of a block; `None` for other memory and freed blocks.
///
/// # Safety
/// The memory before the address can be read.
pub unsafe fn look(block: NonNull<u8>) -> Option<Header> {
    if !block.addr().get().is_multiple_of(NATURAL) {
        return None;
    }
    // SAFETY: the caller's; any bits are a valid header.
    let header = unsafe { header_of(block).read() };
    (header.check != 0 && header.check == header.expected(block.addr().get())).then_some(header)
}

/// Clears the check word, so that the memory is not taken for a block again.
///
/// # Safety
/// The address is a block's, and no other thread uses the block.
pub unsafe fn forget(block: NonNull<u8>) {
    // SAFETY: the header lies before the block.
    unsafe { (&raw mut (*header_of(block).as_ptr()).check).write_volatile(0) };
}

fn header_of(block: NonNull<u8>) -> NonNull<Header> {
    NonNull::new(block.as_ptr().wrapping_sub(HEADER).cast()).unwrap_or(NonNull::dangling())
}

impl Header {
    fn expected(&self, block: usize) -> u64 {
        let rest = u64::from(self.serial) << 32
            | u64::from(self.owner) << 16
            | u64::from(self.alignment) << 8
            | u64::from(self.source);
        let mixed = (block as u64 ^ MARK).wrapping_mul(MARK) ^ (self.base.addr() as u64).rotate_left(17);
        (mixed ^ (self.size as u64).rotate_left(41) ^ rest.wrapping_mul(MARK)) | 1
    }

    /// The handle of the block's allocator.
    pub fn owner(&self) -> Handle {
        Handle::from(self.owner)
    }

    pub fn alignment(&self) -> usize {
        1 << self.alignment
    }

    pub fn source(&self) -> Source {
        if self.source == Source::Pages as u8 { Source::Pages } else { Source::Heap }
    }

    /// Bytes of memory that were taken for the block.
    pub fn taken(&self) -> usize {
        self.size + HEADER + (self.alignment() - NATURAL)
    }

    /// Whether only the header lies before the block, so that the heap can change the size of its memory.
    pub fn can_be_resized(&self) -> bool {
        self.source() == Source::Heap && self.alignment() == NATURAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory to place blocks in.
    #[repr(align(16))]
    struct Memory([u8; 4096]);

    #[test]
    fn a_block_tells_what_it_is() {
        for (size, alignment) in [(1, 1), (100, 8), (100, 16), (100, 32), (1, 64), (7, 1024)] {
            let mut memory = Memory([0xa5; 4096]);
            let base = NonNull::from(&mut memory.0).cast::<u8>();
            // SAFETY: the memory is ours and large enough.
            let block = unsafe { place(base, size, alignment, Source::Heap, 1030, 7) };
            assert_eq!(block.addr().get() % alignment.max(NATURAL), 0);
            let end = block.addr().get() + size - base.addr().get();
            assert!(end <= needed(size, alignment).unwrap(), "{size} {alignment}");
            // SAFETY: the block is ours.
            let header = unsafe { look(block) }.unwrap();
            assert_eq!((header.size, header.owner(), header.serial, header.base), (size, 1030, 7, base.as_ptr()));
            assert_eq!(header.taken(), needed(size, alignment).unwrap());
            // SAFETY: as above.
            unsafe { forget(block) };
            // SAFETY: as above.
            assert_eq!(unsafe { look(block) }, None);
        }
    }

    #[test]
    fn other_memory_is_no_block() {
        for fill in [0, 0x5a, 0xff] {
            let mut memory = Memory([fill; 4096]);
            let base = NonNull::from(&mut memory.0).cast::<u8>();
            for offset in [64, 65, 80, 2048] {
                // SAFETY: the bytes before are part of the memory.
                assert_eq!(unsafe { look(base.add(offset)) }, None);
            }
        }
    }

    #[test]
    fn a_changed_header_is_no_header() {
        let mut memory = Memory([0; 4096]);
        let base = NonNull::from(&mut memory.0).cast::<u8>();
        // SAFETY: the memory is ours and large enough.
        let block = unsafe { place(base, 100, 16, Source::Heap, 1, 0) };
        for byte in 0..HEADER {
            memory.0[byte] ^= 0x10;
            // SAFETY: the bytes before are part of the memory.
            assert_eq!(unsafe { look(block) }, None, "{byte}");
            memory.0[byte] ^= 0x10;
        }
        // SAFETY: as above.
        assert!(unsafe { look(block) }.is_some());
    }

    #[test]
    fn sizes_that_cannot_be() {
        assert_eq!(needed(usize::MAX, 1), None);
        assert_eq!(needed(isize::MAX as usize, 1), None);
        assert_eq!(needed(1, 1 << 63), None);
        assert_eq!(needed(100, 1), Some(132));
        assert_eq!(needed(100, 64), Some(180));
    }
}
