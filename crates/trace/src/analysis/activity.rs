//! What a thread does in a region, and what users call the kinds of constructs.

use crate::Site;
use crate::store::mpi;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a member of a team does while others wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Activity {
    /// What it is.
    pub kind: ActivityKind,
    /// The construct; without addresses if there is none.
    pub site: Site,
}

/// See [`Activity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ActivityKind {
    /// The region's code outside of all other constructs. gcc's static loops are among it: they make no call.
    #[default]
    Body,
    /// A worksharing construct, by `ompt_work_t`; see [`work_name`].
    Work(u64),
    /// A masked construct.
    Masked,
    /// An explicit task, by the place of its creation.
    Task,
    /// An explicit task that the thread executes while it waits in a taskwait or taskgroup construct, by the construct
    /// and its `ompt_sync_region_t`.
    TaskInWait(u64),
    /// Code that holds a lock or is in a critical, ordered or atomic region, by `ompt_mutex_t`; see [`mutex_name`].
    Holding(u64),
    /// Waiting for one of these.
    WaitingFor(u64),
    /// A device construct.
    Device,
    /// A call of MPI, by its number.
    Mpi(u64),
    /// The thread has not begun its part of the region: it wakes up, or the system runs something else.
    Beginning,
    /// The runtime: forking, joining, entering and leaving synchronising constructs.
    Runtime,
}

impl ActivityKind {
    /// Whether it is the program's code in a region, outside of tasks and locks.
    pub fn is_code(self) -> bool {
        matches!(self, ActivityKind::Body | ActivityKind::Work(_) | ActivityKind::Masked)
    }

    /// What users call it.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ActivityKind::Body => "region",
            ActivityKind::Work(kind) => return work_name(kind),
            ActivityKind::Masked => "masked",
            ActivityKind::Task => "task",
            ActivityKind::TaskInWait(kind) => return Cow::Owned(format!("task in {}", sync_name(kind))),
            ActivityKind::Holding(kind) => return mutex_name(kind),
            ActivityKind::WaitingFor(kind) => return Cow::Owned(format!("waiting for {}", mutex_name(kind))),
            ActivityKind::Device => "device construct",
            ActivityKind::Mpi(call) => return mpi::name(call),
            ActivityKind::Beginning => "not there yet",
            ActivityKind::Runtime => "runtime",
        })
    }
}

/// What users call an `ompt_mutex_t`. One that this version does not know is called by its number.
pub fn mutex_name(kind: u64) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        1 => "lock",
        2 => "test lock",
        3 => "nest lock",
        4 => "test nest lock",
        5 => "critical",
        6 => "atomic",
        7 => "ordered",
        _ => return Cow::Owned(format!("mutex {kind}")),
    })
}

/// What users call an `ompt_sync_region_t`. One that this version does not know is called by its number.
pub fn sync_name(kind: u64) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        1 | 3 => "barrier",
        2 => "implicit barrier",
        4 => "barrier (runtime)",
        5 => "taskwait",
        6 => "taskgroup",
        7 => "reduction",
        8 => "barrier after worksharing",
        9 => "barrier at region end",
        10 => "barrier of teams",
        _ => return Cow::Owned(format!("synchronisation {kind}")),
    })
}

/// What users call an `ompt_work_t`. One that this version does not know is called by its number.
pub fn work_name(kind: u64) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        1 => "loop",
        2 => "sections",
        3 => "single (executing)",
        4 => "single (skipped)",
        5 => "workshare",
        6 => "distribute",
        7 => "taskloop",
        8 => "scope",
        9 => "workdistribute",
        10 => "loop static",
        11 => "loop dynamic",
        12 => "loop guided",
        13 => "loop other",
        _ => return Cow::Owned(format!("worksharing {kind}")),
    })
}
