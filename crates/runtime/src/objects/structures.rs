//! The structures that point at each other: threads, teams, members, tasks, their dependences, and the parts of them
//! that tools see. They stand in one file because each names the others; what can be done with one stands in the file
//! of its name beside this.

use crate::icv::Icvs;
use crate::model::Padded;
use crate::model::atomic::{AtomicU32, AtomicU64};
use crate::objects::body::Body;
use crate::objects::call_configuration::CallConfiguration;
use crate::objects::clauses::Shown;
use crate::objects::dependence::{AddressHasher, Dependence, DependenceKind};
use crate::objects::frames::outside;
use crate::objects::openacc::AccThread;
use crate::objects::presence::{Breakpoint, Presence};
use crate::objects::reductions::Reductions;
use crate::objects::traced::OfThread;
use crate::objects::work::{WorkMember, WorkTeam};
use crate::objects::{body, reductions};
use crate::park::event::Event;
use crate::place::apart::Seated;
use crate::place::{Affinity, Fork, Partition};
use crate::protocol::barrier::{Arrival, Barrier};
use crate::protocol::children::Children;
use crate::protocol::go::{Departed, GoWord, Recall};
use crate::protocol::idle::Idle;
use crate::protocol::mark::Mark;
use crate::protocol::node;
use crate::protocol::returned::Returned;

use crate::model::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicUsize};
use ompt::{Data, Frame, Id, State, Target};
use std::cell::{Cell, UnsafeCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::{c_int, c_void};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex};

/// The region that a worker is leaving, as it was when the worker came to its end.
pub(crate) struct Left {
    pub(crate) team: Cell<*const Team>,
    /// The number of the team's region.
    pub(crate) number: Cell<u64>,
    pub(crate) data: UnsafeCell<Data>,
    pub(crate) size: Cell<u32>,
}

/// A thread's state as a callback found it.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) state: State,
    pub(crate) presence: Presence,
    /// Of the task that was current.
    pub(crate) frame: Frame,
}

/// A thread's part: its data word, its state and what it waits for. State and wait identifier may be
/// read in a signal handler on the same thread at any time (OpenMP 5.1 §4.4.4.12 ff).
#[repr(align(64))]
pub struct ThreadTool {
    pub(crate) data: UnsafeCell<Data>,
    pub(crate) state: AtomicU32,
    pub(crate) wait_id: AtomicU64,
    /// For debuggers: a [`WaitFor`], with the wait identifiers that have one.
    pub(crate) wait_for: AtomicU8,
    /// Whether the thread is in a callback. Written by the thread alone.
    pub(crate) calling: Mark,
    /// What is put right when the callback returns, and the task whose frame is; with [`DISTURBED`] only.
    pub(crate) before: Cell<Before>,
    pub(crate) disturbed: Cell<*const Task>,
    /// A [`Presence`]. Written by the thread alone, read in signal handlers on it.
    pub(crate) presence: AtomicU8,
    /// In [`Presence::Leaving`]: what is left. As `presence`.
    pub(crate) left: Left,
    /// Which of several tools the thread is telling of an event, or told last.
    pub(crate) called_tool: Cell<usize>,
    /// What kind of thread this is, for `thread_begin`.
    pub kind: Cell<ompt::Thread>,
    /// The wait that the thread is in, if a tool hears of it: paused while a task runs inside it.
    pub(crate) wait: WaitCell,
    /// Memory for the list of a task's dependences while the tool reads it. The thread alone uses it.
    pub(crate) dependences: Cell<Vec<ompt::Dependence>>,
    /// Whether `thread_begin` has been told to the tool, so that `thread_end` must follow.
    pub begun: Cell<bool>,
    /// Of a device's thread: what records say of it.
    pub(crate) traced: OfThread,
    /// The target construct that the thread is in; null if it is in none. Written by the thread alone, read in signal
    /// handlers on it.
    pub(crate) target: AtomicPtr<TargetTool>,
}

