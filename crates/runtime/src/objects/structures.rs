//! The structures that point at each other: threads, teams, members, tasks, their dependences, and the parts of them
//! that tools see. They are in one file because each names the others. The methods of each are in the file of its name.

use crate::icv::Icvs;
use crate::model::Padded;
use crate::model::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};
use crate::objects::gaps::Gaps;
use crate::objects::leagues::Leagues;
use crate::objects::lock_seat::LockSeat;
use crate::objects::phases::Phases;
use crate::objects::{
    body, call_configuration, clauses, dependence, frames, openacc, presence, reductions, traced, work,
};
use crate::park::event::Event;
use crate::place::apart::Seated;
use crate::place::{Affinity, Bind, Fork, Partition, near};
use crate::protocol::lifeline::Lifeline;
use crate::protocol::{barrier, children, deque, detach, go, idle, mark, node, partial, quiescence, returned, theft};
use crate::stack::UpperHalf;

use ompt::{Data, Frame, Id, State, Target};
use std::cell::{Cell, UnsafeCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::{c_int, c_void};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex};

/// The region that a worker is leaving, as it was when the worker came to its end.
#[derive(Default)]
pub(crate) struct Left {
    pub(crate) team: Cell<*const Team>,
    /// The number of the team's region.
    pub(crate) number: Cell<u64>,
    /// A copy of the region's data word.
    pub(crate) data: UnsafeCell<Data>,
    /// The region's number of threads.
    pub(crate) size: Cell<u32>,
}

/// A thread's state before a callback, in which the tool has encountered a construct.
#[derive(Clone, Copy)]
pub(crate) struct Saved {
    pub(crate) state: State,
    pub(crate) presence: presence::Presence,
    /// The task that was current, and its frame.
    pub(crate) task: *const Task,
    pub(crate) frame: Frame,
}

/// What tools see of a thread: its data word, its state and what it waits for. A signal handler on the thread may read
/// state and wait identifier at any time (OpenMP 5.1 §4.4.4.27).
#[derive(Default)]
#[repr(align(64))]
pub struct ThreadTool {
    /// Belongs to the tool.
    pub(crate) data: UnsafeCell<Data>,
    /// An `ompt_state_t`. The descriptor's [`reset`](Self::reset) sets it first.
    pub(crate) state: AtomicU32,
    pub(crate) wait_id: AtomicU64,
    /// For debuggers: what kind of object `wait_id` names, a `WaitFor`.
    pub(crate) wait_for: AtomicU8,
    /// Whether the thread is inside a callback. Written by the thread alone.
    pub(crate) calling: mark::Mark,
    /// What is restored when the callback returns.
    pub(crate) saved: Cell<Option<Saved>>,
    /// A [`Presence`](presence::Presence). Written by the thread alone, read by signal handlers on it.
    pub(crate) presence: AtomicU8,
    /// The region that the thread leaves, while `presence` says so. Written and read as `presence`.
    pub(crate) left: Left,
    /// Which of several tools the thread calls, or called last.
    pub(crate) called_tool: Cell<usize>,
    /// The kind of thread, as `thread_begin` reports it.
    pub kind: Cell<ompt::Thread>,
    /// The wait that the thread is in, if it has been reported to a tool. Paused while the thread executes a task in
    /// it.
    pub(crate) wait: WaitCell,
    /// Memory for the list of a task's dependences while the tool reads the list. The thread alone uses it.
    pub(crate) dependences: Cell<Vec<ompt::Dependence>>,
    /// Whether `thread_begin` has been reported to the tool, so that `thread_end` must follow.
    pub begun: Cell<bool>,
    /// For a thread of a device: what trace records contain of it.
    pub(crate) traced: traced::OfThread,
    /// The innermost target construct that the thread is in; null for none. Written by the thread alone, read by signal
    /// handlers on it.
    pub(crate) target: AtomicPtr<TargetTool>,
    /// The address of the function of the construct whose begin the thread reports; 0 for none. The thread alone uses
    /// it.
    pub(crate) function: Cell<usize>,
}

/// Names the function of the construct whose begin a thread reports, as long as the value lives.
pub(crate) struct Named<'a> {
    pub(crate) thread: &'a ThreadTool,
    /// What was named before: the thread may encounter a construct inside a callback.
    pub(crate) before: usize,
}

