//! One pass over a trace for the formats that show slices: the events of all threads in the order of time, as slices of
//! threads, operations of devices, and samples. Memory does not grow with the trace. Everything is about the part of
//! the trace that is selected: what crosses an edge of the window is cut there.

use super::known::Known;
use super::shown::Shown;
use super::slices::{Details, Open, Sink, Title, Track};
use crate::analysis::InOrder;
use crate::reader::{Event, Sample, Samples, Trace};
use crate::selection::Selection;
use crate::site::Functions;
use crate::store::Record;
use crate::{Progress, Site};
use std::collections::VecDeque;
use std::io::Result;
use std::iter::Peekable;

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 14;
/// So many events are read before the slices are made of the first of them. A region may seem to begin after the parts
/// of its threads, because clocks of two CPUs may differ by some nanoseconds.
const AHEAD: usize = 1024;

/// An operation that a device has carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The device's number.
    pub device: u64,
    /// Its begin, nanoseconds since the start of the recording.
    pub begin_ns: u64,
    /// Its end.
    pub end_ns: u64,
    /// The host's number of the operation; 0 if the host gave none.
    pub op: u64,
    /// `ompt_target_data_op_t`; 0 for a kernel.
    pub kind: u64,
    /// Bytes of data, teams of a kernel.
    pub amount: u64,
    /// The construct that has requested the operation; without addresses if it is not known.
    pub site: Site,
}

impl Operation {
    /// Whether it is a kernel, and not an operation on data.
    pub fn is_kernel(&self) -> bool {
        self.kind == 0
    }
}

/// Takes what a walk finds. Threads are named by their index in [`Trace::threads`]. Times are nanoseconds since the
/// start of the recording; those of one thread never run backwards.
pub trait Visitor {
    /// A slice begins inside the slices of the thread that are open.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()>;

    /// The thread's innermost open slice ends.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn end(&mut self, thread: usize, ns: u64) -> Result<()>;

    /// Something without duration.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn instant(&mut self, _thread: usize, _ns: u64, _title: Title, _details: Details) -> Result<()> {
        Ok(())
    }

    /// A device has carried out an operation. Operations come in the order in which devices report them.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn operation(&mut self, operation: Operation) -> Result<()>;

    /// An event of the part, before the slices that follow from it. `site` is the construct that begins with it.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn event(&mut self, _thread: usize, _event: &Event, _site: Site) -> Result<()> {
        Ok(())
    }

    /// Whether [`Visitor::sample`] is to be called.
    fn wants_samples(&self) -> bool {
        false
    }

    /// A sample of a thread, while exactly those slices are open that the thread was in. `ns` is the time of the
    /// sample, or, if that is earlier, the latest time at which the slices may end: a worker may report the end of its
    /// region late.
    ///
    /// # Errors
    /// What the walk is to end with.
    fn sample(&mut self, _thread: usize, _ns: u64, _sample: &Sample) -> Result<()> {
        Ok(())
    }
}

/// One file of the trace.
enum Source<'a> {
    Thread(Box<Thread<'a>>),
    /// The operations of the device with this number.
    Device(u64),
}

struct Thread<'a> {
    track: Track,
    shown: Shown,
    samples: Option<Peekable<Samples<'a>>>,
}

/// Reads a trace once, and calls `to` for what is in the part that is selected.
///
/// # Errors
/// Those of `to`.
pub fn walk(trace: &Trace, to: &mut impl Visitor, progress: Progress<'_>) -> Result<()> {
    let devices = trace.threads.iter().any(|thread| thread.on_device.is_some());
    let edges = trace.selection.edges();
    let mut walk = Walk {
        selection: &trace.selection,
        edges,
        last: trace.duration_ns().min(edges.1).max(edges.0),
        known: Known::new(trace.threads.len(), devices),
        sources: sources(trace, to.wants_samples()),
    };
    std::thread::scope(|scope| -> Result<()> {
        let mut events = InOrder::new(trace, scope);
        let mut functions: Vec<Functions> = trace.threads.iter().map(|_| Functions::default()).collect();
        let mut ahead: VecDeque<(usize, Event, Site)> = VecDeque::with_capacity(AHEAD + 1);
        let mut count = 0u64;
        while let Some((index, event)) = events.next() {
            // Devices tell late what they did.
            if event.ns > walk.edges.1 && !devices {
                break;
            }
            let site = functions[index].site(&event.record);
            walk.known.ahead(&event, site, walk.last);
            ahead.push_back((index, event, site));
            if ahead.len() > AHEAD
                && let Some((index, event, site)) = ahead.pop_front()
            {
                walk.take(index, &event, site, to)?;
            }
            count += 1;
            if count.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
        }
        ahead.into_iter().try_for_each(|(index, event, site)| walk.take(index, &event, site, to))
    })?;
    walk.finish(to)?;
    progress(trace.bytes(), trace.bytes());
    Ok(())
}