impl Default for ThreadTool {
    fn default() -> Self {
        ThreadTool {
            data: UnsafeCell::new(Data::NONE),
            state: AtomicU32::new(State::UNDEFINED.0 as u32),
            wait_id: AtomicU64::new(0),
            wait_for: AtomicU8::new(0),
            calling: Mark::default(),
            before: Cell::new(Before { state: State::UNDEFINED, presence: Presence::Outside, frame: Frame::NONE }),
            disturbed: Cell::new(std::ptr::null()),
            presence: AtomicU8::new(Presence::Outside as u8),
            left: Left {
                team: Cell::new(std::ptr::null()),
                number: Cell::new(0),
                data: UnsafeCell::new(Data::NONE),
                size: Cell::new(0),
            },
            called_tool: Cell::new(0),
            kind: Cell::new(ompt::Thread::UNKNOWN),
            wait: WaitCell::default(),
            dependences: Cell::default(),
            begun: Cell::new(false),
            traced: OfThread::default(),
            target: AtomicPtr::new(std::ptr::null_mut()),
        }
    }
}

/// A parallel region's part.
pub struct ParallelTool {
    pub(crate) data: UnsafeCell<Data>,
    /// The part that this one stands for, null for its own: the league's for an initial team of it.
    pub(crate) stands_for: Cell<*const ParallelTool>,
    /// Where the construct was encountered.
    pub codeptr: Cell<*const c_void>,
    /// `ompt_parallel_flag_t` of the construct.
    pub flags: Cell<i32>,
    /// For debuggers: a [`Breakpoint`].
    pub(crate) breakpoint: Cell<u8>,
    /// Of the team of a target region's initial task on a device: the target region, while it is traced.
    pub(crate) target: AtomicU64,
}

impl Default for ParallelTool {
    fn default() -> Self {
        ParallelTool {
            data: UnsafeCell::new(Data::NONE),
            stands_for: Cell::new(std::ptr::null()),
            codeptr: Cell::new(std::ptr::null()),
            flags: Cell::new(0),
            breakpoint: Cell::new(Breakpoint::None as u8),
            target: AtomicU64::new(ompt::ID_NONE),
        }
    }
}

/// A task's part: its data word and its frames. The frame is read by the thread that executes the
/// task, and in signal handlers on it.
pub struct TaskTool {
    pub(crate) data: UnsafeCell<Data>,
    pub(crate) frame: UnsafeCell<Frame>,
    /// The task that an explicit task is executed on top of, on the same thread's stack.
    pub(crate) below: Cell<*const Task>,
}

impl Default for TaskTool {
    fn default() -> Self {
        TaskTool {
            data: UnsafeCell::new(Data::NONE),
            frame: UnsafeCell::new(outside()),
            below: Cell::new(std::ptr::null()),
        }
    }
}

/// The wait that a thread is in, if it is in one. Word by word, by the thread alone: copied as a whole, a wait that was
/// just written would be read in other pieces than it was written in, which processors make wait for.
#[derive(Default)]
pub struct WaitCell {
    /// 0 for none.
    pub(crate) kind: AtomicI32,
    pub(crate) task: AtomicPtr<Task>,
    pub(crate) parallel: AtomicPtr<Data>,
    pub(crate) codeptr: AtomicPtr<c_void>,
}

/// Tasks by priority, the highest first; those of one priority in order of arrival.
#[derive(Default)]
pub struct Queue {
    pub(crate) length: AtomicUsize,
    pub(crate) lists: Mutex<BTreeMap<std::cmp::Reverse<i32>, VecDeque<Entry>>>,
}

pub(crate) struct Entry(pub(crate) *const Task);

// SAFETY: a queued task belongs to whoever takes it from the queue.
unsafe impl Send for Entry {}

/// A task's place among its siblings' dependences.
pub type Node = node::Node<Task>;
/// An element of a list of successors.
pub type Edge = node::Edge<Task>;
/// Tasks that exclude each other.
pub(crate) type MutexSet = node::MutexSet<Task>;

