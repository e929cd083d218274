//! How a program scales: runs of it with different numbers of threads. `docs/scaling.md` has the formulas.

use super::place::Place;
use super::run::{Measured, Run};
use crate::analysis::{Efficiency, Shares};
use std::collections::BTreeMap;

/// A region that loses less than this part of the run says nothing about scaling.
const LEAST: f64 = 0.02;
/// Work that grows with the threads to the power of less than this stays the same, as far as measurements tell.
const STRONG: f64 = 0.3;
/// And with more than this power, it grows with the threads.
const WEAK: f64 = 0.7;

/// Runs of one program, from the one with the fewest threads on.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// One for each number of threads.
    pub points: Vec<Point>,
    /// How the work depends on the threads.
    pub kind: Kind,
    /// By what the work is told.
    pub measure: Measure,
    /// The work of the last point by that of the first.
    pub growth: f64,
    /// The regions that lose most time against ideal scaling in the last point, the largest loss first.
    pub limits: Vec<Limit>,
}

/// How the work depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The work is the same: ideal is a time divided by the threads.
    Strong,
    /// The work grows as the threads do: ideal is the same time.
    Weak,
    /// The work grows, but not as the threads do.
    Mixed,
}

/// By what the amount of work is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Iterations of worksharing loops.
    Iterations,
    /// Time on the CPU in which threads ran the program's code.
    CpuTime,
}

/// The run with one number of threads; of several, the one with the median time.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What the run is called.
    pub name: String,
    /// Runs with this number of threads.
    pub runs: usize,
    /// Threads.
    pub threads: u64,
    /// CPUs that the processes may use, at most.
    pub cpus: u64,
    /// Time of the run.
    pub time_ns: u64,
    /// How much faster the work is done than in the first point.
    pub speedup: f64,
    /// The speedup by the ideal one, as a fraction.
    pub scaling_efficiency: f64,
    /// Useful time that the work took in the first point, by that in this point.
    pub computation: f64,
    /// How well the threads are used.
    pub efficiency: Option<Efficiency>,
}

/// A region, or the time outside of regions, that takes longer than with ideal scaling.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The region; none for the time outside of regions.
    pub place: Option<Place>,
    /// Time in the first point.
    pub first_ns: u64,
    /// Time in the last point.
    pub last_ns: u64,
    /// Time that ideal scaling would give the last point.
    pub ideal_ns: u64,
    /// The factor that fell most, with its values in the first and last point; none outside of regions.
    pub factor: Option<(&'static str, f64, f64)>,
}

impl Limit {
    /// What the last point loses against ideal scaling.
    pub fn loss_ns(&self) -> u64 {
        self.last_ns.saturating_sub(self.ideal_ns)
    }
}

impl Scaling {
    /// Compares runs.
    ///
    /// # Errors
    /// One line if the runs are not of one program with different numbers of threads.
    pub fn of(runs: &[Run]) -> Result<Scaling, String> {
        let Some(first) = runs.first() else { return Err("no runs to compare".into()) };
        if let Some(other) = runs.iter().find(|run| run.programs != first.programs) {
            let (one, two) = (first.programs(), other.programs());
            return Err(format!(
                "{} has a run of {one}, {} one of {two}: scaling is told from runs of one program",
                first.name, other.name
            ));
        }
        let mut by_threads: BTreeMap<u64, Vec<&Run>> = BTreeMap::new();
        for run in runs {
            let threads = run.threads();
            if threads == 0 {
                return Err(format!("{}: the program used no OpenMP construct", run.name));
            }
            by_threads.entry(threads).or_default().push(run);
        }
        if by_threads.len() < 2 {
            let threads = first.threads();
            return Err(format!(
                "all runs had {threads} thread{}: scaling is told from different numbers, and ferromp diff compares runs",
                if threads == 1 { "" } else { "s" }
            ));
        }
        let counts: Vec<usize> = by_threads.values().map(Vec::len).collect();
        let chosen: Vec<(u64, &Run)> = by_threads.into_iter().map(|(threads, runs)| (threads, median(runs))).collect();
        Ok(Scaling::from_chosen(&chosen, &counts))
    }

    fn from_chosen(chosen: &[(u64, &Run)], counts: &[usize]) -> Scaling {
        let (base, last) = (chosen[0], chosen[chosen.len() - 1]);
        let measure = measure(base.1);
        let threads_growth = |threads: u64| threads as f64 / base.0 as f64;
        let grown = |run: &Run| growth(base.1, run, measure);
        let growth = grown(last.1);
        let power = growth.ln() / threads_growth(last.0).ln();
        let kind = match power {
            power if power >= WEAK => Kind::Weak,
            power if power <= STRONG => Kind::Strong,
            _ => Kind::Mixed,
        };
        // Time on the CPU also grows because of what slows the work down, so the time does not tell the work exactly.
        let work = |threads: u64, run: &Run| match (measure, kind) {
            (Measure::Iterations, _) => grown(run),
            (Measure::CpuTime, Kind::Weak) => threads_growth(threads),
            (Measure::CpuTime, _) => 1.0,
        };
        let points = chosen.iter().zip(counts).map(|(&(threads, run), &runs)| {
            let work = work(threads, run);
            let speedup = work * ratio(base.1.time_ns() as f64, run.time_ns() as f64);
            Point {
                name: run.name.clone(),
                runs,
                threads,
                cpus: run.cpus,
                time_ns: run.time_ns(),
                speedup,
                scaling_efficiency: speedup / threads_growth(threads),
                computation: work * ratio(base.1.shares.useful(), run.shares.useful()),
                efficiency: run.shares.efficiency(),
            }
        });
        let points = points.collect();
        let share = work(last.0, last.1) / threads_growth(last.0);
        Scaling { points, kind, measure, growth, limits: limits(base.1, last.1, share, work(last.0, last.1)) }
    }

