//! The regions and tasks that are under way while the events of all threads are read in the order of time. Memory does
//! not grow with the trace.

use super::slices::Context;
use crate::Site;
use crate::reader::Event;
use crate::store::Record;
use crate::store::task_status::{CANCEL, COMPLETE, LATE_FULFILL, TASKWAIT_COMPLETE};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many regions and tasks that are over stay known: clocks of two CPUs may differ by some nanoseconds.
const AFTERWARDS: usize = 4096;
/// After these, nothing follows of the task.
const OVER: [u64; 4] = [COMPLETE, CANCEL, LATE_FULFILL, TASKWAIT_COMPLETE];

/// A parallel region as far as names and ends of slices need it.
struct Region {
    site: Site,
    /// The latest time at which a thread may leave its part.
    end: u64,
    /// The indices of the threads that have begun their part.
    inside: Vec<usize>,
}

/// Where a device's operation comes from.
#[derive(Clone, Copy, Default)]
pub struct Requested {
    /// The construct.
    pub site: Site,
    /// Whether the part that is selected is about it.
    pub selected: bool,
}

/// See the module.
#[derive(Default)]
pub struct Known {
    regions: FxHashMap<u64, Region>,
    tasks: FxHashMap<u64, Site>,
    /// The requests of operations, until the device reports the operation.
    operations: FxHashMap<u64, Requested>,
    /// For each thread, the device construct that it is in. Empty if no device reports operations.
    constructs: Vec<Site>,
    /// Regions that are over, the earliest first.
    past_regions: VecDeque<u64>,
    /// Tasks that are over, the earliest first.
    past_tasks: VecDeque<u64>,
}

impl Known {
    /// For so many threads. `devices` says whether a device reports its operations.
    pub fn new(threads: usize, devices: bool) -> Known {
        Known { constructs: vec![Site::default(); if devices { threads } else { 0 }], ..Known::default() }
    }

    /// Notes what begins with an event, some time before the slices of any thread need it. `last` is the end of the
    /// part.
    pub fn ahead(&mut self, event: &Event, site: Site, last: u64) {
        match event.record {
            Record::ParallelBegin { parallel, .. } => {
                self.regions.insert(parallel, Region { site, end: last, inside: Vec::new() });
            }
            Record::ParallelEnd { parallel, .. } => {
                if let Some(region) = self.regions.get_mut(&parallel) {
                    region.end = event.ns;
                }
            }
            Record::TaskCreate { task, .. } => drop(self.tasks.insert(task, site)),
            _ => {}
        }
    }

    /// Takes a thread's event before its slices do. `selected` says whether the part is about the event.
    pub fn take(&mut self, thread: usize, record: &Record, site: Site, selected: bool) {
        match *record {
            Record::ImplicitTaskBegin { parallel, .. } => {
                if let Some(region) = self.regions.get_mut(&parallel) {
                    region.inside.push(thread);
                }
            }
            Record::TaskSchedule { prior, status, .. } if OVER.contains(&status) => {
                self.past_tasks.push_back(prior);
                if self.past_tasks.len() > AFTERWARDS
                    && let Some(task) = self.past_tasks.pop_front()
                {
                    self.tasks.remove(&task);
                }
            }
            _ => self.request(thread, record, site, selected),
        }
    }

    /// Notes which construct a device's operation comes from.
    fn request(&mut self, thread: usize, record: &Record, site: Site, selected: bool) {
        let Some(construct) = self.constructs.get_mut(thread) else { return };
        match *record {
            Record::TargetBegin { .. } => *construct = site,
            Record::DataOpBegin { op, codeptr, .. } => {
                let site = if codeptr == construct.codeptr { *construct } else { codeptr.into() };
                self.operations.insert(op, Requested { site, selected });
            }
            Record::SubmitBegin { op, .. } => {
                self.operations.insert(op, Requested { site: *construct, selected });
            }
            _ => {}
        }
    }

    /// A region has ended for the thread that encountered it. Returns the threads that have begun their part.
    pub fn end_region(&mut self, parallel: u64) -> Vec<usize> {
        let inside = self.regions.get_mut(&parallel).map(|region| std::mem::take(&mut region.inside));
        self.past_regions.push_back(parallel);
        if self.past_regions.len() > AFTERWARDS
            && let Some(region) = self.past_regions.pop_front()
        {
            self.regions.remove(&region);
        }
        inside.unwrap_or_default()
    }

    /// Where an operation comes from that a device has reported. Nothing more follows of the operation.
    pub fn take_operation(&mut self, op: u64) -> Requested {
        self.operations.remove(&op).unwrap_or_default()
    }
}

impl Context for Known {
    fn region(&self, parallel: u64) -> Option<(Site, u64)> {
        self.regions.get(&parallel).map(|region| (region.site, region.end))
    }

    fn task(&self, task: u64) -> Option<Site> {
        self.tasks.get(&task).copied()
    }
}
