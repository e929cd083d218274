//! The state of an analysis while the events of all threads are taken in the order of time. Damaged traces give odd
//! numbers but no panic, hence the saturating arithmetic.

use super::callers::Callers;
use super::clock::Clock;
use super::collected::{Collected, LockSum};
use super::counts::Counting;
use super::reports::Reports;
use super::samples::Charged;
use super::serial::Serial;
use super::table::Table;
use super::target::{self, Targets};
use super::thread::Timeline;
use super::{Lock, MpiSite, Summary, ThreadRow, loops, order};
use crate::Site;
use crate::reader::{Event, Sample};
use crate::selection::Selection;
use crate::site::Functions;
use crate::store::{Meta, Record};

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
    callers: Callers,
    reports: Reports,
    /// The time of the part that the summary is about.
    clock: Clock,
    /// Whether this part is all of the trace.
    whole: bool,
    /// The trace's numbers of the threads.
    numbers: Vec<u32>,
    /// Whether a device has reported.
    devices: bool,
    /// The index of the thread that started the program, once it is known.
    main: Option<usize>,
    last: u64,
    /// The end of the last task in place.
    in_place: u64,
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
    /// When the recorder was ready and the program went on.
    pub ready_ns: u64,
    /// The end of the recording; none if it is the last event.
    pub end_ns: Option<u64>,
    /// In the order in which they were added.
    pub threads: &'a [About],
}

impl Pass {
    /// Nothing yet, of a process with this description. The summary is about the part that is selected.
    pub fn new(meta: &Meta, selection: &Selection) -> Pass {
        let mut collected = Collected::default();
        collected.all_regions = selection.regions.is_none();
        collected.counting = Counting::new(meta.counters.len());
        Pass {
            pid: u64::from(meta.pid),
            cpus: meta.cpus,
            summary: Summary { no_openmp: true, ..Summary::default() },
            collected,
            targets: Targets::default(),
            timelines: Vec::new(),
            functions: Vec::new(),
            serial: Serial::default(),
            samples: Charged::default(),
            callers: Callers::default(),
            reports: Reports::default(),
            clock: Clock::new(selection, 0),
            whole: selection.is_all(),
            numbers: Vec::new(),
            devices: false,
            main: None,
            last: 0,
            in_place: 0,
        }
    }

    /// A further thread, whose index is the number of threads so far.
    pub fn add_thread(&mut self, number: u32, tid: u64, on_device: bool) {
        let index = self.timelines.len();
        self.timelines.push(Timeline::new(index, on_device));
        self.functions.push(Functions::default());
        self.collected.crowd.add_thread();
        self.targets.add_thread();
        self.reports.add_thread(on_device);
        self.callers.add_thread();
        self.clock.add_thread();
        self.numbers.push(number);
        self.devices |= on_device;
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
        let (from, to) = self.clock.selection.edges();
        if !(from..to).contains(&sample.ns) || !self.timelines[thread].is_inside(&self.collected) {
            return;
        }
        let (region, doing) = self.timelines[thread].doing(thread == self.initial(), &self.collected);
        // Whether the first thread is the initial one is not known before the end.
        let unsure = self.main.is_none() && self.timelines[thread].doing(false, &self.collected).1 != doing;
        self.samples.charge(thread, sample, region, doing, unsure);
    }

    /// Whether nothing from this moment on belongs to the part that is selected.
    pub fn is_over(&self, ns: u64) -> bool {
        // Devices tell late what they did.
        self.clock.is_past(ns) && !self.devices
    }

    /// Takes the next event.
    #[inline(always)]
    pub fn event(&mut self, thread: usize, event: &Event) {
        self.last = event.ns;
        if self.whole && is_inner(&event.record) && !self.summary.no_openmp {
            return self.inner(thread, event);
        }
        self.reports.event(thread, event);
        if self.whole {
            let site = self.functions[thread].site(&event.record);
            self.take(thread, event, Some(event), site);
        } else {
            self.event_beside_selection(thread, *event);
        }
    }

    /// Takes the three events of a task in place, some before their turn, unless that could make a difference; see
    /// [`Timeline::task_in_place`].
    pub fn task_in_place(&mut self, thread: usize, create: &Event, times: [u64; 2]) -> bool {
        if !self.whole || self.summary.no_openmp || self.targets.is_in_construct(thread) {
            return false;
        }
        let site = self.functions[thread].site(&create.record);
        let taken = self.timelines[thread].task_in_place(create, times, site, &mut self.collected);
        if taken {
            self.in_place = self.in_place.max(times[1]);
            self.reports.other(thread);
            self.reports.count(thread, 3);
            self.summary.events += 3;
        }
        taken
    }

    /// Takes an event for which [`is_inner`] holds, as [`construct`](Self::construct) would: by far the most events.
    #[inline]
    fn inner(&mut self, thread: usize, event: &Event) {
        let mut site = Site::default();
        match event.record {
            Record::TaskSchedule { .. } if self.targets.concerns(thread, &event.record) => {
                self.reports.other(thread);
                return self.construct_around(thread, event, Some(event), site);
            }
            Record::TaskCreate { .. } => site = self.functions[thread].site(&event.record),
            _ => {}
        }
        self.reports.other(thread);
        if self.take_in_thread(thread, event, site, false) {
            self.summary.events += 1;
            self.reports.count(thread, 1);
        }
    }

