//! What is collected over all threads before it is summed up.

use super::blame::{Blame, Mode, Next, Place, Waits};
use super::counts::Counting;
use super::cpu::Crowd;
use super::loops::{Execution, Loops};
use super::mpi::Calls;
use super::sum::add;
use super::table::Table;
use super::{Activity, Lock, Outermost, Region, TaskSite, Wait};
use crate::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// One execution of a parallel region that is under way, or that threads have not left yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// Whether its begin was seen. Clocks of two CPUs may differ by some nanoseconds: an implicit task may seem to
    /// begin before its region.
    pub begun: bool,
    /// Whether the summary is about it.
    pub selected: bool,
    pub site: Site,
    pub begin: u64,
    /// When the region ended for the thread that encountered it.
    pub end: Option<u64>,
    pub nested: bool,
    /// Whether a device executes it.
    pub on_device: bool,
    /// Threads of the team as the implicit tasks reported it.
    pub team: u64,
    /// Implicit tasks seen.
    pub parts: u64,
    pub blame: Blame,
    /// Explicit tasks that were created, and the thread that created the first; `None` once a second thread has.
    pub tasks: u64,
    pub creator: Option<usize>,
    /// Worksharing constructs that not all members have left.
    pub executions: Vec<Execution>,
    /// Indices of the threads that are in the region.
    pub inside_now: Vec<usize>,
    pub work: u64,
    /// Work and waiting of the thread with the most work.
    pub busiest: (u64, u64),
    pub barrier: u64,
    pub sync: u64,
    /// The part of `sync` in MPI.
    pub mpi: u64,
    pub runtime: u64,
    /// Time that threads spent in the region; the rest of the thread time is idle.
    pub inside: u64,
}

impl Instance {
    /// A member of the team goes over to something else; see [`Blame::change`]. `telling` is that of [`Collected`].
    #[inline]
    pub fn change(
        &mut self,
        member: u64,
        mode: &mut Mode,
        next: Next,
        now: u64,
        waits: &mut Waits,
        telling: &mut usize,
    ) {
        let counted = self.blame.counts();
        self.blame.change(member, mode, next, now, self.site, waits);
        *telling = *telling + usize::from(self.blame.counts()) - usize::from(counted);
    }
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
    /// The task that created it.
    pub parent: u64,
    /// Whether it had to wait for another task.
    pub blocked: bool,
}

/// A task that is created.
pub(super) struct Created {
    pub task: u64,
    pub parent: u64,
    pub flags: u64,
    pub site: Site,
    /// The region of the thread that creates the task; 0 if there is none.
    pub region: u64,
    pub now: u64,
}

/// The children of a task that have not completed.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    count: u64,
    /// Created since the task has waited for its children.
    since_wait: u64,
    /// The last one: its construct, and when it was created.
    last: Site,
    created: u64,
}

/// A lock or region that a thread has acquired.
pub(super) struct Acquired {
    pub kind: u64,
    pub wait: u64,
    pub codeptr: u64,
    pub waited: u64,
    /// What [`Collected::held_ns`] was at the request.
    pub held_before: u64,
    pub thread: usize,
    /// The time of the acquisition.
    pub now: u64,
    /// Kind and place of the lock that the thread held while it waited.
    pub outer: Option<(u64, u64)>,
    /// The thread's region; 0 if there is none.
    pub region: u64,
}

/// A lock or region that a thread has released.
pub(super) struct Released {
    pub kind: u64,
    pub wait: u64,
    /// Where the thread had acquired it.
    pub codeptr: u64,
    /// How long it was held.
    pub held: u64,
    pub thread: usize,
    /// The time of the release.
    pub now: u64,
    /// The thread's region; 0 if there is none.
    pub region: u64,
}

