//! Writes one thread's file through a shared mapping, so that what was recorded survives the death of the process.
//! Owned by its thread; takes no lock, and makes system calls only when a chunk of some megabytes is full.

use super::clock::Ticker;
use super::codec::{Encoder, Last, RECORD_RESERVE};
use super::files::{self, FileId, Folder};
use super::{Record, folder, meta, segment};
use segment::offset;
use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU64, Ordering};

/// The file of one thread.
pub struct Writer {
    /// Where the next record goes.
    cursor: *mut u8,
    /// No record may start after this; below it the reserve is in the chunk. Null once the file cannot grow.
    limit: *mut u8,
    /// Adding the cursor gives the offset in the file.
    bias: u64,
    /// The word of the header that says how much is valid.
    committed: *const AtomicU64,
    last: Last,
    ticker: Ticker,
    /// Header and first chunk, mapped as long as the writer lives.
    first: Mapping,
    /// The chunk being written if it is not the first.
    chunk: Option<Mapping>,
    /// The next chunk to begin.
    next_chunk: u64,
    folder: Folder,
    /// Number of the thread in this trace, which the file is named after.
    number: u32,
    /// The file that the header is mapped from.
    file: FileId,
}

// SAFETY: the mappings belong to the writer alone; nothing in it is tied to the thread that made it.
unsafe impl Send for Writer {}

/// A part of a file, mapped and shared with it; its blocks are allocated.
struct Mapping {
    base: *mut u8,
    length: usize,
}

impl Mapping {
    /// Reserves and maps a part of `file`.
    fn new(file: &File, start: u64, length: u64) -> Result<Mapping> {
        files::fits_limit(start + length)?;
        // Blocks are allocated here, because a full disk would otherwise show as SIGBUS in the middle of the program.
        // SAFETY: plain system call on an open file.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), start as i64, length as i64) } {
            0 => {}
            code => return Err(Error::from_raw_os_error(code)),
        }
        let length = length as usize;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: maps a new range at an address of the kernel's choice.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), length, protection, libc::MAP_SHARED, file.as_raw_fd(), start as i64)
        };
        if base == libc::MAP_FAILED { Err(Error::last_os_error()) } else { Ok(Mapping { base: base.cast(), length }) }
    }

    /// A pointer into the mapping.
    fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.length);
        // SAFETY: inside the mapping.
        unsafe { self.base.add(offset) }
    }

    fn put(&self, offset: usize, bytes: &[u8]) {
        assert!(bytes.len() <= self.length - offset);
        // SAFETY: the target is inside the mapping and written by its owner alone.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at(offset), bytes.len()) };
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8));
        // SAFETY: inside the mapping and aligned; the mapping outlives the borrow.
        unsafe { &*self.at(offset).cast::<AtomicU64>() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is ours and no pointer into it is kept by its owner.
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}

impl Writer {
    /// Creates the file of thread `number` in a trace's folder. No record may be older than `begin`, in ticks.
    ///
    /// # Errors
    /// If the file exists, cannot be created, or no space can be reserved for it.
    pub fn create(folder: &Folder, number: u32, name: &str, ticker: Ticker, begin: u64) -> Result<Writer> {
        let file = folder.create(&folder::thread_file(number))?;
        let first = Mapping::new(&file, 0, segment::FIRST).inspect_err(|_| {
            // An empty file would say that there was a thread.
            let _ = folder.remove(&folder::thread_file(number));
        })?;
        // SAFETY: plain system call.
        let tid = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
        first.put(offset::VERSION, &meta::FORMAT.to_le_bytes());
        first.put(offset::NUMBER, &number.to_le_bytes());
        first.put(offset::TID, &tid.to_le_bytes());
        first.put(offset::NAME, &name.as_bytes()[..name.len().min(16)]);
        first.put(offset::MAGIC, &segment::MAGIC);
        let committed: *const AtomicU64 = first.word(offset::COMMITTED);
        let mut writer = Writer {
            cursor: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            bias: 0,
            committed,
            last: Last::at(begin),
            ticker,
            first,
            chunk: None,
            next_chunk: 0,
            folder: folder.clone(),
            number,
            file: FileId::of(&file)?,
        };
        writer.begin_chunk();
        Ok(writer)
    }

