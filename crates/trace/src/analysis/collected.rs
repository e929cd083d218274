//! What is collected over all threads before it is summed up.

use super::blame::{Blame, Place, Waits};
use super::{Activity, Lock, Region, TaskSite, Wait};
use crate::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Adds without overflow.
pub(super) fn add(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}

/// One execution of a parallel region that is under way, or that threads have not left yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// Whether its begin was seen. Clocks of two CPUs may differ by some nanoseconds: an implicit task may seem to
    /// begin before its region.
    pub begun: bool,
    pub site: Site,
    pub begin: u64,
    /// When the region ended for the thread that encountered it.
    pub end: Option<u64>,
    pub nested: bool,
    /// Threads of the team as the implicit tasks reported it.
    pub team: u64,
    /// Implicit tasks seen.
    pub parts: u64,
    pub blame: Blame,
    /// Indices of the threads that are in the region.
    pub inside_now: Vec<usize>,
    pub work: u64,
    pub max_work: u64,
    pub barrier: u64,
    pub sync: u64,
    pub runtime: u64,
    /// Time that threads spent in the region; the rest of the thread time is idle.
    pub inside: u64,
}

/// One task that was created and has not completed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Task {
    pub site: Site,
    /// Whether it is an explicit task, rather than a target task or a taskwait with dependences.
    pub explicit: bool,
    /// Index of the thread that created it.
    pub creator: usize,
    pub work: u64,
    pub stolen: bool,
}

/// What is collected over all threads. What is over is added to its construct's sum at once, so memory grows with the
/// constructs of the program and not with the trace.
#[derive(Default)]
pub(super) struct Collected {
    /// Regions that are not over, by parallel id.
    pub instances: FxHashMap<u64, Instance>,
    /// Tasks that have not completed, by task id.
    pub tasks: FxHashMap<u64, Task>,
    /// Sums of the regions that are over, by construct.
    pub regions: FxHashMap<Site, Region>,
    /// Sums of the tasks, by construct.
    pub sites: FxHashMap<Site, TaskSite>,
    pub waits: Waits,
    /// By kind and code address.
    pub locks: FxHashMap<(u64, u64), (Lock, FxHashSet<u64>)>,
}

impl Collected {
    /// A region begins.
    pub fn begin_region(&mut self, parallel: u64, site: Site, begin: u64) {
        let instance = self.instance(parallel, begin);
        (instance.begun, instance.site) = (true, site);
    }

    /// A region, which begins now if it has not.
    pub fn instance(&mut self, parallel: u64, now: u64) -> &mut Instance {
        self.instances.entry(parallel).or_insert_with(|| Instance { begin: now, ..Instance::default() })
    }

    /// A thread has left its part of a region, or the region has ended for the thread that encountered it. Adds the
    /// region to its construct's sum once both hold for all.
    pub fn conclude(&mut self, parallel: u64) {
        let over = |instance: &Instance| instance.end.is_some() && instance.inside_now.is_empty();
        if self.instances.get(&parallel).is_some_and(over)
            && let Some(instance) = self.instances.remove(&parallel)
        {
            self.add_region(&instance, 0);
        }
    }

    /// Adds a region to its construct's sum. A region that has not ended lasts to the end of the trace.
    fn add_region(&mut self, instance: &Instance, end_of_trace: u64) {
        if !instance.begun {
            return;
        }
        let region = self.regions.entry(instance.site).or_default();
        (region.codeptr, region.function) = (instance.site.codeptr, instance.site.function);
        let team = if instance.team == 0 { instance.parts.max(1) } else { instance.team };
        let time = instance.end.unwrap_or(end_of_trace).saturating_sub(instance.begin);
        let thread_time = time.saturating_mul(team);
        region.calls += 1;
        region.serialized += u64::from(team == 1);
        region.nested += u64::from(instance.nested);
        region.max_threads = region.max_threads.max(team);
        region.max_ns = region.max_ns.max(time);
        region.mean_work_ns += instance.work as f64 / team as f64;
        add(&mut region.max_work_ns, instance.max_work);
        add(&mut region.total_ns, time);
        add(&mut region.thread_ns, thread_time);
        add(&mut region.work_ns, instance.work);
        add(&mut region.barrier_ns, instance.barrier);
        add(&mut region.sync_ns, instance.sync);
        add(&mut region.runtime_ns, instance.runtime);
        add(&mut region.idle_ns, thread_time.saturating_sub(instance.inside));
    }

    /// A task has been created.
    pub fn create_task(&mut self, thread: usize, task: u64, flags: u64, site: Site) {
        let explicit = flags & TASK_EXPLICIT != 0;
        if explicit {
            let sum = self.sites.entry(site).or_default();
            (sum.codeptr, sum.function, sum.created) = (site.codeptr, site.function, sum.created + 1);
        }
        self.tasks.insert(task, Task { site, explicit, creator: thread, ..Task::default() });
    }

