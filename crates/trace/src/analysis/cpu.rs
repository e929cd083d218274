//! Time on the CPU against wall time. A thread's records `Usage` say what it has used since the one before; the time
//! between two of them is an *interval*. What the thread did in an interval (work, waiting, the runtime's own work, in
//! which regions) is known exactly; which part of each the thread was on a CPU is known only if it did one thing.
//! Otherwise it is divided:
//!
//! - *Blocked*: the thread gave the CPU up, as in a sleep or a read. Waiting comes first, then the rest.
//! - *Preempted*: the system took the CPU away. Each part of the interval has its share.

use super::Region;
use super::sum::add;
use super::usage::CpuTime;
use crate::Site;
use crate::store::Record;
use rustc_hash::FxHashMap;

/// Time by what a thread does, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub work: u64,
    pub wait: u64,
    pub runtime: u64,
}

impl Spent {
    fn total(&self) -> u64 {
        self.work.saturating_add(self.wait).saturating_add(self.runtime)
    }

    /// Adds another's times.
    pub fn add(&mut self, other: &Spent) {
        add(&mut self.work, other.work);
        add(&mut self.wait, other.wait);
        add(&mut self.runtime, other.runtime);
    }
}

/// How many threads work at the same time.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    /// By thread.
    working: Vec<bool>,
    count: usize,
    since: u64,
    /// Time in which so many threads worked, by their number.
    times: Vec<u64>,
    /// Sum of the times of all threads that work.
    total: u64,
}

impl Crowd {
    /// A further thread.
    pub fn add_thread(&mut self) {
        self.working.push(false);
    }

    /// A thread works from now on, or no more.
    pub fn note(&mut self, thread: usize, works: bool, now: u64) {
        if std::mem::replace(&mut self.working[thread], works) != works {
            self.advance(now);
            self.count = if works { self.count + 1 } else { self.count - 1 };
        }
    }

    /// Whether a thread works.
    pub fn works(&self, thread: usize) -> bool {
        self.working[thread]
    }

    /// The sum of the work of all threads up to now.
    fn work_until(&mut self, now: u64) -> u64 {
        self.advance(now);
        self.total
    }

    fn advance(&mut self, now: u64) {
        let time = now.saturating_sub(self.since);
        self.since = self.since.max(now);
        if self.times.len() <= self.count {
            self.times.resize(self.count + 1, 0);
        }
        add(&mut self.times[self.count], time);
        add(&mut self.total, time.saturating_mul(self.count as u64));
    }

    /// Time in which exactly so many threads worked, by their number; up to the most that ever did.
    pub fn finish(mut self, end: u64) -> Vec<u64> {
        self.advance(end);
        let most = self.times.iter().rposition(|time| *time > 0).map_or(0, |most| most + 1);
        self.times.truncate(most);
        self.times
    }
}

/// What is known of one thread's use of CPUs while its events are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    /// The last reading and the CPU then.
    last: Option<(u64, u64)>,
    /// The work of all threads up to the last reading.
    crowd: u64,
    /// Since the last reading, in parts of regions that the thread has left, by the region.
    left: Vec<(Site, Spent)>,
    /// The last interval, if the thread worked in it.
    worked: Option<(u64, u64)>,
    pub cpu: CpuTime,
    /// The CPUs at the readings.
    pub cpus: Vec<u64>,
}

/// The work of which the system has taken a part away from a thread, by region, and when.
pub(super) struct Preempted {
    parts: Vec<(Site, u64)>,
    from: u64,
    cpu: u64,
    /// How many threads worked on average.
    crowd: f64,
}

impl Meter {
    /// The thread leaves its part of a region, in which it has done this since the last reading.
    pub fn leave(&mut self, region: Site, doing: Spent) {
        if doing.total() == 0 {
            return;
        }
        match self.left.iter_mut().find(|(known, _)| *known == region) {
            Some((_, sum)) => sum.add(&doing),
            None => self.left.push((region, doing)),
        }
    }

