//! Computes a [`Summary`] from a trace, in two passes: first where each parallel region begins and ends, then what
//! each thread did in it. Damaged traces give odd numbers but no panic, hence the saturating arithmetic.

use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Region, Summary, TaskSite};
use crate::Progress;
use crate::reader::{Event, Trace};
use crate::store::Record;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Adds without overflow.
pub(super) fn add(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 16;

/// One execution of a parallel region.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub codeptr: u64,
    pub begin: u64,
    pub end: u64,
    pub nested: bool,
    /// Threads of the team, as the implicit tasks reported it.
    pub team: u64,
    /// Implicit tasks seen.
    pub parts: u64,
    pub work: u64,
    pub max_work: u64,
    pub barrier: u64,
    pub sync: u64,
    pub runtime: u64,
    /// Time that threads spent in the region; the rest of the thread time is idle.
    pub inside: u64,
}

/// One task that was created.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Task {
    pub codeptr: u64,
    /// Whether it is an explicit task, rather than a target task or a taskwait with dependences.
    pub explicit: bool,
    /// Index of the thread that created it.
    pub creator: usize,
    pub work: u64,
    pub completed: bool,
    pub stolen: bool,
}

/// What is collected over all threads.
#[derive(Default)]
pub(super) struct Collected {
    /// By parallel id.
    pub instances: FxHashMap<u64, Instance>,
    /// By task id.
    pub tasks: FxHashMap<u64, Task>,
    /// By kind and code address.
    pub locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>,
}

impl Summary {
    /// Reads all events of `trace`, twice, and sums them up. `progress` gets the bytes read in both passes.
    pub fn of(trace: &Trace, progress: Progress<'_>) -> Summary {
        Summary::by_place(trace, progress, &mut |codeptr| codeptr)
    }

    /// As [`Summary::of`], with one row for all code addresses for which `place` returns the same address. An inlined
    /// or unrolled construct has several addresses. [`Symbolizer::place`](crate::symbols::Symbolizer::place) goes by
    /// lines of the source.
    pub fn by_place(trace: &Trace, progress: Progress<'_>, place: &mut dyn FnMut(u64) -> u64) -> Summary {
        let wall_ns = trace.duration_ns();
        let mut summary = Summary { wall_ns, lost: trace.lost(), no_openmp: true, ..Summary::default() };
        let mut collected = Collected::default();
        let mut done = Done { total: 2 * trace.bytes(), finished: 0, progress };
        let is_thread =
            |thread: &&crate::reader::Thread| !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0);
        summary.threads = trace.threads.iter().filter(is_thread).count();
        let (mut targets, mut current) = (Targets::default(), None);
        done.each(trace, |thread, event| {
            if current.replace(thread) != Some(thread) {
                targets.next_thread();
            }
            targets.note(event);
            summary.events += 1;
            summary.no_openmp &= !is_construct(&event.record);
            collected.note_extent(thread, event, wall_ns);
        });
        let mut timeline = Timeline::default();
        let mut current = None;
        let mut in_regions: FxHashMap<usize, u64> = FxHashMap::default();
        done.each(trace, |thread, event| {
            if current != Some(thread) {
                if let Some(before) = current {
                    in_regions.insert(before, timeline.finish(wall_ns, &mut collected));
                }
                timeline = Timeline::new(thread);
                current = Some(thread);
            }
            timeline.event(event, &mut collected);
        });
        if let Some(before) = current {
            in_regions.insert(before, timeline.finish(wall_ns, &mut collected));
        }
        summary.serial_ns = wall_ns.saturating_sub(in_regions.get(&initial_thread(trace)).copied().unwrap_or(0));
        let places = collected.unite_places(place, targets.places());
        summary.regions = regions(&collected);
        summary.tasks = task_sites(&collected);
        summary.locks = locks(collected.locks);
        summary.targets = targets.finish(|codeptr| places.get(&codeptr).copied().unwrap_or(codeptr));
        summary
    }
}

/// The progress of the passes.
struct Done<'a> {
    total: u64,
    finished: u64,
    progress: Progress<'a>,
}

impl Done<'_> {
    /// Gives each event of each thread to `take`, with the thread's index.
    fn each(&mut self, trace: &Trace, mut take: impl FnMut(usize, Event)) {
        for (index, thread) in trace.threads.iter().enumerate() {
            let mut events = trace.events(thread);
            let mut count = 0u64;
            while let Some(event) = events.next() {
                take(index, event);
                count += 1;
                if count.is_multiple_of(PROGRESS_EVERY) {
                    (self.progress)(self.finished + events.bytes_read(), self.total);
                }
            }
            self.finished += thread.len() as u64;
            (self.progress)(self.finished, self.total);
        }
    }
}

