//! The events of all threads in the order of time. One thread at a time is read ahead by one event, so memory does not
//! grow with the trace.

use crate::reader::{Event, Events, Trace};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// The events of a trace with the index of their thread, in the order of time. At the same time, the thread with the
/// lower index comes first.
pub(crate) struct InOrder<'a> {
    threads: Vec<Thread<'a>>,
    /// The next event's time and the index of each thread but the current one.
    others: BinaryHeap<Reverse<(u64, usize)>>,
    /// The thread with the next event.
    current: Option<usize>,
}

struct Thread<'a> {
    events: Events<'a>,
    next: Option<Event>,
}

impl<'a> InOrder<'a> {
    pub fn new(trace: &'a Trace) -> InOrder<'a> {
        let mut threads: Vec<Thread<'_>> =
            trace.threads.iter().map(|thread| Thread { events: trace.events(thread), next: None }).collect();
        let mut others = BinaryHeap::new();
        for (index, thread) in threads.iter_mut().enumerate() {
            thread.next = thread.events.next();
            others.extend(thread.next.map(|event| Reverse((event.ns, index))));
        }
        let current = others.pop().map(|Reverse((_, index))| index);
        InOrder { threads, others, current }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.threads.iter().map(|thread| thread.events.bytes_read()).sum()
    }
}

impl Iterator for InOrder<'_> {
    type Item = (usize, Event);

    #[inline]
    fn next(&mut self) -> Option<(usize, Event)> {
        let index = self.current?;
        let thread = &mut self.threads[index];
        let event = thread.next.take()?;
        thread.next = thread.events.next();
        match (thread.next, self.others.peek_mut()) {
            (Some(next), Some(mut first)) if (next.ns, index) > first.0 => {
                self.current = Some(first.0.1);
                *first = Reverse((next.ns, index));
            }
            (None, first) => self.current = first.map(|first| PeekMut::pop(first).0.1),
            _ => {}
        }
        Some((index, event))
    }
}
