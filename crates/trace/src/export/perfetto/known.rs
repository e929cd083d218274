//! What is known of the whole trace before its events are written.

use crate::Site;
use crate::export::slices::Context;
use crate::reader::Trace;
use crate::site::Functions;
use crate::store::Record;
use rustc_hash::{FxHashMap, FxHashSet};

/// A parallel region as far as names and ends of slices need it.
pub struct Region {
    pub site: Site,
    pub end: u64,
}

/// Facts about the whole trace that are needed before its events are written.
#[derive(Default)]
pub struct Known {
    /// By parallel id.
    pub regions: FxHashMap<u64, Region>,
    /// The construct that created a task, by task id.
    pub tasks: FxHashMap<u64, Site>,
    /// The construct that an operation of a device comes from, by operation.
    pub operations: FxHashMap<u64, Site>,
    /// The operations that selected regions have requested.
    pub selected: FxHashSet<u64>,
}

impl Known {
    /// Reads all events once, and those of a selection of regions twice.
    pub fn of(trace: &Trace, end: u64) -> Known {
        let selected = selected(trace);
        let mut known = Known::default();
        let mut functions = Functions::default();
        for thread in &trace.threads {
            functions.next_thread();
            // The construct that the thread is in. Operations without an address of their own belong to this construct.
            let mut construct = Site::default();
            // The selected regions that the thread is in: as encountering thread, and by this implicit task.
            let mut inside: Vec<(u64, Option<u64>)> = Vec::new();
            for event in trace.events(thread) {
                let site = functions.site(&event.record);
                match event.record {
                    Record::TargetBegin { .. } => construct = site,
                    Record::DataOpBegin { op, codeptr, .. } => {
                        let site = if codeptr == construct.codeptr { construct } else { codeptr.into() };
                        known.operations.insert(op, site);
                        known.request(op, !inside.is_empty());
                    }
                    Record::SubmitBegin { op, .. } => {
                        known.operations.insert(op, construct);
                        known.request(op, !inside.is_empty());
                    }
                    Record::ParallelBegin { parallel, .. } => {
                        known.regions.insert(parallel, Region { site, end });
                        inside.extend(selected.get(&parallel).map(|id| (*id, None)));
                    }
                    Record::ImplicitTaskBegin { parallel, task, .. } => {
                        inside.extend(selected.get(&parallel).map(|id| (*id, Some(task))));
                    }
                    Record::ImplicitTaskEnd { task, .. } => inside.retain(|(_, by)| *by != Some(task)),
                    Record::ParallelEnd { parallel, .. } => {
                        inside.retain(|(id, _)| *id != parallel);
                        if let Some(region) = known.regions.get_mut(&parallel) {
                            region.end = event.ns;
                        }
                    }
                    Record::TaskCreate { task, .. } => drop(known.tasks.insert(task, site)),
                    _ => {}
                }
            }
        }
        known
    }

    fn request(&mut self, op: u64, is_inside: bool) {
        if is_inside {
            self.selected.insert(op);
        }
    }
}

/// The instances of the selected regions. A worker's events may be read before those of the thread that encountered the
/// region, and an implicit task has no construct of its own.
fn selected(trace: &Trace) -> FxHashSet<u64> {
    let mut selected = FxHashSet::default();
    if trace.selection.regions.is_none() {
        return selected;
    }
    let mut functions = Functions::default();
    for thread in &trace.threads {
        functions.next_thread();
        for event in trace.events(thread) {
            let site = functions.site(&event.record);
            if let Record::ParallelBegin { parallel, .. } = event.record
                && trace.selection.names(site)
            {
                selected.insert(parallel);
            }
        }
    }
    selected
}

impl Context for Known {
    fn region(&self, parallel: u64) -> Option<(Site, u64)> {
        self.regions.get(&parallel).map(|region| (region.site, region.end))
    }

    fn task(&self, task: u64) -> Option<Site> {
        self.tasks.get(&task).copied()
    }
}
