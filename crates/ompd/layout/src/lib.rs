//! The contract between the runtime and the library that a debugger loads: which fields the runtime shows, and where
//! they lie. Both share this source (OpenMP 5.1 chapter 5 leaves the contract to the implementation).
//!
//! The runtime exports one object, [`SYMBOL`]: a [`Header`], and behind it one [`Entry`] for each [`Field`]. The
//! entries are computed at compile time from the types that the runtime uses. The library reads all offsets and sizes
//! from the object, never from its own build. Every core file holds the object's memory, and a stripped library keeps
//! the dynamic symbol.

#![no_std]

/// The name of the object that the runtime exports.
pub const SYMBOL: &str = "ferromp_ompd";

/// The first bytes of the object.
pub const MAGIC: [u8; 8] = *b"FERROMPD";

/// The version of this contract: of the fields, their order and their meaning. A library reads only objects of its own
/// version.
pub const VERSION: u32 = 1;

/// What the object begins with. Numbers are in the program's byte order.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// How many entries follow.
    pub entries: u32,
}

/// Where a field lies in its structure, and how many bytes it has. Of a constant, `offset` is the value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Bytes from the start of the structure.
    pub offset: u32,
    /// Bytes; 0 for a field that the runtime does not have.
    pub size: u32,
}

impl Entry {
    /// A field that the runtime does not have.
    pub const ABSENT: Entry = Entry { offset: 0, size: 0 };
}

