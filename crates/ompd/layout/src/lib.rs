//! What the runtime shows to the library that a debugger loads, and where: the contract of the two, shared in source
//! (OpenMP 5.1 chapter 5 leaves it to the implementation).
//!
//! The runtime exports one object, [`SYMBOL`]: a [`Header`], and behind it one [`Entry`] for each [`Field`], computed
//! at compile time from the very types that the runtime uses. The library reads all offsets and sizes from there, never
//! from its own build. The object lies in memory that every core file holds, and its symbol is a dynamic one, which a
//! stripped library keeps.

#![no_std]

/// The name of the object that the runtime exports.
pub const SYMBOL: &str = "ferromp_ompd";

/// The first bytes of the object.
pub const MAGIC: [u8; 8] = *b"FERROMPD";

/// The version of this contract: of the fields, their order and their meaning. A library reads objects of its own
/// version only.
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
        /// What can be looked up, in the order of the entries.
        #[repr(u32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field { $( $(#[$meta])* $name, )* }

        impl Field {
            /// All of them, in order.
            pub const ALL: &'static [Field] = &[ $( Field::$name, )* ];
            /// How many there are.
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
    /// In the object: a pointer to what the whole process has.
    RootProcess,
    /// In the object: 1 while the states and frames of all threads and the places of constructs are kept: a tool is
    /// active, or `OMP_DEBUG` is `enabled`. Otherwise a thread's state is known only while it waits for long.
    RootKept,

    /// The next descriptor of the list.
    ThreadNext,
    /// The thread as the C library knows it (`pthread_t`); 0 while no thread uses the descriptor.
    ThreadPthread,
    /// The thread as the kernel knows it (`gettid`).
    ThreadLwp,
    /// By which number clang's programs know it.
    ThreadGtid,
    /// The device whose thread it is, -1 for the host's.
    ThreadDevice,
    /// The thread of the host that runs a device's code in this descriptor; null on every other one.
    ThreadStepsFor,
    /// Its slot in the team that it works in.
    ThreadMember,
    /// The task that it executes.
    ThreadTask,
    /// `ompt_thread_t`.
    ThreadKind,
    /// `ompt_state_t`.
    ThreadState,
    /// What it waits for.
    ThreadWaitId,
    /// In states of mutual exclusion, what that is: 1 the word of a lock, of a critical or atomic region, 2 the word of
    /// a nestable lock, 3 the turn of an ordered loop, 4 the posts of a doacross nest.
    ThreadWaitFor,
    /// Whether it executes a task: 0 outside, 1 between two, 2 inside one, 3 leaving its region. Kept where states are.
    ThreadPresence,
    /// The tool's word.
    ThreadData,
    /// The newest slab of its blocks of tasks.
    ThreadSlab,

    /// The slot's team.
    MemberTeam,
    /// The thread number.
    MemberTid,
    /// The thread that fills the slot.
    MemberThread,
    /// Its implicit task, a part of the slot.
    MemberImplicit,
    /// The last epoch of the team's barrier that it has passed.
    MemberEpoch,
    /// The last epoch that it has arrived at.
    MemberArrival,
    /// The team whose primary thread it becomes when it forks.
    MemberChild,
    /// The number of the last region that its worker knows of; in a primary thread's slot, of the last one that is
    /// over.
    MemberSeen,

    /// Threads in the region under way.
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
    /// Of a target region's initial team: the slot that its thread comes back to.
    TeamEncounteredIn,
    /// `omp_get_team_num`.
    TeamNumber,
    /// `omp_get_num_teams`.
    TeamLeague,
    /// The outlined function.
    TeamFunction,
    /// The tool's word.
    TeamData,
    /// The tool's part, which has the word.
    TeamTool,
    /// The tool's part of the league's team, where this team's stands for it; null for its own.
    TeamStandsFor,
    /// Where the construct was encountered, where that is kept.
    TeamCodeptr,
    /// `ompt_parallel_flag_t`, where that is kept.
    TeamFlags,
    /// While a debugger is told: 1 where the team's next region is about to begin, whose number is one more than that
    /// in [`TeamGo`](Field::TeamGo), 2 where a region that is over counts as still there. Otherwise 0.
    TeamBreakpoint,

    /// The task that generated it.
    TaskParent,
    /// Generations below its implicit task.
    TaskDepth,
    /// Its flags: OMPT's, and the runtime's own between them.
    TaskFlags,
    /// The thread that executes it.
    TaskExecutor,
    /// The priority clause's value.
    TaskPriority,
    /// The team whose threads execute it; null for an implicit task.
    TaskTeam,
    /// The function of its code.
    TaskFunction,
    /// Its dependences; null if it has none.
    TaskNode,
    /// In a free block, a link with its lowest bit set.
    TaskLink,
    /// In a block, the block itself.
    TaskItself,
    /// The block's class.
    TaskClass,
    /// Its ICVs, a part of it.
    TaskIcvs,
    /// The tool's word.
    TaskData,
    /// `ompt_frame_t`, a part of it; kept where states are.
    TaskFrame,
    /// The task that it is executed on top of, where states are kept.
    TaskBelow,
    /// Where its construct was encountered, where that is kept: a signed distance from the function of its code, 0 if
    /// not.
    TaskEncountered,

    /// In a task's dependences: how many predecessors are not complete.
    NodePending,

    /// The slab that was made before.
    SlabNext,
    /// A constant: where the first block lies in a slab.
    SlabFirst,
    /// A constant: how many bytes a slab has.
    SlabBytes,
    /// Constants: how many bytes blocks of each class have; a class beyond the last is one of the first size.
    BlockBytes0,
    BlockBytes1,
    BlockBytes2,
    BlockBytes3,

    /// Constants: flags of [`TaskFlags`](Field::TaskFlags) that are the runtime's own. The task's code has returned.
    FlagFinished,
    /// A target construct generated the task.
    FlagTarget,
    /// The task's code has begun, of a task that may be discarded.
    FlagBegun,

    /// Constants: the words of locks, 32 bits. 0 is free; otherwise, that many bits up, one more than the number of the
    /// thread that has taken it, or 0 for one that has no number.
    LockOwnerShift,
    /// Constants: the words of nestable locks, 64 bits. 0 is free; otherwise, that many bits up, the task that has
    /// taken it...
    NestOwnerShift,
    /// ... whose address is a multiple of this: what is below counts.
    NestOwnerAlign,

    /// nthreads-var's first element; as all that follow up to [`IcvNthreadsList`](Field::IcvNthreadsList), in a task's
    /// ICVs.
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
    /// How many elements of the lists lie behind the task.
    IcvNthreadsLevel,
    /// The list that a clause has put in place of the environment's.
    IcvNthreadsList,

    /// `omp_get_num_procs`, 0 until they are counted; as all that follow up to
    /// [`ProcessAllocatorCount`](Field::ProcessAllocatorCount), in what the whole process has.
    ProcessNumProcs,
    /// How many devices there are besides the host.
    ProcessDevices,
    /// nteams-var of the host; behind it, in an array, that of each device by its number.
    ProcessNumTeams,
    /// teams-thread-limit-var, likewise.
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
    /// A string: lines `NAME=value`, of the environment's variables that are not among the others here.
    ProcessVariables,
    /// An array of `i32`: nthreads-var as the environment has it.
    ProcessNumThreads,
    /// How many there are.
    ProcessNumThreadsCount,
    /// An array of bytes: bind-var as the environment has it.
    ProcessBind,
    /// How many there are.
    ProcessBindCount,
    /// The newest of the lists that clauses have put in place of nthreads-var.
    ProcessClauseLists,
    /// An array of `u32`: where the CPUs of each place end.
    ProcessPlaces,
    /// An array of `u32`: the CPUs of all places.
    ProcessPlaceCpus,
    /// How many places there are.
    ProcessPlaceCount,
    /// An array of pointers to the allocators that the program has made; null where there is none.
    ProcessAllocators,
    /// The handle of the first.
    ProcessAllocatorFirst,
    /// How many the array has room for.
    ProcessAllocatorCount,

    /// The list that was made before.
    ClauseListNext,
    /// An array of `i32`.
    ClauseListNumbers,
    /// How many there are.
    ClauseListCount,
    /// By which number tasks know the list ([`IcvNthreadsList`](Field::IcvNthreadsList)); 1 is the empty one.
    ClauseListNumber,

    /// A string: an allocator's memory space and traits.
    AllocatorText,
}

#[cfg(test)]
mod tests {
    use super::{Field, VERSION};

    /// A number that differs where the fields or their order do.
    fn digest() -> u32 {
        let bytes = Field::ALL.iter().flat_map(|field| field.name().bytes().chain([0]));
        bytes.fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    #[test]
    fn a_version_has_its_fields() {
        // Once a version has been released: other fields want another version, so that a library never reads what it
        // does not know.
        assert_eq!((VERSION, digest()), (1, 0x5c5a_a267), "the digest is {:#x}", digest());
    }
}
