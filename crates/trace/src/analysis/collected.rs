//! What is collected over all threads before it is summed up.

use super::Lock;
use crate::Site;
use crate::reader::Event;
use crate::store::Record;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Adds without overflow.
pub(super) fn add(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}

/// One execution of a parallel region.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub site: Site,
    pub begin: u64,
    pub end: u64,
    pub nested: bool,
    /// Threads of the team as the implicit tasks reported it.
    pub team: u64,
    /// Implicit tasks seen.
    pub parts: u64,
    pub work: u64,
    pub max_work: u64,
    pub barrier: u64,
    pub sync: u64,
    pub runtime: u64,
    /// Time that threads spent in the region; the rest of the thread time is idle.
    pub inside: u64,
}

/// One task that was created.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Task {
    pub site: Site,
    /// Whether it is an explicit task, rather than a target task or a taskwait with dependences.
    pub explicit: bool,
    /// Index of the thread that created it.
    pub creator: usize,
    pub work: u64,
    pub completed: bool,
    pub stolen: bool,
}

/// What is collected over all threads.
#[derive(Default)]
pub(super) struct Collected {
    /// By parallel id.
    pub instances: FxHashMap<u64, Instance>,
    /// By task id.
    pub tasks: FxHashMap<u64, Task>,
    /// By kind and code address.
    pub locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>,
}

impl Collected {
    /// Replaces each site by the site that `place` returns. Calls `place` once for each site, in ascending order, and
    /// for `others` as well. Returns all replacements.
    pub fn unite_places(
        &mut self,
        place: &mut dyn FnMut(Site) -> Site,
        others: BTreeSet<Site>,
    ) -> FxHashMap<Site, Site> {
        let regions = self.instances.values().map(|instance| instance.site);
        let tasks = self.tasks.values().map(|task| task.site);
        let locks = self.locks.keys().map(|(_, codeptr)| Site::from(*codeptr));
        let sites: BTreeSet<Site> = regions.chain(tasks).chain(locks).chain(others).collect();
        let places: FxHashMap<Site, Site> = sites.into_iter().map(|site| (site, place(site))).collect();
        self.instances.values_mut().for_each(|instance| instance.site = places[&instance.site]);
        self.tasks.values_mut().for_each(|task| task.site = places[&task.site]);
        for ((kind, codeptr), (lock, objects)) in std::mem::take(&mut self.locks) {
            let codeptr = places[&Site::from(codeptr)].codeptr;
            let (sum, all) = self.locks.entry((kind, codeptr)).or_default();
            (sum.kind, sum.codeptr, sum.wait_id) = (kind, codeptr, lock.wait_id);
            sum.count += lock.count;
            sum.max_wait_ns = sum.max_wait_ns.max(lock.max_wait_ns);
            add(&mut sum.wait_ns, lock.wait_ns);
            add(&mut sum.hold_ns, lock.hold_ns);
            all.extend(objects);
        }
        places
    }

    /// Takes an event of a thread. `site` is the construct that begins with the event, if one does.
    pub fn note_extent(&mut self, thread: usize, event: Event, site: Site, end_of_trace: u64) {
        match event.record {
            Record::ParallelBegin { parallel, .. } => {
                let (begin, end) = (event.ns, end_of_trace.max(event.ns));
                self.instances.insert(parallel, Instance { site, begin, end, ..Instance::default() });
            }
            Record::ParallelEnd { parallel, .. } => {
                if let Some(instance) = self.instances.get_mut(&parallel) {
                    instance.end = event.ns.max(instance.begin);
                }
            }
            Record::TaskCreate { task, flags, .. } => {
                let explicit = flags & TASK_EXPLICIT != 0;
                self.tasks.insert(task, Task { site, explicit, creator: thread, ..Task::default() });
            }
            _ => {}
        }
    }
}

/// `ompt_task_explicit`.
const TASK_EXPLICIT: u64 = 4;
