//! The chunks of a loop in ranges, each of which belongs to one member of a team, and from which the others steal: for
//! loops whose chunks may come to a thread in any order. The protocol is in `work/README.md`; `tests/loom_steal.rs`
//! checks this very code.
//!
//! Each member has a share of the chunks by its number, so that no member waits for another one at the begin of the
//! loop. A member that is late finds its share claimed by another one.
//!
//! An example: the owner's range has the chunks 10 to 13, as the word (10, 14).
//!
//! 1. A thief reads (10, 14), and is going to leave (10, 12) and take 12 and 13.
//! 2. Meanwhile the owner takes chunk 10 by an addition. The word is (11, 14).
//! 3. The thief's exchange fails, because the word has changed. The thief computes anew, leaves (11, 12), and takes 12
//!    and 13.
//!
//! If the thief stored (10, 12) without asking, the owner would take chunk 10 a second time.

use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::{self, Padded, mutation};
use crate::protocol::ring::{LENGTH, Slot};

/// Loops with at least this many chunks are not divided into ranges.
pub const MAX_CHUNKS: u64 = 1 << 31;

/// So many members a thief looks at together, the nearest first. A processor fetches as many lines side by side.
const TOGETHER: u32 = if cfg!(loom) { 2 } else { 8 };

/// One member's ranges, one a slot of the ring.
#[derive(Default)]
pub struct Ranges(Padded<[Place; LENGTH as usize]>);

/// What one member has of one construct. Both words are on one cache line.
#[derive(Default)]
#[repr(align(16))]
struct Place {
    /// The first chunk in the lower half, the one behind the last in the upper. Empty where the former is not below the
    /// latter.
    range: AtomicU64,
    /// The slot's [`round`](Slot::round) when somebody last claimed the member's share. Never goes back.
    claimed: AtomicU64,
}

impl Ranges {
    #[inline(always)]
    fn place(&self, number: u32) -> &Place {
        &self.0.0[(number % LENGTH) as usize]
    }

    /// Takes the first chunk of the range for construct `number`. Only the owner calls this.
    #[inline(always)]
    pub fn pop(&self, number: u32) -> Option<u64> {
        // Relaxed, as everywhere here: the words hold all there is to know, and a chunk's number is
        // all that is handed over.
        let (first, end) = unpack(self.place(number).range.fetch_add(1, Ordering::Relaxed));
        (first < end).then_some(first)
    }

    /// Replaces the range, which the owner has found empty. Only the owner calls this.
    #[inline]
    pub fn refill(&self, number: u32, first: u64, end: u64) {
        self.place(number).range.store(pack(first, end), Ordering::Relaxed);
    }
}

impl Place {
    /// Claims the member's share of the construct that uses the slot in this round. Whoever is the first gets the
    /// share.
    #[inline]
    fn claim(&self, round: u64) -> bool {
        if self.claimed.load(Ordering::Relaxed) == round {
            return false;
        }
        if mutation::is("steal: claimed without asking") {
            self.claimed.store(round, Ordering::Relaxed);
            return true;
        }
        self.claimed.swap(round, Ordering::Relaxed) != round
    }

    /// Whether there seems to be something to take. Who takes looks again, so the model has no such look.
    fn has_something(&self, round: u64) -> bool {
        if cfg!(loom) {
            return true;
        }
        let (first, end) = unpack(self.range.load(Ordering::Relaxed));
        first < end || self.claimed.load(Ordering::Relaxed) != round
    }

    /// Takes the upper half of another member's range, rounded up: first chunk and the one behind the last. A thief
    /// that has a chunk of its own left to execute rounds down (`modest`): it leaves the owner the only chunk of a
    /// range.
    fn steal(&self, modest: bool) -> Option<(u64, u64)> {
        let mut now = self.range.load(Ordering::Relaxed);
        loop {
            let (first, end) = unpack(now);
            let chunks = end.saturating_sub(first);
            let part = if modest { chunks / 2 } else { chunks.div_ceil(2) };
            if part == 0 {
                return None;
            }
            let middle = end - part;
            if mutation::is("steal: stored without asking") {
                self.range.store(pack(first, middle), Ordering::Relaxed);
                return Some((middle, end));
            }
            match self.range.compare_exchange_weak(now, pack(first, middle), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((middle, end)),
                Err(other) => now = other,
            }
        }
    }
}

