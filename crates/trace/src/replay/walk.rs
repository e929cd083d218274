//! The replay of all threads' events, in the order of the recorded time. A thread's work takes its time; where it has
//! waited, it goes on after what it has waited for.

use super::change::Change;
use super::chunks::Given;
use super::delays::Delays;
use super::moment::Moment;
use super::path::Path;
use super::phase::Sharing;
use super::spots::Spots;
use super::tasks::{Task, Tasks};
use super::team::{Arrival, Team};
use super::thread::{Doing, Held, Level, Part, Thread, Waiting};
use crate::Site;
use crate::analysis::{ActivityKind, PathKind};
use crate::reader::Event;
use crate::store::Record;
use crate::store::task_status::{CANCEL, COMPLETE, DETACH, EARLY_FULFILL, LATE_FULFILL};
use rustc_hash::FxHashMap;

/// `ompt_sync_region_t`.
const TASKWAIT: u64 = 5;
const TASKGROUP: u64 = 6;
const REDUCTION: u64 = 7;
/// `ompt_work_t`.
const SECTIONS: u64 = 2;
const SINGLE: u64 = 3;
const SINGLE_OTHER: u64 = 4;
/// `ompt_thread_t`.
const WORKER: u64 = 2;

/// Whether a construct of this `ompt_sync_region_t` is a barrier.
fn is_barrier(kind: u64) -> bool {
    !matches!(kind, TASKWAIT | TASKGROUP | REDUCTION)
}

/// When a lock was released last, and in which region.
#[derive(Debug)]
struct Released {
    at: Moment,
    parallel: u64,
}

/// The state of a replay.
pub struct Walk<'a> {
    spots: Spots<'a>,
    delays: Delays,
    threads: Vec<Thread>,
    /// By parallel id.
    teams: FxHashMap<u64, Team>,
    tasks: Tasks,
    /// By wait id.
    locks: FxHashMap<u64, Released>,
    /// The shortest time between two creations of tasks, by the tasks' spot.
    creation: FxHashMap<u32, u64>,
    /// The shortest time in which a lock was acquired, by the lock's spot.
    acquisition: FxHashMap<u32, u64>,
    serial: u32,
    /// Barriers that were left out.
    dropped: u64,
}

/// A run that was replayed.
pub struct Replayed<'a> {
    /// Its length from the begin of the recording.
    pub length: u64,
    pub path: Path,
    pub spots: Spots<'a>,
    pub delays: Delays,
    /// Barriers that were left out, by all members together.
    pub dropped: u64,
}

