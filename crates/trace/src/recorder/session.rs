//! The recording of the process as a whole: its folder, its description, and the code that it has mapped. The session
//! is used when recording starts and ends, when a thread first records, and when code appears that was not mapped
//! before.

use super::samples::{self, Sampler, unwind};
use super::{age, counting};
use crate::counters::{Counter, Counters};
use crate::escape;
use crate::store::clock::{self, Clock, Ticker};
use crate::store::comparison::Comparison;
use crate::store::limits::{self, Quota};
use crate::store::lock::Lock;
use crate::store::nodes;
use crate::store::{
    BOUND_VARIABLE, Bound, CHUNKS_VARIABLE, DIR_VARIABLE, Folder, Meta, Modules, Writer, files, folder, meta, modules,
};
use std::collections::HashSet;
use std::io::{ErrorKind, Write as _, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Threads get ids in blocks. Otherwise all threads would contend for one counter at each region or task.
const ID_BLOCK: u64 = 4096;
/// The first estimate of the clock's rate is over at least this time.
const CALIBRATION: Duration = Duration::from_millis(1);

/// How often the mappings are read again, at most, because samples meet unknown code.
const MOST_REREADS: u32 = 16;

/// Constructs whose callers are recorded.
const MOST_CONSTRUCTS: usize = 10_000;

/// How many processes with the same pid may record into one folder.
const MOST_NAMESAKES: u32 = 999;

/// The session that records; null before the first, after a fork, and never freed.
static CURRENT: AtomicPtr<Session> = AtomicPtr::new(std::ptr::null_mut());
/// In a forked child: the parent's session, whose description the child's starts from.
static FORKED: AtomicPtr<Session> = AtomicPtr::new(std::ptr::null_mut());
/// Set once recording has ended.
static ENDED: AtomicBool = AtomicBool::new(false);

/// The recording of one process.
pub struct Session {
    folder: Folder,
    /// The lock that says that this process runs, as long as it has files of the trace mapped. None on systems without
    /// locks.
    lock: Option<Lock>,
    ticker: Ticker,
    /// When the session had begun, in ticks.
    ready_ticks: u64,
    /// The bound of the threads' files, if another process follows the recording.
    bound: Option<Bound>,
    /// The quota of the process's control groups, which counts how long it has held the process back.
    quota: Option<Quota>,
    /// The description at the start of the run. The rest is added at the end.
    begun: Meta,
    next_thread: AtomicU32,
    /// Held while a thread's file is opened: hundreds of threads that begin at once take one file descriptor, not
    /// hundreds.
    opening: Mutex<()>,
    next_id: AtomicU64,
    /// The constructs that threads have come to, as long as they are not too many.
    encountered: Mutex<HashSet<(u64, u64)>>,
    /// Threads that could not be recorded at all.
    missed_threads: AtomicU32,
    /// Threads whose samples could not be recorded, or not to their end.
    missed_samples: AtomicU32,
    /// The counters of each thread.
    counters: Vec<Counter>,
    /// Threads whose counters could not be recorded, or not to their end.
    missed_counters: AtomicU32,
    /// The events that the runtime does not always deliver, as `(event, answer)`.
    unavailable: Mutex<Vec<(String, String)>>,
    /// What the ranks have found out about the process's clock.
    comparisons: Mutex<Vec<Comparison>>,
    /// `(number, type)`.
    devices: Mutex<Vec<(i32, String)>>,
    modules: Mutex<Known>,
    /// Held while the description is written.
    describing: Mutex<()>,
    complained: AtomicBool,
}

/// Code that the session knows of.
struct Known {
    modules: Modules,
    /// Pages that belong to no mapped file, such as code made at run time.
    strange: Vec<u64>,
    /// Images of devices, by their address in the program, and their copies.
    images: Vec<(usize, PathBuf)>,
    /// The tables that handlers of samples unwind by.
    tables: unwind::Files,
    /// How often the mappings are read again for code in samples. Programs that make code would have it done for ever.
    rereads: u32,
}

impl Known {
    /// Lets handlers of samples know the modules.
    fn unwind(&mut self, rate: u32) {
        if rate > 0 {
            unwind::know(&self.modules, &mut self.tables);
        }
    }
}

impl Session {
    /// Starts recording into the folder that the environment names. `cpus` is the number of CPUs that the runtime may
    /// use, if it says.
    ///
    /// # Errors
    /// If the folder cannot be made; the text names it.
    pub fn start(ticker: Ticker, runtime: &str, omp_version: u32, cpus: Option<u32>) -> Result<(), String> {
        let cpus = cpus.unwrap_or_else(cpus_of_this_thread);
        let arguments = std::fs::read("/proc/self/cmdline").unwrap_or_default();
        let arguments = arguments.strip_suffix(&[0]).unwrap_or(&arguments);
        let program = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
        let begun = Meta {
            argv: arguments.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect(),
            hostname: folder::hostname(),
            rank: folder::mpi_rank(),
            ranks: folder::mpi_ranks(),
            cpus,
            cpus_online: limits::cpus_online(),
            openmp_environment: openmp_environment(),
            runtime: runtime.to_owned(),
            omp_version,
            program,
            ..Meta::default()
        };
        let wanted = std::env::var(DIR_VARIABLE).ok().filter(|name| !name.is_empty());
        let mut dir = match &wanted {
            Some(name) => folder::expand(name, &begun.hostname, std::process::id(), begun.rank),
            None => folder::default_name(&begun.program, std::process::id()),
        };
        // Each rank gets its own folder. All ranks of a run have the same name, unless the name has a placeholder for
        // the rank.
        if let (Some(name), Some(rank)) = (&wanted, begun.rank)
            && !name.contains("%r")
            && !name.contains("%p")
        {
            dir = format!("{dir}/{}", folder::rank_folder(rank));
        }
        Session::open(Path::new(&dir), ticker, begun, 1).map_err(|problem| escape::line(&problem).into_owned())
    }

    /// Makes the folder and puts the session in place.
    fn open(dir: &Path, ticker: Ticker, begun: Meta, first_id: u64) -> Result<(), String> {
        let started = Instant::now();
        let start = ticker.pair();
        let before_ns = age::of_this_process();
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
        let folder = claim(dir)?;
        let modules = Modules::of_this_process();
        let quota = Quota::of_this_process();
        let (counters, names) = counting::wanted();
        while started.elapsed() < CALIBRATION {
            std::hint::spin_loop();
        }
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let later = ticker.pair();
        let begun = Meta {
            format: meta::FORMAT,
            sample_rate: samples::start(),
            each_chunk: std::env::var_os(CHUNKS_VARIABLE).is_some_and(|value| value == "1"),
            pid: std::process::id(),
            before_ns,
            start_unix_ns: (since_1970.as_nanos() as u64).saturating_sub(later.ns - start.ns),
            clock: Clock { source: ticker.source(), start, later },
            counters: names,
            nodes: nodes::of_cpus(),
            cpu_quota: quota.as_ref().map(|quota| quota.cpus),
            throttled_before: quota.as_ref().and_then(Quota::throttled),
            ..begun
        };
        if let Err(error) = begun.write(&folder).and_then(|()| modules.write(&folder)) {
            // Without a description there is no trace.
            for name in [modules::FILE, meta::FILE] {
                let _ = folder.remove(name);
            }
            let _ = std::fs::remove_dir(folder.path());
            return Err(error.to_string());
        }
        let (images, tables) = (Vec::new(), unwind::Files::default());
        let mut known = Known { modules, strange: Vec::new(), images, tables, rereads: 0 };
        known.unwind(begun.sample_rate);
        // The lock comes last, so that hardly any fork falls between the lock and the session; a child finds the lock
        // through the session. No threads' files exist yet, so the lock protects nothing before. A trace without a lock
        // is valid, but its reserved space is never given back.
        let lock = Lock::take(&folder).ok();
        let session = Session {
            folder,
            lock,
            ready_ticks: ticker.pair().ticks,
            ticker,
            bound: std::env::var(BOUND_VARIABLE).ok().and_then(|text| Bound::parse(&text)),
            quota,
            begun,
            next_thread: AtomicU32::new(0),
            opening: Mutex::default(),
            next_id: AtomicU64::new(first_id),
            encountered: Mutex::default(),
            missed_threads: AtomicU32::new(0),
            missed_samples: AtomicU32::new(0),
            counters,
            missed_counters: AtomicU32::new(0),
            unavailable: Mutex::default(),
            comparisons: Mutex::default(),
            devices: Mutex::default(),
            modules: Mutex::new(known),
            describing: Mutex::default(),
            complained: AtomicBool::new(false),
        };
        // Never freed: threads use it until the process is gone.
        CURRENT.store(Box::leak(Box::new(session)), Ordering::Release);
        Ok(())
    }

    /// The session that records now. In a forked child this starts one of its own.
    pub fn current() -> Option<&'static Session> {
        if ENDED.load(Ordering::Relaxed) {
            return None;
        }
        // SAFETY: null or a session that was leaked.
        let current = unsafe { CURRENT.load(Ordering::Acquire).as_ref() };
        current.or_else(Session::after_fork)
    }

    /// In the child of a fork, on its only thread: from here on nothing may touch the parent's files.
    pub fn forked() {
        let parent = CURRENT.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: null or a session that was leaked.
        if let Some(session) = unsafe { parent.as_ref() } {
            session.lock.iter().for_each(Lock::give_up_in_child);
            FORKED.store(parent, Ordering::Release);
        }
    }

    /// The child of a fork uses OpenMP: it records into a folder of its own.
    #[cold]
    fn after_fork() -> Option<&'static Session> {
        // Only one thread takes the parent's session. Another thread that comes at the same time loses its event.
        // SAFETY: null or a session that was leaked. Its locks are not touched: a thread that the child does not have
        // may have held them.
        let parent = unsafe { FORKED.swap(std::ptr::null_mut(), Ordering::AcqRel).as_ref()? };
        let dir = parent.dir().join(format!("process-{}", std::process::id()));
        let begun = Meta { forked_from: Some(parent.begun.pid), ..parent.begun.clone() };
        let first_id = parent.next_id.load(Ordering::Relaxed);
        if let Err(problem) = Session::open(&dir, parent.ticker, begun, first_id) {
            let problem = escape::line(&problem);
            // If standard error cannot be written, the line is lost.
            let _ =
                writeln!(stderr(), "ferromp: trace: {problem}; nothing is recorded of process {}", std::process::id());
            ENDED.store(true, Ordering::Relaxed);
        }
        // SAFETY: as in `current`.
        unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        self.folder.path()
    }

    /// The number of the next thread.
    pub fn number_thread(&self) -> u32 {
        self.next_thread.fetch_add(1, Ordering::Relaxed)
    }

    /// Makes the calling thread's file. No event in it may be older than `begin`, in ticks.
    pub fn open_thread(&self, number: u32, begin: u64) -> std::io::Result<Writer> {
        self.open_file(number, &thread_name(), begin)
    }

    /// What the calling thread, with this number, needs to be sampled. `now` is in ticks.
    pub fn sampler(&'static self, number: u32, now: u64) -> Option<Box<Sampler>> {
        let file = folder::samples_file(number);
        let writer = || {
            let writer = Writer::prepare(&self.folder, &file, number, &thread_name(), self.ticker, now)?;
            Ok(self.bound.into_iter().fold(writer, |writer, bound| writer.within(bound, false)))
        };
        Sampler::new(&self.missed_samples, writer, self.ticker, now)
    }

    /// Makes a file for a thread of this name.
    pub fn open_file(&self, number: u32, name: &str, begin: u64) -> std::io::Result<Writer> {
        let _one_at_a_time = lock(&self.opening);
        let writer = Writer::prepare(&self.folder, &folder::thread_file(number), number, name, self.ticker, begin)?;
        self.bound.into_iter().fold(writer, |writer, bound| writer.within(bound, true)).begin()
    }

    /// The rate of the recorder's clock at the start: both clocks at two moments.
    pub fn clock(&self) -> Clock {
        self.begun.clock
    }

    /// Whether each chunk of a worksharing loop has a record.
    pub fn each_chunk(&self) -> bool {
        self.begun.each_chunk
    }

    /// Opens the counters of the calling thread, if there are any.
    pub fn counters(&self) -> Option<Counters> {
        counting::of_this_thread(&self.counters, || self.miss_counters())
    }

    /// The counters of a thread could not be recorded, or not to their end.
    pub fn miss_counters(&self) {
        self.missed_counters.fetch_add(1, Ordering::Relaxed);
    }

    /// A block of new ids for one thread: the first and one past the last.
    pub fn id_block(&self) -> (u64, u64) {
        let first = self.next_id.fetch_add(ID_BLOCK, Ordering::Relaxed);
        (first, first + ID_BLOCK)
    }

    /// Whether no thread has come to this construct before. False if the constructs are too many.
    pub fn is_first_at(&self, codeptr: u64, function: u64) -> bool {
        let mut encountered = lock(&self.encountered);
        encountered.len() < MOST_CONSTRUCTS && encountered.insert((codeptr, function))
    }

    /// A thread could not be recorded at all.
    pub fn miss_thread(&self) {
        self.missed_threads.fetch_add(1, Ordering::Relaxed);
    }

    /// The mapping of the code at `address`.
    pub fn code_at(&self, address: u64) -> Option<std::ops::Range<u64>> {
        lock(&self.modules).modules.find(address).map(|module| module.start..module.end)
    }

    /// Samples have met unknown code: reads the mappings again.
    pub fn learn_all(&self) {
        let mut known = lock(&self.modules);
        if known.rereads < MOST_REREADS {
            known.rereads += 1;
            known.modules.merge(Modules::of_this_process());
            known.unwind(self.begun.sample_rate);
            if let Err(error) = known.modules.write(&self.folder) {
                self.complain(&error.to_string());
            }
        }
    }

    /// Prints once, in one line, why something is missing from the trace.
    pub fn complain(&self, problem: &str) {
        if !self.complained.swap(true, Ordering::Relaxed) {
            let problem = escape::line(problem);
            let rest = "the program goes on, its further events are lost and counted";
            // If standard error cannot be written, the line is lost.
            let _ = writeln!(stderr(), "ferromp: trace: {problem}; {rest}");
        }
    }

    /// Makes sure that the code at `address` is among the modules, and reads the mappings again if it is not.
    pub fn learn(&self, address: u64) {
        let mut known = lock(&self.modules);
        let page = address >> 12;
        if known.modules.find(address).is_some() || known.strange.contains(&page) {
            return;
        }
        known.modules.merge(Modules::of_this_process());
        if known.modules.find(address).is_none() {
            known.strange.push(page);
            return;
        }
        known.unwind(self.begun.sample_rate);
        if let Err(error) = known.modules.write(&self.folder) {
            self.complain(&error.to_string());
        }
    }

    /// A device has loaded code at `address`. Keeps a copy of the code in the folder, because its file may have no
    /// name, and may be gone after the program's end.
    pub fn keep_image(&self, address: u64, image: &[u8]) {
        let mut known = lock(&self.modules);
        let file = match known.images.iter().find(|(kept, _)| *kept == image.as_ptr() as usize) {
            Some((_, file)) => file.clone(),
            None => {
                let name = format!("image-{}.so", known.images.len());
                let file = self.dir().join(&name);
                let made = files::fits_limit(image.len() as u64).and_then(|()| self.folder.create(&name));
                if let Err(error) = made.and_then(|mut file| file.write_all(image)) {
                    self.complain(&format!("cannot write {}: {error}", file.display()));
                    return;
                }
                known.images.push((image.as_ptr() as usize, file.clone()));
                file
            }
        };
        let mut now = Modules::of_this_process();
        now.stands_for(address, &file);
        known.modules.merge(now);
        if let Err(error) = known.modules.write(&self.folder) {
            self.complain(&error.to_string());
        }
    }

    /// Notes an event that the runtime does not deliver each time.
    pub fn note_unavailable(&self, event: &str, answer: &str) {
        lock(&self.unavailable).push((event.to_owned(), answer.to_owned()));
    }

    /// The time by the recording's clock, in nanoseconds since 1970-01-01 UTC: steps of the system's clock after the
    /// start leave it alone.
    pub fn unix_ns(&self) -> u64 {
        self.begun.start_unix_ns + clock::monotonic_ns().saturating_sub(self.begun.clock.start.ns)
    }

    /// Notes what the ranks have found out about the process's clock: how much it is ahead of rank 0's, the error, and
    /// how many different clocks there are.
    pub fn note_comparison(&self, offset_ns: i64, error_ns: u64, clocks: u32) {
        let at_unix_ns = self.unix_ns();
        lock(&self.comparisons).push(Comparison { at_unix_ns, offset_ns, error_ns, clocks });
        self.describe();
    }

    /// Notes a device.
    pub fn note_device(&self, number: i32, kind: &str) {
        let mut devices = lock(&self.devices);
        if !devices.iter().any(|(known, _)| *known == number) {
            devices.push((number, kind.to_owned()));
        }
    }

    /// Writes the facts about the runtime that were learned since the start.
    pub fn describe(&self) {
        self.write_meta(self.begun.clone());
    }

    /// Ends recording in good order.
    pub fn end() {
        if ENDED.swap(true, Ordering::Relaxed) {
            return;
        }
        // This does not call `current`: a forked child that only exits gets no trace. SAFETY: null or a session that
        // was leaked.
        let Some(session) = (unsafe { CURRENT.load(Ordering::Acquire).as_ref() }) else { return };
        // What the recorder does from here on is not the program's time.
        let later = session.ticker.pair();
        let mut known = lock(&session.modules);
        known.modules.merge(Modules::of_this_process());
        if let Err(error) = known.modules.write(&session.folder) {
            session.complain(&error.to_string());
        }
        let clock = Clock { later, ..session.begun.clock };
        let throttled_after = session.quota.as_ref().and_then(Quota::throttled);
        let (ready_ticks, end_ticks) = (session.ready_ticks, later.ticks);
        let begun = session.begun.clone();
        session.write_meta(Meta { clock, ready_ticks, end_ticks, finished: true, throttled_after, ..begun });
    }

    fn write_meta(&self, meta: Meta) {
        let (unavailable, devices) = (lock(&self.unavailable).clone(), lock(&self.devices).clone());
        let comparisons = lock(&self.comparisons).clone();
        let missed_threads = self.missed_threads.load(Ordering::Relaxed);
        let runtime_code = samples::runtime_code();
        let missed_samples = self.missed_samples.load(Ordering::Relaxed);
        let missed_counters = self.missed_counters.load(Ordering::Relaxed);
        let _one_at_a_time = lock(&self.describing);
        if let Err(error) = (Meta {
            unavailable,
            devices,
            comparisons,
            missed_threads,
            missed_samples,
            missed_counters,
            runtime_code,
            ..meta
        })
        .write(&self.folder)
        {
            self.complain(&error.to_string());
        }
    }
}

