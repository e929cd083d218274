//! One thread's events as a stack of what it is doing, and the time of each level charged to regions, tasks and locks.
//! A frame is a thread's part in one parallel region; inside it, states nest: waits in tasks, tasks in waits.

use super::blame::{Mode, Next, Place, TASKGROUP, TASKWAIT};
use super::collected::{Acquired, Collected, Created, Instance, Released};
use super::counts::Within;
use super::cpu::{Meter, Preempted, Spent};
use super::frame::Frame;
use super::loops::{self, Part, Parts};
use super::mpi::Called;
use super::sharing::Chunk;
use super::state::{Account, Charge, State};
use super::sum::add;
use super::usage::ThreadRow;
use super::{Activity, ActivityKind, Doing};
use crate::Site;
use crate::reader::Event;
use crate::store::Record;
use crate::store::task_status::{CANCEL, COMPLETE, DETACH, EARLY_FULFILL, LATE_FULFILL};

/// The barrier at a parallel region's end.
const REGION_END: u64 = 9;
/// `ompt_work_t` of the thread that executes a single region.
const SINGLE_EXECUTOR: u64 = 3;
/// `ompt_work_t` of a thread that does not execute the single region.
const SINGLE_OTHER: u64 = 4;

/// An acquisition that is under way or done.
#[derive(Clone)]
struct Held {
    kind: u64,
    wait: u64,
    codeptr: u64,
    since: u64,
    acquired: bool,
    /// How long the lock had been held when the thread asked for it.
    held_before: u64,
}

impl Held {
    /// Whether the thread waits until it has the lock. A test does not wait, and when it fails no event says so.
    fn waits(&self) -> bool {
        const TEST_LOCK: u64 = 2;
        const TEST_NEST_LOCK: u64 = 4;
        !matches!(self.kind, TEST_LOCK | TEST_NEST_LOCK)
    }
}

/// What follows from an event.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    /// Whether the summary is about what the thread does now.
    pub inside: bool,
    /// Whether the team knows what the thread does. Otherwise all members have to tell what they do, with
    /// [`Timeline::catch_up`], and then this thread has to, with [`Timeline::tell`].
    pub told: bool,
}

/// The state of one thread while its events are read.
#[derive(Clone, Default)]
pub(super) struct Timeline {
    /// The thread's index.
    thread: usize,
    /// Whether it is a thread of a device.
    on_device: bool,
    frames: Vec<Frame>,
    held: Vec<Held>,
    /// The call of MPI that the thread is in. The recorder reports no call inside another one.
    called: Option<Called>,
    /// Whether the last event was the begin of a single construct that the thread executes.
    begun_single: bool,
    /// Everything up to here is charged.
    now: u64,
    /// Where the time since then goes: what the innermost state says. None if the thread is in no region.
    goes_to: Option<Charge>,
    /// Time in regions that are not inside other regions.
    in_regions: u64,
    /// The thread's first and last event.
    seen: Option<(u64, u64)>,
    doing: Spent,
    /// The part of the work outside of regions.
    serial: u64,
    pub meter: Meter,
}

impl Timeline {
    /// Nothing yet, of the thread with this index.
    pub fn new(thread: usize, on_device: bool) -> Timeline {
        Timeline { thread, on_device, ..Timeline::default() }
    }