/// What tools see of a parallel region.
#[derive(Default)]
pub struct ParallelTool {
    pub(crate) data: UnsafeCell<Data>,
    /// The part that tools see in place of this one, null for none. For an initial team of a league: the league's. For
    /// a free agent's team: that of the region to which the agent's task belongs.
    pub(crate) stands_for: Cell<*const ParallelTool>,
    /// Where the construct was encountered.
    pub codeptr: Cell<*const c_void>,
    /// `ompt_parallel_flag_t` of the construct.
    pub flags: Cell<i32>,
    /// For debuggers: whether the region is at its begin or end.
    pub(crate) breakpoint: Cell<presence::Breakpoint>,
    /// For the team of a target region's initial task on a device: the target region, while the device is traced.
    pub(crate) target: AtomicU64,
}

/// What tools see of a task: its data word and its frames. The thread that executes the task reads and writes the
/// frame, and signal handlers on it read the frame.
pub struct TaskTool {
    pub(crate) data: UnsafeCell<Data>,
    pub(crate) frame: UnsafeCell<Frame>,
    /// The task whose frames lie below on the executing thread's stack.
    pub(crate) below: Cell<*const Task>,
}

impl Default for TaskTool {
    fn default() -> Self {
        TaskTool {
            data: UnsafeCell::new(Data::NONE),
            frame: UnsafeCell::new(frames::OUTSIDE),
            below: Cell::new(std::ptr::null()),
        }
    }
}

/// The wait that a thread is in. The thread alone writes and reads it, word by word. A copy as a whole would read the
/// words in other sizes than they were just written in, and processors stall on such loads.
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

// SAFETY: a queued task belongs to no thread until one takes it from the queue.
unsafe impl Send for Entry {}

/// A task's place among its siblings' dependences.
pub type Node = node::Node<Task>;
/// A share in a [`Node`].
pub(crate) type NodeRef = node::NodeRef<Task>;
/// An element of a list of successors.
pub type Edge = node::Edge<Task>;
/// Tasks that exclude each other.
pub(crate) type MutexSet = node::MutexSet<Task>;

/// The dependences on one storage location.
#[derive(Clone)]
pub(crate) struct Location {
    /// The kind of the tasks in `last`.
    pub(crate) kind: dependence::DependenceKind,
    /// The tasks that later ones of another kind have to wait for.
    pub(crate) last: Vec<NodeRef>,
    /// The tasks that those in `last` wait for.
    pub(crate) before: Vec<NodeRef>,
    /// The exclusion among the tasks in `last`, if they exclude each other.
    pub(crate) mutex: Option<Arc<MutexSet>>,
}

/// The dependences among a task's children.
#[derive(Default)]
pub struct Table {
    pub(crate) locations: HashMap<usize, Location, BuildHasherDefault<dependence::AddressHasher>>,
    /// The last tasks that depend on all memory. All later tasks with dependences wait for them, and no earlier task is
    /// kept. There is more than one only if children of transparent tasks are among them.
    pub(crate) all: Vec<NodeRef>,
    /// Whether the table has tasks that are not children of its task: see `task/table.rs`.
    pub(crate) has_others: bool,
    /// At how many locations the table next drops those that no task waits for any more.
    pub(crate) look_at: usize,
    /// How often the generating task has waited in vain for progress of its children: see `create.rs`.
    pub(crate) patience_lost: u32,
    /// The dependences of the task that is being registered; kept for its memory.
    pub(crate) merged: Vec<dependence::Dependence>,
    /// For tools: the dependences of the undeferred task that the program prepares, as the program has them (kmpc
    /// only).
    pub(crate) prepared: Vec<dependence::Dependence>,
}