/// What is known of one storage location.
#[derive(Clone)]
pub(crate) struct Location {
    /// The kind of the tasks in `last`.
    pub(crate) kind: DependenceKind,
    /// The tasks that later ones of another kind have to wait for.
    pub(crate) last: Vec<Arc<Node>>,
    /// The tasks that those in `last` wait for.
    pub(crate) before: Vec<Arc<Node>>,
    /// The exclusion among the tasks in `last`, if they exclude each other.
    pub(crate) mutex: Option<Arc<MutexSet>>,
}

/// The dependences among a task's children.
#[derive(Default)]
pub struct Table {
    pub(crate) locations: HashMap<usize, Location, BuildHasherDefault<AddressHasher>>,
    /// The last tasks that depend on all memory: all later ones with dependences wait for them, and none
    /// before them is known any more. More than one only where children of transparent tasks are among them.
    pub(crate) all: Vec<Arc<Node>>,
    /// Whether tasks are known that are not children of the table's task: see `task/table.rs`.
    pub(crate) has_others: bool,
    /// With how many locations the table next looks for some to forget.
    pub(crate) look_at: usize,
    /// How often the generating task has waited in vain for its children to get on: see `create.rs`.
    pub(crate) patience_lost: u32,
    /// The dependences of the task that is being registered; kept for its memory.
    pub(crate) merged: Vec<Dependence>,
    /// Those of the undeferred task that the program prepares (kmpc only), as the program has them: for tools.
    pub(crate) prepared: Vec<Dependence>,
}

/// A target construct's part, or a device memory routine's. One thread at a time uses it, and it stays where it is from
/// the construct's begin to its end.
pub struct TargetTool {
    /// The construct's own number, 0 where no tool hears of it: none is active, or there is no construct but a routine.
    pub(crate) id: Cell<Id>,
    /// Whether a tool hears of the operations.
    pub(crate) reported: Cell<bool>,
    pub(crate) kind: Cell<Target>,
    /// The device that executes the region.
    pub(crate) device: Cell<c_int>,
    pub(crate) codeptr: Cell<*const c_void>,
    /// The task that encountered the construct.
    pub(crate) generating: Cell<*const Task>,
    /// The target task; null where it was merged into the task that encountered the construct.
    pub(crate) task: Cell<*const Task>,
    /// The data word of a merged target task.
    pub(crate) merged: UnsafeCell<Data>,
    /// The construct's data word.
    pub(crate) data: UnsafeCell<Data>,
    /// The number of the operation under way, 0 if there is none. Read in signal handlers.
    pub(crate) operation: Cell<Id>,
    /// When it began, by the device's clock; 0 where nobody traces the device.
    pub(crate) began: Cell<u64>,
    /// The tool's word for the operation under way.
    pub(crate) word: UnsafeCell<Id>,
    /// The construct that the thread was in before.
    pub(crate) outer: Cell<*const TargetTool>,
}

// SAFETY: one thread at a time uses it; whatever hands the construct to another thread orders the two.
unsafe impl Send for TargetTool {}

// SAFETY: as above.
unsafe impl Sync for TargetTool {}

impl TargetTool {
    /// Of a construct that has not begun.
    pub const fn new() -> Self {
        TargetTool {
            id: Cell::new(ompt::ID_NONE),
            reported: Cell::new(false),
            kind: Cell::new(Target::TARGET),
            device: Cell::new(0),
            codeptr: Cell::new(std::ptr::null()),
            generating: Cell::new(std::ptr::null()),
            task: Cell::new(std::ptr::null()),
            merged: UnsafeCell::new(Data::NONE),
            data: UnsafeCell::new(Data::NONE),
            operation: Cell::new(ompt::ID_NONE),
            began: Cell::new(0),
            word: UnsafeCell::new(ompt::ID_NONE),
            outer: Cell::new(std::ptr::null()),
        }
    }
}

impl Default for TargetTool {
    fn default() -> Self {
        Self::new()
    }
}

/// What a slab begins with.
#[repr(C)]
pub(crate) struct Slab {
    /// The slab that the thread made before, null for its first. Written once; debuggers read it.
    pub(crate) next: *const Slab,
    /// Blocks that have been cut from it. Owner only, as what follows.
    pub(crate) cut: Cell<u32>,
    /// How many of them are free: counted while the store gives memory back.
    pub(crate) free: Cell<u32>,
    /// Whether its pages are with the system, and it waits to be cut anew.
    pub(crate) bare: Cell<bool>,
}

