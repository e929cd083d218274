//! The header page of a thread's file, shared with the thread that writes the file.

use crate::store::segment::{self, offset};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io::{ErrorKind, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// A mapping of the page. A writer shortens its file to no less than this.
pub(super) struct Page {
    map: MmapRaw,
    /// Whether the file is open for writing.
    writable: bool,
}

impl Page {
    /// Maps the page.
    ///
    /// # Errors
    /// If the file is shorter than its header, or cannot be mapped.
    pub fn of(file: &File, writable: bool) -> Result<Page> {
        if file.metadata()?.len() < segment::HEADER {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let options = MmapOptions::new().len(segment::HEADER as usize).clone();
        let map = if writable { options.map_raw(file) } else { options.map_raw_read_only(file) };
        Ok(Page { map: map?, writable })
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        assert!(at.is_multiple_of(8) && at + 8 <= self.map.len());
        // SAFETY: inside the mapping and aligned; the mapping outlives the borrow. The other process accesses the words
        // atomically as well.
        unsafe { &*self.map.as_ptr().add(at).cast::<AtomicU64>() }
    }

    /// The word at this offset.
    pub fn get(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Acquire)
    }

    /// Sets one of the words that the follower writes; nothing if the file is only read.
    pub fn set(&self, at: usize, value: u64) {
        debug_assert!([offset::CONSUMED, offset::LOOKED, offset::FREED].contains(&at));
        if self.writable {
            self.word(at).store(value, Ordering::Release);
        }
    }
}
