//! Follows the recording of one process.

use super::space::{self, Keep, Space};
use super::tail::Tail;
use crate::analysis::{About, Pass, Recording, Summary};
use crate::reader::{Event, Sample};
use crate::selection::Selection;
use crate::store::clock::{Scale, Ticker};
use crate::store::codec::Coded;
use crate::store::lock::{self, Follower};
use crate::store::sample::{Entry, Stack};
use crate::store::segment::{Header, offset};
use crate::store::{Folder, Meta, Record, files, folder};
use crate::{Error, Site};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An event is in its file so much later than its time, at most.
const GRACE: Duration = Duration::from_millis(100);
/// The same while threads wait: they should not wait for long.
const SHORT_GRACE: Duration = Duration::from_millis(20);
/// So many bytes that have been written and not read are worth a reading: those of one thread, and those of all.
const WORTHWHILE: (u64, u64) = (1 << 20, 16 << 20);
/// Both clocks are compared over at least this time, before the length of a tick is settled.
const CALIBRATION: Duration = Duration::from_millis(200);

/// When a look reads events.
///
/// A reading takes a CPU from the program, and the caches of that CPU. Few long readings cost the program less than
/// many short ones, and those after its end cost it nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// At each look: somebody watches.
    None,
    /// When there is much to read, or a thread waits for space.
    Long,
}

/// The analysis of one process's trace, as far as it is recorded.
pub struct Stream {
    dir: PathBuf,
    /// The description at the last look.
    pub meta: Meta,
    keep: Keep,
    /// The folder, if space is freed in it, and its lock, which tells that somebody follows the recording.
    folder: Option<(Folder, Follower)>,
    ticker: Ticker,
    since: Instant,
    /// The length of a tick; none until it is settled. It does not change any more, so that no time goes backwards.
    scale: Option<Scale>,
    threads: Vec<Follow>,
    pass: Pass,
    /// All events up to here have been taken, in nanoseconds.
    reached: u64,
    /// Events that came later than the clock allows.
    late: u64,
    /// What could not be read, one line each.
    damage: Vec<String>,
}

/// One thread.
struct Follow {
    number: u32,
    tid: u64,
    name: String,
    /// The device and its thread, and the index in the pass, once the first record is there.
    begun: Option<Option<(u64, u64)>>,
    index: usize,
    events: Tail<Record>,
    samples: Option<Sampled>,
}

/// A thread's samples.
struct Sampled {
    tail: Tail<Entry>,
    /// The chunk that the stack belongs to.
    chunk: u64,
    stack: Stack,
}

/// What the stream has seen up to a moment.
pub struct View {
    /// The sums.
    pub summary: Summary,
    /// The moment, in nanoseconds since the start of the recording.
    pub ns: u64,
}

impl Stream {
    /// Begins to follow the trace in `dir`.
    ///
    /// # Errors
    /// If the folder has no description yet, or it cannot be read.
    pub fn open(dir: &Path, keep: Keep) -> Result<Stream, Error> {
        let meta = Meta::read(dir)?;
        let folder = match keep {
            Keep::All => None,
            _ => {
                let folder = Folder::open(dir).map_err(Error::io(dir))?;
                let lock = Follower::take(&folder).map_err(folder.error(lock::FOLLOWER))?;
                Some((folder, lock))
            }
        };
        Ok(Stream {
            dir: dir.to_path_buf(),
            keep,
            folder,
            ticker: Ticker::of(meta.clock.source),
            since: Instant::now(),
            scale: None,
            threads: Vec::new(),
            pass: Pass::new(&meta, &Selection::default()),
            reached: 0,
            late: 0,
            damage: Vec::new(),
            meta,
        })
    }

    /// How much of the trace stays.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many events have been taken.
    pub fn events(&self) -> u64 {
        self.pass.events()
    }

