//! What one thread does in a worksharing region: how many chunks it executes, how long they are. Of a loop, sums are
//! kept here and recorded at the region's end, because a record for each chunk would cost more than short chunks do. A
//! section has a record of its own, as there are few.

use crate::store::Record;
use crate::store::clock::Clock;

/// Sections of one execution that are recorded one by one. The time of further ones is recorded as a sum.
const MOST_SECTIONS: u64 = 64;
/// Powers of two of nanoseconds: the last stands for two hours and more.
const OCTAVES: usize = 44;

/// The worksharing region that a thread is in.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    kind: Kind,
    /// When the chunk or section began that the thread executes, in ticks; none before the first.
    since: Option<u64>,
    /// Chunks or sections given so far.
    given: u64,
    iterations: u64,
    largest: u64,
    /// Times of chunks that are over, in ticks.
    total: u64,
    min: u64,
    max: u64,
    /// A bit for each length that is not 0.
    seen: u64,
    lengths: [u32; OCTAVES],
    /// The sections that the thread executes: the first, and how many.
    sections: (u64, u64),
}

/// What a region distributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The thread is in no such region.
    None,
    Chunks,
    Sections,
}

/// Nanoseconds of a tick, times 2 to the power of 32.
#[derive(Clone, Copy, Debug)]
pub struct Rate(u64);

impl Rate {
    /// The rate of the recorder's clock.
    pub fn of(clock: &Clock) -> Rate {
        let (ticks, ns) = (clock.later.ticks - clock.start.ticks, clock.later.ns - clock.start.ns);
        Rate((u128::from(ns) << 32).checked_div(ticks.into()).unwrap_or(1 << 32) as u64)
    }

    #[inline(always)]
    fn ns(self, ticks: u64) -> u64 {
        ((u128::from(ticks) * u128::from(self.0)) >> 32) as u64
    }
}

impl Region {
    /// The thread is in no worksharing region.
    pub const NONE: Region = Region {
        kind: Kind::None,
        since: None,
        given: 0,
        iterations: 0,
        largest: 0,
        total: 0,
        min: u64::MAX,
        max: 0,
        seen: 0,
        lengths: [0; OCTAVES],
        sections: (0, 0),
    };

    /// The thread enters a region of this `ompt_work_t`. Regions that distribute nothing are of no concern.
    #[inline(always)]
    pub fn begin(&mut self, work: u64) {
        const SECTIONS: u64 = 2;
        let kind = match work {
            // Loops and `distribute`.
            1 | 6 | 10..=13 => Kind::Chunks,
            SECTIONS => Kind::Sections,
            _ => return,
        };
        if self.given > 0 {
            // The runtime has not told the end of the last region.
            *self = Region::NONE;
        }
        self.kind = kind;
    }

    /// The thread is given a chunk of so many iterations.
    #[inline(always)]
    pub fn chunk(&mut self, now: u64, iterations: u64, rate: Rate) {
        if self.kind != Kind::Chunks {
            return;
        }
        if let Some(since) = self.since {
            self.end_chunk(now.saturating_sub(since), rate);
        }
        self.since = Some(now);
        self.given += 1;
        self.iterations += iterations;
        self.largest = self.largest.max(iterations);
    }

    #[inline(always)]
    fn end_chunk(&mut self, ticks: u64, rate: Rate) {
        self.total += ticks;
        self.min = self.min.min(ticks);
        self.max = self.max.max(ticks);
        let octave = ((rate.ns(ticks) | 1).ilog2() as usize).min(OCTAVES - 1);
        self.seen |= 1 << octave;
        self.lengths[octave] += 1;
    }

    /// The thread is given `count` sections of a sections region, which begin with the section `first`, counted from 1.
    /// Returns the record of what it has executed before.
    pub fn section(&mut self, now: u64, first: u64, count: u64, rate: Rate) -> Option<Record> {
        if self.kind != Kind::Sections {
            return None;
        }
        let record = self.end_section(now, rate);
        self.since = Some(now);
        self.given += 1;
        self.sections = (first, count);
        record
    }

    fn end_section(&mut self, now: u64, rate: Rate) -> Option<Record> {
        let ticks = now.saturating_sub(self.since.take()?);
        if self.given > MOST_SECTIONS {
            self.total += ticks;
            self.iterations += self.sections.1;
            return None;
        }
        let (section, count) = self.sections;
        Some(Record::Section { section, count, ns: rate.ns(ticks) })
    }

