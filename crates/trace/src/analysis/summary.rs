//! Computes a [`Summary`] from a trace, in one pass over the events of all threads in the order of time. Damaged traces
//! give odd numbers but no panic, hence the saturating arithmetic.

use super::callers::Callers;
use super::collected::{Collected, LockSum};
use super::order::InOrder;
use super::samples::Collector;
use super::serial::Serial;
use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Summary, ThreadRow, loops};
use crate::reader::Trace;
use crate::site::Functions;
use crate::store::Record;
use crate::{Progress, Site};
use rustc_hash::FxHashMap;

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 16;

impl Summary {
    /// Reads all events of `trace` and sums them up. `progress` gets the bytes read.
    pub fn of(trace: &Trace, progress: Progress<'_>) -> Summary {
        Summary::by_place(trace, progress, &mut |site| site)
    }

    /// As [`Summary::of`], with one row for all sites for which `place` returns the same site. An inlined or unrolled
    /// construct has several return addresses. [`Symbolizer::place`](crate::symbols::Symbolizer::place) goes by
    /// functions of constructs and by lines of the source.
    pub fn by_place(trace: &Trace, progress: Progress<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        let before_ns = trace.meta.before_ns;
        let mut summary = Summary { lost: trace.lost(), before_ns, no_openmp: true, ..Summary::default() };
        summary.threads = trace.threads.iter().filter(|thread| is_thread(thread)).count();
        let (mut collected, mut targets) = (Collected::new(trace.threads.len()), Targets::new(trace.threads.len()));
        let threads = trace.threads.iter().enumerate();
        let mut timelines: Vec<Timeline> =
            threads.map(|(index, thread)| Timeline::new(index, thread.on_device.is_some())).collect();
        let mut functions: Vec<Functions> = trace.threads.iter().map(|_| Functions::default()).collect();
        let (mut serial, initial) = (Serial::since(trace.ready_ns()), initial_thread(trace));
        let (mut samples, mut callers) = (Collector::new(trace), Callers::new(trace.threads.len()));
        let (mut events, mut last) = (InOrder::new(trace), 0);
        while let Some((thread, event)) = events.next() {
            last = event.ns;
            if samples.is_due(thread, event.ns) {
                let (region, doing) = timelines[thread].doing(thread == initial, &collected);
                samples.charge(thread, event.ns, region, doing);
            }
            let site = functions[thread].site(&event.record);
            if matches!(event.record, Record::Function { .. } | Record::Caller { .. }) {
                callers.event(thread, &event.record);
                continue;
            }
            if matches!(event.record, Record::Usage { .. }) {
                if let Some(preempted) = timelines[thread].usage(event, &mut collected) {
                    let mut others = timelines.iter().enumerate().filter(|(other, _)| *other != thread);
                    let works = |other| collected.crowd.works(other);
                    if others.any(|(other, timeline)| timeline.meter.was_at(&preempted, works(other))) {
                        preempted.share(trace.meta.cpus, &mut timelines[thread].meter, &mut collected.regions);
                    }
                }
                continue;
            }
            if loops::is_about_chunks(&event.record) {
                timelines[thread].executed(event.record);
                continue;
            }
            summary.no_openmp &= !is_construct(&event.record);
            targets.note(thread, event, site);
            if thread == initial {
                serial.event(event.ns, &event.record, site);
            }
            timelines[thread].event(event, site, &mut collected);
            summary.unended += u64::from(matches!(event.record, Record::ParallelBegin { .. }));
            if let Record::ParallelEnd { parallel, .. } = event.record {
                // Workers may report the end of their part later. Their time in the region ends here.
                let instance = collected.instances.get(&parallel);
                for &inside in instance.iter().flat_map(|instance| &instance.inside_now) {
                    timelines[inside].region_ends(parallel, event.ns);
                }
                collected.conclude(parallel);
                summary.unended = summary.unended.saturating_sub(1);
            }
            summary.events += 1;
            if summary.events.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
        }
        progress(trace.bytes(), trace.bytes());
        for (thread, timeline) in timelines.iter().enumerate() {
            if samples.is_due(thread, u64::MAX) {
                let (region, doing) = timeline.doing(thread == initial, &collected);
                samples.charge(thread, u64::MAX, region, doing);
            }
        }
        summary.wall_ns = trace.end_ns().unwrap_or(last);
        let in_regions: Vec<u64> =
            timelines.iter_mut().map(|timeline| timeline.finish(summary.wall_ns, &mut collected)).collect();
        summary.serial_ns = summary.wall_ns.saturating_sub(in_regions.get(initial).copied().unwrap_or(0));
        summary.concurrency_ns = std::mem::take(&mut collected.crowd).finish(summary.wall_ns);
        summary.throttled = trace.meta.throttled();
        summary.thread_rows = rows(trace, timelines);
        let others = targets.places().into_iter().chain(samples.sites()).collect();
        let places = collected.finish(summary.wall_ns, place, others);
        summary.serial = serial.finish(summary.wall_ns, |site| places.get(&site).copied().unwrap_or(site));
        summary.callers = callers.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary.waits = collected.take_waits();
        let loops = std::mem::take(&mut collected.loops);
        summary.loops = loops.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary.outermost = collected.outermost;
        summary.regions = collected.regions.into_values().collect();
        summary.regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.site()));
        summary.tasks = collected.sites.into_values().collect();
        summary.tasks.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.site()));
        summary.locks = locks(collected.locks);
        summary.samples = samples.finish(trace, |site| places.get(&site).copied().unwrap_or(site));
        summary.targets = targets.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary
    }
}

/// The rows of the threads that recorded anything.
fn rows(trace: &Trace, timelines: Vec<Timeline>) -> Vec<ThreadRow> {
    let with_names = |(thread, timeline): (&crate::reader::Thread, Timeline)| ThreadRow {
        number: thread.number,
        tid: thread.tid,
        name: thread.name.clone(),
        device: thread.on_device.map(|on| on.device),
        ..timeline.row()
    };
    let is_thread = |(thread, _): &(&crate::reader::Thread, Timeline)| is_thread(thread);
    trace.threads.iter().zip(timelines).filter(is_thread).map(with_names).collect()
}

/// Whether a file has anything of a thread, rather than of a device's operations.
fn is_thread(thread: &crate::reader::Thread) -> bool {
    !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0)
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

/// The index of the thread that started the program, as far as the trace shows it.
fn initial_thread(trace: &Trace) -> usize {
    let is_main = |thread: &crate::reader::Thread| thread.tid == u64::from(trace.meta.pid);
    trace.threads.iter().position(is_main).unwrap_or(0)
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