/// Creates `dir` and takes it for this process. If another process records there, this process takes `process-<pid>`
/// inside it. If another process has that pid as well, it takes `process-<pid>-2` and so on, because each pid namespace
/// has its own numbers.
fn claim(dir: PathBuf) -> Result<Folder, String> {
    let inner = dir.join(format!("process-{}", std::process::id()));
    let more = (2..=MOST_NAMESAKES).map(|count| dir.join(format!("process-{}-{count}", std::process::id())));
    for dir in [dir.clone(), inner].into_iter().chain(more) {
        let problem = |what: &Path, error| format!("cannot create {}: {error}", what.display());
        std::fs::create_dir_all(&dir).map_err(|error| problem(&dir, error))?;
        let folder = Folder::open(&dir).map_err(|error| problem(&dir, error))?;
        match folder.create(meta::FILE) {
            Ok(_) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(problem(&dir.join(meta::FILE), error)),
        }
    }
    Err("the trace folder is taken by other processes".into())
}

/// The CPUs that the calling thread may use. They are fewer than the process's if the runtime has bound the thread.
fn cpus_of_this_thread() -> u32 {
    // SAFETY: plain calls; a set of zeros is a valid one.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set) as u32,
            _ => 0,
        }
    }
}

/// The variables of the environment that decide on threads and schedules, as far as they are set.
fn openmp_environment() -> Vec<(String, String)> {
    let names = [
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "OMP_PLACES",
        "OMP_SCHEDULE",
        "OMP_WAIT_POLICY",
        "OMP_DYNAMIC",
        "OMP_MAX_ACTIVE_LEVELS",
        "OMP_THREAD_LIMIT",
    ];
    let set = |name: &str| Some((name.to_owned(), std::env::var_os(name)?.to_string_lossy().into_owned()));
    names.into_iter().filter_map(set).collect()
}

/// The calling thread's name as the system has it.
fn thread_name() -> String {
    let mut name = [0u8; 16];
    // SAFETY: the call writes at most 16 bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    String::from_utf8_lossy(&name[..length]).into_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
