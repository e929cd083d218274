//! Opens a trace folder and returns its events, thread by thread, with times in nanoseconds. A damaged or cut-off trace
//! is read as far as possible, and reports what is lost.

use crate::Error;
use crate::selection::Selection;
use crate::store::codec::{Coded, Decoder};
use crate::store::sample::{Entry, Registers, Stack};
use crate::store::segment::Layout;
use crate::store::trimmed::Trimmed;
use crate::store::{Meta, Modules, Record, clock, comparison, files, folder, lock, segment};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A thread's file that cannot be mapped is read into memory if it has at most this many bytes.
const MOST_UNMAPPED: u64 = 1 << 30;
/// After this many invalid chunks in a row, the rest of a file is given up. Otherwise a damaged file could claim a
/// length that takes hours to read.
const MOST_IN_A_ROW: u64 = 64;

/// The trace of one process.
pub struct Trace {
    /// The folder.
    pub dir: PathBuf,
    /// What was run.
    pub meta: Meta,
    /// Where code was mapped.
    pub modules: Modules,
    /// The threads, by number: in the order in which they were first seen.
    pub threads: Vec<Thread>,
    /// What is known about the process.
    pub state: lock::State,
    /// What the trace lacks on purpose; none if it has all events.
    pub trimmed: Option<Trimmed>,
    /// What could not be opened, one line each; see [`Trace::all_damage`] for the rest.
    pub damage: Vec<String>,
    /// The part that summaries and exports are about; at first the whole.
    pub selection: Selection,
    scale: clock::Scale,
}

/// One thread of a trace.
pub struct Thread {
    /// The number in this trace.
    pub number: u32,
    /// The system's thread id.
    pub tid: u64,
    /// The name as the system has it; may be empty.
    pub name: String,
    /// Events that could not be recorded.
    pub lost: u64,
    /// Whether it ended its file in good order.
    pub finished: bool,
    /// Where it ran, if not on the host.
    pub on_device: Option<OnDevice>,
    /// The file of its samples, if there is one.
    samples: Option<Box<Thread>>,
    bytes: Bytes,
    /// Bytes of the file that hold records.
    end: usize,
    /// Where its chunks are.
    layout: Layout,
    /// Bytes from the file's begin whose records are gone, because a bounded recording has freed them.
    freed: u64,
    /// How many of these bytes make no sense, counted by the last iteration that has reached the end. Relaxed: who
    /// reads the number has joined the thread that has counted.
    senseless: AtomicU64,
}

/// The part of a device that a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnDevice {
    /// The device's number.
    pub device: u64,
    /// 0 for the device's operations (kernels and copies), otherwise the number of one of its threads.
    pub thread: u64,
}

enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// What a thread did at one moment of its time on a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Nanoseconds since the start of the recording.
    pub ns: u64,
    /// The instruction pointer.
    pub address: u64,
    /// The return addresses in the callers, the outermost first. The runtime, if it is among them, and what called the
    /// runtime are left out.
    pub callers: Vec<u64>,
    /// The general registers, where the file has them.
    pub registers: Option<Registers>,
}

/// An event of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Nanoseconds since the start of the recording.
    pub ns: u64,
    /// What happened.
    pub record: Record,
}

