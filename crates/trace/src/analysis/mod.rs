//! What a trace means: where the time of each parallel region went, which locks were waited for, how long tasks were.
//! Events are OMPT's (OpenMP 5.1, section 4.5.2); every number's definition stands at its field.

mod activity;
mod blame;
mod callers;
mod clock;
mod collected;
mod counts;
mod cpu;
mod critical_path;
mod efficiency;
mod encountered;
mod frame;
mod gain;
mod loops;
mod mpi;
mod order;
mod outermost;
mod pass;
mod processes;
mod reports;
mod samples;
mod serial;
mod sharing;
mod state;
mod sum;
mod summary;
mod table;
mod target;
mod thread;
mod usage;

use crate::Site;
use crate::store::limits::Throttled;
pub use activity::{Activity, ActivityKind, mutex_name, sync_name, work_name};
pub(crate) use clock::Clock;
pub use counts::{Count, CounterSums};
pub use critical_path::{CriticalPath, PathKind, PathStep};
pub use efficiency::{Efficiency, FACTORS, Factor, Shares};
pub use encountered::regions;
pub use gain::{Gain, GainKind};
pub use mpi::MpiSite;
pub(crate) use order::InOrder;
pub use outermost::Outermost;
pub(crate) use pass::{About, Pass, Recording};
pub use processes::{MEASURES, Measure, Process, Spread};
pub use samples::{Calls, Doing, HotFunction, HotLine, Sampled, SampledRegisters, Samples};
use serde::{Deserialize, Serialize};
pub use sharing::{Chunk, DISPATCH_NS, Loop, Section};
use std::borrow::Cow;
pub use usage::{CpuTime, ThreadRow};

/// What a trace amounts to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// From the start of the recording (the initialisation of the runtime) to its end.
    pub wall_ns: u64,
    /// Threads that recorded anything.
    pub threads: usize,
    /// Events read.
    pub events: u64,
    /// What the recording of an event took, in nanoseconds, together with its report by the runtime; 0 if the trace
    /// does not tell.
    pub event_ns: u64,
    /// What the recording took of all threads' time together, as far as `event_ns` tells.
    pub recording_ns: u64,
    /// Events that could not be recorded.
    pub lost: u64,
    /// From the start of the process to that of the recording; 0 if it is not known.
    pub before_ns: u64,
    /// Time in which the initial thread was in no parallel region.
    pub serial_ns: u64,
    /// That time by the regions before and after, without that in device constructs; the longest first.
    pub serial: Vec<SerialPhase>,
    /// The time in which exactly so many threads of the host ran the program's code at once, by their number. Its last
    /// item belongs to the most that ever did.
    pub concurrency_ns: Vec<u64>,
    /// How long the system held the process back because its quota was used up, as in
    /// [`Meta::throttled`](crate::store::Meta::throttled).
    pub throttled: Option<Throttled>,
    /// The threads that recorded anything, in the order of their numbers.
    pub thread_rows: Vec<ThreadRow>,
    /// Parallel regions by construct, the one with the most time first.
    pub regions: Vec<Region>,
    /// The parallel regions that no other region is around, as one.
    pub outermost: Outermost,
    /// Locks, critical, ordered and atomic regions by place of acquisition, the one with the most waiting first.
    pub locks: Vec<Lock>,
    /// Waiting of members of teams by place, the place with the most first.
    pub waits: Vec<Wait>,
    /// Worksharing loops, `distribute` and sections constructs by place, the one with the most time first.
    pub loops: Vec<Loop>,
    /// Explicit tasks by place of creation, the one with the most work first.
    pub tasks: Vec<TaskSite>,
    /// Calls of MPI by place, the one with the most time first.
    pub mpi: Vec<MpiSite>,
    /// Time of all threads in MPI.
    pub mpi_ns: u64,
    /// The part of `serial_ns` that the initial thread spent in MPI.
    pub mpi_serial_ns: u64,
    /// The part of `mpi_ns` in parallel regions.
    pub mpi_region_ns: u64,
    /// Device constructs by place, the one with the most time on the host first.
    pub targets: Vec<TargetSite>,
    /// By construct, the return addresses in the callers of the code that encountered it, the innermost first: those
    /// of the first time. In ascending order of the constructs.
    pub callers: Vec<(Site, Vec<u64>)>,
    /// Where the threads spent their time on CPUs.
    pub samples: Samples,
    /// The chain of steps that the length of the run consists of; none unless it was asked for.
    #[serde(skip)]
    pub critical_path: Option<CriticalPath>,
    /// What the changes that findings speak of would bring; none where the run was not replayed.
    pub gains: Vec<Gain>,
    /// What the counters have counted; nothing if none were recorded.
    pub counters: CounterSums,
    /// Executions of regions that had not ended when the recording did. Not 0 if the program was ended inside a region.
    pub unended: u64,
    /// True if nothing but the start of threads was seen: the program used no OpenMP construct, and called no MPI that
    /// was recorded.
    pub no_openmp: bool,
}