    /// Records an event at `time`, in ticks. False if the event was lost; [`Writer::grow`] says why the file must be
    /// extended before.
    #[inline(always)]
    pub fn record(&mut self, time: u64, record: &Record) -> bool {
        if self.cursor > self.limit {
            self.lose();
            return false;
        }
        // SAFETY: up to `limit` the reserve is inside the mapped chunk, which this thread alone writes.
        let mut encoder = unsafe { Encoder::new(self.cursor, &mut self.last) };
        record.encode(time, &mut encoder);
        self.cursor = encoder.end();
        // SAFETY: the word is in the first mapping, which lives as long as the writer.
        unsafe { &*self.committed }.store((self.cursor as u64).wrapping_add(self.bias), Ordering::Release);
        true
    }

    /// Whether the next event needs [`Writer::grow`] first.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.cursor > self.limit
    }

    /// Whether an earlier [`Writer::grow`] failed; it is not worth another try.
    pub fn is_closed(&self) -> bool {
        self.limit.is_null()
    }

    /// Reserves space for some megabytes of further records.
    ///
    /// # Errors
    /// If the file cannot grow. Further events are then counted as lost.
    #[cold]
    pub fn grow(&mut self) -> Result<()> {
        let (start, length) = segment::chunk(self.next_chunk);
        let mapping = self.reopen().and_then(|file| Mapping::new(&file, start, length));
        match mapping {
            Ok(mapping) => {
                self.chunk = Some(mapping);
                self.begin_chunk();
                Ok(())
            }
            Err(error) => {
                self.limit = std::ptr::null_mut();
                Err(error)
            }
        }
    }

    /// Starts writing into the chunk that was just mapped.
    fn begin_chunk(&mut self) {
        let (start, length) = segment::chunk(self.next_chunk);
        let base = match &self.chunk {
            Some(mapping) => mapping.at(0),
            None => self.first.at(segment::HEADER as usize),
        };
        let begun = self.last.time;
        // SAFETY: a chunk is longer than its header, and this thread alone writes it.
        unsafe {
            std::ptr::copy_nonoverlapping(segment::CHUNK_MAGIC.as_ptr(), base, 8);
            base.add(8).cast::<u64>().write_unaligned(begun.to_le());
        }
        self.last = Last::at(begun);
        self.bias = start.wrapping_sub(base as u64);
        self.cursor = base.wrapping_add(segment::CHUNK_HEADER);
        self.limit = base.wrapping_add(length as usize - RECORD_RESERVE);
        self.first.word(offset::COMMITTED).store(start + segment::CHUNK_HEADER as u64, Ordering::Release);
        self.calibrate(self.next_chunk);
        self.next_chunk += 1;
    }

    /// Notes the moment in both clocks, so that the length of a tick is known even if the process is killed.
    #[cold]
    pub fn calibrate(&self, turn: u64) {
        let pair = self.ticker.pair();
        let slot = offset::PAIRS + 16 * (turn % 2) as usize;
        // A half-written pair must not look like a whole one.
        self.first.word(slot).store(0, Ordering::Release);
        self.first.word(slot + 8).store(pair.ns, Ordering::Release);
        self.first.word(slot).store(pair.ticks, Ordering::Release);
    }

    #[cold]
    fn lose(&self) {
        let lost = self.first.word(offset::LOST);
        lost.store(lost.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Marks the file as ended in good order and gives back the space that was not used.
    pub fn finish(self) {
        let committed = self.first.word(offset::COMMITTED).load(Ordering::Relaxed);
        self.first.word(offset::FINISHED).store(1, Ordering::Release);
        let file = self.reopen();
        // Nothing may be mapped past the new end.
        drop(self);
        // Failure leaves the file longer, which readers expect.
        let _ = file.and_then(|file| file.set_len(committed));
    }

    /// The file by its name, since no descriptor is kept; an error if another file has that name now.
    fn reopen(&self) -> Result<File> {
        self.folder.reopen(&folder::thread_file(self.number), self.file)
    }
}
