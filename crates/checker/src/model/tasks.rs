//! The rules of explicit tasks: what creates, runs, leaves and completes them, and what waits for that.
//! OpenMP 5.1, sections 2.12, 4.5.2.7, 4.5.2.10 and 4.5.2.18.

use super::state::scope::is_barrier;
use super::state::{self, Ghost};
use super::{Family, Model, Progress, Task};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{CancelFlag, CodePtr, Slot, SyncRegion, TaskFlag, TaskStatus, Work};

/// Kinds that exclude each other: each task has one of them.
const KINDS: [TaskFlag; 5] =
    [TaskFlag::INITIAL, TaskFlag::IMPLICIT, TaskFlag::EXPLICIT, TaskFlag::TARGET, TaskFlag::TASKWAIT];

impl Task {
    pub(super) fn new(addr: usize, flags: TaskFlag, region: Option<u64>, thread: usize) -> Task {
        Task {
            addr,
            flags,
            region,
            progress: Progress::Created,
            thread,
            scopes: Vec::new(),
            confused: false,
            code: 0,
            index: 0,
            parent: None,
            children: 0,
            kin: 0,
            waits_for_some: false,
            group: None,
            awaits: None,
            owns: 0,
            barriers: 0,
            works: 0,
            chunk: None,
            dependences: None,
        }
    }

    /// Whether other tasks wait for the task: an explicit or target task that is not merged.
    fn counts(&self) -> bool {
        let of_a_kind = self.flags.contains(TaskFlag::EXPLICIT) || self.flags.contains(TaskFlag::TARGET);
        of_a_kind && !self.flags.contains(TaskFlag::MERGED)
    }

    /// Target tasks are untied, whatever their flags say (1.2.5).
    pub(super) fn is_tied(&self) -> bool {
        !self.flags.contains(TaskFlag::UNTIED) && !self.flags.contains(TaskFlag::TARGET)
    }
}

impl Model {
    pub fn task_create(
        &mut self,
        thread: usize,
        encountering: Option<Slot<'_>>,
        slot: Option<Slot<'_>>,
        flags: TaskFlag,
        has_dependences: bool,
        code: CodePtr,
    ) {
        // The tasks of a taskloop may be made by a thread that helps the one that encountered it.
        let parent = match encountering.map(Slot::get).and_then(|value| self.tasks.get(&value)) {
            Some(task) if task.scopes.iter().any(|scope| scope.is(Family::Work, Work::TASKLOOP.0)) => {
                self.task(thread, encountering, "encountering task")
            }
            _ => self.current_task(thread, encountering, "encountering task"),
        };
        // `taskwait nowait`, which OpenMP 5.2 adds, is an explicit task as well.
        let nowait = flags.contains(TaskFlag::TASKWAIT) && flags.contains(TaskFlag::EXPLICIT);
        let kinds = KINDS.iter().filter(|kind| flags.contains(**kind)).count() - usize::from(nowait);
        if kinds != 1 || flags.contains(TaskFlag::INITIAL) || flags.contains(TaskFlag::IMPLICIT) {
            self.violation(Rule::TaskFlags, thread, format!("a task is created with flags {flags:?}"));
        }
        let Some((value, addr)) = self.mark(state::TASK, thread, slot) else { return };
        let mut task = Task::new(addr, flags, None, thread);
        task.code = code.0;
        task.parent = parent;
        let counts = task.counts();
        if let Some(found) = parent.and_then(|parent| self.tasks.get_mut(&parent)) {
            task.region = found.region;
            task.group = found.scopes.iter().rev().find_map(|scope| scope.group).or(found.group);
            found.children += u32::from(counts);
            found.waits_for_some |= flags.contains(TaskFlag::TASKWAIT);
            if has_dependences && flags.contains(TaskFlag::UNDEFERRED) || flags.contains(TaskFlag::TASKWAIT) {
                found.awaits = Some(value);
            }
        }
        self.adopt(parent);
        if counts {
            if let Some(tasks) = task.group.and_then(|group| self.groups.get_mut(&group)) {
                *tasks += 1;
            }
            if let Some(region) = task.region.and_then(|region| self.regions.get_mut(&region)) {
                region.explicit += 1;
            }
        }
        self.tasks.insert(value, task);
        if has_dependences {
            self.awaits_dependences(value);
        }
    }

