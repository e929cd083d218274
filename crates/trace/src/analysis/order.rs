//! The events of all threads in the order of time. Each thread is read ahead by some events, so memory does not grow
//! with the trace. Reading and sorting the events of a long trace takes a thread of its own.
//!
//! # Tasks in place
//!
//! A task that runs where and when it was created has three events in a row: its creation, its start, its end. Nobody
//! else is concerned, so sums need not see in which order these events and those of other threads happened. With
//! [`InOrder::for_sums`], such a task's events come together, at the time of the first. Two things must not happen
//! before the last one:
//!
//! - an event of another thread that tells of more than its own work, tasks and locks ([`is_aside`]): that thread may
//!   begin to wait, and then what all others do at that moment matters;
//! - what only [`Sink::task_in_place`] knows, such as a sample, or that a thread waits already. The sink refuses the
//!   task then, and start and end come when it is their turn.

use super::blame::FEW;
use crate::reader::{Event, Events, Trace};
use crate::store::Record;
use crate::store::task_status::{COMPLETE, SWITCH};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, Scope};

/// So many events go from the reading thread to the other one at once: as many as the cache next to a CPU holds.
const BATCH: usize = 2048;
/// So many batches may be read before they are needed.
const BATCHES: usize = 8;
/// So many events of a thread are decoded at once. The records of one thread repeat themselves, and the CPU foresees
/// that; the order of all threads' events it does not foresee. An event is also copied long after it was decoded: a CPU
/// waits if it copies in larger pieces what it has just written in words. Damage so close behind a part of a trace is
/// told of with the part.
const AHEAD: usize = 64;
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
    /// Batches come from one channel, and go back to be used again through the other one.
    Beside(Receiver<Batch>, Sender<Batch>),
}

/// What takes events for sums.
pub(crate) trait Sink {
    /// Takes the next event of a thread. Returns whether there may be more.
    fn event(&mut self, thread: usize, event: &Event) -> bool;

    /// Takes a task in place: the event in which a thread creates the task, and the times of its start and its end.
    /// Events of other threads that are earlier than these may follow. Returns false if start and end have to come in
    /// their order; then nothing is taken.
    fn task_in_place(&mut self, thread: usize, create: &Event, times: [u64; 2]) -> bool;
}

struct Batch {
    /// As many as a batch has; the first `filled` of them are events.
    items: Box<[Item]>,
    filled: usize,
    /// When the tasks in place among them started and ended, in their order.
    tasks: Vec<[u64; 2]>,
    /// How many of these tasks were refused.
    refused: usize,
    /// Bytes of the trace read so far.
    bytes_read: u64,
}

/// An event in the order of time.
#[derive(Clone)]
struct Item {
    /// The thread's index.
    thread: u32,
    /// Whether the event is the first one of a task in place, and stands for the other two.
    in_place: bool,
    event: Event,
}

impl Batch {
    fn new() -> Batch {
        let none = Item { thread: 0, in_place: false, event: Event { ns: 0, record: Record::ThreadEnd {} } };
        Batch { items: vec![none; BATCH].into(), filled: 0, tasks: Vec::new(), refused: 0, bytes_read: 0 }
    }

    fn is_full(&self) -> bool {
        self.filled == self.items.len()
    }

    /// Adds an event to a batch that is not full.
    #[inline]
    fn add(&mut self, thread: u32, in_place: bool, event: &Event) {
        let item = &mut self.items[self.filled];
        (item.thread, item.in_place) = (thread, in_place);
        item.event = *event;
        self.filled += 1;
    }
}

/// How many tasks of the trace are joined.
#[cfg(test)]
pub(super) fn joined(trace: &Trace) -> usize {
    let (mut merge, mut batch) = (Merge::new(trace, true), Batch::new());
    std::iter::from_fn(|| merge.fill(&mut batch).then_some(batch.tasks.len())).sum()
}

impl<'a> InOrder<'a> {
    /// All events of a trace. The thread that reads a long trace belongs to `scope`; it ends when nobody takes events
    /// any more.
    pub fn new<'scope>(trace: &'a Trace, scope: &'scope Scope<'scope, 'a>) -> InOrder<'a> {
        InOrder::with(trace, scope, false)
    }

