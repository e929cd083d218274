//! Writes one file of a thread through a shared mapping, so that what was recorded survives the death of the process.
//! Owned by its thread; takes no lock, and makes system calls only when a chunk of some megabytes is full.
//!
//! Only [`Writer::create`], [`Writer::prepare`] and [`Writer::finish`] allocate. The rest may run in a signal handler.

use super::clock::{Ticker, monotonic_ns};
use super::codec::{Coded, Encoder, Last, RECORD_RESERVE};
use super::files::{self, FileId, Folder};
use super::{folder, lock, meta, segment};
use segment::{Layout, offset};
use std::ffi::{CString, c_int};
use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A thread that waits for space asks whether anybody follows the recording if nobody has looked for so long.
const PATIENCE_NS: u64 = 1_000_000_000;
/// It gives up after so long if that cannot be found out.
const LAST_PATIENCE_NS: u64 = 10_000_000_000;

/// Set once a thread has given up: nobody follows the recording any more, and no other thread waits for it.
static DESERTED: AtomicBool = AtomicBool::new(false);

/// How much of a file a recording may have that another process follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Where the chunks are.
    pub layout: Layout,
    /// So many bytes of each thread may wait to be consumed; two chunks at least.
    pub most: u64,
}

impl Bound {
    /// Reads a bound from a variable of the environment: two numbers of bytes with a colon between them, of a chunk and
    /// of what may wait. None if the text is not of this form.
    pub fn parse(text: &str) -> Option<Bound> {
        let (chunk, most) = text.split_once(':')?;
        Some(Bound { layout: Layout::of(chunk.parse().ok()?), most: most.parse().ok()? })
    }
}