    /// Takes the events that are there and certainly older than all that will come, if `patience` says that now is the
    /// time. Returns whether a thread waits for space, so that the next look should follow soon.
    pub fn look(&mut self, patience: Patience) -> bool {
        // In this order: what is written after the time has been taken is younger.
        let now = self.ticker.pair();
        self.discover();
        let waiting = self.threads.iter().filter_map(|thread| thread.events.waits()).min();
        self.look_at_files();
        if patience == Patience::Long && waiting.is_none() && !self.is_worthwhile() {
            return false;
        }
        if self.scale.is_none() && (self.since.elapsed() >= CALIBRATION || waiting.is_some()) {
            self.scale = Some(Scale::new(&self.meta.clock, [now]));
        }
        if let Some(scale) = self.scale {
            let grace = if waiting.is_some() { SHORT_GRACE } else { GRACE };
            let horizon = scale.ns(now.ticks).saturating_sub(grace.as_nanos() as u64);
            let horizon = waiting.map_or(horizon, |ticks| horizon.min(scale.ns(ticks)));
            self.advance(scale, horizon);
        }
        self.free();
        waiting.is_some()
    }

    /// Whether there is much to read, or a thread may soon have to wait for space.
    fn is_worthwhile(&self) -> bool {
        let (of_one, of_all) = match self.keep {
            Keep::Newest(size) => (WORTHWHILE.0.min(size / 32), WORTHWHILE.1.min(size / 4)),
            Keep::All | Keep::Nothing => WORTHWHILE,
        };
        let samples = |thread: &Follow| thread.samples.as_ref().map_or(0, |samples| samples.tail.unread());
        let unread = |thread: &Follow| thread.events.unread().saturating_add(samples(thread));
        self.threads.iter().any(|thread| unread(thread) >= of_one)
            || self.threads.iter().map(unread).fold(0, u64::saturating_add) >= of_all
    }

    /// Takes all events that are still there, of a process that has ended or is given up. What the recording has said
    /// of itself in the end is read anew.
    pub fn complete(&mut self) {
        self.meta = Meta::read(&self.dir).unwrap_or_else(|_| self.meta.clone());
        self.discover();
        self.look_at_files();
        let scale = self.scale.unwrap_or_else(|| {
            Scale::new(&self.meta.clock, self.threads.iter().flat_map(|thread| thread.events.header().pairs))
        });
        self.scale = Some(scale);
        self.advance(scale, u64::MAX);
    }

    /// The summary of all that has been taken, with one row for all sites for which `place` returns the same site.
    pub fn view(&self, place: &mut dyn FnMut(Site) -> Site) -> View {
        let meta = Meta::read(&self.dir).unwrap_or_else(|_| self.meta.clone());
        let threads: Vec<About> = self.in_order().map(Follow::about).collect();
        let lost = self.threads.iter().map(|thread| thread.events.page.get(offset::LOST)).fold(0, u64::saturating_add);
        let is_whole = self.reached == u64::MAX;
        let end_ns = match self.scale {
            Some(scale) if is_whole => meta.finished.then(|| scale.ns(meta.end_ticks)),
            _ => Some(self.reached),
        };
        let ready_ns = self.scale.filter(|_| meta.ready_ticks > 0).map_or(0, |scale| scale.ns(meta.ready_ticks));
        let of = Recording { meta: &meta, lost, ready_ns, end_ns, threads: &threads };
        let summary = self.pass.clone().finish(&of, place);
        View { ns: summary.wall_ns, summary }
    }

    /// How long threads have waited for space, in nanoseconds.
    pub fn waited_ns(&self) -> u64 {
        self.threads.iter().map(|thread| thread.events.page.get(offset::WAITED)).fold(0, u64::saturating_add)
    }

    /// Events that came so late that the sums may differ a little from those of a whole trace.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// What could not be read, one line each.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// Whether parts of the trace have been freed.
    pub fn has_freed(&self) -> bool {
        let samples = |thread: &Follow| thread.samples.as_ref().map_or(0, |samples| samples.tail.freed);
        self.threads.iter().any(|thread| thread.events.freed > 0 || samples(thread) > 0)
    }

    /// The threads that have begun, by their index in the pass.
    fn in_order(&self) -> impl Iterator<Item = &Follow> {
        let mut begun: Vec<&Follow> = self.threads.iter().filter(|thread| thread.begun.is_some()).collect();
        begun.sort_by_key(|thread| thread.index);
        begun.into_iter()
    }