/// A thread's store of blocks. The descriptor's next thread takes it over.
#[derive(Default)]
pub struct TaskThread {
    /// Up to how many bytes a payload goes into a block of the first size without further questions; zero before the
    /// first task. Owner only.
    pub(crate) small: Cell<usize>,
    /// Free blocks by size. Owner only.
    pub(crate) free: [Cell<*const Task>; PAYLOADS.len()],
    /// The part of the newest slab that has not been cut yet. Owner only.
    pub(crate) rest: Cell<*mut u8>,
    pub(crate) rest_bytes: Cell<usize>,
    /// Blocks that other threads have freed, of any size. They push, the owner takes all.
    pub(crate) returned: Returned<Task>,
    /// The detachable task that the thread prepares, null if it prepares none. Owner only; see `detach.rs`.
    pub(crate) prepared: Cell<*const Task>,
    /// The newest slab. Written by the owner, read by debuggers.
    pub(crate) slab: AtomicPtr<Slab>,
    /// The slab that is being cut. Owner only, as what follows.
    pub(crate) cutting: Cell<*const Slab>,
    /// The part of the newest mapping that no slab has been made of.
    pub(crate) unmade: Cell<*mut u8>,
    pub(crate) unmade_slabs: Cell<usize>,
    /// Slabs that are not bare, and that are.
    pub(crate) dressed: Cell<u32>,
    pub(crate) bare: Cell<u32>,
    /// With how many slabs the store next looks for some to give back.
    pub(crate) look_at: Cell<u32>,
    /// How often a slab has been cut anew.
    pub(crate) again: Cell<u16>,
}

/// What each thread of a region runs: the outlined function and how to call it. The core does not
/// know which compiler made it; the entry point that started the region chose `invoke`.
#[derive(Clone, Copy)]
pub struct Outlined {
    /// Calls `function` for the implicit task of `member`, storing the exit frame first.
    pub invoke: unsafe fn(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize),
    /// The outlined function.
    pub function: *const c_void,
    /// How many words of arguments there are at `head` and `tail`; 0 where `head` itself is the argument.
    pub argc: usize,
    /// The first arguments: [`FORK_WORDS`](crate::arch::FORK_WORDS) words.
    pub head: *const usize,
    /// The arguments after those.
    pub tail: *const usize,
}

/// What changes with every region: the `go` word, and on the same pair of cache lines what a worker
/// reads as soon as it has seen the word change. So one transfer of a line starts a worker.
pub struct Signal {
    /// The word on which workers wait between regions: see [`Go`].
    pub(crate) go: GoWord,
    /// The last barrier epoch that all members have passed.
    pub(crate) epoch: Cell<u64>,
    /// How a worker's counters of worksharing constructs start.
    pub(crate) work_base: Cell<u64>,
    /// What to run.
    pub(crate) outlined: Cell<Outlined>,
}

/// What the primary thread says about a region before it starts; the workers read it after they saw
/// the `go` word change, and nobody writes it until all have arrived at the join. Only what differs
/// from the last region is written, so that the workers' copies of these lines stay valid.
pub struct Region {
    /// Threads in the team.
    pub nthreads: Cell<u32>,
    /// Nested parallel regions around and including this one (`omp_get_level`).
    pub level: Cell<i32>,
    /// As `level`, those with more than one thread (`omp_get_active_level`).
    pub active_level: Cell<i32>,
    /// ICVs that the implicit tasks start with.
    pub icvs: Cell<Icvs>,
    /// The slot of the thread that encountered the construct, in its own team; null for the team of
    /// an initial task.
    pub parent: Cell<*const Member>,
    /// The task that encountered the construct; null for the team of an initial task.
    pub parent_task: Cell<*const Task>,
    /// How the team's barrier works in this region.
    pub form: Cell<crate::protocol::barrier::Form>,
    /// What members do about affinity when they enter and leave.
    pub affinity: Cell<Affinity>,
    /// What the members' places were chosen from; none where they have to be chosen anew.
    pub placed: Cell<Option<Fork>>,
    /// A loop or the sections that a combined construct of the GOMP ABI starts each thread with.
    pub preset: Cell<Option<crate::objects::work::Preset>>,
    /// The team of the initial task at the root of this contention group.
    pub(crate) root: Cell<*const Team>,
    /// For teams constructs: this team's number and the league's size.
    pub team_num: Cell<i32>,
    pub num_teams: Cell<i32>,
}