    /// As [`new`](Self::new), for [`each`](Self::each) alone: tasks in place come as one.
    pub fn for_sums<'scope>(trace: &'a Trace, scope: &'scope Scope<'scope, 'a>) -> InOrder<'a> {
        InOrder::with(trace, scope, true)
    }

    fn with<'scope>(trace: &'a Trace, scope: &'scope Scope<'scope, 'a>, in_place: bool) -> InOrder<'a> {
        let beside = || {
            let (sender, receiver) = sync_channel(BATCHES);
            let (used, again) = channel();
            let read = move || {
                let mut merge = Merge::new(trace, in_place);
                let mut next = || {
                    let mut batch = again.try_recv().unwrap_or_else(|_| Batch::new());
                    merge.fill(&mut batch).then_some(batch)
                };
                while let Some(batch) = next() {
                    if sender.send(batch).is_err() {
                        break;
                    }
                }
            };
            // Without another thread, this one reads.
            let thread = Builder::new().name("ferromp-read".to_owned()).spawn_scoped(scope, read);
            thread.ok().map(|_| Source::Beside(receiver, used))
        };
        let source = (trace.bytes() >= LONG).then(beside).flatten();
        let source = source.unwrap_or_else(|| Source::Here(Box::new(Merge::new(trace, in_place))));
        InOrder { source, batch: Batch::new(), next: 0 }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.batch.bytes_read
    }

    /// Hands all events to `to`, until it returns false. Events are not copied.
    pub fn each(mut self, to: &mut impl Sink, progress: &mut dyn FnMut(u64)) {
        let mut later = Later::default();
        while self.next_batch().is_some() {
            let mut tasks = self.batch.tasks.iter();
            for &Item { thread, in_place, ref event } in &self.batch.items[..self.batch.filled] {
                let thread = thread as usize;
                if !later.is_empty() && !later.take_until((event.ns, thread), to) {
                    return;
                }
                if in_place && let Some(&times) = tasks.next() {
                    if to.task_in_place(thread, event, times) {
                        continue;
                    }
                    self.batch.refused += 1;
                    later.add_task(thread, event, times);
                }
                if !to.event(thread, event) {
                    return;
                }
            }
            progress(self.bytes_read());
        }
        later.take_until((u64::MAX, usize::MAX), to);
    }

    #[cold]
    fn next_batch(&mut self) -> Option<(usize, Event)> {
        let is_more = match &mut self.source {
            Source::Here(merge) => merge.fill(&mut self.batch),
            Source::Beside(batches, used) => match batches.recv() {
                Ok(batch) => {
                    // At the end of the trace, nobody reads any more.
                    let _ = used.send(std::mem::replace(&mut self.batch, batch));
                    true
                }
                Err(_) => false,
            },
        };
        self.batch.filled = if is_more { self.batch.filled } else { 0 };
        self.next = 1;
        is_more.then(|| self.batch.items[0].parts())
    }
}

impl Iterator for InOrder<'_> {
    type Item = (usize, Event);

    #[inline]
    fn next(&mut self) -> Option<(usize, Event)> {
        match self.batch.items[..self.batch.filled].get(self.next) {
            Some(item) => {
                self.next += 1;
                Some(item.parts())
            }
            None => self.next_batch(),
        }
    }
}

impl Item {
    #[inline]
    fn parts(&self) -> (usize, Event) {
        (self.thread as usize, self.event)
    }
}

/// Events that came before it was their turn, the last one first.
#[derive(Default)]
struct Later(Vec<(usize, Event)>);

impl Later {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the start and the end of a task in place.
    #[inline(never)]
    fn add_task(&mut self, thread: usize, create: &Event, [start, end]: [u64; 2]) {
        let Record::TaskCreate { parent, task, .. } = create.record else { return };
        self.add(
            thread,
            Event { ns: start, record: Record::TaskSchedule { prior: parent, status: SWITCH, next: task } },
        );
        self.add(
            thread,
            Event { ns: end, record: Record::TaskSchedule { prior: task, status: COMPLETE, next: parent } },
        );
    }

