//! The events of a process, as a walk over its trace finds them.

use crate::archive::{Archive, Location};
use crate::definitions::{Definitions, FUNCTION, STREAM, THREAD};
use crate::library::{Handle, OPENMP, Status, UINT64};
use crate::locks::Locks;
use crate::roles;
use crate::tasks::{Identity, Tasks};
use ferromp_trace::analysis::operation_name;
use ferromp_trace::export::Frames;
use ferromp_trace::export::lanes::{Lanes, Placed};
use ferromp_trace::export::names::Names;
use ferromp_trace::export::slices::{Details, Open, Title};
use ferromp_trace::export::walk::{Operation, Visitor, walk};
use ferromp_trace::reader::{Event, Sample, Trace};
use ferromp_trace::store::Record;
use ferromp_trace::symbols::Symbolizer;
use ferromp_trace::{Progress, Site};
use rustc_hash::FxHashMap;
use std::io::Result;

/// `ompt_task_status_t`: after these, nothing follows of the task.
const OVER: [u64; 4] = [1, 3, 6, 8];
/// After these, the thread goes on with the same task.
const FULFILLED: [u64; 2] = [5, 6];
/// The threads of a process have numbers from its own on, its lanes from here on above that.
const LANES: u64 = 1 << 31;

/// Writes the events of a trace, and adds what they refer to. Returns how many events there are.
pub fn write(
    trace: &Trace,
    symbols: &mut Symbolizer,
    archive: &Archive,
    definitions: &mut Definitions,
    progress: Progress<'_>,
) -> Result<u64> {
    let meta = &trace.meta;
    let epoch = meta.start_unix_ns;
    let (from, to) = trace.selection.edges();
    let span = (epoch.saturating_add(from), epoch.saturating_add(trace.duration_ns().min(to).max(from)));
    let group = definitions.process(&meta.hostname, &meta.process_name(), span);
    let base = u64::from(group) << 32;
    let is_thread = |thread: &&ferromp_trace::reader::Thread| thread.on_device.is_none_or(|on| on.thread != 0);
    let numbers: Vec<u64> = trace.threads.iter().filter(is_thread).map(|it| base + u64::from(it.number)).collect();
    let team = definitions.team(&format!("threads of {}", meta.process_name()), &numbers);
    let mut threads = Vec::with_capacity(trace.threads.len());
    let mut rank = 0;
    for thread in &trace.threads {
        threads.push(match is_thread(&thread) {
            true => {
                rank += 1;
                let location = archive.location(base + u64::from(thread.number))?;
                Some(Thread { location, rank: rank - 1, counts: Vec::new(), sampled_ns: 0, switch: None, ended_ns: 0 })
            }
            false => None,
        });
    }
    // SAFETY: the call has no arguments. The list is deleted below, or lives as long as the process after an error.
    let attributes = unsafe { archive.library().attributes() };
    let mut events = Events {
        trace,
        archive,
        attributes,
        epoch,
        team,
        base,
        group,
        names: Names::new(symbols),
        regions: FxHashMap::default(),
        definitions,
        tasks: Tasks::new(threads.len()),
        threads,
        open: vec![Vec::new(); trace.threads.len()],
        locks: Locks::default(),
        lanes: Lanes::default(),
        streams: Vec::new(),
        devices: FxHashMap::default(),
    };
    walk(trace, &mut events, progress)?;
    events.finish()
}

/// A thread of the program.
struct Thread {
    location: Location,
    /// Its rank among the threads of the process.
    rank: u32,
    /// The sums of its counters.
    counts: Vec<u64>,
    /// The time on a CPU that its samples stand for.
    sampled_ns: u64,
    /// A switch of tasks that is written when the slices of the task before have ended.
    switch: Option<Switch>,
    /// When the last slice ended. Where the part of the trace ends, that is later than the switch.
    ended_ns: u64,
}

#[derive(Clone, Copy)]
struct Switch {
    ns: u64,
    /// The task that has completed, if one has.
    completed: Option<u64>,
    /// The task that goes on, unless the thread stays in its task.
    next: Option<u64>,
}

/// The lane of a device.
struct Stream {
    location: Location,
    name: String,
    group: u32,
}

