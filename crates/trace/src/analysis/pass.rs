//! The state of an analysis while the events of all threads are taken in the order of time. Damaged traces give odd
//! numbers but no panic, hence the saturating arithmetic.

use super::collected::{Collected, LockSum};
use super::samples::Charged;
use super::serial::Serial;
use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Summary, ThreadRow, loops};
use crate::Site;
use crate::reader::{Event, Sample};
use crate::site::Functions;
use crate::store::{Meta, Record};
use rustc_hash::FxHashMap;

/// What the events so far amount to. A copy can be finished while the original goes on.
#[derive(Clone)]
pub(crate) struct Pass {
    /// The system's id of the process, and of the thread that started the program.
    pid: u64,
    cpus: u32,
    /// The sums that need no state.
    summary: Summary,
    collected: Collected,
    targets: Targets,
    timelines: Vec<Timeline>,
    functions: Vec<Functions>,
    serial: Serial,
    samples: Charged,
    /// The index of the thread that started the program, once it is known.
    main: Option<usize>,
    last: u64,
}

/// A thread, for its row.
#[derive(Clone)]
pub(crate) struct About {
    pub number: u32,
    pub tid: u64,
    pub name: String,
    pub device: Option<u64>,
    /// Whether it has recorded anything, and is a thread rather than a device's operations.
    pub is_thread: bool,
}

/// What is known of the recording apart from its events.
pub(crate) struct Recording<'a> {
    pub meta: &'a Meta,
    pub lost: u64,
    /// The end of the recording; none if it is the last event.
    pub end_ns: Option<u64>,
    /// In the order in which they were added.
    pub threads: &'a [About],
}

impl Pass {
    /// Nothing yet, of a process with this description.
    pub fn new(meta: &Meta) -> Pass {
        Pass {
            pid: u64::from(meta.pid),
            cpus: meta.cpus,
            summary: Summary { no_openmp: true, ..Summary::default() },
            collected: Collected::default(),
            targets: Targets::default(),
            timelines: Vec::new(),
            functions: Vec::new(),
            serial: Serial::default(),
            samples: Charged::default(),
            main: None,
            last: 0,
        }
    }

    /// A further thread, whose index is the number of threads so far.
    pub fn add_thread(&mut self, tid: u64, on_device: bool) {
        let index = self.timelines.len();
        self.timelines.push(Timeline::new(index, on_device));
        self.functions.push(Functions::default());
        self.collected.crowd.add_thread();
        self.targets.add_thread();
        if tid == self.pid && self.main.is_none() {
            self.main = Some(index);
            // Until now, the first thread stood for this one.
            self.serial = Serial::default();
        }
    }

    /// How many events were taken.
    pub fn events(&self) -> u64 {
        self.summary.events
    }

    /// How many threads were added.
    pub fn threads(&self) -> usize {
        self.timelines.len()
    }

    /// The index of the thread that started the program, as far as the trace shows it.
    fn initial(&self) -> usize {
        self.main.unwrap_or(0)
    }

    /// Takes a sample of a thread. All earlier events have been taken, and none of the later ones.
    #[cold]
    pub fn sample(&mut self, thread: usize, sample: &Sample) {
        let (region, doing) = self.timelines[thread].doing(thread == self.initial(), &self.collected);
        // Whether the first thread is the initial one is not known before the end.
        let unsure = self.main.is_none() && self.timelines[thread].doing(false, &self.collected).1 != doing;
        self.samples.charge(sample, region, doing, unsure);
    }

    /// Takes the next event.
    #[inline]
    pub fn event(&mut self, thread: usize, event: Event) {
        self.last = event.ns;
        let site = self.functions[thread].site(&event.record);
        if matches!(event.record, Record::Function { .. }) {
            return;
        }
        if matches!(event.record, Record::Usage { .. }) {
            self.usage(thread, event);
            return;
        }
        if loops::is_about_chunks(&event.record) {
            self.timelines[thread].executed(event.record);
            return;
        }
        self.summary.no_openmp &= !is_construct(&event.record);
        self.targets.note(thread, event, site);
        if thread == self.initial() {
            self.serial.event(event.ns, &event.record, site);
        }
        self.timelines[thread].event(event, site, &mut self.collected);
        self.summary.unended += u64::from(matches!(event.record, Record::ParallelBegin { .. }));
        if let Record::ParallelEnd { parallel, .. } = event.record {
            // Workers may report the end of their part later. Their time in the region ends here.
            let instance = self.collected.instances.get(&parallel);
            for &inside in instance.iter().flat_map(|instance| &instance.inside_now) {
                self.timelines[inside].region_ends(parallel, event.ns);
            }
            self.collected.conclude(parallel);
            self.summary.unended = self.summary.unended.saturating_sub(1);
        }
        self.summary.events += 1;
    }