    /// Adds an event. Those of one thread are added in their order.
    fn add(&mut self, thread: usize, event: Event) {
        let place = self.0.partition_point(|(other, before)| (before.ns, *other) > (event.ns, thread));
        self.0.insert(place, (thread, event));
    }

    /// Hands over the events up to that of a moment and a thread. Returns false if there may be no more.
    #[inline(never)]
    fn take_until(&mut self, end: (u64, usize), to: &mut impl Sink) -> bool {
        while let Some((thread, event)) = self.0.pop_if(|(thread, event)| (event.ns, *thread) <= end) {
            if !to.event(thread, &event) {
                return false;
            }
        }
        true
    }
}

/// Sorts the events of the threads.
struct Merge<'a> {
    threads: Vec<Thread<'a>>,
    /// The next event's time and the index of each thread but the current one.
    others: BinaryHeap<Reverse<(u64, usize)>>,
    /// The thread with the next event.
    current: Option<usize>,
    /// Whether tasks in place come as one.
    in_place: bool,
    /// Before this moment, each event that has not been handed over is aside.
    aside_until: u64,
}

struct Thread<'a> {
    events: Events<'a>,
    /// The next events from `next` on, and none after the thread's last one.
    ahead: Box<[Option<Event>; AHEAD]>,
    next: usize,
    /// Which of them are not aside, a bit for each. The last one counts as such: nothing is known of what follows.
    not_aside: u64,
}

const _: () = assert!(AHEAD == u64::BITS as usize, "a bit for each event");

/// Whether an event is about the work, the tasks or the locks of its thread alone: it neither begins nor ends a wait
/// for others, a region or a part of one.
#[inline]
pub(super) fn is_aside(record: &Record) -> bool {
    matches!(
        record,
        Record::TaskCreate { .. }
            | Record::TaskSchedule { .. }
            | Record::WorkBegin { .. }
            | Record::WorkEnd { .. }
            | Record::MaskedBegin { .. }
            | Record::MaskedEnd {}
            | Record::MutexAcquire { .. }
            | Record::MutexAcquired { .. }
            | Record::MutexReleased { .. }
    )
}