impl<'a> Walk<'a> {
    /// A replay of so many threads.
    pub fn new(mut spots: Spots<'a>, delays: Delays, threads: usize) -> Walk<'a> {
        let serial = spots.number(PathKind::Serial, Site::default());
        Walk {
            spots,
            delays,
            threads: (0..threads).map(|_| Thread::default()).collect(),
            teams: FxHashMap::default(),
            tasks: Tasks::default(),
            locks: FxHashMap::default(),
            creation: FxHashMap::default(),
            acquisition: FxHashMap::default(),
            serial,
            dropped: 0,
        }
    }

    /// Takes the next event. `site` is the construct that begins with the event, if one does.
    pub fn event(&mut self, index: usize, event: Event, site: Site) {
        let mut thread = std::mem::take(&mut self.threads[index]);
        self.on_event(index, &mut thread, event, site);
        self.threads[index] = thread;
    }

    fn on_event(&mut self, index: usize, thread: &mut Thread, event: Event, site: Site) {
        let ns = event.ns.max(thread.at.measured);
        match (thread.waiting, event.record) {
            (Some(_), Record::WaitBegin { .. }) => return,
            (Some(_), Record::WaitEnd { .. }) => return,
            (Some(_), Record::TaskSchedule { next, .. })
                if self.tasks.get(next).is_some_and(|task| task.spot.is_some()) =>
            {
                thread.waiting = None;
            }
            (
                Some(Waiting::Lock { wait }),
                Record::MutexAcquired { wait: acquired, .. } | Record::NestLock { wait: acquired, .. },
            ) if wait == acquired => {
                thread.waiting = None;
            }
            (Some(waiting), _) => self.resume(thread, waiting, ns),
            (None, _) => self.advance(thread, ns, matches!(event.record, Record::TaskCreate { .. })),
        }
        let begun_single = std::mem::take(&mut thread.begun_single);
        match event.record {
            Record::ThreadBegin { kind } => {
                thread.is_worker = kind == WORKER;
                if thread.is_worker {
                    thread.at = Moment::default();
                }
            }
            Record::ParallelBegin { parallel, .. } => self.fork(thread, parallel, site),
            Record::ParallelEnd { parallel, .. } => self.join(thread, parallel),
            Record::ImplicitTaskBegin { parallel, task, team, index: member, .. } => {
                self.begin_part(thread, parallel, task, (team, member), ns);
            }
            Record::ImplicitTaskEnd { task, .. } => self.end_part(thread, task),
            Record::TaskCreate { parent, task, .. } => {
                let spot = self.spots.number(PathKind::Code(ActivityKind::Task), site);
                let effect = self.spots.effect(spot);
                if effect.grain != 1.0 {
                    let saved = self.creation.get(&spot).copied().unwrap_or(0) as f64 * (1.0 - 1.0 / effect.grain);
                    thread.at.replayed = thread.at.replayed.saturating_sub(saved as u64);
                    if let Some(level) = thread.parts.last().and_then(|part| part.levels.last()) {
                        thread.at.path.take(level.spot, saved as u64);
                    }
                }
                thread.created = Some(spot);
                self.tasks.create(task, parent, spot, thread.at.clone());
            }
            Record::TaskDependence { source, sink } => self.tasks.depend(source, sink),
            Record::TaskSchedule { prior, status, next } => self.schedule(index, thread, (prior, status, next), ns),
            Record::SyncBegin { kind: TASKGROUP, .. } => {
                if let Some(part) = thread.parts.last() {
                    self.tasks.begin_group(part.task());
                }
            }
            Record::SyncEnd { kind: TASKGROUP } => {
                if let Some(part) = thread.parts.last() {
                    self.tasks.end_group(part.task());
                }
            }
            Record::SyncBegin { kind, codeptr } => {
                end_endless_single(thread);
                let spot = self.runtime_in(thread);
                self.push(thread, Doing::Sync(kind), spot);
                if is_barrier(kind) {
                    self.begin_barrier(index, thread, codeptr.into());
                }
            }
            Record::SyncEnd { kind } => {
                if is_barrier(kind) && thread.parts.last().is_some_and(|part| part.in_barrier) {
                    // A runtime may tell of no waiting if there was none.
                    let spot = self.leaving(thread, kind, Site::default());
                    self.resume(thread, Waiting::Sync { kind, spot }, ns);
                }
                close(thread, |doing| doing == Doing::Sync(kind));
            }
            Record::WaitBegin { kind, codeptr } => self.wait(index, thread, kind, codeptr.into()),
            Record::WorkBegin { kind: SINGLE_OTHER, .. } | Record::WorkEnd { kind: SINGLE_OTHER } => {}
            Record::WorkBegin { kind, count, codeptr } => {
                end_endless_single(thread);
                let spot = self.spot_in(thread, ActivityKind::Work(kind), codeptr.into());
                self.push(thread, Doing::Work(kind), spot);
                if let Some(part) = thread.parts.last_mut() {
                    part.lock_waits = 0;
                }
                if let Some(phase) = self.phase(thread).filter(|_| kind != SINGLE) {
                    phase.pieces(spot, count, 0);
                }
                thread.begun_single = kind == SINGLE;
            }
            Record::WorkEnd { kind: SINGLE } if begun_single => {
                if let Some(part) = thread.parts.last_mut() {
                    part.endless_single = true;
                }
            }
            Record::Chunk { first, iterations } => self.begin_chunk(index, thread, first, iterations),
            Record::WorkEnd { kind } => {
                self.end_chunk(thread);
                self.note_left(thread, Doing::Work(kind));
                close(thread, |doing| doing == Doing::Work(kind));
            }
            Record::MaskedBegin { codeptr } => {
                let spot = self.spot_in(thread, ActivityKind::Masked, codeptr.into());
                self.push(thread, Doing::Masked, spot);
            }
            Record::MaskedEnd {} => {
                self.note_left(thread, Doing::Masked);
                close(thread, |doing| doing == Doing::Masked);
            }
            Record::Reduction { endpoint: 1, .. } => {
                let spot = self.runtime_in(thread);
                self.push(thread, Doing::Sync(0), spot);
            }
            Record::Reduction { .. } => close(thread, |doing| doing == Doing::Sync(0)),
            Record::MutexAcquire { kind, wait, codeptr } => acquire(thread, kind, wait, codeptr),
            Record::MutexAcquired { wait, .. } | Record::NestLock { endpoint: 1, wait } => {
                self.acquired(thread, wait, ns);
            }
            Record::NestLock { wait, .. } => drop(give_back(thread, wait)),
            Record::MutexReleased { wait, .. } => self.release(thread, wait, ns),
            Record::TargetBegin { target, .. } => {
                let spot = self.spots.number(PathKind::Code(ActivityKind::Device), site);
                self.push(thread, Doing::Target(target), spot);
            }
            Record::TargetEnd { target } => close(thread, |doing| doing == Doing::Target(target)),
            _ => {}
        }
    }

    /// The thread is given a chunk.
    fn begin_chunk(&mut self, index: usize, thread: &mut Thread, first: u64, iterations: u64) {
        self.end_chunk(thread);
        let Some(part) = thread.parts.last_mut() else { return };
        let Some(&Level { doing: Doing::Work(_), spot }) = part.levels.last() else { return };
        let size = self.spots.effect(spot).chunk;
        if size > 0 {
            let chunk = Given { spot, size, thread: index, first, iterations, ns: 0 };
            part.chunk = Some((chunk, thread.at.replayed));
        }
    }

    /// The chunk that the thread executes is over, if it is one to be handed out anew.
    fn end_chunk(&mut self, thread: &mut Thread) {
        let Some(part) = thread.parts.last_mut() else { return };
        let Some((chunk, begin)) = part.chunk.take() else { return };
        if let Some(team) = self.teams.get_mut(&part.parallel) {
            let ns = thread.at.replayed.saturating_sub(begin);
            team.give(part.barriers + 1, Given { ns, ..chunk });
        }
    }

    /// Takes a record of what a thread has executed of a worksharing construct.
    pub fn executed(&mut self, index: usize, record: Record) {
        let thread = &self.threads[index];
        let Some(part) = thread.parts.last() else { return };
        let is_work = |level: &&Level| matches!(level.doing, Doing::Work(_));
        let Some(spot) = part.levels.iter().rev().find(is_work).map(|level| level.spot) else { return };
        let Some(team) = self.teams.get_mut(&part.parallel).filter(|team| team.threads.is_some()) else { return };
        match record {
            // A chunk's length includes the waiting for locks.
            Record::Chunks { max_ns, .. } => team.phase.pieces(spot, 0, max_ns.saturating_sub(part.lock_waits)),
            Record::Section { count, ns, .. } => team.phase.pieces(spot, 0, ns / count.max(1)),
            _ => {}
        }
    }

    /// The end of the run, as its initial thread has it.
    pub fn finish(mut self, initial: usize, end: u64) -> Replayed<'a> {
        let mut thread = self.threads.get_mut(initial).map(std::mem::take).unwrap_or_default();
        let ns = end.max(thread.at.measured);
        match thread.waiting {
            Some(waiting) => self.resume(&mut thread, waiting, ns),
            None => self.advance(&mut thread, ns, false),
        }
        let mut path = Path::default();
        let open: Vec<u64> = thread.parts.iter().filter(|part| part.encountering).map(|part| part.parallel).collect();
        for parallel in open {
            path.append(&self.teams.get(&parallel).map_or(Path::default(), |team| team.base.clone()));
        }
        path.append(&thread.at.path);
        let Walk { spots, delays, dropped, .. } = self;
        Replayed { length: thread.at.replayed, path, spots, delays, dropped }
    }

