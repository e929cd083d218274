//! Computes a [`Summary`] from a trace, in one pass over the events of all threads in the order of time. Damaged traces
//! give odd numbers but no panic, hence the saturating arithmetic.

use super::clock::Clock;
use super::collected::{Collected, LockSum};
use super::counts::Counting;
use super::order::InOrder;
use super::samples::Collector;
use super::serial::Serial;
use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Summary, ThreadRow, loops};
use crate::reader::Trace;
use crate::selection::Selection;
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
        let selection = &trace.selection;
        let before_ns = if selection.is_all() { trace.meta.before_ns } else { 0 };
        let mut summary = Summary { lost: trace.lost(), before_ns, no_openmp: true, ..Summary::default() };
        summary.threads = trace.threads.iter().filter(|thread| is_thread(thread)).count();
        let (mut collected, mut targets) =
            (Collected::new(trace.threads.len(), selection.regions.is_none()), Targets::new(trace.threads.len()));
        collected.counting = Counting::new(trace.meta.counters.len());
        let threads = trace.threads.iter().enumerate();
        let mut timelines: Vec<Timeline> =
            threads.map(|(index, thread)| Timeline::new(index, thread.on_device.is_some())).collect();
        let mut functions: Vec<Functions> = trace.threads.iter().map(|_| Functions::default()).collect();
        let (mut serial, initial) = (Serial::default(), initial_thread(trace));
        let mut samples = Collector::new(trace);
        let (mut events, mut last, mut read) = (InOrder::new(trace), 0, 0u64);
        let mut clock = Clock::new(selection, trace.threads.len());
        let devices = trace.threads.iter().any(|thread| thread.on_device.is_some());
        while let Some((thread, event)) = events.next() {
            last = event.ns;
            if clock.opens(event.ns) {
                forget(selection, &mut timelines, &mut samples, &mut collected, &mut targets, &mut serial);
                summary.events = 0;
            }
            if clock.is_past(event.ns) {
                // Devices tell late what they did.
                match clock.cut_of_device(event) {
                    _ if !devices => break,
                    Some(event) if matches!(event.record, Record::Operation { .. }) => {
                        targets.note(thread, event, Site::default());
                    }
                    _ => {}
                }
                continue;
            }
            if samples.is_due(thread, event.ns) {
                let (region, doing) = timelines[thread].doing(thread == initial, &collected);
                samples.charge(thread, event.ns, timelines[thread].is_inside(&collected).then_some((region, doing)));
            }
            let site = functions[thread].site(&event.record);
            let of_device = clock.cut_of_device(event);
            let event = clock.cut(thread, event);
            clock.note(&event.record, site);
            if matches!(event.record, Record::Function { .. }) {
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
            if matches!(event.record, Record::Counter { .. }) {
                timelines[thread].counted(event.record, thread == initial, &mut collected);
                continue;
            }
            if loops::is_about_chunks(&event.record) {
                timelines[thread].executed(event, trace.threads[thread].number, last.max(selection.edges().0));
                continue;
            }
            summary.no_openmp &= !is_construct(&event.record);
            if let Some(event) = of_device.filter(|_| timelines[thread].is_inside(&collected)) {
                targets.note(thread, event, site);
            }
            if thread == initial {
                serial.event(event.ns, &event.record, site);
            }
            timelines[thread].event(event, site, selection.names(site), &mut collected);
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
            summary.events += u64::from(timelines[thread].is_inside(&collected));
            read += 1;
            if read.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
        }
        progress(trace.bytes(), trace.bytes());
        if clock.opens(u64::MAX) {
            forget(selection, &mut timelines, &mut samples, &mut collected, &mut targets, &mut serial);
            summary.events = 0;
        }
        let (_, to) = selection.edges();
        for (thread, timeline) in timelines.iter().enumerate() {
            if samples.is_due(thread, to) {
                let (region, doing) = timeline.doing(thread == initial, &collected);
                samples.charge(thread, to, timeline.is_inside(&collected).then_some((region, doing)));
            }
        }
        summary.wall_ns = clock.advance(trace.end_ns().unwrap_or(last));
        if selection.window.is_some() {
            targets.end_all(summary.wall_ns);
            timelines.iter_mut().for_each(|timeline| timeline.cut_locks(summary.wall_ns, &mut collected));
        }
        let in_regions: Vec<u64> =
            timelines.iter_mut().map(|timeline| timeline.finish(summary.wall_ns, &mut collected)).collect();
        if selection.window.is_some() {
            collected.cut_tasks();
        }
        summary.serial_ns = summary.wall_ns.saturating_sub(in_regions.get(initial).copied().unwrap_or(0));
        summary.concurrency_ns = std::mem::take(&mut collected.crowd).finish(summary.wall_ns);
        summary.throttled = trace.meta.throttled().filter(|_| selection.is_all());
        summary.thread_rows = rows(trace, timelines);
        if !selection.is_all() {
            summary.thread_rows = seen(std::mem::take(&mut summary.thread_rows), selection);
            summary.threads = summary.thread_rows.len();
        }
        let others = targets.places().into_iter().chain(samples.sites()).collect();
        let places = collected.finish(summary.wall_ns, place, others);
        if selection.regions.is_none() {
            summary.serial = serial.finish(summary.wall_ns, |site| places.get(&site).copied().unwrap_or(site));
        } else {
            summary.serial_ns = 0;
        }
        if !selection.is_all() {
            collected.drop_empty();
        }
        let numbers: Vec<u32> = trace.threads.iter().map(|thread| thread.number).collect();
        let counting = std::mem::take(&mut collected.counting);
        let at = |site| places.get(&site).copied().unwrap_or(site);
        summary.counters = counting.finish(&trace.meta.counters, at, &numbers);
        summary.counters.missed_threads = trace.meta.missed_counters;
        summary.waits = collected.take_waits();
        let loops = std::mem::take(&mut collected.loops);
        summary.loops = loops.finish(|site| places.get(&site).copied().unwrap_or(site));
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

/// The window begins: what was summed up so far does not count.
fn forget(
    selection: &Selection,
    timelines: &mut [Timeline],
    samples: &mut Collector<'_>,
    collected: &mut Collected,
    targets: &mut Targets,
    serial: &mut Serial,
) {
    for (thread, timeline) in timelines.iter_mut().enumerate() {
        samples.skip(thread, selection.edges().0);
        timeline.forget();
    }
    collected.forget();
    targets.forget();
    serial.forget();
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
