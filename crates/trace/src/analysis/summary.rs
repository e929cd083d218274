//! Computes a [`Summary`] from a trace, in one pass over the events of all threads in the order of time.

use super::Summary;
use super::order::{InOrder, Sink};
use super::pass::{About, Pass, Recording};
use crate::reader::{Event, Samples, Trace};
use crate::{Progress, Site};
use std::iter::Peekable;

impl Summary {
    /// Reads all events of `trace` and sums them up. `progress` gets the bytes read.
    pub fn of(trace: &Trace, progress: Progress<'_>) -> Summary {
        Summary::by_place(trace, progress, &mut |site| site)
    }

    /// As [`Summary::of`], with one row for all sites for which `place` returns the same site. An inlined or unrolled
    /// construct has several return addresses. [`Symbolizer::place`](crate::symbols::Symbolizer::place) goes by
    /// functions of constructs and by lines of the source.
    pub fn by_place(trace: &Trace, progress: Progress<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        // A part may begin or end in a task, so tasks in place come as one only where all of the trace is summed up.
        Summary::with(trace, trace.selection.is_all(), progress, place)
    }

    fn with(
        trace: &Trace,
        tasks_in_place: bool,
        progress: Progress<'_>,
        place: &mut dyn FnMut(Site) -> Site,
    ) -> Summary {
        let mut pass = Pass::new(&trace.meta, &trace.selection);
        for thread in &trace.threads {
            pass.add_thread(thread.number, thread.tid, thread.on_device.is_some());
        }
        let samples = trace.threads.iter().map(|thread| trace.samples(thread).peekable()).collect();
        let mut sums = Sums { pass, samples, next_sample: 0 };
        sums.charge(0);
        std::thread::scope(|scope| {
            let in_order = if tasks_in_place { InOrder::for_sums } else { InOrder::new };
            let events = in_order(trace, scope);
            events.each(&mut sums, &mut |read| progress(read, trace.bytes()));
        });
        progress(trace.bytes(), trace.bytes());
        sums.charge(u64::MAX);
        let threads: Vec<About> = trace.threads.iter().map(about).collect();
        let end_ns = trace.end_ns();
        sums.pass.finish(
            &Recording { meta: &trace.meta, lost: trace.lost(), ready_ns: trace.ready_ns(), end_ns, threads: &threads },
            place,
        )
    }
}

/// The sums while the events are taken.
struct Sums<'a> {
    pass: Pass,
    /// By thread.
    samples: Vec<Peekable<Samples<'a>>>,
    /// When the next sample of all threads was taken.
    next_sample: u64,
}

impl Sums<'_> {
    /// Charges the samples from before a moment.
    #[cold]
    fn charge(&mut self, ns: u64) {
        self.next_sample = u64::MAX;
        for (thread, samples) in self.samples.iter_mut().enumerate() {
            while let Some(sample) = samples.next_if(|sample| sample.ns < ns) {
                self.pass.sample(thread, &sample);
            }
            self.next_sample = self.next_sample.min(samples.peek().map_or(u64::MAX, |sample| sample.ns));
        }
    }
}

impl Sink for Sums<'_> {
    #[inline(always)]
    fn event(&mut self, thread: usize, event: &Event) -> bool {
        if self.pass.is_over(event.ns) {
            return false;
        }
        if self.next_sample < event.ns {
            self.charge(event.ns);
        }
        self.pass.event(thread, event);
        true
    }

    #[inline]
    fn task_in_place(&mut self, thread: usize, create: &Event, times: [u64; 2]) -> bool {
        self.next_sample >= times[1] && self.pass.task_in_place(thread, create, times)
    }
}

