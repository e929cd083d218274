//! The rules of thread states: what `ompt_get_state` answers in a callback fits what the thread is doing by its events.
//! OpenMP 5.1, sections 4.4.4.27 and 4.6.1.12.

use super::{Family, Model, Progress, Seen};
use crate::rules::Rule;
use ferromp_tool::{Event, Mutex, State, SyncRegion, TaskFlag};

/// States from here up belong to the implementation.
const IMPLEMENTATION_DEFINED: i32 = 0x200;

/// The mutex family that a state waits for; 0 for any.
fn mutex_of(state: State) -> Option<&'static [Mutex]> {
    match state {
        State::WAIT_MUTEX => Some(&[]),
        State::WAIT_LOCK => Some(&[Mutex::LOCK, Mutex::NEST_LOCK]),
        State::WAIT_CRITICAL => Some(&[Mutex::CRITICAL]),
        State::WAIT_ATOMIC => Some(&[Mutex::ATOMIC]),
        State::WAIT_ORDERED => Some(&[Mutex::ORDERED]),
        _ => None,
    }
}

/// The kind of synchronisation region that a state waits in.
fn region_of(state: State) -> Option<SyncRegion> {
    match state {
        State::WAIT_TASKWAIT => Some(SyncRegion::TASKWAIT),
        State::WAIT_TASKGROUP => Some(SyncRegion::TASKGROUP),
        _ => None,
    }
}

impl Model {
    /// Checks the state in a callback. `says` is the kind that a synchronisation or mutex event names, with the mutex.
    pub fn check_state(&mut self, thread: usize, event: Event, seen: &Seen, says: Option<(i32, u64)>) {
        let state = State(seen.state);
        let known = !self.is_unknown(state.name()) || seen.state >= IMPLEMENTATION_DEFINED;
        if !known || state == State::UNDEFINED {
            return self.violation(Rule::State, thread, format!("ompt_get_state gives {state:?}"));
        }
        self.check_working(thread, event, state);
        let mutex_event =
            matches!(event, Event::MutexAcquire | Event::MutexAcquired | Event::MutexReleased | Event::NestLock);
        if let Some(kinds) = mutex_of(state) {
            let pending = self.pending_mutex(thread).or(says.filter(|_| mutex_event));
            let fits = pending.is_some_and(|(kind, _)| kinds.is_empty() || kinds.contains(&Mutex(kind)) || kind == 0);
            if !fits {
                self.violation(Rule::StateWait, thread, format!("{state:?}, and no such mutex is being acquired"));
            } else if let Some((_, id)) = pending
                && seen.wait_id != id
                && event == Event::MutexAcquire
            {
                let text = format!("ompt_get_state gives wait identifier {:#x}, not {id:#x}", seen.wait_id);
                self.violation(Rule::WaitIdentifier, thread, text);
            }
        }
        if let Some(kind) = region_of(state) {
            let sync = matches!(event, Event::SyncRegion | Event::SyncRegionWait);
            let named = sync && says.is_some_and(|(of_event, _)| of_event == kind.0);
            let awaits = kind == SyncRegion::TASKWAIT && self.awaits_dependences_now(thread);
            if !named && !awaits && !self.is_inside(thread, kind) {
                self.violation(Rule::StateWait, thread, format!("{state:?}, and no such region is open"));
            }
        }
    }

    /// Whether the thread's task waits for the dependences of a taskwait, which has no region then, or of an undeferred
    /// task.
    fn awaits_dependences_now(&self, thread: usize) -> bool {
        let task = self.threads[thread].current.and_then(|task| self.tasks.get(&task));
        let awaited = task.and_then(|task| self.tasks.get(&task.awaits?));
        awaited.is_some_and(|task| task.progress == Progress::Created)
    }

    /// Whether the thread runs or has suspended a task that is in a region of this kind.
    fn is_inside(&self, thread: usize, kind: SyncRegion) -> bool {
        let this = &self.threads[thread];
        let tasks = this.current.iter().chain(&this.suspended).filter_map(|task| self.tasks.get(task));
        tasks.flat_map(|task| &task.scopes).any(|scope| scope.is(Family::SyncRegion, kind.0))
    }

    /// The regions around the current task decide between working serially and in parallel.
    fn check_working(&mut self, thread: usize, event: Event, state: State) {
        // At the ends of regions and tasks the thread stands between two of them.
        let between = matches!(
            event,
            Event::ParallelBegin | Event::ParallelEnd | Event::ImplicitTask | Event::ThreadBegin | Event::ThreadEnd
        );
        if between || !matches!(state, State::WORK_SERIAL | State::WORK_PARALLEL) {
            return;
        }
        let Some(task) = self.threads[thread].current.and_then(|task| self.tasks.get(&task)) else { return };
        let initial = task.flags.contains(TaskFlag::INITIAL);
        let region = task.region.and_then(|region| self.regions.get(&region));
        let parallel = region.is_some_and(|region| region.is_team() && region.parallelism.is_some_and(|size| size > 1));
        let serial = initial && task.region.is_none();
        if parallel && state == State::WORK_SERIAL || serial && state == State::WORK_PARALLEL {
            let place = if parallel { "inside of a parallel region" } else { "outside of all parallel regions" };
            self.violation(Rule::StateSerial, thread, format!("{state:?} {place}"));
        }
    }
}