/// A team of threads, kept from one region to the next.
#[repr(C, align(128))]
pub struct Team {
    /// Written by the primary between regions, read by all during one.
    pub region: Region,
    /// In the team of a target region's initial task: the slot that the thread had where it encountered the construct,
    /// to which it comes back. Null in every other team. Its thread only.
    pub(crate) encountered_in: Cell<*const Member>,
    /// Threads that have a slot here, working or in reserve. Written by the primary between regions.
    pub(crate) attached: Cell<u32>,
    /// The slots; only grows, and only between regions.
    pub(crate) members: Cell<*const *const Member>,
    /// How many slots there are.
    pub(crate) capacity: Cell<u32>,
    /// In the team of an initial task: threads of the contention group that regions use now, counted
    /// only where thread-limit-var sets a limit.
    pub(crate) busy: AtomicU32,
    /// Workers that have left since the team was given up.
    pub(crate) left: Departed,
    /// Set in a forked child: see `forked.rs`.
    pub(crate) deserted: Cell<bool>,
    /// OMPT: the region's data word.
    pub tool: ParallelTool,
    /// What starts a region.
    pub(crate) signal: Padded<Signal>,
    /// Where workers sleep between regions.
    pub(crate) idle: Padded<Event>,
    /// The barrier of the team. On its event sleep only threads that may execute any task: a task
    /// calls one of them.
    pub barrier: Barrier,
    /// Where members sleep that wait for something else: children, a turn, a loop's slot.
    pub waits: Padded<Event>,
    /// Loops, sections, singles, ordered.
    pub work: WorkTeam,
    /// Tasks: who may be looking for some, priorities.
    pub tasks: TaskTeam,
}

// SAFETY: the cells of `region` and `signal` are written by the primary only while no other member runs, and
// the `go` word's release and acquire order those writes; everything else is atomic.
unsafe impl Sync for Team {}

/// One thread's slot in a team.
#[repr(C, align(128))]
pub struct Member {
    /// The team of this slot.
    pub(crate) team: *const Team,
    /// This slot's thread number in the team.
    pub tid: u32,
    /// The thread that fills the slot. Written by the primary before the thread starts here.
    pub(crate) thread: Cell<*const Thread>,
    /// The barrier epoch that this member has passed. Owner only.
    pub epoch: Cell<u64>,
    /// The last `go` epoch that the worker has seen; in the primary's slot, that of the last region that is over. Owner
    /// only, but set by the primary when it gives the slot to a thread.
    pub(crate) seen: Cell<u64>,
    /// The team whose primary thread this slot's thread becomes when it forks. Owner only.
    pub(crate) child: Cell<*const Team>,
    /// The place that the primary chose for this member, -1 for none.
    pub(crate) place: Cell<i32>,
    /// The place partition of the implicit task, where the primary chose one.
    pub(crate) partition: Cell<Partition>,
    /// Worksharing: counters and the loop under way.
    pub work: WorkMember,
    /// The implicit task.
    pub implicit: Task,
    /// Where this member says that it has arrived at a barrier.
    pub arrival: Padded<Arrival>,
    /// Changes when a member in reserve is called back.
    pub(crate) recall: Padded<Recall>,
    /// This member's queue of tasks and its counts.
    pub tasks: TaskMember,
}

// SAFETY: the cells belong to the slot's thread while a region runs and to the primary between
// regions; the `go` word and the arrivals order the two.
unsafe impl Sync for Member {}

