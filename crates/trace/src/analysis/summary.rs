//! Computes a [`Summary`] from a trace, in one pass over the events of all threads in the order of time. Damaged traces
//! give odd numbers but no panic, hence the saturating arithmetic.

use super::collected::Collected;
use super::order::InOrder;
use super::target::Targets;
use super::thread::Timeline;
use super::{Lock, Summary};
use crate::reader::Trace;
use crate::site::Functions;
use crate::store::Record;
use crate::{Progress, Site};
use rustc_hash::{FxHashMap, FxHashSet};

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
        let mut summary = Summary { lost: trace.lost(), no_openmp: true, ..Summary::default() };
        let is_thread =
            |thread: &&crate::reader::Thread| !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0);
        summary.threads = trace.threads.iter().filter(is_thread).count();
        let (mut collected, mut targets) = (Collected::default(), Targets::new(trace.threads.len()));
        let mut timelines: Vec<Timeline> = (0..trace.threads.len()).map(Timeline::new).collect();
        let mut functions: Vec<Functions> = trace.threads.iter().map(|_| Functions::default()).collect();
        let (mut events, mut last) = (InOrder::new(trace), 0);
        while let Some((thread, event)) = events.next() {
            last = event.ns;
            let site = functions[thread].site(&event.record);
            if matches!(event.record, Record::Function { .. }) {
                continue;
            }
            summary.no_openmp &= !is_construct(&event.record);
            targets.note(thread, event, site);
            timelines[thread].event(event, site, &mut collected);
            if let Record::ParallelEnd { parallel, .. } = event.record {
                // Workers may report the end of their part later. Their time in the region ends here.
                let instance = collected.instances.get(&parallel);
                for &inside in instance.iter().flat_map(|instance| &instance.inside_now) {
                    timelines[inside].region_ends(parallel, event.ns);
                }
                collected.conclude(parallel);
            }
            summary.events += 1;
            if summary.events.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
        }
        progress(trace.bytes(), trace.bytes());
        summary.wall_ns = trace.end_ns().unwrap_or(last);
        let in_regions: Vec<u64> =
            timelines.iter_mut().map(|timeline| timeline.finish(summary.wall_ns, &mut collected)).collect();
        summary.serial_ns = summary.wall_ns.saturating_sub(in_regions.get(initial_thread(trace)).copied().unwrap_or(0));
        let places = collected.finish(summary.wall_ns, place, targets.places());
        summary.waits = collected.take_waits();
        summary.regions = collected.regions.into_values().collect();
        summary.regions.sort_by_key(|region| (std::cmp::Reverse(region.total_ns), region.site()));
        summary.tasks = collected.sites.into_values().collect();
        summary.tasks.sort_by_key(|site| (std::cmp::Reverse(site.total_ns), site.site()));
        summary.locks = locks(collected.locks);
        summary.targets = targets.finish(|site| places.get(&site).copied().unwrap_or(site));
        summary
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
    )
}

/// The index of the thread that started the program, as far as the trace shows it.
fn initial_thread(trace: &Trace) -> usize {
    let is_main = |thread: &crate::reader::Thread| thread.tid == u64::from(trace.meta.pid);
    trace.threads.iter().position(is_main).unwrap_or(0)
}

fn locks(locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>) -> Vec<Lock> {
    let with_objects = |(lock, objects): (Lock, FxHashSet<u64>)| Lock { objects: objects.len() as u64, ..lock };
    let mut locks: Vec<Lock> = locks.into_values().map(with_objects).collect();
    locks.sort_by_key(|lock| (std::cmp::Reverse(lock.wait_ns), lock.codeptr, lock.kind));
    locks
}
