//! What the calling thread has used: time on a CPU, switches, page faults. Read at begins and ends of regions and
//! waits, at most once in about a millisecond, so that the two system calls of a reading (about 0.4 us) do not count.

use crate::store::Record;
use crate::store::clock::Clock;

/// Time between two readings of a thread, in nanoseconds.
const APART_NS: u64 = 1_000_000;

/// The counts of one thread since its begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    cpu_ns: u64,
    voluntary: u64,
    involuntary: u64,
    minor_faults: u64,
    major_faults: u64,
    cpu: u64,
}

impl Usage {
    /// The calling thread's counts now.
    pub fn now() -> Usage {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a live timespec. The times of `getrusage` are only as new as the last switch or
        // tick of the system, but this clock counts up to now.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        // SAFETY: a set of zeros is a valid one, and the call writes only to it.
        let counts = unsafe {
            let mut counts: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &mut counts);
            counts
        };
        Usage {
            cpu_ns: time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64,
            voluntary: counts.ru_nvcsw as u64,
            involuntary: counts.ru_nivcsw as u64,
            minor_faults: counts.ru_minflt as u64,
            major_faults: counts.ru_majflt as u64,
            // SAFETY: a plain call; a negative answer is no CPU.
            cpu: u64::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(0),
        }
    }

    /// The record of what was used since `before`.
    pub fn since(&self, before: &Usage) -> Record {
        Record::Usage {
            cpu_ns: self.cpu_ns.saturating_sub(before.cpu_ns),
            voluntary: self.voluntary.saturating_sub(before.voluntary),
            involuntary: self.involuntary.saturating_sub(before.involuntary),
            minor_faults: self.minor_faults.saturating_sub(before.minor_faults),
            major_faults: self.major_faults.saturating_sub(before.major_faults),
            cpu: self.cpu,
        }
    }
}

/// Ticks between two readings.
pub fn ticks_apart(clock: &Clock) -> u64 {
    let (ticks, ns) = (clock.later.ticks - clock.start.ticks, clock.later.ns - clock.start.ns);
    (u128::from(APART_NS) * u128::from(ticks) / u128::from(ns.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::clock::Pair;

    #[test]
    fn sleep_is_no_time_on_a_cpu() {
        let before = Usage::now();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let Record::Usage { cpu_ns, voluntary, .. } = Usage::now().since(&before) else { panic!("another record") };
        assert!(cpu_ns < 10_000_000 && voluntary > 0, "{cpu_ns} ns, {voluntary} switches");
    }

    #[test]
    fn readings_are_a_millisecond_apart() {
        let (start, later) = (Pair { ticks: 50, ns: 0 }, Pair { ticks: 50 + 6_000_000, ns: 2_000_000 });
        assert_eq!(ticks_apart(&Clock { start, later, ..Clock::default() }), 3_000_000);
    }
}
