//! The time of the part of a trace that is selected. It runs within the window, and only while a selected region does.
//! What crosses an edge is cut there by that alone, because nothing lasts while the clock stands.

use crate::Site;
use crate::reader::Event;
use crate::selection::Selection;
use crate::store::Record;
use rustc_hash::FxHashSet;

/// The time of a part, while the events of all threads are read in the order of time.
#[derive(Clone)]
pub(crate) struct Clock {
    pub selection: Selection,
    from: u64,
    to: u64,
    /// Up to here, in the trace's time, `now` is right.
    real: u64,
    /// The time of the part.
    now: u64,
    opened: bool,
    /// The selected regions that run, by their ids.
    running: FxHashSet<u64>,
    threads: Vec<Before>,
}

/// What the clock knows of a thread: moments in the trace's time.
#[derive(Clone, Copy, Default)]
struct Before {
    /// The last reading of what the thread has used, also in the time of the part.
    usage: (u64, u64),
    /// The last reading of counters, likewise, and which share of the time before it counts.
    counters: (u64, u64, f64),
    /// The begin of the last worksharing construct.
    work: u64,
}

impl Clock {
    /// For a trace of so many threads.
    pub fn new(selection: &Selection, threads: usize) -> Clock {
        let ((from, to), selection) = (selection.edges(), selection.clone());
        let threads = vec![Before::default(); threads];
        Clock { selection, from, to, real: from, now: 0, opened: false, running: FxHashSet::default(), threads }
    }

    /// A further thread.
    pub fn add_thread(&mut self) {
        self.threads.push(Before::default());
    }

    /// Whether nothing after this moment belongs to the window.
    #[inline]
    pub fn is_past(&self, ns: u64) -> bool {
        ns > self.to
    }

    /// Whether the window begins between the last moment and this one, so that what was counted before does not count.
    #[inline]
    pub fn opens(&mut self, ns: u64) -> bool {
        let opens = !self.opened && ns >= self.from;
        self.opened |= opens;
        opens && self.from > 0
    }

    /// The time of the part at this moment of the trace's time. Moments come in the order of time.
    #[inline]
    pub fn advance(&mut self, ns: u64) -> u64 {
        if self.selection.is_all() {
            return ns;
        }
        let real = ns.clamp(self.from, self.to).max(self.real);
        let passed = real - std::mem::replace(&mut self.real, real);
        if self.selection.regions.is_none() || !self.running.is_empty() {
            self.now = self.now.saturating_add(passed);
        }
        self.now
    }

    /// How long the window lasts so far, whatever is selected in it. For what devices do at times of their own.
    pub fn in_window(&self, ns: u64) -> u64 {
        ns.clamp(self.from, self.to) - self.from
    }

    /// The event in the time of the part. What a record says of a time before itself is cut in proportion.
    #[inline]
    pub fn cut(&mut self, thread: usize, event: Event) -> Event {
        if self.selection.is_all() {
            return event;
        }
        let ns = self.advance(event.ns);
        let before = &mut self.threads[thread];
        let record = match event.record {
            Record::Usage { .. } => {
                let (real, now) = std::mem::replace(&mut before.usage, (event.ns, ns));
                scaled(event.record, share(ns.saturating_sub(now), event.ns.saturating_sub(real)))
            }
            Record::Counter { .. } => {
                let (real, now, _) = before.counters;
                if real != event.ns {
                    let share = share(ns.saturating_sub(now), event.ns.saturating_sub(real));
                    before.counters = (event.ns, ns, share);
                }
                scaled(event.record, before.counters.2)
            }
            Record::WorkBegin { .. } => {
                before.work = event.ns;
                event.record
            }
            Record::Chunks { .. } | Record::ChunkLengths { .. } => {
                let begin = before.work;
                let inside = self.in_window(event.ns) - self.in_window(begin.min(event.ns));
                scaled(event.record, share(inside, event.ns.saturating_sub(begin)))
            }
            Record::Section { ns: length, .. } => {
                let inside = self.in_window(event.ns) - self.in_window(event.ns.saturating_sub(length));
                scaled(event.record, share(inside, length))
            }
            record => record,
        };
        Event { ns, record }
    }

    /// As [`cut`](Self::cut), for what devices report: only the window counts. None if an operation of a device is
    /// outside.
    pub fn cut_of_device(&self, event: Event) -> Option<Event> {
        let ns = self.in_window(event.ns);
        let Record::Operation { op, kind, amount, late, length } = event.record else {
            return Some(Event { ns, record: event.record });
        };
        let end = event.ns.saturating_sub(late);
        let begin = end.saturating_sub(length);
        if self.selection.window.is_some() && (end <= self.from || begin >= self.to) {
            return None;
        }
        let (begin, end) = (self.in_window(begin), self.in_window(end));
        let record = Record::Operation { op, kind, amount, late: ns.saturating_sub(end), length: end - begin };
        Some(Event { ns, record })
    }