/// What is collected over all threads. What is over is added to its construct's sum at once, so memory grows with the
/// constructs of the program and not with the trace.
#[derive(Clone, Default)]
pub(super) struct Collected {
    /// Regions that are not over, by parallel id.
    pub instances: Table<u64, Instance>,
    /// Tasks that have not completed, by task id.
    pub tasks: FxHashMap<u64, Task>,
    /// Sums of the regions that are over, by construct.
    pub regions: FxHashMap<Site, Region>,
    /// Sums of the tasks, by construct.
    pub sites: Table<Site, TaskSite>,
    pub waits: Waits,
    /// The teams whose members have to tell at once what they do, because one of them waits or because they are many.
    pub telling: usize,
    /// The frames in which a thread waits, or executes tasks in a wait.
    pub open_waits: usize,
    pub loops: Loops,
    pub mpi: Calls,
    /// The regions that no other region is around.
    pub outermost: Outermost,
    /// The threads that work now.
    pub crowd: Crowd,
    pub counting: Counting,
    /// By kind and code address.
    pub locks: Table<(u64, u64), LockSum>,
    /// The last holder of the lock with a wait id.
    holders: Table<u64, Holder>,
    /// By the parent.
    children: Table<u64, Children>,
    /// Whether the summary is about all regions, and not about some.
    pub all_regions: bool,
}

/// Who has, or had, a lock.
#[derive(Clone, Copy, Default)]
struct Holder {
    thread: usize,
    /// Where the lock was acquired.
    codeptr: u64,
    /// Since when the thread has it; none once it is released.
    since: Option<u64>,
    /// How long the lock has been held in all, without the time from `since` on.
    held_ns: u64,
}

impl Holder {
    /// How long the lock has been held up to now.
    fn held_until(&self, now: u64) -> u64 {
        self.held_ns.saturating_add(self.since.map_or(0, |since| now.saturating_sub(since)))
    }
}

/// A [`Lock`] that is being summed up.
#[derive(Clone, Default)]
pub(super) struct LockSum {
    pub lock: Lock,
    pub objects: FxHashSet<u64>,
    /// By the place where the holder had acquired it.
    pub holders: FxHashMap<u64, u64>,
    /// By the region.
    pub regions: Table<Site, u64>,
}

impl Collected {
    /// What was summed up so far does not count. What is under way stays known: its time so far is 0, because the
    /// clock has stood.
    pub fn forget(&mut self) {
        self.regions.clear();
        self.waits.clear();
        self.loops.forget();
        self.mpi.forget();
        self.counting.forget();
        for instance in self.instances.values_mut() {
            (instance.tasks, instance.creator) = (0, None);
        }
        for site in self.sites.values_mut() {
            let TaskSite { codeptr, function, region, .. } = *site;
            *site = TaskSite { codeptr, function, region, ..TaskSite::default() };
        }
        for sum in self.locks.values_mut() {
            let Lock { kind, codeptr, wait_id, .. } = sum.lock;
            *sum = LockSum { lock: Lock { kind, codeptr, wait_id, ..Lock::default() }, ..LockSum::default() };
        }
    }

    /// The window ends: cuts the tasks that have begun.
    pub fn cut_tasks(&mut self) {
        let begun: Vec<u64> = self.tasks.iter().filter(|(_, task)| task.work > 0).map(|(id, _)| *id).collect();
        begun.into_iter().for_each(|task| self.complete_task(task));
    }

    /// Leaves out the places at which nothing counts.
    pub fn drop_empty(&mut self) {
        self.sites.retain(|site| site.created > 0 || site.completed > 0);
        self.locks.retain(|sum| sum.lock.count > 0 || sum.lock.hold_ns > 0);
        self.regions.retain(|_, region| region.calls > 0);
    }

    /// Whether the summary is about what happens in a region; 0 stands for outside of all regions.
    pub fn is_inside(&self, parallel: u64) -> bool {
        self.all_regions || self.instances.get(&parallel).is_some_and(|instance| instance.selected)
    }