/// What tools see of a target construct, or of a device memory routine. One thread at a time uses it, and it does not
/// move between the construct's begin and its end.
#[derive(Default)]
pub struct TargetTool {
    /// The construct's number. 0 if no tool is active, or for a routine.
    pub(crate) id: Cell<Id>,
    /// Whether the operations are reported to a tool.
    pub(crate) reported: Cell<bool>,
    /// 0 for a routine that waits for its operations, `TARGET_NOWAIT` for one that does not.
    pub(crate) kind: Cell<Target>,
    /// The device that executes the region.
    pub(crate) device: Cell<c_int>,
    pub(crate) codeptr: Cell<*const c_void>,
    /// The encountering task.
    pub(crate) generating: Cell<*const Task>,
    /// The target task; null if it was merged into the encountering task.
    pub(crate) task: Cell<*const Task>,
    /// The data word of a merged target task.
    pub(crate) merged: UnsafeCell<Data>,
    /// The construct's data word.
    pub(crate) data: UnsafeCell<Data>,
    /// The number of the operation under way, 0 for none. Read by signal handlers.
    pub(crate) operation: Cell<Id>,
    /// When that operation began, by the device's clock; 0 if the device is not traced.
    pub(crate) began: Cell<u64>,
    /// The tool's word for the operation under way.
    pub(crate) word: UnsafeCell<Id>,
    /// The construct that the thread was in before.
    pub(crate) outer: Cell<*const TargetTool>,
}

// SAFETY: one thread at a time uses it, and the queue that hands the construct to another thread orders the two.
unsafe impl Send for TargetTool {}

// SAFETY: as for `Send`.
unsafe impl Sync for TargetTool {}

/// The head of a slab.
#[repr(C)]
pub(crate) struct Slab {
    /// The slab that the store made before, null for its first. Written once, read by debuggers.
    pub(crate) next: *const Slab,
    /// The number of blocks that have been cut from it. Owner only, as the fields below.
    pub(crate) cut: Cell<u32>,
    /// How many of these are free, counted while the store gives memory back.
    pub(crate) free: Cell<u32>,
    /// Whether its pages have been given back to the system, so that it can be cut anew.
    pub(crate) bare: Cell<bool>,
}

/// A thread's store of task blocks. The descriptor's next thread takes the store over.
#[derive(Default)]
pub struct TaskThread {
    /// The largest payload that goes into a block of the first size without further checks; 0 before the first task.
    /// Owner only.
    pub(crate) small: Cell<usize>,
    /// Free blocks by size. Owner only.
    pub(crate) free: [Cell<*const Task>; PAYLOADS.len()],
    /// The part of the newest slab that has not been cut yet. Owner only.
    pub(crate) rest: Cell<*mut u8>,
    pub(crate) rest_bytes: Cell<usize>,
    /// Free blocks of the first size whose headers are made for tasks in place: see `in_place.rs`. Owner only.
    pub(crate) prepared_headers: Cell<*const Task>,
    /// Blocks that other threads have freed, of any size. They push, the owner takes all. On a line of its own: the
    /// owner uses the lists for each task.
    pub(crate) returned: Padded<returned::Returned<Task>>,
    /// Headers to free when the thread has time, and their number. Owner only; see `headers.rs`.
    pub(crate) aside: Cell<*const Task>,
    pub(crate) aside_count: Cell<u32>,
    /// Free nodes, for the dependences of the tasks that the thread generates. Other threads give nodes back.
    pub(crate) nodes: node::Store<Task>,
    /// The detachable task that the thread prepares, null if it prepares none. Owner only; see `detach.rs`.
    pub(crate) prepared: Cell<*const Task>,
    /// How many tasks the thread has allocated since, and not generated yet. Owner only.
    pub(crate) prepared_since: Cell<u32>,
    /// The newest slab. Written by the owner, read by debuggers.
    pub(crate) slab: AtomicPtr<Slab>,
    /// The slab that is being cut. Owner only, as what follows.
    pub(crate) cutting: Cell<*const Slab>,
    /// The part of the newest mapping that is not a slab yet.
    pub(crate) unmade: Cell<*mut u8>,
    pub(crate) unmade_slabs: Cell<usize>,
    /// The numbers of slabs that are not bare, and that are.
    pub(crate) dressed: Cell<u32>,
    pub(crate) bare: Cell<u32>,
    /// At how many slabs the store next looks for some to give back.
    pub(crate) look_at: Cell<u32>,
    /// How often a slab has been cut anew.
    pub(crate) again: Cell<u16>,
}