struct Events<'a, 'b> {
    trace: &'a Trace,
    archive: &'a Archive,
    attributes: Handle,
    /// The offset that is added to times.
    epoch: u64,
    /// The team of all threads of the process.
    team: u32,
    /// The process's first location.
    base: u64,
    group: u32,
    names: Names<'b>,
    /// By name and role.
    regions: FxHashMap<(usize, u8), u32>,
    definitions: &'a mut Definitions,
    tasks: Tasks,
    /// By the index in the trace; none for the operations of devices.
    threads: Vec<Option<Thread>>,
    /// The regions of each thread that are entered.
    open: Vec<Vec<(u32, Open)>>,
    locks: Locks,
    lanes: Lanes,
    streams: Vec<Stream>,
    /// The location groups of devices.
    devices: FxHashMap<u64, u32>,
}

impl Events<'_, '_> {
    /// Calls a function of the library for a location, with a time.
    fn put(
        &self,
        to: Handle,
        ns: u64,
        call: impl FnOnce(&crate::library::Library, Handle, u64) -> Status,
    ) -> Result<()> {
        let library = self.archive.library();
        library.check(call(library, to, self.epoch.saturating_add(ns)))
    }

    fn writer(&self, thread: usize) -> Option<(Handle, u32)> {
        self.threads[thread].as_ref().map(|thread| (thread.location.writer, thread.rank))
    }

    /// The region of a title with a role.
    fn region(&mut self, title: &Title, role: u8) -> u32 {
        let name = self.names.of(title);
        let key = (name.index, role);
        if let Some(known) = self.regions.get(&key) {
            return *known;
        }
        let place = (&*name.file(), name.line());
        let region = self.definitions.region(&name.text(), name.function(), role, place);
        self.regions.insert(key, region);
        region
    }

    fn enter(&self, to: Handle, ns: u64, region: u32) -> Result<()> {
        // SAFETY: the writer is open, and there are no attributes.
        self.put(to, ns, |it, to, time| unsafe { it.enter(to, std::ptr::null_mut(), time, region) })
    }

    fn leave(&self, to: Handle, ns: u64, region: u32) -> Result<()> {
        // SAFETY: the writer is open, and there are no attributes.
        self.put(to, ns, |it, to, time| unsafe { it.leave(to, std::ptr::null_mut(), time, region) })
    }

    fn create(&self, to: Handle, ns: u64, task: Identity) -> Result<()> {
        let Identity { creator, generation } = task;
        let team = self.team;
        // SAFETY: the writer is open, and there are no attributes.
        self.put(to, ns, |it, to, time| unsafe {
            it.task_create(to, std::ptr::null_mut(), time, team, creator, generation)
        })
    }

    /// Writes the switch that a thread has made. `begins` is the task whose slice begins.
    fn switch(&mut self, thread: usize, begins: Option<u64>) -> Result<()> {
        let Some(of) = self.threads[thread].as_mut() else { return Ok(()) };
        let Some(Switch { ns, completed, next }) = of.switch.take() else { return Ok(()) };
        let ns = ns.max(of.ended_ns);
        let Some((to, rank)) = self.writer(thread) else { return Ok(()) };
        let (none, team) = (std::ptr::null_mut(), self.team);
        if let Some(Identity { creator, generation }) = completed.and_then(|task| self.tasks.complete(task)) {
            // SAFETY: the writer is open, and there are no attributes.
            self.put(to, ns, |it, to, time| unsafe { it.task_complete(to, none, time, team, creator, generation) })?;
        }
        let Some(next) = next else { return Ok(()) };
        let known = match begins {
            Some(task) if task == next => {
                let (task, is_new) = self.tasks.explicit(next, rank);
                if is_new {
                    self.create(to, ns, task)?;
                }
                Some(task)
            }
            _ => self.tasks.find(next),
        };
        let Identity { creator, generation } = known.unwrap_or(Identity::implicit(rank));
        // SAFETY: the writer is open, and there are no attributes.
        self.put(to, ns, |it, to, time| unsafe { it.task_switch(to, none, time, team, creator, generation) })
    }