impl Collected {
    /// Replaces each code address by the address that `place` returns. Calls `place` once for each address, in
    /// ascending order, and for `others` as well. Returns all replacements.
    fn unite_places(&mut self, place: &mut dyn FnMut(u64) -> u64, others: BTreeSet<u64>) -> FxHashMap<u64, u64> {
        let regions = self.instances.values().map(|instance| instance.codeptr);
        let tasks = self.tasks.values().map(|task| task.codeptr);
        let codes: BTreeSet<u64> =
            regions.chain(tasks).chain(self.locks.keys().map(|(_, codeptr)| *codeptr)).chain(others).collect();
        let places: FxHashMap<u64, u64> = codes.into_iter().map(|codeptr| (codeptr, place(codeptr))).collect();
        self.instances.values_mut().for_each(|instance| instance.codeptr = places[&instance.codeptr]);
        self.tasks.values_mut().for_each(|task| task.codeptr = places[&task.codeptr]);
        for ((kind, codeptr), (lock, objects)) in std::mem::take(&mut self.locks) {
            let codeptr = places[&codeptr];
            let (sum, all) = self.locks.entry((kind, codeptr)).or_default();
            (sum.kind, sum.codeptr, sum.wait_id) = (kind, codeptr, lock.wait_id);
            sum.count += lock.count;
            sum.max_wait_ns = sum.max_wait_ns.max(lock.max_wait_ns);
            add(&mut sum.wait_ns, lock.wait_ns);
            add(&mut sum.hold_ns, lock.hold_ns);
            all.extend(objects);
        }
        places
    }

    fn note_extent(&mut self, thread: usize, event: Event, end_of_trace: u64) {
        match event.record {
            Record::ParallelBegin { parallel, codeptr, .. } => {
                let (begin, end) = (event.ns, end_of_trace.max(event.ns));
                self.instances.insert(parallel, Instance { codeptr, begin, end, ..Instance::default() });
            }
            Record::ParallelEnd { parallel, .. } => {
                if let Some(instance) = self.instances.get_mut(&parallel) {
                    instance.end = event.ns.max(instance.begin);
                }
            }
            Record::TaskCreate { task, codeptr, flags, .. } => {
                let explicit = flags & TASK_EXPLICIT != 0;
                self.tasks.insert(task, Task { codeptr, explicit, creator: thread, ..Task::default() });
            }
            _ => {}
        }
    }
}

/// `ompt_task_explicit`.
const TASK_EXPLICIT: u64 = 4;

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

/// The index of the thread that started the program, as far as the trace shows it.
fn initial_thread(trace: &Trace) -> usize {
    let is_main = |thread: &crate::reader::Thread| thread.tid == u64::from(trace.meta.pid);
    trace.threads.iter().position(is_main).unwrap_or(0)
}

fn regions(collected: &Collected) -> Vec<Region> {
    let mut sites: FxHashMap<u64, Region> = FxHashMap::default();
    for instance in collected.instances.values() {
        let region =
            sites.entry(instance.codeptr).or_insert_with(|| Region { codeptr: instance.codeptr, ..Region::default() });
        let team = if instance.team == 0 { instance.parts.max(1) } else { instance.team };
        let time = instance.end - instance.begin;
        let thread_time = time.saturating_mul(team);
        region.calls += 1;
        region.serialized += u64::from(team == 1);
        region.nested += u64::from(instance.nested);
        region.max_threads = region.max_threads.max(team);
        region.max_ns = region.max_ns.max(time);
        region.max_work_ns = region.max_work_ns.saturating_add(instance.max_work);
        region.mean_work_ns += instance.work as f64 / team as f64;
        add(&mut region.total_ns, time);
        add(&mut region.thread_ns, thread_time);
        add(&mut region.work_ns, instance.work);
        add(&mut region.barrier_ns, instance.barrier);
        add(&mut region.sync_ns, instance.sync);
        add(&mut region.runtime_ns, instance.runtime);
        add(&mut region.idle_ns, thread_time.saturating_sub(instance.inside));
    }
    let mut regions: Vec<Region> = sites.into_values().collect();
    regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.codeptr));
    regions
}

fn task_sites(collected: &Collected) -> Vec<TaskSite> {
    let mut sites: FxHashMap<u64, TaskSite> = FxHashMap::default();
    for task in collected.tasks.values().filter(|task| task.explicit) {
        let site =
            sites.entry(task.codeptr).or_insert_with(|| TaskSite { codeptr: task.codeptr, ..TaskSite::default() });
        site.created += 1;
        if task.completed {
            site.min_ns = if site.completed == 0 { task.work } else { site.min_ns.min(task.work) };
            site.max_ns = site.max_ns.max(task.work);
            site.completed += 1;
            site.stolen += u64::from(task.stolen);
            add(&mut site.total_ns, task.work);
        }
    }
    let mut sites: Vec<TaskSite> = sites.into_values().collect();
    sites.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.codeptr));
    sites
}

fn locks(locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>) -> Vec<Lock> {
    let with_objects = |(lock, objects): (Lock, FxHashSet<u64>)| Lock { objects: objects.len() as u64, ..lock };
    let mut locks: Vec<Lock> = locks.into_values().map(with_objects).collect();
    locks.sort_by_key(|lock| (std::cmp::Reverse(lock.wait_ns), lock.codeptr, lock.kind));
    locks
}
