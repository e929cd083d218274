//! Tells change from noise when both sides have several runs: the Mann-Whitney test, with its exact distribution.
//!
//! H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
//! other", 1947. The distribution is that of all ways to divide the values at hand among the sides, so equal values
//! need no correction.

/// A change is one if chance alone brings as much in one direction with at most this probability.
pub const LEVEL: f64 = 0.05;

/// More values than these have the normal distribution, as near as matters.
const EXACT: usize = 60;

/// Whether so many runs can tell a change from noise at all.
pub fn tells(before: usize, after: usize) -> bool {
    // The outcome that is least likely: all values of one side are larger.
    let ways = (1..=after).map(|k| (before + k) as f64 / k as f64).product::<f64>();
    before > 0 && after > 0 && 1.0 / ways <= LEVEL + f64::EPSILON
}

/// The probability that the values after are by chance as much larger than those before as they are, and the same for
/// smaller.
pub fn larger_and_smaller(before: &[u64], after: &[u64]) -> (f64, f64) {
    let ranks = doubled_ranks(before, after);
    let sum: usize = ranks[before.len()..].iter().sum();
    if ranks.len() > EXACT {
        return normal(&ranks, after.len(), sum as f64);
    }
    let most: usize = ranks.iter().sum();
    // ways[n][s]: how many sets of n values have the sum s of ranks.
    let mut ways = vec![vec![0.0; most + 1]; after.len() + 1];
    ways[0][0] = 1.0;
    for rank in ranks {
        for n in (1..=after.len()).rev() {
            for s in (rank..=most).rev() {
                ways[n][s] += ways[n - 1][s - rank];
            }
        }
    }
    let ways = &ways[after.len()];
    let all: f64 = ways.iter().sum();
    (ways[sum..].iter().sum::<f64>() / all, ways[..=sum].iter().sum::<f64>() / all)
}

/// Twice the rank of each value among the values of both sides, those before first. Equal values share their ranks.
fn doubled_ranks(before: &[u64], after: &[u64]) -> Vec<usize> {
    let all: Vec<u64> = before.iter().chain(after).copied().collect();
    let rank = |value: &u64| {
        let below = all.iter().filter(|other| *other < value).count();
        let equal = all.iter().filter(|other| *other == value).count();
        2 * below + equal + 1
    };
    all.iter().map(rank).collect()
}

fn normal(ranks: &[usize], after: usize, sum: f64) -> (f64, f64) {
    let (count, after) = (ranks.len() as f64, after as f64);
    let mean = ranks.iter().sum::<usize>() as f64 / count;
    let variance = ranks.iter().map(|rank| (*rank as f64 - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = (after * (count - after) / count * variance).sqrt();
    if deviation == 0.0 {
        return (1.0, 1.0);
    }
    // Half a step of the sums, which are two apart.
    let tail = |distance: f64| 0.5 * libm::erfc((distance - 1.0) / deviation / std::f64::consts::SQRT_2);
    (tail(sum - after * mean), tail(after * mean - sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, by: f64) -> bool {
        (a - b).abs() <= by
    }

    #[test]
    fn three_runs_a_side_tell_and_two_do_not() {
        assert!(tells(3, 3) && tells(2, 5) && tells(1, 19) && tells(100, 100));
        assert!(!tells(2, 2) && !tells(1, 18) && !tells(1, 1) && !tells(2, 4) && !tells(0, 9));
    }

    #[test]
    fn probabilities_are_those_of_all_divisions() {
        assert_eq!(larger_and_smaller(&[1, 2, 3], &[4, 5, 6]), (0.05, 1.0));
        assert_eq!(larger_and_smaller(&[4, 5, 6], &[1, 2, 3]), (1.0, 0.05));
        // Of the 6 divisions of 1 to 4, the sum of the ranks after is at least 5 in 4, and at most 5 in 4.
        let (larger, smaller) = larger_and_smaller(&[1, 4], &[2, 3]);
        assert!(close(larger, 4.0 / 6.0, 1e-12) && close(smaller, 4.0 / 6.0, 1e-12));
        assert_eq!(larger_and_smaller(&[7, 7, 7], &[7, 7, 7]), (1.0, 1.0));
        // One of three equal values is above: the two ways to have both others before, of three.
        let (larger, _) = larger_and_smaller(&[5, 5], &[9]);
        assert!(close(larger, 1.0 / 3.0, 1e-12));
    }

    #[test]
    fn many_runs_have_nearly_the_exact_distribution() {
        let before: Vec<u64> = (0..30).map(|n| n * 2).collect();
        let after: Vec<u64> = (0..30).map(|n| n * 2 + 15).collect();
        let (exact, _) = larger_and_smaller(&before, &after);
        let ranks = doubled_ranks(&before, &after);
        let (near, _) = normal(&ranks, 30, ranks[30..].iter().sum::<usize>() as f64);
        assert!(close(exact, near, 5e-4), "{exact} {near}");
        let many: Vec<u64> = (0..80).collect();
        let (larger, smaller) = larger_and_smaller(&many, &many);
        assert!(close(larger, 0.5, 0.01) && close(smaller, 0.5, 0.01));
        assert_eq!(larger_and_smaller(&[3; 80], &[3; 80]), (1.0, 1.0));
    }
}