    /// A metric of a thread has this sum. A sample names its function.
    fn metric(&self, to: Handle, ns: u64, (metric, value): (u32, u64), function: Option<u32>) -> Result<()> {
        let library = self.archive.library();
        let attributes = match function {
            Some(text) => {
                // SAFETY: the list is there. The library empties it when it has written the event.
                library.check(unsafe { library.add_text(self.attributes, FUNCTION, text) })?;
                self.attributes
            }
            None => std::ptr::null_mut(),
        };
        let (of, values) = ([UINT64], [value]);
        // SAFETY: the writer is open, and both arrays have one element.
        self.put(to, ns, |it, to, time| unsafe {
            it.metric(to, attributes, time, metric, 1, of.as_ptr(), values.as_ptr())
        })
    }

    fn placed(&mut self, placed: &Placed) -> Result<()> {
        let Placed { index, lane, first, operation } = placed;
        if *first {
            let group = match self.devices.get(&lane.device) {
                Some(group) => *group,
                None => {
                    let group = self.definitions.device(self.group, &format!("device {}", lane.device));
                    self.devices.insert(lane.device, group);
                    group
                }
            };
            let location = self.archive.location(self.base + LANES + *index as u64)?;
            self.streams.push(Stream { location, name: lane.name(), group });
        }
        let to = self.streams[*index].location.writer;
        let name = operation_name(operation.kind);
        let role = roles::of_operation(&name);
        let region = self.region(&Title { name, site: operation.site, category: "device" }, role);
        self.enter(to, operation.begin_ns, region)?;
        self.leave(to, operation.end_ns, region)
    }

    /// Ends all locations. Returns their events.
    fn finish(mut self) -> Result<u64> {
        while let Some(placed) = self.lanes.left() {
            self.placed(&placed)?;
        }
        for thread in 0..self.threads.len() {
            self.switch(thread, None)?;
        }
        let library = self.archive.library();
        // SAFETY: nothing uses the list any more.
        library.check(unsafe { library.delete_attributes(self.attributes) })?;
        let mut sum = 0;
        for (thread, of) in self.threads.into_iter().zip(&self.trace.threads) {
            let Some(Thread { location, .. }) = thread else { continue };
            let number = location.number;
            let events = self.archive.end(location)?;
            let (group, kind) = match of.on_device {
                Some(on) => match self.devices.get(&on.device) {
                    Some(group) => (*group, STREAM),
                    None => {
                        let group = self.definitions.device(self.group, &format!("device {}", on.device));
                        self.devices.insert(on.device, group);
                        (group, STREAM)
                    }
                },
                None => (self.group, THREAD),
            };
            let name = format!("thread {} {}", of.number, of.name);
            self.definitions.location(number, name.trim(), kind, group, events);
            sum += events;
        }
        for Stream { location, name, group } in self.streams {
            let number = location.number;
            let events = self.archive.end(location)?;
            self.definitions.location(number, &name, STREAM, group, events);
            sum += events;
        }
        Ok(sum)
    }
}

