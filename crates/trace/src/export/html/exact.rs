//! The slices that the page has exactly, to the nanosecond: the longest ones of the whole run, and all of some windows
//! of time. A short run has all its slices.

use super::names::Name;

/// Windows, spread evenly over the run.
const WINDOWS: u64 = 32;

/// A slice of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    pub row: u32,
    /// The depth in the row, 0 for the outermost.
    pub lane: u8,
    pub name: Name,
    pub begin: u64,
    pub end: u64,
}

/// Chooses among the slices of a run, in bounded memory.
pub struct Exact {
    /// Slices to keep besides those in windows.
    most: usize,
    /// Slices of one window.
    window: usize,
    /// The distance of the windows' begins.
    every: u64,
    kept: Vec<Slice>,
    in_windows: Vec<Slice>,
    /// All slices that were offered.
    offered: usize,
    /// Shorter slices are not among the longest.
    shortest: u64,
    /// Begins and ends of the windows that are over.
    over: Vec<(u64, u64)>,
    /// The begin of the window that is open, and the slices that it has so far.
    open: Option<(u64, usize)>,
    /// The begin of the next window.
    next: u64,
}

impl Exact {
    /// For a run of `wall_ns`. At most about `most` slices are kept, a fifth of them in windows.
    pub fn new(wall_ns: u64, most: usize) -> Exact {
        Exact {
            most: most * 4 / 5,
            window: most / 5 / WINDOWS as usize,
            every: wall_ns.div_ceil(WINDOWS).max(1),
            kept: Vec::new(),
            in_windows: Vec::new(),
            offered: 0,
            shortest: 0,
            over: Vec::new(),
            open: None,
            next: 0,
        }
    }

    /// Time has come to `now`.
    pub fn advance(&mut self, now: u64) {
        if let Some((begin, count)) = self.open
            && (now >= self.next || count >= self.window)
        {
            self.over.push((begin, now.min(self.next).max(begin)));
            self.open = None;
        }
        if now >= self.next {
            self.open = Some((self.next, 0));
            self.next = (now / self.every + 1).saturating_mul(self.every);
        }
    }

    /// Takes a slice that has just ended.
    pub fn offer(&mut self, slice: Slice) {
        self.offered += 1;
        if let Some((_, count)) = &mut self.open {
            *count += 1;
            self.in_windows.push(slice);
        } else if self.over.last().is_some_and(|(_, end)| slice.begin <= *end) {
            self.in_windows.push(slice);
        } else if slice.end - slice.begin >= self.shortest {
            self.kept.push(slice);
            if self.kept.len() >= 2 * self.most.max(1) {
                self.cut();
            }
        }
    }

    /// Drops all but the longest.
    fn cut(&mut self) {
        if self.kept.len() > self.most {
            let (_, pivot, _) =
                self.kept.select_nth_unstable_by_key(self.most, |slice| std::cmp::Reverse(slice.end - slice.begin));
            self.shortest = self.shortest.max(pivot.end - pivot.begin);
            self.kept.truncate(self.most);
        }
    }

    /// The slices by row, lane and begin, and the windows in which none is missing. A single window from 0 to `end` if
    /// all slices are there.
    pub fn finish(mut self, end: u64) -> (Vec<Slice>, Vec<(u64, u64)>) {
        self.cut();
        if let Some((begin, _)) = self.open {
            self.over.push((begin, end.max(begin)));
        }
        let mut slices = self.kept;
        slices.append(&mut self.in_windows);
        slices.sort_unstable_by_key(|slice| (slice.row, slice.lane, slice.begin, slice.end));
        let windows = if slices.len() == self.offered { vec![(0, end)] } else { self.over };
        (slices, windows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(begin: u64, end: u64) -> Slice {
        Slice { row: 0, lane: 0, name: 0, begin, end }
    }

    #[test]
    fn a_short_run_has_all_its_slices() {
        let mut exact = Exact::new(1000, 400);
        for begin in 0..300 {
            exact.advance(begin + 1);
            exact.offer(slice(begin, begin + 1));
        }
        let (slices, windows) = exact.finish(1000);
        assert_eq!((slices.len(), windows), (300, vec![(0, 1000)]));
    }

    #[test]
    fn the_longest_stay_and_windows_are_complete() {
        let mut exact = Exact::new(3_200_000, 400);
        let all: Vec<Slice> =
            (0..32_000).map(|i| slice(100 * i, 100 * i + if i % 1000 == 999 { 90 } else { 10 })).collect();
        for slice in &all {
            exact.advance(slice.end);
            exact.offer(*slice);
        }
        let (slices, windows) = exact.finish(3_200_000);
        assert!(slices.len() < 600, "{}", slices.len());
        assert!(all.iter().filter(|slice| slice.end - slice.begin == 90).all(|slice| slices.contains(slice)));
        assert_eq!(windows.len(), 32);
        for (begin, end) in windows {
            assert!(end > begin);
            let inside = |slice: &&Slice| slice.begin < end && slice.end > begin;
            assert!(all.iter().filter(inside).all(|slice| slices.contains(slice)), "{begin} to {end}");
        }
    }
}
