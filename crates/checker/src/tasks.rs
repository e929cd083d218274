//! The rules of parallel regions and tasks: who begins and ends what, on which thread, in which order.

use crate::model::{Family, Model, Progress, Region, Seen, Task};
use ferromp_tool::{CancelFlag, Event, ScopeEndpoint, Slot, TaskFlag, TaskStatus, Work};

impl Model {
    pub fn parallel_begin(&mut self, thread: usize, slot: Option<Slot<'_>>, encountering: Option<Slot<'_>>) {
        let task = self.current_task(thread, encountering, "parallel_begin");
        let Some((value, addr)) = self.mark_region(thread, slot) else { return };
        self.threads[thread].regions.push(value);
        self.regions
            .insert(value, Region { addr, thread, task, indices: Vec::new(), parallelism: None, open_tasks: 0, ended: false });
    }

    pub fn parallel_end(&mut self, thread: usize, slot: Option<Slot<'_>>, encountering: Option<Slot<'_>>) {
        let task = self.current_task(thread, encountering, "parallel_end");
        let Some(slot) = slot else {
            self.violation("null-data", thread, "parallel_end: no parallel data");
            self.threads[thread].regions.pop();
            return;
        };
        let value = slot.get();
        let innermost = self.threads[thread].regions.pop();
        let Some(region) = self.regions.get_mut(&value) else {
            self.violation("data-lost", thread, format!("parallel_end: parallel data is {value:#x}"));
            return;
        };
        let moved = region.addr != slot.addr();
        let other_thread = (region.thread != thread).then_some(region.thread);
        let other_task = region.task != task && task.is_some();
        let missing = region.parallelism.map(|size| (region.indices.len(), size));
        region.ended = true;
        if region.open_tasks == 0 {
            self.regions.remove(&value);
        }
        if moved {
            self.violation("data-moved", thread, format!("parallel_end: the data word of {value:#x} has moved"));
        }
        if let Some(begun_by) = other_thread {
            let text = format!("parallel_end of {value:#x}, which thread {begun_by} began");
            self.violation("parallel-pair", thread, text);
        } else if innermost != Some(value) {
            let text = format!("parallel_end of {value:#x}, but {:#x} is innermost", innermost.unwrap_or(0));
            self.violation("parallel-pair", thread, text);
        }
        if other_task {
            let text = format!("parallel_end of {value:#x} with another encountering task");
            self.violation("parallel-pair", thread, text);
        }
        match missing {
            None => {
                let text = format!("parallel_end of {value:#x}: no implicit task began in it");
                self.violation("implicit-task-count", thread, text);
            }
            Some((begun, size)) if begun != size as usize => {
                let text = format!("parallel_end of {value:#x}: {begun} of {size} implicit tasks began");
                self.violation("implicit-task-count", thread, text);
            }
            Some(_) => {}
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the event's own arguments")]
    pub fn implicit_task(
        &mut self,
        thread: usize,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        parallelism: u32,
        index: u32,
        flags: TaskFlag,
        seen: &Seen,
    ) {
        if endpoint == ScopeEndpoint::BEGIN {
            self.implicit_begin(thread, parallel, task, parallelism, index, flags, seen);
        } else if endpoint == ScopeEndpoint::END {
            self.implicit_end(thread, parallel, task);
        } else {
            self.violation("endpoint", thread, format!("implicit_task: {endpoint:?}"));
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the event's own arguments")]
    fn implicit_begin(
        &mut self,
        thread: usize,
        parallel: Option<Slot<'_>>,
        slot: Option<Slot<'_>>,
        parallelism: u32,
        index: u32,
        flags: TaskFlag,
        seen: &Seen,
    ) {
        let found = parallel.map_or(0, Slot::get);
        let region = self.regions.contains_key(&found).then_some(found);
        let initial = flags.contains(TaskFlag::INITIAL);
        if !initial && !flags.contains(TaskFlag::IMPLICIT) {
            self.violation("task-flags", thread, format!("implicit_task: flags {flags:?}"));
        }
        if region.is_none() && (!initial || found != 0) {
            self.violation("wrong-region", thread, format!("implicit_task: parallel data is {found:#x}"));
        }
        if initial && region.is_none() {
            if (parallelism, index) != (1, 1) {
                let text = format!("initial task {index} of {parallelism}, not 1 of 1");
                self.violation("task-index", thread, text);
            }
        } else if index >= parallelism {
            let text = format!("implicit task {index} of {parallelism}");
            self.violation("task-index", thread, text);
        }
        if let Some(value) = region {
            self.join_region(thread, value, parallelism, index);
            if let Ok((_, team_size)) = seen.region
                && !initial
                && i64::from(team_size) != i64::from(parallelism)
            {
                let text = format!("implicit_task: a team of {parallelism}, ompt_get_parallel_info says {team_size}");
                self.violation("parallel-info", thread, text);
            }
        }
        let Some((value, addr)) = self.mark_task(thread, slot, "implicit_task") else { return };
        self.tasks.insert(value, Task { addr, flags, region, progress: Progress::Running, thread, scopes: Vec::new() });
        let this = &mut self.threads[thread];
        let before = this.current.replace(value);
        this.implicit.push((value, before));
    }

    /// One more implicit task of a region begins.
    fn join_region(&mut self, thread: usize, value: u64, parallelism: u32, index: u32) {
        let Some(region) = self.regions.get_mut(&value) else { return };
        region.open_tasks += 1;
        let size = *region.parallelism.get_or_insert(parallelism);
        let twice = region.indices.contains(&index);
        region.indices.push(index);
        if size != parallelism {
            let text = format!("implicit_task: region {value:#x} has {parallelism} threads, was {size}");
            self.violation("implicit-task-count", thread, text);
        }
        if twice {
            let text = format!("implicit_task: index {index} of region {value:#x} began twice");
            self.violation("task-index", thread, text);
        }
    }

    fn implicit_end(&mut self, thread: usize, parallel: Option<Slot<'_>>, slot: Option<Slot<'_>>) {
        let Some(value) = self.task(thread, slot, "implicit_task end") else { return };
        self.region_of_task(thread, parallel, value, true, "implicit_task end");
        match self.threads[thread].implicit.last().copied() {
            Some((open, before)) if open == value => {
                let current = self.threads[thread].current;
                self.threads[thread].implicit.pop();
                self.threads[thread].current = before;
                if current != Some(value) {
                    let text = format!("implicit_task end of {value:#x} while {:#x} runs", current.unwrap_or(0));
                    self.violation("not-current-task", thread, text);
                }
            }
            open => {
                let open = open.map_or(0, |(open, _)| open);
                let text = format!("implicit_task end of {value:#x}, {open:#x} is innermost");
                self.violation("implicit-task-pair", thread, text);
                for other in &mut self.threads {
                    other.implicit.retain(|(task, _)| *task != value);
                }
            }
        }
        if let Some(region) = self.tasks.get(&value).and_then(|task| task.region)
            && let Some(found) = self.regions.get_mut(&region)
        {
            found.open_tasks = found.open_tasks.saturating_sub(1);
            if found.ended && found.open_tasks == 0 {
                self.regions.remove(&region);
            }
        }
        self.complete(thread, value);
    }

    pub fn task_create(&mut self, thread: usize, encountering: Option<Slot<'_>>, slot: Option<Slot<'_>>, flags: TaskFlag) {
        // The tasks of a taskloop may be made by a thread that helps the one that encountered it.
        let parent = match encountering.map(Slot::get).and_then(|value| self.tasks.get(&value)) {
            Some(task) if task.scopes.contains(&(Family::Work, Work::TASKLOOP.0)) => {
                self.task(thread, encountering, "task_create")
            }
            _ => self.current_task(thread, encountering, "task_create"),
        };
        let region = parent.and_then(|parent| self.tasks.get(&parent)?.region);
        let Some((value, addr)) = self.mark_task(thread, slot, "task_create") else { return };
        self.tasks.insert(value, Task { addr, flags, region, progress: Progress::Created, thread, scopes: Vec::new() });
    }

    pub fn task_schedule(&mut self, thread: usize, prior: Option<Slot<'_>>, status: TaskStatus, next: Option<Slot<'_>>) {
        let Some(prior) = self.task(thread, prior, "task_schedule, prior task") else {
            // Follow the thread nevertheless, so that one fault is not reported many times.
            if let Some(next) = next.map(Slot::get).filter(|next| self.tasks.contains_key(next)) {
                self.threads[thread].current = Some(next);
            }
            return;
        };
        match status {
            TaskStatus::EARLY_FULFILL => return,
            TaskStatus::LATE_FULFILL => {
                self.late_fulfill(thread, prior);
                return;
            }
            TaskStatus::TASKWAIT_COMPLETE => {
                self.complete(thread, prior);
                return;
            }
            _ => {}
        }
        if self.threads[thread].current != Some(prior) {
            let current = self.threads[thread].current.unwrap_or(0);
            let text = format!("task_schedule: prior task {prior:#x}, but the thread runs {current:#x}");
            self.violation("prior-task", thread, text);
        }
        self.leave(thread, prior, status);
        let Some(next) = self.task(thread, next, "task_schedule, next task") else { return };
        self.enter(thread, next);
    }

    /// A task that has detached is fulfilled. Two threads report the two events, so either may come
    /// first.
    fn late_fulfill(&mut self, thread: usize, value: u64) {
        let Some(task) = self.tasks.get_mut(&value) else {
            return;
        };
        match task.progress {
            Progress::Detached => self.complete(thread, value),
            Progress::Running => task.progress = Progress::Fulfilled,
            other => {
                let text = format!("late_fulfill of task {value:#x}, which is {other:?}");
                self.violation("detach", thread, text);
            }
        }
    }

    /// The thread leaves a task.
    fn leave(&mut self, thread: usize, prior: u64, status: TaskStatus) {
        match status {
            TaskStatus::COMPLETE | TaskStatus::CANCEL => self.complete(thread, prior),
            TaskStatus::DETACH | TaskStatus::SWITCH | TaskStatus::YIELD => {
                let Some(task) = self.tasks.get_mut(&prior) else { return };
                let fulfilled = task.progress == Progress::Fulfilled;
                task.progress = if status == TaskStatus::DETACH { Progress::Detached } else { Progress::Suspended };
                if let Some((Family::SyncRegionWait, kind)) = task.scopes.last().copied() {
                    let text = format!("task {prior:#x} is left inside a wait of kind {kind}");
                    self.violation("schedule-inside-wait", thread, text);
                }
                if fulfilled && status == TaskStatus::DETACH {
                    self.complete(thread, prior);
                }
            }
            _ => self.violation("task-status", thread, format!("task_schedule: {status:?}")),
        }
    }

    /// The thread goes to a task.
    fn enter(&mut self, thread: usize, next: u64) {
        self.threads[thread].current = Some(next);
        let Some(task) = self.tasks.get_mut(&next) else { return };
        let (before, on) = (task.progress, task.thread);
        task.progress = Progress::Running;
        task.thread = thread;
        let untied = task.flags.contains(TaskFlag::UNTIED);
        match before {
            Progress::Running => {
                let text = format!("task_schedule: next task {next:#x} is running on thread {on}");
                self.violation("next-task", thread, text);
            }
            Progress::Detached => {
                let text = format!("task_schedule: next task {next:#x} has detached");
                self.violation("next-task", thread, text);
            }
            Progress::Suspended if on != thread && !untied => {
                let text = format!("task_schedule: tied task {next:#x} moves from thread {on}");
                self.violation("tied-task", thread, text);
            }
            _ => {}
        }
    }

    pub fn cancel(&mut self, thread: usize, task: Option<Slot<'_>>, flags: CancelFlag) {
        let Some(value) = self.task(thread, task, "cancel") else { return };
        if flags.contains(CancelFlag::DISCARDED_TASK)
            && let Some(task) = self.tasks.get_mut(&value)
        {
            task.progress = Progress::Discarded;
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the event's own arguments")]
    pub fn scope(
        &mut self,
        thread: usize,
        scope: (Family, i32),
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        may_be_null: bool,
    ) {
        let what = format!("{:?} of kind {}, {endpoint:?}", scope.0.event(), scope.1);
        let Some(task) = self.current_task(thread, task, &what) else { return };
        self.region_of_task(thread, parallel, task, may_be_null, &what);
        match endpoint {
            ScopeEndpoint::BEGIN => self.open(thread, task, scope),
            ScopeEndpoint::END => self.close(thread, task, scope),
            ScopeEndpoint::BEGINEND => {}
            _ => self.violation("endpoint", thread, what),
        }
    }

    pub fn dispatch(&mut self, thread: usize, parallel: Option<Slot<'_>>, task: Option<Slot<'_>>, of_team: bool) {
        let Some(task) = self.current_task(thread, task, "dispatch") else { return };
        self.region_of_task(thread, parallel, task, false, "dispatch");
        let innermost = self.tasks.get(&task).and_then(|task| task.scopes.last().copied());
        if of_team && self.always.contains(&Event::Work) && !matches!(innermost, Some((Family::Work, _))) {
            self.violation("dispatch-outside-work", thread, format!("innermost is {innermost:?}"));
        }
    }

    /// What must have ended when the tool is finalised. Threads that are inside a region that has
    /// not ended, because the program exits from there, owe nothing; nor do threads of the program's
    /// own making, which the runtime cannot make end.
    pub fn finalize(&mut self, finalizing: Option<usize>) {
        let inside_region = self.regions.values().any(|region| !region.ended);
        for number in 0..self.threads.len() {
            let thread = &self.threads[number];
            let owes = thread.begun && (thread.worker || Some(number) == finalizing);
            let open = thread.implicit.last().map(|(task, _)| *task);
            let ended = thread.ended;
            if !owes || inside_region {
                continue;
            }
            if let Some(task) = open {
                self.violation("implicit-task-open", number, format!("task {task:#x} has not ended"));
            }
            if !ended {
                self.violation("thread-open", number, "the thread has not ended");
            }
        }
        if inside_region {
            return;
        }
        let open: Vec<(u64, usize, Progress)> = self
            .tasks
            .iter()
            .filter(|(_, task)| {
                task.flags.contains(TaskFlag::EXPLICIT)
                    && !task.flags.contains(TaskFlag::MERGED)
                    && task.progress != Progress::Discarded
            })
            .map(|(value, task)| (*value, task.thread, task.progress))
            .collect();
        for (value, thread, progress) in open {
            self.violation("task-open", thread, format!("task {value:#x} is {progress:?}, not complete"));
        }
    }
}
