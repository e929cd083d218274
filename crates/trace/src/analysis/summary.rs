//! Computes a [`Summary`] from a trace, in two passes: first where each parallel region begins and ends, then what
//! each thread did in it. Damaged traces give odd numbers but no panic, hence the saturating arithmetic.

use super::collected::{Collected, add};
use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Region, Summary, TaskSite};
use crate::reader::{Event, Trace};
use crate::site::Functions;
use crate::store::Record;
use crate::{Progress, Site};
use rustc_hash::{FxHashMap, FxHashSet};

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 16;

impl Summary {
    /// Reads all events of `trace`, twice, and sums them up. `progress` gets the bytes read in both passes.
    pub fn of(trace: &Trace, progress: Progress<'_>) -> Summary {
        Summary::by_place(trace, progress, &mut |site| site)
    }

    /// As [`Summary::of`], with one row for all sites for which `place` returns the same site. An inlined or unrolled
    /// construct has several return addresses. [`Symbolizer::place`](crate::symbols::Symbolizer::place) goes by
    /// functions of constructs and by lines of the source.
    pub fn by_place(trace: &Trace, progress: Progress<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        let wall_ns = trace.duration_ns();
        let mut summary = Summary { wall_ns, lost: trace.lost(), no_openmp: true, ..Summary::default() };
        let mut collected = Collected::default();
        let mut done = Done { total: 2 * trace.bytes(), finished: 0, progress };
        let is_thread =
            |thread: &&crate::reader::Thread| !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0);
        summary.threads = trace.threads.iter().filter(is_thread).count();
        let (mut targets, mut functions, mut current) = (Targets::default(), Functions::default(), None);
        done.each(trace, |thread, event| {
            if current.replace(thread) != Some(thread) {
                targets.next_thread();
                functions.next_thread();
            }
            let site = functions.site(&event.record);
            targets.note(event, site);
            summary.events += u64::from(!matches!(event.record, Record::Function { .. }));
            summary.no_openmp &= !is_construct(&event.record);
            collected.note_extent(thread, event, site, wall_ns);
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
        summary.targets = targets.finish(|site| places.get(&site).copied().unwrap_or(site));
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

/// Whether an event comes from a construct or routine of the program.
fn is_construct(record: &Record) -> bool {
    !matches!(
        record,
        Record::ThreadBegin { .. }
            | Record::ThreadEnd {}
            | Record::ImplicitTaskBegin { .. }
            | Record::ImplicitTaskEnd { .. }
            | Record::TaskSchedule { .. }
            | Record::Function { .. }
    )
}

/// The index of the thread that started the program, as far as the trace shows it.
fn initial_thread(trace: &Trace) -> usize {
    let is_main = |thread: &crate::reader::Thread| thread.tid == u64::from(trace.meta.pid);
    trace.threads.iter().position(is_main).unwrap_or(0)
}

fn regions(collected: &Collected) -> Vec<Region> {
    let mut sites: FxHashMap<Site, Region> = FxHashMap::default();
    for instance in collected.instances.values() {
        let Site { codeptr, function } = instance.site;
        let new = || Region { codeptr, function, ..Region::default() };
        let region = sites.entry(instance.site).or_insert_with(new);
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
    regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.site()));
    regions
}

fn task_sites(collected: &Collected) -> Vec<TaskSite> {
    let mut sites: FxHashMap<Site, TaskSite> = FxHashMap::default();
    for task in collected.tasks.values().filter(|task| task.explicit) {
        let Site { codeptr, function } = task.site;
        let site = sites.entry(task.site).or_insert_with(|| TaskSite { codeptr, function, ..TaskSite::default() });
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
    sites.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.site()));
    sites
}

fn locks(locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>) -> Vec<Lock> {
    let with_objects = |(lock, objects): (Lock, FxHashSet<u64>)| Lock { objects: objects.len() as u64, ..lock };
    let mut locks: Vec<Lock> = locks.into_values().map(with_objects).collect();
    locks.sort_by_key(|lock| (std::cmp::Reverse(lock.wait_ns), lock.codeptr, lock.kind));
    locks
}
