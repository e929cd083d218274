//! Everything of the page that the summary does not have, computed in one pass over the events of all threads in the
//! order of time: rows and lanes, the use of the threads, the graph of the tasks.

use super::cells::{Grid, Lane};
use super::device::Device;
use super::exact::{Exact, Slice};
use super::live::Live;
use super::names::Names;
use super::row::{Row, Shared};
use super::usage::{ACTIVITIES, Usage};
use crate::Progress;
use crate::analysis::{Clock, InOrder};
use crate::export::shown::Shown;
use crate::export::slices::Track;
use crate::reader::{Event, Thread, Trace};
use crate::site::Functions;
use crate::store::Record;
use crate::store::task_status::{CANCEL, COMPLETE, LATE_FULFILL};
use crate::symbols::Symbolizer;
use std::io::Result;

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 16;
/// `ompt_thread_worker`.
const WORKER: u64 = 2;

/// How much of the run a page may have.
#[derive(Clone, Copy)]
pub struct Budget {
    /// Cells of all lanes.
    pub cells: usize,
    /// Slices to the nanosecond.
    pub slices: usize,
}

/// A row that is complete.
pub struct Finished {
    /// Its name, such as `thread 3`.
    pub label: String,
    /// Whether it is a device's.
    pub device: bool,
    /// Nanoseconds of each activity; none for a device's operations.
    pub totals: Option<[u64; ACTIVITIES.len()]>,
    /// The lanes, the outermost first. None where the budget did not allow cells.
    pub lanes: Vec<Option<Lane>>,
}

/// What a page shows of a run over time.
pub struct Timeline<'a> {
    pub names: Names<'a>,
    pub grid: Grid,
    pub usage: Usage,
    pub live: Live,
    /// The rows; a slice names its row by the index.
    pub rows: Vec<Finished>,
    /// By row, lane and begin.
    pub slices: Vec<Slice>,
    /// The windows of time in which no slice is missing.
    pub windows: Vec<(u64, u64)>,
}

/// One file of the trace.
enum Source {
    Thread { row: Row, track: Track, shown: Shown, functions: Functions },
    Device(Device),
}

/// Reads all events of a trace that lasted `wall_ns`.
pub fn read<'a>(
    trace: &Trace,
    wall_ns: u64,
    symbols: &'a mut Symbolizer,
    budget: Budget,
    progress: Progress<'_>,
) -> Result<Timeline<'a>> {
    let mut sources: Vec<Source> =
        trace.threads.iter().enumerate().map(|(index, thread)| source(index, thread)).collect();
    let devices = sources.iter().any(|source| matches!(source, Source::Device(_)));
    let mut live = Live::new(sources.len(), devices);
    let mut next_row = sources.len() as u32;
    let mut shared = Shared {
        names: Names::new(symbols),
        grid: Grid::new(wall_ns, sources.len(), budget.cells),
        exact: Exact::new(wall_ns, budget.slices),
        usage: Usage::new(wall_ns),
        ran: Vec::new(),
    };
    std::thread::scope(|scope| -> Result<()> {
        let (mut events, mut count) = (InOrder::new(trace, scope), 0u64);
        let mut clock = Clock::new(&trace.selection, trace.threads.len());
        let edges = (0, wall_ns);
        while let Some((index, event)) = events.next() {
            let (before, past) = (event.ns < trace.selection.edges().0, clock.is_past(event.ns));
            let of_device = clock.cut_of_device(event);
            let event = clock.cut(index, event);
            if past && !devices {
                break;
            }
            shared.exact.advance(event.ns);
            match &mut sources[index] {
                Source::Thread { .. } if past => {}
                Source::Thread { row, track, shown, functions } => {
                    let site = functions.site(&event.record);
                    clock.note(&event.record, site);
                    live.before(index, &event, site, !before && shown.is_inside(&trace.selection));
                    if let Record::ThreadBegin { kind } = event.record {
                        row.begin(kind == WORKER, event.ns);
                    }
                    let mut sink = row.sink(&mut shared);
                    track.event(
                        event,
                        site,
                        &live,
                        &mut shown.only(&trace.selection, (edges, before), &live, &mut sink),
                    )?;
                    if let Record::ThreadEnd {} = event.record {
                        row.end(event.ns, &mut shared.usage);
                    }
                    after(&event, &mut live, &mut shared, &mut sources);
                }
                Source::Device(device) => {
                    if let Some(event) = of_device {
                        device.event(event, &mut live, &mut shared, &mut next_row);
                    }
                }
            }
            count += 1;
            if count.is_multiple_of(PROGRESS_EVERY) {
                progress(events.bytes_read(), trace.bytes());
            }
        }
        Ok(())
    })?;
    progress(trace.bytes(), trace.bytes());
    let rows = finish(trace, wall_ns, sources, next_row, &mut live, &mut shared)?;
    let Shared { names, grid, exact, usage, .. } = shared;
    let (slices, windows) = exact.finish(wall_ns);
    Ok(Timeline { names, grid, usage, live, rows, slices, windows })
}

