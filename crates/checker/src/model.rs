//! What the checker remembers of the program: threads, parallel regions, tasks, and the scopes that
//! are open in each task. Every data word gets a value of its own, by which it is found again.

use crate::report::Report;
use ferromp_tool::{Event, Slot, TaskFlag, Unavailable};
use std::collections::HashMap;

/// The first byte of a data word says what it belongs to.
const THREAD: u64 = 0x54 << 56;
const REGION: u64 = 0x52 << 56;
const TASK: u64 = 0x4b << 56;

/// What the runtime's entry points say inside a callback.
pub struct Seen {
    /// The value of the thread's data word.
    pub thread: Option<u64>,
    /// The current task.
    pub task: Result<SeenTask, Unavailable>,
    /// Value of the current region's data word, and the size of its team.
    pub region: Result<(Option<u64>, i32), Unavailable>,
    /// The number of the thread's state.
    pub state: i32,
}

/// What the runtime says of the current task.
pub struct SeenTask {
    /// Address and value of its data word.
    pub data: Option<(usize, u64)>,
    /// Value of its region's data word.
    pub region: Option<u64>,
}

/// A thread that has been seen.
#[derive(Default)]
pub struct Thread {
    pub value: u64,
    pub begun: bool,
    pub ended: bool,
    pub worker: bool,
    /// The process was forked since; the runtime may begin the thread anew.
    pub forked: bool,
    /// The task that it runs.
    pub current: Option<u64>,
    /// Its open implicit and initial tasks, each with the task that ran before.
    pub implicit: Vec<(u64, Option<u64>)>,
    /// The open regions that it encountered.
    pub regions: Vec<u64>,
    /// The mutex that it is about to acquire: kind and wait identifier.
    pub acquiring: Option<(i32, u64)>,
    /// What it holds: family of the kind, wait identifier, and how often a nest lock is set.
    pub held: Vec<(i32, u64, u32)>,
}

/// A parallel region or league.
pub struct Region {
    pub addr: usize,
    pub thread: usize,
    pub task: Option<u64>,
    pub indices: Vec<u32>,
    pub parallelism: Option<u32>,
    pub open_tasks: usize,
    pub ended: bool,
}

/// How far a task has come. Completed ones are forgotten.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    Created,
    Running,
    Suspended,
    Detached,
    /// Fulfilled by another thread between the end of its body and the event that says so.
    Fulfilled,
    Discarded,
}

/// A kind of scope with two ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Family {
    SyncRegion,
    SyncRegionWait,
    Reduction,
    Work,
    Masked,
}

impl Family {
    pub fn event(self) -> Event {
        match self {
            Family::SyncRegion => Event::SyncRegion,
            Family::SyncRegionWait => Event::SyncRegionWait,
            Family::Reduction => Event::Reduction,
            Family::Work => Event::Work,
            Family::Masked => Event::Masked,
        }
    }
}

/// A task of any kind.
pub struct Task {
    pub addr: usize,
    pub flags: TaskFlag,
    pub region: Option<u64>,
    pub progress: Progress,
    /// The thread that runs it or ran it last.
    pub thread: usize,
    /// The scopes that are open, the innermost last, each with the number of its kind.
    pub scopes: Vec<(Family, i32)>,
}

/// Everything.
pub struct Model {
    pub events: u64,
    pub finalized: bool,
    pub report: Report,
    pub threads: Vec<Thread>,
    pub regions: HashMap<u64, Region>,
    pub tasks: HashMap<u64, Task>,
    /// Initialised locks, with the family of their kind.
    pub locks: HashMap<u64, i32>,
    /// Events that the runtime may report only one end of (`ompt_set_sometimes`).
    pub unpaired: Vec<Event>,
    /// Events that are registered and arrive always.
    pub always: Vec<Event>,
    last_value: u64,
}

impl Model {
    pub fn new() -> Model {
        Model {
            events: 0,
            finalized: false,
            report: Report::new(),
            threads: Vec::new(),
            regions: HashMap::new(),
            tasks: HashMap::new(),
            locks: HashMap::new(),
            unpaired: Vec::new(),
            always: Vec::new(),
            last_value: 0,
        }
    }

    /// Notes a violation by thread number `thread`.
    pub fn violation(&mut self, rule: &'static str, thread: usize, text: impl AsRef<str>) {
        self.report.violation(rule, &format!("thread {thread}: {}", text.as_ref()));
    }

    /// Puts a value of its own into a new object's data word, which must be zero, and gives the value.
    fn mark(&mut self, kind: u64, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<(u64, usize)> {
        let Some(slot) = slot else {
            self.violation("null-data", thread, format!("{what}: no data word"));
            return None;
        };
        let found = slot.get();
        if found != 0 {
            let text = format!("{what}: the data word is {found:#x} at the begin, not 0");
            self.violation("data-not-zero", thread, text);
        }
        self.last_value += 1;
        let value = kind | self.last_value;
        slot.set(value);
        Some((value, slot.addr()))
    }

    pub fn mark_thread(&mut self, thread: usize, slot: Option<Slot<'_>>) -> Option<u64> {
        self.mark(THREAD, thread, slot, "thread_begin").map(|(value, _)| value)
    }

    pub fn mark_region(&mut self, thread: usize, slot: Option<Slot<'_>>) -> Option<(u64, usize)> {
        self.mark(REGION, thread, slot, "parallel_begin")
    }

    pub fn mark_task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<(u64, usize)> {
        self.mark(TASK, thread, slot, what)
    }

    /// The task whose data word this is; a violation if there is none.
    pub fn task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let Some(slot) = slot else {
            self.violation("null-data", thread, format!("{what}: no task data"));
            return None;
        };
        let value = slot.get();
        match self.tasks.get(&value) {
            Some(task) if task.addr == slot.addr() => Some(value),
            Some(_) => {
                let text = format!("{what}: the data word of task {value:#x} has moved");
                self.violation("data-moved", thread, text);
                Some(value)
            }
            None if value & (0xff << 56) == TASK => {
                self.violation("task-after-end", thread, format!("{what}: task {value:#x} has ended"));
                None
            }
            None => {
                self.violation("data-lost", thread, format!("{what}: task data is {value:#x}"));
                None
            }
        }
    }