    /// Looks for files that are new.
    fn discover(&mut self) {
        let mut paths = folder::thread_files(&self.dir).unwrap_or_default();
        paths.retain(|path| !self.threads.iter().any(|thread| path.ends_with(folder::thread_file(thread.number))));
        for path in paths {
            match self.tail(&path) {
                Ok(Some((events, header))) => {
                    let (number, tid, name) = (header.number, header.tid, header.name);
                    if path.ends_with(folder::thread_file(number)) {
                        self.threads.push(Follow { number, tid, name, begun: None, index: 0, events, samples: None });
                    }
                }
                Ok(None) => {}
                Err(error) => self.note(&path, &error),
            }
        }
        let (mut new, mut bad) = (Vec::new(), Vec::new());
        for thread in self.threads.iter().filter(|thread| thread.samples.is_none()) {
            let path = self.dir.join(folder::samples_file(thread.number));
            if !path.exists() {
                continue;
            }
            match self.tail(&path) {
                Ok(Some((tail, _))) => new.push((thread.number, tail)),
                Ok(None) => {}
                Err(error) => bad.push((path, error)),
            }
        }
        for (path, error) in bad {
            self.note(&path, &error);
        }
        for (number, tail) in new {
            if let Some(thread) = self.threads.iter_mut().find(|thread| thread.number == number) {
                thread.samples = Some(Sampled { chunk: tail.chunk, tail, stack: Stack::default() });
            }
        }
    }

    fn note(&mut self, path: &Path, error: &std::io::Error) {
        let line = format!("{}: {error}", path.display());
        if !self.damage.contains(&line) {
            self.damage.push(line);
        }
    }

    /// Opens a file; for writing if space is freed in it.
    fn tail<R: Coded>(&self, path: &Path) -> std::io::Result<Option<(Tail<R>, Header)>> {
        let file = match &self.folder {
            Some((folder, _)) => folder.open_made(path)?,
            None => Some(files::open(path)?),
        };
        file.map_or(Ok(None), |file| Tail::open(file, self.folder.is_some()))
    }

    /// Looks how much has been written. A sample from before an event is written before the event.
    fn look_at_files(&mut self) {
        for thread in &mut self.threads {
            thread.events.look();
            if let Some(samples) = &mut thread.samples {
                samples.tail.look();
            }
        }
    }

    /// Takes all events up to `to`, in the order of time.
    fn advance(&mut self, scale: Scale, to: u64) {
        let Stream { threads, pass, late, reached, .. } = self;
        let mut heap = BinaryHeap::new();
        for (at, thread) in threads.iter_mut().enumerate() {
            if let Some(&(ticks, record)) = thread.events.peek() {
                if thread.begun.is_none() {
                    let on_device = match record {
                        Record::OnDevice { device, thread } => Some((device, thread)),
                        _ => None,
                    };
                    (thread.begun, thread.index) = (Some(on_device), pass.threads());
                    pass.add_thread(thread.number, thread.tid, on_device.is_some());
                }
                heap.push(Reverse((scale.ns(ticks), thread.number, at)));
            }
        }
        let mut next_sample = charge(threads, pass, scale, 0);
        while let Some(Reverse((mut ns, number, at))) = heap.pop() {
            if ns > to {
                break;
            }
            let others = heap.peek().map_or((u64::MAX, u32::MAX), |Reverse((ns, number, _))| (*ns, *number));
            loop {
                if next_sample < ns {
                    next_sample = charge(threads, pass, scale, ns);
                }
                let thread = &mut threads[at];
                let Some((_, record)) = thread.events.take() else { break };
                *late += u64::from(ns < *reached);
                pass.event(thread.index, &Event { ns, record });
                let Some(next) = thread.events.peek().map(|(ticks, _)| scale.ns(*ticks)) else { break };
                if next > to || (next, number) > others {
                    heap.push(Reverse((next, number, at)));
                    break;
                }
                ns = next;
            }
        }
        charge(threads, pass, scale, to);
        *reached = to.max(*reached);
    }

    /// Lets the threads know what has been read, and frees what is not to be kept.
    fn free(&mut self) {
        let mut files: Vec<&mut dyn Space> = Vec::new();
        for thread in &mut self.threads {
            files.push(&mut thread.events);
            if let Some(samples) = &mut thread.samples {
                files.push(&mut samples.tail);
            }
        }
        match self.keep {
            Keep::All => return,
            Keep::Newest(most) => space::fit(&mut files, most),
            Keep::Nothing => files.iter_mut().for_each(|file| file.free_all()),
        }
        files.iter().for_each(|file| file.acknowledge());
    }
}