    /// The threads of the last point by those of the first.
    pub fn threads_growth(&self) -> f64 {
        match (self.points.first(), self.points.last()) {
            (Some(first), Some(last)) => last.threads as f64 / first.threads.max(1) as f64,
            _ => 1.0,
        }
    }
}

/// The run with the median time.
fn median(mut runs: Vec<&Run>) -> &Run {
    runs.sort_by_key(|run| run.time_ns());
    runs[(runs.len() - 1) / 2]
}

/// 1 if there is nothing to compare.
fn ratio(part: f64, whole: f64) -> f64 {
    if part <= 0.0 || whole <= 0.0 { 1.0 } else { part / whole }
}

/// Iterations tell the work if most of it is in loops that have recorded them.
fn measure(base: &Run) -> Measure {
    let loops = base.loops.values().filter(|one| one.iterations > 0).map(|one| one.ns as f64).sum::<f64>();
    if loops > 0.0 && loops >= 0.5 * base.shares.work { Measure::Iterations } else { Measure::CpuTime }
}

/// The work of a run by that of another.
fn growth(base: &Run, run: &Run, measure: Measure) -> f64 {
    if measure == Measure::CpuTime {
        return ratio(run.cpu_ns as f64, base.cpu_ns as f64);
    }
    // Each loop counts by its part of the time: a short one may have many iterations.
    let both = base.loops.iter().filter_map(|(place, before)| {
        let after = run.loops.get(place)?;
        let known = before.iterations > 0 && after.iterations > 0;
        known.then(|| (before.ns as f64, (after.iterations as f64 / before.iterations as f64).ln()))
    });
    let (time, sum) = both.fold((0.0, 0.0), |(time, sum), (ns, growth)| (time + ns, sum + ns * growth));
    if time > 0.0 { (sum / time).exp() } else { 1.0 }
}

/// What loses time against ideal scaling, where ideal is `share` of the first time.
fn limits(base: &Run, last: &Run, share: f64, work: f64) -> Vec<Limit> {
    let ideal = |ns: u64| (ns as f64 * share) as u64;
    let regions = last.regions.iter().filter_map(|(place, after)| {
        let before = base.regions.get(place)?;
        (!before.nested && !after.nested).then(|| Limit {
            place: Some(place.clone()),
            first_ns: before.ns,
            last_ns: after.ns,
            ideal_ns: ideal(before.ns),
            factor: main_factor(before, after, work),
        })
    });
    let serial = Limit {
        place: None,
        first_ns: base.serial_ns,
        last_ns: last.serial_ns,
        ideal_ns: ideal(base.serial_ns),
        factor: None,
    };
    let least = last.time_ns() as f64 * LEAST;
    let mut limits: Vec<Limit> = regions.chain([serial]).filter(|limit| limit.loss_ns() as f64 > least).collect();
    limits.sort_by(|a, b| b.loss_ns().cmp(&a.loss_ns()).then_with(|| a.place.cmp(&b.place)));
    limits
}

