//! What the checker remembers of the program: threads, parallel regions, tasks, mutexes, and the scopes that are open
//! in each task. Every data word gets a value of its own, by which it is found again. One folder of rules: one file a
//! concept.

mod barriers;
mod depend;
mod devices;
mod mutexes;
mod nesting;
mod oversubscribed;
mod regions;
mod scopes;
mod slots;
mod states;
mod tasks;
mod waiting;
mod work;

use crate::coverage::Coverage;
use crate::happening::{Happening, Ring, object};
use crate::library::RuntimeLibrary;
use crate::report::{Finding, Report};
use crate::rules::Rule;
use depend::Dependences;
use devices::Devices;
pub use devices::TargetSays;
use ferromp_tool::{Event, Slot, TaskFlag, Unavailable};
use mutexes::{Acquiring, Mutexes};
use oversubscribed::Oversubscription;
pub use regions::Implicit;
use rustc_hash::FxHashMap;
pub use scopes::{Family, Says};
use slots::Slots;

/// The first byte of a data word says what it belongs to.
const THREAD: u64 = 0x54 << 56;
const REGION: u64 = 0x52 << 56;
const TASK: u64 = 0x4b << 56;
const TARGET: u64 = 0x47 << 56;
const OPERATION: u64 = 0x4f << 56;

/// What the runtime's entry points say inside a callback.
pub struct Seen {
    /// The value of the thread's data word.
    pub thread: Option<u64>,
    /// The current task.
    pub task: Result<SeenTask, Unavailable>,
    /// Value of the current region's data word, and the size of its team.
    pub region: Result<(Option<u64>, i32), Unavailable>,
    /// The number of the thread's state, and what it waits for.
    pub state: i32,
    pub wait_id: u64,
    /// At last the runtime answered nothing any more.
    pub gone: bool,
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
    /// Tied tasks that it has suspended, the latest last.
    suspended: Vec<u64>,
    /// The mutex that it is about to acquire.
    acquiring: Option<Acquiring>,
    /// A mutex that another task has acquired since: the thread's next event must be its release.
    must_release: Option<(u64, usize)>,
    /// Its last events.
    pub ring: Ring,
}

impl Thread {
    /// It begins, anew if the process was forked.
    pub fn begin(&mut self, worker: bool) {
        let ring = std::mem::take(&mut self.ring);
        *self = Thread { begun: true, worker, ring, ..Thread::default() };
    }
}

/// A parallel region or league.
pub struct Region {
    addr: usize,
    thread: usize,
    task: Option<u64>,
    flags: i32,
    requested: u32,
    /// Where the program has the construct.
    code: usize,
    indices: Vec<bool>,
    begun: u32,
    parallelism: Option<u32>,
    open_tasks: usize,
    ended: bool,
    /// Part of it may have been cancelled, so that threads leave out what others do.
    cancelled: bool,
    /// A region or barrier stood where none may be, which is why threads leave out what others do.
    nested: bool,
    /// Explicit tasks that are not complete.
    explicit: u64,
    barriers: Slots<barriers::Barrier>,
    works: Slots<work::Shared>,
}

/// How far a task has come.
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

/// A task of any kind.
pub struct Task {
    addr: usize,
    flags: TaskFlag,
    region: Option<u64>,
    progress: Progress,
    /// The thread that runs it or ran it last.
    thread: usize,
    /// The scopes that are open, the innermost last, each with the number of its kind and where it began.
    scopes: Vec<scopes::Scope>,
    /// The runtime has ended a scope of it that had not begun: what else is open may not be.
    confused: bool,
    /// Where the program creates it.
    code: usize,
    /// The thread or team number of an implicit or initial task.
    index: u32,
    parent: Option<u64>,
    /// Children that are not complete.
    children: u32,
    /// The taskgroup that it belongs to.
    group: Option<u64>,
    /// Tasks and ghosts whose parent it is.
    kin: u32,
    /// It stands in a taskwait with dependences, which does not wait for all children.
    waits_for_some: bool,
    /// The undeferred task or taskwait of which it awaits the dependences.
    awaits: Option<u64>,
    /// Locks that it owns.
    owns: u32,
    /// How many barriers and worksharing regions of its region it has come to.
    barriers: u64,
    works: u64,
    /// The first iteration of the chunk that it executes.
    chunk: Option<u64>,
    /// Its own dependences, and those among its children.
    dependences: Option<Box<Dependences>>,
}