impl Summary {
    /// From the start of the process to the end of the recording.
    pub fn run_ns(&self) -> u64 {
        self.before_ns.saturating_add(self.wall_ns)
    }

    /// The share of the run in which the initial thread was not in MPI outside of regions: this process's part in POP's
    /// MPI parallel efficiency. None without calls of MPI.
    pub fn mpi_efficiency(&self) -> Option<f64> {
        let run = self.run_ns();
        let outside = run.saturating_sub(self.mpi_serial_ns);
        (!self.mpi.is_empty() && run > 0).then(|| outside as f64 / run as f64)
    }

    /// The constructs of the program that the summary has rows for.
    pub fn sites(&self) -> impl Iterator<Item = Site> {
        let regions = self.regions.iter().map(Region::site);
        regions.chain(self.tasks.iter().map(TaskSite::site)).chain(self.targets.iter().map(TargetSite::site))
    }
}

/// All executions of one parallel construct.
///
/// The time of one execution is from its begin to its end on the encountering thread; multiplied by the threads of its
/// team it is its *thread time*, and that splits without rest into work, barrier, sync, idle and runtime.
/// Time of a nested region counts as work of the region around it, so the regions' times overlap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Return address of the construct's call into the runtime; 0 if the runtime gave none.
    pub codeptr: u64,
    /// Address of the construct's function, as in [`Site`]; 0 if it is not known.
    pub function: u64,
    /// Executions.
    pub calls: u64,
    /// Executions by a team of one thread.
    pub serialized: u64,
    /// Executions inside another parallel region.
    pub nested: u64,
    /// Explicit tasks that the team's members created.
    pub tasks: u64,
    /// The part of `tasks` that was created in executions in which one member created all.
    pub tasks_of_one: u64,
    /// Largest team.
    pub max_threads: u64,
    /// Sum of the executions' times.
    pub total_ns: u64,
    /// Longest execution.
    pub max_ns: u64,
    /// Sum of the executions' thread times.
    pub thread_ns: u64,
    /// Running the program's code: in the implicit task and in explicit tasks, wherever these were run.
    pub work_ns: u64,
    /// Waiting in implicit and explicit barriers, tasks that ran meanwhile left out.
    pub barrier_ns: u64,
    /// Waiting in taskwait, taskgroup, for devices, and for locks, critical, ordered and atomic regions, and in MPI.
    pub sync_ns: u64,
    /// The part of `sync_ns` in MPI.
    pub mpi_ns: u64,
    /// Thread time before a thread began its part of the region, and after the thread ended it.
    pub idle_ns: u64,
    /// In the runtime but not waiting: forking, joining, entering and leaving barriers, reductions.
    pub runtime_ns: u64,
    /// Sum over executions of the team's mean work.
    pub mean_work_ns: f64,
    /// Sum over executions of the work of the busiest thread.
    pub max_work_ns: u64,
    /// As `max_work_ns`, with the work of each execution multiplied by the team's threads.
    pub busiest_ns: u64,
    /// Sum over executions of the waiting of the busiest thread, multiplied by the team's threads.
    pub busiest_wait_ns: u64,
    /// Time on the CPU. Time in regions inside this one is left out.
    pub cpu: CpuTime,
}

impl Region {
    /// The construct.
    pub fn site(&self) -> Site {
        Site { codeptr: self.codeptr, function: self.function }
    }