    fn usage(&mut self, thread: usize, event: Event) {
        let Pass { timelines, collected, .. } = self;
        if let Some(preempted) = timelines[thread].usage(event, collected) {
            let mut others = timelines.iter().enumerate().filter(|(other, _)| *other != thread);
            let works = |other| collected.crowd.works(other);
            if others.any(|(other, timeline)| timeline.meter.was_at(&preempted, works(other))) {
                preempted.share(self.cpus, &mut timelines[thread].meter, &mut collected.regions);
            }
        }
    }

    /// The summary, with one row for all sites for which `place` returns the same site.
    pub fn finish(self, of: &Recording<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        let initial = self.initial();
        let Pass { mut summary, mut collected, targets, mut timelines, serial, samples, main, last, .. } = self;
        (summary.lost, summary.before_ns) = (of.lost, of.meta.before_ns);
        summary.threads = of.threads.iter().filter(|thread| thread.is_thread).count();
        summary.wall_ns = of.end_ns.unwrap_or(last);
        let in_regions: Vec<u64> =
            timelines.iter_mut().map(|timeline| timeline.finish(summary.wall_ns, &mut collected)).collect();
        summary.serial_ns = summary.wall_ns.saturating_sub(in_regions.get(initial).copied().unwrap_or(0));
        summary.concurrency_ns = std::mem::take(&mut collected.crowd).finish(summary.wall_ns);
        summary.throttled = of.meta.throttled();
        summary.thread_rows = rows(of.threads, timelines);
        let others = targets.places().into_iter().chain(samples.sites()).collect();
        let places = collected.finish(summary.wall_ns, place, others);
        summary.serial = serial.finish(summary.wall_ns, |site| places.get(&site).copied().unwrap_or(site));
        summary.waits = collected.take_waits();
        let loops = std::mem::take(&mut collected.loops);
        summary.loops = loops.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary.regions = collected.regions.into_values().collect();
        summary.regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.site()));
        summary.tasks = collected.sites.into_values().collect();
        summary.tasks.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.site()));
        summary.locks = locks(collected.locks);
        let of_initial = main.is_none();
        summary.samples = samples.finish(of.meta, of_initial, |site| places.get(&site).copied().unwrap_or(site));
        summary.targets = targets.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary
    }
}

/// The rows of the threads that recorded anything, in the order of their numbers.
fn rows(threads: &[About], timelines: Vec<Timeline>) -> Vec<ThreadRow> {
    let with_names = |(thread, timeline): (&About, Timeline)| ThreadRow {
        number: thread.number,
        tid: thread.tid,
        name: thread.name.clone(),
        device: thread.device,
        ..timeline.row()
    };
    let mut rows: Vec<ThreadRow> =
        threads.iter().zip(timelines).filter(|(thread, _)| thread.is_thread).map(with_names).collect();
    rows.sort_by_key(|row| row.number);
    rows
}

/// Whether an event comes from a construct or routine of the program.
fn is_construct(record: &Record) -> bool {
    !matches!(
        record,
        Record::ThreadBegin { .. }
            | Record::ThreadEnd {}
            | Record::ImplicitTaskBegin { .. }
            | Record::ImplicitTaskEnd { .. }
            | Record::TaskSchedule { .. }
    )
}

fn locks(locks: FxHashMap<(u64, u64), LockSum>) -> Vec<Lock> {
    let mut locks: Vec<Lock> = locks
        .into_values()
        .map(|LockSum { lock, objects, holders, regions }| {
            let mut holders: Vec<(u64, u64)> = holders.into_iter().filter(|(_, waited)| *waited > 0).collect();
            holders.sort_by_key(|(holder, waited)| (std::cmp::Reverse(*waited), *holder));
            let region = regions.into_iter().max_by_key(|(region, waited)| (*waited, *region));
            let region = region.map_or(Site::default(), |(region, _)| region);
            Lock { objects: objects.len() as u64, holders, region, ..lock }
        })
        .collect();
    locks.sort_by_key(|lock| (std::cmp::Reverse(lock.wait_ns), lock.codeptr, lock.kind));
    locks
}