impl Trace {
    /// Opens the trace in `dir`. For a folder that holds several traces see [`folder::traces_in`].
    ///
    /// # Errors
    /// If `dir` has no readable `meta.json`. A damaged or missing other file is no error; it is named in `damage`.
    pub fn open(dir: &Path) -> Result<Trace, Error> {
        // Read before the files: a process that has ended by now has written all its data.
        let state = lock::state(dir);
        let meta = Meta::read(dir)?;
        let mut damage = Vec::new();
        let modules = Modules::read(dir).unwrap_or_else(|error| {
            damage.push(error.to_string());
            Modules::default()
        });
        let trimmed = Trimmed::read(dir).unwrap_or_else(|error| {
            damage.push(error.to_string());
            None
        });
        damage.extend(trimmed.iter().flat_map(|trimmed| trimmed.damage.iter().cloned()));
        let mut threads = Vec::new();
        for path in folder::thread_files(dir)? {
            match Thread::open(&path, meta.finished) {
                Ok(thread) => threads.extend(thread),
                Err(error) => damage.push(error.to_string()),
            }
        }
        for thread in &mut threads {
            let path = dir.join(folder::samples_file(thread.number));
            if !path.exists() {
                continue;
            }
            match Thread::open(&path, meta.finished) {
                Ok(samples) => thread.samples = samples.map(Box::new),
                Err(error) => damage.push(error.to_string()),
            }
        }
        threads.sort_by_key(|thread| thread.number);
        let mut trace = Trace {
            dir: dir.to_path_buf(),
            meta,
            modules,
            threads,
            state,
            trimmed,
            damage,
            selection: Selection::default(),
            scale: clock::Scale::new(&clock::Clock::default(), []),
        };
        trace.scale = clock::Scale::new(&trace.meta.clock, trace.threads.iter().flat_map(Thread::pairs));
        // Times are those of rank 0's clock from here on, as far as the ranks have compared their clocks.
        if let Some(correction) = comparison::correction(trace.meta.start_unix_ns, &trace.meta.comparisons) {
            trace.meta.start_unix_ns = correction.start_unix_ns;
            trace.scale = trace.scale.faster(correction.rate);
        }
        for index in 0..trace.threads.len() {
            let first = trace.events(&trace.threads[index]).next();
            if let Some(Record::OnDevice { device, thread }) = first.map(|event| event.record) {
                trace.threads[index].on_device = Some(OnDevice { device, thread });
            }
        }
        for thread in &trace.threads {
            for (file, name) in thread.files() {
                if let Some(line) = file.damage() {
                    trace.damage.push(format!("{name}: {line}"));
                }
            }
        }
        if trace.trimmed.is_none() && trace.threads.iter().any(|thread| thread.freed > 0) {
            let line = "earlier events have been freed, and the summary of the whole run is not stored";
            trace.damage.push(line.to_owned());
        }
        Ok(trace)
    }

    /// The time from which on all threads' events are there; none if none have been freed.
    pub fn kept_from_ns(&self) -> Option<u64> {
        let freed = self.threads.iter().filter(|thread| thread.freed > 0);
        let first = |thread| self.events(thread).next().map(|event| event.ns);
        freed.filter_map(first).max()
    }

    /// The events of a thread in the order of time.
    pub fn events<'a>(&'a self, thread: &'a Thread) -> Events<'a> {
        Events(self.entries(thread))
    }

    /// The samples of a thread in the order of time; none if the run was recorded without samples.
    pub fn samples<'a>(&'a self, thread: &'a Thread) -> Samples<'a> {
        let entries = thread.samples.as_deref().map(|file| self.entries(file));
        Samples { entries, chunk: 0, stack: Stack::default() }
    }

    /// Makes sure that the trace has samples.
    ///
    /// # Errors
    /// [`Error::Lacks`] if it has none.
    pub fn require_samples(&self) -> Result<(), Error> {
        if self.threads.iter().any(|thread| self.samples(thread).next().is_some()) {
            return Ok(());
        }
        let why = match self.meta.sample_rate {
            0 => "it was recorded without them",
            _ => "no thread was on a CPU for long enough",
        };
        Err(Error::Lacks { path: self.dir.clone(), what: format!("has no samples: {why}") })
    }

    fn entries<'a, R>(&self, thread: &'a Thread) -> Entries<'a, R> {
        let chunk = thread.layout.first_kept(thread.freed);
        Entries { thread, scale: self.scale, chunk, decoder: None, senseless: 0, in_a_row: 0, of: PhantomData }
    }

    /// What could not be read, one line each; empty for an undamaged trace. The list is complete after all events have
    /// been read once, because decoding errors show only then.
    pub fn all_damage(&self) -> Vec<String> {
        let files = self.threads.iter().flat_map(Thread::files);
        let senseless = files
            .map(|(file, name)| (file.senseless.load(Ordering::Relaxed), name))
            .filter(|(senseless, _)| *senseless > 0)
            .map(|(senseless, name)| format!("{name}: {senseless} bytes of it are no records"));
        self.damage.iter().cloned().chain(senseless).collect()
    }

    /// For each thread, how many bytes of its file make no sense, as far as its events have been read.
    pub(crate) fn senseless(&self) -> Vec<u64> {
        self.threads.iter().map(|thread| thread.senseless.load(Ordering::Relaxed)).collect()
    }

    /// Takes over what [`Trace::senseless`] has returned for the same files.
    pub(crate) fn set_senseless(&self, counts: &[u64]) {
        for (thread, count) in self.threads.iter().zip(counts) {
            thread.senseless.store(*count, Ordering::Relaxed);
        }
    }

    /// Nanoseconds from the start of the recording until the recorder was ready and the program went on.
    pub fn ready_ns(&self) -> u64 {
        if self.meta.ready_ticks == 0 { 0 } else { self.scale.ns(self.meta.ready_ticks) }
    }

    /// Nanoseconds from the start of the recording to its end; none if it was not ended in good order.
    pub fn end_ns(&self) -> Option<u64> {
        self.meta.finished.then(|| self.scale.ns(self.meta.end_ticks))
    }

    /// As [`end_ns`](Self::end_ns); to the last event if the recording was not ended in good order. Reads all events
    /// then.
    pub fn duration_ns(&self) -> u64 {
        let last = |thread| self.events(thread).last().map_or(0, |event| event.ns);
        self.end_ns().unwrap_or_else(|| self.threads.iter().map(last).max().unwrap_or(0))
    }

    /// Events that could not be recorded, of all threads.
    pub fn lost(&self) -> u64 {
        self.threads.iter().map(|thread| thread.lost).sum()
    }

    /// Whether an address is in the code of the OpenMP runtime, as far as the recorder knew where that was.
    pub fn is_runtime(&self, address: u64) -> bool {
        let (start, end) = self.meta.runtime_code;
        (start..end).contains(&address)
    }

    /// Bytes of records, for progress and for sizes.
    pub fn bytes(&self) -> u64 {
        self.threads.iter().map(|thread| thread.end as u64).sum()
    }
}