    /// A part of the thread time in percent; 0 for a region without time.
    pub fn percent(&self, part_ns: u64) -> f64 {
        if self.thread_ns == 0 { 0.0 } else { 100.0 * part_ns as f64 / self.thread_ns as f64 }
    }

    /// Work imbalance in percent: by how much the mean thread's work falls short of the busiest thread's,
    /// `100 * (1 - mean / max)`. 0 is perfect balance; it is 100 minus the POP load balance.
    pub fn imbalance(&self) -> f64 {
        // Rounding may make a mean of equal numbers larger than each of them.
        if self.max_work_ns == 0 { 0.0 } else { 100.0 * (1.0 - self.mean_work_ns / self.max_work_ns as f64).max(0.0) }
    }
}

/// The initial thread's time between two regions, over all times that these regions followed each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SerialPhase {
    /// The region before; without addresses at the start of the recording.
    pub after: Site,
    /// The region after; without addresses at the end of the recording.
    pub before: Site,
    /// How often.
    pub times: u64,
    /// Sum of the times.
    pub total_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// The part of `total_ns` in MPI.
    pub mpi_ns: u64,
}

impl SerialPhase {
    /// The time in which the thread ran the program's code.
    pub fn work_ns(&self) -> u64 {
        self.total_ns.saturating_sub(self.mpi_ns)
    }
}

/// The waiting of a team's members at one construct: in a barrier, a taskwait or a taskgroup. Leaving a barrier after
/// the last arrival is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// The region.
    pub region: Site,
    /// `ompt_sync_region_t`; see [`sync_name`].
    pub kind: u64,
    /// The construct.
    pub site: Site,
    /// The number of times that at least one member waited.
    pub episodes: u64,
    /// Sum over the members that waited.
    pub wait_ns: u64,
    /// Time from the last synchronisation of the team to the last arrival, over all episodes.
    pub phase_ns: u64,
    /// The part of `wait_ns` in which one member worked and all others waited.
    pub alone_ns: u64,
    /// The part of `alone_ns` in which this member was the team's first, the primary thread.
    pub first_ns: u64,
    /// The part of `wait_ns` in which the primary thread was among those that waited: its own waiting.
    pub first_waits_ns: u64,
    /// The part of `wait_ns` at the first synchronisation of the team.
    pub opening_ns: u64,
    /// Members of the largest team that waited here.
    pub members: u64,
    /// What the other members did meanwhile, the longest first. While several members work, each has an equal part in
    /// the waiting. The sum is at most `wait_ns`.
    pub causes: Vec<(Activity, u64)>,
}

impl Wait {
    /// Whether members waited for tasks only, and not for each other.
    pub fn site_is_for_tasks(&self) -> bool {
        matches!(self.kind, blame::TASKWAIT | blame::TASKGROUP)
    }
}

/// The locks or regions of one kind that were acquired at one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// `ompt_mutex_t`; see [`Lock::kind_name`].
    pub kind: u64,
    /// Return address of the acquiring construct or call.
    pub codeptr: u64,
    /// Different locks seen here.
    pub objects: u64,
    /// The wait id of one of the mutexes.
    pub wait_id: u64,
    /// Acquisitions.
    pub count: u64,
    /// Time from request to acquisition, over all acquisitions.
    pub wait_ns: u64,
    /// The part of `wait_ns` that was waiting for other threads which held it.
    pub contended_ns: u64,
    /// The shortest.
    pub min_wait_ns: u64,
    /// The longest.
    pub max_wait_ns: u64,
    /// Time from acquisition to release.
    pub hold_ns: u64,
    /// The part of `hold_ns` in which the holder waited for another lock.
    pub inner_wait_ns: u64,
    /// The part of `wait_ns` in which the waiting thread held another lock.
    pub wait_while_holding_ns: u64,
    /// Where the holders had acquired it that others waited for, with the time that these waited.
    pub holders: Vec<(u64, u64)>,
    /// The region in which most of the waiting was.
    pub region: Site,
}

impl Lock {
    /// What users call the kind.
    pub fn kind_name(&self) -> Cow<'static, str> {
        mutex_name(self.kind)
    }
}

