//! The parallel regions of a run as one.

use serde::{Deserialize, Serialize};

/// The executions of parallel regions on the host that no other region is around, summed up. Thread time is time
/// multiplied by the threads of the team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outermost {
    /// Threads of the largest team.
    pub threads: u64,
    /// Sum of the executions' times.
    pub time_ns: u64,
    /// Sum of the executions' thread times.
    pub thread_ns: u64,
    /// As [`Region::work_ns`](crate::analysis::Region::work_ns).
    pub work_ns: u64,
    /// As [`Region::busiest_ns`](crate::analysis::Region::busiest_ns).
    pub busiest_ns: u64,
    /// As [`Region::busiest_wait_ns`](crate::analysis::Region::busiest_wait_ns).
    pub busiest_wait_ns: u64,
}