/// A taskgroup: counts the tasks that were generated in it and are not complete, descendants
/// included. Lies in the payload of a block; the task that began it takes it down.
pub struct Group {
    /// The group around this one.
    pub(crate) outer: *const Group,
    /// The block that the group lies in.
    pub(crate) block: &'static Task,
    pub(crate) tasks: AtomicU64,
    /// The task reductions of the group, null if it has none: see `reduction.rs`. Written by the task
    /// that began the group.
    pub(crate) reductions: AtomicPtr<Reductions>,
    /// [`CANCELLED`] and [`NOTED`]. Written by its tasks.
    pub(crate) marks: AtomicU8,
}

/// What every OpenMP thread has. All `Cell`s are touched by the thread itself only; what others
/// touch is atomic.
#[repr(C, align(128))]
pub struct Thread {
    /// The slot of the team that this thread works in now. Never null once the thread is set up.
    pub(crate) member: Cell<*const Member>,
    /// The task that this thread executes now. Written by the thread itself; signal handlers on it read it.
    pub(crate) task: AtomicPtr<Task>,
    /// The number by which kmpc programs know this thread; unique among live threads.
    pub(crate) gtid: Cell<i32>,
    /// The place this thread is bound to, -1 if to none.
    pub(crate) place: Cell<i32>,
    /// The device whose thread this is, -1 for the host's. Set before the thread uses the descriptor.
    pub(crate) device: Cell<i32>,
    /// The thread of the host that runs a device's code in this descriptor now; null on every other descriptor.
    pub(crate) steps_for: Cell<*const Thread>,
    /// The team whose task the thread executes as a free agent; null on every other thread.
    pub(crate) works_for: Cell<*const Team>,
    /// The descriptor that was made before this one. Written once.
    pub(crate) next: AtomicPtr<Thread>,
    /// The thread as the C library knows it; 0 while none uses the descriptor. Written by the thread, read by
    /// debuggers.
    pub(crate) pthread: AtomicUsize,
    /// The thread as the kernel knows it. As `pthread`.
    pub(crate) lwp: AtomicI32,
    /// What it last displayed of its affinity. Others read it between regions.
    pub shown: Cell<Shown>,
    /// `num_threads` clause waiting for the next region (kmpc only); 0 for none, negative where
    /// `pushed_demand` says more.
    pub pushed_num_threads: Cell<i32>,
    /// A `num_threads` clause that is more than a number.
    pub pushed_demand: Cell<Option<crate::objects::clauses::Demand>>,
    /// Clauses waiting for the next teams construct (kmpc only).
    pub pushed_teams: Cell<crate::objects::clauses::Clauses>,
    /// Iterations of the next target region's loop, from compilers that say so in a call of their own; 0 if none has.
    pub pushed_trip_count: Cell<u64>,
    /// What the thread has pushed for its next launch of a kernel of another language.
    pub call_configuration: Cell<CallConfiguration>,
    /// `proc_bind` clause waiting for the next region (kmpc only).
    pub pushed_bind: Cell<Option<crate::place::Bind>>,
    /// OMPT: the thread's data word, state and wait identifier.
    pub tool: ThreadTool,
    /// This thread's store of task blocks.
    pub tasks: TaskThread,
    /// Where an idle worker waits to be given a slot in a team; how the pool lists it.
    pub idle: Idle<Member>,
    /// Where it waits.
    pub seated: Seated,
    /// What it has to do with OpenACC.
    pub acc: AccThread,
}

// SAFETY: other threads only use the atomic fields (`tool`, `tasks` remote list, `idle`); the cells
// belong to the thread that the descriptor describes.
unsafe impl Sync for Thread {}