/// All explicit tasks that one construct created.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskSite {
    /// Return address of the construct's call into the runtime.
    pub codeptr: u64,
    /// Address of the construct's function, as in [`Site`]; 0 if it is not known.
    pub function: u64,
    /// Tasks created.
    pub created: u64,
    /// Tasks of these that completed. The lengths below are of these.
    pub completed: u64,
    /// Tasks that ran on a thread other than the one that created them.
    pub stolen: u64,
    /// Time in which they ran the program's code: without waiting, without other tasks run meanwhile.
    pub total_ns: u64,
    /// The shortest.
    pub min_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// Tasks that had to wait for another task because of a dependence.
    pub blocked: u64,
    /// Tasks that were created alone: the creating task waited for them at once.
    pub alone: u64,
    /// How often an implicit task waited for its tasks, a task of this construct being the last one.
    pub batches: u64,
    /// The tasks that were created before these waits, each since the wait before.
    pub in_batches: u64,
    /// The taskwait construct that waited for the last of these; without addresses if there is none.
    pub taskwait: Site,
    /// The region in which the first one was created.
    pub region: Site,
}

impl TaskSite {
    /// The construct.
    pub fn site(&self) -> Site {
        Site { codeptr: self.codeptr, function: self.function }
    }

    /// Mean length of a completed task.
    pub fn mean_ns(&self) -> u64 {
        self.total_ns.checked_div(self.completed).unwrap_or(0)
    }
}

/// All executions of one device construct, or of the calls of a device routine at one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetSite {
    /// Return address of the construct's call into the runtime.
    pub codeptr: u64,
    /// Address of the construct's function, as in [`Site`]; 0 if it is not known.
    pub function: u64,
    /// `ompt_target_t`, see [`target_name`]; 0 for a routine.
    pub kind: u64,
    /// The devices, by number.
    pub devices: Vec<u64>,
    /// Executions.
    pub calls: u64,
    /// Time that threads of the host spent in the construct, waiting for the device included.
    pub host_ns: u64,
    /// Kernels launched.
    pub kernels: u64,
    /// Time in which the device ran them; 0 if the device does not trace itself.
    pub kernel_ns: u64,
    /// The longest.
    pub max_kernel_ns: u64,
    /// Bytes copied to the device.
    pub to_bytes: u64,
    /// Bytes copied from the device.
    pub from_bytes: u64,
    /// Time of all copies: the device's, or the host's if the device does not trace itself.
    pub copy_ns: u64,
    /// The part of the copying time in which the device ran no kernel. Better overlap could hide this part.
    pub exposed_ns: u64,
}

impl TargetSite {
    /// The construct.
    pub fn site(&self) -> Site {
        Site { codeptr: self.codeptr, function: self.function }
    }

    /// Bytes copied a second; 0 if nothing was.
    pub fn bandwidth(&self) -> f64 {
        if self.copy_ns == 0 { 0.0 } else { (self.to_bytes + self.from_bytes) as f64 / self.copy_ns as f64 * 1e9 }
    }
}

/// What users call an `ompt_target_t`. One that this version does not know is called by its number.
pub fn target_name(kind: u64) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        0 => "routine",
        1 => "target",
        2 => "target enter data",
        3 => "target exit data",
        4 => "target update",
        9 => "target nowait",
        10 => "target enter data nowait",
        11 => "target exit data nowait",
        12 => "target update nowait",
        _ => return Cow::Owned(format!("device construct {kind}")),
    })
}

/// What users call an operation of a device: an `ompt_target_data_op_t`, or 0 for a kernel. One that this version does
/// not know is called by its number.
pub fn operation_name(kind: u64) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        0 => "kernel",
        1 | 17 => "allocate",
        2 | 18 => "copy to device",
        3 | 19 => "copy from device",
        4 | 20 => "free",
        5 => "associate",
        6 => "disassociate",
        7 | 23 => "copy",
        8 | 24 => "fill",
        9 | 25 => "copy of a rectangle",
        _ => return Cow::Owned(format!("operation {kind}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_of_a_later_version_is_called_by_its_number() {
        let names = [work_name(99), sync_name(99), mutex_name(99), target_name(99), operation_name(99)];
        assert!(names.iter().all(|name| name.ends_with(" 99")), "{names:?}");
        assert_eq!((work_name(9), operation_name(24)), ("workdistribute".into(), "fill".into()));
    }
}