    /// Takes the thread's next event. `site` is the construct that begins with the event, if one does; `selected` says
    /// whether the summary is about this construct.
    pub fn event(&mut self, event: &Event, site: Site, selected: bool, collected: &mut Collected) -> Taken {
        let ns = event.ns.max(self.now);
        self.charge(ns);
        let begun_single = std::mem::take(&mut self.begun_single);
        match &mut self.seen {
            Some((_, last)) => *last = ns,
            None => self.seen = Some((ns, ns)),
        }
        match event.record {
            Record::ParallelBegin { parallel, .. } => {
                let outer = self.frames.last().is_some_and(|frame| frame.parallel != 0 && frame.inside);
                collected.begin_region(parallel, site, ns, outer || selected);
                self.enter(parallel, true, ns, State::Fork, collected);
            }
            Record::ParallelEnd { parallel, .. } => self.end_region(parallel, ns, collected),
            Record::ImplicitTaskBegin { parallel, team, index, task, .. } => {
                self.begin_part(parallel, (team, index), ns, collected);
                if let Some(frame) = self.frames.last_mut() {
                    frame.implicit = task;
                }
            }
            Record::ImplicitTaskEnd { task, .. } => {
                collected.end_implicit_task(task);
                self.end_part(ns, collected);
            }
            Record::TaskCreate { task, parent, flags, .. } => {
                let region = self.frames.last().map_or(0, |frame| frame.parallel);
                let created = Created { task, parent, flags, site, region, now: ns };
                collected.create_task(self.thread, created);
                return Taken { inside: self.is_inside(collected), told: true };
            }
            Record::TaskDependence { source, sink } => {
                collected.depend(source, sink);
                return Taken { inside: self.is_inside(collected), told: true };
            }
            Record::TaskSchedule { prior, status, next } => self.schedule(prior, status, next, collected),
            // The region of a taskgroup is the program's code up to the wait at its end.
            Record::SyncBegin { kind: TASKGROUP, codeptr } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.groups.push(codeptr.into());
                }
            }
            Record::SyncEnd { kind: TASKGROUP } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.groups.pop();
                }
            }
            Record::SyncBegin { kind, codeptr } => {
                self.end_endless_single();
                if kind == TASKWAIT
                    && let Some(frame) = self.frames.last()
                {
                    collected.wait_for_children(frame.task, frame.implicit, codeptr.into(), ns);
                }
                self.push(State::Sync(kind));
            }
            Record::SyncEnd { kind } => self.close(|state| state == State::Sync(kind)),
            Record::WaitBegin { kind, codeptr } => {
                let place = Place { kind, site: self.place_of_wait(kind, codeptr) };
                if let Some(frame) = self.frames.last_mut() {
                    frame.at_end |= kind == REGION_END;
                    frame.begin_wait(collected);
                }
                self.push(State::Wait(place));
            }
            Record::WaitEnd { kind } => {
                self.close(|state| matches!(state, State::Wait(place) if place.kind == kind));
                if let Some(frame) = self.frames.last_mut() {
                    frame.find_waits(collected);
                }
            }
            Record::WorkBegin { kind: SINGLE_OTHER, .. } | Record::WorkEnd { kind: SINGLE_OTHER } => {}
            Record::WorkBegin { kind, count, codeptr } => {
                self.end_endless_single();
                if let Some(frame) = self.frames.last_mut().filter(|_| loops::is_loop(kind)) {
                    frame.parts.begin(kind, count, codeptr, ns);
                }
                self.push_activity(ActivityKind::Work(kind), codeptr);
                self.begun_single = kind == SINGLE_EXECUTOR;
            }
            Record::WorkEnd { kind: SINGLE_EXECUTOR } if begun_single => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.endless_single = true;
                }
            }
            Record::WorkEnd { kind } => {
                if let Some(frame) = self.frames.last_mut().filter(|_| loops::is_loop(kind))
                    && let Some(part) = frame.parts.end(ns)
                {
                    add_part(part, frame, collected);
                }
                self.close_activity(ActivityKind::Work(kind));
            }
            Record::MaskedBegin { codeptr } => self.push_activity(ActivityKind::Masked, codeptr),
            Record::MaskedEnd {} => self.close_activity(ActivityKind::Masked),
            Record::Reduction { endpoint: 1, .. } => self.push(State::Sync(0)),
            Record::Reduction { .. } => self.close(|state| state == State::Sync(0)),
            Record::MutexAcquire { kind, wait, codeptr } => self.acquire(kind, wait, codeptr, ns, collected),
            Record::MutexAcquired { wait, .. } => self.acquired(wait, ns, collected),
            Record::NestLock { endpoint: 1, wait } => self.acquired(wait, ns, collected),
            // Released but still held: the inner holding is part of the outer one.
            Record::NestLock { wait, .. } => drop(self.give_back(wait)),
            Record::MutexReleased { wait, .. } => self.released(wait, ns, collected),
            Record::TargetBegin { target, .. } => self.push(State::Target(target, site)),
            Record::TargetEnd { target } => self.close(|state| matches!(state, State::Target(id, _) if id == target)),
            Record::MpiBegin { call, bytes, partner, codeptr } => {
                self.end_call(ns, collected);
                self.called = Some(Called { call, codeptr, bytes, partner, begin: ns });
                self.push(State::Mpi(Activity { kind: ActivityKind::Mpi(call), site: codeptr.into() }));
            }
            Record::MpiEnd { .. } => self.end_call(ns, collected),
            _ => {}
        }
        self.settle(ns, collected)
    }

    /// Takes a task in place: the event of its creation, and when it starts and ends. Returns false, and takes
    /// nothing, if another thread could see what this one does meanwhile, or if there is more to do than for most
    /// tasks.
    ///
    /// The thread works before, in the task and after it, so nothing changes for others but sums, as long as nobody
    /// waits or goes back to waiting after a task.
    #[inline(never)]
    pub fn task_in_place(
        &mut self,
        create: &Event,
        [start, end]: [u64; 2],
        site: Site,
        collected: &mut Collected,
    ) -> bool {
        let Record::TaskCreate { task, parent, flags, .. } = create.record else { return false };
        if collected.telling > 0 || collected.open_waits > 0 || self.goes_to != Some(Charge::Work) {
            return false;
        }
        let Some(frame) = self.frames.last_mut() else { return false };
        // The team knows that it does not know what the thread does.
        let is_known = frame.mode != Mode::Out && !frame.lags;
        let goes_on = match frame.task {
            Some(task) => task == parent && collected.tasks.contains_key(&task),
            None => frame.implicit == parent && parent != 0,
        };
        if is_known || !goes_on {
            return false;
        }
        let created = create.ns.max(self.now);
        let start = start.max(created);
        let end = end.max(start);
        let work = frame.time(start, end);
        let created = Created { task, parent, flags, site, region: frame.parallel, now: created };
        if !collected.task_in_place(self.thread, &created, work) {
            return false;
        }
        let from = std::mem::replace(&mut self.now, end);
        frame.charge(Charge::Work, frame.time(from, start));
        if frame.task.is_some() {
            frame.charge_task(collected);
        }
        frame.own.add(Charge::Work, work);
        self.begun_single = false;
        self.seen = Some((self.seen.map_or(created.now, |(first, _)| first), end));
        true
    }

    /// Notes what the thread does from now on.
    #[inline]
    fn settle(&mut self, ns: u64, collected: &mut Collected) -> Taken {
        let (mut charge, mut inside, mut told) = (None, collected.all_regions, true);
        if let Some(frame) = self.frames.last_mut() {
            inside = frame.inside;
            if let Some(state) = frame.states.last() {
                charge = Some(state.charge());
                if frame.mode != Mode::Out {
                    told = frame.show_mode(ns, collected);
                }
            }
        }
        self.goes_to = charge;
        if !self.on_device {
            collected.crowd.note(self.thread, inside && charge == Some(Charge::Work), ns);
        }
        Taken { inside, told }
    }

    /// The region whose team has to be told what this thread does now, and when that began.
    pub fn untold(&self) -> Option<(u64, u64)> {
        self.frames.last().map(|frame| (frame.parallel, self.now))
    }

    /// Tells the team of its innermost region what this thread does now. All other members have told what they do.
    pub fn tell(&mut self, collected: &mut Collected) {
        let Collected { instances, waits, telling, .. } = collected;
        if let Some(frame) = self.frames.last_mut()
            && let Some(instance) = instances.get_mut(&frame.parallel)
        {
            frame.tell(instance, self.now, waits, telling);
        }
    }

    /// Tells the team of a region what this thread has done since its last event, if the team has not been told.
    pub fn catch_up(&mut self, parallel: u64, now: u64, collected: &mut Collected) {
        let Collected { instances, waits, telling, .. } = collected;
        let Some(instance) = instances.get_mut(&parallel) else { return };
        for frame in self.frames.iter_mut().filter(|frame| frame.parallel == parallel && frame.lags) {
            frame.tell(instance, now, waits, telling);
        }
    }

    /// Takes a record of what the thread with this number has executed of a worksharing construct, or begins to.
    /// `begin` is the moment in the trace's time.
    pub fn executed(&mut self, event: Event, number: u32, begin: u64) {
        let Some(frame) = self.frames.last_mut() else { return };
        match event.record {
            Record::Chunk { first, iterations } => {
                let chunk = Chunk { thread: number, first, iterations, begin_ns: begin, ns: 0 };
                frame.parts.give(chunk, event.ns.max(self.now));
            }
            record => frame.parts.note(record),
        }
    }

    /// Takes a record of what the thread has used. Returns the work that the system has taken the CPU away from.
    pub fn usage(&mut self, event: Event, collected: &mut Collected) -> Option<Preempted> {
        let ns = event.ns.max(self.now);
        self.charge(ns);
        let mut inside = Vec::with_capacity(self.frames.len());
        for frame in &mut self.frames {
            if !frame.inside {
                continue;
            }
            let site = collected.instances.get(&frame.parallel).map_or(Site::default(), |instance| instance.site);
            inside.push((site, frame.own.since(&frame.read)));
            frame.read = frame.own;
        }
        let (crowd, regions) = (&mut collected.crowd, &mut collected.regions);
        self.meter.read(ns, event.record, inside.into_iter(), crowd, regions)
    }

    /// Whether the summary is about what the thread does.
    pub fn is_inside(&self, collected: &Collected) -> bool {
        self.frames.last().map_or(collected.all_regions, |frame| frame.inside)
    }

    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        self.seen = self.seen.filter(|_| !self.frames.is_empty());
        self.meter.forget();
    }

    /// Takes what a counter has counted since the thread last began or ended its part of a region. `initial` says
    /// whether the thread is the initial one.
    pub fn counted(&self, record: Record, initial: bool, collected: &mut Collected) {
        // A thread that has encountered a region, and not begun its part, was in what is around the region.
        let began = |frame: &&Frame| !(frame.encountering && matches!(frame.states[..], [State::Fork]));
        let within = match self.frames.iter().rev().find(began) {
            Some(frame) if !frame.inside => return,
            None if !collected.all_regions => return,
            Some(frame) if frame.at_end => Within::Idle,
            Some(frame) if frame.parallel != 0 => {
                let site = collected.instances.get(&frame.parallel).map_or(Site::default(), |instance| instance.site);
                Within::Region(site)
            }
            None if !initial => Within::Idle,
            Some(_) | None => Within::Serial,
        };
        collected.counting.take(self.thread, within, record);
    }

    /// What the thread does since its last event, and in which region.
    pub fn doing(&self, initial: bool, collected: &Collected) -> (Site, Doing) {
        let outside = if initial { Doing::Serial } else { Doing::Idle };
        let Some(frame) = self.frames.last() else { return (Site::default(), outside) };
        let region = collected.instances.get(&frame.parallel).map_or(Site::default(), |instance| instance.site);
        let doing = match frame.states.last().map(|state| state.next(region)) {
            None => outside,
            Some(Next::Work(activity)) if frame.parallel == 0 && activity.kind == ActivityKind::Body => Doing::Serial,
            Some(Next::Work(activity)) => Doing::Active(activity),
            Some(Next::Wait(place)) => Doing::Waiting(place.kind, place.site),
            Some(Next::Out) => Doing::Idle,
        };
        (region, doing)
    }

    /// The call of MPI that the thread is in ends.
    fn end_call(&mut self, ns: u64, collected: &mut Collected) {
        let Some(called) = self.called.take() else { return };
        self.close(|state| matches!(state, State::Mpi(_)));
        if self.is_inside(collected) {
            let region = self.frames.last().and_then(|frame| collected.instances.get(&frame.parallel));
            let region = region.map(|instance| instance.site);
            collected.mpi.add(called, ns, region);
        }
    }

    /// Where a thread waits. The waiting at the end of a taskgroup is named for the construct's begin.
    fn place_of_wait(&self, kind: u64, codeptr: u64) -> Site {
        let group = self.frames.last().and_then(|frame| frame.groups.last());
        group.filter(|_| kind == TASKGROUP).copied().unwrap_or(codeptr.into())
    }

    /// The runtime sees gcc's single constructs begin only: the end is told at once. The construct lasts to the next
    /// one, or to the next synchronisation.
    fn end_endless_single(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && std::mem::take(&mut frame.endless_single)
        {
            let single = ActivityKind::Work(SINGLE_EXECUTOR);
            frame.close(|state| matches!(state, State::In(activity) if activity.kind == single));
        }
    }

    fn push_activity(&mut self, kind: ActivityKind, codeptr: u64) {
        self.push(State::In(Activity { kind, site: codeptr.into() }));
    }

    fn close_activity(&mut self, kind: ActivityKind) {
        self.close(|state| matches!(state, State::In(activity) if activity.kind == kind));
    }

    /// Closes what is open at the end of the trace. Returns the time spent in regions that are not inside others.
    pub fn finish(&mut self, end: u64, collected: &mut Collected) -> u64 {
        let ns = end.max(self.now);
        self.charge(ns);
        self.end_endless_parts(ns, collected);
        self.end_call(ns, collected);
        if !self.frames.is_empty() {
            self.seen = Some((self.seen.map_or(ns, |(first, _)| first), ns));
        }
        while self.leave(ns, collected).is_some() {}
        self.in_regions
    }

    /// The window ends: cuts the waiting for locks, and the holding.
    pub fn cut_locks(&mut self, ns: u64, collected: &mut Collected) {
        self.charge(ns.max(self.now));
        let waits: Vec<u64> =
            self.held.iter().filter(|held| !held.acquired && held.waits()).map(|it| it.wait).collect();
        for wait in waits {
            self.acquired(wait, ns, collected);
        }
        let holds: Vec<u64> = self.held.iter().filter(|held| held.acquired).map(|held| held.wait).collect();
        for wait in holds {
            self.released(wait, ns, collected);
        }
    }

    /// Ends the worksharing constructs that the thread is in at the end of the trace.
    fn end_endless_parts(&mut self, ns: u64, collected: &mut Collected) {
        for frame in &mut self.frames {
            if let Some(part) = frame.parts.end(ns) {
                add_part(part, frame, collected);
            }
        }
    }

    /// Charges the time up to `ns` to what the thread has been doing.
    #[inline]
    fn charge(&mut self, ns: u64) {
        let from = std::mem::replace(&mut self.now, ns);
        if let Some(charge) = self.goes_to
            && let Some(frame) = self.frames.last_mut()
        {
            frame.charge(charge, frame.time(from, ns));
        }
    }

    /// What is known of the thread after the last event; its names are missing.
    pub fn row(self) -> ThreadRow {
        let (begin_ns, end_ns) = self.seen.unwrap_or_default();
        let Spent { work, wait, runtime } = self.doing;
        ThreadRow {
            begin_ns,
            end_ns,
            work_ns: work,
            serial_ns: self.serial,
            wait_ns: wait,
            runtime_ns: runtime,
            idle_ns: (end_ns - begin_ns).saturating_sub(work).saturating_sub(wait).saturating_sub(runtime),
            cpu: self.meter.cpu,
            cpus: self.meter.cpus,
            ..ThreadRow::default()
        }
    }

    fn push(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            // A failed attempt to take a lock has no end.
            frame.pop_mutex();
            frame.states.push(state);
        }
    }

    fn close(&mut self, is: impl Fn(State) -> bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.close(is);
        }
    }

    fn enter(&mut self, parallel: u64, encountering: bool, ns: u64, state: State, collected: &mut Collected) {
        if let Some(instance) = collected.instances.get_mut(&parallel) {
            instance.nested |= encountering && self.frames.iter().any(|frame| frame.parallel != 0);
            instance.on_device |= encountering && self.on_device;
            instance.inside_now.push(self.thread);
        }
        let states = vec![state];
        let frame = Frame {
            parallel,
            encountering,
            begin: ns,
            end: u64::MAX,
            states,
            task: None,
            task_work: 0,
            groups: Vec::new(),
            member: 0,
            implicit: 0,
            inside: collected.is_inside(parallel),
            mode: Mode::Out,
            lags: false,
            endless_single: false,
            waits: false,
            own: Account::default(),
            read: Account::default(),
            inner: 0,
            parts: Parts::default(),
            at_end: false,
        };
        self.frames.push(frame);
    }

    /// The thread starts its implicit task.
    fn begin_part(&mut self, parallel: u64, (team, member): (u64, u64), ns: u64, collected: &mut Collected) {
        let mode = if parallel == 0 { Mode::Out } else { collected.begin_member(parallel, (team, member), ns) };
        match self.frames.last_mut() {
            Some(frame) if frame.encountering && frame.parallel == parallel => frame.states.push(State::Work),
            _ => self.enter(parallel, false, ns, State::Work, collected),
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.mode, frame.member) = (mode, member);
        }
    }

    /// The thread ends its implicit task.
    fn end_part(&mut self, ns: u64, collected: &mut Collected) {
        match self.frames.last_mut() {
            Some(frame) if frame.encountering => {
                frame.charge_task(collected);
                frame.states.truncate(1);
                frame.find_task();
                frame.find_waits(collected);
                self.leave_team(ns, collected);
            }
            Some(_) => drop(self.leave(ns, collected)),
            None => {}
        }
    }

    /// The region has ended for the thread that encountered it. This thread may still be in its part of the region.
    pub fn region_ends(&mut self, parallel: u64, ns: u64) {
        for frame in self.frames.iter_mut().filter(|frame| frame.parallel == parallel) {
            frame.end = frame.end.min(ns);
        }
    }

    /// The region is over for the thread that encountered it, and so are all states that are open in it.
    fn end_region(&mut self, parallel: u64, ns: u64, collected: &mut Collected) {
        if let Some(instance) = collected.instances.get_mut(&parallel) {
            instance.end = Some(ns.max(instance.begin));
        }
        if self.frames.iter().any(|frame| frame.encountering && frame.parallel == parallel) {
            while self.leave(ns, collected).is_some_and(|left| left != parallel) {}
        }
    }

    /// The thread's implicit task is over: the team does not reckon with the thread any more.
    fn leave_team(&mut self, ns: u64, collected: &mut Collected) {
        if let Some(frame) = self.frames.last_mut()
            && frame.mode != Mode::Out
            && let Some(instance) = collected.instances.get_mut(&frame.parallel)
        {
            let (member, mode) = (frame.member, &mut frame.mode);
            instance.change(member, mode, Next::Out, ns, &mut collected.waits, &mut collected.telling);
        }
    }

    /// Ends the innermost frame and adds it to its region. Returns the region.
    fn leave(&mut self, ns: u64, collected: &mut Collected) -> Option<u64> {
        self.leave_team(ns, collected);
        let mut frame = self.frames.pop()?;
        frame.charge_task(collected);
        frame.states.clear();
        frame.find_waits(collected);
        let site = collected.instances.get(&frame.parallel).map_or(Site::default(), |instance| instance.site);
        if frame.inside {
            self.meter.leave(site, frame.own.since(&frame.read));
            self.doing.add(&frame.own.since(&Account::default()));
            if frame.parallel == 0 {
                add(&mut self.serial, frame.own.at(Charge::Work));
            }
        }
        if let Some(instance) = collected.instances.get_mut(&frame.parallel) {
            let Spent { work, wait, runtime } = frame.own.since(&Account::default());
            let (work, mpi) = (work.saturating_add(frame.inner), frame.own.at(Charge::Mpi));
            add(&mut instance.work, work);
            add(&mut instance.barrier, frame.own.at(Charge::Barrier));
            add(&mut instance.sync, frame.own.at(Charge::Sync).saturating_add(mpi));
            add(&mut instance.mpi, mpi);
            add(&mut instance.runtime, runtime);
            for part in [work, wait, runtime] {
                add(&mut instance.inside, part);
            }
            instance.busiest = instance.busiest.max((work, wait));
            if let Some(index) = instance.inside_now.iter().position(|thread| *thread == self.thread) {
                instance.inside_now.swap_remove(index);
            }
        }
        collected.conclude(frame.parallel);
        if frame.encountering && !self.frames.iter().any(|outer| outer.parallel != 0) {
            add(&mut self.in_regions, ns.saturating_sub(frame.begin));
        }
        // For the outer region, an inner region is work of the thread that encountered it.
        if let Some(outer) = self.frames.last_mut() {
            let time = outer.time(frame.begin, ns);
            add(&mut outer.inner, time);
            if outer.task.is_some() {
                add(&mut outer.task_work, time);
            }
        }
        Some(frame.parallel)
    }

    /// The thread switches from one task to another; see `ompt_task_status_t`.
    fn schedule(&mut self, prior: u64, status: u64, next: u64, collected: &mut Collected) {
        if let Some(frame) = self.frames.last_mut() {
            frame.charge_task(collected);
        }
        if matches!(status, COMPLETE | CANCEL | LATE_FULFILL) {
            collected.complete_task(prior);
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.pop_mutex();
        let is = |state: &State, id| matches!(state, State::Task(task, _) if *task == id);
        let position = |frame: &Frame, id| frame.states.iter().rposition(|state| is(state, id));
        if matches!(status, EARLY_FULFILL | LATE_FULFILL) {
            return;
        }
        if matches!(status, COMPLETE | CANCEL | DETACH)
            && let Some(index) = position(frame, prior)
        {
            frame.states.truncate(index);
        }
        // Mostly a thread goes back to its implicit task, which is not among the explicit ones.
        let is_implicit = next == frame.implicit && next != 0;
        if !is_implicit && let Some(task) = collected.tasks.get_mut(&next) {
            task.stolen |= task.creator != self.thread;
            match position(frame, next) {
                Some(index) => {
                    // Back to a suspended task, which continues in its former state.
                    let after = frame.states[index + 1..].iter().position(|state| matches!(state, State::Task(..)));
                    frame.states.truncate(after.map_or(frame.states.len(), |offset| index + 1 + offset));
                }
                None => frame.states.push(State::Task(next, task.site)),
            }
        } else if let Some(index) = frame.states.iter().position(|state| matches!(state, State::Task(..))) {
            // Back to the implicit task.
            frame.states.truncate(index);
        }
        frame.find_task();
    }

    fn acquire(&mut self, kind: u64, wait: u64, codeptr: u64, ns: u64, collected: &Collected) {
        let is_vain = |held: &Held| !held.acquired && held.wait == wait;
        if self.held.iter().any(is_vain) {
            self.held.retain(|held| !is_vain(held));
        }
        let held_before = collected.held_ns(wait, ns);
        let held = Held { kind, wait, codeptr, since: ns, acquired: false, held_before };
        let waits = held.waits();
        self.held.push(held);
        if waits {
            self.push(State::Mutex(Activity { kind: ActivityKind::WaitingFor(kind), site: codeptr.into() }));
        }
    }

    fn acquired(&mut self, wait: u64, ns: u64, collected: &mut Collected) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pop_mutex();
        }
        let Some(held) = self.held.iter_mut().rev().find(|held| held.wait == wait && !held.acquired) else { return };
        let waited = ns.saturating_sub(held.since);
        (held.acquired, held.since) = (true, ns);
        let (kind, codeptr, held_before) = (held.kind, held.codeptr, held.held_before);
        if let Some(frame) = self.frames.last_mut() {
            let activity = Activity { kind: ActivityKind::Holding(kind), site: codeptr.into() };
            frame.states.push(State::Holding(wait, activity));
        }
        let outer = self.held.iter().rev().find(|held| held.acquired && held.wait != wait);
        let outer = outer.map(|held| (held.kind, held.codeptr));
        let region = self.frames.last().map_or(0, |frame| frame.parallel);
        collected.acquire(Acquired {
            kind,
            wait,
            codeptr,
            waited,
            held_before,
            thread: self.thread,
            now: ns,
            outer,
            region,
        });
    }

    /// Takes the innermost holding of a lock off the list.
    fn give_back(&mut self, wait: u64) -> Option<Held> {
        let index = self.held.iter().rposition(|held| held.wait == wait && held.acquired)?;
        let holding = |state: &State| matches!(state, State::Holding(held, _) if *held == wait);
        for frame in self.frames.iter_mut().rev() {
            if frame.states.last().is_some_and(holding) {
                frame.states.pop();
                break;
            }
            if let Some(index) = frame.states.iter().rposition(holding) {
                frame.states.remove(index);
                break;
            }
        }
        Some(remove(&mut self.held, index))
    }

    fn released(&mut self, wait: u64, ns: u64, collected: &mut Collected) {
        let Some(held) = self.give_back(wait) else { return };
        let Held { kind, codeptr, since, .. } = held;
        let held = ns.saturating_sub(since);
        let region = self.frames.last().map_or(0, |frame| frame.parallel);
        collected.release(Released { kind, wait, codeptr, held, thread: self.thread, now: ns, region });
    }
}

/// Takes an item out, which mostly is the last one: then there is nothing to move.
fn remove<T>(items: &mut Vec<T>, index: usize) -> T {
    if index + 1 == items.len() { items.swap_remove(index) } else { items.remove(index) }
}

/// A thread has left a worksharing construct.
fn add_part(part: Part, frame: &Frame, collected: &mut Collected) {
    if !frame.inside {
        return;
    }
    match collected.instances.get_mut(&frame.parallel) {
        Some(Instance { executions, site, team, .. }) => collected.loops.add(part, executions, *site, *team),
        None => collected.loops.add_alone(part),
    }
}