    /// Takes a reading. `inside` is what the thread has done since the last one in the regions that it is in.
    pub fn read(
        &mut self,
        now: u64,
        record: Record,
        inside: impl Iterator<Item = (Site, Spent)>,
        crowd: &mut Crowd,
        regions: &mut FxHashMap<Site, Region>,
    ) -> Option<Preempted> {
        let Record::Usage { cpu_ns, voluntary, involuntary, minor_faults, major_faults, cpu } = record else {
            return None;
        };
        inside.for_each(|(region, doing)| self.leave(region, doing));
        let parts = std::mem::take(&mut self.left);
        let crowd = crowd.work_until(now);
        let crowd_before = std::mem::replace(&mut self.crowd, crowd);
        if let Err(place) = self.cpus.binary_search(&cpu) {
            self.cpus.insert(place, cpu);
        }
        let (from, cpu_before) = self.last.replace((now, cpu))?;
        let length = now.saturating_sub(from);
        let (blocked, preempted) = off_cpu(length, cpu_ns, voluntary, involuntary);
        let shares = Shares::new(length, blocked, preempted, &parts);
        let (mut sum, mut taken) = (CpuTime::default(), Vec::new());
        for &(region, doing) in &parts {
            let time = shares.of(&doing);
            sum.unite(&time);
            if time.preempted_ns > 0 {
                taken.push((region, time.preempted_ns));
            }
            if region != Site::default() {
                regions.entry(region).or_default().cpu.unite(&time);
            }
        }
        self.worked = (sum.work_ns > 0).then_some((from, now));
        let migrations = u64::from(cpu != cpu_before);
        let counts = CpuTime { voluntary, involuntary, migrations, minor_faults, major_faults, ..CpuTime::default() };
        // Counts belong to the region with most of the interval.
        let most = parts.iter().max_by_key(|(_, doing)| doing.total());
        if let Some((region, _)) =
            most.filter(|(region, doing)| *region != Site::default() && doing.total() > length / 2)
        {
            regions.entry(*region).or_default().cpu.unite(&counts);
        }
        self.cpu.unite(&sum);
        self.cpu.unite(&counts);
        // The rest of the time on the CPU is idle spinning.
        let idle = cpu_ns.min(length).saturating_sub(sum.cpu_ns);
        add(&mut self.cpu.cpu_ns, idle);
        add(&mut self.cpu.spin_ns, idle);
        let crowd = (crowd - crowd_before) as f64 / length.max(1) as f64;
        (!taken.is_empty()).then_some(Preempted { parts: taken, from, cpu, crowd })
    }

    /// Whether this thread, which works now or not, has worked where and when the system took work of another away.
    pub fn was_at(&self, preempted: &Preempted, works: bool) -> bool {
        let worked = works || self.worked.is_some_and(|(_, to)| to > preempted.from);
        worked && self.last.is_some_and(|(_, last)| last == preempted.cpu)
    }
}

impl Meter {
    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        self.cpu = CpuTime::default();
        self.cpus = self.last.iter().map(|(_, cpu)| *cpu).collect();
    }
}

impl Preempted {
    /// Another thread of the program had the CPU meanwhile. `meter` is that of the thread that was preempted, and
    /// `cpus` is how many the process may use.
    pub fn share(self, cpus: u32, meter: &mut Meter, regions: &mut FxHashMap<Site, Region>) {
        // Threads do not begin and end at the same time: a little more than one for each CPU is no crowd.
        let needless = self.crowd < f64::from(cpus) + 0.5;
        for (region, ns) in self.parts {
            let time = CpuTime { shared_ns: ns, needless_ns: if needless { ns } else { 0 }, ..CpuTime::default() };
            meter.cpu.unite(&time);
            if region != Site::default() {
                regions.entry(region).or_default().cpu.unite(&time);
            }
        }
    }
}

/// The longest time that one involuntary switch is taken to cost, if the thread has given its CPU up as well: some time
/// slices of other threads.
const LONGEST_SWITCH_NS: u64 = 10_000_000;