/// The code of a region: the outlined function, its arguments, and how to call it. The core does not know which
/// compiler made the function: the entry point that starts the region chooses `invoke`.
#[derive(Clone, Copy)]
pub struct Outlined {
    /// Calls `function` for the implicit task of `member`, and stores the exit frame first.
    pub invoke: unsafe fn(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize),
    /// The outlined function.
    pub function: *const c_void,
    /// The number of argument words at `head` and `tail`; 0 if `head` itself is the argument.
    pub argc: usize,
    /// The first arguments: [`FORK_WORDS`](crate::arch::FORK_WORDS) words.
    pub head: *const usize,
    /// The other arguments.
    pub tail: *const usize,
}

/// What changes with every region: the `go` word, and what a worker reads first after the word has changed. All of it
/// is on one pair of cache lines, so a single transfer starts a worker.
pub struct Signal {
    /// The word on which workers wait between regions: see `protocol/go.rs`.
    pub(crate) go: go::GoWord,
    /// The last barrier epoch that all members have passed.
    pub(crate) epoch: Cell<u64>,
    /// The numbers with which the members' counters of worksharing constructs start.
    pub(crate) work_base: Cell<u64>,
    /// The region's code.
    pub(crate) outlined: Cell<Outlined>,
}

/// The description of a region. The primary thread writes it before the region starts. Workers read it after they have
/// seen the new `go` word, and it does not change until all have arrived at the join. Only values that differ from the
/// last region's are written, so the workers' copies of these cache lines stay valid.
#[derive(Clone)]
pub struct Region {
    /// The number of threads.
    pub nthreads: Cell<u32>,
    /// The number of nested parallel regions, including this one (`omp_get_level`).
    pub level: Cell<i32>,
    /// As `level`, but only of those with more than one thread (`omp_get_active_level`).
    pub active_level: Cell<i32>,
    /// ICVs that the implicit tasks start with.
    pub icvs: Cell<Icvs>,
    /// The slot of the thread that encountered the construct, in its own team; null for the team of
    /// an initial task.
    pub parent: Cell<*const Member>,
    /// The task that encountered the construct; null for the team of an initial task.
    pub parent_task: Cell<*const Task>,
    /// How the team's barrier works in this region.
    pub form: Cell<barrier::Form>,
    /// What members do about affinity when they enter and leave.
    pub affinity: Cell<Affinity>,
    /// What the members' places were chosen by; none if they have to be chosen anew.
    pub placed: Cell<Option<Fork>>,
    /// The worksharing construct that each member starts with, for a combined construct of the GOMP ABI.
    pub preset: Cell<Option<work::Preset>>,
    /// The team of the initial task at the root of this contention group.
    pub(crate) root: Cell<*const Team>,
    /// For teams constructs: this team's number and the league's size.
    pub team_num: Cell<i32>,
    pub num_teams: Cell<i32>,
    /// What is known about the merge functions of reductions: see `work/merges.rs`.
    pub known_merges: Cell<u32>,
}

/// A team of threads, kept from one region to the next.
#[repr(C, align(128))]
pub struct Team {
    /// Written by the primary between regions, read by all during one.
    pub region: Region,
    /// In the team of a target region's initial task: the slot of the thread before the region, to which the thread
    /// comes back. Null in every other team. The thread only.
    pub(crate) encountered_in: Cell<*const Member>,
    /// The number of threads with a slot here, working or in reserve. Written by the primary between regions.
    pub(crate) attached: Cell<u32>,
    /// The number of threads of the last region that the workers have been told of. A region of one thread is none of
    /// these. Owner: the primary thread.
    pub(crate) announced: Cell<u32>,
    /// The slots. The array only grows, and only between regions.
    pub(crate) members: Cell<*const *const Member>,
    /// How many slots there are.
    pub(crate) capacity: Cell<u32>,
    /// In the team of an initial task: the number of threads that the contention group's regions use now. Counted only
    /// if thread-limit-var sets a limit.
    pub(crate) busy: AtomicU32,
    /// The number of workers that have left since the team was given up.
    pub(crate) left: go::Departed,
    /// Whether the other threads do not exist, in a forked child, so that waiting for them would never end: see
    /// `forked.rs`.
    pub(crate) deserted: Cell<bool>,
    /// OMPT: the region's data word.
    pub tool: ParallelTool,
    /// What starts a region.
    pub(crate) signal: Padded<Signal>,
    /// Where workers sleep between regions.
    pub(crate) idle: Padded<Event>,
    /// The barrier of the team. Only threads that may execute any task sleep on its event, because a new task wakes
    /// just one of them.
    pub barrier: barrier::Barrier,
    /// Where members sleep that wait for something else: children, a turn, a construct's slot.
    pub waits: Padded<Event>,
    /// What the members share about worksharing constructs.
    pub work: work::WorkTeam,
    /// Tasks that are in no member's queue.
    pub tasks: TaskTeam,
}

