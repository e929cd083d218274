//! Time on the CPU as a summary has it: of regions, and of threads.

use super::sum::add;
use serde::{Deserialize, Serialize};

/// Where the time of threads on and off their CPUs went. All times are in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuTime {
    /// Time on a CPU: working, waiting (spinning), or in the runtime.
    pub cpu_ns: u64,
    /// Work for which the time on a CPU is known: all work but that after a thread's last reading. Of a region, work
    /// in regions inside it is left out.
    pub work_ns: u64,
    /// The part of `work_ns` in which the thread had given the CPU up: it slept, read, or waited for a page.
    pub blocked_ns: u64,
    /// The part of `work_ns` in which the system had taken the CPU away from the thread.
    pub preempted_ns: u64,
    /// The part of `preempted_ns` in which another thread of the program worked on the same CPU.
    pub shared_ns: u64,
    /// The part of `shared_ns` in which no more threads worked than the process may use CPUs: each could have had a CPU
    /// of its own, unless other processes used them.
    pub needless_ns: u64,
    /// Time on a CPU while the thread waited.
    pub spin_ns: u64,
    /// Switches because the thread gave the CPU up. This and the other counts belong to a region if the region has
    /// most of the interval in which they were counted.
    pub voluntary: u64,
    /// Switches because the system took the CPU away.
    pub involuntary: u64,
    /// How often the thread was on another CPU than at the reading before.
    pub migrations: u64,
    /// Page faults that needed no device, such as the first touch of a page.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
}

impl CpuTime {
    /// The part of `work_ns` in which the thread was on no CPU.
    pub fn off_cpu_ns(&self) -> u64 {
        self.blocked_ns.saturating_add(self.preempted_ns)
    }

    /// How long the members of a team of so many may have waited for one that lost its CPU to another process. This
    /// is no property of the program.
    pub fn waits_for_strangers(&self, threads: u64) -> u64 {
        self.preempted_ns.saturating_sub(self.shared_ns).saturating_mul(threads.saturating_sub(1))
    }

    /// A part of `work_ns` in percent; 0 if no reading covers any work.
    pub fn percent_of_work(&self, part_ns: u64) -> f64 {
        if self.work_ns == 0 { 0.0 } else { 100.0 * part_ns as f64 / self.work_ns as f64 }
    }

    /// Adds another's times and counts.
    pub(super) fn unite(&mut self, other: &CpuTime) {
        add(&mut self.cpu_ns, other.cpu_ns);
        add(&mut self.work_ns, other.work_ns);
        add(&mut self.blocked_ns, other.blocked_ns);
        add(&mut self.preempted_ns, other.preempted_ns);
        add(&mut self.shared_ns, other.shared_ns);
        add(&mut self.needless_ns, other.needless_ns);
        add(&mut self.spin_ns, other.spin_ns);
        add(&mut self.voluntary, other.voluntary);
        add(&mut self.involuntary, other.involuntary);
        add(&mut self.migrations, other.migrations);
        add(&mut self.minor_faults, other.minor_faults);
        add(&mut self.major_faults, other.major_faults);
    }
}

/// One thread of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadRow {
    /// The number in the trace.
    pub number: u32,
    /// The system's thread id.
    pub tid: u64,
    /// The name as the system has it; may be empty.
    pub name: String,
    /// The device that the thread belongs to; none for the host.
    pub device: Option<u64>,
    /// Its first event.
    pub begin_ns: u64,
    /// Its last event, or the end of the trace if it was in a region then.
    pub end_ns: u64,
    /// Running the program's code.
    pub work_ns: u64,
    /// The part of `work_ns` outside of parallel regions.
    pub serial_ns: u64,
    /// Waiting in barriers, taskwait, taskgroup, for devices and for locks.
    pub wait_ns: u64,
    /// In the runtime but not waiting.
    pub runtime_ns: u64,
    /// Without a part in any region: the rest of the time from begin to end.
    pub idle_ns: u64,
    /// Time on the CPU. Its `work_ns` and `spin_ns` are over all regions; idle time on the CPU counts as spinning.
    pub cpu: CpuTime,
    /// The CPUs at the readings, in ascending order.
    pub cpus: Vec<u64>,
}