/// Takes the samples from before `ns`. Returns when the next sample of all threads was taken.
fn charge(threads: &mut [Follow], pass: &mut Pass, scale: Scale, ns: u64) -> u64 {
    let mut next = u64::MAX;
    for thread in threads.iter_mut().filter(|thread| thread.begun.is_some()) {
        if let Some(samples) = &mut thread.samples {
            next = next.min(samples.charge(scale, ns, |sample| pass.sample(thread.index, sample)));
        }
    }
    next
}

impl Follow {
    fn about(&self) -> About {
        let device = self.begun.flatten();
        About {
            number: self.number,
            tid: self.tid,
            name: self.name.clone(),
            device: device.map(|(device, _)| device),
            // A device's operations are no thread's.
            is_thread: device.is_none_or(|(_, thread)| thread != 0),
        }
    }
}

impl Sampled {
    /// Passes on the samples from before `ns`. Returns the time of the next sample, or the end of time.
    fn charge(&mut self, scale: Scale, ns: u64, mut to: impl FnMut(&Sample)) -> u64 {
        while let Some(&(ticks, _)) = self.tail.peek() {
            let at = scale.ns(ticks);
            if at >= ns {
                return at;
            }
            if std::mem::replace(&mut self.chunk, self.tail.chunk) != self.tail.chunk {
                self.stack.clear();
            }
            let Some((_, entry)) = self.tail.take() else { break };
            if let Some(address) = self.stack.take(entry) {
                let (callers, registers) = (self.stack.frames().to_vec(), self.stack.registers().copied());
                to(&Sample { ns: at, address, callers, registers });
            }
        }
        u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Trace;
    use crate::store::clock::{self, Clock, Pair};
    use crate::store::{Bound, Modules, Writer, meta};
    use proptest::prelude::*;

    /// One of the records that matter most, about few regions, tasks and locks.
    fn record(kind: u64, number: u64) -> Record {
        let (codeptr, id) = (0x1000 + number % 5 * 16, 1 + number % 6);
        match kind {
            0 => Record::ParallelBegin { parallel: id, task: 1, requested: 2, flags: 0, codeptr },
            1 => Record::ParallelEnd { parallel: id, codeptr },
            2 => Record::ImplicitTaskBegin { parallel: id, task: id + 10, team: 2, index: number % 2, flags: 2 },
            3 => Record::ImplicitTaskEnd { task: id + 10, index: number % 2 },
            4 => Record::TaskCreate { parent: id + 10, task: id + 20, flags: 4, dependences: 0, codeptr },
            5 => Record::TaskSchedule { prior: id + 20, status: 1 + number % 7, next: id + 10 },
            6 => Record::SyncBegin { kind: 1 + number % 9, codeptr },
            7 => Record::SyncEnd { kind: 1 + number % 9 },
            8 => Record::WaitBegin { kind: 1 + number % 9, codeptr },
            9 => Record::WaitEnd { kind: 1 + number % 9 },
            10 => Record::MutexAcquire { kind: 5, wait: id, codeptr },
            11 => Record::MutexAcquired { kind: 5, wait: id },
            12 => Record::MutexReleased { kind: 5, wait: id },
            13 => Record::Function { codeptr, function: 0x9000 + number % 3 },
            14 => Record::WorkBegin { kind: 1 + number % 4, count: number, codeptr },
            _ => Record::WorkEnd { kind: 1 + number % 4 },
        }
    }

    /// A trace without events.
    fn begin(dir: &Path) -> Folder {
        let start = Pair { ticks: 0, ns: 0 };
        let clock = Clock { source: clock::Source::Monotonic, start, later: start };
        let folder = Folder::open(dir).unwrap();
        Meta { format: meta::FORMAT, clock, pid: 7, cpus: 2, ..Meta::default() }.write(&folder).unwrap();
        Modules::default().write(&folder).unwrap();
        folder
    }

    fn writer(folder: &Folder, number: u32, bound: Bound) -> Writer {
        let name = folder::thread_file(number);
        let writer = Writer::prepare(folder, &name, number, "t", Ticker::choose(), 0).unwrap();
        writer.within(bound, true).begin().unwrap()
    }

    fn put(writer: &mut Writer, ns: u64, record: &impl Coded) {
        if writer.is_full() {
            writer.grow().unwrap();
        }
        assert!(writer.record(ns, record));
    }

    const BOUND: Bound = Bound { layout: crate::store::segment::Layout::LEAST, most: u64::MAX };

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

        /// What has been written piece by piece amounts to the same as the whole, whatever it is.
        #[test]
        fn the_stream_and_the_whole_agree(
            events in proptest::collection::vec((0u64..16, any::<u64>(), 0u64..40, 0u32..3), 1..400),
            pieces in 1usize..50,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let folder = begin(dir.path());
            let mut stream = Stream::open(dir.path(), Keep::All).unwrap();
            let scale = Scale::new(&stream.meta.clock, []);
            stream.scale = Some(scale);
            let mut threads: [Option<(Writer, Writer, Stack)>; 3] = [None, None, None];
            let mut now = 0;
            // The thread with the lowest number comes first, as it does in a recording.
            let first = (15, 0, 0, 0);
            for (at, (kind, number, step, thread)) in std::iter::once(first).chain(events).enumerate() {
                now += step;
                let (events, samples, stack) = threads[thread as usize].get_or_insert_with(|| {
                    let file = folder::samples_file(thread);
                    let samples = Writer::prepare(&folder, &file, thread, "t", Ticker::choose(), 0).unwrap();
                    (writer(&folder, thread, BOUND), samples.within(BOUND, false).begin().unwrap(), Stack::default())
                });
                put(events, now, &record(kind, number));
                if number % 3 == 0 {
                    stack.change(&[0x100, 0x200 + number % 4], 0x300, |entry| put(samples, now + 1, &entry));
                }
                if at % pieces == 0 {
                    stream.discover();
                    stream.look_at_files();
                    // Further events may have the same time, time zero too.
                    if let Some(before) = now.checked_sub(1) {
                        stream.advance(scale, before);
                    }
                }
            }
            drop(threads);
            stream.complete();
            let whole = Summary::of(&Trace::open(dir.path()).unwrap(), &mut |_, _| {});
            prop_assert_eq!(stream.view(&mut |site| site).summary, whole);
            prop_assert_eq!(stream.late(), 0);
        }
    }

