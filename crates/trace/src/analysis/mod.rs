//! What a trace means: where the time of each parallel region went, which locks were waited for, how long tasks were.
//! Events are OMPT's (OpenMP 5.1, section 4.5.2); every number's definition stands at its field.

mod blame;
mod collected;
mod order;
mod summary;
mod target;
mod thread;

use crate::Site;
use std::borrow::Cow;

/// What a trace amounts to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// From the start of the recording (the initialisation of the runtime) to its end.
    pub wall_ns: u64,
    /// Threads that recorded anything.
    pub threads: usize,
    /// Events read.
    pub events: u64,
    /// Events that could not be recorded.
    pub lost: u64,
    /// Time in which the initial thread was in no parallel region.
    pub serial_ns: u64,
    /// Parallel regions by construct, the one with the most time first.
    pub regions: Vec<Region>,
    /// Locks, critical, ordered and atomic regions by place of acquisition, the one with the most waiting first.
    pub locks: Vec<Lock>,
    /// Waiting of members of teams by place, the place with the most first.
    pub waits: Vec<Wait>,
    /// Explicit tasks by place of creation, the one with the most work first.
    pub tasks: Vec<TaskSite>,
    /// Device constructs by place, the one with the most time on the host first.
    pub targets: Vec<TargetSite>,
    /// True if nothing but the start of threads was seen: the program used no OpenMP construct.
    pub no_openmp: bool,
}

/// All executions of one parallel construct.
///
/// The time of one execution is from its begin to its end on the encountering thread; multiplied by the threads of its
/// team it is its *thread time*, and that splits without rest into work, barrier, sync, idle and runtime.
/// Time of a nested region counts as work of the region around it, so the regions' times overlap.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// Waiting in taskwait, taskgroup, for devices, and for locks, critical, ordered and atomic regions.
    pub sync_ns: u64,
    /// Thread time before a thread began its part of the region, and after the thread ended it.
    pub idle_ns: u64,
    /// In the runtime but not waiting: forking, joining, entering and leaving barriers, reductions.
    pub runtime_ns: u64,
    /// Sum over executions of the team's mean work.
    pub mean_work_ns: f64,
    /// Sum over executions of the work of the busiest thread.
    pub max_work_ns: u64,
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
        if self.max_work_ns == 0 { 0.0 } else { 100.0 * (1.0 - self.mean_work_ns / self.max_work_ns as f64) }
    }
}

/// The waiting of a team's members at one construct: in a barrier, a taskwait or a taskgroup. Leaving a barrier after
/// the last arrival is no part of it.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// What the other members did meanwhile, the longest first. While several members work, each has an equal part in
    /// the waiting. The sum is at most `wait_ns`.
    pub causes: Vec<(Activity, u64)>,
}

/// What a member of a team does while others wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Activity {
    /// What it is.
    pub kind: ActivityKind,
    /// The construct; without addresses if there is none.
    pub site: Site,
}

/// See [`Activity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Code that holds a lock or is in a critical, ordered or atomic region, by `ompt_mutex_t`; see [`mutex_name`].
    Holding(u64),
    /// Waiting for one of these.
    WaitingFor(u64),
    /// A device construct.
    Device,
    /// The thread has not begun its part of the region: it wakes up, or the system runs something else.
    Beginning,
    /// The runtime: forking, joining, entering and leaving synchronising constructs.
    Runtime,
}

impl ActivityKind {
    /// What users call it.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ActivityKind::Body => "region",
            ActivityKind::Work(kind) => return work_name(kind),
            ActivityKind::Masked => "masked",
            ActivityKind::Task => "task",
            ActivityKind::Holding(kind) => return mutex_name(kind),
            ActivityKind::WaitingFor(kind) => return Cow::Owned(format!("waiting for {}", mutex_name(kind))),
            ActivityKind::Device => "device construct",
            ActivityKind::Beginning => "not there yet",
            ActivityKind::Runtime => "runtime",
        })
    }
}

/// The locks or regions of one kind that were acquired at one place.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The longest.
    pub max_wait_ns: u64,
    /// Time from acquisition to release.
    pub hold_ns: u64,
}

impl Lock {
    /// What users call the kind.
    pub fn kind_name(&self) -> Cow<'static, str> {
        mutex_name(self.kind)
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

/// All explicit tasks that one construct created.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, Default, PartialEq)]
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
