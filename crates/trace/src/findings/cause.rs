//! The causes of lost time that the report knows.

/// Why time is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// The parts of a static loop, or of a region's own code, differ in length.
    Imbalance,
    /// The first chunks of a guided loop are too long.
    ImbalanceGuided,
    /// The chunks of a dynamic loop are too long: some threads get one more than others.
    ChunkTooLarge,
    /// The chunks of a dynamic loop are too short: taking them costs more than their work.
    ChunkTooSmall,
    /// Tasks are shorter than their creation.
    TasksTooFine,
    /// A taskloop's tasks are shorter than their creation.
    TaskloopTooFine,
    /// Threads wait while the last tasks run.
    TooFewTasks,
    /// One thread creates all tasks, and is slower than the threads that execute them.
    OneProducer,
    /// Tasks are waited for as soon as they are created.
    TaskwaitMisplaced,
    /// Threads wait at the end of a taskgroup, though other tasks could run.
    Taskgroup,
    /// Tasks wait for each other by their dependences.
    DependenceChain,
    /// One thread works between regions.
    SerialPhase,
    /// One thread works before the first region.
    Startup,
    /// Threads wait for a critical section.
    CriticalContention,
    /// A critical section does no more than an addition or a comparison.
    ReductionByCritical,
    /// Threads wait for a lock.
    LockContention,
    /// Threads wait for a lock while they hold another one.
    LockConvoy,
    /// Threads wait for an atomic construct that the runtime carries out.
    AtomicContention,
    /// Threads write to different data in the same cache line.
    FalseSharing,
    /// Threads wait at a barrier, each at another one, and in sum about equally long.
    NeedlessBarrier,
    /// One thread works in a region, and the others wait.
    WorkInSingle,
    /// The sections of a construct differ in length.
    UnequalSections,
    /// A region is shorter than its begin and end.
    RegionTooShort,
    /// Threads wait for their turn in an ordered region.
    OrderedStall,
    /// More threads run than there are CPUs.
    MoreThreadsThanCpus,
    /// Inner regions make more threads than there are CPUs.
    NestedOversubscription,
    /// The control group's quota is used up, and the system holds all threads back.
    QuotaUsedUp,
    /// Threads share a CPU while another one is free.
    SameCpu,
    /// Threads change their CPU all the time.
    ThreadsMigrate,
    /// Memory lies on the node of the thread that has touched it first, far from others.
    FirstTouch,
    /// Threads wait for one that is in a system call.
    IoInRegion,
    /// Large objects are copied for each thread at a region's begin.
    CopyinLarge,
    /// Large objects are copied for each task or thread.
    FirstprivateLarge,
    /// The same data is copied to a device and back for each kernel.
    TransfersRepeat,
    /// Kernels are shorter than their launch.
    KernelsTooSmall,
    /// A region takes longer in one rank than in the others.
    RankImbalance,
    /// Ranks have more threads than CPUs, their own or those that they share.
    RanksShareCpus,
    /// The process spends its time in a call of MPI.
    MpiWaiting,
}

impl Cause {
    /// The name for scripts: lower case, words joined by `-`.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Imbalance => "imbalance-static",
            Cause::ImbalanceGuided => "imbalance-guided",
            Cause::ChunkTooLarge => "chunk-too-large",
            Cause::ChunkTooSmall => "chunk-too-small",
            Cause::TasksTooFine => "tasks-too-fine",
            Cause::TaskloopTooFine => "taskloop-too-fine",
            Cause::TooFewTasks => "too-few-tasks",
            Cause::OneProducer => "one-producer",
            Cause::TaskwaitMisplaced => "taskwait-misplaced",
            Cause::Taskgroup => "taskgroup-needless",
            Cause::DependenceChain => "dependence-chain",
            Cause::SerialPhase => "serial-phase",
            Cause::Startup => "startup-outside",
            Cause::CriticalContention => "critical-contention",
            Cause::ReductionByCritical => "reduction-by-critical",
            Cause::LockContention => "lock-contention",
            Cause::LockConvoy => "lock-convoy",
            Cause::AtomicContention => "atomic-contention",
            Cause::FalseSharing => "false-sharing",
            Cause::NeedlessBarrier => "needless-barrier",
            Cause::WorkInSingle => "work-in-single",
            Cause::UnequalSections => "unequal-sections",
            Cause::RegionTooShort => "region-too-short",
            Cause::OrderedStall => "ordered-stall",
            Cause::MoreThreadsThanCpus => "more-threads-than-cpus",
            Cause::NestedOversubscription => "nested-oversubscription",
            Cause::QuotaUsedUp => "quota-used-up",
            Cause::SameCpu => "same-cpu",
            Cause::ThreadsMigrate => "threads-migrate",
            Cause::FirstTouch => "first-touch",
            Cause::IoInRegion => "io-in-region",
            Cause::CopyinLarge => "copyin-large",
            Cause::FirstprivateLarge => "firstprivate-large",
            Cause::TransfersRepeat => "transfers-repeat",
            Cause::KernelsTooSmall => "kernels-too-small",
            Cause::RankImbalance => "rank-imbalance",
            Cause::RanksShareCpus => "ranks-share-cpus",
            Cause::MpiWaiting => "mpi-waiting",
        }
    }

    /// Words of the directive at which the cause stands, where calls of the runtime may have the line of a neighbour.
    pub fn directive(self) -> &'static [&'static str] {
        match self {
            Cause::CriticalContention | Cause::ReductionByCritical => &["critical"],
            Cause::OrderedStall => &["ordered"],
            Cause::WorkInSingle | Cause::IoInRegion => &["critical", "single", "master", "masked", "barrier"],
            Cause::TaskwaitMisplaced => &["taskwait"],
            Cause::Taskgroup => &["taskgroup"],
            Cause::NeedlessBarrier => &["barrier"],
            Cause::TasksTooFine | Cause::TooFewTasks | Cause::OneProducer | Cause::DependenceChain => &["task"],
            _ => &[],
        }
    }

    /// Whether threads wait for their turn, in a lock or a critical, atomic or ordered region.
    pub fn is_mutual_exclusion(self) -> bool {
        use Cause::*;
        matches!(
            self,
            CriticalContention | ReductionByCritical | LockContention | LockConvoy | AtomicContention | OrderedStall
        )
    }
}