    /// The thread has worked up to `ns`.
    fn advance(&mut self, thread: &mut Thread, ns: u64, creates: bool) {
        let time = ns.saturating_sub(thread.at.measured);
        if let Some(spot) = thread.created.take()
            && creates
        {
            let least = self.creation.entry(spot).or_insert(u64::MAX);
            *least = (*least).min(time);
        }
        let Some(part) = thread.parts.last_mut() else {
            if !thread.is_worker {
                let factor = self.spots.effect(self.serial).factor;
                thread.at.work(ns, self.serial, factor);
            }
            return;
        };
        let Some(&Level { doing, spot }) = part.levels.last() else { return };
        let effect = self.spots.effect(spot);
        let after_task = if doing.is_code() { 1.0 } else { thread.after_task.unwrap_or(1.0) };
        let replayed = thread.at.work(ns, spot, effect.factor * after_task);
        if doing == Doing::Serial {
            return;
        }
        let Some(team) = self.teams.get_mut(&part.parallel) else { return };
        if doing.is_code() && time > 0 {
            part.released = None;
            part.left = Site::default();
            if effect.balance || team.balanced {
                part.balance.add(spot, replayed);
            }
        }
        if team.threads.is_some()
            && let Some(level) = part.construct()
        {
            let sharing = match level.doing {
                Doing::Task(_) | Doing::Work(SECTIONS | 11..=13) => Sharing::Pieces,
                Doing::Work(SINGLE) | Doing::Masked => Sharing::Alone,
                Doing::Sync(_) | Doing::Fork => Sharing::Each,
                _ => Sharing::Blocks,
            };
            team.phase.work(level.spot, sharing, part.member, replayed);
            if matches!(level.doing, Doing::Task(_) | Doing::Work(SINGLE) | Doing::Masked)
                && let Some(task) = self.tasks.get_mut(part.task())
            {
                task.span = task.span.saturating_add(replayed);
                team.phase.chain(task.span);
            }
        }
    }