    /// One more task has this parent.
    pub(super) fn adopt(&mut self, parent: Option<u64>) {
        let Some(parent) = parent else { return };
        if let Some(task) = self.tasks.get_mut(&parent) {
            task.kin += 1;
        } else if let Some(ghost) = self.ghosts.get_mut(&parent) {
            ghost.kin += 1;
        }
    }

    /// One task less has this parent; ghosts without kin go.
    fn disown(&mut self, mut parent: Option<u64>) {
        while let Some(value) = parent {
            if let Some(task) = self.tasks.get_mut(&value) {
                task.kin = task.kin.saturating_sub(1);
                return;
            }
            let Some(ghost) = self.ghosts.get_mut(&value) else { return };
            ghost.kin = ghost.kin.saturating_sub(1);
            if ghost.kin > 0 {
                return;
            }
            parent = ghost.parent;
            self.ghosts.remove(&value);
        }
    }

    /// Whether a task descends from another.
    fn descends(&self, task: u64, from: u64) -> bool {
        let mut next = Some(task);
        while let Some(value) = next {
            if value == from {
                return true;
            }
            next = match (self.tasks.get(&value), self.ghosts.get(&value)) {
                (Some(task), _) => task.parent,
                (None, Some(ghost)) => ghost.parent,
                (None, None) => None,
            };
        }
        false
    }

    pub fn task_schedule(
        &mut self,
        thread: usize,
        prior: Option<Slot<'_>>,
        status: TaskStatus,
        next: Option<Slot<'_>>,
    ) {
        let Some(prior) = self.task(thread, prior, "prior task") else {
            // Follow the thread nevertheless, so that one fault is not reported many times.
            if let Some(next) = next.map(Slot::get).filter(|next| self.tasks.contains_key(next)) {
                self.threads[thread].current = Some(next);
            }
            return;
        };
        if matches!(status, TaskStatus::EARLY_FULFILL | TaskStatus::LATE_FULFILL | TaskStatus::TASKWAIT_COMPLETE) {
            if next.is_some() {
                self.violation(Rule::DataNotNull, thread, format!("{status:?} names a next task"));
            }
            match status {
                TaskStatus::EARLY_FULFILL => {}
                TaskStatus::LATE_FULFILL => self.late_fulfill(thread, prior),
                _ => self.taskwait_complete(thread, prior),
            }
            return;
        }
        if self.threads[thread].current != Some(prior) {
            let current = object(self.threads[thread].current.unwrap_or(0));
            let text = format!("prior task is {}, but the thread runs {current}", object(prior));
            self.violation(Rule::PriorTask, thread, text);
        }
        self.leave(thread, prior, status);
        let Some(next) = self.task(thread, next, "next task") else { return };
        self.enter(thread, next);
    }

    /// The dependences of a taskwait are satisfied.
    fn taskwait_complete(&mut self, thread: usize, value: u64) {
        if !self.tasks.get(&value).is_some_and(|task| task.flags.contains(TaskFlag::TASKWAIT)) {
            self.violation(Rule::TaskStatus, thread, format!("{} is no taskwait", object(value)));
        }
        self.predecessors_are_complete(thread, value);
        // The next taskwait waits for all children again, unless this one is still open.
        let parent = self.tasks.get(&value).and_then(|task| task.parent).and_then(|parent| self.tasks.get_mut(&parent));
        if let Some(parent) = parent {
            parent.waits_for_some =
                parent.scopes.iter().any(|scope| scope.is(Family::SyncRegion, SyncRegion::TASKWAIT.0));
        }
        self.complete(thread, value);
    }

    /// A task that has detached is fulfilled. Two threads report the two events, so either may come first.
    fn late_fulfill(&mut self, thread: usize, value: u64) {
        let Some(task) = self.tasks.get_mut(&value) else { return };
        match task.progress {
            Progress::Detached => self.complete(thread, value),
            Progress::Running | Progress::Suspended => task.progress = Progress::Fulfilled,
            other => {
                let text = format!("{} is fulfilled late, and is {other:?}", object(value));
                self.violation(Rule::Detach, thread, text);
            }
        }
    }