impl Thread {
    /// Opens a file. None if its thread has not begun to write the file, or had not when the process ended. In a
    /// `finished` trace, every thread has begun.
    fn open(path: &Path, finished: bool) -> Result<Option<Thread>, Error> {
        let file = files::open(path).map_err(Error::io(path))?;
        // SAFETY: the recorder shortens a file only when its thread has ended and no later than the process; a reader
        // of a trace that is still being recorded reads below the committed length, which never shrinks.
        let bytes = match unsafe { memmap2::Mmap::map(&file) } {
            Ok(map) => Bytes::Mapped(map),
            // Some file systems and empty files cannot be mapped.
            Err(_) => Bytes::Owned(files::read_open(&file, MOST_UNMAPPED).map_err(Error::io(path))?),
        };
        if !finished && segment::Header::is_blank(&bytes) {
            return Ok(None);
        }
        Thread::parse(bytes, finished).map(Some).map_err(|reason| Error::Malformed { path: path.to_path_buf(), reason })
    }

    fn parse(bytes: Bytes, finished: bool) -> Result<Thread, String> {
        let header = segment::Header::read(&bytes)?;
        let begun = finished || header.finished || header.committed > 0;
        if begun && header.committed < segment::HEADER + segment::CHUNK_HEADER as u64 {
            return Err(format!("its header says that {} bytes of it are records", header.committed));
        }
        let end = usize::try_from(header.committed).unwrap_or(usize::MAX).min(bytes.len());
        let segment::Header { number, tid, lost, finished, name, layout, freed, .. } = header;
        Ok(Thread {
            number,
            tid,
            name,
            lost,
            finished,
            on_device: None,
            samples: None,
            bytes,
            end,
            layout,
            freed,
            senseless: AtomicU64::new(0),
        })
    }

    /// The thread's files and their names.
    fn files(&self) -> impl Iterator<Item = (&Thread, String)> {
        let samples = self.samples.as_deref().map(|samples| (samples, folder::samples_file(self.number)));
        std::iter::once((self, folder::thread_file(self.number))).chain(samples)
    }

    /// Bytes of the file that hold records.
    pub fn len(&self) -> usize {
        self.end
    }

    /// Whether the thread recorded nothing.
    pub fn is_empty(&self) -> bool {
        self.end <= segment::HEADER as usize + segment::CHUNK_HEADER
    }

    /// The moments in both clocks that the file holds.
    fn pairs(&self) -> [clock::Pair; 2] {
        segment::Header::read(&self.bytes).unwrap_or_default().pairs
    }

    /// The bytes of chunk `index` are not needed for now: the process need not keep them in memory.
    fn release(&self, index: u64) {
        let (start, length) = self.layout.chunk(index);
        if let Bytes::Mapped(map) = &self.bytes
            && start + length <= map.len() as u64
        {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: nothing writes through the mapping. Bytes that are read again come from the file again. Failure
            // leaves them in memory.
            let _ = unsafe { map.unchecked_advise_range(advice, start as usize, length as usize) };
        }
    }

    /// The bytes of chunk `index` as far as they hold records; `None` past the last.
    fn chunk(&self, index: u64) -> Option<&[u8]> {
        let (start, length) = self.layout.chunk(index);
        let start = start as usize;
        (start < self.end).then(|| &self.bytes[start..self.end.min(start + length as usize)])
    }