    /// The thread leaves the region of this `ompt_work_t`. Hands what is to be recorded to `record`.
    #[inline(always)]
    pub fn end(&mut self, now: u64, work: u64, rate: Rate, record: impl FnMut(Record)) {
        // A single or taskloop region inside.
        let inner = matches!(work, 3 | 4 | 5 | 7..=9);
        if self.kind != Kind::None && !inner {
            self.record_all(now, rate, record);
        }
    }

    #[inline(never)]
    fn record_all(&mut self, now: u64, rate: Rate, mut record: impl FnMut(Record)) {
        if self.kind == Kind::Sections {
            self.end_section(now, rate).into_iter().for_each(&mut record);
            if self.iterations > 0 {
                record(Record::Section { section: 0, count: self.iterations, ns: rate.ns(self.total) });
            }
        } else if self.given > 0 {
            if let Some(since) = self.since {
                self.end_chunk(now.saturating_sub(since), rate);
            }
            let mut seen = if self.given > 2 { self.seen } else { 0 };
            while seen != 0 {
                let octave = seen.trailing_zeros();
                record(Record::ChunkLengths { octave: octave.into(), chunks: self.lengths[octave as usize].into() });
                seen &= seen - 1;
            }
            record(Record::Chunks {
                chunks: self.given,
                iterations: self.iterations,
                largest: self.largest,
                total_ns: rate.ns(self.total),
                min_ns: rate.ns(self.min),
                max_ns: rate.ns(self.max),
            });
        }
        self.clear();
    }

    /// As [`Region::NONE`], without writing all of the lengths.
    fn clear(&mut self) {
        let mut seen = self.seen;
        while seen != 0 {
            self.lengths[seen.trailing_zeros() as usize] = 0;
            seen &= seen - 1;
        }
        *self = Region { lengths: self.lengths, ..Region::NONE };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two ticks a nanosecond.
    const RATE: Rate = Rate(1 << 31);
    const DYNAMIC: u64 = 11;
    const SECTIONS: u64 = 2;
    const SINGLE: u64 = 3;

    fn end(region: &mut Region, now: u64, work: u64) -> Vec<Record> {
        let mut records = Vec::new();
        region.end(now, work, RATE, |record| records.push(record));
        records
    }

    #[test]
    fn chunks_are_summed_up() {
        let mut region = Region::NONE;
        for _ in 0..2 {
            region.begin(DYNAMIC);
            region.chunk(100, 16, RATE);
            region.chunk(300, 16, RATE);
            // A single region inside a chunk does not end the loop.
            assert_eq!(end(&mut region, 310, SINGLE), []);
            region.chunk(500, 7, RATE);
            let chunks =
                Record::Chunks { chunks: 3, iterations: 39, largest: 16, total_ns: 450, min_ns: 100, max_ns: 250 };
            let lengths = [(6, 2), (7, 1)].map(|(octave, chunks)| Record::ChunkLengths { octave, chunks });
            assert_eq!(end(&mut region, 1000, DYNAMIC), [lengths[0], lengths[1], chunks]);
        }
        region.begin(DYNAMIC);
        region.chunk(0, 5, RATE);
        let chunks = Record::Chunks { chunks: 1, iterations: 5, largest: 5, total_ns: 10, min_ns: 10, max_ns: 10 };
        assert_eq!(end(&mut region, 20, DYNAMIC), [chunks]);
        // A thread that came too late for any chunk.
        region.begin(DYNAMIC);
        assert_eq!(end(&mut region, 30, DYNAMIC), []);
    }

    #[test]
    fn sections_are_recorded_one_by_one() {
        let mut region = Region::NONE;
        region.begin(SECTIONS);
        assert_eq!(region.section(100, 2, 1, RATE), None);
        assert_eq!(region.section(200, 4, 1, RATE), Some(Record::Section { section: 2, count: 1, ns: 50 }));
        assert_eq!(end(&mut region, 220, SECTIONS), [Record::Section { section: 4, count: 1, ns: 10 }]);
        region.begin(SECTIONS);
        let recorded = (0..100).filter_map(|number| region.section(number * 2, number + 1, 1, RATE)).count();
        assert_eq!(recorded, MOST_SECTIONS as usize);
        assert_eq!(end(&mut region, 200, SECTIONS), [Record::Section { section: 0, count: 36, ns: 36 }]);
    }

    #[test]
    fn chunks_outside_of_a_region_are_ignored() {
        let mut region = Region::NONE;
        region.chunk(1, 1, RATE);
        assert_eq!(region.section(1, 1, 1, RATE), None);
        assert_eq!(end(&mut region, 5, DYNAMIC), []);
    }
}