impl<'a> Thread<'a> {
    fn new(events: Events<'a>) -> Thread<'a> {
        let mut thread = Thread { events, ahead: Box::new([None; AHEAD]), next: 0, not_aside: 0 };
        thread.decode();
        thread
    }

    /// Decodes the next events.
    #[inline(never)]
    fn decode(&mut self) {
        self.next = 0;
        let (mut not_aside, mut bit) = (1 << (AHEAD - 1), 1);
        for slot in self.ahead.iter_mut() {
            *slot = self.events.next();
            let Some(event) = slot else {
                // What the slots behind it have is of an earlier decoding.
                not_aside |= bit;
                break;
            };
            not_aside |= if is_aside(&event.record) { 0 } else { bit };
            bit <<= 1;
        }
        self.not_aside = not_aside;
    }

    /// The time of the next event that is not aside, or that is the last one known. None if there is none.
    fn aside_until(&self) -> Option<u64> {
        let first = (self.not_aside >> self.next).trailing_zeros() as usize;
        let place = (self.next + first).min(AHEAD - 1);
        self.ahead[place].as_ref().map(|event| event.ns)
    }

    /// When the task starts and ends that the next event creates, if both are known to follow.
    #[inline]
    fn task_in_place(&self) -> Option<[u64; 2]> {
        let [Some(create), Some(start), Some(end)] = self.ahead.get(self.next..self.next + 3)? else { return None };
        match (create.record, start.record, end.record) {
            (
                Record::TaskCreate { parent, task, dependences: 0, .. },
                Record::TaskSchedule { prior, status: SWITCH, next },
                Record::TaskSchedule { prior: ended, status: COMPLETE, next: after },
            ) if (prior ^ parent) | (next ^ task) | (ended ^ task) | (after ^ parent) == 0 => Some([start.ns, end.ns]),
            _ => None,
        }
    }

    /// The next event.
    #[inline]
    fn peek(&self) -> Option<&Event> {
        self.ahead[self.next % AHEAD].as_ref()
    }

    /// Hands over the events up to a moment, as many as fit into a batch. With `to_task`, only those before the
    /// creation of a task; returns the moment of the creation then.
    #[inline]
    fn hand_over(&mut self, index: usize, until: u64, to_task: bool, batch: &mut Batch) -> Option<u64> {
        while let Some(event) = self.peek()
            && event.ns <= until
            && !batch.is_full()
        {
            if to_task && matches!(event.record, Record::TaskCreate { .. }) {
                return Some(event.ns);
            }
            batch.add(index as u32, false, event);
            self.advance();
        }
        None
    }

    /// Hands over the next event, which creates a task. If it is a task in place, with the times of start and end, the
    /// event stands for the next two as well.
    #[inline]
    fn hand_over_task(&mut self, index: usize, task: Option<[u64; 2]>, batch: &mut Batch) {
        if let Some(event) = self.peek() {
            batch.add(index as u32, task.is_some(), event);
        }
        if let Some(times) = task {
            batch.tasks.push(times);
            self.next += 2;
        }
        self.advance();
    }

    /// Goes on to the event after the next one.
    #[inline]
    fn advance(&mut self) {
        self.next += 1;
        if self.next == AHEAD {
            self.decode();
        }
    }
}

impl<'a> Merge<'a> {
    fn new(trace: &'a Trace, in_place: bool) -> Merge<'a> {
        let threads: Vec<Thread> = trace.threads.iter().map(|thread| Thread::new(trace.events(thread))).collect();
        let first = |(index, thread): (usize, &Thread)| thread.peek().map(|event| Reverse((event.ns, index)));
        let mut others: BinaryHeap<_> = threads.iter().enumerate().filter_map(first).collect();
        let current = others.pop().map(|Reverse((_, index))| index);
        // Of a larger team, all that its members do is needed at once.
        let in_place = in_place && threads.len() <= FEW as usize;
        Merge { threads, others, current, in_place, aside_until: 0 }
    }

    /// Whether no event from this moment to the end of a task in place is other than aside.
    #[inline]
    fn are_aside(&mut self, from: u64, end: u64) -> bool {
        // The moment is that of an event, so while the event has not been handed over it is right.
        if end >= self.aside_until && from >= self.aside_until {
            self.aside_until = self.threads.iter().filter_map(Thread::aside_until).min().unwrap_or(u64::MAX);
        }
        end < self.aside_until
    }

    /// Fills a batch with the next events. Returns whether there are any.
    fn fill(&mut self, batch: &mut Batch) -> bool {
        // If most tasks were refused lately, as where a thread waits for long, the next batch has none.
        let in_place = self.in_place && batch.refused <= batch.tasks.len() / 2;
        (batch.filled, batch.refused) = (0, 0);
        batch.tasks.clear();
        while !batch.is_full()
            && let Some(index) = self.current
        {
            // The thread's events up to the first one of another thread.
            let until = self
                .others
                .peek()
                .map_or(u64::MAX, |Reverse((ns, other))| ns.saturating_sub(u64::from(index > *other)));
            while let Some(ns) = self.threads[index].hand_over(index, until, in_place, batch) {
                // The next event creates a task.
                let task = self.threads[index].task_in_place();
                let task = task.filter(|&[_, end]| end <= until || self.are_aside(ns, end));
                self.threads[index].hand_over_task(index, task, batch);
            }
            let thread = &self.threads[index];
            match (thread.peek(), self.others.peek_mut()) {
                (Some(&Event { ns, .. }), Some(mut first)) if (ns, index) > first.0 => {
                    self.current = Some(first.0.1);
                    *first = Reverse((ns, index));
                }
                (None, first) => self.current = first.map(|first| PeekMut::pop(first).0.1),
                _ => {}
            }
        }
        batch.bytes_read = self.threads.iter().map(|thread| thread.events.bytes_read()).sum();
        batch.filled > 0
    }
}