// SAFETY: the primary writes the cells while no other member runs, and the release and acquire of the `go` word order
// these writes. Everything else is atomic.
unsafe impl Sync for Team {}

/// One thread's slot in a team.
#[repr(C, align(128))]
pub struct Member {
    /// The team of this slot.
    pub(crate) team: *const Team,
    /// This slot's thread number in the team.
    pub tid: u32,
    /// The NUMA domain to which the slot was brought. Owner only.
    pub(crate) domain: near::Domain,
    /// The thread that fills the slot. Written by the primary before the thread starts here.
    pub(crate) thread: Cell<*const Thread>,
    /// The barrier epoch that this member has passed. Owner only.
    pub epoch: Cell<u64>,
    /// How long the member's phases are. Owner only.
    pub(crate) phases: Phases,
    /// How long the worker sleeps between regions. Owner only.
    pub(crate) gaps: Gaps,
    /// The last region number that the worker has seen in `go`. In the primary's slot: the last region that is over.
    /// Owner only, but the primary sets it before it gives the slot to a thread.
    pub(crate) seen: Cell<u64>,
    /// The hot team that this slot's thread has forked, null for none. Owner only.
    pub(crate) child: Cell<*const Team>,
    /// The place that the primary chose for this member, -1 for none.
    pub(crate) place: Cell<i32>,
    /// The place partition of the implicit task, if the primary has chosen one.
    pub(crate) partition: Cell<Partition>,
    /// Worksharing: counters and the loop under way.
    pub work: work::WorkMember,
    /// The implicit task.
    pub implicit: Task,
    /// The last barrier at which this member has arrived.
    pub arrival: Padded<barrier::Arrival>,
    /// A copy of the team's signal for eight members from this one on: in each eighth member of those that look at
    /// copies. The team's primary thread gives the copies with the signal, as long as workers look at them.
    pub(crate) signal: Padded<Signal>,
    /// Where the member offers its partial result of a reduction in fixed pairs.
    pub(crate) offer: Padded<partial::Offer>,
    /// Where the member waits for its partners in such a reduction.
    pub(crate) partners: Padded<Event>,
    /// Changes when a worker in reserve is needed again.
    pub(crate) recall: Padded<go::Recall>,
    /// This member's queue of tasks and its account.
    pub tasks: TaskMember,
}

// SAFETY: the cells belong to the slot's thread while a region runs, and to the primary between regions. The `go` word
// and the arrivals order the two.
unsafe impl Sync for Member {}

/// A taskgroup. It lies in the payload of a block. The task that began the group frees it.
pub struct Group {
    /// The group around this one.
    pub(crate) outer: *const Group,
    /// The block that the group lies in.
    pub(crate) block: &'static Task,
    /// The number of tasks of the group, descendants included, that are not complete.
    pub(crate) tasks: AtomicU64,
    /// The task reductions of the group, null if it has none: see `reduction.rs`. Written by the task
    /// that began the group.
    pub(crate) reductions: AtomicPtr<reductions::Reductions>,
    /// Whether the group is cancelled, as flags of `task/group.rs`. Written by its tasks.
    pub(crate) marks: AtomicU8,
}

