//! The critical path of a run, as a summary has it: the chain of work and delays that the run's length consists of.

use super::activity::{Activity, ActivityKind, mutex_name, sync_name};
use crate::Site;
use std::borrow::Cow;

/// The chain of what nobody waited for. A run gets shorter only if something on it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CriticalPath {
    /// The length of the run as it was recorded, from the start of the process. In nanoseconds, as all times.
    pub measured_ns: u64,
    /// The length of the replayed run with typical delays: at each spot, the median of the time from the moment when
    /// a thread could go on to the moment when it did. It differs from `measured_ns` by what disturbed the run, and by
    /// what the replay does not know.
    pub replayed_ns: u64,
    /// The length of the path, which is the sum of its steps: of the run as it was measured; or of the run with changes
    /// and typical delays.
    pub length_ns: u64,
    /// By what and place, the longest first.
    pub steps: Vec<PathStep>,
}

/// The parts of the path that are of one kind at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathStep {
    /// What a thread did there.
    pub what: PathKind,
    /// The construct; without addresses if there is none.
    pub site: Site,
    /// How long, in sum.
    pub ns: u64,
}

/// See [`PathStep`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathKind {
    /// The program before its first use of OpenMP.
    #[default]
    Startup,
    /// The program outside of parallel regions.
    Serial,
    /// The program's code or the runtime in a region.
    Code(ActivityKind),
    /// From a region's begin to a thread's part of it: the thread wakes up, or the system runs something else.
    ThreadStart,
    /// From the last arrival at a barrier to the leaving, by `ompt_sync_region_t`; or from the end of the last task
    /// that a taskwait or taskgroup waits for.
    Leaving(u64),
    /// From the release of a lock to its acquisition by the next thread, by `ompt_mutex_t`.
    Handover(u64),
    /// From the moment when a task could run to its start.
    TaskStart,
}

impl PathKind {
    /// What users call it.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            PathKind::Startup => "before OpenMP",
            PathKind::Serial => "outside regions",
            PathKind::Code(kind) => return kind.name(),
            PathKind::ThreadStart => "thread start",
            PathKind::Leaving(kind) => return Cow::Owned(format!("leaving {}", sync_name(kind))),
            PathKind::Handover(kind) => return Cow::Owned(format!("getting {}", mutex_name(kind))),
            PathKind::TaskStart => "task start",
        })
    }
}

impl From<Activity> for PathStep {
    fn from(Activity { kind, site }: Activity) -> PathStep {
        PathStep { what: PathKind::Code(kind), site, ns: 0 }
    }
}

impl CriticalPath {
    /// A step's part of the path in percent.
    pub fn percent(&self, step: &PathStep) -> f64 {
        100.0 * step.ns as f64 / self.length_ns.max(1) as f64
    }
}