    fn damage(&self) -> Option<String> {
        self.cut_off().map(|committed| format!("cut off, {} of {committed} bytes are there", self.bytes.len()))
    }

    /// How many bytes the file should have, if some are missing.
    fn cut_off(&self) -> Option<u64> {
        let committed = segment::Header::read(&self.bytes).map_or(0, |header| header.committed);
        (committed > self.bytes.len() as u64).then_some(committed)
    }
}

/// The events of a thread. Where a chunk's bytes make no sense, the iterator goes on with the next chunk.
pub struct Events<'a>(Entries<'a, Record>);

impl Events<'_> {
    /// Bytes of the thread's file read so far, to the chunk.
    pub fn bytes_read(&self) -> u64 {
        let Entries { thread, chunk, decoder, .. } = &self.0;
        thread.layout.chunk(*chunk).0.min(thread.end as u64)
            - decoder.as_ref().map_or(0, |decoder| decoder.remaining() as u64)
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    #[inline(always)]
    fn next(&mut self) -> Option<Event> {
        self.0.next().map(|(ns, record)| Event { ns, record })
    }
}

/// The samples of a thread. Where a chunk's bytes make no sense, the iterator goes on with the next chunk.
pub struct Samples<'a> {
    entries: Option<Entries<'a, Entry>>,
    /// The chunk that the stack belongs to.
    chunk: u64,
    stack: Stack,
}

impl Iterator for Samples<'_> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let entries = self.entries.as_mut()?;
        loop {
            let (ns, entry) = entries.next()?;
            if std::mem::replace(&mut self.chunk, entries.chunk) != entries.chunk {
                self.stack.clear();
            }
            if let Some(address) = self.stack.take(entry) {
                let (callers, registers) = (self.stack.frames().to_vec(), self.stack.registers().copied());
                return Some(Sample { ns, address, callers, registers });
            }
        }
    }
}

/// The records of a file with their times in nanoseconds.
struct Entries<'a, R> {
    thread: &'a Thread,
    scale: clock::Scale,
    /// The chunk to open next.
    chunk: u64,
    decoder: Option<Decoder<'a>>,
    /// The number of bytes so far that are not records.
    senseless: u64,
    /// The number of invalid chunks in a row, up to here.
    in_a_row: u64,
    of: PhantomData<R>,
}

impl<R: Coded> Iterator for Entries<'_, R> {
    type Item = (u64, R);

    #[inline(always)]
    fn next(&mut self) -> Option<(u64, R)> {
        loop {
            if let Some(decoder) = &mut self.decoder {
                let rest = decoder.rest();
                if let Some((ticks, record)) = R::decode(decoder) {
                    return Some((self.scale.ns(ticks), record));
                }
                self.end_chunk(rest);
            }
            let next = self.thread.chunk(self.chunk).filter(|_| self.in_a_row < MOST_IN_A_ROW);
            let Some(bytes) = next else {
                self.thread.senseless.store(self.senseless + self.given_up(), Ordering::Relaxed);
                return None;
            };
            self.chunk += 1;
            match segment::chunk_begin(bytes) {
                Some(begin) => {
                    self.in_a_row = 0;
                    self.decoder = Some(Decoder::new(&bytes[segment::CHUNK_HEADER..], begin));
                }
                None => {
                    self.in_a_row += 1;
                    self.senseless += if self.is_cut() { 0 } else { bytes.len() as u64 };
                }
            }
        }
    }
}

impl<R> Entries<'_, R> {
    /// The chunk's records are over; `rest` is the remaining part. Zeros fill the part where no record fits.
    #[cold]
    fn end_chunk(&mut self, rest: &[u8]) {
        self.decoder = None;
        if !self.is_cut() && rest.iter().any(|byte| *byte != 0) {
            self.senseless += rest.len() as u64;
        }
        self.thread.release(self.chunk - 1);
    }

    /// Whether the chunk is the last one of a cut-off file. Such a chunk may end anywhere; the damage is reported
    /// already.
    fn is_cut(&self) -> bool {
        self.thread.cut_off().is_some() && self.thread.layout.chunk(self.chunk).0 >= self.thread.end as u64
    }

    /// Skips bytes because too many bytes before them were invalid.
    fn given_up(&self) -> u64 {
        (self.thread.end as u64).saturating_sub(self.thread.layout.chunk(self.chunk).0)
    }
}