fn about(thread: &crate::reader::Thread) -> About {
    About {
        number: thread.number,
        tid: thread.tid,
        name: thread.name.clone(),
        device: thread.on_device.map(|on| on.device),
        // A device's operations are no thread's.
        is_thread: !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::order;
    use super::*;
    use crate::store::{Folder, Meta, Modules, Record, Writer, clock, meta};
    use proptest::prelude::*;

    /// What a thread does next: the kind, a choice, and how long it takes.
    type Step = (u8, u64, u64);

    /// A thread that records.
    struct Thread {
        writer: Writer,
        now: u64,
        task: u64,
        next_task: u64,
        /// Tasks that have been created and not begun.
        waiting: Vec<u64>,
        lock: u64,
    }

    impl Thread {
        fn record(&mut self, step: u64, record: Record) {
            self.now += step;
            assert!(self.writer.record(self.now, &record));
        }

        fn create(&mut self, step: u64, choice: u64) -> u64 {
            self.next_task += 1;
            let flags = if choice.is_multiple_of(7) { 8 } else { 4 };
            let codeptr = 0x1000 + choice % 3;
            let (parent, task) = (self.task, self.next_task);
            self.record(step, Record::TaskCreate { parent, task, flags, dependences: u64::from(choice == 8), codeptr });
            task
        }

        /// Executes a task, and others inside of it.
        fn execute(&mut self, step: u64, task: u64, inside: u64) {
            let outer = std::mem::replace(&mut self.task, task);
            self.record(step % 2, Record::TaskSchedule { prior: outer, status: 7, next: task });
            for _ in 0..inside {
                let inner = self.create(step, inside);
                self.execute(step, inner, inside / 2);
            }
            self.task = outer;
            self.record(step, Record::TaskSchedule { prior: task, status: 1, next: outer });
        }

        fn step(&mut self, (kind, choice, step): Step) {
            let codeptr = 0x2000 + choice;
            match kind {
                0..=4 => {
                    let task = self.create(step, choice);
                    self.execute(step, task, choice / 7);
                }
                5 => {
                    let task = self.create(step, choice);
                    self.waiting.push(task);
                }
                6 => {
                    self.record(step, Record::SyncBegin { kind: 5, codeptr });
                    self.record(step, Record::WaitBegin { kind: 5, codeptr });
                    for task in std::mem::take(&mut self.waiting) {
                        self.execute(step, task, choice / 8);
                    }
                    self.record(step, Record::WaitEnd { kind: 5 });
                    self.record(step, Record::SyncEnd { kind: 5 });
                }
                7 => {
                    let wait = self.lock;
                    self.record(step, Record::MutexAcquire { kind: 5, wait, codeptr });
                    self.record(step, Record::MutexAcquired { kind: 5, wait });
                    if choice > 4 {
                        let task = self.create(step, choice);
                        self.execute(step, task, 0);
                    }
                    self.record(step, Record::MutexReleased { kind: 5, wait });
                }
                8 => {
                    self.record(step, Record::WorkBegin { kind: 1, count: 10, codeptr });
                    let task = self.create(step, choice);
                    self.execute(step, task, 0);
                    self.record(step, Record::WorkEnd { kind: 1 });
                }
                _ => {
                    self.record(step, Record::SyncBegin { kind: 1, codeptr });
                    self.record(step, Record::WaitBegin { kind: 1, codeptr });
                    self.record(step * 20, Record::WaitEnd { kind: 1 });
                    self.record(step, Record::SyncEnd { kind: 1 });
                }
            }
        }

        /// A region that the first thread begins.
        fn region(&mut self, index: u64, team: u64, number: u64, steps: &[Step]) {
            let (parallel, codeptr) = (1 + number, 0x100 + number % 2);
            let task = 100 + number * team + index;
            if index == 0 {
                self.record(1, Record::ParallelBegin { parallel, task: 1, requested: team, flags: 0, codeptr });
            }
            self.record(3, Record::ImplicitTaskBegin { parallel, task, team, index, flags: 2 });
            self.task = task;
            steps.iter().for_each(|step| self.step(*step));
            self.record(1, Record::SyncBegin { kind: 9, codeptr });
            self.record(1, Record::WaitBegin { kind: 9, codeptr });
            for task in std::mem::take(&mut self.waiting) {
                self.execute(2, task, 0);
            }
            self.record(5, Record::WaitEnd { kind: 9 });
            self.record(1, Record::SyncEnd { kind: 9 });
            self.record(1, Record::ImplicitTaskEnd { task, index });
            if index == 0 {
                self.record(2, Record::ParallelEnd { parallel, codeptr });
            }
        }
    }

    /// Writes a trace in which each thread does these steps in each of some regions.
    fn write(folder: &Folder, threads: &[Vec<Step>], regions: u64) {
        let start = clock::Pair { ticks: 0, ns: 0 };
        let clock = clock::Clock { source: clock::Source::Monotonic, start, later: start };
        let meta = Meta { format: meta::FORMAT, clock, pid: 1, finished: true, end_ticks: 1 << 20, ..Meta::default() };
        Modules::default().write(folder).unwrap();
        for (steps, index) in threads.iter().zip(0..) {
            let writer = Writer::create(folder, index as u32, "t", clock::Ticker::choose(), 0).unwrap();
            let next_task = (index + 1) << 20;
            let mut thread = Thread { writer, now: 0, task: 1, next_task, waiting: Vec::new(), lock: 7 };
            for number in 0..regions {
                // All members are in the same region for most of the time.
                thread.now = thread.now.max(number * 400);
                thread.region(index, threads.len() as u64, number, steps);
            }
            thread.writer.finish();
        }
        meta.write(folder).unwrap();
    }

    #[test]
    fn tasks_in_place_are_joined_after_another_thread_has_ended() {
        let dir = tempfile::tempdir().unwrap();
        let tasks = |count| vec![(0, 1, 3); count];
        write(&Folder::open(dir.path()).unwrap(), &[tasks(1000), tasks(1000), tasks(100)], 1);
        let joined = order::joined(&Trace::open(dir.path()).unwrap());
        assert!(joined > 1900, "{joined} of 2100");
    }

    proptest! {
        #[test]
        fn tasks_in_place_make_no_other_sums(
            threads in prop::collection::vec(prop::collection::vec((0u8..10, 0u64..16, 0u64..6), 0..40), 1..4),
            regions in 1u64..4,
        ) {
            let dir = tempfile::tempdir().unwrap();
            write(&Folder::open(dir.path()).unwrap(), &threads, regions);
            let trace = Trace::open(dir.path()).unwrap();
            let sums = |in_place| Summary::with(&trace, in_place, &mut |_, _| {}, &mut |site| site);
            prop_assert_eq!(sums(true), sums(false));
        }
    }
}