/// The descriptor of an OpenMP thread. Only the thread itself uses the `Cell`s, unless a field says otherwise.
#[derive(Default)]
#[repr(C, align(128))]
pub struct Thread {
    /// The slot that this thread has now. Not null once the thread is set up.
    pub(crate) member: Cell<*const Member>,
    /// The task that this thread executes now. Written by the thread, read by signal handlers on it.
    pub(crate) task: AtomicPtr<Task>,
    /// The number by which kmpc programs know this thread; unique among live threads.
    pub(crate) gtid: Cell<i32>,
    /// The place to which this thread is bound, -1 for none.
    pub(crate) place: Cell<i32>,
    /// The NUMA domain to which the descriptor was brought.
    pub(crate) domain: near::Domain,
    /// The device of this thread, -1 for the host. Set before the thread uses the descriptor.
    pub(crate) device: Cell<i32>,
    /// The task whose children the first header in `tasks.prepared_headers` is for, null for none: the current task, or
    /// a child of it that is about to be generated. See `task/in_place.rs`.
    pub(crate) headers_for: Cell<*const Task>,
    /// In a descriptor of a device: the host thread that executes the device's code with it now. Null otherwise.
    pub(crate) steps_for: Cell<*const Thread>,
    /// The team whose task the thread executes as a free agent; null if it executes none. The thread only.
    pub(crate) works_for: Cell<*const Team>,
    /// The lock of a reduction for which the thread waits, or which the thread has; null for none. Written by the
    /// thread, read in a forked child.
    pub(crate) reduces_under: AtomicPtr<u32>,
    /// The descriptor that was made before this one. Written once.
    pub(crate) next: AtomicPtr<Thread>,
    /// The `pthread_t` of the thread; 0 while no thread uses the descriptor. Written by the thread, read by debuggers.
    pub(crate) pthread: AtomicUsize,
    /// The kernel's number of the thread. As `pthread`.
    pub(crate) lwp: AtomicI32,
    /// What the thread last displayed of its affinity. Primary threads read it between regions.
    pub shown: Cell<clauses::Shown>,
    /// The `num_threads` clause of the next region (kmpc only); 0 for none, negative if it is in `pushed_demand`.
    pub pushed_num_threads: Cell<i32>,
    /// The `num_threads` clause of the next region, if it is more than a number.
    pub pushed_demand: Cell<Option<clauses::Demand>>,
    /// The clauses of the next teams construct (kmpc only).
    pub pushed_teams: Cell<clauses::Clauses>,
    /// The number of iterations of the next target region's loop, from compilers that pass it in a call of its own; 0
    /// for none.
    pub pushed_trip_count: Cell<u64>,
    /// The configuration of the thread's next launch of a CUDA or HIP kernel.
    pub call_configuration: Cell<call_configuration::CallConfiguration>,
    /// The `proc_bind` clause of the next region (kmpc only).
    pub pushed_bind: Cell<Option<Bind>>,
    /// OMPT: the thread's data word, state and wait identifier.
    pub tool: ThreadTool,
    /// This thread's store of task blocks.
    pub tasks: TaskThread,
    /// How an idle worker gets its next slot from the pool.
    pub idle: idle::Idle<Member>,
    /// How much of the thread's stack chains of tasks may use.
    pub(crate) stack: UpperHalf,
    /// The CPU on which the thread waits, for `place/apart.rs`.
    pub seated: Seated,
    /// Where the thread sits while it waits for a lock.
    pub lock_seat: LockSeat,
    /// How the leagues that the thread has encountered are executed.
    pub(crate) leagues: Leagues,
    /// The thread's part of OpenACC.
    pub acc: openacc::AccThread,
    /// The thread's copies of threadprivate variables, by number of the variable; null for none.
    pub(crate) threadprivate: Cell<&'static [Cell<*mut c_void>]>,
}

// SAFETY: other threads use only the atomic fields (also those in `tool`, `tasks` and `idle`), and cells only at times
// that the field names. All other cells belong to the descriptor's thread.
unsafe impl Sync for Thread {}