    /// The thread leaves a task.
    fn leave(&mut self, thread: usize, prior: u64, status: TaskStatus) {
        // Whatever a later version's status says, the task is left.
        let status = if self.later && status.name().is_none() { TaskStatus::SWITCH } else { status };
        match status {
            TaskStatus::COMPLETE | TaskStatus::CANCEL => self.complete(thread, prior),
            TaskStatus::DETACH | TaskStatus::SWITCH | TaskStatus::YIELD => {
                let Some(task) = self.tasks.get_mut(&prior) else { return };
                let fulfilled = task.progress == Progress::Fulfilled;
                let detaches = status == TaskStatus::DETACH;
                if !fulfilled {
                    task.progress = if detaches { Progress::Detached } else { Progress::Suspended };
                }
                let inside = task.scopes.last().filter(|scope| scope.family == Family::SyncRegionWait).copied();
                if task.is_tied() && !detaches {
                    self.threads[thread].suspended.push(prior);
                }
                if let Some(scope) = inside {
                    let text = format!("{} is left inside a {}", object(prior), scope.name());
                    self.violation(Rule::ScheduleInsideWait, thread, text);
                }
                if fulfilled && detaches {
                    self.complete(thread, prior);
                }
            }
            _ => self.violation(Rule::TaskStatus, thread, format!("the prior task's status is {status:?}")),
        }
    }

    /// The thread goes to a task.
    fn enter(&mut self, thread: usize, next: u64) {
        self.threads[thread].current = Some(next);
        let Some(task) = self.tasks.get_mut(&next) else { return };
        let (before, on) = (task.progress, task.thread);
        if before != Progress::Fulfilled {
            task.progress = Progress::Running;
        }
        task.thread = thread;
        let (tied, region) = (task.is_tied(), task.region);
        let name = object(next);
        match before {
            Progress::Running => {
                self.violation(Rule::NextTask, thread, format!("next task {name} is running on thread {on}"));
            }
            Progress::Detached => self.violation(Rule::NextTask, thread, format!("next task {name} has detached")),
            Progress::Suspended if on != thread && tied => {
                self.violation(Rule::TiedTask, thread, format!("tied task {name} moves from thread {on}"));
            }
            Progress::Created => {
                if tied {
                    self.check_constraint(thread, next, region);
                }
                self.predecessors_are_complete(thread, next);
            }
            _ => {}
        }
        if before == Progress::Suspended && tied {
            let suspended = &mut self.threads[thread].suspended;
            if let Some(index) = suspended.iter().rposition(|task| *task == next) {
                suspended.remove(index);
            }
        }
    }

    /// A new tied task must descend from every tied task that the thread has suspended outside of barriers. Each of
    /// those descends from the one before, so the latest tells.
    fn check_constraint(&mut self, thread: usize, next: u64, region: Option<u64>) {
        let binding = |value: &&u64| {
            let task = self.tasks.get(value);
            task.is_some_and(|task| task.region == region && !task.scopes.iter().any(is_barrier))
        };
        let Some(latest) = self.threads[thread].suspended.iter().rev().find(binding).copied() else { return };
        if !self.descends(next, latest) {
            let text = format!(
                "{} begins while {}, from which it does not descend, is suspended",
                object(next),
                object(latest)
            );
            self.violation(Rule::SchedulingConstraint, thread, text);
        }
    }

    /// Forgets a task that has ended.
    pub(super) fn complete(&mut self, thread: usize, value: u64) {
        let Some(gone) = self.tasks.remove(&value) else { return };
        // The program may end inside of what its initial task has open.
        if !gone.flags.contains(TaskFlag::INITIAL) || gone.region.is_some() {
            self.left_open(thread, value, &gone.scopes);
        }
        self.missing_dependences(thread, value, &gone);
        if gone.owns > 0 {
            self.kept_locks(thread, value, &gone);
        }
        if let Some((_, tail)) = self.threads[thread].suspended.split_last()
            && tail.len() > 64
        {
            // Tasks that were cancelled while suspended are never resumed.
            let mut suspended = std::mem::take(&mut self.threads[thread].suspended);
            suspended.retain(|task| self.tasks.contains_key(task));
            self.threads[thread].suspended = suspended;
        }
        for scope in &gone.scopes {
            if let Some(group) = scope.group {
                self.groups.remove(&group);
            }
        }
        if gone.progress != Progress::Discarded {
            self.release(&gone);
        }
        if gone.kin > 0 {
            self.ghosts.insert(value, Ghost { parent: gone.parent, kin: gone.kin });
        } else {
            self.disown(gone.parent);
        }
    }