/// How the members of a team share the chunks of a loop, as one of them sees it.
pub struct Shares<'a> {
    /// The construct's number, and its slot.
    pub number: u32,
    pub slot: &'a Slot,
    /// The calling member, of so many.
    pub tid: u32,
    pub nthreads: u32,
    /// How many chunks the loop has, fewer than [`MAX_CHUNKS`].
    pub chunks: u64,
}

impl Shares<'_> {
    /// Takes a range for the calling member, whose range is empty: its own share, another one's that is late, or half
    /// of another one's range, from a member that is as near as can be. `ranges` has each member's. For `modest`, see
    /// [`Place::steal`].
    ///
    /// None when there was nothing to be found: chunks that are on their way from one range to another are executed by
    /// the thread that moves them.
    #[inline(never)]
    pub fn take<'a>(&self, ranges: impl Fn(u32) -> &'a Ranges, modest: bool) -> Option<(u64, u64)> {
        let place = |tid: u32| ranges(tid).place(self.number);
        let mine = place(self.tid);
        if mine.claim(self.slot.round()) {
            return Some(self.share_of(self.tid));
        }
        // Each pop of an empty range adds to it: so many loops could make it one that is not empty.
        mine.range.store(0, Ordering::Relaxed);
        self.search(place, modest)
    }

    fn search<'a>(&self, place: impl Fn(u32) -> &'a Place, modest: bool) -> Option<(u64, u64)> {
        let round = self.slot.round();
        let blocks = self.nthreads.next_power_of_two().div_ceil(TOGETHER);
        for distance in 0..blocks {
            // Another thread has found nothing. The nearest members are looked at in any case.
            if distance > 0 && self.slot.next.load(Ordering::Relaxed) != 0 {
                return None;
            }
            // Near blocks first: numbers that have their upper bits in common are near.
            let first = ((self.tid / TOGETHER) ^ distance) * TOGETHER;
            let block = first..(first + TOGETHER).min(self.nthreads);
            let looks = model::look_at_all(block.map(&place), |place| place.has_something(round));
            let found = looks.enumerate().fold(0, |found, (index, has)| found | u32::from(has) << index);
            for index in from_on(found, self.tid % TOGETHER) {
                let victim = first + index;
                if place(victim).claim(round) {
                    return Some(self.share_of(victim));
                }
                if let Some(range) = place(victim).steal(modest) {
                    return Some(range);
                }
            }
        }
        if !modest && blocks > 1 {
            self.slot.next.store(1, Ordering::Relaxed);
        }
        None
    }

    /// The chunks that are the member's at the begin: first and the one behind the last.
    fn share_of(&self, tid: u32) -> (u64, u64) {
        let (tid, nthreads) = (u64::from(tid), u64::from(self.nthreads));
        let (each, more) = (self.chunks / nthreads, self.chunks % nthreads);
        let first = tid * each + tid.min(more);
        (first, first + each + u64::from(tid < more))
    }
}

/// The numbers of the bits that are set, from `first` on and round.
fn from_on(bits: u32, first: u32) -> impl Iterator<Item = u32> {
    let mut bits = bits.rotate_right(first);
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some((bit + first) % u32::BITS)
    })
}

#[inline(always)]
fn pack(first: u64, end: u64) -> u64 {
    end << 32 | first
}

