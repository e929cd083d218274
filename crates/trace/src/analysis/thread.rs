//! One thread's events as a stack of what it is doing, and the time of each level charged to regions, tasks and locks.
//! A frame is a thread's part in one parallel region; inside it, states nest: waits in tasks, tasks in waits.

use super::blame::{Blame, Mode, Next, Place};
use super::collected::{Collected, add};
use super::{Activity, ActivityKind};
use crate::Site;
use crate::reader::Event;
use crate::store::Record;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The program's code in an implicit task.
    Work,
    /// The program's code in the explicit task with this id, and its construct.
    Task(u64, Site),
    /// The program's code in a worksharing or masked construct.
    In(Activity),
    /// The program's code while it holds the lock with this wait id.
    Holding(u64, Activity),
    /// Forking or joining, as the encountering thread.
    Fork,
    /// In a synchronising construct, not waiting; or in a reduction.
    Sync(u64),
    /// Waiting in a synchronising construct.
    Wait(Place),
    /// Waiting for a lock.
    Mutex(Activity),
    /// In the device construct with this id, and its site.
    Target(u64, Site),
}

/// Where time goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Charge {
    Work,
    Barrier,
    Sync,
    Runtime,
}

impl State {
    fn charge(self) -> Charge {
        match self {
            State::Work | State::Task(..) | State::In(_) | State::Holding(..) => Charge::Work,
            State::Fork | State::Sync(_) => Charge::Runtime,
            State::Wait(Place { kind: TASKWAIT | TASKGROUP, .. }) | State::Mutex(_) | State::Target(..) => Charge::Sync,
            // The runtime's own work.
            State::Wait(Place { kind: REDUCTION, .. }) => Charge::Runtime,
            State::Wait(_) => Charge::Barrier,
        }
    }

    /// What the other members see of it. `region` is the region's site.
    fn next(self, region: Site) -> Next {
        let work = |kind, site| Next::Work(Activity { kind, site });
        match self {
            State::Work => work(ActivityKind::Body, region),
            State::Task(_, site) => work(ActivityKind::Task, site),
            State::In(activity) | State::Holding(_, activity) | State::Mutex(activity) => Next::Work(activity),
            State::Target(_, site) => work(ActivityKind::Device, site),
            State::Fork | State::Sync(_) | State::Wait(Place { kind: REDUCTION, .. }) => {
                work(ActivityKind::Runtime, Site::default())
            }
            // Workers have no address for the barrier at the region's end, the encountering thread has the region's.
            State::Wait(place) if [0, region.codeptr].contains(&place.site.codeptr) => {
                Next::Wait(Place { site: region, ..place })
            }
            State::Wait(place) => Next::Wait(place),
        }
    }
}

/// `ompt_sync_region_t`. The other kinds are barriers.
const TASKWAIT: u64 = 5;
const TASKGROUP: u64 = 6;
const REDUCTION: u64 = 7;
/// `ompt_work_t` of a thread that does not execute the single region.
const SINGLE_OTHER: u64 = 4;

/// A thread's part in a region.
struct Frame {
    /// The region; 0 outside of any, for the initial task.
    parallel: u64,
    /// Whether this is the thread that encountered the region.
    encountering: bool,
    begin: u64,
    /// Time is charged to the region only up to here. A worker may report the end of its region late.
    end: u64,
    states: Vec<State>,
    mode: Mode,
    work: u64,
    barrier: u64,
    sync: u64,
    runtime: u64,
}

impl Frame {
    /// The innermost explicit task.
    fn task(&self) -> Option<u64> {
        self.states.iter().rev().find_map(|state| if let State::Task(id, _) = state { Some(*id) } else { None })
    }

    /// Ends the innermost state that `is` accepts, and all states open inside it. States of an outer task stay.
    fn close(&mut self, is: impl Fn(State) -> bool) {
        let inner = self.states.iter().rposition(|state| matches!(state, State::Task(..) | State::Work | State::Fork));
        let from = inner.map_or(0, |index| index + 1);
        if let Some(index) = self.states[from..].iter().rposition(|state| is(*state)) {
            self.states.truncate(from + index);
        }
    }
}

/// An acquisition that is under way or done.
struct Held {
    kind: u64,
    wait: u64,
    codeptr: u64,
    since: u64,
    acquired: bool,
}

/// The state of one thread while its events are read.
#[derive(Default)]
pub(super) struct Timeline {
    /// The thread's index.
    thread: usize,
    frames: Vec<Frame>,
    held: Vec<Held>,
    /// Everything up to here is charged.
    now: u64,
    /// Time in regions that are not inside other regions.
    in_regions: u64,
}

impl Timeline {
    pub fn new(thread: usize) -> Timeline {
        Timeline { thread, ..Timeline::default() }
    }