    /// The thread goes on after it has waited in a construct.
    fn resume(&mut self, thread: &mut Thread, waiting: Waiting, ns: u64) {
        thread.waiting = None;
        let Waiting::Sync { kind, spot } = waiting else {
            // The lock was not acquired.
            let spot = self.runtime_in(thread);
            thread.at.work(ns, spot, 1.0);
            return;
        };
        let Some(part) = thread.parts.last_mut() else { return };
        let task = part.task();
        let done = match kind {
            TASKWAIT => self.tasks.children_done(task).cloned(),
            TASKGROUP => self.tasks.group_done(task).cloned(),
            _ if !is_barrier(kind) => None,
            _ => match self.teams.get_mut(&part.parallel) {
                Some(team) if part.dropped => {
                    part.in_barrier = false;
                    team.pass(part.barriers);
                    self.dropped += 1;
                    thread.at.measured = ns;
                    part.released = None;
                    return;
                }
                Some(team) => team.leave(part.barriers),
                None => None,
            },
        };
        match &done {
            Some(done) => {
                if is_barrier(kind) {
                    // What the changes make of the member's own arrival is known now.
                    thread.at.replayed = 0;
                }
                let factor = thread.after_task.unwrap_or(1.0);
                let waited = thread.at.wait_for(done, ns);
                self.delays.pass(&mut thread.at, ns, (spot, waited), factor);
            }
            None => drop(thread.at.work(ns, spot, 1.0)),
        }
        if is_barrier(kind) {
            part.in_barrier = false;
            thread.after_task = None;
            part.released = done;
            part.balance = Path::default();
            part.since = thread.at.clone();
            if let Some(task) = self.tasks.get_mut(part.implicit) {
                task.span = 0;
            }
        } else {
            self.tasks.join(task);
        }
    }

