//! What the counters of the CPU and of the kernel have counted, by region and by thread.

use super::sum::add;
use crate::Site;
use crate::counters::{Counter, MOST};
use crate::store::Record;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What one counter has counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How much.
    pub value: u64,
    /// In at least so many percent of the time the counter was on the CPU. If less than 100, the value is an estimate.
    pub share: u64,
}

impl Default for Count {
    fn default() -> Count {
        Count { value: 0, share: 100 }
    }
}

/// The counts of a recording, in the order of their names. What was counted in a region inside another one belongs to
/// the inner one alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CounterSums {
    /// The counters.
    pub names: Vec<String>,
    /// By region, the one with most of the first counter's events first.
    pub regions: Vec<(Site, Vec<Count>)>,
    /// Of initial threads outside of parallel regions.
    pub serial: Vec<Count>,
    /// Of threads that wait at a region's end, and of workers outside of parallel regions.
    pub idle: Vec<Count>,
    /// By the thread's number.
    pub threads: Vec<(u32, Vec<Count>)>,
    /// Threads whose counters could not be recorded, or not to their end.
    pub missed_threads: u32,
}

impl CounterSums {
    /// The ratios that the names allow: instructions a cycle, and misses in 1000 instructions.
    pub fn ratios(&self, counts: &[Count]) -> Vec<(&'static str, f64)> {
        let kinds: Vec<_> = self.names.iter().map(|name| Counter::find(name).map(|counter| counter.kind())).collect();
        let of = |wanted: &str| {
            let place = kinds.iter().position(|kind| kind.is_some_and(|kind| kind.name == wanted))?;
            counts.get(place).map(|count| count.value as f64)
        };
        let Some(instructions) = of("instructions") else { return Vec::new() };
        let ratio = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
        let cycle = of("cycles").map(|cycles| ("IPC", ratio(instructions, cycles)));
        let misses = kinds.iter().zip(counts).filter_map(|(kind, count)| {
            let name = kind.as_ref()?.per_1000?;
            Some((name, ratio(1000.0 * count.value as f64, instructions)))
        });
        cycle.into_iter().chain(misses).collect()
    }

    /// The names of the counters that were not on the CPU all the time, with the least share in percent.
    pub fn estimated(&self) -> Vec<(&str, u64)> {
        let rows = self.regions.iter().map(|(_, counts)| counts).chain(self.threads.iter().map(|(_, counts)| counts));
        let mut least = vec![100; self.names.len()];
        for counts in rows.chain([&self.serial, &self.idle]) {
            for (least, count) in least.iter_mut().zip(counts) {
                *least = count.share.min(*least);
            }
        }
        let names = self.names.iter().map(String::as_str).zip(least);
        names.filter(|(_, share)| *share < 100).collect()
    }
}

/// Where something was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Within {
    Region(Site),
    /// An initial thread outside of all regions.
    Serial,
    /// A thread that waits at a region's end, or a worker outside of all regions.
    Idle,
}

/// Counts that are being summed up.
#[derive(Clone, Debug, Default)]
pub(super) struct Counting {
    counters: usize,
    by_place: FxHashMap<Within, Vec<Count>>,
    threads: FxHashMap<usize, Vec<Count>>,
}

impl Counting {
    /// Nothing yet, of so many counters.
    pub fn new(counters: usize) -> Counting {
        Counting { counters: counters.min(MOST), ..Counting::default() }
    }

    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        self.by_place.clear();
        self.threads.clear();
    }

    /// Takes what a counter of a thread has counted.
    pub fn take(&mut self, thread: usize, within: Within, record: Record) {
        let Record::Counter { counter, value, share } = record else { return };
        let Some(counter) = usize::try_from(counter).ok().filter(|counter| *counter < self.counters) else { return };
        let none = || vec![Count::default(); self.counters];
        let one = Count { value, share: share.min(100) };
        unite(self.by_place.entry(within).or_insert_with(none), counter, one);
        unite(self.threads.entry(thread).or_insert_with(none), counter, one);
    }

    /// The regions.
    pub fn sites(&self) -> impl Iterator<Item = Site> {
        self.by_place.keys().filter_map(|within| if let Within::Region(site) = within { Some(*site) } else { None })
    }

    /// The sums, with `place` of each region; `numbers` are those of the threads.
    pub fn finish(self, names: &[String], place: impl Fn(Site) -> Site, numbers: &[u32]) -> CounterSums {
        let mut sums =
            CounterSums { names: names.iter().take(self.counters).cloned().collect(), ..CounterSums::default() };
        let mut regions: FxHashMap<Site, Vec<Count>> = FxHashMap::default();
        for (within, counts) in self.by_place {
            let Within::Region(site) = within else {
                *(if within == Within::Serial { &mut sums.serial } else { &mut sums.idle }) = counts;
                continue;
            };
            let sum = regions.entry(place(site)).or_insert_with(|| vec![Count::default(); self.counters]);
            counts.into_iter().enumerate().for_each(|(counter, count)| unite(sum, counter, count));
        }
        sums.regions = regions.into_iter().collect();
        let most = |counts: &[Count]| std::cmp::Reverse(counts.first().map(|count| count.value));
        sums.regions.sort_by_key(|(site, counts)| (most(counts), *site));
        let numbered = |(thread, counts)| numbers.get(thread).map(|number| (*number, counts));
        sums.threads = self.threads.into_iter().filter_map(numbered).collect();
        sums.threads.sort_by_key(|(number, _)| *number);
        sums
    }
}

/// Adds a count to those of all counters.
fn unite(counts: &mut [Count], counter: usize, one: Count) {
    if let Some(sum) = counts.get_mut(counter) {
        add(&mut sum.value, one.value);
        sum.share = sum.share.min(one.share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_need_their_names() {
        let sums = |names: &[&str]| CounterSums {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            ..CounterSums::default()
        };
        let counts: Vec<Count> = [1000, 500, 4].map(|value| Count { value, share: 100 }).into();
        let all = sums(&["cpu-cycles:u", "instructions:u", "LLC-misses"]);
        assert_eq!(all.ratios(&counts), [("IPC", 0.5), ("LLC-load-misses/1000", 8.0)]);
        assert_eq!(sums(&["page-faults", "cycles", "LLC-misses"]).ratios(&counts), []);
        assert_eq!(all.ratios(&[]), []);
    }

    #[test]
    fn hostile_counters_are_ignored() {
        let mut counting = Counting::new(1);
        for counter in [0, 1, u64::MAX] {
            counting.take(0, Within::Serial, Record::Counter { counter, value: u64::MAX, share: u64::MAX });
            counting.take(9, Within::Serial, Record::Counter { counter, value: 1, share: 7 });
        }
        let sums = counting.finish(&["cycles".into()], |site| site, &[5]);
        assert_eq!(sums.serial, [Count { value: u64::MAX, share: 7 }]);
        assert_eq!(sums.threads, [(5, vec![Count { value: u64::MAX, share: 100 }])]);
        assert_eq!(sums.estimated(), [("cycles", 7)]);
    }
}
