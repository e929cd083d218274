//! Loops whose iterations are handed out anew, in chunks of another size, to whichever member is free.

use crate::analysis::DISPATCH_NS;

/// A chunk that a member was given.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The spot of the loop.
    pub spot: u32,
    /// Iterations of a chunk in the replay.
    pub size: u64,
    /// The index of the thread.
    pub thread: usize,
    /// The first iteration, and how many.
    pub first: u64,
    pub iterations: u64,
    pub ns: u64,
}

/// How long each member has chunks, when the iterations of these are handed out in chunks of `size`. `free` has the
/// times at which the members come for their first one. Each measured chunk is taken as evenly spread over its
/// iterations.
pub fn hand_out(given: &mut [Given], size: u64, free: &[u64]) -> Vec<u64> {
    given.sort_by_key(|chunk| chunk.first);
    let (count, sum) = given.iter().fold((0u64, 0u64), |(count, sum), chunk| (count + 1, sum.saturating_add(chunk.ns)));
    // What is left of a chunk is at least a tenth of it, as findings have it.
    let dispatch = (sum / count.max(1) / 10 * 9).min(DISPATCH_NS) as f64;
    let mut busy = vec![0.0; free.len()];
    let mut give = |ns: f64| {
        let when = |member: &usize| free[*member] as f64 + busy[*member];
        if let Some(next) = (0..free.len()).min_by(|a, b| when(a).total_cmp(&when(b))) {
            busy[next] += ns + dispatch;
        }
    };
    let (mut iterations, mut ns) = (0, 0.0);
    for chunk in given.iter() {
        let each = (chunk.ns as f64 - dispatch).max(0.0) / chunk.iterations.max(1) as f64;
        let mut left = chunk.iterations;
        while left > 0 {
            let part = left.min(size.max(1) - iterations);
            (iterations, ns, left) = (iterations + part, ns + part as f64 * each, left - part);
            if iterations >= size {
                give(ns);
                (iterations, ns) = (0, 0.0);
            }
        }
    }
    if iterations > 0 {
        give(ns);
    }
    busy.into_iter().map(|ns| ns as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(lengths: &[u64]) -> Vec<Given> {
        let chunk = |(first, &ns): (usize, &u64)| {
            let (first, iterations) = (10 * first as u64, 10);
            Given { spot: 0, size: 0, thread: 0, first, iterations, ns: ns + DISPATCH_NS }
        };
        lengths.iter().enumerate().map(chunk).collect()
    }

    #[test]
    fn large_chunks_leave_members_without_work() {
        let mut given = chunks(&[4000, 4000, 1000, 1000]);
        assert_eq!(hand_out(&mut given, 10, &[0, 0]), [5180, 5180]);
        assert_eq!(hand_out(&mut given, 20, &[0, 0]), [8090, 2090]);
        assert_eq!(hand_out(&mut given, 100, &[0, 0]), [10090, 0]);
    }

    #[test]
    fn small_chunks_cost_more() {
        let mut given = chunks(&[4000, 4000]);
        let ends = hand_out(&mut given, 1, &[0, 0]);
        assert_eq!(ends, [4900, 4900]);
        given.reverse();
        assert_eq!(hand_out(&mut given, 1, &[0, 0]), ends, "chunks go out in the order of their iterations");
    }

    #[test]
    fn who_comes_late_gets_less() {
        let mut given = chunks(&[1000, 1000, 1000]);
        assert_eq!(hand_out(&mut given, 10, &[0, 5000]), [3270, 0]);
        assert_eq!(hand_out(&mut Vec::new(), 10, &[0, 0]), [0, 0]);
    }

    #[test]
    fn chunks_of_nothing_are_no_gain_without_end() {
        let mut given: Vec<Given> = chunks(&[0; 8]).into_iter().map(|chunk| Given { ns: 10, ..chunk }).collect();
        assert_eq!(hand_out(&mut given, 80, &[0]), [8 + 9]);
    }
}
