//! A worksharing region, and which of its iterations have been dispatched.

use std::collections::BTreeMap;

/// Iterations that were dispatched, from the first to one past the last of each contiguous part.
#[derive(Default)]
pub struct Covered {
    pub parts: BTreeMap<u64, u64>,
}

impl Covered {
    /// Adds iterations; false if some of them are there already.
    pub fn add(&mut self, start: u64, count: u64) -> bool {
        let end = start.saturating_add(count);
        let before = self.parts.range(..=start).next_back().map(|(a, b)| (*a, *b));
        let after = self.parts.range(start..).next().map(|(a, b)| (*a, *b));
        if before.is_some_and(|(_, b)| b > start) || after.is_some_and(|(a, _)| a < end) {
            return false;
        }
        let from = before.filter(|(_, b)| *b == start).map_or(start, |(a, _)| a);
        let to = match after.filter(|(a, _)| *a == end) {
            Some((a, b)) => {
                self.parts.remove(&a);
                b
            }
            None => end,
        };
        self.parts.insert(from, to);
        true
    }

    /// From the first iteration to one past the last, with these added.
    pub fn span(&self, start: u64, count: u64) -> u64 {
        let first = self.parts.first_key_value().map_or(start, |(a, _)| start.min(*a));
        let end = start.saturating_add(count);
        let last = self.parts.last_key_value().map_or(end, |(_, b)| end.max(*b));
        last - first
    }

    pub fn total(&self) -> u64 {
        self.parts.iter().map(|(a, b)| b - a).sum()
    }
}

/// One worksharing region, shared by the threads of a team.
#[derive(Default)]
pub struct Shared {
    pub begun: u32,
    pub ended: u32,
    /// Kind and count that the first thread named, and the code address.
    pub first: Option<(i32, u64, usize)>,
    pub executors: u32,
    pub sections: u64,
    /// What was dispatched in chunks, and one by one. A runtime may report both.
    pub chunks: Covered,
    pub iterations: Covered,
    /// The latest chunk in which an ordered region was executed.
    pub ordered: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_that_touch_become_one_part() {
        let mut covered = Covered::default();
        assert!(covered.add(10, 5) && covered.add(0, 5) && covered.add(5, 5));
        assert_eq!((covered.parts.len(), covered.total()), (1, 15));
        assert!(!covered.add(14, 2) && !covered.add(0, 1) && !covered.add(3, 4));
        assert!(covered.add(15, 1));
    }
}