fn source(index: usize, thread: &Thread) -> Source {
    match thread.on_device {
        Some(on) if on.thread == 0 => Source::Device(Device::new(on.device)),
        _ => {
            let (track, shown, functions) = (Track::default(), Shown::default(), Functions::default());
            Source::Thread { row: Row::new(index as u32), track, shown, functions }
        }
    }
}

/// An event's effects on other threads, and on the tasks.
fn after(event: &Event, live: &mut Live, shared: &mut Shared<'_>, sources: &mut [Source]) {
    for (task, ns) in shared.ran.drain(..) {
        live.ran(task, ns);
    }
    match event.record {
        Record::ParallelEnd { parallel, .. } => {
            // Workers may report the end of their part later. Their part ends here.
            for inside in live.end_region(parallel) {
                if let Source::Thread { track, .. } = &mut sources[inside] {
                    track.region_ends(parallel, event.ns);
                }
            }
        }
        Record::TaskSchedule { prior, status: COMPLETE | CANCEL | LATE_FULFILL, .. } => {
            if let Some(task) = live.complete(prior, event.ns).filter(|task| task.shown || task.ran > 0) {
                let name = shared.names.number("task".into(), "task", task.site);
                shared.names.count_task(name, task.ran);
            }
        }
        _ => {}
    }
}

/// Closes everything at the end of the run. Returns the rows by their numbers.
fn finish(
    trace: &Trace,
    wall_ns: u64,
    sources: Vec<Source>,
    mut next_row: u32,
    live: &mut Live,
    shared: &mut Shared<'_>,
) -> Result<Vec<Finished>> {
    let (mut rows, mut of_devices) = (Vec::new(), Vec::new());
    for (source, thread) in sources.into_iter().zip(&trace.threads) {
        let (mut totals, mut lanes) = (None, Vec::new());
        match source {
            Source::Thread { mut row, mut track, mut shown, .. } => {
                let mut sink = row.sink(shared);
                let when = ((0, wall_ns), false);
                track.finish(wall_ns, &mut shown.only(&trace.selection, when, live, &mut sink))?;
                row.end(wall_ns, &mut shared.usage);
                (totals, lanes) = (Some(row.totals), row.lanes);
            }
            Source::Device(mut device) => {
                device.finish(live, shared, &mut next_row);
                of_devices.append(&mut device.rows);
            }
        }
        let device = thread.on_device.is_some();
        rows.push(Finished { label: label(thread), device, totals, lanes });
    }
    of_devices.sort_by_key(|row| row.number);
    rows.extend(of_devices.into_iter().map(|row| Finished {
        label: row.label,
        device: true,
        totals: None,
        lanes: row.lanes,
    }));
    for lane in rows.iter_mut().flat_map(|row| &mut row.lanes).flatten() {
        lane.settle(&shared.grid);
    }
    Ok(rows)
}

fn label(thread: &Thread) -> String {
    match thread.on_device {
        Some(on) => format!("device {} thread {}", on.device, on.thread),
        None => format!("thread {}", thread.number),
    }
}
