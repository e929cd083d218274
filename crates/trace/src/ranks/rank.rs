//! One rank of a run: the sums over its processes.

use crate::analysis::Shares;
use std::path::PathBuf;

/// A rank. Times are in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rank {
    /// Its number.
    pub rank: u32,
    /// The folder of its first process's trace.
    pub folder: PathBuf,
    /// The host.
    pub host: String,
    /// The process id of the first process.
    pub pid: u32,
    /// The command line of the first process as a shell would take it.
    pub command: String,
    /// Traces of the rank: further ones are of programs that the rank has started, and of forked children.
    pub processes: u64,
    /// The start of the first process, since 1970-01-01 UTC, by the host's clock.
    pub begin_ns: u64,
    /// The end of the last recording.
    pub end_ns: u64,
    /// Threads of the largest team.
    pub threads: u64,
    /// Thread times, which make the efficiency.
    pub shares: Shares,
    /// The time outside of parallel regions, from the start of the process.
    pub serial_ns: u64,
    /// The part of `serial_ns` that the initial thread spent in MPI.
    pub mpi_serial_ns: u64,
    /// Time of all threads in MPI in parallel regions.
    pub mpi_region_ns: u64,
    /// Time outside of parallel regions in those calls of MPI that wait for other ranks.
    pub mpi_wait_ns: u64,
    /// Waiting of all threads in regions.
    pub wait_ns: u64,
    /// The CPUs on which the threads were seen, in ascending order.
    pub cpus: Vec<u64>,
    /// CPUs of the host that are online; 0 if it is not known.
    pub cpus_online: u32,
    /// Work of all threads, as far as the time on CPUs is known.
    pub work_ns: u64,
    /// The part of that work for which the system took the CPU away.
    pub preempted_ns: u64,
}

impl Rank {
    /// From the start of the first process to the end of the last.
    pub fn time_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.begin_ns)
    }

    /// That time without what the initial thread spent in MPI outside of regions.
    pub fn outside_mpi_ns(&self) -> u64 {
        self.time_ns().saturating_sub(self.mpi_serial_ns)
    }

    /// Adds what another process of the rank has done. The one that began first names the rank.
    pub(super) fn unite(&mut self, other: Rank) {
        let (first, second) = if (self.begin_ns, self.pid) <= (other.begin_ns, other.pid) {
            (self.clone(), other)
        } else {
            (other, self.clone())
        };
        let mut cpus = [first.cpus, second.cpus].concat();
        cpus.sort_unstable();
        cpus.dedup();
        *self = Rank {
            processes: first.processes + second.processes,
            end_ns: first.end_ns.max(second.end_ns),
            threads: first.threads.max(second.threads),
            shares: first.shares.plus(second.shares),
            serial_ns: first.serial_ns.saturating_add(second.serial_ns),
            mpi_serial_ns: first.mpi_serial_ns.saturating_add(second.mpi_serial_ns),
            mpi_region_ns: first.mpi_region_ns.saturating_add(second.mpi_region_ns),
            mpi_wait_ns: first.mpi_wait_ns.saturating_add(second.mpi_wait_ns),
            wait_ns: first.wait_ns.saturating_add(second.wait_ns),
            cpus,
            work_ns: first.work_ns.saturating_add(second.work_ns),
            preempted_ns: first.preempted_ns.saturating_add(second.preempted_ns),
            ..first
        };
    }
}