/// A task that is complete, as a link between those that are not.
struct Ghost {
    parent: Option<u64>,
    /// Tasks and ghosts whose parent it is.
    kin: u32,
}

/// Everything.
pub struct Model {
    pub events: u64,
    pub finalized: bool,
    pub report: Report,
    pub coverage: Coverage,
    pub threads: Vec<Thread>,
    regions: FxHashMap<u64, Region>,
    tasks: FxHashMap<u64, Task>,
    ghosts: FxHashMap<u64, Ghost>,
    /// Open taskgroups, and their tasks that are not complete.
    groups: FxHashMap<u64, u64>,
    mutexes: Mutexes,
    /// Events that the runtime may report only one end of (`ompt_set_sometimes`).
    pub unpaired: Vec<Event>,
    /// Events that are registered and arrive always.
    pub always: Vec<Event>,
    /// The runtime is of a later OpenMP than this tool knows: a value without a name may be one of that version's.
    pub later: bool,
    /// Regions may be cancelled, and the runtime does not tell.
    pub blind_to_cancel: bool,
    oversubscription: Oversubscription,
    devices: Devices,
    /// Where the runtime's code lies.
    pub library: RuntimeLibrary,
    /// The host's number as a device, where the runtime tells it.
    pub host_device: Option<i32>,
    /// Something was found that makes the program hang.
    hangs: bool,
    last_value: u64,
}

impl Model {
    pub fn new() -> Model {
        Model {
            events: 0,
            finalized: false,
            report: Report::new(),
            coverage: Coverage::new(),
            threads: Vec::new(),
            regions: FxHashMap::default(),
            tasks: FxHashMap::default(),
            ghosts: FxHashMap::default(),
            groups: FxHashMap::default(),
            mutexes: Mutexes::default(),
            unpaired: Vec::new(),
            always: Vec::new(),
            later: false,
            blind_to_cancel: false,
            oversubscription: Oversubscription::new(),
            devices: Devices::default(),
            library: RuntimeLibrary::default(),
            host_device: None,
            hangs: false,
            last_value: 0,
        }
    }

    /// Whether a value with this name is one that the runtime cannot have: of a later OpenMP's values this tool has no
    /// names.
    pub fn is_unknown(&self, name: Option<&str>) -> bool {
        name.is_none() && !self.later
    }

    /// The next event of a thread.
    pub fn happens(&mut self, thread: usize, happening: Happening) {
        self.events += 1;
        self.coverage.count(&happening);
        self.threads[thread].ring.push(happening);
    }

    /// Notes a rule that thread number `thread` broke by its latest event.
    pub fn violation(&mut self, rule: Rule, thread: usize, text: impl AsRef<str>) {
        self.finding(rule, thread, text, &[], false);
    }

    /// As [`violation`](Self::violation), with places in the program; an urgent one is told at once.
    pub fn finding(
        &mut self,
        rule: Rule,
        thread: impl Into<Option<usize>>,
        text: impl AsRef<str>,
        places: &[(String, usize)],
        urgent: bool,
    ) {
        let thread = thread.into();
        self.hangs |= urgent;
        let (event, before) = thread.map(|thread| self.threads[thread].ring.written()).unwrap_or_default();
        self.report.add(&Finding { rule, thread, text: text.as_ref(), places, event, before, urgent });
    }

    /// Puts a value of its own into a new object's data word, which must be zero, and gives the value.
    fn mark(&mut self, kind: u64, thread: usize, slot: Option<Slot<'_>>) -> Option<(u64, usize)> {
        let Some(slot) = slot else {
            self.violation(Rule::NullData, thread, "no data word for what begins");
            return None;
        };
        let found = slot.get();
        if found != 0 {
            let text = format!("the data word of what begins is {}, not 0", object(found));
            self.violation(Rule::DataNotZero, thread, text);
        }
        self.last_value += 1;
        let value = kind | self.last_value;
        slot.set(value);
        Some((value, slot.addr()))
    }

    pub fn mark_thread(&mut self, thread: usize, slot: Option<Slot<'_>>) -> Option<u64> {
        self.mark(THREAD, thread, slot).map(|(value, _)| value)
    }