/// The factor of a region that fell most: the times' quotient by the ideal one is the product of all quotients.
fn main_factor(before: &Measured, after: &Measured, work: f64) -> Option<(&'static str, f64, f64)> {
    let (first, last) = (before.shares.efficiency()?, after.shares.efficiency()?);
    let useful = |shares: &Shares| shares.useful();
    let computation = work * ratio(useful(&before.shares), useful(&after.shares));
    let factors = [
        ("load balance", first.load_balance, last.load_balance),
        ("serialisation", first.serialisation, last.serialisation),
        ("transfer", first.transfer, last.transfer),
        ("computation scaling", 1.0, computation),
    ];
    let fall = |(_, first, last): &(&str, f64, f64)| ratio(*last, *first);
    factors.into_iter().min_by(|a, b| fall(a).total_cmp(&fall(b))).filter(|factor| fall(factor) < 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        Place { name: name.into(), ..Place::default() }
    }

    /// Thread times of a region of so many threads: each works on average `work`, the busiest `busiest`, and it waits
    /// `wait`.
    fn region(threads: f64, time: u64, [work, busiest, wait]: [f64; 3]) -> Measured {
        let shares = Shares {
            all: threads * time as f64,
            serial: 0.0,
            thread: threads * time as f64,
            work: threads * work,
            busiest: threads * busiest,
            busiest_wait: threads * wait,
        };
        Measured { ns: time, shares, ..Measured::default() }
    }

    /// A run that is serial for some time, and then in its regions.
    fn run(threads: u64, serial: u64, regions: &[(&str, Measured)], cpu_ns: u64) -> Run {
        let time = serial + regions.iter().map(|(_, region)| region.ns).sum::<u64>();
        let all = Shares { all: (threads * serial) as f64, serial: serial as f64, ..Shares::default() };
        Run {
            shares: regions.iter().fold(all, |sum, (_, region)| sum.plus(region.shares)),
            serial_ns: serial,
            cpu_ns,
            regions: regions.iter().map(|(name, region)| (place(name), *region)).collect(),
            ..Run::made_up(&format!("at {threads}"), time, threads)
        }
    }

    #[test]
    fn strong_scaling_names_what_stops_it() {
        let first = run(
            1,
            100,
            &[("good", region(1.0, 4000, [4000.0, 4000.0, 0.0])), ("bad", region(1.0, 2000, [2000.0, 2000.0, 0.0]))],
            6000,
        );
        let last = run(
            4,
            100,
            &[("good", region(4.0, 1000, [1000.0, 1000.0, 0.0])), ("bad", region(4.0, 1500, [500.0, 1490.0, 0.0]))],
            6000,
        );
        let found = Scaling::of(&[last, first]).unwrap();
        assert_eq!((found.kind, found.measure, found.growth), (Kind::Strong, Measure::CpuTime, 1.0));
        let [one, four] = &found.points[..] else { panic!("{found:?}") };
        assert_eq!((one.threads, four.threads, one.speedup, one.scaling_efficiency), (1, 4, 1.0, 1.0));
        assert!((four.speedup - 6100.0 / 2600.0).abs() < 1e-9 && (four.computation - 1.0).abs() < 1e-9, "{four:?}");
        // What the threads reach is what the efficiency and the work's own time leave.
        let (first, last) = (one.efficiency.unwrap().parallel, four.efficiency.unwrap().parallel);
        assert!((last * four.computation / first - four.scaling_efficiency).abs() < 1e-9);
        let [bad, serial] = &found.limits[..] else { panic!("{:?}", found.limits) };
        assert_eq!((bad.place.clone(), bad.ideal_ns, bad.loss_ns()), (Some(place("bad")), 500, 1000));
        assert_eq!(bad.factor.unwrap().0, "load balance");
        assert_eq!((serial.place.clone(), serial.loss_ns()), (None, 75));
    }

    #[test]
    fn weak_scaling_keeps_its_time() {
        let loops =
            |iterations| BTreeMap::from([(place("loop"), Measured { ns: 900, iterations, ..Measured::default() })]);
        let first = run(2, 0, &[("sum", region(2.0, 1000, [1000.0, 1000.0, 0.0]))], 2000);
        let last = run(8, 0, &[("sum", region(8.0, 1250, [1200.0, 1200.0, 0.0]))], 9600);
        for with_iterations in [false, true] {
            let (mut first, mut last) = (first.clone(), last.clone());
            if with_iterations {
                (first.loops, last.loops) = (loops(100), loops(400));
                first.shares.work = 1000.0;
            }
            let found = Scaling::of(&[first, last]).unwrap();
            assert_eq!(found.kind, Kind::Weak, "{found:?}");
            assert_eq!(found.measure == Measure::Iterations, with_iterations);
            let last = &found.points[1];
            assert!((last.speedup - 3.2).abs() < 1e-9 && (last.scaling_efficiency - 0.8).abs() < 1e-9, "{last:?}");
            let [limit] = &found.limits[..] else { panic!("{:?}", found.limits) };
            assert_eq!((limit.ideal_ns, limit.factor.unwrap().0), (1000, "computation scaling"));
        }
    }

    #[test]
    fn the_median_stands_for_several_runs() {
        let at = |threads, time| Run::made_up(&format!("{threads} in {time}"), time, threads);
        let found = Scaling::of(&[at(2, 70), at(1, 120), at(1, 90), at(1, 100), at(2, 60)]).unwrap();
        let points: Vec<_> = found.points.iter().map(|point| (&*point.name, point.runs)).collect();
        assert_eq!(points, [("1 in 100", 3), ("2 in 60", 2)]);
    }

    #[test]
    fn what_cannot_be_compared_is_named() {
        let at = |threads| Run::made_up(&format!("at-{threads}"), 10, threads);
        let other = Run { programs: ["fft".to_owned()].into(), ..at(2) };
        let wrong = |runs: &[Run]| Scaling::of(runs).unwrap_err();
        assert_eq!(
            wrong(&[at(1), other]),
            "at-1 has a run of heat, at-2 one of fft: scaling is told from runs of one program"
        );
        assert!(wrong(&[at(4), at(4)]).starts_with("all runs had 4 threads: "));
        assert_eq!(wrong(&[at(1), at(0)]), "at-0: the program used no OpenMP construct");
        assert!(Scaling::of(&[]).is_err());
    }
}
