//! Efficiencies after the multiplicative model of the POP project, for teams of OpenMP threads. `docs/efficiency.md`
//! has the formulas and what they mean.

use super::{Region, Summary};

/// How well threads are used, as a product of factors. Each factor is above 0 and at most 1 unless no thread works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiency {
    /// Useful work by the thread time. The product of the factors, up to rounding.
    pub parallel: f64,
    /// What the serial time and small teams leave of the threads' time; 1 of a region.
    pub amdahl: f64,
    /// Mean work of the threads by the work of the busiest.
    pub load_balance: f64,
    /// Work of the busiest thread by its work and waiting.
    pub serialisation: f64,
    /// Work and waiting of the busiest thread by the time: the rest is the runtime's.
    pub transfer: f64,
}

/// One factor of an efficiency.
pub type Factor = fn(&Efficiency) -> f64;

/// The factors with their names in reports.
pub const FACTORS: [(&str, Factor); 4] = [
    ("Amdahl", |factors| factors.amdahl),
    ("load balance", |factors| factors.load_balance),
    ("serialisation", |factors| factors.serialisation),
    ("transfer", |factors| factors.transfer),
];

/// Thread times in nanoseconds from which the factors follow. Sums of these are again such times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// The time of the run or region, multiplied by the threads.
    pub all: f64,
    /// The part of the work that one thread did alone, outside of regions.
    pub serial: f64,
    /// Thread time in regions.
    pub thread: f64,
    /// Work in regions.
    pub work: f64,
    /// The work if every thread had worked as long as the busiest.
    pub busiest: f64,
    /// The waiting if every thread had waited as long as the busiest.
    pub busiest_wait: f64,
}

impl Shares {
    /// Of one region.
    pub fn of_region(region: &Region) -> Shares {
        Shares {
            all: region.thread_ns as f64,
            serial: 0.0,
            thread: region.thread_ns as f64,
            work: region.work_ns as f64,
            busiest: region.busiest_ns as f64,
            busiest_wait: region.busiest_wait_ns as f64,
        }
    }

    /// Of the whole run, from the start of the process, without the initial thread's time in MPI outside of regions:
    /// that time is MPI's part, which [`Summary::mpi_efficiency`] tells.
    pub fn of_run(summary: &Summary) -> Shares {
        let outermost = &summary.outermost;
        let outside = summary.serial_ns.saturating_sub(summary.mpi_serial_ns);
        let serial = outside.saturating_add(summary.before_ns) as f64;
        Shares {
            all: outermost.threads.max(1) as f64 * (serial + outermost.time_ns as f64),
            serial,
            thread: outermost.thread_ns as f64,
            work: outermost.work_ns as f64,
            busiest: outermost.busiest_ns as f64,
            busiest_wait: outermost.busiest_wait_ns as f64,
        }
    }

    /// The sum of both.
    pub fn plus(self, other: Shares) -> Shares {
        Shares {
            all: self.all + other.all,
            serial: self.serial + other.serial,
            thread: self.thread + other.thread,
            work: self.work + other.work,
            busiest: self.busiest + other.busiest,
            busiest_wait: self.busiest_wait + other.busiest_wait,
        }
    }

    /// The program's code, of all threads.
    pub fn useful(&self) -> f64 {
        self.serial + self.work
    }

    /// The factors; none without time. Numbers of a damaged trace that contradict each other give no factor above 1.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let useful = self.useful();
        let balanced = (self.serial + self.busiest).max(useful);
        let waited = balanced + self.busiest_wait;
        let present = (self.serial + self.thread).max(waited);
        let all = self.all.max(present);
        if all <= 0.0 {
            return None;
        }
        let part = |part: f64, whole: f64| if whole <= 0.0 { 1.0 } else { part / whole };
        Some(Efficiency {
            parallel: useful / all,
            amdahl: part(present, all),
            load_balance: part(useful, balanced),
            serialisation: part(balanced, waited),
            transfer: part(waited, present),
        })
    }
}

impl Efficiency {
    /// Of one region; none without time.
    pub fn of_region(region: &Region) -> Option<Efficiency> {
        Shares::of_region(region).efficiency()
    }

    /// Of the whole run, from the start of the process; none without regions.
    pub fn of_run(summary: &Summary) -> Option<Efficiency> {
        if summary.outermost.thread_ns == 0 { None } else { Shares::of_run(summary).efficiency() }
    }

    /// The factors, in the order of [`FACTORS`].
    pub fn factors(&self) -> [f64; 4] {
        FACTORS.map(|(_, factor)| factor(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Outermost;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9
    }

    #[test]
    fn a_region_by_hand() {
        // Two threads, 100 each: one works 60 and waits 20, the other works 40.
        let region = Region {
            thread_ns: 200,
            work_ns: 100,
            busiest_ns: 120,
            busiest_wait_ns: 40,
            max_threads: 2,
            ..Region::default()
        };
        let found = Efficiency::of_region(&region).unwrap();
        assert!(close(found.parallel, 0.5) && close(found.amdahl, 1.0), "{found:?}");
        assert!(close(found.load_balance, 100.0 / 120.0) && close(found.serialisation, 0.75), "{found:?}");
        assert!(close(found.transfer, 0.8), "{found:?}");
        assert_eq!(Efficiency::of_region(&Region::default()), None);
    }

    #[test]
    fn serial_time_and_small_teams_are_amdahls_part() {
        // Of 100, 60 are serial. Of the 40 in regions, 20 are by two threads, 20 by all four; nothing else is lost.
        let outermost = Outermost {
            threads: 4,
            time_ns: 40,
            thread_ns: 20 * 2 + 20 * 4,
            work_ns: 120,
            busiest_ns: 120,
            busiest_wait_ns: 0,
        };
        let summary = Summary { serial_ns: 50, before_ns: 10, wall_ns: 90, outermost, ..Summary::default() };
        let found = Efficiency::of_run(&summary).unwrap();
        assert!(close(found.parallel, 180.0 / 400.0) && close(found.amdahl, 180.0 / 400.0), "{found:?}");
        assert_eq!(found.factors()[1..], [1.0; 3]);
        assert_eq!(Efficiency::of_run(&Summary::default()), None);
    }

    proptest! {
        #[test]
        fn the_product_is_the_efficiency(values in proptest::collection::vec(any::<u64>(), 6), shift in 0u32..64) {
            let [all, serial, thread, work, busiest, busiest_wait] =
                std::array::from_fn(|index| (values[index] >> shift) as f64);
            let shares = Shares { all, serial, thread, work, busiest, busiest_wait };
            if let Some(found) = shares.efficiency() {
                prop_assert!(found.factors().iter().all(|factor| (0.0..=1.0).contains(factor)), "{found:?}");
                prop_assert!(close(found.factors().iter().product(), found.parallel), "{found:?}");
            }
        }
    }
}