    /// The task as with [`task`](Self::task), which must be the one that the thread runs.
    pub fn current_task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let value = self.task(thread, slot, what)?;
        let current = self.threads[thread].current;
        if current != Some(value) {
            let current = current.unwrap_or(0);
            let text = format!("{what}: task {value:#x}, but the thread runs {current:#x}");
            self.violation("not-current-task", thread, text);
        }
        Some(value)
    }

    /// Checks the region that an event names against that of its task. `may_be_null` for the ends
    /// that come when the region may be gone.
    pub fn region_of_task(&mut self, thread: usize, slot: Option<Slot<'_>>, task: u64, may_be_null: bool, what: &str) {
        let Some(expected) = self.tasks.get(&task).map(|task| task.region) else { return };
        match (slot.map(Slot::get), expected) {
            (None, Some(_)) if !may_be_null => {
                self.violation("null-data", thread, format!("{what}: no parallel data"));
            }
            (Some(found), _) if found != expected.unwrap_or(0) => {
                let expected = expected.unwrap_or(0);
                let text = format!("{what}: parallel data {found:#x} instead of {expected:#x}");
                self.violation("wrong-region", thread, text);
            }
            _ => {}
        }
    }

    /// Compares what the entry points say with what the events have told.
    pub fn compare(&mut self, thread: usize, seen: &Seen, what: &str) {
        let Some(current) = self.threads[thread].current else { return };
        let Some(task) = self.tasks.get(&current) else { return };
        let (addr, region) = (task.addr, task.region);
        match seen.task {
            Ok(SeenTask { data: Some((seen_addr, value)), region: seen_region }) => {
                if (seen_addr, value) != (addr, current) {
                    let text = format!("{what}: ompt_get_task_info gives {value:#x}, not {current:#x}");
                    self.violation("task-info", thread, text);
                } else if seen_region.unwrap_or(0) != region.unwrap_or(0) {
                    let found = seen_region.unwrap_or(0);
                    let text = format!("{what}: ompt_get_task_info gives region {found:#x}");
                    self.violation("task-info", thread, text);
                }
            }
            Ok(SeenTask { data: None, .. }) | Err(Unavailable::None) => {
                let text = format!("{what}: ompt_get_task_info knows no current task");
                self.violation("task-info", thread, text);
            }
            Err(Unavailable::NotNow) => {}
        }
        if let (Ok((found, _)), Some(region)) = (seen.region, region)
            && found != Some(region)
        {
            let found = found.unwrap_or(0);
            let text = format!("{what}: ompt_get_parallel_info gives {found:#x}, not {region:#x}");
            self.violation("parallel-info", thread, text);
        }
    }

    /// Opens a scope of a task.
    pub fn open(&mut self, thread: usize, task: u64, scope: (Family, i32)) {
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let outer = found.scopes.last().copied();
        found.scopes.push(scope);
        if scope.0 == Family::SyncRegionWait && outer != Some((Family::SyncRegion, scope.1)) {
            let text = format!("wait of kind {} outside a region of that kind", scope.1);
            self.violation("wait-outside-region", thread, text);
        }
    }

    /// Closes a scope of a task, which must be the innermost.
    pub fn close(&mut self, thread: usize, task: u64, scope: (Family, i32)) {
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let Some(depth) = found.scopes.iter().rposition(|open| *open == scope) else {
            let open = found.scopes.last().copied();
            let text = format!("{scope:?} ends in task {task:#x}, the innermost scope is {open:?}");
            self.violation("end-without-begin", thread, text);
            return;
        };
        let left_open = found.scopes.split_off(depth).split_off(1);
        self.left_open(thread, task, &left_open);
    }

    /// Scopes of a task that were left open when something around them ended.
    fn left_open(&mut self, thread: usize, task: u64, scopes: &[(Family, i32)]) {
        for scope in scopes {
            if !self.unpaired.contains(&scope.0.event()) {
                let text = format!("{scope:?} of task {task:#x} was not ended");
                self.violation("begin-without-end", thread, text);
            }
        }
    }

    /// Forgets a task that has ended.
    pub fn complete(&mut self, thread: usize, task: u64) {
        if let Some(gone) = self.tasks.remove(&task) {
            self.left_open(thread, task, &gone.scopes);
        }
    }

    /// In the child of a fork only the forking thread is left, and what it runs.
    pub fn forked(&mut self, survivor: Option<usize>) {
        for (number, thread) in self.threads.iter_mut().enumerate() {
            if Some(number) == survivor {
                thread.forked = true;
            } else {
                *thread = Thread { begun: true, ended: true, ..Thread::default() };
            }
        }
        let kept: Vec<u64> = survivor
            .map(|number| &self.threads[number])
            .into_iter()
            .flat_map(|t| t.implicit.iter().flat_map(|(a, b)| [Some(*a), *b]).chain([t.current]))
            .flatten()
            .collect();
        self.tasks.retain(|value, _| kept.contains(value));
    }
}
