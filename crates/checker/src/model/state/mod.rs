//! What the checker remembers of the program, as data. The rules beside this folder change and judge what stands here.

pub mod barrier;
pub mod dependences;
pub mod devices;
pub mod mutexes;
pub mod oversubscription;
pub mod scope;
pub mod work;

use super::slots::Slots;
use crate::coverage::Coverage;
use crate::happening::Ring;
use crate::library::RuntimeLibrary;
use crate::report::Report;
use barrier::Barrier;
use dependences::Dependences;
use devices::Devices;
use ferromp_tool::{Event, TaskFlag, Unavailable};
use mutexes::{Acquiring, Mutexes};
use oversubscription::Oversubscription;
use rustc_hash::FxHashMap;
use scope::Scope;
use work::Shared;

/// The first byte of a data word says what it belongs to.
pub const THREAD: u64 = 0x54 << 56;
pub const REGION: u64 = 0x52 << 56;
pub const TASK: u64 = 0x4b << 56;
pub const TARGET: u64 = 0x47 << 56;
pub const OPERATION: u64 = 0x4f << 56;

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
    /// The open implicit and initial tasks, each with the task that ran before.
    pub implicit: Vec<(u64, Option<u64>)>,
    /// The open regions that it encountered.
    pub regions: Vec<u64>,
    /// Tied tasks that it has suspended, the latest last.
    pub(super) suspended: Vec<u64>,
    /// The mutex that it is about to acquire.
    pub(super) acquiring: Option<Acquiring>,
    /// A mutex that another task has acquired since: the thread's next event must be its release.
    pub(super) must_release: Option<(u64, usize)>,
    /// The last events.
    pub ring: Ring,
}

impl Thread {
    /// The thread begins, anew if the process was forked.
    pub fn begin(&mut self, worker: bool) {
        let ring = std::mem::take(&mut self.ring);
        *self = Thread { begun: true, worker, ring, ..Thread::default() };
    }
}

/// A parallel region or league.
pub struct Region {
    pub(super) addr: usize,
    pub(super) thread: usize,
    pub(super) task: Option<u64>,
    pub(super) flags: i32,
    pub(super) requested: u32,
    /// Where the program has the construct.
    pub(super) code: usize,
    pub(super) indices: Vec<bool>,
    pub(super) begun: u32,
    pub(super) parallelism: Option<u32>,
    pub(super) open_tasks: usize,
    pub(super) ended: bool,
    /// Part of it may have been cancelled, so that threads leave out what others do.
    pub(super) cancelled: bool,
    /// A region or barrier stood where none may be, which is why threads leave out what others do.
    pub(super) nested: bool,
    /// Explicit tasks that are not complete.
    pub(super) explicit: u64,
    pub(super) barriers: Slots<Barrier>,
    pub(super) works: Slots<Shared>,
}

/// How far a task has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    Created,
    Running,
    Suspended,
    Detached,
    /// Whether another thread fulfilled the task between the end of its body and the event that reports this end.
    Fulfilled,
    Discarded,
}

/// A task of any kind.
pub struct Task {
    pub(super) addr: usize,
    pub(super) flags: TaskFlag,
    pub(super) region: Option<u64>,
    pub(super) progress: Progress,
    /// The thread that runs it or ran it last.
    pub(super) thread: usize,
    /// The scopes that are open, the innermost last, each with the number of its kind and where it began.
    pub(super) scopes: Vec<Scope>,
    /// The runtime has ended a scope of it that had not begun: what else is open may not be.
    pub(super) confused: bool,
    /// Where the program creates it.
    pub(super) code: usize,
    /// The thread or team number of an implicit or initial task.
    pub(super) index: u32,
    pub(super) parent: Option<u64>,
    /// Children that are not complete.
    pub(super) children: u32,
    /// The taskgroup that it belongs to.
    pub(super) group: Option<u64>,
    /// Number of tasks and ghosts that have this task as parent.
    pub(super) kin: u32,
    /// Whether the task is in a taskwait with dependences, which does not wait for all children.
    pub(super) waits_for_some: bool,
    /// The undeferred task or taskwait whose dependences this task awaits.
    pub(super) awaits: Option<u64>,
    /// Locks that it owns.
    pub(super) owns: u32,
    /// How many barriers and worksharing regions of its region it has come to.
    pub(super) barriers: u64,
    pub(super) works: u64,
    /// The first iteration of the chunk that it executes.
    pub(super) chunk: Option<u64>,
    /// The task's own dependences, and those among its children.
    pub(super) dependences: Option<Box<Dependences>>,
}

/// A task that is complete, as a link between those that are not.
pub struct Ghost {
    pub(super) parent: Option<u64>,
    /// Number of tasks and ghosts that have this ghost as parent.
    pub(super) kin: u32,
}

/// Everything.
pub struct Model {
    pub events: u64,
    pub finalized: bool,
    pub report: Report,
    pub coverage: Coverage,
    pub threads: Vec<Thread>,
    pub(super) regions: FxHashMap<u64, Region>,
    pub(super) tasks: FxHashMap<u64, Task>,
    pub(super) ghosts: FxHashMap<u64, Ghost>,
    /// Open taskgroups, and their tasks that are not complete.
    pub(super) groups: FxHashMap<u64, u64>,
    pub(super) mutexes: Mutexes,
    /// Events that the runtime may report only one end of (`ompt_set_sometimes`).
    pub unpaired: Vec<Event>,
    /// Events that are registered and arrive always.
    pub always: Vec<Event>,
    /// The runtime is of a later OpenMP than this tool knows: a value without a name may be one of that version's.
    pub later: bool,
    /// Regions may be cancelled, and the runtime does not tell.
    pub blind_to_cancel: bool,
    pub(super) oversubscription: Oversubscription,
    pub(super) devices: Devices,
    /// Where the runtime's code lies.
    pub library: RuntimeLibrary,
    /// The host's device number, if the runtime reports one.
    pub host_device: Option<i32>,
    /// Something was found that makes the program hang.
    pub(super) hangs: bool,
    pub(super) last_value: u64,
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
}