    /// A member of a team begins its implicit task, and the team with the first one.
    pub fn begin_member(&mut self, parallel: u64, (team, member): (u64, u64), now: u64) -> Mode {
        let inside = self.is_inside(parallel);
        let instance = self.instance(parallel, now);
        instance.team = instance.team.max(team);
        let counted = instance.blame.counts();
        if instance.parts == 0 {
            instance.blame = Blame::new(team, now);
        }
        instance.parts += 1;
        let mode = if inside { instance.blame.begin(member, now) } else { Mode::Out };
        let counts = instance.blame.counts();
        self.telling = self.telling + usize::from(counts) - usize::from(counted);
        mode
    }

    /// A region begins; `selected` says whether the summary is about it.
    pub fn begin_region(&mut self, parallel: u64, site: Site, begin: u64, selected: bool) {
        let instance = self.instance(parallel, begin);
        (instance.begun, instance.site, instance.selected) = (true, site, selected);
    }

    /// A region, which begins now if it has not.
    pub fn instance(&mut self, parallel: u64, now: u64) -> &mut Instance {
        self.instances.of_with(parallel, || Instance { begin: now, ..Instance::default() })
    }

    /// A thread has left its part of a region, or the region has ended for the thread that encountered it. Adds the
    /// region to its construct's sum once both hold for all.
    pub fn conclude(&mut self, parallel: u64) {
        let over = |instance: &Instance| instance.end.is_some() && instance.inside_now.is_empty();
        if self.instances.get(&parallel).is_some_and(over)
            && let Some(mut instance) = self.instances.remove(&parallel)
        {
            self.telling -= usize::from(instance.blame.counts());
            if self.all_regions || instance.selected {
                self.loops.end_region(&mut instance.executions, instance.site, instance.team);
            }
            self.add_region(&instance, 0);
        }
    }

