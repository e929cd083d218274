//! Reads one file of a thread while its writer goes on. Records are read and not mapped: a file that is shortened
//! meanwhile gives no bytes, where a mapping would give SIGBUS.

use super::page::Page;
use crate::store::codec::{Coded, Decoder, Last};
use crate::store::segment::{self, Header, Layout, offset};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt as _;

/// This much of a file is read at once.
const PIECE: usize = 32 << 10;

/// The records of one file, as far as they have been written.
pub(super) struct Tail<R> {
    /// The open file.
    pub file: File,
    /// Its header.
    pub page: Page,
    /// Where its chunks are.
    pub layout: Layout,
    /// The chunk that is being read.
    pub chunk: u64,
    /// The offset of the first byte that has not been read. What is before is not needed any more.
    pub at: u64,
    /// How many bytes of the file hold records.
    pub committed: u64,
    /// Bytes from the file's begin whose records are gone.
    pub freed: u64,
    /// Records that have been read and not taken, all of one chunk, with their times in ticks.
    queue: VecDeque<(u64, R)>,
    /// The state of the decoder at `at`; none before the chunk's header.
    last: Option<Last>,
    bytes: Vec<u8>,
}

impl<R: Coded> Tail<R> {
    /// Reads the records of `file` from the first chunk on that has not been freed. None if the file's thread has not
    /// begun to write it.
    ///
    /// # Errors
    /// If the file is no thread's file.
    pub fn open(file: File, writable: bool) -> Result<Option<(Tail<R>, Header)>> {
        let mut bytes = vec![0; segment::HEADER as usize];
        match file.read_exact_at(&mut bytes, 0) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        if Header::is_blank(&bytes) {
            return Ok(None);
        }
        let header = Header::read(&bytes).map_err(Error::other)?;
        let page = Page::of(&file, writable)?;
        let (layout, freed) = (header.layout, header.freed);
        let chunk = layout.first_kept(freed);
        let at = layout.chunk(chunk).0;
        let queue = VecDeque::new();
        let tail = Tail { file, page, layout, chunk, at, committed: 0, freed, queue, last: None, bytes: Vec::new() };
        Ok(Some((tail, header)))
    }

    /// Looks how much has been written.
    pub fn look(&mut self) {
        self.committed = self.committed.max(self.page.get(offset::COMMITTED));
    }

    /// Bytes that have been written and not read, at the last look.
    pub fn unread(&self) -> u64 {
        self.committed.saturating_sub(self.at)
    }

    /// If the thread waits for space: no further event of it is older than this, in ticks.
    pub fn waits(&self) -> Option<u64> {
        let (ticks, at) = (self.page.get(offset::WAITS), self.page.get(offset::WAITS_AT));
        (ticks != 0 && self.page.get(offset::COMMITTED) <= at).then_some(ticks)
    }

    /// What the header says now.
    pub fn header(&self) -> Header {
        let mut bytes = vec![0; segment::HEADER as usize];
        let read = self.file.read_exact_at(&mut bytes, 0).is_ok();
        if read { Header::read(&bytes).unwrap_or_default() } else { Header::default() }
    }

    /// The next record with its time in ticks.
    #[inline]
    pub fn peek(&mut self) -> Option<&(u64, R)> {
        if self.queue.is_empty() {
            self.read();
        }
        self.queue.front()
    }

    /// Takes the next record.
    #[inline]
    pub fn take(&mut self) -> Option<(u64, R)> {
        self.queue.pop_front()
    }

    /// Reads on until there is a record.
    #[cold]
    fn read(&mut self) {
        while self.queue.is_empty() {
            let (start, length) = self.layout.chunk(self.chunk);
            let over = start.saturating_add(length);
            let before = self.at;
            if self.at < self.committed.min(over) && self.piece(self.committed.min(over)).is_none() {
                return;
            }
            // No record fits into the rest, or the bytes make no sense.
            if self.queue.is_empty() && self.at == before {
                if self.committed <= over {
                    return;
                }
                (self.chunk, self.last) = (self.chunk + 1, None);
                self.at = self.layout.chunk(self.chunk).0;
            }
        }
    }

    /// Reads a piece of the chunk, which has bytes up to `end`. None if the file has no bytes there.
    fn piece(&mut self, end: u64) -> Option<()> {
        let length = usize::try_from(end - self.at).unwrap_or(PIECE).min(PIECE);
        self.bytes.resize(length, 0);
        self.file.read_exact_at(&mut self.bytes, self.at).ok()?;
        let (skipped, last) = match self.last {
            Some(last) => (0, last),
            None => match segment::chunk_begin(&self.bytes) {
                Some(begin) => (segment::CHUNK_HEADER, Last::at(begin)),
                None => return Some(()),
            },
        };
        let mut decoder = Decoder::resume(&self.bytes[skipped..], last);
        let (mut rest, mut good) = (decoder.remaining(), last);
        while let Some(record) = R::decode(&mut decoder) {
            self.queue.push_back(record);
            (rest, good) = (decoder.remaining(), decoder.last());
        }
        self.at += (length - rest) as u64;
        self.last = Some(good);
        Some(())
    }
}