    /// No task waits for this task any more.
    fn release(&mut self, task: &Task) {
        if !task.counts() {
            return;
        }
        if let Some(parent) = task.parent.and_then(|parent| self.tasks.get_mut(&parent)) {
            parent.children = parent.children.saturating_sub(1);
        }
        if let Some(tasks) = task.group.and_then(|group| self.groups.get_mut(&group)) {
            *tasks = tasks.saturating_sub(1);
        }
        if let Some(region) = task.region.and_then(|region| self.regions.get_mut(&region)) {
            region.explicit = region.explicit.saturating_sub(1);
        }
    }

    pub fn cancel(&mut self, thread: usize, task: Option<Slot<'_>>, flags: CancelFlag) {
        let Some(value) = self.task(thread, task, "cancelled task") else { return };
        let count = |all: &[CancelFlag]| all.iter().filter(|flag| flags.contains(**flag)).count();
        let constructs = count(&[CancelFlag::PARALLEL, CancelFlag::SECTIONS, CancelFlag::LOOP, CancelFlag::TASKGROUP]);
        let acts = count(&[CancelFlag::ACTIVATED, CancelFlag::DETECTED, CancelFlag::DISCARDED_TASK]);
        if constructs != 1 || acts != 1 {
            self.violation(Rule::CancelFlags, thread, format!("flags are {flags:?}"));
        }
        if let Some(region) = self.region_of_thread(thread) {
            region.cancelled = true;
        }
        if flags.contains(CancelFlag::DISCARDED_TASK)
            && let Some(mut task) = self.tasks.remove(&value)
        {
            let begun = task.progress != Progress::Created;
            if task.progress != Progress::Discarded {
                self.release(&task);
            }
            task.progress = Progress::Discarded;
            self.tasks.insert(value, task);
            if begun {
                self.violation(Rule::CancelTask, thread, format!("{} is discarded, and has begun", object(value)));
            }
        }
    }

    /// Whether this thread has ended the program from inside of a region, a device construct or an explicit task: ends
    /// are not owed then. The initial task that the program began with ends in any case.
    pub(super) fn exits_inside(&self, finalizing: Option<usize>) -> bool {
        let inside = |number: usize| {
            let thread = &self.threads[number];
            let current = thread.current.and_then(|task| self.tasks.get(&task));
            thread.implicit.len() > 1 || current.is_some_and(|task| !task.flags.contains(TaskFlag::INITIAL))
        };
        self.is_inside_region() || finalizing.is_some_and(|number| inside(number) || self.is_inside_construct(number))
    }

    /// What must have ended when the tool is finalised. Threads that are inside a region that has not ended, because
    /// the program exits from there, owe nothing; nor do threads of the program's own making, which the runtime cannot
    /// make end.
    pub fn finalize(&mut self, finalizing: Option<usize>) {
        self.tell_peak();
        let never: Vec<(usize, usize)> = self
            .tasks
            .values()
            .filter(|task| task.progress == Progress::Detached)
            .map(|task| (task.thread, task.code))
            .collect();
        for (thread, code) in never {
            let text = "a detached task was never fulfilled: the program ends without omp_fulfill_event for its event";
            self.finding(Rule::TaskNeverCompleted, thread, text, &[("the task is created".into(), code)], false);
        }
        if self.exits_inside(finalizing) {
            return;
        }
        for number in 0..self.threads.len() {
            let thread = &self.threads[number];
            let owes = thread.begun && (thread.worker || Some(number) == finalizing);
            let open = thread.implicit.last().map(|(task, _)| *task);
            let ended = thread.ended;
            if !owes {
                continue;
            }
            if let Some(task) = open {
                self.violation(Rule::ImplicitTaskOpen, number, format!("{} has not ended", object(task)));
            }
            if !ended {
                self.violation(Rule::ThreadOpen, number, "the thread has not ended");
            }
        }
        let open: Vec<(u64, usize, Progress)> = self
            .tasks
            .iter()
            .filter(|(_, task)| task.flags.contains(TaskFlag::EXPLICIT) && task.counts())
            .filter(|(_, task)| !matches!(task.progress, Progress::Discarded | Progress::Detached))
            .map(|(value, task)| (*value, task.thread, task.progress))
            .collect();
        for (value, thread, progress) in open {
            self.violation(Rule::TaskOpen, thread, format!("{} is {progress:?}, not complete", object(value)));
        }
    }
}
