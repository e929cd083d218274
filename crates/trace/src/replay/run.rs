//! Replays a whole trace, in one pass over the events of all threads and in memory that does not grow with the trace.

use super::change::Changes;
use super::delays::{Counted, Delays};
use super::spots::Spots;
use super::walk::{Replayed, Walk};
use crate::analysis::{CriticalPath, InOrder, PathKind, PathStep};
use crate::reader::Trace;
use crate::site::Functions;
use crate::store::Record;
use crate::{Progress, Site};
use std::cell::RefCell;
use std::rc::Rc;

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 16;

/// The critical path of a run as it was, with the delays that were measured; and the typical delays. `place` returns
/// the site that stands for all sites of the same line, as for
/// [`Summary::by_place`](crate::analysis::Summary::by_place). `progress` gets the bytes read.
pub fn critical_path(
    trace: &Trace,
    place: &mut dyn FnMut(Site) -> Site,
    progress: Progress<'_>,
) -> (CriticalPath, Rc<[u64]>) {
    let changes = Changes::default();
    let (mut path, delays, _) = replay(trace, &changes, Delays::Measured(Counted::default()), place, progress);
    let typical = if let Delays::Measured(counted) = delays { counted.medians() } else { Rc::default() };
    path.replayed_ns = changed(trace, &changes, &typical, place, progress).0.length_ns;
    (path, typical)
}

/// The critical path of a run with some changes and typical delays; and how many barriers are left out.
pub fn changed(
    trace: &Trace,
    changes: &Changes,
    typical: &Rc<[u64]>,
    place: &mut dyn FnMut(Site) -> Site,
    progress: Progress<'_>,
) -> (CriticalPath, u64) {
    let (path, _, dropped) = replay(trace, changes, Delays::Typical(typical.clone()), place, progress);
    (path, dropped)
}

/// How long a run would be with typical delays, and then with each of several changes alone.
pub fn lengths(
    trace: &Trace,
    changes: &[Changes],
    place: &mut dyn FnMut(Site) -> Site,
    progress: Progress<'_>,
) -> (u64, Vec<u64>) {
    let (_, delays, _) = replay(trace, &Changes::default(), Delays::Measured(Counted::default()), place, progress);
    let typical = if let Delays::Measured(counted) = delays { counted.medians() } else { Rc::default() };
    let (unchanged, place) = (Changes::default(), RefCell::new(place));
    let all: Vec<&Changes> = [&unchanged].into_iter().chain(changes).collect();
    // The closures that the walks have.
    let mut places: Vec<_> = all.iter().map(|_| |site| (place.borrow_mut())(site)).collect();
    let mut walks = Vec::new();
    for (&changes, place) in all.iter().zip(&mut places) {
        walks.push(Walk::new(Spots::new(changes, place), Delays::Typical(typical.clone()), trace.threads.len()));
    }
    let (initial, wall) = play(trace, &mut walks, progress);
    let mut lengths = walks.into_iter().map(|walk| walk.finish(initial, wall).length);
    (lengths.next().unwrap_or(0), lengths.collect())
}

fn replay(
    trace: &Trace,
    changes: &Changes,
    delays: Delays,
    place: &mut dyn FnMut(Site) -> Site,
    progress: Progress<'_>,
) -> (CriticalPath, Delays, u64) {
    let mut walk = Walk::new(Spots::new(changes, place), delays, trace.threads.len());
    let (initial, wall) = play(trace, std::slice::from_mut(&mut walk), progress);
    let before = trace.meta.before_ns;
    let Replayed { length, path, spots, delays, dropped } = walk.finish(initial, wall);
    let startup = PathStep { what: PathKind::Startup, site: Site::default(), ns: before };
    let steps = path.steps().iter().map(|&(spot, ns)| {
        let (what, site) = spots.what(spot);
        PathStep { what, site, ns }
    });
    let mut steps: Vec<PathStep> = steps.chain([startup]).filter(|step| step.ns > 0).collect();
    steps.sort_by_key(|step| (std::cmp::Reverse(step.ns), step.what, step.site));
    let length_ns = length.saturating_add(before);
    let path = CriticalPath { measured_ns: wall.saturating_add(before), replayed_ns: length_ns, length_ns, steps };
    (path, delays, dropped)
}

/// Takes all events of a trace. Returns the index of its initial thread, and its end.
fn play(trace: &Trace, walks: &mut [Walk<'_>], progress: Progress<'_>) -> (usize, u64) {
    let mut functions: Vec<Functions> = trace.threads.iter().map(|_| Functions::default()).collect();
    let is_main = |thread: &crate::reader::Thread| thread.tid == u64::from(trace.meta.pid);
    let initial = trace.threads.iter().position(is_main).unwrap_or(0);
    let mut last = 0;
    std::thread::scope(|scope| {
        let (mut events, mut count) = (InOrder::new(trace, scope), 0u64);
        while let Some((thread, event)) = events.next() {
            last = event.ns;
            count += 1;
            if count.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
            if trace.threads[thread].on_device.is_some() {
                continue;
            }
            let site = functions[thread].site(&event.record);
            for walk in &mut *walks {
                match event.record {
                    Record::Function { .. } | Record::Usage { .. } | Record::ChunkLengths { .. } => {}
                    Record::Chunks { .. } | Record::Section { .. } => walk.executed(thread, event.record),
                    _ => walk.event(thread, event, site),
                }
            }
        }
    });
    progress(trace.bytes(), trace.bytes());
    (initial, trace.end_ns().unwrap_or(last))
}
