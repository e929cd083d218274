//! Follows the recordings of a run while its processes run: reads their events, and frees what is not to be kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ferromp_trace::live::{Keep, Patience, Stream};
use ferromp_trace::store::{BOUND_VARIABLE, folder, lock};

use crate::env::Changes;
use crate::failure::Failure;

/// The time between two looks at the recordings.
const INTERVAL: Duration = Duration::from_millis(50);
/// The same while threads wait for space.
const SHORT_INTERVAL: Duration = Duration::from_millis(2);
/// The time between two looks for processes that have begun or ended.
const PROCESSES: Duration = Duration::from_millis(500);
/// The analysis gives way to the program's threads: the system's scale goes from 0 to 19.
const NICE: libc::c_int = 5;

/// The recorder's variable that bounds what it writes.
pub fn bound(keep: Keep) -> Changes {
    const MIB: u64 = 1 << 20;
    let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64);
    let (chunk, most) = match keep {
        Keep::All => return Vec::new(),
        Keep::Newest(size) => (size / 32, (size / 4 / cpus).min(64 * MIB)),
        Keep::Nothing => (MIB, 4 * MIB),
    };
    vec![(BOUND_VARIABLE, format!("{chunk}:{most}").into())]
}

/// Is called with the recordings after each look at them. Without one, events are read when there are many.
pub type Watch = Option<Box<dyn FnMut(&[Stream])>>;

/// Nobody watches.
pub fn unwatched() -> Watch {
    None
}

/// The thread that follows the recordings.
pub struct Follower {
    thread: JoinHandle<Vec<String>>,
    over: Arc<AtomicBool>,
}

impl Follower {
    /// Follows all recordings in the folder `output`. What `watch` makes is called after each look.
    pub fn start(output: &Path, keep: Keep, watch: impl FnOnce() -> Watch + Send + 'static) -> Result<Self, Failure> {
        let over = Arc::new(AtomicBool::new(false));
        let (output, seen) = (output.to_path_buf(), over.clone());
        let thread = std::thread::Builder::new().name("follow".into()).spawn(move || {
            // SAFETY: plain system calls. On Linux, the priority is this thread's alone.
            unsafe { libc::setpriority(libc::PRIO_PROCESS, libc::syscall(libc::SYS_gettid) as libc::id_t, NICE) };
            follow(&output, keep, &seen, watch())
        });
        let thread = thread.map_err(|error| Failure::new(format!("cannot follow the recording: {error}")))?;
        Ok(Self { thread, over })
    }

    /// The program has ended: stores what its recordings amount to. Returns what went wrong, one line each.
    pub fn end(self) -> Vec<String> {
        self.over.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_else(|_| vec!["the recording could not be followed to its end".into()])
    }
}

fn follow(output: &Path, keep: Keep, over: &AtomicBool, mut watch: Watch) -> Vec<String> {
    let patience = if watch.is_some() { Patience::None } else { Patience::Long };
    let (mut streams, mut known, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut processes: Option<Instant> = None;
    loop {
        let last = over.load(Ordering::Acquire);
        let due = processes.is_none_or(|at| at.elapsed() >= PROCESSES);
        // The first process is looked for all the time: its program may be short.
        if due || last || streams.is_empty() {
            processes = Some(Instant::now());
            begin(output, keep, &mut streams, &mut known);
        }
        let waits = streams.iter_mut().fold(false, |waits, stream: &mut Stream| stream.look(patience) | waits);
        if let Some(watch) = &mut watch {
            watch(&streams);
        }
        if last {
            break;
        }
        if due && streams.len() > 1 {
            // Children that have ended are stored at once, so that their number does not matter.
            for mut stream in streams.extract_if(.., |stream| lock::state(stream.dir()) == lock::State::Ended) {
                store(&mut stream, &mut problems);
            }
        }
        std::thread::park_timeout(if waits { SHORT_INTERVAL } else { INTERVAL });
    }
    streams.iter_mut().for_each(|stream| store(stream, &mut problems));
    problems
}

/// Looks for recordings that have begun.
fn begin(output: &Path, keep: Keep, streams: &mut Vec<Stream>, known: &mut Vec<PathBuf>) {
    for dir in folder::traces_in(output).unwrap_or_default() {
        if known.contains(&dir) {
            continue;
        }
        // A recording that has just begun has no description yet.
        if let Ok(stream) = Stream::open(&dir, keep) {
            streams.push(stream);
            known.push(dir);
        }
    }
}

fn store(stream: &mut Stream, problems: &mut Vec<String>) {
    match stream.store() {
        Ok(false) => {}
        Ok(true) => {
            problems.push(format!("process {} still runs; what it does from now on is not recorded", stream.meta.pid));
        }
        Err(error) => problems.push(error.to_string()),
    }
}
