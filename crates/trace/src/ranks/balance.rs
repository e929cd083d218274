//! How well all threads of all ranks are used: the POP project's factors over ranks and threads. `docs/efficiency.md`
//! has the formulas.

use super::rank::Rank;
use super::region::RankRegion;
use crate::analysis::{Efficiency, Shares};

/// The parallel efficiency over ranks and threads, as a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankEfficiency {
    /// Useful work by the time of all threads of all ranks.
    pub parallel: f64,
    /// The mean rank's time by that of the slowest rank. Of a run, each rank counts by its threads, and the times are
    /// those outside of MPI.
    pub rank_balance: f64,
    /// The longest time of a rank outside of MPI by the time of the slowest rank. None of a region, and of a run
    /// without time in MPI outside of regions.
    pub communication: Option<f64>,
    /// The factors inside of the ranks, from the sums over all ranks. Their product is `threads.parallel`.
    pub threads: Efficiency,
}

impl RankEfficiency {
    /// Of a run; none without time.
    pub(super) fn of_run(ranks: &[Rank]) -> Option<RankEfficiency> {
        let shares = ranks.iter().fold(Shares::default(), |sum, rank| sum.plus(rank.shares));
        let longest = |time: fn(&Rank) -> u64| ranks.iter().map(time).max().unwrap_or(0) as f64;
        let (slowest, outside) = (longest(Rank::time_ns), longest(Rank::outside_mpi_ns));
        let all = outside * ranks.iter().map(|rank| rank.threads as f64).sum::<f64>();
        let balance = if all <= 0.0 { 1.0 } else { (shares.all / all).min(1.0) };
        let communicates = slowest > 0.0 && ranks.iter().any(|rank| rank.mpi_serial_ns > 0);
        Some(RankEfficiency::product(balance, communicates.then(|| outside / slowest), shares.efficiency()?))
    }

    /// Of a region in a run of `ranks` ranks; none without time. A rank without the region has no time in it.
    pub fn of_region(region: &RankRegion, ranks: usize) -> Option<RankEfficiency> {
        let (_, max) = region.slowest();
        let balance = if max == 0 { 1.0 } else { region.mean_ns(ranks) as f64 / max as f64 };
        Some(RankEfficiency::product(balance.min(1.0), None, region.shares.efficiency()?))
    }

    fn product(rank_balance: f64, communication: Option<f64>, threads: Efficiency) -> RankEfficiency {
        let parallel = rank_balance * communication.unwrap_or(1.0) * threads.parallel;
        RankEfficiency { parallel, rank_balance, communication, threads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank of two threads that runs `ns`, of which 20 are serial and `mpi` in MPI. Its threads work all of the rest.
    fn rank(ns: u64, mpi: u64) -> Rank {
        let regions = 2.0 * (ns - mpi - 20) as f64;
        let shares = Shares {
            all: 2.0 * (ns - mpi) as f64,
            serial: 20.0,
            thread: regions,
            work: regions,
            busiest: regions,
            busiest_wait: 0.0,
        };
        Rank { end_ns: ns, threads: 2, mpi_serial_ns: mpi, shares, ..Rank::default() }
    }

    /// Rank balance, communication, the threads' useful part of 600, and the product, which is checked.
    fn factors(ranks: &[Rank]) -> (f64, Option<f64>, f64, f64) {
        let found = RankEfficiency::of_run(ranks).unwrap();
        let product = found.rank_balance * found.communication.unwrap_or(1.0) * found.threads.parallel;
        assert!((product - found.parallel).abs() < 1e-9, "{found:?}");
        let rounded = |value: f64| (1e9 * value).round() / 1e9;
        let communication = found.communication.map(rounded);
        (rounded(found.rank_balance), communication, rounded(found.threads.parallel * 600.0), rounded(found.parallel))
    }

    #[test]
    fn ranks_by_hand() {
        // Of 4 threads for 200, 20 + 2 * 180 and 20 + 2 * 80 were useful.
        assert_eq!(factors(&[rank(200, 0), rank(100, 0)]), (0.75, None, 560.0, 0.7));
        assert_eq!(RankEfficiency::of_run(&[]), None);
    }

    #[test]
    fn waiting_in_mpi_for_the_slow_rank_is_rank_balance() {
        // The same work, but the second rank waits in MPI until the first one has finished: the same efficiency.
        assert_eq!(factors(&[rank(200, 0), rank(200, 100)]), (0.75, Some(1.0), 560.0, 0.7));
    }

    #[test]
    fn what_even_the_busiest_rank_spends_in_mpi_is_communication() {
        // Both ranks spend 50 more in MPI.
        assert_eq!(factors(&[rank(250, 50), rank(250, 150)]), (0.75, Some(0.8), 560.0, 0.56));
        // A rank without MPI that is longer than the others' time outside of MPI.
        assert_eq!(factors(&[rank(100, 50), rank(100, 0)]).1, Some(1.0));
        // Nothing but MPI.
        let idle = Rank { end_ns: 100, threads: 2, mpi_serial_ns: 100, ..Rank::default() };
        assert_eq!(RankEfficiency::of_run(&[idle]), None);
    }
}