    /// The spot of the runtime in a thread's region.
    fn runtime_in(&mut self, thread: &Thread) -> u32 {
        let team = thread.parts.last().and_then(|part| self.teams.get(&part.parallel));
        let site = team.map_or(Site::default(), |team| team.site);
        self.spots.number(PathKind::Code(ActivityKind::Runtime), site)
    }

    fn push(&self, thread: &mut Thread, doing: Doing, spot: u32) {
        if let Some(part) = thread.parts.last_mut() {
            part.levels.push(Level { doing, spot });
        }
    }

    /// The spot of a construct in a region. A combined construct has one call for region and construct.
    fn spot_in(&mut self, thread: &Thread, kind: ActivityKind, site: Site) -> u32 {
        let parallel = thread.parts.last().map_or(0, |part| part.parallel);
        let region = self.teams.get(&parallel).map(|team| team.site);
        let site = region.filter(|region| region.codeptr == site.codeptr).unwrap_or(site);
        self.spots.number(PathKind::Code(kind), site)
    }

    /// The work since the team's last barrier, if the replay has another number of threads.
    fn phase(&mut self, thread: &Thread) -> Option<&mut super::phase::Phase> {
        let team = self.teams.get_mut(&thread.parts.last()?.parallel)?;
        team.threads.is_some().then_some(&mut team.phase)
    }

    fn fork(&mut self, thread: &mut Thread, parallel: u64, site: Site) {
        let site = self.spots.place(site);
        let changes = self.spots.changes();
        let is_inner = thread.parts.iter().any(|part| part.parallel != 0);
        let base = std::mem::take(&mut thread.at.path);
        let mut team = Team::new(site, thread.at.clone(), base);
        team.balanced =
            changes.names(site, |change| if let Change::Balance(sites) = change { Some(sites) } else { None });
        team.threads = if is_inner { None } else { changes.threads() };
        self.teams.insert(parallel, team);
        let spot = self.spots.number(PathKind::Code(ActivityKind::Runtime), site);
        thread.parts.push(Part::new(parallel, true, Level { doing: Doing::Fork, spot }));
    }

    fn join(&mut self, thread: &mut Thread, parallel: u64) {
        if !thread.parts.iter().any(|part| part.encountering && part.parallel == parallel) {
            return;
        }
        while let Some(part) = thread.parts.pop() {
            self.tasks.end(part.implicit);
            let Some(team) = self.teams.get_mut(&part.parallel) else { continue };
            team.inside = team.inside.saturating_sub(1);
            team.ended |= part.encountering;
            if part.encountering {
                let path = std::mem::replace(&mut thread.at.path, std::mem::take(&mut team.base));
                thread.at.path.append(&path);
                let inner = thread.at.replayed.saturating_sub(team.fork.replayed);
                self.note_inner(thread, inner);
            }
            self.forget(part.parallel);
            if part.parallel == parallel {
                break;
            }
        }
    }

    /// An inner region is work of the thread that has encountered it.
    fn note_inner(&mut self, thread: &mut Thread, ns: u64) {
        let Some(part) = thread.parts.last_mut() else { return };
        let (Some(level), Some(team)) = (part.construct(), self.teams.get_mut(&part.parallel)) else { return };
        part.released = None;
        if team.balanced || self.spots.effect(level.spot).balance {
            part.balance.add(level.spot, ns);
        }
        if team.threads.is_some() {
            team.phase.work(level.spot, Sharing::Blocks, part.member, ns);
        }
    }

