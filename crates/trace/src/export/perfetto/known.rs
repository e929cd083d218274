//! What is known of the whole trace before its events are written.

use crate::reader::Trace;
use crate::store::Record;
use rustc_hash::FxHashMap;

/// A parallel region as far as names and ends of slices need it.
pub struct Region {
    pub codeptr: u64,
    pub end: u64,
}

/// Facts about the whole trace that are needed before its events are written.
#[derive(Default)]
pub struct Known {
    /// By parallel id.
    pub regions: FxHashMap<u64, Region>,
    /// The code that created a task, by task id.
    pub tasks: FxHashMap<u64, u64>,
    /// The construct that an operation of a device comes from, by operation.
    pub operations: FxHashMap<u64, u64>,
}

impl Known {
    /// Reads all events once.
    pub fn of(trace: &Trace, end: u64) -> Known {
        let mut known = Known::default();
        // The construct that the thread is in. Operations without an address of their own belong to this construct.
        let mut construct = 0;
        for event in trace.threads.iter().flat_map(|thread| trace.events(thread)) {
            match event.record {
                Record::TargetBegin { codeptr, .. } => construct = codeptr,
                Record::DataOpBegin { op, codeptr, .. } => drop(known.operations.insert(op, codeptr)),
                Record::SubmitBegin { op, .. } => drop(known.operations.insert(op, construct)),
                Record::ParallelBegin { parallel, codeptr, .. } => {
                    known.regions.insert(parallel, Region { codeptr, end });
                }
                Record::ParallelEnd { parallel, .. } => {
                    if let Some(region) = known.regions.get_mut(&parallel) {
                        region.end = event.ns;
                    }
                }
                Record::TaskCreate { task, codeptr, .. } => {
                    known.tasks.insert(task, codeptr);
                }
                _ => {}
            }
        }
        known
    }
}