/// A task: its code, its parent, and what the runtime keeps of its children. For an explicit task, this is the header
/// of its block.
///
/// A thief may read the header of a task that has been executed and freed meanwhile. So the memory of a header is only
/// used for headers again, and the fields that thieves read are atomic.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Task {
    /// The task that generated this one; null for an initial task. Written by the creator, read by thieves.
    pub(crate) parent: AtomicPtr<Task>,
    /// The implicit task that this one descends from (itself for an implicit task). As `parent`.
    pub(crate) root: AtomicPtr<Task>,
    /// The number of generations between this task and its implicit task. As `parent`.
    pub(crate) depth: AtomicU32,
    /// Flags of [`objects::task::flag`](crate::objects::task::flag). Written by the creator, then by the executing
    /// thread.
    pub(crate) flags: Cell<u32>,
    /// The thread that executes the task now; null while none does. A thread that finds itself here knows that the task
    /// is not complete.
    pub(crate) executor: AtomicPtr<Thread>,
    /// The priority clause's value.
    pub(crate) priority: Cell<i32>,
    /// For tools and debuggers: the code address of the construct, relative to the body's function; 0 if unknown.
    pub(crate) encountered: Cell<i32>,

    /// The innermost taskgroup around what the task executes now. As `flags`.
    pub(crate) group: Cell<*const Group>,
    /// The counts of deferred tasks that this task has generated. The second cache line begins inside. Threads that
    /// complete children write only to the part before, so the fields after it stay in the executing thread's cache.
    pub(crate) generated: children::Children,
    /// The dependences of this task, null if it has none. As `flags`.
    pub(crate) node: Cell<*const Node>,
    /// The dependences among this task's children; null until a child has one. Executing thread only. In a free block:
    /// the next block of the list.
    pub(crate) children: Cell<*mut Table>,
    /// The event of a detachable task. It outlives the task, because the program may keep the handle.
    pub(crate) event: detach::Event,
    /// Which list of the owner's store the block belongs to.
    pub(crate) class: Cell<u8>,
    /// OMPT: whether `ompt/trace/names.rs` has a number for the task. Set there, under a lock; cleared for the block's
    /// next task.
    pub recorded: AtomicBool,
    /// How many bytes of the payload are in use.
    pub(crate) bytes: Cell<u32>,
    /// The store that the block came from; null for an implicit task.
    pub(crate) owner: Cell<*const TaskThread>,
    /// The team whose threads execute the task; null for an implicit task.
    pub(crate) team: Cell<*const Team>,

    /// The function, its two arguments, and what to call after it. Creator, then executing thread.
    pub(crate) body: Cell<body::Body>,
    /// The task's ICVs. Written by the executing thread only.
    pub icvs: UnsafeCell<Icvs>,
    /// OMPT: the task's data word and frames.
    pub tool: TaskTool,
    /// In a block, the address of this header: the word before the payload. Written when the block is made.
    pub(crate) itself: Cell<*const Task>,
}

// SAFETY: each cell belongs to one thread at a time, as its comment says. The queues' release and acquire order the
// handing over. The rest is atomic.
unsafe impl Sync for Task {}

/// A member's tasks: its queue and its account.
#[derive(Default)]
pub struct TaskMember {
    /// Tasks that this member has created and no thread has taken yet.
    pub(crate) deque: Padded<deque::Deque<Task>>,
    /// Where another member may put a task for this one, which has none.
    pub(crate) lifeline: Padded<Lifeline<Task>>,
    /// The number of tasks that this member has created, minus those that it has completed. Owner only.
    pub(crate) account: quiescence::Account,
    /// How this member publishes tasks in this region. Owner only.
    pub(crate) mode: Cell<body::Mode>,
    /// The number of tasks to execute in place before the next look whether the queue is still full. Owner only.
    pub(crate) in_place: Cell<u32>,
    /// How many tasks nest on this member that it executes because its queue is full. Owner only.
    pub(crate) nested: Cell<u32>,
    /// Where the member looked for tasks last. Owner only.
    pub(crate) thief: theft::Thief,
}

/// A team's tasks that are in no member's queue.
#[derive(Default)]
pub struct TaskTeam {
    pub(crate) queue: Queue,
    /// The sums of the members' accounts.
    pub(crate) sums: quiescence::Sums,
    /// Which members' queues have tasks to steal.
    pub(crate) groups: theft::Groups,
    /// Untied tasks between two parts. Other tasks come first.
    pub(crate) aside: Queue,
    /// Copies of a reduction that the members share.
    pub shared: reductions::SharedByTeam,
}

/// The payload bytes of each block size.
pub(crate) const PAYLOADS: [usize; 4] = [128, 384, 896, 1920];
