//! The events of all threads in the order of time. Each thread is read ahead by some events, so memory does not grow
//! with the trace. Reading and sorting the events of a long trace takes a thread of its own.

use crate::reader::{Event, Events, Trace};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, Scope};

/// So many events go from the reading thread to the other one at once: as many as the cache next to a CPU holds.
const BATCH: usize = 2048;
/// So many batches may be read before they are needed.
const BATCHES: usize = 8;
/// The bytes of a trace from which on a second thread is worth its creation: some milliseconds of reading.
const LONG: u64 = 1 << 18;

/// The events of a trace with the index of their thread, in the order of time. At the same time, the thread with the
/// lower index comes first.
pub(crate) struct InOrder<'a> {
    source: Source<'a>,
    batch: Batch,
    /// The next event of the batch.
    next: usize,
}

enum Source<'a> {
    Here(Box<Merge<'a>>),
    Beside(Receiver<Batch>),
}

#[derive(Default)]
struct Batch {
    events: Vec<(usize, Event)>,
    /// Bytes of the trace read so far.
    bytes_read: u64,
}

impl<'a> InOrder<'a> {
    /// All events of a trace. The thread that reads a long trace belongs to `scope`; it ends when nobody takes events
    /// any more.
    pub fn new<'scope>(trace: &'a Trace, scope: &'scope Scope<'scope, 'a>) -> InOrder<'a> {
        let beside = || {
            let (sender, receiver) = sync_channel(BATCHES);
            let read = move || {
                let mut merge = Merge::new(trace);
                while let Some(batch) = merge.batch() {
                    if sender.send(batch).is_err() {
                        break;
                    }
                }
            };
            // Without another thread, this one reads.
            let thread = Builder::new().name("ferromp-read".to_owned()).spawn_scoped(scope, read);
            thread.ok().map(|_| Source::Beside(receiver))
        };
        let source = (trace.bytes() >= LONG).then(beside).flatten();
        let source = source.unwrap_or_else(|| Source::Here(Box::new(Merge::new(trace))));
        InOrder { source, batch: Batch::default(), next: 0 }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.batch.bytes_read
    }

    /// Calls a function with the thread and the event of each event, until the function returns false. Events are not
    /// copied.
    pub fn each(&mut self, mut take: impl FnMut(usize, &Event) -> bool, progress: &mut dyn FnMut(u64)) {
        loop {
            for (thread, event) in &self.batch.events[self.next..] {
                self.next += 1;
                if !take(*thread, event) {
                    return;
                }
            }
            progress(self.bytes_read());
            if self.next_batch().is_none() {
                return;
            }
            self.next = 0;
        }
    }

    #[cold]
    fn next_batch(&mut self) -> Option<(usize, Event)> {
        self.batch = match &mut self.source {
            Source::Here(merge) => merge.batch(),
            Source::Beside(batches) => batches.recv().ok(),
        }?;
        self.next = 1;
        self.batch.events.first().copied()
    }
}

impl Iterator for InOrder<'_> {
    type Item = (usize, Event);

    #[inline]
    fn next(&mut self) -> Option<(usize, Event)> {
        match self.batch.events.get(self.next) {
            Some(event) => {
                self.next += 1;
                Some(*event)
            }
            None => self.next_batch(),
        }
    }
}

/// Sorts the events of the threads.
struct Merge<'a> {
    threads: Vec<Thread<'a>>,
    /// The next event's time and the index of each thread but the current one.
    others: BinaryHeap<Reverse<(u64, usize)>>,
    /// The thread with the next event.
    current: Option<usize>,
}

struct Thread<'a> {
    events: Events<'a>,
    /// The next event, which has been decoded to learn its time.
    next: Option<Event>,
}

impl<'a> Merge<'a> {
    fn new(trace: &'a Trace) -> Merge<'a> {
        let mut threads = Vec::with_capacity(trace.threads.len());
        let mut others = BinaryHeap::new();
        for (index, thread) in trace.threads.iter().enumerate() {
            let mut events = trace.events(thread);
            let next = events.next();
            others.extend(next.map(|event| Reverse((event.ns, index))));
            threads.push(Thread { events, next });
        }
        let current = others.pop().map(|Reverse((_, index))| index);
        Merge { threads, others, current }
    }

    /// The next events; none at the end.
    fn batch(&mut self) -> Option<Batch> {
        let mut events = Vec::with_capacity(BATCH);
        while events.len() < BATCH
            && let Some(index) = self.current
        {
            let thread = &mut self.threads[index];
            let first_other = self.others.peek().map_or((u64::MAX, usize::MAX), |Reverse(first)| *first);
            // The thread's events up to the first one of another thread.
            while let Some(event) = thread.next
                && (event.ns, index) <= first_other
                && events.len() < BATCH
            {
                events.push((index, event));
                thread.next = thread.events.next();
            }
            match (thread.next, self.others.peek_mut()) {
                (Some(Event { ns, .. }), Some(mut first)) if (ns, index) > first.0 => {
                    self.current = Some(first.0.1);
                    *first = Reverse((ns, index));
                }
                (None, first) => self.current = first.map(|first| PeekMut::pop(first).0.1),
                _ => {}
            }
        }
        let bytes_read = self.threads.iter().map(|thread| thread.events.bytes_read()).sum();
        (!events.is_empty()).then_some(Batch { events, bytes_read })
    }
}