    /// Adds a region to its construct's sum. A region that has not ended lasts to the end of the trace.
    fn add_region(&mut self, instance: &Instance, end_of_trace: u64) {
        if !instance.begun || !(self.all_regions || instance.selected) {
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
        region.tasks += instance.tasks;
        region.tasks_of_one += if instance.creator.is_some() { instance.tasks } else { 0 };
        region.max_threads = region.max_threads.max(team);
        region.max_ns = region.max_ns.max(time);
        region.mean_work_ns += instance.work as f64 / team as f64;
        let (work, wait) = instance.busiest;
        add(&mut region.max_work_ns, work);
        add(&mut region.busiest_ns, work.saturating_mul(team));
        add(&mut region.busiest_wait_ns, wait.saturating_mul(team));
        add(&mut region.total_ns, time);
        add(&mut region.thread_ns, thread_time);
        add(&mut region.work_ns, instance.work);
        add(&mut region.barrier_ns, instance.barrier);
        add(&mut region.sync_ns, instance.sync);
        add(&mut region.mpi_ns, instance.mpi);
        add(&mut region.runtime_ns, instance.runtime);
        add(&mut region.idle_ns, thread_time.saturating_sub(instance.inside));
        if !instance.nested && !instance.on_device {
            let outermost = &mut self.outermost;
            outermost.threads = outermost.threads.max(team);
            add(&mut outermost.time_ns, time);
            add(&mut outermost.thread_ns, thread_time);
            add(&mut outermost.work_ns, instance.work);
            add(&mut outermost.busiest_ns, work.saturating_mul(team));
            add(&mut outermost.busiest_wait_ns, wait.saturating_mul(team));
        }
    }

    /// A task has been created.
    pub fn create_task(&mut self, thread: usize, created: Created) {
        let Created { task, parent, flags, site, region, now } = created;
        let explicit = flags & TASK_EXPLICIT != 0 && self.is_inside(region);
        if explicit {
            let sum = self.sites.of(site);
            if sum.created == 0 {
                (sum.codeptr, sum.function) = (site.codeptr, site.function);
                sum.region = self.instances.get(&region).map_or(Site::default(), |instance| instance.site);
            }
            sum.created += 1;
            if let Some(instance) = self.instances.get_mut(&region) {
                instance.creator = (instance.tasks == 0 || instance.creator == Some(thread)).then_some(thread);
                instance.tasks += 1;
            }
            let children = self.children.of(parent);
            *children =
                Children { count: children.count + 1, since_wait: children.since_wait + 1, last: site, created: now };
        }
        self.tasks.insert(task, Task { site, explicit, creator: thread, parent, ..Task::default() });
    }

    /// A task has been created, has run at once and has completed, as [`create_task`](Self::create_task) and
    /// [`complete_task`](Self::complete_task) would take it; `work` is what it has worked. Returns false, and takes
    /// nothing, if it is no explicit task of the part, or the first one of its construct.
    pub fn task_in_place(&mut self, thread: usize, created: &Created, work: u64) -> bool {
        let Created { parent, flags, site, region, now, .. } = *created;
        if flags & TASK_EXPLICIT == 0 || !self.is_inside(region) {
            return false;
        }
        let Some(sum) = self.sites.get_mut(&site).filter(|sum| sum.created > 0) else { return false };
        sum.created += 1;
        sum.min_ns = if sum.completed == 0 { work } else { sum.min_ns.min(work) };
        sum.max_ns = sum.max_ns.max(work);
        sum.completed += 1;
        add(&mut sum.total_ns, work);
        if let Some(instance) = self.instances.get_mut(&region) {
            instance.creator = (instance.tasks == 0 || instance.creator == Some(thread)).then_some(thread);
            instance.tasks += 1;
        }
        let children = self.children.of(parent);
        *children = Children { count: children.count, since_wait: children.since_wait + 1, last: site, created: now };
        true
    }

    /// A task waits for its children: the explicit one, or this implicit one if there is none. If there is one child,
    /// which the task has just created, the task could as well have done the child's work.
    pub fn wait_for_children(&mut self, explicit: Option<u64>, implicit: u64, taskwait: Site, now: u64) {
        let Some(children) = self.children.get_mut(&explicit.unwrap_or(implicit)) else { return };
        let since_wait = std::mem::take(&mut children.since_wait);
        if children.count == 1 && now.saturating_sub(children.created) < AT_ONCE_NS {
            let site = self.sites.of(children.last);
            (site.alone, site.taskwait) = (site.alone + 1, taskwait);
        }
        if explicit.is_none() && since_wait > 0 {
            let site = self.sites.of(children.last);
            (site.batches, site.in_batches) = (site.batches + 1, site.in_batches + since_wait);
            site.taskwait = taskwait;
        }
    }

    /// An implicit task is over. Its children have completed, and it waits for none any more.
    pub fn end_implicit_task(&mut self, task: u64) {
        self.children.remove(&task);
    }

    /// A task has to wait for another one.
    pub fn depend(&mut self, source: u64, sink: u64) {
        if self.tasks.contains_key(&source)
            && let Some(sink) = self.tasks.get_mut(&sink)
        {
            sink.blocked = true;
        }
    }

    /// How long the lock with this wait id has been held, by all threads up to now.
    pub fn held_ns(&self, wait: u64, now: u64) -> u64 {
        self.holders.get(&wait).map_or(0, |holder| holder.held_until(now))
    }

    /// A thread has acquired a lock, or entered a critical, ordered or atomic region.
    pub fn acquire(&mut self, acquired: Acquired) {
        let Acquired { kind, wait, codeptr, waited, held_before, thread, now, outer, region } = acquired;
        // A release is recorded after others can acquire the lock: a lock without a release was released just now.
        let next = |held_ns| Holder { thread, codeptr, since: Some(now), held_ns };
        let (holder, held_ns) = match self.holders.get_mut(&wait) {
            None => {
                self.holders.of_with(wait, || next(0));
                (None, 0)
            }
            Some(holder) => {
                let held_ns = holder.held_until(now);
                (Some(std::mem::replace(holder, next(held_ns))), held_ns)
            }
        };
        let held_meanwhile = held_ns.saturating_sub(held_before).min(waited);
        let is_contended = held_meanwhile > waited / CONTENDED_PART;
        if !self.is_inside(region) {
            return;
        }
        if let Some(outer) = outer.and_then(|outer| self.locks.get_mut(&outer)) {
            add(&mut outer.lock.inner_wait_ns, waited);
        }
        let sum = self.locks.of((kind, codeptr));
        let lock = &mut sum.lock;
        if lock.count == 0 || lock.wait_id != wait {
            sum.objects.insert(wait);
        }
        (lock.kind, lock.codeptr, lock.wait_id) = (kind, codeptr, wait);
        lock.count += 1;
        lock.min_wait_ns = if lock.count == 1 { waited } else { lock.min_wait_ns.min(waited) };
        lock.max_wait_ns = lock.max_wait_ns.max(waited);
        add(&mut lock.wait_ns, waited);
        if outer.is_some() {
            add(&mut lock.wait_while_holding_ns, waited);
        }
        add(&mut lock.contended_ns, if is_contended { waited } else { held_meanwhile });
        if let Some(holder) = holder.filter(|_| is_contended) {
            add(sum.holders.entry(holder.codeptr).or_default(), waited);
        }
        if let Some(instance) = self.instances.get(&region) {
            add(sum.regions.of(instance.site), waited);
        }
    }

    /// A thread has released what it had acquired there.
    pub fn release(&mut self, released: Released) {
        let Released { kind, wait, codeptr, held, thread, now, region } = released;
        // Another thread may have the lock by now.
        if let Some(holder) = self.holders.get_mut(&wait)
            && holder.thread == thread
        {
            *holder = Holder { since: None, held_ns: holder.held_until(now), ..*holder };
        }
        if self.is_inside(region)
            && let Some(sum) = self.locks.get_mut(&(kind, codeptr))
        {
            add(&mut sum.lock.hold_ns, held);
        }
    }

    /// A task has completed.
    pub fn complete_task(&mut self, task: u64) {
        self.children.remove(&task);
        let Some(task) = self.tasks.remove(&task).filter(|task| task.explicit) else { return };
        if let Some(children) = self.children.get_mut(&task.parent) {
            children.count = children.count.saturating_sub(1);
        }
        let site = self.sites.of(task.site);
        site.min_ns = if site.completed == 0 { task.work } else { site.min_ns.min(task.work) };
        site.max_ns = site.max_ns.max(task.work);
        site.completed += 1;
        site.stolen += u64::from(task.stolen);
        site.blocked += u64::from(task.blocked);
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
        for mut instance in std::mem::take(&mut self.instances).into_values() {
            if self.all_regions || instance.selected {
                self.loops.end_region(&mut instance.executions, instance.site, instance.team);
            }
            self.add_region(&instance, end_of_trace);
        }
        let sites: BTreeSet<Site> = (self.regions.keys().chain(self.sites.keys()).copied())
            .chain(self.locks.keys().map(|(_, codeptr)| Site::from(*codeptr)))
            .chain(self.waits.iter().flat_map(|((region, place), waiting)| {
                [*region, place.site].into_iter().chain(waiting.activities.keys().map(|activity| activity.site))
            }))
            .chain(self.loops.sites())
            .chain(self.counting.sites())
            .chain(others)
            .collect();
        let places: FxHashMap<Site, Site> = sites.into_iter().map(|site| (site, place(site))).collect();
        for (site, region) in std::mem::take(&mut self.regions) {
            let Site { codeptr, function } = places[&site];
            self.regions.entry(places[&site]).or_default().unite(Region { codeptr, function, ..region });
        }
        for (site, tasks) in std::mem::take(&mut self.sites).into_iter() {
            let Site { codeptr, function } = places[&site];
            let at = |site: Site| places.get(&site).copied().unwrap_or(site);
            let (region, taskwait) = (at(tasks.region), at(tasks.taskwait));
            let tasks = TaskSite { codeptr, function, region, taskwait, ..tasks };
            self.sites.of(places[&site]).unite(tasks);
        }
        for ((kind, codeptr), LockSum { lock, objects, holders, regions }) in
            std::mem::take(&mut self.locks).into_iter()
        {
            let at = |codeptr: u64| places.get(&Site::from(codeptr)).map_or(codeptr, |site| site.codeptr);
            let codeptr = at(codeptr);
            let sum = self.locks.of((kind, codeptr));
            sum.lock.unite(Lock { codeptr, ..lock });
            sum.objects.extend(objects);
            for (holder, waited) in holders {
                add(sum.holders.entry(at(holder)).or_default(), waited);
            }
            for (region, waited) in regions.into_iter() {
                add(sum.regions.of(places.get(&region).copied().unwrap_or(region)), waited);
            }
        }
        for ((region, at), waiting) in std::mem::take(&mut self.waits) {
            let at = Place { site: places[&at.site], ..at };
            let sum = self.waits.entry((places[&region], at)).or_default();
            sum.unite(&waiting);
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
                Wait {
                    region,
                    kind,
                    site,
                    episodes: waiting.episodes,
                    wait_ns: waiting.ns,
                    phase_ns: waiting.phase_ns,
                    alone_ns: waiting.alone_ns,
                    first_ns: waiting.first_ns,
                    first_waits_ns: waiting.first_waits_ns,
                    opening_ns: waiting.opening_ns,
                    members: waiting.members,
                    causes,
                }
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
        self.tasks += other.tasks;
        self.tasks_of_one += other.tasks_of_one;
        self.max_threads = self.max_threads.max(other.max_threads);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.mean_work_ns += other.mean_work_ns;
        add(&mut self.max_work_ns, other.max_work_ns);
        add(&mut self.busiest_ns, other.busiest_ns);
        add(&mut self.busiest_wait_ns, other.busiest_wait_ns);
        add(&mut self.total_ns, other.total_ns);
        add(&mut self.thread_ns, other.thread_ns);
        add(&mut self.work_ns, other.work_ns);
        add(&mut self.barrier_ns, other.barrier_ns);
        add(&mut self.sync_ns, other.sync_ns);
        add(&mut self.mpi_ns, other.mpi_ns);
        add(&mut self.runtime_ns, other.runtime_ns);
        add(&mut self.idle_ns, other.idle_ns);
        self.cpu.unite(&other.cpu);
    }
}

impl Lock {
    /// Adds the acquisitions at another address of the construct.
    fn unite(&mut self, other: Lock) {
        (self.kind, self.codeptr, self.wait_id) = (other.kind, other.codeptr, other.wait_id);
        self.min_wait_ns = if self.count == 0 { other.min_wait_ns } else { self.min_wait_ns.min(other.min_wait_ns) };
        self.count += other.count;
        self.max_wait_ns = self.max_wait_ns.max(other.max_wait_ns);
        add(&mut self.wait_ns, other.wait_ns);
        add(&mut self.contended_ns, other.contended_ns);
        add(&mut self.hold_ns, other.hold_ns);
        add(&mut self.inner_wait_ns, other.inner_wait_ns);
        add(&mut self.wait_while_holding_ns, other.wait_while_holding_ns);
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
        self.alone += other.alone;
        self.batches += other.batches;
        self.in_batches += other.in_batches;
        self.blocked += other.blocked;
        self.region = other.region;
        self.taskwait = if other.alone > 0 || other.batches > 0 { other.taskwait } else { self.taskwait };
        self.max_ns = self.max_ns.max(other.max_ns);
        add(&mut self.total_ns, other.total_ns);
    }
}

/// Who waits for a lock that others hold for this part of the wait, or more, waits for them, and for being woken. If
/// they hold it for less, the waiting thread was held up by something else for most of the wait, such as the loss of
/// its CPU.
const CONTENDED_PART: u64 = 10;
/// A task that waits for its children so soon after it has created one has done nothing meanwhile.
const AT_ONCE_NS: u64 = 2_000;
/// `ompt_task_explicit`.
const TASK_EXPLICIT: u64 = 4;