/// The time off the CPU in an interval: blocked and preempted. If both sorts of switches happened, they are taken to
/// have lasted equally long; but an involuntary switch lasts only as long as other threads' time slices.
fn off_cpu(length: u64, cpu_ns: u64, voluntary: u64, involuntary: u64) -> (u64, u64) {
    let off = length.saturating_sub(cpu_ns);
    if voluntary == 0 {
        return (0, off);
    }
    let most = involuntary.saturating_mul(LONGEST_SWITCH_NS).min(off);
    let preempted = if involuntary >= voluntary {
        most
    } else {
        most.min((off as f64 * involuntary as f64 / voluntary.saturating_add(involuntary) as f64) as u64)
    };
    (off - preempted, preempted)
}

/// Which share of an interval's parts a thread was off the CPU.
struct Shares {
    /// Of waiting and idle time.
    blocked_waiting: f64,
    /// Of work and the runtime's own work.
    blocked_working: f64,
    /// Of what was not blocked.
    preempted: f64,
}

impl Shares {
    fn new(length: u64, blocked: u64, preempted: u64, parts: &[(Site, Spent)]) -> Shares {
        let busy: u64 = parts.iter().map(|(_, doing)| doing.work + doing.runtime).sum();
        let waiting = length.saturating_sub(busy);
        let in_waiting = blocked.min(waiting);
        let share = |part: u64, of: u64| if of == 0 { 0.0 } else { (part as f64 / of as f64).min(1.0) };
        Shares {
            blocked_waiting: share(in_waiting, waiting),
            blocked_working: share(blocked - in_waiting, busy),
            preempted: share(preempted, length - blocked.min(length)),
        }
    }

    fn of(&self, doing: &Spent) -> CpuTime {
        let split = |ns: u64, blocked: f64| {
            let blocked = ns as f64 * blocked;
            let preempted = (ns as f64 - blocked) * self.preempted;
            [blocked as u64, preempted as u64, (ns as f64 - blocked - preempted) as u64]
        };
        let [blocked_ns, preempted_ns, working] = split(doing.work, self.blocked_working);
        let [_, _, spin_ns] = split(doing.wait, self.blocked_waiting);
        let [_, _, runtime] = split(doing.runtime, self.blocked_working);
        let cpu_ns = working + spin_ns + runtime;
        CpuTime { cpu_ns, work_ns: doing.work, blocked_ns, preempted_ns, spin_ns, ..CpuTime::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_tell_blocked_from_preempted() {
        const MS: u64 = 1_000_000;
        // On the CPU all the time; a clock may even run ahead by a bit.
        assert_eq!(off_cpu(10 * MS, 11 * MS, 0, 4), (0, 0));
        // A sleep, also on a busy machine.
        assert_eq!(off_cpu(200 * MS, 0, 1, 0), (200 * MS, 0));
        assert_eq!(off_cpu(220 * MS, 10 * MS, 1, 2), (190 * MS, 20 * MS));
        // Another thread on the same CPU.
        assert_eq!(off_cpu(200 * MS, 100 * MS, 0, 30), (0, 100 * MS));
        assert_eq!(off_cpu(200 * MS, 100 * MS, 1, 30), (0, 100 * MS));
        // Many reads, some of whose ends came while the CPU was taken.
        assert_eq!(off_cpu(200 * MS, 100 * MS, 90, 10), (90 * MS, 10 * MS));
    }

    #[test]
    fn waiting_is_blocked_before_work_is() {
        let region = Site::from(1);
        let part = Spent { work: 600, wait: 300, runtime: 100 };
        let shares = Shares::new(1000, 400, 0, &[(region, part)]);
        let time = shares.of(&part);
        // 300 of the waiting, and 100 of the other 700.
        assert_eq!((time.blocked_ns, time.spin_ns, time.preempted_ns), (85, 0, 0));
        let shares = Shares::new(1000, 0, 500, &[(region, part)]);
        let time = shares.of(&part);
        assert_eq!((time.preempted_ns, time.spin_ns, time.cpu_ns), (300, 150, 500));
    }

    #[test]
    fn threads_that_work_at_once_are_counted() {
        let mut crowd = Crowd::default();
        (0..3).for_each(|_| crowd.add_thread());
        crowd.note(0, true, 10);
        crowd.note(2, true, 30);
        crowd.note(2, true, 35);
        assert_eq!(crowd.work_until(40), 20 + 20);
        crowd.note(0, false, 50);
        assert_eq!(crowd.finish(100), [10, 20 + 50, 20]);
    }
}
