//! A progress bar on stderr for long operations, if stderr is a terminal. Short operations show nothing.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// An operation that takes less time shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// A bar for one operation. It vanishes when dropped.
pub struct Progress {
    bar: ProgressBar,
    since: Instant,
}

impl Progress {
    /// Starts a bar for one operation; `doing` stands before the bar, such as "reading".
    pub fn new(doing: &'static str) -> Self {
        Self::with(doing, "{msg} [{bar:30}] {percent}% {bytes} of {total_bytes}, {eta} left")
    }

    /// As [`Progress::new`], for an operation on traces instead of bytes.
    pub fn of_traces(doing: &'static str) -> Self {
        Self::with(doing, "{msg} [{bar:30}] {percent}% {pos} of {len} traces, {eta} left")
    }

    fn with(doing: &'static str, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(template).expect("a template of known keys").progress_chars("=> "));
        bar.set_message(doing);
        Self { bar, since: Instant::now() }
    }

    /// Sets the bar to `done` of `total` bytes or traces.
    pub fn update(&mut self, done: u64, total: u64) {
        if self.since.elapsed() < PATIENCE {
            return;
        }
        let first = self.bar.length().is_none();
        self.bar.set_length(total);
        self.bar.set_position(done);
        if first {
            // Draws only if stderr is a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