    /// Forgets a region that all threads have left.
    fn forget(&mut self, parallel: u64) {
        if self.teams.get(&parallel).is_some_and(|team| team.ended && team.inside == 0) {
            self.teams.remove(&parallel);
        }
    }

    fn begin_part(&mut self, thread: &mut Thread, parallel: u64, task: u64, (size, member): (u64, u64), ns: u64) {
        if parallel == 0 {
            let spot = self.serial;
            let mut part = Part::new(0, false, Level { doing: Doing::Serial, spot });
            part.implicit = task;
            thread.parts.push(part);
            self.tasks.begin(task, Task::default());
            return;
        }
        let Some(team) = self.teams.get_mut(&parallel) else {
            // The clocks of two CPUs may differ: the region begins within nanoseconds.
            self.teams.insert(parallel, Team::new(Site::default(), thread.at.clone(), Path::default()));
            return self.begin_part(thread, parallel, task, (size, member), ns);
        };
        team.members += 1;
        // A team of that size is replayed as it was. Of one thread, it has been made so on purpose.
        team.threads = team.threads.filter(|threads| *threads != size && size > 1);
        let site = team.site;
        if thread.parts.last().is_none_or(|part| part.parallel != parallel || !part.encountering) {
            team.inside += 1;
            let fork = Moment { path: Path::default(), ..team.fork.clone() };
            // What the thread has done before is no part of the chain that begins with the region.
            let before = std::mem::take(&mut thread.at);
            thread.at.measured = before.measured.max(fork.measured).min(ns);
            let waited = fork.measured > before.measured;
            thread.at.replayed = fork.replayed;
            let late = before.replayed.saturating_sub(fork.replayed);
            thread.at.replayed = thread.at.replayed.saturating_add(late);
            let start = self.spots.number(PathKind::ThreadStart, site);
            thread.at.path.add(start, late);
            self.delays.pass(&mut thread.at, ns, (start, waited), 1.0);
            let spot = self.spots.number(PathKind::Code(ActivityKind::Runtime), site);
            thread.parts.push(Part::new(parallel, false, Level { doing: Doing::Fork, spot }));
        }
        let spot = self.spots.number(PathKind::Code(ActivityKind::Body), site);
        if let Some(part) = thread.parts.last_mut() {
            (part.implicit, part.member) = (task, member);
            part.levels.push(Level { doing: Doing::Body, spot });
            part.since = thread.at.clone();
        }
        self.tasks.begin(task, Task::default());
    }

    fn end_part(&mut self, thread: &mut Thread, task: u64) {
        let Some(part) = thread.parts.last_mut() else { return };
        self.tasks.end(task);
        if part.encountering {
            part.levels.truncate(1);
            return;
        }
        let Some(part) = thread.parts.pop() else { return };
        if let Some(team) = self.teams.get_mut(&part.parallel) {
            team.inside = team.inside.saturating_sub(1);
            // The thread may have slept in the region's last barrier until it was needed again.
            if let Some(released) = part.released {
                thread.at = Moment { path: Path::default(), ..released };
            }
        }
        self.forget(part.parallel);
    }

    fn begin_barrier(&mut self, index: usize, thread: &mut Thread, site: Site) {
        let at = self.spots.place(site);
        let changes = self.spots.changes();
        let Some(part) = thread.parts.last_mut() else { return };
        part.barriers += 1;
        part.in_barrier = true;
        let named = |site: Site| {
            site != Site::default()
                && changes.names(site, |change| if let Change::NoWait(sites) = change { Some(sites) } else { None })
        };
        let is_regions = self.teams.get(&part.parallel).is_none_or(|team| site.codeptr == 0 || at == team.site);
        part.dropped = !is_regions && (named(at) || named(part.left));
        if let Some(team) = self.teams.get_mut(&part.parallel) {
            team.arrive(part.barriers, arrival(index, &thread.at, part));
        }
    }