impl Visitor for Events<'_, '_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        let begins = if let Open::Task(task) = open { Some(task) } else { None };
        self.switch(thread, begins)?;
        let Some((to, _)) = self.writer(thread) else { return Ok(()) };
        let region = self.region(&title, roles::of_slice(open, &title.name));
        self.open[thread].push((region, open));
        let none = std::ptr::null_mut();
        match open {
            Open::Parallel(_) => {
                self.enter(to, ns, region)?;
                let requested = details.values[0].map_or(0, |(_, value)| u32::try_from(value).unwrap_or(u32::MAX));
                // SAFETY: the writer is open, and there are no attributes.
                self.put(to, ns, |it, to, time| unsafe { it.fork(to, none, time, OPENMP, requested) })
            }
            Open::Implicit(_) => {
                let team = self.team;
                // SAFETY: the writer is open, and there are no attributes.
                self.put(to, ns, |it, to, time| unsafe { it.team_begin(to, none, time, team) })?;
                self.enter(to, ns, region)
            }
            _ => self.enter(to, ns, region),
        }
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        let Some((to, _)) = self.writer(thread) else { return Ok(()) };
        let Some((region, open)) = self.open[thread].pop() else { return Ok(()) };
        if let Some(thread) = &mut self.threads[thread] {
            thread.ended_ns = ns;
        }
        let none = std::ptr::null_mut();
        match open {
            Open::Parallel(_) => {
                // SAFETY: the writer is open, and there are no attributes.
                self.put(to, ns, |it, to, time| unsafe { it.join(to, none, time, OPENMP) })?;
                self.leave(to, ns, region)
            }
            Open::Implicit(_) => {
                self.leave(to, ns, region)?;
                let team = self.team;
                // SAFETY: the writer is open, and there are no attributes.
                self.put(to, ns, |it, to, time| unsafe { it.team_end(to, none, time, team) })
            }
            _ => self.leave(to, ns, region),
        }
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        match self.lanes.add(operation) {
            Some(placed) => self.placed(&placed),
            None => Ok(()),
        }
    }

    fn event(&mut self, thread: usize, event: &Event, _: Site) -> Result<()> {
        self.switch(thread, None)?;
        let Some((to, rank)) = self.writer(thread) else { return Ok(()) };
        let (ns, none) = (event.ns, std::ptr::null_mut());
        match event.record {
            Record::TaskCreate { task, .. } => {
                let identity = self.tasks.create(task, rank);
                self.create(to, ns, identity)
            }
            Record::TaskSchedule { prior, status, next } => {
                let completed = OVER.contains(&status).then_some(prior);
                let next = (!FULFILLED.contains(&status)).then_some(next);
                if let Some(thread) = &mut self.threads[thread] {
                    thread.switch = Some(Switch { ns, completed, next });
                }
                Ok(())
            }
            Record::MutexAcquired { wait, .. } => {
                let got = self.locks.acquire(wait, rank, &mut self.definitions.next_lock);
                // SAFETY: the writer is open, and there are no attributes.
                self.put(to, ns, |it, to, time| unsafe { it.acquire(to, none, time, OPENMP, got.lock, got.order) })
            }
            Record::MutexReleased { wait, .. } => match self.locks.release(wait, rank) {
                // SAFETY: the writer is open, and there are no attributes.
                Some(it) => self.put(to, ns, |library, to, time| unsafe {
                    library.release(to, none, time, OPENMP, it.lock, it.order)
                }),
                None => Ok(()),
            },
            Record::NestLock { endpoint, wait } => match self.locks.held(wait, rank) {
                // SAFETY: the writer is open, and there are no attributes.
                Some(it) => self.put(to, ns, |library, to, time| unsafe {
                    match endpoint {
                        1 => library.acquire(to, none, time, OPENMP, it.lock, it.order),
                        _ => library.release(to, none, time, OPENMP, it.lock, it.order),
                    }
                }),
                None => Ok(()),
            },
            Record::Counter { counter, value, share } if share > 0 => {
                let index = usize::try_from(counter).unwrap_or(usize::MAX);
                let Some(name) = self.trace.meta.counters.get(index) else { return Ok(()) };
                let metric = self.definitions.metric(name, "counted by the system for each thread", "#");
                let Some(of) = &mut self.threads[thread] else { return Ok(()) };
                of.counts.resize(self.trace.meta.counters.len(), 0);
                of.counts[index] = of.counts[index].saturating_add(value);
                let sum = of.counts[index];
                self.metric(to, ns, (metric, sum), None)
            }
            _ => Ok(()),
        }
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sample(&mut self, thread: usize, ns: u64, sample: &Sample) -> Result<()> {
        self.switch(thread, None)?;
        let period_ns = 1_000_000_000 / u64::from(self.trace.meta.sample_rate.max(1));
        let frames = Frames::new(self.names.symbols()).of(sample);
        let function = frames.last().map_or("", |frame| frame.function.as_str());
        let function = self.definitions.text(function);
        let metric = self.definitions.metric("sampled CPU time", "the time on a CPU that samples stand for", "ns");
        let Some(of) = &mut self.threads[thread] else { return Ok(()) };
        of.sampled_ns = of.sampled_ns.saturating_add(period_ns);
        let (to, sum) = (of.location.writer, of.sampled_ns);
        self.metric(to, ns, (metric, sum), Some(function))
    }
}