    /// Takes an event of OMPT in its thread and in the teams that the thread is in. `selected` says whether the summary
    /// is about the construct that begins. Returns whether it is about what the thread does now.
    #[inline]
    fn take_in_thread(&mut self, thread: usize, event: &Event, site: Site, selected: bool) -> bool {
        let taken = self.timelines[thread].event(event, site, selected, &mut self.collected);
        if !taken.told {
            self.tell(thread);
        }
        taken.inside
    }

    /// Tells a team what its members do, as one of them, this thread, begins to wait or goes on.
    #[inline(never)]
    fn tell(&mut self, thread: usize) {
        let Pass { timelines, collected, .. } = self;
        let Some((parallel, now)) = timelines[thread].untold() else { return };
        let members = collected.instances.get(&parallel).map_or_else(Vec::new, |instance| instance.inside_now.clone());
        for member in members.into_iter().filter(|member| *member != thread) {
            timelines[member].catch_up(parallel, now, collected);
        }
        timelines[thread].tell(collected);
    }

    /// Takes an event of a trace of which a part is selected.
    #[inline(never)]
    fn event_beside_selection(&mut self, thread: usize, event: Event) {
        if self.clock.opens(event.ns) {
            self.forget();
        }
        if self.clock.is_past(event.ns) {
            if let Some(event) = self.clock.cut_of_device(event)
                && matches!(event.record, Record::Operation { .. })
            {
                self.targets.note(thread, event, Site::default());
            }
            return;
        }
        let site = self.functions[thread].site(&event.record);
        let of_device = self.clock.cut_of_device(event);
        let event = self.clock.cut(thread, event);
        self.clock.note(&event.record, site);
        self.take(thread, &event, of_device.as_ref(), site);
    }

    /// Takes an event in the time of the part, and in that of the device that the event is about.
    #[inline]
    fn take(&mut self, thread: usize, event: &Event, of_device: Option<&Event>, site: Site) {
        if !is_note(&event.record) {
            return self.construct(thread, event, of_device, site);
        }
        self.note(thread, event);
    }

    /// Takes a record that is no event.
    #[inline(never)]
    fn note(&mut self, thread: usize, event: &Event) {
        match event.record {
            Record::Function { .. } | Record::Caller { .. } => self.callers.event(thread, &event.record),
            Record::Usage { .. } => self.usage(thread, *event),
            Record::Counter { .. } => {
                let is_initial = thread == self.initial();
                self.timelines[thread].counted(event.record, is_initial, &mut self.collected);
            }
            _ => {
                let real = self.last.max(self.clock.selection.edges().0);
                self.timelines[thread].executed(*event, self.numbers[thread], real);
                self.reports.count(thread, 1);
            }
        }
    }

    /// Takes an event of OMPT.
    #[inline]
    fn construct(&mut self, thread: usize, event: &Event, of_device: Option<&Event>, site: Site) {
        if self.summary.no_openmp {
            self.summary.no_openmp = !is_construct(&event.record);
        }
        let is_around = match event.record {
            Record::TaskSchedule { .. } => self.targets.concerns(thread, &event.record),
            _ => is_about_regions_or_devices(&event.record),
        };
        if is_around {
            return self.construct_around(thread, event, of_device, site);
        }
        if self.take_in_thread(thread, event, site, false) {
            self.summary.events += 1;
            self.reports.count(thread, 1);
        }
    }

    /// Takes an event that concerns more than the thread's part of its region.
    #[inline(never)]
    fn construct_around(&mut self, thread: usize, event: &Event, of_device: Option<&Event>, site: Site) {
        if self.targets.concerns(thread, &event.record)
            && let Some(event) = of_device.filter(|_| self.timelines[thread].is_inside(&self.collected))
        {
            self.targets.note(thread, *event, site);
        }
        if thread == self.initial() {
            self.serial.event(event.ns, &event.record, site);
        }
        self.take_in_thread(thread, event, site, self.clock.selection.names(site));
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
        if self.timelines[thread].is_inside(&self.collected) {
            self.summary.events += 1;
            self.reports.count(thread, 1);
        }
    }