    /// The spot of the delay after a construct in which the thread waits.
    fn leaving(&mut self, thread: &Thread, kind: u64, site: Site) -> u32 {
        let team = thread.parts.last().and_then(|part| self.teams.get(&part.parallel));
        // Workers have no address for the barrier at the region's end, the encountering thread has the region's.
        let site = team.filter(|_| site.codeptr == 0).map_or(site, |team| team.site);
        self.spots.number(PathKind::Leaving(kind), site)
    }

    /// The thread waits in a construct.
    fn wait(&mut self, index: usize, thread: &mut Thread, kind: u64, site: Site) {
        let spot = self.leaving(thread, kind, site);
        let Some(part) = thread.parts.last() else { return };
        if let Some(team) = self.teams.get_mut(&part.parallel).filter(|_| is_barrier(kind)) {
            team.arrive(part.barriers, arrival(index, &thread.at, part));
        }
        thread.waiting = Some(Waiting::Sync { kind, spot });
    }

    /// The thread switches from one task to another; see `ompt_task_status_t`.
    fn schedule(&mut self, index: usize, thread: &mut Thread, (prior, status, next): (u64, u64, u64), ns: u64) {
        let explicit = |tasks: &Tasks, id| tasks.get(id).and_then(|task: &Task| task.spot);
        if matches!(status, EARLY_FULFILL | LATE_FULFILL) {
            if status == LATE_FULFILL {
                self.tasks.complete(prior, &thread.at);
            }
            return;
        }
        let before = explicit(&self.tasks, prior);
        if let (Some(spot), COMPLETE | CANCEL) = (before, status) {
            let span = self.tasks.complete(prior, &thread.at);
            if let Some(phase) = self.phase(thread) {
                phase.chain(span);
            }
            let grain = self.spots.effect(spot).grain;
            thread.after_task = (grain != 1.0).then_some(1.0 / grain);
        } else if let Some(task) = self.tasks.get_mut(prior).filter(|_| before.is_some()) {
            // It goes on later, perhaps on another thread.
            task.ready.unite(&thread.at);
        }
        if let Some(part) = thread.parts.last_mut()
            && matches!(status, COMPLETE | CANCEL | DETACH)
        {
            part.end_task(prior);
        }
        if let Some(task) = self.tasks.get(next)
            && let Some(spot) = task.spot
        {
            let grain = self.spots.effect(spot).grain;
            let (_, site) = self.spots.what(spot);
            let start = self.spots.number(PathKind::TaskStart, site);
            let waited = thread.at.wait_for(&task.ready, ns);
            self.delays.pass(&mut thread.at, ns, (start, waited), 1.0 / grain);
            thread.after_task = None;
            if let Some(part) = thread.parts.last_mut() {
                part.enter_task(next, spot);
            }
            return;
        }
        let Some(part) = thread.parts.last_mut() else { return };
        part.leave_tasks();
        let in_barrier =
            part.levels.last().is_some_and(|level| matches!(level.doing, Doing::Sync(kind) if is_barrier(kind)));
        if in_barrier && let Some(team) = self.teams.get_mut(&part.parallel) {
            team.arrive(part.barriers, arrival(index, &thread.at, part));
        }
    }