/// A file of one thread: the file of its events, or of its samples.
pub struct Writer {
    /// Where the next record goes.
    cursor: *mut u8,
    /// No record may start after this; below it the reserve is in the chunk. Below the cursor while the file does not
    /// exist and once it cannot grow.
    limit: *mut u8,
    /// Whether the file cannot grow.
    closed: bool,
    /// Adding the cursor gives the offset in the file.
    bias: u64,
    /// The word of the header that says how much is valid. Null while the file does not exist.
    committed: *const AtomicU64,
    last: Last,
    ticker: Ticker,
    /// The file and the mapping of its header and first chunk, both kept as long as the writer lives. None while the
    /// file does not exist.
    first: Option<(FileId, Mapping)>,
    /// The chunk being written if it is not the first.
    chunk: Option<Mapping>,
    /// The next chunk to begin.
    next_chunk: u64,
    layout: Layout,
    /// The file may have so many bytes that have not been consumed; none if nobody consumes them.
    most: Option<u64>,
    folder: Folder,
    /// The file's name.
    name: CString,
    /// Number of the thread in this trace.
    number: u32,
    /// The thread's name, padded with zeros.
    thread_name: [u8; 16],
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
        // A page that a write puts into the page cache costs a fifth of one that a store puts there by a fault, as the
        // system puts many there at once. In the first chunk this would cost memory for threads that record little.
        if start > 0 {
            fill(file, start, length);
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

/// Writes zeros to the first megabyte of a part of a file. The part's blocks are allocated and hold zeros, so nothing
/// depends on success.
fn fill(file: &File, start: u64, length: u64) {
    const PIECES: usize = 16;
    // Atomic, because a constant would take its room in the library's file.
    static ZEROS: [AtomicU64; segment::LEAST_CHUNK as usize / 8] =
        [const { AtomicU64::new(0) }; segment::LEAST_CHUNK as usize / 8];
    let piece = libc::iovec { iov_base: (&raw const ZEROS).cast_mut().cast(), iov_len: size_of_val(&ZEROS) };
    let count = ((length / segment::LEAST_CHUNK) as usize).min(PIECES) as c_int;
    // SAFETY: plain system call that reads live memory.
    let _ = unsafe { libc::pwritev(file.as_raw_fd(), [piece; PIECES].as_ptr(), count, start as i64) };
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is ours and no pointer into it is kept by its owner.
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}

impl Writer {
    /// Creates the file of the events of thread `number` in a trace's folder. `thread_name` has at most 16 bytes that
    /// count. No record may be older than `begin`, in ticks.
    ///
    /// # Errors
    /// If the file exists, cannot be created, or no space can be reserved for it.
    pub fn create(folder: &Folder, number: u32, thread_name: &str, ticker: Ticker, begin: u64) -> Result<Writer> {
        let mut writer = Writer::prepare(folder, &folder::thread_file(number), number, thread_name, ticker, begin)?;
        writer.begin_file().map_err(files::explained)?;
        Ok(writer)
    }

    /// Creates the file of a writer that [`Writer::prepare`] has made.
    ///
    /// # Errors
    /// As [`Writer::create`].
    pub fn begin(mut self) -> Result<Writer> {
        self.begin_file().map_err(files::explained)?;
        Ok(self)
    }

    /// The same writer with smaller chunks, for a recording that another process follows. `waits`: the thread waits if
    /// too much of its file has not been consumed. A signal handler must not wait.
    pub fn within(mut self, bound: Bound, waits: bool) -> Writer {
        self.layout = bound.layout;
        self.most = waits.then_some(bound.most);
        self
    }

    /// A writer that creates the file `file` at its first [`Writer::grow`]. The rest as [`Writer::create`].
    ///
    /// # Errors
    /// If the file's name holds a zero byte.
    pub fn prepare(
        folder: &Folder,
        file: &str,
        number: u32,
        thread_name: &str,
        ticker: Ticker,
        begin: u64,
    ) -> Result<Writer> {
        let mut padded = [0; 16];
        let length = thread_name.len().min(padded.len());
        padded[..length].copy_from_slice(&thread_name.as_bytes()[..length]);
        Ok(Writer {
            cursor: std::ptr::without_provenance_mut(1),
            limit: std::ptr::null_mut(),
            closed: false,
            bias: 0,
            committed: std::ptr::null(),
            last: Last::at(begin),
            ticker,
            first: None,
            chunk: None,
            next_chunk: 0,
            layout: Layout::NEW,
            most: None,
            folder: folder.clone(),
            name: CString::new(file).map_err(Error::other)?,
            number,
            thread_name: padded,
        })
    }

    /// Creates the file, by the thread that writes it.
    fn begin_file(&mut self) -> Result<()> {
        let file = self.folder.create_terminated(&self.name)?;
        let first = Mapping::new(&file, 0, segment::FIRST).inspect_err(|_| {
            // An empty file would say that there was a thread.
            let _ = self.folder.remove_terminated(&self.name);
        })?;
        // SAFETY: plain system call.
        let tid = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
        first.put(offset::VERSION, &meta::FORMAT.to_le_bytes());
        first.put(offset::NUMBER, &self.number.to_le_bytes());
        first.put(offset::TID, &tid.to_le_bytes());
        first.put(offset::NAME, &self.thread_name);
        first.put(offset::CHUNK, &self.layout.units().to_le_bytes());
        first.put(offset::MAGIC, &segment::MAGIC);
        self.committed = first.word(offset::COMMITTED);
        self.first = Some((FileId::of(&file)?, first));
        self.begin_chunk();
        Ok(())
    }

    /// Records an event at `time`, in ticks. False if the event was lost; [`Writer::grow`] says why the file must be
    /// extended before.
    #[inline(always)]
    pub fn record(&mut self, time: u64, record: &impl Coded) -> bool {
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

    /// The time of the last record, in ticks, and where the next record goes.
    #[inline(always)]
    pub fn last(&self) -> (u64, usize) {
        (self.last.time, self.cursor as usize)
    }

    /// Whether the next event needs [`Writer::grow`] first.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.cursor > self.limit
    }

    /// Whether the chunk has room for this many events.
    pub fn has_room(&self, records: usize) -> bool {
        (self.cursor as usize).saturating_add(records.saturating_sub(1) * RECORD_RESERVE) <= self.limit as usize
    }

    /// Whether an earlier [`Writer::grow`] failed; it is not worth another try.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reserves space for some megabytes of further records. Creates the file if it does not exist yet.
    ///
    /// # Errors
    /// If the file cannot be created or cannot grow. Further events are then counted as lost.
    #[cold]
    pub fn grow(&mut self) -> Result<()> {
        let grown = if self.first.is_none() { self.begin_file() } else { self.add_chunk() };
        if grown.is_err() {
            self.closed = true;
            self.limit = std::ptr::null_mut();
        }
        grown
    }

    fn add_chunk(&mut self) -> Result<()> {
        self.wait_for_space()?;
        let (start, length) = self.layout.chunk(self.next_chunk);
        self.chunk = Some(self.reopen().and_then(|file| Mapping::new(&file, start, length))?);
        self.begin_chunk();
        Ok(())
    }

    /// Waits until the process that follows the recording has consumed enough of the file. The thread says since when
    /// it waits, so that other threads' events can be consumed up to then.
    fn wait_for_space(&self) -> Result<()> {
        let (Some(most), Some((_, first))) = (self.most, &self.first) else { return Ok(()) };
        let (start, length) = self.layout.chunk(self.next_chunk);
        let most = most.max(2 * length);
        let has_space =
            || (start + length).saturating_sub(first.word(offset::CONSUMED).load(Ordering::Acquire)) <= most;
        if has_space() {
            return Ok(());
        }
        first.word(offset::WAITS_AT).store(start + segment::CHUNK_HEADER as u64, Ordering::Release);
        first.word(offset::WAITS).store(self.last.time.max(1), Ordering::Release);
        let begun = monotonic_ns();
        let (mut since, mut looked) = (begun, first.word(offset::LOOKED).load(Ordering::Relaxed));
        let pause = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        while !has_space() && !DESERTED.load(Ordering::Relaxed) {
            // SAFETY: plain system call with a live structure. A signal that ends it early is harmless.
            unsafe { libc::nanosleep(&pause, std::ptr::null_mut()) };
            let (now, looks) = (monotonic_ns(), first.word(offset::LOOKED).load(Ordering::Relaxed));
            if looks != looked {
                (since, looked) = (now, looks);
            } else if now.saturating_sub(since) > PATIENCE_NS {
                // On a busy machine, a follower may need long for what it does between two looks.
                match lock::is_followed(&self.folder) {
                    Some(true) => since = now,
                    Some(false) => DESERTED.store(true, Ordering::Relaxed),
                    None => DESERTED.store(now.saturating_sub(begun) > LAST_PATIENCE_NS, Ordering::Relaxed),
                }
            }
        }
        let waited = first.word(offset::WAITED);
        waited.store(waited.load(Ordering::Relaxed) + (monotonic_ns() - begun), Ordering::Relaxed);
        if has_space() {
            // The thread waits until its event is in the file, as far as its follower is concerned.
            return Ok(());
        }
        first.word(offset::WAITS).store(0, Ordering::Release);
        Err(Error::from_raw_os_error(libc::EPIPE))
    }

    /// Starts writing into the chunk that was just mapped.
    fn begin_chunk(&mut self) {
        let Some((_, first)) = &self.first else { return };
        let (start, length) = self.layout.chunk(self.next_chunk);
        let base = match &self.chunk {
            Some(mapping) => mapping.at(0),
            None => first.at(segment::HEADER as usize),
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
        first.word(offset::COMMITTED).store(start + segment::CHUNK_HEADER as u64, Ordering::Release);
        self.calibrate(self.next_chunk);
        self.next_chunk += 1;
    }

    /// Notes the moment in both clocks, so that the length of a tick is known even if the process is killed.
    #[cold]
    pub fn calibrate(&self, turn: u64) {
        let Some((_, first)) = &self.first else { return };
        let pair = self.ticker.pair();
        let slot = offset::PAIRS + 16 * (turn % 2) as usize;
        // A half-written pair must not look like a whole one.
        first.word(slot).store(0, Ordering::Release);
        first.word(slot + 8).store(pair.ns, Ordering::Release);
        first.word(slot).store(pair.ticks, Ordering::Release);
    }

    #[cold]
    fn lose(&self) {
        let Some((_, first)) = &self.first else { return };
        let lost = first.word(offset::LOST);
        lost.store(lost.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Marks the file as ended in good order and gives back the space that was not used. Nothing if there is no file.
    pub fn finish(self) {
        let Some((_, first)) = &self.first else { return };
        let committed = first.word(offset::COMMITTED).load(Ordering::Relaxed);
        first.word(offset::FINISHED).store(1, Ordering::Release);
        let file = self.reopen();
        // Nothing may be mapped past the new end.
        drop(self);
        // Failure leaves the file longer, which readers expect.
        let _ = file.and_then(|file| file.set_len(committed));
    }

    /// The file by its name, since no descriptor is kept; an error if another file has that name now.
    fn reopen(&self) -> Result<File> {
        let (made, _) = self.first.as_ref().ok_or_else(|| Error::from_raw_os_error(libc::ENOENT))?;
        self.folder.reopen(&self.name, *made)
    }
}