#[inline(always)]
fn unpack(word: u64) -> (u64, u64) {
    (word & 0xffff_ffff, word >> 32)
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;
    use crate::protocol::ring::Ring;

    /// Members of a team, and a loop that one slot serves.
    struct Team {
        ring: Ring,
        ranges: Vec<Ranges>,
    }

    // SAFETY: the ring's cell is written before the threads begin.
    unsafe impl Sync for Team {}

    impl Team {
        fn new(members: u32) -> Self {
            let ring = Ring::default();
            ring.reserve(members);
            Team { ring, ranges: (0..members).map(|_| Ranges::default()).collect() }
        }

        fn shares(&self, number: u32, tid: u32, chunks: u64) -> Shares<'_> {
            Shares { number, slot: self.ring.slot(number), tid, nthreads: self.ranges.len() as u32, chunks }
        }

        fn take(&self, number: u32, tid: u32, chunks: u64, modest: bool) -> Option<(u64, u64)> {
            self.shares(number, tid, chunks).take(|tid| &self.ranges[tid as usize], modest)
        }

        /// The sum of the chunks that the member gets.
        fn work(&self, number: u32, tid: u32, chunks: u64) -> u64 {
            let mine = &self.ranges[tid as usize];
            let mut sum = 0;
            loop {
                while let Some(chunk) = mine.pop(number) {
                    sum += chunk;
                }
                let Some((first, end)) = self.take(number, tid, chunks, false) else { return sum };
                mine.refill(number, first, end);
            }
        }
    }

    #[test]
    fn each_chunk_goes_to_one_thread() {
        let sizes: &[(u32, u64)] = if cfg!(miri) { &[(3, 40)] } else { &[(2, 5000), (3, 5000), (13, 3000), (70, 700)] };
        for &(members, chunks) in sizes {
            let team = &Team::new(members);
            for number in 0..3 * LENGTH {
                let sum: u64 = std::thread::scope(|scope| {
                    let work = |tid| {
                        scope.spawn(move || {
                            let sum = team.work(number, tid, chunks);
                            team.ring.leave(number, tid, members);
                            sum
                        })
                    };
                    let threads: Vec<_> = (0..members).map(work).collect();
                    threads.into_iter().map(|thread| thread.join().expect("a member ends")).sum()
                });
                assert_eq!(sum, chunks * (chunks - 1) / 2, "{members} members, construct {number}");
            }
        }
    }

    #[test]
    fn shares_are_equal_and_make_the_whole() {
        for members in [1, 2, 7, 192] {
            let team = Team::new(members);
            for chunks in [0, 1, 191, 192, 193, 10_000, MAX_CHUNKS - 1] {
                let mut next = 0;
                for tid in 0..members {
                    let (first, end) = team.shares(0, tid, chunks).share_of(tid);
                    assert_eq!(first, next);
                    assert!((end - first).abs_diff(chunks / u64::from(members)) <= 1);
                    next = end;
                }
                assert_eq!(next, chunks);
            }
        }
    }

    #[test]
    fn a_late_members_share_goes_to_a_near_thread() {
        let team = Team::new(20);
        assert_eq!(team.take(0, 9, 200, false), Some((90, 100)));
        // Its own group first, then the one with the next number.
        let taken: Vec<_> = (0..14).map(|_| team.take(0, 9, 200, false).map(|(first, _)| first / 10)).collect();
        assert_eq!(taken, [10, 11, 12, 13, 14, 15, 8, 1, 2, 3, 4, 5, 6, 7].map(Some));
    }

    #[test]
    fn a_modest_thief_leaves_the_only_chunk_and_tells_nobody() {
        let team = Team::new(20);
        for tid in 0..20 {
            assert!(team.take(0, tid, 20, false).is_some());
        }
        team.ranges[0].refill(0, 0, 1);
        assert_eq!(team.take(0, 19, 20, true), None);
        assert_eq!(team.take(0, 19, 20, false), Some((0, 1)));
        team.ranges[0].refill(0, 0, 0);
        assert_eq!(team.take(0, 19, 20, false), None);
        // Who finds nothing spares the others the search, except among the nearest.
        team.ranges[0].refill(0, 0, 1);
        assert_eq!(team.take(0, 19, 20, false), None);
        assert_eq!(team.take(0, 1, 20, false), Some((0, 1)));
    }
}