    /// Takes an event after it has been cut, with the construct that begins with it.
    pub fn note(&mut self, record: &Record, site: Site) {
        match record {
            Record::ParallelBegin { parallel, .. } if self.selection.names(site) => {
                self.running.insert(*parallel);
            }
            Record::ParallelEnd { parallel, .. } => drop(self.running.remove(parallel)),
            _ => {}
        }
    }
}

/// A part of a whole; all if the whole is nothing.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { (part as f64 / whole as f64).min(1.0) }
}

/// A record of which only a share is in the window.
fn scaled(record: Record, share: f64) -> Record {
    if share >= 1.0 {
        return record;
    }
    let part = |value: u64| (value as f64 * share).round() as u64;
    match record {
        Record::Usage { cpu_ns, voluntary, involuntary, minor_faults, major_faults, cpu } => Record::Usage {
            cpu_ns: part(cpu_ns),
            voluntary: part(voluntary),
            involuntary: part(involuntary),
            minor_faults: part(minor_faults),
            major_faults: part(major_faults),
            cpu,
        },
        Record::Chunks { chunks, iterations, largest, total_ns, min_ns, max_ns } => Record::Chunks {
            chunks: part(chunks),
            iterations: part(iterations),
            largest,
            total_ns: part(total_ns),
            min_ns: min_ns.min(part(total_ns)),
            max_ns: max_ns.min(part(total_ns)),
        },
        Record::ChunkLengths { octave, chunks } => Record::ChunkLengths { octave, chunks: part(chunks) },
        Record::Counter { counter, value, share } => Record::Counter { counter, value: part(value), share },
        Record::Section { section, count, ns } => Record::Section { section, count, ns: part(ns) },
        record => record,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Regions, Window};

    fn window(from_ns: u64, to_ns: u64) -> Selection {
        Selection { window: Some(Window { from_ns, to_ns }), regions: None }
    }

    #[test]
    fn time_runs_in_the_window() {
        let selection = window(100, 200);
        let mut clock = Clock::new(&selection, 1);
        let at = |clock: &mut Clock, ns| (clock.opens(ns), clock.advance(ns), clock.is_past(ns));
        assert_eq!(at(&mut clock, 50), (false, 0, false));
        assert_eq!(at(&mut clock, 120), (true, 20, false));
        assert_eq!(at(&mut clock, 110), (false, 20, false));
        assert_eq!(at(&mut clock, 200), (false, 100, false));
        assert_eq!(at(&mut clock, 900), (false, 100, true));
    }

    #[test]
    fn time_runs_while_a_selected_region_does() {
        let regions = Regions { sites: [Site::from(8)].into_iter().collect(), names: Vec::new() };
        let selection = Selection { regions: Some(regions), ..window(0, 150) };
        let mut clock = Clock::new(&selection, 1);
        for (ns, parallel, codeptr) in [(10, 1, 8), (20, 2, 9), (140, 3, 8)] {
            clock.advance(ns);
            let begin = Record::ParallelBegin { parallel, task: 0, requested: 2, flags: 0, codeptr };
            clock.note(&begin, codeptr.into());
            clock.advance(ns + 5);
            clock.note(&Record::ParallelEnd { parallel, codeptr }, Site::default());
        }
        assert_eq!(clock.advance(u64::MAX), 10);
    }

    #[test]
    fn records_about_the_time_before_are_cut_in_proportion() {
        let selection = window(100, 200);
        let mut clock = Clock::new(&selection, 1);
        let usage = |ns, cpu_ns| {
            let record =
                Record::Usage { cpu_ns, voluntary: 4, involuntary: 0, minor_faults: 0, major_faults: 0, cpu: 3 };
            Event { ns, record }
        };
        clock.cut(0, usage(50, 0));
        let Record::Usage { cpu_ns, voluntary, cpu, .. } = clock.cut(0, usage(150, 80)).record else { panic!() };
        assert_eq!((cpu_ns, voluntary, cpu), (40, 2, 3));
        let operation = |ns, late, length| {
            clock.cut_of_device(Event { ns, record: Record::Operation { op: 1, kind: 0, amount: 0, late, length } })
        };
        assert_eq!(operation(120, 30, 20), None);
        let cut = operation(150, 10, 80).unwrap();
        assert_eq!(cut.record, Record::Operation { op: 1, kind: 0, amount: 0, late: 10, length: 40 });
        assert_eq!(cut.ns, 50);
    }
}