macro_rules! fields {
    ($( $(#[$meta:meta])* $name:ident, )*) => {
        /// The fields, in the order of the entries.
        #[repr(u32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field { $( $(#[$meta])* $name, )* }

        impl Field {
            /// All fields, in order.
            pub const ALL: &'static [Field] = &[ $( Field::$name, )* ];
            /// How many fields there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The field's name.
            pub const fn name(self) -> &'static str {
                match self { $( Field::$name => stringify!($name), )* }
            }
        }
    };
}

fields! {
    /// In the object: the head of the list of all thread descriptors, those of ended threads included.
    RootThreads,
    /// In the object: a pointer to the structure of the whole process.
    RootProcess,
    /// In the object: 1 while the states and frames of all threads and the places of constructs are kept, because a
    /// tool is active or `OMP_DEBUG` is `enabled`. Otherwise a thread's state is known only during a long wait.
    RootKept,

    /// The next descriptor of the list.
    ThreadNext,
    /// The thread as the C library knows it (`pthread_t`); 0 while no thread uses the descriptor.
    ThreadPthread,
    /// The thread as the kernel knows it (`gettid`).
    ThreadLwp,
    /// The thread's number in clang's programs (`gtid`).
    ThreadGtid,
    /// The device that the thread belongs to; -1 for the host.
    ThreadDevice,
    /// The thread of the host that now runs a device's code in this descriptor; null on every other descriptor.
    ThreadStepsFor,
    /// The slot that the thread has in its current team.
    ThreadMember,
    /// The task that the thread executes.
    ThreadTask,
    /// `ompt_thread_t`.
    ThreadKind,
    /// `ompt_state_t`.
    ThreadState,
    /// The thread's wait identifier.
    ThreadWaitId,
    /// In states of mutual exclusion, the kind of the wait identifier: 1 the word of a lock, of a critical or atomic
    /// region, 2 the word of a nestable lock, 3 the turn of an ordered loop, 4 the posts of a doacross nest.
    ThreadWaitFor,
    /// Whether the thread executes a task: 0 outside, 1 between two, 2 inside one, 3 leaving its region. Kept where
    /// states are.
    ThreadPresence,
    /// The tool's data word.
    ThreadData,
    /// The newest slab of the thread's task blocks.
    ThreadSlab,

    /// The slot's team.
    MemberTeam,
    /// The thread number.
    MemberTid,
    /// The thread that fills the slot.
    MemberThread,
    /// The slot's implicit task, a part of the slot.
    MemberImplicit,
    /// The last epoch of the team's barrier that the thread has passed.
    MemberEpoch,
    /// The last epoch that the thread has arrived at.
    MemberArrival,
    /// The team that the slot's thread forks and is primary thread of.
    MemberChild,
    /// The number of the last region that the slot's worker knows of; in a primary thread's slot, of the last region
    /// that is over.
    MemberSeen,

    /// Threads in the current region.
    TeamThreads,
    /// `omp_get_level`.
    TeamLevel,
    /// `omp_get_active_level`.
    TeamActiveLevel,
    /// The slot of the encountering thread in its own team; null for an initial task's team.
    TeamParent,
    /// The task that encountered the construct.
    TeamParentTask,
    /// An array of pointers to slots.
    TeamMembers,
    /// How many slots there are.
    TeamCapacity,
    /// The word that starts and ends regions.
    TeamGo,
    /// Of a target region's initial team: the slot that the team's thread comes back to.
    TeamEncounteredIn,
    /// `omp_get_team_num`.
    TeamNumber,
    /// `omp_get_num_teams`.
    TeamLeague,
    /// The outlined function.
    TeamFunction,
    /// The tool's data word.
    TeamData,
    /// The tool's part of the team, which has the data word.
    TeamTool,
    /// The tool's part of the league's team, if this team's part stands for the league's; otherwise null.
    TeamStandsFor,
    /// The place of the construct in the program, where that is kept.
    TeamCodeptr,
    /// `ompt_parallel_flag_t`, where that is kept.
    TeamFlags,
    /// While a debugger is told: 1 where the team's next region is about to begin, whose number is one more than that
    /// in [`TeamGo`](Field::TeamGo), 2 where a region that is over counts as still there. Otherwise 0.
    TeamBreakpoint,

    /// The generating task.
    TaskParent,
    /// Generations below the implicit task.
    TaskDepth,
    /// The task's flags: OMPT's, and the runtime's own between them.
    TaskFlags,
    /// The thread that executes the task.
    TaskExecutor,
    /// The priority clause's value.
    TaskPriority,
    /// The team whose threads execute the task; null for an implicit task.
    TaskTeam,
    /// The function of its code.
    TaskFunction,
    /// The task's dependences; null for a task without dependences.
    TaskNode,
    /// In a free block, a link with its lowest bit set.
    TaskLink,
    /// In a block, the block itself.
    TaskItself,
    /// The block's class.
    TaskClass,
    /// The task's ICVs, a part of the task.
    TaskIcvs,
    /// The tool's data word.
    TaskData,
    /// `ompt_frame_t`, a part of the task; kept where states are.
    TaskFrame,
    /// The task whose stack the task is executed on, where states are kept.
    TaskBelow,
    /// The place of the task's construct, where that is kept: a signed distance from the function of the task's code,
    /// or 0.
    TaskEncountered,

    /// In a task's dependences: how many predecessors are not complete.
    NodePending,

    /// The next older slab.
    SlabNext,
    /// A constant: where the first block lies in a slab.
    SlabFirst,
    /// A constant: how many bytes a slab has.
    SlabBytes,
    /// Constants: how many bytes blocks of each class have. A class beyond the last has the first size.
    BlockBytes0,
    BlockBytes1,
    BlockBytes2,
    BlockBytes3,

    /// Constants: flags of [`TaskFlags`](Field::TaskFlags) that are the runtime's own. The task's code has returned.
    FlagFinished,
    /// Of a task that a target construct has generated.
    FlagTarget,
    /// Of a task that may be discarded: the task's code has begun.
    FlagBegun,

    /// Constants: the words of locks, 32 bits. 0 is free. Otherwise the bits above this many are the owner's thread
    /// number plus one, or 0 for an owner without a number.
    LockOwnerShift,
    /// Constants: the words of nestable locks, 64 bits. 0 is free. Otherwise the bits above this many are the address
    /// of the owning task...
    NestOwnerShift,
    /// ... which is a multiple of this value. The bits below are the nesting count.
    NestOwnerAlign,

    /// nthreads-var's first element. Like the fields up to [`IcvNthreadsList`](Field::IcvNthreadsList), it lies in a
    /// task's ICVs.
    IcvNthreads,
    /// thread-limit-var.
    IcvThreadLimit,
    /// max-active-levels-var.
    IcvMaxActiveLevels,
    /// default-device-var.
    IcvDefaultDevice,
    /// run-sched-var: the kind.
    IcvScheduleKind,
    /// run-sched-var: the ordering modifier.
    IcvScheduleMonotonic,
    /// run-sched-var: the chunk size.
    IcvScheduleChunk,
    /// def-allocator-var.
    IcvDefAllocator,
    /// place-partition-var: the first place.
    IcvPartitionFirst,
    /// place-partition-var: how many places.
    IcvPartitionCount,
    /// dyn-var.
    IcvDynamic,
    /// bind-var's first element.
    IcvBind,
    /// The elements of the lists that lie behind the task.
    IcvNthreadsLevel,
    /// The list that a clause has set in place of the environment's list.
    IcvNthreadsList,

    /// `omp_get_num_procs`, 0 until the processors are counted. Like the fields up to
    /// [`ProcessAllocatorCount`](Field::ProcessAllocatorCount), it lies in the structure of the whole process.
    ProcessNumProcs,
    /// How many devices there are besides the host.
    ProcessDevices,
    /// An array: nteams-var of the host, then of each device by number.
    ProcessNumTeams,
    /// An array: teams-thread-limit-var, likewise.
    ProcessTeamsThreadLimit,
    /// max-task-priority-var.
    ProcessMaxTaskPriority,
    /// target-offload-var: 0 disabled, 1 default, 2 mandatory.
    ProcessTargetOffload,
    /// wait-policy-var: 1 active, 0 passive.
    ProcessWaitPolicy,
    /// cancel-var.
    ProcessCancellation,
    /// display-affinity-var.
    ProcessDisplayAffinity,
    /// tool-var: 1 enabled.
    ProcessTool,
    /// debug-var: 1 enabled.
    ProcessDebug,
    /// stacksize-var in bytes.
    ProcessStackSize,
    /// A string: affinity-format-var.
    ProcessAffinityFormat,
    /// A string: tool-libraries-var, divided by colons.
    ProcessToolLibraries,
    /// A string: tool-verbose-init-var.
    ProcessToolVerboseInit,
    /// A string: lines `NAME=value`, of the environment's variables that have no field of their own here.
    ProcessVariables,
    /// An array of `i32`: nthreads-var as the environment sets it.
    ProcessNumThreads,
    /// The length of the array.
    ProcessNumThreadsCount,
    /// An array of bytes: bind-var as the environment sets it.
    ProcessBind,
    /// The length of the array.
    ProcessBindCount,
    /// The newest list that a clause has set in place of nthreads-var.
    ProcessClauseLists,
    /// An array of `u32`: the end of each place's CPUs in the next array.
    ProcessPlaces,
    /// An array of `u32`: the CPUs of all places.
    ProcessPlaceCpus,
    /// How many places there are.
    ProcessPlaceCount,
    /// An array of pointers to the program's allocators, with null for free places.
    ProcessAllocators,
    /// The handle of the array's first allocator.
    ProcessAllocatorFirst,
    /// The capacity of the array.
    ProcessAllocatorCount,

    /// The next older list.
    ClauseListNext,
    /// An array of `i32`.
    ClauseListNumbers,
    /// The length of the array.
    ClauseListCount,
    /// The list's number in tasks ([`IcvNthreadsList`](Field::IcvNthreadsList)); 1 is the empty list.
    ClauseListNumber,

    /// A string: an allocator's memory space and traits.
    AllocatorText,
}

#[cfg(test)]
mod tests {
    use super::{Field, VERSION};

    /// A hash of the fields' names in their order.
    fn digest() -> u32 {
        let bytes = Field::ALL.iter().flat_map(|field| field.name().bytes().chain([0]));
        bytes.fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    #[test]
    fn a_version_has_its_fields() {
        // After a release, other fields need another version, so that a library never reads fields that it does not
        // know.
        assert_eq!((VERSION, digest()), (1, 0xf179_a4ce), "the digest is {:#x}", digest());
    }
}
