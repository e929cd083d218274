//! The regions and tasks that are under way while the events of all threads are read in the order of time. Memory does
//! not grow with the trace.

use super::graph::Graph;
use crate::Site;
use crate::export::slices::Context;
use crate::reader::Event;
use crate::store::Record;
use rustc_hash::FxHashMap;

/// `ompt_task_initial` and `ompt_task_explicit`.
const INITIAL: u64 = 1;
const EXPLICIT: u64 = 4;

/// A region that has not ended.
#[derive(Default)]
struct Region {
    site: Site,
    /// The indices of the threads that are in the region.
    inside: Vec<usize>,
}

/// A task that has not completed.
pub struct Task {
    pub site: Site,
    /// Nanoseconds that it has run so far.
    pub ran: u64,
    /// Whether the page is about its creation.
    pub shown: bool,
}

/// See the module.
#[derive(Default)]
pub struct Live {
    regions: FxHashMap<u64, Region>,
    tasks: FxHashMap<u64, Task>,
    /// The construct that each device operation comes from, until the device reports the operation.
    operations: FxHashMap<u64, Site>,
    /// For each thread, the device construct that it is in. Empty if no device traces itself: nothing would use it.
    constructs: Vec<Site>,
    /// What is known of the tasks' dependences.
    pub graph: Graph,
}

impl Live {
    /// For so many threads. `devices` says whether a device traces itself.
    pub fn new(threads: usize, devices: bool) -> Live {
        Live { constructs: vec![Site::default(); if devices { threads } else { 0 }], ..Live::default() }
    }

    /// Takes an event before the thread's slices do. `site` is the construct that begins with the event; `shown` says
    /// whether the page is about the event.
    pub fn before(&mut self, thread: usize, event: &Event, site: Site, shown: bool) {
        match event.record {
            Record::ParallelBegin { parallel, .. } => self.regions.entry(parallel).or_default().site = site,
            Record::ImplicitTaskBegin { parallel, flags, .. } if parallel != 0 && flags & INITIAL == 0 => {
                self.regions.entry(parallel).or_default().inside.push(thread);
            }
            Record::TaskCreate { task, parent, flags, dependences, .. } => {
                self.tasks.insert(task, Task { site, ran: 0, shown });
                if flags & EXPLICIT != 0 && shown {
                    self.graph.create(task, parent, dependences != 0, site, event.ns);
                }
            }
            Record::TaskDependence { source, sink } => self.graph.depend(source, sink),
            Record::TaskSchedule { next, .. } => self.graph.begin(next, thread, event.ns),
            record => self.operation(thread, record, site),
        }
    }

    /// Notes which construct a device's operation comes from.
    fn operation(&mut self, thread: usize, record: Record, site: Site) {
        let Some(construct) = self.constructs.get_mut(thread) else { return };
        match record {
            Record::TargetBegin { .. } => *construct = site,
            Record::DataOpBegin { op, codeptr, .. } => {
                let site = if codeptr == construct.codeptr { *construct } else { codeptr.into() };
                self.operations.insert(op, site);
            }
            Record::SubmitBegin { op, .. } => drop(self.operations.insert(op, *construct)),
            _ => {}
        }
    }

    /// A region has ended for the thread that encountered it. Returns the threads that were inside.
    pub fn end_region(&mut self, parallel: u64) -> Vec<usize> {
        self.regions.remove(&parallel).unwrap_or_default().inside
    }

    /// A task has run for so many nanoseconds.
    pub fn ran(&mut self, task: u64, ns: u64) {
        if let Some(task) = self.tasks.get_mut(&task) {
            task.ran = task.ran.saturating_add(ns);
        }
    }

    /// A task has completed. Returns the task if it was known.
    pub fn complete(&mut self, task: u64, ns: u64) -> Option<Task> {
        let done = self.tasks.remove(&task)?;
        self.graph.complete(task, done.ran, ns);
        Some(done)
    }

    /// The construct that a device's operation comes from. The operation is over.
    pub fn take_operation(&mut self, op: u64) -> Site {
        self.operations.remove(&op).unwrap_or_default()
    }
}

impl Context for Live {
    fn region(&self, parallel: u64) -> Option<(Site, u64)> {
        self.regions.get(&parallel).map(|region| (region.site, u64::MAX))
    }

    fn task(&self, task: u64) -> Option<Site> {
        self.tasks.get(&task).map(|task| task.site)
    }
}
