//! A thread's part in one parallel region: what the thread does there, one inside the other, and where its time goes.

use super::blame::{Mode, Next, Place, TASKGROUP, TASKWAIT, Waits};
use super::collected::{Collected, Instance};
use super::loops::Parts;
use super::state::{Account, Charge, State};
use super::sum::add;
use super::{Activity, ActivityKind};
use crate::Site;

/// A thread's part in a region.
#[derive(Clone)]
pub(super) struct Frame {
    /// The region; 0 outside of any, for the initial task.
    pub parallel: u64,
    /// Whether this is the thread that encountered the region.
    pub encountering: bool,
    pub begin: u64,
    /// Time is charged to the region only up to here. A worker may report the end of its region late.
    pub end: u64,
    pub states: Vec<State>,
    /// The innermost explicit task among the states.
    pub task: Option<u64>,
    /// The part of its work that has not been added to it.
    pub task_work: u64,
    /// The taskgroup constructs that the thread is in.
    pub groups: Vec<Site>,
    /// The thread's number in the team.
    pub member: u64,
    /// Its implicit task.
    pub implicit: u64,
    /// Whether the summary is about it.
    pub inside: bool,
    pub mode: Mode,
    /// Whether `mode` is what the thread did before. What it does now is not told before a member of the team waits.
    pub lags: bool,
    /// Whether the innermost state is a single construct of which the runtime does not see the end, as gcc's.
    pub endless_single: bool,
    /// Whether a state may be a wait; if so, the frame is among [`Collected::open_waits`].
    pub waits: bool,
    /// The time in the region, without that in inner regions.
    pub own: Account,
    /// What `own` was at the thread's last reading of its time on the CPU.
    pub read: Account,
    /// The time in inner regions, which counts as work.
    pub inner: u64,
    /// Worksharing constructs.
    pub parts: Parts,
    /// Whether the thread has come to the barrier at the region's end.
    pub at_end: bool,
}

impl Frame {
    /// The thread does not wait for a lock any more, if it did.
    #[inline]
    pub fn pop_mutex(&mut self) {
        if let Some(State::Mutex(_)) = self.states.last() {
            self.states.pop();
        }
    }

    /// The tasks among the states have changed.
    pub fn find_task(&mut self) {
        let task = |state: &State| if let State::Task(id, _) = state { Some(*id) } else { None };
        self.task = self.states.iter().rev().find_map(task);
    }

    /// A wait begins.
    pub fn begin_wait(&mut self, collected: &mut Collected) {
        collected.open_waits += usize::from(!std::mem::replace(&mut self.waits, true));
    }

    /// The waits among the states have changed.
    pub fn find_waits(&mut self, collected: &mut Collected) {
        if self.waits && !self.states.iter().any(|state| matches!(state, State::Wait(_))) {
            self.waits = false;
            collected.open_waits -= 1;
        }
    }

    /// Adds to the innermost task what it has worked since it became the innermost one.
    pub fn charge_task(&mut self, collected: &mut Collected) {
        let work = std::mem::take(&mut self.task_work);
        if let Some(task) = self.task.filter(|_| work > 0).and_then(|id| collected.tasks.get_mut(&id)) {
            add(&mut task.work, work);
        }
    }

    /// How long it is from one moment to another, as far as the region lasts.
    pub fn time(&self, from: u64, to: u64) -> u64 {
        to.min(self.end).saturating_sub(from.max(self.begin))
    }

    /// Adds time to what the thread has done in the region.
    #[inline]
    pub fn charge(&mut self, charge: Charge, time: u64) {
        self.own.add(charge, time);
        if charge == Charge::Work && self.task.is_some() {
            add(&mut self.task_work, time);
        }
    }

    /// Tells the team what this member does now, if that matters: while nobody waits, it does not. Returns false if the
    /// other members have to tell first, as this member begins to wait.
    #[inline]
    pub fn show_mode(&mut self, ns: u64, collected: &mut Collected) -> bool {
        let works = matches!(self.mode, Mode::Working { .. }) && !matches!(self.states.last(), Some(State::Wait(_)));
        if works && self.lags && collected.telling == 0 {
            return true;
        }
        self.show_mode_to_team(works, ns, collected)
    }

    /// As [`show_mode`](Self::show_mode), if another member may wait, or this one begins to. `works` says that this
    /// member neither waits nor goes on.
    #[inline(never)]
    fn show_mode_to_team(&mut self, works: bool, ns: u64, collected: &mut Collected) -> bool {
        let Some(instance) = collected.instances.get_mut(&self.parallel) else { return true };
        // Before the region's begin is seen, its construct is not known, and later it would be another one.
        if instance.blame.counts() || (works && !instance.begun) {
            self.tell(instance, ns, &mut collected.waits, &mut collected.telling);
            return true;
        }
        self.lags |= works;
        works
    }

    /// Tells the team of a region what this member does now.
    pub fn tell(&mut self, instance: &mut Instance, ns: u64, waits: &mut Waits, telling: &mut usize) {
        let [below @ .., state] = &self.states[..] else { return };
        let next = match state {
            State::Task(_, site) => Next::Work(self.task_activity(*site, below.last())),
            state => state.next(instance.site),
        };
        self.lags = false;
        instance.change(self.member, &mut self.mode, next, ns, waits, telling);
    }

    /// An explicit task as the team sees it. The task's construct and the state around the task are given.
    #[inline]
    fn task_activity(&self, site: Site, around: Option<&State>) -> Activity {
        match around {
            Some(&State::Wait(Place { kind: kind @ (TASKWAIT | TASKGROUP), site })) => {
                Activity { kind: ActivityKind::TaskInWait(kind), site }
            }
            // gcc's taskgroups have no wait while their thread executes tasks at their end.
            _ => match self.groups.last() {
                Some(&site) => Activity { kind: ActivityKind::TaskInWait(TASKGROUP), site },
                None => Activity { kind: ActivityKind::Task, site },
            },
        }
    }

    /// Ends the innermost state that `is` accepts, and all states open inside it. States of an outer task stay.
    pub fn close(&mut self, is: impl Fn(State) -> bool) {
        let inner = self.states.iter().rposition(|state| matches!(state, State::Task(..) | State::Work | State::Fork));
        let from = inner.map_or(0, |index| index + 1);
        if let Some(index) = self.states[from..].iter().rposition(|state| is(*state)) {
            self.states.truncate(from + index);
        }
    }
}