    /// Takes the thread's next event. `site` is the construct that begins with the event, if one does.
    pub fn event(&mut self, event: Event, site: Site, collected: &mut Collected) {
        let ns = event.ns.max(self.now);
        self.charge(ns, collected);
        match event.record {
            Record::ParallelBegin { parallel, .. } => {
                collected.begin_region(parallel, site, ns);
                self.enter(parallel, true, ns, State::Fork, collected);
            }
            Record::ParallelEnd { parallel, .. } => self.end_region(parallel, ns, collected),
            Record::ImplicitTaskBegin { parallel, team, .. } => self.begin_part(parallel, team, ns, collected),
            Record::ImplicitTaskEnd { .. } => match self.frames.last_mut() {
                Some(frame) if frame.encountering => {
                    frame.states.truncate(1);
                    self.leave_team(ns, collected);
                }
                Some(_) => drop(self.leave(ns, collected)),
                None => {}
            },
            Record::TaskCreate { task, flags, .. } => collected.create_task(self.thread, task, flags, site),
            Record::TaskSchedule { prior, status, next } => self.schedule(prior, status, next, collected),
            Record::SyncBegin { kind, .. } => self.push(State::Sync(kind)),
            Record::SyncEnd { kind } => self.close(|state| state == State::Sync(kind)),
            Record::WaitBegin { kind, codeptr } => self.push(State::Wait(Place { kind, site: codeptr.into() })),
            Record::WaitEnd { kind } => self.close(|state| matches!(state, State::Wait(place) if place.kind == kind)),
            Record::WorkBegin { kind: SINGLE_OTHER, .. } | Record::WorkEnd { kind: SINGLE_OTHER } => {}
            Record::WorkBegin { kind, codeptr, .. } => self.push_activity(ActivityKind::Work(kind), codeptr),
            Record::WorkEnd { kind } => self.close_activity(ActivityKind::Work(kind)),
            Record::MaskedBegin { codeptr } => self.push_activity(ActivityKind::Masked, codeptr),
            Record::MaskedEnd {} => self.close_activity(ActivityKind::Masked),
            Record::Reduction { endpoint: 1, .. } => self.push(State::Sync(0)),
            Record::Reduction { .. } => self.close(|state| state == State::Sync(0)),
            Record::MutexAcquire { kind, wait, codeptr } => self.acquire(kind, wait, codeptr, ns),
            Record::MutexAcquired { wait, .. } => self.acquired(wait, ns, collected),
            Record::NestLock { endpoint: 1, wait } => self.acquired(wait, ns, collected),
            // Released but still held: the inner holding is part of the outer one.
            Record::NestLock { wait, .. } => drop(self.give_back(wait)),
            Record::MutexReleased { wait, .. } => self.released(wait, ns, collected),
            Record::TargetBegin { target, .. } => self.push(State::Target(target, site)),
            Record::TargetEnd { target } => self.close(|state| matches!(state, State::Target(id, _) if id == target)),
            _ => {}
        }
        self.show_mode(ns, collected);
    }

    /// Tells the team what this member does now.
    fn show_mode(&mut self, ns: u64, collected: &mut Collected) {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.mode != Mode::Out) else { return };
        let Some(state) = frame.states.last() else { return };
        let Some(instance) = collected.instances.get_mut(&frame.parallel) else { return };
        let next = state.next(instance.site);
        let same = match (frame.mode, next) {
            (Mode::Working { activity }, Next::Work(next)) => activity == next,
            (Mode::Waiting { place, .. }, Next::Wait(next)) => place == next,
            _ => false,
        };
        if !same {
            instance.blame.change(&mut frame.mode, next, ns, instance.site, &mut collected.waits);
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
        self.charge(ns, collected);
        while self.leave(ns, collected).is_some() {}
        self.in_regions
    }

    /// Charges the time up to `ns` to what the thread has been doing.
    fn charge(&mut self, ns: u64, collected: &mut Collected) {
        let from = std::mem::replace(&mut self.now, ns);
        if let Some(frame) = self.frames.last_mut()
            && let Some(state) = frame.states.last()
        {
            charge(frame, state.charge(), from, ns, collected);
        }
    }

