//! Slices as intervals: each with its begin, its end, and the part of its time that no slice inside it has.

use super::slices::{Details, Open, Title};
use crate::Site;

/// A slice that has ended.
#[derive(Clone)]
pub struct Interval {
    /// Nanoseconds since the start of the recording.
    pub begin_ns: u64,
    /// Not before the begin.
    pub end_ns: u64,
    /// The duration without that of the slices directly inside.
    pub self_ns: u64,
    /// How many slices are around it.
    pub depth: usize,
    /// What was open.
    pub open: Open,
    /// Its title.
    pub title: Title,
    /// What else is said of it.
    pub details: Details,
    /// The innermost parallel region around it or that it is: the id and the construct.
    pub region: Option<(u64, Site)>,
}

impl Interval {
    /// Nanoseconds from begin to end.
    pub fn duration_ns(&self) -> u64 {
        self.end_ns - self.begin_ns
    }

    /// Whether the thread waits for others: in a synchronising construct, or for a lock or a region with exclusion.
    pub fn is_wait(&self) -> bool {
        matches!(self.open, Open::Wait(_) | Open::Acquire)
    }
}

/// The open slices of the threads.
pub struct Intervals {
    open: Vec<Vec<Interval>>,
}

impl Intervals {
    /// For so many threads.
    pub fn new(threads: usize) -> Intervals {
        Intervals { open: (0..threads).map(|_| Vec::new()).collect() }
    }

    /// A slice of a thread begins.
    pub fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) {
        let stack = &mut self.open[thread];
        let region = match open {
            Open::Parallel(parallel) | Open::Implicit(parallel) => Some((parallel, title.site)),
            _ => stack.last().and_then(|around| around.region),
        };
        let depth = stack.len();
        stack.push(Interval { begin_ns: ns, end_ns: ns, self_ns: 0, depth, open, title, details, region });
    }

    /// The innermost slice of a thread ends. Returns the slice; none if none is open.
    pub fn end(&mut self, thread: usize, ns: u64) -> Option<Interval> {
        let stack = &mut self.open[thread];
        let mut interval = stack.pop()?;
        interval.end_ns = ns.max(interval.begin_ns);
        // While a slice is open, the time is the sum of the slices inside.
        interval.self_ns = interval.duration_ns().saturating_sub(interval.self_ns);
        if let Some(around) = stack.last_mut() {
            around.self_ns = around.self_ns.saturating_add(interval.duration_ns());
        }
        Some(interval)
    }

    /// The open slices of a thread, the outermost first. Their ends and times are not known yet.
    pub fn open(&self, thread: usize) -> &[Interval] {
        &self.open[thread]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title() -> Title {
        Title { name: "it".into(), site: Site::default(), category: "test" }
    }

    #[test]
    fn time_is_that_of_one_slice_alone() {
        let mut intervals = Intervals::new(1);
        for (ns, open) in [(10, Open::Parallel(7)), (20, Open::Masked), (25, Open::Chunk)] {
            intervals.begin(0, ns, open, title(), Details::default());
        }
        let mut end = |ns| intervals.end(0, ns).map(|it| (it.depth, it.duration_ns(), it.self_ns, it.region));
        let region = Some((7, Site::default()));
        assert_eq!(end(30), Some((2, 5, 5, region)));
        assert_eq!(end(40), Some((1, 20, 15, region)));
        assert_eq!(end(110), Some((0, 100, 80, region)));
        assert_eq!(end(120), None);
    }
}
