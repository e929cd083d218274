//! Several processes of one run, compared: forked children, ranks, programs that a program started.

use super::Summary;
use crate::store::{Meta, comparison};

/// One process, and what its trace amounts to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// The MPI rank, if a launcher has set one.
    pub rank: Option<u32>,
    /// The command line as a shell would take it.
    pub command: String,
    /// The host's name.
    pub hostname: String,
    /// The different clocks that the ranks have, and by how much this process's may still be off, if the ranks have
    /// compared their clocks.
    pub clocks: Option<(u32, u64)>,
    /// As [`Summary::wall_ns`].
    pub wall_ns: u64,
    /// As [`Summary::serial_ns`].
    pub serial_ns: u64,
    /// Work of all threads in regions that are not nested; the nested ones are part of their work.
    pub work_ns: u64,
    /// Waiting of all threads in all regions: in barriers, and for tasks, devices and locks.
    pub wait_ns: u64,
    /// As [`Summary::mpi_serial_ns`].
    pub mpi_serial_ns: u64,
    /// As [`Summary::mpi_region_ns`].
    pub mpi_region_ns: u64,
}

/// How a number differs from process to process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub min: u64,
    /// The process that has the smallest, by its place among the processes.
    pub min_at: usize,
    /// The mean.
    pub mean: u64,
    /// The largest.
    pub max: u64,
    /// The process that has the largest.
    pub max_at: usize,
}

/// One number of a process.
pub type Measure = fn(&Process) -> u64;

/// The numbers that are compared, each with its name in reports and in JSON.
pub const MEASURES: [(&str, &str, Measure); 4] = [
    ("wall time", "wall_ns", |process| process.wall_ns),
    ("outside regions", "serial_ns", |process| process.serial_ns),
    ("parallel work", "work_ns", |process| process.work_ns),
    ("waiting", "wait_ns", |process| process.wait_ns),
];

impl Process {
    /// What a summary says of its process.
    pub fn of(meta: &Meta, summary: &Summary) -> Process {
        let outermost = summary.regions.iter().map(|region| {
            let calls = region.calls.saturating_sub(region.nested) as f64 / region.calls.max(1) as f64;
            (region.work_ns as f64 * calls) as u64
        });
        let waits = summary.regions.iter().map(|region| region.barrier_ns.saturating_add(region.sync_ns));
        let clocks = meta.comparisons.first().map(|one| one.clocks);
        Process {
            pid: meta.pid,
            rank: meta.rank,
            command: meta.command(),
            hostname: meta.hostname.clone(),
            clocks: clocks.zip(comparison::error_ns(&meta.comparisons)),
            wall_ns: summary.wall_ns,
            serial_ns: summary.serial_ns,
            work_ns: outermost.fold(0, u64::saturating_add),
            wait_ns: waits.fold(0, u64::saturating_add),
            mpi_serial_ns: summary.mpi_serial_ns,
            mpi_region_ns: summary.mpi_region_ns,
        }
    }

    /// What tells the process from others: the rank, or else the process id.
    pub fn name(&self) -> String {
        self.rank.map_or_else(|| format!("process {}", self.pid), |rank| format!("rank {rank}"))
    }
}

impl Spread {
    /// The spread of a number over processes; none without processes.
    pub fn of(processes: &[Process], measure: Measure) -> Option<Spread> {
        let values = || processes.iter().map(measure).enumerate();
        // Of equal ones, the first.
        let (min_at, min) = values().min_by_key(|(at, value)| (*value, *at))?;
        let (max_at, max) = values().max_by_key(|(at, value)| (*value, std::cmp::Reverse(*at)))?;
        let sum: u128 = values().map(|(_, value)| u128::from(value)).sum();
        Some(Spread { min, min_at, mean: (sum / processes.len() as u128) as u64, max, max_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Region;

    #[test]
    fn spreads_name_the_first_of_equals() {
        let walls = [30, 10, 10, 30].map(|wall_ns| Process { wall_ns, ..Process::default() });
        let spread = Spread::of(&walls, |process| process.wall_ns);
        assert_eq!(spread, Some(Spread { min: 10, min_at: 1, mean: 20, max: 30, max_at: 0 }));
        assert_eq!(Spread::of(&[], |process| process.wall_ns), None);
    }

    #[test]
    fn nested_regions_add_no_work_and_all_waiting() {
        let region =
            |calls, nested| Region { calls, nested, work_ns: 100, barrier_ns: 20, sync_ns: 3, ..Region::default() };
        let summary = Summary { regions: vec![region(2, 0), region(4, 4), region(4, 1)], ..Summary::default() };
        let process = Process::of(&Meta::default(), &summary);
        assert_eq!((process.work_ns, process.wait_ns), (175, 69));
    }
}