/// A task: what it runs, whose child it is, what is known of its children.
///
/// A header that a thief reads may belong to a task that has been taken, completed and freed
/// meanwhile; headers stay headers for ever, and what thieves read is atomic.
#[repr(C, align(64))]
pub struct Task {
    /// The task that generated this one; null for an initial task. Written by the creator, read by
    /// thieves.
    pub(crate) parent: AtomicPtr<Task>,
    /// The implicit task that this one descends from (itself for an implicit task). As `parent`.
    pub(crate) root: AtomicPtr<Task>,
    /// How many generations below its implicit task. As `parent`.
    pub(crate) depth: AtomicU32,
    /// [`flag`]s. Written by whoever owns the task: its creator, then its executing thread.
    pub(crate) flags: Cell<u32>,
    /// The thread that executes the task now; null while none does. A thread that finds itself here
    /// knows that the task is its own and not complete.
    pub(crate) executor: AtomicPtr<Thread>,
    /// The priority clause's value.
    pub(crate) priority: Cell<i32>,
    /// Where its construct was encountered, where a tool or a debugger is to know: relative to the body's function, 0
    /// if unknown.
    pub(crate) encountered: Cell<i32>,

    /// The innermost taskgroup around what the task executes now. As `flags`.
    pub(crate) group: Cell<*const Group>,
    /// What is known of the deferred tasks that this one has generated. The second cache line begins inside: other
    /// threads touch what lies before it, when they complete children, and nothing behind it while the task runs.
    pub(crate) generated: Children,
    /// The dependences of this task, null if it has none. As `flags`.
    pub(crate) node: Cell<*const Node>,
    /// The dependences among this task's children, null until one has some. Executing thread only. In a
    /// free block, the next one of its list.
    pub(crate) children: Cell<*mut Table>,
    /// What a detachable task waits for. It outlives the task, because a handle may.
    pub(crate) event: crate::protocol::detach::Event,
    /// Which list of the owner's store the block belongs to.
    pub(crate) class: Cell<u8>,
    /// OMPT: whether `ompt/trace/names.rs` has a number for the task. Written there, in a lock; taken back for the
    /// block's next task.
    pub recorded: AtomicBool,
    /// How many bytes of the payload are in use.
    pub(crate) bytes: Cell<u32>,
    /// The store that the block came from; null for an implicit task.
    pub(crate) owner: Cell<*const TaskThread>,
    /// The team whose threads execute the task; null for an implicit task.
    pub(crate) team: Cell<*const Team>,

    /// The function, its two arguments, and what to call after it. Creator, then executing thread.
    pub(crate) body: Cell<Body>,
    /// The task's ICVs. Written by the executing thread only.
    pub icvs: UnsafeCell<Icvs>,
    /// OMPT: the task's data word and frames.
    pub tool: TaskTool,
    /// In a block, the block itself: the word in front of the payload. Written when the block is made.
    pub(crate) itself: Cell<*const Task>,
}

// SAFETY: cells belong to one thread at a time, as said at each; the queues' release and acquire
// order the changes of hands. The rest is atomic.
unsafe impl Sync for Task {}

/// A member's part of tasking: its queue and its counts.
#[derive(Default)]
pub struct TaskMember {
    /// Tasks that this member created and nobody has taken yet.
    pub(crate) deque: Padded<crate::protocol::deque::Deque<Task>>,
    /// How many tasks this member created and completed, by barrier phase.
    pub(crate) counts: Padded<crate::protocol::quiescence::Counts>,
    /// How this member publishes tasks in this region. Owner only.
    pub(crate) mode: Cell<body::Mode>,
    /// Tasks to execute in place before looking again whether the queue is still full. Owner only.
    pub(crate) in_place: Cell<u32>,
    /// Whether a task executes in place on this member. Owner only.
    pub(crate) nested: Cell<bool>,
    /// Searches for a task in a row that found none. Owner only.
    pub(crate) misses: Cell<u32>,
    /// The member to steal from first: where the last theft succeeded. Owner only.
    pub(crate) victim: Cell<u32>,
}

/// A team's part of tasking: tasks that are in no member's queue.
#[derive(Default)]
pub struct TaskTeam {
    pub(crate) queue: Queue,
    /// Untied tasks between two parts: the other tasks come first.
    pub(crate) aside: Queue,
    /// Copies of a reduction that the members share.
    pub shared: reductions::SharedByTeam,
}

/// Payload bytes of each size.
pub(crate) const PAYLOADS: [usize; 4] = [128, 384, 896, 1920];
