//! Threads that write to different parts of the same cache line, as the registers of samples show. Each write takes the
//! line from the other threads' caches, so the threads wait at instructions that share no data.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent};
use crate::analysis::{Doing, Region, Sampled};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of a cache line.
const LINE: u64 = 64;
/// A thread that was seen on a line less often may have been there by chance.
const LEAST_EACH: u64 = 3;
/// From this part of a region's samples on, in percent, shared lines slow the region down. Where instructions depend on
/// an access, part of the waiting for the line is sampled at them.
const LEAST_PERCENT: u64 = 12;
/// So many lines for each thread are looked at, those with the most samples. Threads that go through a large array in
/// turn meet on many lines, and on each of them rarely.
const LINES_EACH: usize = 2;

/// What was seen of one cache line.
#[derive(Default)]
struct Line {
    /// By thread: how often, and at which addresses.
    threads: FxHashMap<u32, (u64, FxHashSet<u64>)>,
    written: bool,
    /// The samples at each instruction.
    code: FxHashMap<u64, u64>,
    count: u64,
}

impl Line {
    /// The threads that were seen here more than by chance, and the nearest distance between addresses of two of them.
    /// None if the threads access the same data.
    fn shared(&self) -> Option<(usize, u64)> {
        let often = || self.threads.iter().filter(|(_, (count, _))| *count >= LEAST_EACH);
        let mut nearest = None;
        for (thread, (_, own)) in often() {
            for (_, (_, others)) in often().filter(|(other, _)| *other > thread) {
                let distances = own.iter().flat_map(|one| others.iter().map(|other| one.abs_diff(*other)));
                nearest = distances.min().into_iter().chain(nearest).min();
            }
        }
        let nearest = nearest.filter(|distance| *distance > 0 && self.written)?;
        Some((often().count(), nearest))
    }
}

/// Finds lines that the threads take from each other for much of a region's time.
pub fn find(run: &mut Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    let is_here = |sampled: &&Sampled| {
        sampled.region == region.site() && sampled.doing.is_program() && sampled.doing != Doing::Serial
    };
    let mut known = FxHashMap::default();
    let (mut lines, mut all) = (FxHashMap::<u64, Line>::default(), 0);
    for sample in run.summary.samples.activities.iter().filter(is_here).flat_map(|sampled| &sampled.registers) {
        all += 1;
        if run.trace.is_runtime(sample.address) {
            continue;
        }
        let near = known.entry(sample.address).or_insert_with(|| run.symbols.accesses_near(sample.address));
        let Some(near) = near else { continue };
        let mut seen = FxHashSet::default();
        for access in near.accesses(&sample.registers) {
            let line = lines.entry(access.address / LINE).or_default();
            line.written |= access.writes;
            line.threads.entry(sample.thread).or_default().1.insert(access.address);
            if seen.insert(access.address / LINE) {
                line.threads.entry(sample.thread).or_default().0 += 1;
                *line.code.entry(sample.address).or_default() += 1;
                line.count += 1;
            }
        }
    }
    let mut shared: Vec<(&Line, usize, u64)> = (lines.values())
        .filter_map(|line| line.shared().map(|(threads, distance)| (line, threads, distance)))
        .collect();
    shared.sort_by_key(|(line, ..)| std::cmp::Reverse(line.count));
    shared.truncate(LINES_EACH.saturating_mul(region.max_threads as usize));
    let Some(&(_, threads, distance)) = shared.first() else { return };
    let count: u64 = shared.iter().map(|(line, ..)| line.count).sum::<u64>().min(all);
    if percent(count, all) < LEAST_PERCENT {
        return;
    }
    let mut code: FxHashMap<u64, u64> = FxHashMap::default();
    for (line, ..) in &shared {
        line.code.iter().for_each(|(address, count)| *code.entry(*address).or_default() += count);
    }
    let Some((address, _)) = code.into_iter().max_by_key(|(address, count)| (*count, *address)) else { return };
    let lines = if shared.len() == 1 { "a cache line".to_owned() } else { format!("{} cache lines", shared.len()) };
    let evidence =
        format!("{} % of {all} samples are at accesses to {lines} that {threads} threads share", percent(count, all));
    found.push(Finding {
        cause: Cause::FalseSharing,
        // One past the instruction's first byte, so that it is looked up like a return address.
        site: address.wrapping_add(1).into(),
        region: region.site(),
        sentence: "threads write to different data in the same cache line, and take the line from each other"
            .to_owned(),
        evidence: vec![evidence, format!("the threads' data are {distance} bytes apart")],
        advice: "a cache line for each thread's data (alignas(64), padding), or a private variable that is joined once",
        gain_ns: (region.work_ns as f64 / region.max_threads as f64 * count as f64 / all as f64) as u64,
        confidence: Confidence::Likely,
        line: None,
        change: None,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that threads access: each so often, and at these addresses.
    fn line(threads: &[(u32, u64, &[u64])], written: bool) -> Line {
        let of =
            |&(thread, count, addresses): &(u32, u64, &[u64])| (thread, (count, addresses.iter().copied().collect()));
        Line { threads: threads.iter().map(of).collect(), written, ..Line::default() }
    }

    #[test]
    fn a_written_line_with_data_of_two_threads_is_shared() {
        let (low, high) = ((0, 5, &[0x40, 0x48][..]), (1, 9, &[0x58, 0x60][..]));
        assert_eq!(line(&[low, high], true).shared(), Some((2, 16)));
        assert_eq!(line(&[low, high], false).shared(), None, "only read");
        assert_eq!(line(&[low], true).shared(), None, "one thread");
        assert_eq!(line(&[low, (1, 2, &[0x60])], true).shared(), None, "the other was there by chance");
        assert_eq!(line(&[low, (1, 9, &[0x48])], true).shared(), None, "the same data");
    }
}
