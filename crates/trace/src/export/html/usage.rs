//! What the threads do over time: for each bucket of time, the time that threads spend in each activity.

/// Buckets of the run.
const BUCKETS: u64 = 4096;

/// What a thread does, as far as the use of the machine is concerned. The page draws them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The program's code in a parallel region.
    Work,
    /// The program's code of an initial thread outside all regions.
    Serial,
    /// In a device construct.
    Device,
    /// Forking, joining, entering and leaving synchronising constructs.
    Runtime,
    /// Waiting for a lock, critical, ordered or atomic region.
    Lock,
    /// Waiting in barriers, and for tasks.
    Wait,
    /// A worker in no region.
    Idle,
}

/// The names of all activities, in their order.
pub const ACTIVITIES: [&str; 7] = ["work", "serial", "device", "runtime", "lock", "wait", "idle"];

/// The time of all threads in each activity.
pub struct Usage {
    ns: u64,
    /// Of each bucket, the nanoseconds of each activity.
    sums: Vec<[u64; ACTIVITIES.len()]>,
}

impl Usage {
    /// For a run of `wall_ns`.
    pub fn new(wall_ns: u64) -> Usage {
        let ns = wall_ns.div_ceil(BUCKETS).max(1);
        Usage { ns, sums: vec![[0; ACTIVITIES.len()]; wall_ns.div_ceil(ns).max(1) as usize] }
    }

    /// A thread spent the time from `begin` to `end` so.
    pub fn add(&mut self, activity: Activity, begin: u64, end: u64) {
        let (mut at, last) = (begin, self.sums.len() - 1);
        while at < end {
            let bucket = ((at / self.ns) as usize).min(last);
            let until = if bucket == last { end } else { end.min((bucket as u64 + 1) * self.ns) };
            self.sums[bucket][activity as usize] += until - at;
            at = until;
        }
    }

    /// The duration of a bucket.
    pub fn bucket_ns(&self) -> u64 {
        self.ns
    }

    /// For each bucket, the time in which threads run the program's code, and the time of all threads.
    pub fn useful(&self) -> impl Iterator<Item = (u64, u64)> {
        let useful = |sums: &[u64; ACTIVITIES.len()]| sums[Activity::Work as usize] + sums[Activity::Serial as usize];
        self.sums.iter().map(move |sums| (useful(sums), sums.iter().sum()))
    }

    /// For each activity, the mean number of threads in each bucket.
    pub fn threads(&self) -> impl Iterator<Item = f32> {
        (0..ACTIVITIES.len())
            .flat_map(move |index| self.sums.iter().map(move |sums| sums[index] as f32 / self.ns as f32))
    }

    /// For each activity, the time of all threads in nanoseconds.
    pub fn totals(&self) -> Vec<u64> {
        (0..ACTIVITIES.len()).map(|index| self.sums.iter().map(|sums| sums[index]).sum()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_spread_over_buckets() {
        let mut usage = Usage::new(40_960);
        usage.add(Activity::Work, 5, 25);
        usage.add(Activity::Idle, 40_955, 50_000);
        let threads: Vec<f32> = usage.threads().collect();
        assert_eq!(threads[..3], [0.5, 1.0, 0.5]);
        assert_eq!(usage.totals(), [20, 0, 0, 0, 0, 0, 9045]);
        assert_eq!(Usage::new(0).threads().count(), ACTIVITIES.len());
    }
}