    /// The task whose data word this is; a violation if there is none.
    fn task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let Some(slot) = slot else {
            self.violation(Rule::NullData, thread, format!("{what}: no task data"));
            return None;
        };
        let value = slot.get();
        match self.tasks.get(&value) {
            Some(task) if task.addr == slot.addr() => Some(value),
            Some(_) => {
                let text = format!("{what}: the data word of {} has moved", object(value));
                self.violation(Rule::DataMoved, thread, text);
                Some(value)
            }
            None if value & (0xff << 56) == TASK => {
                self.violation(Rule::TaskAfterEnd, thread, format!("{what}: {} has ended", object(value)));
                None
            }
            None => {
                self.violation(Rule::DataLost, thread, format!("{what}: task data is {}", object(value)));
                None
            }
        }
    }

    /// The task as with [`task`](Self::task), which must be the one that the thread runs.
    fn current_task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let value = self.task(thread, slot, what)?;
        let current = self.threads[thread].current;
        if current != Some(value) {
            let text = format!("{what}: {}, but the thread runs {}", object(value), object(current.unwrap_or(0)));
            self.violation(Rule::NotCurrentTask, thread, text);
        }
        Some(value)
    }

    /// Checks the region that an event names against that of its task. `may_be_null` for the ends that come when the
    /// region may be gone.
    fn region_of_task(&mut self, thread: usize, slot: Option<Slot<'_>>, task: u64, may_be_null: bool) {
        let Some(expected) = self.tasks.get(&task).map(|task| task.region) else { return };
        match (slot.map(Slot::get), expected) {
            (None, Some(_)) if !may_be_null => {
                self.violation(Rule::NullData, thread, "no parallel data");
            }
            (Some(found), _) if found != expected.unwrap_or(0) => {
                let text = format!("parallel data is {} instead of {}", object(found), object(expected.unwrap_or(0)));
                self.violation(Rule::WrongRegion, thread, text);
            }
            _ => {}
        }
    }

    /// The region of the task that a thread runs.
    fn region_of_thread(&mut self, thread: usize) -> Option<&mut Region> {
        let region = self.tasks.get(&self.threads[thread].current?)?.region?;
        self.regions.get_mut(&region)
    }

    /// Whether the runtime answers nothing any more, because another thread has ended the program inside of a region.
    pub fn shuts_down(&self, seen: &Seen) -> bool {
        seen.gone && self.is_inside_region()
    }

    /// Whether a region has not ended: if the program ends now, it does so from there, and ends are not owed.
    pub fn is_inside_region(&self) -> bool {
        self.regions.values().any(|region| !region.ended)
    }

    /// Compares what the entry points say with what the events have told.
    pub fn compare(&mut self, thread: usize, seen: &Seen) {
        let Some(current) = self.threads[thread].current else { return };
        let Some(task) = self.tasks.get(&current) else { return };
        if self.shuts_down(seen) {
            return;
        }
        let (addr, region) = (task.addr, task.region);
        match seen.task {
            Ok(SeenTask { data: Some((seen_addr, value)), region: seen_region }) => {
                if (seen_addr, value) != (addr, current) {
                    let text = format!("ompt_get_task_info gives {}, not {}", object(value), object(current));
                    self.violation(Rule::TaskInfo, thread, text);
                } else if seen_region.unwrap_or(0) != region.unwrap_or(0) {
                    let (found, region) = (seen_region.unwrap_or(0), region.unwrap_or(0));
                    let text = format!("ompt_get_task_info gives {}, not {}", object(found), object(region));
                    self.violation(Rule::TaskInfo, thread, text);
                }
            }
            Ok(SeenTask { data: None, .. }) | Err(Unavailable::None) => {
                self.violation(Rule::TaskInfo, thread, "ompt_get_task_info knows no current task");
            }
            Err(Unavailable::NotNow) => {}
        }
        if let (Ok((found, _)), Some(region)) = (seen.region, region)
            && found != Some(region)
        {
            let text = format!("ompt_get_parallel_info gives {}, not {}", object(found.unwrap_or(0)), object(region));
            self.violation(Rule::ParallelInfo, thread, text);
        }
    }

    /// In the child of a fork only the forking thread is left, and what it runs.
    pub fn forked(&mut self, survivor: Option<usize>) {
        self.report.begin("");
        self.coverage.forget();
        self.events = 0;
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
        for task in self.tasks.values_mut() {
            task.children = 0;
            task.dependences = None;
        }
        self.ghosts.clear();
        // Tasks of the taskgroups that are open went with their threads.
        self.groups.values_mut().for_each(|tasks| *tasks = 0);
        for region in self.regions.values_mut() {
            region.cancelled = true;
            region.explicit = 0;
        }
        self.mutexes.forked(survivor);
        self.oversubscription.forked();
        self.fork_devices();
        self.hangs = false;
    }
}
