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
    /// The mean rank's time by that of the slowest rank. Of a run, each rank counts by its threads.
    pub rank_balance: f64,
    /// The factors inside of the ranks, from the sums over all ranks. Their product is `threads.parallel`.
    pub threads: Efficiency,
}

impl RankEfficiency {
    /// Of a run; none without time.
    pub(super) fn of_run(ranks: &[Rank]) -> Option<RankEfficiency> {
        let shares = ranks.iter().fold(Shares::default(), |sum, rank| sum.plus(rank.shares));
        let longest = ranks.iter().map(Rank::time_ns).max().unwrap_or(0) as f64;
        let all = longest * ranks.iter().map(|rank| rank.threads as f64).sum::<f64>();
        let present = shares.all;
        RankEfficiency::product(if all <= 0.0 { 1.0 } else { (present / all).min(1.0) }, shares.efficiency()?)
    }

    /// Of a region in a run of `ranks` ranks; none without time. A rank without the region has no time in it.
    pub fn of_region(region: &RankRegion, ranks: usize) -> Option<RankEfficiency> {
        let (_, max) = region.slowest();
        let balance = if max == 0 { 1.0 } else { region.mean_ns(ranks) as f64 / max as f64 };
        RankEfficiency::product(balance.min(1.0), region.shares.efficiency()?)
    }

    fn product(rank_balance: f64, threads: Efficiency) -> Option<RankEfficiency> {
        Some(RankEfficiency { parallel: rank_balance * threads.parallel, rank_balance, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_hand() {
        // Two ranks of two threads. One runs 100, of which 20 are serial, and its threads work all of the rest; the
        // other one does the same in half the time.
        let rank = |unit: u64| Rank {
            end_ns: 100 * unit,
            threads: 2,
            shares: Shares {
                all: (200 * unit) as f64,
                serial: (20 * unit) as f64,
                thread: (160 * unit) as f64,
                work: (160 * unit) as f64,
                busiest: (160 * unit) as f64,
                busiest_wait: 0.0,
            },
            ..Rank::default()
        };
        let found = RankEfficiency::of_run(&[rank(2), rank(1)]).unwrap();
        assert!((found.rank_balance - 0.75).abs() < 1e-9, "{found:?}");
        assert!((found.threads.amdahl - 0.9).abs() < 1e-9, "{found:?}");
        // Of 4 threads for 200, three times 180 were useful.
        assert!((found.parallel - 540.0 / 800.0).abs() < 1e-9, "{found:?}");
        assert_eq!(RankEfficiency::of_run(&[]), None);
    }
}