    /// A task has completed.
    pub fn complete_task(&mut self, task: u64) {
        let Some(task) = self.tasks.remove(&task).filter(|task| task.explicit) else { return };
        let site = self.sites.entry(task.site).or_default();
        site.min_ns = if site.completed == 0 { task.work } else { site.min_ns.min(task.work) };
        site.max_ns = site.max_ns.max(task.work);
        site.completed += 1;
        site.stolen += u64::from(task.stolen);
        add(&mut site.total_ns, task.work);
    }

    /// Ends everything at the end of the trace, and makes one sum of the constructs for which `place` returns the same
    /// site. Calls `place` once for each construct, in ascending order, and for `others` as well. Returns all
    /// replacements.
    pub fn finish(
        &mut self,
        end_of_trace: u64,
        place: &mut dyn FnMut(Site) -> Site,
        others: BTreeSet<Site>,
    ) -> FxHashMap<Site, Site> {
        for instance in std::mem::take(&mut self.instances).into_values() {
            self.add_region(&instance, end_of_trace);
        }
        let sites: BTreeSet<Site> = (self.regions.keys().chain(self.sites.keys()).copied())
            .chain(self.locks.keys().map(|(_, codeptr)| Site::from(*codeptr)))
            .chain(self.waits.iter().flat_map(|((region, place), waiting)| {
                [*region, place.site].into_iter().chain(waiting.activities.keys().map(|activity| activity.site))
            }))
            .chain(others)
            .collect();
        let places: FxHashMap<Site, Site> = sites.into_iter().map(|site| (site, place(site))).collect();
        for (site, region) in std::mem::take(&mut self.regions) {
            let Site { codeptr, function } = places[&site];
            self.regions.entry(places[&site]).or_default().unite(Region { codeptr, function, ..region });
        }
        for (site, tasks) in std::mem::take(&mut self.sites) {
            let Site { codeptr, function } = places[&site];
            self.sites.entry(places[&site]).or_default().unite(TaskSite { codeptr, function, ..tasks });
        }
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
        for ((region, at), waiting) in std::mem::take(&mut self.waits) {
            let at = Place { site: places[&at.site], ..at };
            let sum = self.waits.entry((places[&region], at)).or_default();
            sum.episodes += waiting.episodes;
            add(&mut sum.ns, waiting.ns);
            for (activity, time) in waiting.activities {
                let activity = Activity { site: places[&activity.site], ..activity };
                *sum.activities.entry(activity).or_default() += time;
            }
        }
        places
    }

    /// The waiting by place, the place with the most first.
    pub fn take_waits(&mut self) -> Vec<Wait> {
        let mut waits: Vec<Wait> = std::mem::take(&mut self.waits)
            .into_iter()
            .map(|((region, place), waiting)| {
                let mut causes: Vec<(Activity, u64)> =
                    waiting.activities.into_iter().map(|(activity, time)| (activity, time as u64)).collect();
                causes.sort_by_key(|(activity, ns)| (std::cmp::Reverse(*ns), *activity));
                let Place { kind, site } = place;
                Wait { region, kind, site, episodes: waiting.episodes, wait_ns: waiting.ns, causes }
            })
            .collect();
        waits.sort_by_key(|wait| (std::cmp::Reverse(wait.wait_ns), wait.site, wait.kind, wait.region));
        waits
    }
}

impl Region {
    /// Adds the executions of another address of the construct.
    fn unite(&mut self, other: Region) {
        (self.codeptr, self.function) = (other.codeptr, other.function);
        self.calls += other.calls;
        self.serialized += other.serialized;
        self.nested += other.nested;
        self.max_threads = self.max_threads.max(other.max_threads);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.mean_work_ns += other.mean_work_ns;
        add(&mut self.max_work_ns, other.max_work_ns);
        add(&mut self.total_ns, other.total_ns);
        add(&mut self.thread_ns, other.thread_ns);
        add(&mut self.work_ns, other.work_ns);
        add(&mut self.barrier_ns, other.barrier_ns);
        add(&mut self.sync_ns, other.sync_ns);
        add(&mut self.runtime_ns, other.runtime_ns);
        add(&mut self.idle_ns, other.idle_ns);
    }
}

impl TaskSite {
    /// Adds the tasks of another address of the construct.
    fn unite(&mut self, other: TaskSite) {
        let least = if self.completed == 0 { other.min_ns } else { self.min_ns.min(other.min_ns) };
        self.min_ns = if other.completed == 0 { self.min_ns } else { least };
        (self.codeptr, self.function) = (other.codeptr, other.function);
        self.created += other.created;
        self.completed += other.completed;
        self.stolen += other.stolen;
        self.max_ns = self.max_ns.max(other.max_ns);
        add(&mut self.total_ns, other.total_ns);
    }
}

/// `ompt_task_explicit`.
const TASK_EXPLICIT: u64 = 4;
