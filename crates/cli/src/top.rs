//! `ferromp top`: where the time of a running program goes, again and again.

mod process;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ferromp_trace::live::{Keep, Patience, Stream};
use ferromp_trace::store::lock;

use crate::args::{Recording, TopArgs};
use crate::failure::Failure;
use crate::screen::{self, Screen};
use crate::trace::Chunks;
use crate::{report, trace};
use view::Views;

/// The time between two looks at a recording, and at the keys.
const LOOK: Duration = Duration::from_millis(50);

/// Shows a process, or a program that it starts. The status of a program is its own.
pub fn perform(args: &TopArgs) -> Result<u8, Failure> {
    match process_id(args) {
        Some(pid) => watch_process(args, pid),
        None => watch_program(args),
    }
}

/// The process that the arguments name, unless they name a program.
fn process_id(args: &TopArgs) -> Option<u32> {
    let [subject] = &args.subject[..] else { return None };
    let pid = subject.to_str()?.parse().ok()?;
    (!Path::new(subject).is_file()).then_some(pid)
}

fn watch_process(args: &TopArgs, pid: u32) -> Result<u8, Failure> {
    let dir = process::recording(pid)?;
    let mut stream = Stream::open(&dir, Keep::All).map_err(report::failure)?;
    let screen = Screen::take(false);
    let mut shown = Shown::new(args.interval, limit(args), screen.as_ref().map(Screen::shown));
    while lock::state(&dir) == lock::State::Runs && !shown.is_over() {
        stream.look(Patience::None);
        shown.watch(std::slice::from_ref(&stream));
        std::thread::sleep(LOOK);
    }
    let ended = !shown.is_over();
    if let Some(screen) = screen {
        screen.release();
    }
    if ended {
        crate::say::note(format_args!("process {pid} has ended"));
    }
    Ok(0)
}

fn watch_program(args: &TopArgs) -> Result<u8, Failure> {
    let screen = Screen::take(true);
    let (interval, left, terminal) = (args.interval, limit(args), screen.as_ref().map(Screen::shown));
    let recording = Recording {
        output: args.output.clone(),
        force: args.force,
        quiet: false,
        no_samples: false,
        clocks: false,
        counters: Vec::new(),
        tool: Vec::new(),
        program: args.subject.clone(),
    };
    trace::record(&recording, "profile", Chunks::Summed, Keep::Nothing, screen.unwrap_or_default(), move || {
        let mut shown = Shown::new(interval, left, terminal);
        Some(Box::new(move |streams| shown.watch(streams)))
    })
}

/// How many views are shown; none without a limit.
fn limit(args: &TopArgs) -> Option<u64> {
    if args.once { Some(1) } else { args.iterations }
}

/// The views that are shown.
struct Shown {
    interval: Duration,
    /// Views that are still to be shown; none without a limit.
    left: Option<u64>,
    next: Instant,
    /// Whether the terminal shows them; none if they are lines.
    terminal: Option<Arc<AtomicBool>>,
    views: Views,
    /// The process that is shown.
    dir: Option<PathBuf>,
}

impl Shown {
    fn new(interval: Duration, left: Option<u64>, terminal: Option<Arc<AtomicBool>>) -> Shown {
        Shown { interval, left, next: Instant::now() + interval, terminal, views: Views::default(), dir: None }
    }

    /// Whether no further view will be shown.
    fn is_over(&self) -> bool {
        self.left == Some(0) || self.terminal.as_ref().is_some_and(|shown| !shown.load(Ordering::Relaxed))
    }

    /// Shows the busiest process of these if it is time for it.
    fn watch(&mut self, streams: &[Stream]) {
        if self.is_over() {
            return;
        }
        if let Some(shown) = self.terminal.as_ref().filter(|_| screen::quits()) {
            screen::hide(shown);
            return;
        }
        let Some(stream) = streams.iter().max_by_key(|stream| stream.events()) else { return };
        if Instant::now() < self.next || stream.events() == 0 {
            return;
        }
        self.next = Instant::now() + self.interval;
        if self.dir.as_deref() != Some(stream.dir()) {
            (self.dir, self.views) = (Some(stream.dir().to_path_buf()), Views::default());
        }
        if !self.views.show(stream, streams.len(), self.terminal.is_some()) {
            return;
        }
        if let Some(left) = &mut self.left {
            *left -= 1;
            if let Some(shown) = self.terminal.as_ref().filter(|_| *left == 0) {
                screen::hide(shown);
            }
        }
    }
}