fn sources(trace: &Trace, samples: bool) -> Vec<Source<'_>> {
    let source = |thread| match thread {
        &crate::reader::Thread { on_device: Some(on), .. } if on.thread == 0 => Source::Device(on.device),
        thread => {
            let samples = samples.then(|| trace.samples(thread).peekable());
            Source::Thread(Box::new(Thread { track: Track::default(), shown: Shown::default(), samples }))
        }
    };
    trace.threads.iter().map(source).collect()
}

struct Walk<'a> {
    selection: &'a Selection,
    /// Begin and end of the window.
    edges: (u64, u64),
    /// The end of the part.
    last: u64,
    known: Known,
    sources: Vec<Source<'a>>,
}

impl Walk<'_> {
    fn take(&mut self, index: usize, event: &Event, site: Site, to: &mut impl Visitor) -> Result<()> {
        match &mut self.sources[index] {
            Source::Device(device) => {
                let device = *device;
                let found = self.operation(device, event);
                found.map_or(Ok(()), |operation| to.operation(operation))
            }
            Source::Thread(thread) => {
                if event.ns > self.edges.1 {
                    return Ok(());
                }
                thread.samples_before(event.ns, index, self.selection, to)?;
                let before = event.ns < self.edges.0;
                let selected = thread.shown.is_inside(self.selection);
                self.known.take(index, &event.record, site, selected);
                if !before {
                    thread.shown.begin_pending(self.edges.0, &mut Of { index, to })?;
                }
                if selected && !before {
                    // A worker may report the end of its region late.
                    let ns = event.ns.min(thread.track.limit());
                    to.event(index, &Event { ns, ..*event }, site)?;
                }
                let mut sink = Of { index, to };
                let mut only = thread.shown.only(self.selection, (self.edges, before), &self.known, &mut sink);
                thread.track.event(*event, site, &self.known, &mut only)?;
                if let Record::ParallelEnd { parallel, .. } = event.record {
                    // Workers may report the end of their part later. Their part ends here.
                    for inside in self.known.end_region(parallel) {
                        if let Source::Thread(thread) = &mut self.sources[inside] {
                            thread.track.region_ends(parallel, event.ns);
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// The operation that a device's record is about, as far as it is in the part.
    fn operation(&mut self, device: u64, event: &Event) -> Option<Operation> {
        let Record::Operation { op, kind, amount, late, length } = event.record else { return None };
        let requested = self.known.take_operation(op);
        let end_ns = event.ns.saturating_sub(late);
        let begin_ns = end_ns.saturating_sub(length);
        let (from, to) = self.edges;
        let outside = self.selection.window.is_some() && (end_ns <= from || begin_ns >= to);
        if outside || (self.selection.regions.is_some() && !requested.selected) {
            return None;
        }
        let (begin_ns, end_ns) = (begin_ns.clamp(from, to), end_ns.clamp(from, to));
        Some(Operation { device, begin_ns, end_ns, op, kind, amount, site: requested.site })
    }

    /// Closes what is open at the end of the part.
    fn finish(&mut self, to: &mut impl Visitor) -> Result<()> {
        for (index, source) in self.sources.iter_mut().enumerate() {
            if let Source::Thread(thread) = source {
                thread.samples_before(u64::MAX, index, self.selection, to)?;
                let mut sink = Of { index, to };
                let when = (self.edges, false);
                let mut only = thread.shown.only(self.selection, when, &self.known, &mut sink);
                thread.track.finish(self.last, &mut only)?;
            }
        }
        Ok(())
    }
}

impl Thread<'_> {
    /// Hands on the samples of the part that were taken before a moment.
    fn samples_before(&mut self, ns: u64, index: usize, selection: &Selection, to: &mut impl Visitor) -> Result<()> {
        let Some(samples) = &mut self.samples else { return Ok(()) };
        let (from, until) = selection.edges();
        while let Some(sample) = samples.next_if(|sample| sample.ns < ns) {
            if (from..until).contains(&sample.ns) && self.shown.is_inside(selection) {
                self.shown.begin_pending(from, &mut Of { index, to })?;
                to.sample(index, sample.ns.min(self.track.limit()), &sample)?;
            }
        }
        Ok(())
    }
}

/// The slices of one thread.
struct Of<'a, V> {
    index: usize,
    to: &'a mut V,
}

impl<V: Visitor> Sink for Of<'_, V> {
    fn begin(&mut self, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        self.to.begin(self.index, ns, open, title, details)
    }

    fn end(&mut self, ns: u64) -> Result<()> {
        self.to.end(self.index, ns)
    }

    fn instant(&mut self, ns: u64, title: Title, details: Details) -> Result<()> {
        self.to.instant(self.index, ns, title, details)
    }
}