    fn acquired(&mut self, thread: &mut Thread, wait: u64, ns: u64) {
        let Some(held) = thread.held.iter_mut().rev().find(|held| held.wait == wait && held.since.is_none()) else {
            let spot = self.runtime_in(thread);
            thread.at.work(ns, spot, 1.0);
            return;
        };
        held.since = Some(ns);
        let Held { kind, codeptr, .. } = *held;
        let spot = self.spots.number(PathKind::Code(ActivityKind::Holding(kind)), codeptr.into());
        let handover = self.spots.number(PathKind::Handover(kind), codeptr.into());
        let waited = ns.saturating_sub(thread.at.measured);
        let least = self.acquisition.entry(spot).or_insert(u64::MAX);
        *least = (*least).min(waited);
        if let Some(part) = thread.parts.last_mut() {
            part.lock_waits = part.lock_waits.saturating_add(waited);
        }
        let parallel = thread.parts.last().map_or(0, |part| part.parallel);
        let released = self.locks.get(&wait).filter(|released| released.at.measured > thread.at.measured);
        if self.spots.effect(spot).free {
            let now = thread.at.measured.saturating_add(*least);
            thread.at.work(now, handover, 1.0);
            thread.at.measured = ns;
        } else {
            // A lock that was free was not waited for.
            match released {
                Some(released) if released.parallel == parallel => drop(thread.at.wait_for(&released.at, ns)),
                Some(released) => {
                    // The chain of another team begins elsewhere.
                    let late = released.at.replayed.saturating_sub(thread.at.replayed);
                    thread.at.replayed = thread.at.replayed.saturating_add(late);
                    thread.at.path.add(handover, late);
                    thread.at.measured = released.at.measured.min(ns);
                }
                None => {}
            }
            self.delays.pass(&mut thread.at, ns, (handover, released.is_some()), 1.0);
        }
        self.push(thread, Doing::Holding(wait), spot);
    }

    fn release(&mut self, thread: &mut Thread, wait: u64, ns: u64) {
        let Some(held) = give_back(thread, wait) else { return };
        let spot = self.spots.number(PathKind::Code(ActivityKind::Holding(held.kind)), held.codeptr.into());
        if !self.spots.effect(spot).free
            && let Some(phase) = self.phase(thread)
        {
            phase.hold(spot, ns.saturating_sub(held.since.unwrap_or(ns)));
        }
        let parallel = thread.parts.last().map_or(0, |part| part.parallel);
        self.locks.insert(wait, Released { at: thread.at.clone(), parallel });
    }

    /// Remembers the construct that the thread leaves: a barrier may follow that belongs to it.
    fn note_left(&mut self, thread: &mut Thread, doing: Doing) {
        let Some(part) = thread.parts.last_mut() else { return };
        if let Some(level) = part.levels.iter().rev().find(|level| level.doing == doing) {
            part.left = self.spots.what(level.spot).1;
        }
    }
}

fn arrival(thread: usize, at: &Moment, part: &Part) -> Arrival {
    Arrival { thread, at: at.clone(), balance: part.balance.clone(), since: part.since.clone() }
}

fn close(thread: &mut Thread, is: impl Fn(Doing) -> bool) {
    if let Some(part) = thread.parts.last_mut() {
        part.close(is);
    }
}

/// The runtime sees gcc's single constructs begin only. The construct lasts to the next one, or to the next
/// synchronisation.
fn end_endless_single(thread: &mut Thread) {
    if let Some(part) = thread.parts.last_mut()
        && std::mem::take(&mut part.endless_single)
    {
        part.close(|doing| doing == Doing::Work(SINGLE));
    }
}

fn acquire(thread: &mut Thread, kind: u64, wait: u64, codeptr: u64) {
    const TEST_LOCK: u64 = 2;
    const TEST_NEST_LOCK: u64 = 4;
    thread.held.retain(|held| held.since.is_some() || held.wait != wait);
    thread.held.push(Held { wait, kind, codeptr, since: None });
    if !matches!(kind, TEST_LOCK | TEST_NEST_LOCK) {
        thread.waiting = Some(Waiting::Lock { wait });
    }
}

/// Takes the innermost holding of a lock off the list.
fn give_back(thread: &mut Thread, wait: u64) -> Option<Held> {
    let index = thread.held.iter().rposition(|held| held.wait == wait && held.since.is_some())?;
    for part in thread.parts.iter_mut().rev() {
        if let Some(index) = part.levels.iter().rposition(|level| level.doing == Doing::Holding(wait)) {
            part.levels.remove(index);
            break;
        }
    }
    Some(thread.held.remove(index))
}
