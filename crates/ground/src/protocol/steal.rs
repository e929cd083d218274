//! Ranges of chunks that belong to one member of a team, and from which the others steal: for loops whose chunks may
//! come to a thread in any order. The protocol is in `work/README.md`; `tests/loom_steal.rs` checks this very code.
//!
//! An example: the owner's range has the chunks 10 to 13, as the word (10, 14).
//!
//! 1. A thief reads (10, 14), and is going to leave (10, 12) and take 12 and 13.
//! 2. Meanwhile the owner takes chunk 10 by an addition. The word is (11, 14).
//! 3. The thief's exchange fails, because the word has changed. The thief computes anew, leaves (11, 12), and takes 12
//!    and 13.
//!
//! If the thief stored (10, 12) without asking, the owner would take chunk 10 a second time.

use crate::model::Padded;
use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::mutation;
use crate::protocol::ring::LENGTH;

/// Loops with at least this many chunks are not divided into ranges.
pub const MAX_CHUNKS: u64 = 1 << 31;

/// One member's ranges, one a slot of the ring: the first chunk in the lower half of the word, the
/// one behind the last in the upper. Empty where the former is not below the latter.
#[derive(Default)]
pub struct Ranges(Padded<[AtomicU64; LENGTH as usize]>);

impl Ranges {
    #[inline(always)]
    fn word(&self, number: u32) -> &AtomicU64 {
        &self.0.0[(number % LENGTH) as usize]
    }

    /// Takes the first chunk of the range for construct `number`. Only the owner calls this.
    #[inline(always)]
    pub fn pop(&self, number: u32) -> Option<u64> {
        // Relaxed, as everywhere here: the words hold all there is to know, and a chunk's number is
        // all that is handed over.
        let (first, end) = unpack(self.word(number).fetch_add(1, Ordering::Relaxed));
        (first < end).then_some(first)
    }

    /// Replaces the range, which the owner has found empty. Only the owner calls this.
    #[inline]
    pub fn refill(&self, number: u32, first: u64, end: u64) {
        self.word(number).store(pack(first, end), Ordering::Relaxed);
    }

    /// Takes the upper half of another member's range, rounded up: first chunk and the one behind
    /// the last.
    pub fn steal(&self, number: u32) -> Option<(u64, u64)> {
        self.steal_part(number, |chunks| chunks.div_ceil(2))
    }

    /// As [`steal`](Self::steal), but rounded down: for a thief that has a chunk of its own left to execute. It leaves
    /// the owner the only chunk of a range.
    pub fn steal_less(&self, number: u32) -> Option<(u64, u64)> {
        self.steal_part(number, |chunks| chunks / 2)
    }

    #[inline(always)]
    fn steal_part(&self, number: u32, part: impl Fn(u64) -> u64) -> Option<(u64, u64)> {
        let word = self.word(number);
        let mut now = word.load(Ordering::Relaxed);
        loop {
            let (first, end) = unpack(now);
            let part = part(end.saturating_sub(first));
            if part == 0 {
                return None;
            }
            let middle = end - part;
            if mutation::is("steal: stored without asking") {
                word.store(pack(first, middle), Ordering::Relaxed);
                return Some((middle, end));
            }
            match word.compare_exchange_weak(now, pack(first, middle), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((middle, end)),
                Err(other) => now = other,
            }
        }
    }
}

#[inline(always)]
fn pack(first: u64, end: u64) -> u64 {
    end << 32 | first
}

#[inline(always)]
fn unpack(word: u64) -> (u64, u64) {
    (word & 0xffff_ffff, word >> 32)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_chunk_goes_to_one_thread() {
        const CHUNKS: u64 = if cfg!(miri) { 60 } else { 5000 };
        let owner = Ranges::default();
        owner.refill(3, 0, CHUNKS);
        let taken: u64 = std::thread::scope(|scope| {
            let thieves: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut sum = 0;
                        while let Some((first, end)) = owner.steal(3) {
                            sum += (first..end).sum::<u64>();
                        }
                        sum
                    })
                })
                .collect();
            let mut sum = 0;
            while let Some(chunk) = owner.pop(3) {
                sum += chunk;
            }
            sum + thieves.into_iter().map(|thief| thief.join().expect("a thief ends")).sum::<u64>()
        });
        assert_eq!(taken, CHUNKS * (CHUNKS - 1) / 2);
    }
}