    fn push(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            // A failed attempt to take a lock has no end.
            frame.states.pop_if(|top| matches!(top, State::Mutex(_)));
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
            instance.inside_now.push(self.thread);
        }
        let states = vec![state];
        let frame = Frame {
            parallel,
            encountering,
            begin: ns,
            end: u64::MAX,
            states,
            mode: Mode::Out,
            work: 0,
            barrier: 0,
            sync: 0,
            runtime: 0,
        };
        self.frames.push(frame);
    }

    /// The thread starts its implicit task.
    fn begin_part(&mut self, parallel: u64, team: u64, ns: u64, collected: &mut Collected) {
        let mut mode = Mode::Out;
        if parallel != 0 {
            let instance = collected.instance(parallel, ns);
            instance.team = instance.team.max(team);
            if instance.parts == 0 {
                instance.blame = Blame::new(team, ns);
            }
            instance.parts += 1;
            mode = instance.blame.begin(ns);
        }
        match self.frames.last_mut() {
            Some(frame) if frame.encountering && frame.parallel == parallel => frame.states.push(State::Work),
            _ => self.enter(parallel, false, ns, State::Work, collected),
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.mode = mode;
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
            && let Some(instance) = collected.instances.get_mut(&frame.parallel)
            && frame.mode != Mode::Out
        {
            instance.blame.change(&mut frame.mode, Next::Out, ns, instance.site, &mut collected.waits);
        }
    }

    /// Ends the innermost frame and adds it to its region. Returns the region.
    fn leave(&mut self, ns: u64, collected: &mut Collected) -> Option<u64> {
        self.leave_team(ns, collected);
        let frame = self.frames.pop()?;
        if let Some(instance) = collected.instances.get_mut(&frame.parallel) {
            add(&mut instance.work, frame.work);
            add(&mut instance.barrier, frame.barrier);
            add(&mut instance.sync, frame.sync);
            add(&mut instance.runtime, frame.runtime);
            for part in [frame.work, frame.barrier, frame.sync, frame.runtime] {
                add(&mut instance.inside, part);
            }
            instance.max_work = instance.max_work.max(frame.work);
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
            charge(outer, Charge::Work, frame.begin, ns, collected);
        }
        Some(frame.parallel)
    }

    /// The thread switches from one task to another; see `ompt_task_status_t`.
    fn schedule(&mut self, prior: u64, status: u64, next: u64, collected: &mut Collected) {
        const COMPLETE: u64 = 1;
        const CANCEL: u64 = 3;
        const DETACH: u64 = 4;
        const EARLY_FULFILL: u64 = 5;
        const LATE_FULFILL: u64 = 6;
        if matches!(status, COMPLETE | CANCEL | LATE_FULFILL) {
            collected.complete_task(prior);
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.states.pop_if(|top| matches!(top, State::Mutex(_)));
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
        if let Some(task) = collected.tasks.get_mut(&next) {
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
    }

    fn acquire(&mut self, kind: u64, wait: u64, codeptr: u64, ns: u64) {
        const TEST_LOCK: u64 = 2;
        const TEST_NEST_LOCK: u64 = 4;
        self.held.retain(|held| held.acquired || held.wait != wait);
        self.held.push(Held { kind, wait, codeptr, since: ns, acquired: false });
        // A test does not wait, and when it fails no event says so.
        if !matches!(kind, TEST_LOCK | TEST_NEST_LOCK) {
            self.push(State::Mutex(Activity { kind: ActivityKind::WaitingFor(kind), site: codeptr.into() }));
        }
    }

    fn acquired(&mut self, wait: u64, ns: u64, collected: &mut Collected) {
        if let Some(frame) = self.frames.last_mut() {
            frame.states.pop_if(|top| matches!(top, State::Mutex(_)));
        }
        let Some(held) = self.held.iter_mut().rev().find(|held| held.wait == wait && !held.acquired) else { return };
        let waited = ns.saturating_sub(held.since);
        (held.acquired, held.since) = (true, ns);
        let (kind, codeptr) = (held.kind, held.codeptr);
        if let Some(frame) = self.frames.last_mut() {
            let activity = Activity { kind: ActivityKind::Holding(kind), site: codeptr.into() };
            frame.states.push(State::Holding(wait, activity));
        }
        let (lock, objects) = collected.locks.entry((kind, codeptr)).or_default();
        (lock.kind, lock.codeptr, lock.wait_id) = (kind, codeptr, wait);
        lock.count += 1;
        lock.max_wait_ns = lock.max_wait_ns.max(waited);
        add(&mut lock.wait_ns, waited);
        objects.insert(wait);
    }

    /// Takes the innermost holding of a lock off the list.
    fn give_back(&mut self, wait: u64) -> Option<Held> {
        let index = self.held.iter().rposition(|held| held.wait == wait && held.acquired)?;
        let holding = |state: &State| matches!(state, State::Holding(held, _) if *held == wait);
        for frame in self.frames.iter_mut().rev() {
            if let Some(index) = frame.states.iter().rposition(holding) {
                frame.states.remove(index);
                break;
            }
        }
        Some(self.held.remove(index))
    }

    fn released(&mut self, wait: u64, ns: u64, collected: &mut Collected) {
        let Some(held) = self.give_back(wait) else { return };
        if let Some((lock, _)) = collected.locks.get_mut(&(held.kind, held.codeptr)) {
            add(&mut lock.hold_ns, ns.saturating_sub(held.since));
        }
    }
}

/// Adds the time from `from` to `to` to a frame, as far as its region lasts, and to the task running in it.
fn charge(frame: &mut Frame, charge: Charge, from: u64, to: u64, collected: &mut Collected) {
    let time = to.min(frame.end).saturating_sub(from.max(frame.begin));
    match charge {
        Charge::Work => {
            add(&mut frame.work, time);
            if let Some(task) = frame.task().and_then(|id| collected.tasks.get_mut(&id)) {
                add(&mut task.work, time);
            }
        }
        Charge::Barrier => add(&mut frame.barrier, time),
        Charge::Sync => add(&mut frame.sync, time),
        Charge::Runtime => add(&mut frame.runtime, time),
    }
}
