//! Frees the space of records that have been read. A freed part of a file is a hole: the file keeps its length, and its
//! thread goes on writing behind the hole. The thread does not touch what it has written any more.

use super::tail::Tail;
use crate::store::codec::Coded;
use crate::store::segment::{self, offset};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;

/// How much of a trace stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All.
    All,
    /// The newest events, in about so many bytes.
    Newest(u64),
    /// Nothing: events are freed as soon as they have been read.
    Nothing,
}

/// Pages are freed in pieces of at least this many bytes: each costs a system call.
const PIECE: u64 = 128 << 10;
/// A multiple of every page size in use.
const PAGE: u64 = segment::LEAST_CHUNK;

/// What the freeing of space needs of a file, whatever its records are.
pub(super) trait Space {
    /// Lets the thread know what has been read, and that somebody looks.
    fn acknowledge(&self);
    /// Bytes that the file takes on disk, as far as they are reserved for records.
    fn size(&self) -> u64;
    /// Frees all that has been read.
    fn free_all(&mut self);
    /// The time in ticks of the oldest chunk that is there, if it has been read to its end.
    fn oldest(&self) -> Option<u64>;
    /// Frees the oldest chunk.
    fn free_oldest(&mut self);
}

impl<R: Coded> Space for Tail<R> {
    fn acknowledge(&self) {
        self.page.set(offset::CONSUMED, self.at);
        if self.waits().is_some() {
            self.page.set(offset::LOOKED, self.page.get(offset::LOOKED).wrapping_add(1));
        }
    }

    fn size(&self) -> u64 {
        let (start, length) = self.layout.chunk(self.layout.chunk_at(self.committed));
        let over = if self.page.get(offset::FINISHED) == 1 { self.committed } else { start.saturating_add(length) };
        over.saturating_sub(self.freed)
    }

    fn free_all(&mut self) {
        let to = self.at / PAGE * PAGE;
        if to >= self.freed.saturating_add(PIECE) {
            free(self, to);
        }
    }

    fn oldest(&self) -> Option<u64> {
        let (start, length) = self.layout.chunk(self.layout.first_kept(self.freed));
        let mut header = [0; segment::CHUNK_HEADER];
        let read = self.at >= start.saturating_add(length) && self.file.read_exact_at(&mut header, start).is_ok();
        read.then(|| segment::chunk_begin(&header).unwrap_or(0))
    }

    fn free_oldest(&mut self) {
        let (start, length) = self.layout.chunk(self.layout.first_kept(self.freed));
        free(self, start.saturating_add(length));
    }
}

/// Frees the records before the offset `to`.
fn free<R>(tail: &mut Tail<R>, to: u64) {
    let from = tail.freed.max(segment::HEADER);
    // Readers skip what this names, so it is named before it is gone.
    tail.page.set(offset::FREED, to);
    tail.freed = to;
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    // SAFETY: plain system call on an open file. Where the file system has no holes, the space is not freed.
    let _ = unsafe {
        libc::fallocate(tail.file.as_raw_fd(), mode, from as libc::off_t, to.saturating_sub(from) as libc::off_t)
    };
}

/// Frees the oldest of what has been read until the files fit into `most` bytes.
pub(super) fn fit(files: &mut [&mut dyn Space], most: u64) {
    let mut size: u64 = files.iter().map(|file| file.size()).fold(0, u64::saturating_add);
    while size > most {
        let oldest = files.iter_mut().filter_map(|file| Some((file.oldest()?, file)));
        let Some((_, file)) = oldest.min_by_key(|(ticks, _)| *ticks) else { return };
        let before = file.size();
        file.free_oldest();
        size = size.saturating_sub(before - file.size());
    }
}