    /// The window begins: what was summed up so far does not count.
    fn forget(&mut self) {
        self.timelines.iter_mut().for_each(Timeline::forget);
        self.collected.forget();
        self.targets.forget();
        self.serial.forget();
        self.summary.events = 0;
        self.reports.forget();
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
    pub fn finish(mut self, of: &Recording<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        if self.clock.opens(u64::MAX) {
            self.forget();
        }
        let initial = self.initial();
        let Pass { mut summary, mut collected, mut targets, mut timelines, serial, samples, main, last, .. } = self;
        let Pass { mut clock, callers, numbers, reports, in_place, .. } = self;
        (summary.event_ns, summary.recording_ns) = (reports.mean_ns(), reports.all_ns());
        let selection = clock.selection.clone();
        (summary.lost, summary.before_ns) = (of.lost, if selection.is_all() { of.meta.before_ns } else { 0 });
        summary.threads = of.threads.iter().filter(|thread| thread.is_thread).count();
        summary.wall_ns = clock.advance(of.end_ns.unwrap_or(last.max(in_place)));
        if selection.window.is_some() {
            targets.end_all(summary.wall_ns);
            timelines.iter_mut().for_each(|timeline| timeline.cut_locks(summary.wall_ns, &mut collected));
        }
        // By number: a running trace adds threads in the order in which they begin, a finished one by number.
        let mut order: Vec<usize> = (0..timelines.len()).collect();
        order.sort_by_key(|&index| numbers[index]);
        let mut in_regions = vec![0; timelines.len()];
        for index in order {
            in_regions[index] = timelines[index].finish(summary.wall_ns, &mut collected);
        }
        if selection.window.is_some() {
            collected.cut_tasks();
        }
        summary.serial_ns = summary.wall_ns.saturating_sub(in_regions.get(initial).copied().unwrap_or(0));
        summary.concurrency_ns = std::mem::take(&mut collected.crowd).finish(summary.wall_ns);
        summary.throttled = of.meta.throttled().filter(|_| selection.is_all());
        summary.thread_rows = rows(of.threads, timelines);
        if !selection.is_all() {
            summary.thread_rows = seen(std::mem::take(&mut summary.thread_rows), &selection);
            summary.threads = summary.thread_rows.len();
        }
        let others = targets.places().into_iter().chain(samples.sites()).chain(collected.mpi.places()).collect();
        let places = collected.finish(summary.wall_ns, place, others);
        let at = |site| places.get(&site).copied().unwrap_or(site);
        summary.callers = callers.finish(at);
        if selection.regions.is_none() {
            let ready_ns = if selection.is_all() { of.ready_ns } else { 0 };
            let (phases, calls) = serial.finish(ready_ns, summary.wall_ns, at);
            summary.serial = phases;
            calls.into_iter().for_each(|(call, ns)| collected.mpi.add_serial(call, ns));
            summary.mpi_serial_ns = summary.serial.iter().map(|phase| phase.mpi_ns).fold(0, u64::saturating_add);
        } else {
            summary.serial_ns = 0;
        }
        if !selection.is_all() {
            collected.drop_empty();
        }
        summary.counters = std::mem::take(&mut collected.counting).finish(&of.meta.counters, at, &numbers);
        summary.counters.missed_threads = of.meta.missed_counters;
        summary.waits = collected.take_waits();
        summary.loops = std::mem::take(&mut collected.loops).finish(at);
        summary.mpi = std::mem::take(&mut collected.mpi).finish(at);
        let sum = |part: fn(&MpiSite) -> u64| summary.mpi.iter().map(part).fold(0, u64::saturating_add);
        (summary.mpi_ns, summary.mpi_region_ns) = (sum(|one| one.total_ns), sum(|one| one.region_ns));
        summary.outermost = collected.outermost;
        summary.regions = collected.regions.into_values().collect();
        summary.regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.site()));
        summary.tasks = collected.sites.into_values().collect();
        summary.tasks.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.site()));
        summary.locks = locks(collected.locks);
        summary.samples = samples.finish(of.meta, main.is_none(), at);
        summary.targets = targets.finish(at);
        summary
    }
}

/// The rows of the threads that did anything in the part that is selected. Their begins and ends are in the trace's
/// time if all of the window is.
fn seen(rows: Vec<ThreadRow>, selection: &Selection) -> Vec<ThreadRow> {
    let did = |row: &ThreadRow| [row.work_ns, row.wait_ns, row.runtime_ns].iter().any(|ns| *ns > 0);
    let did = |row: &ThreadRow| did(row) || (selection.regions.is_none() && row.end_ns > row.begin_ns);
    let from = if selection.regions.is_none() { selection.edges().0 } else { 0 };
    let moved = |row: ThreadRow| ThreadRow {
        begin_ns: row.begin_ns.saturating_add(from),
        end_ns: row.end_ns.saturating_add(from),
        ..row
    };
    rows.into_iter().filter(did).map(moved).collect()
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

/// Whether a record is no event.
fn is_note(record: &Record) -> bool {
    let is_other = matches!(
        record,
        Record::Function { .. } | Record::Caller { .. } | Record::Usage { .. } | Record::Counter { .. }
    );
    is_other || loops::is_about_chunks(record)
}

/// Whether an event concerns a thread's part of its region, apart from tasks in device constructs, and no report of it
/// is timed.
#[inline]
fn is_inner(record: &Record) -> bool {
    order::is_aside(record) || matches!(record, Record::SyncEnd { .. } | Record::WaitEnd { .. })
}

/// Whether an event begins or ends a region, a device construct or a call of MPI, or is about a device.
fn is_about_regions_or_devices(record: &Record) -> bool {
    target::is_about_devices(record)
        || matches!(
            record,
            Record::ParallelBegin { .. } | Record::ParallelEnd { .. } | Record::MpiBegin { .. } | Record::MpiEnd { .. }
        )
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

fn locks(locks: Table<(u64, u64), LockSum>) -> Vec<Lock> {
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