    #[test]
    fn nobody_watches_so_few_events_wait_for_more() {
        let dir = tempfile::tempdir().unwrap();
        let folder = begin(dir.path());
        let mut stream = Stream::open(dir.path(), Keep::Nothing).unwrap();
        stream.scale = Some(Scale::new(&stream.meta.clock, []));
        let mut thread = writer(&folder, 0, BOUND);
        let mut written = 0;
        let mut write = |count: u64| {
            (written..written + count).for_each(|ns| put(&mut thread, ns, &record(14, ns)));
            written += count;
        };
        write(1000);
        assert!(!stream.look(Patience::Long));
        assert_eq!(stream.events(), 0);
        stream.look(Patience::None);
        assert_eq!(stream.events(), 1000);
        // Each takes at least two bytes.
        write(WORTHWHILE.0 / 2);
        stream.look(Patience::Long);
        assert_eq!(stream.events(), 1000 + WORTHWHILE.0 / 2);
    }

    #[test]
    fn what_is_freed_is_gone_and_what_stays_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let folder = begin(dir.path());
        let mut stream = Stream::open(dir.path(), Keep::Newest(512 << 10)).unwrap();
        let scale = Scale::new(&stream.meta.clock, []);
        stream.scale = Some(scale);
        let mut thread = writer(&folder, 0, BOUND);
        for ns in 0..400_000 {
            put(&mut thread, 100 * ns, &record(10 + ns % 3, ns));
            if ns % 10_000 == 0 {
                stream.discover();
                stream.look_at_files();
                stream.advance(scale, u64::MAX - 1);
                stream.free();
            }
        }
        thread.finish();
        stream.complete();
        assert_eq!(stream.view(&mut |site| site).summary.events, 400_000);
        let path = dir.path().join(folder::thread_file(0));
        let blocks = std::os::unix::fs::MetadataExt::blocks(&path.metadata().unwrap()) * 512;
        assert!(blocks < 1 << 20, "{blocks} bytes are on disk");
        let trace = Trace::open(dir.path()).unwrap();
        let events: Vec<Event> = trace.events(&trace.threads[0]).collect();
        assert!((10_000..200_000).contains(&events.len()), "{}", events.len());
        assert_eq!(events.last().unwrap().ns, 39_999_900);
        assert!(events.windows(2).all(|pair| pair[1].ns - pair[0].ns == 100));
        // Nobody has stored the summary.
        assert_eq!(trace.all_damage().len(), 1, "{:?}", trace.all_damage());
    }
}
