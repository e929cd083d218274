//! Loops whose threads ask for their iterations chunk by chunk (OpenMP 5.1 §2.11.4).
//!
//! Each member of the team keeps the same private description of the loop. Static schedules need nothing else. The
//! other schedules count the chunks or iterations that have been handed out in a slot of the team's ring.

use super::{doacross, slot, static_schedule};
use crate::icv;
use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::loops::{Dimension, Loop, Source};
use crate::objects::schedule::{Clause, Kind, Schedule};
use crate::objects::space::{Chunk, Space};
use crate::objects::structures::{Member, Team, Thread};
use crate::objects::switch;
use crate::ompt;
use crate::protocol::ring::Slot;
use crate::protocol::steal::{self, Shares};
use std::ffi::c_void;

/// The number of chunks a thread from which threads have ranges of chunks, and the same for large teams. With fewer,
/// one counter hands out long iterations more evenly: if the first ones are the longest, it gives these out first.
const RANGES_PAY: u64 = 16;
const RANGES_PAY_LARGE: u64 = 8;
/// The smallest large team.
const LARGE: u32 = 9;

impl Loop {
    /// Enters a construct without a slot and without turns, in a team of one.
    #[inline(always)]
    pub(super) fn begin_alone(&self, space: Space) {
        self.source.set(Source::Whole);
        self.space.set(space);
        self.position.set(0);
        self.number.set(None);
    }

    /// The slot of the construct under way, if it has one.
    #[inline(always)]
    pub(super) fn slot<'a>(&self, team: &'a Team) -> Option<&'a Slot> {
        self.number.get().map(|number| team.work.ring.slot(number))
    }

    /// Exhausts the cancelled construct under way, so that no member gets any more of it.
    pub(super) fn exhaust(&self, team: &Team) {
        if let Some(slot) = self.slot(team) {
            // Past the end, for counts of chunks and for counts of iterations. Relaxed: nothing else is published with
            // it.
            slot.next.store(self.space.get().trips, Ordering::Relaxed);
        }
        self.source.set(Source::Nothing);
    }

    /// Gives the construct up, because the region was cancelled while the member waited for the slot. Other members may
    /// still be using the slot, so this member gets nothing of the construct.
    #[cold]
    fn give_up(&self) {
        self.source.set(Source::Nothing);
        // Past the last section.
        self.position.set(u64::from(u32::MAX));
    }

    /// Whether the loop, whose chunks are not counted in its slot, has been cancelled: [`exhaust`](Self::exhaust) moves
    /// the count. The number of the next barrier does not tell. If this loop has a `nowait` clause, another loop before
    /// the same barrier may be the cancelled one.
    fn is_cancelled(&self, team: &Team) -> bool {
        // Relaxed: a thread that sees it late executes one more chunk.
        self.slot(team).is_some_and(|slot| slot.next.load(Ordering::Relaxed) != 0)
    }

    /// Takes the next section's number, in a team of one.
    pub(super) fn advance(&self) -> u64 {
        let position = self.position.get();
        self.position.set(position + 1);
        position
    }
}

/// Enters a loop. All members of the team pass the same space and schedule. They continue with [`next`].
#[inline]
pub fn start(thread: &Thread, space: Space, schedule: Schedule, call: impl Caller) {
    enter(thread, space, schedule, false);
    ompt::work_begin(thread, schedule.work(), space.trips, call);
}

/// As [`start`], with `size` bytes of zeroed memory, which the members share until all have left the loop.
#[cold]
pub fn start_with_memory(
    thread: &Thread,
    space: Space,
    schedule: Schedule,
    size: usize,
    call: impl Caller,
) -> *mut c_void {
    enter(thread, space, schedule, true);
    ompt::work_begin(thread, schedule.work(), space.trips, call);
    memory(thread, size)
}

/// Enters the outermost loop of a doacross nest, whose iterations wait for each other through [`doacross`]. With
/// `size`, as [`start_with_memory`].
#[cold]
pub fn start_doacross(
    thread: &Thread,
    space: Space,
    schedule: Schedule,
    dimensions: impl Iterator<Item = Dimension>,
    size: Option<usize>,
    call: impl Caller,
) -> *mut c_void {
    enter(thread, space, schedule.doacross(), size.is_some());
    doacross::enter(thread, dimensions);
    ompt::work_begin(thread, schedule.work(), space.trips, call);
    size.map_or(std::ptr::null_mut(), |size| memory(thread, size))
}

/// The memory that the members of the construct under way share. A member that has given the construct up gets memory
/// of its own.
pub(super) fn memory(thread: &Thread, size: usize) -> *mut c_void {
    let member = thread.member();
    match member.work.current.slot(member.team()) {
        Some(slot) => slot.memory(size),
        None => member.work.own_memory(size),
    }
}

/// Enters a construct: describes it for the member. Waits for a slot if the schedule or the caller (`needs_slot`) needs
/// one.
#[inline(never)]
pub(super) fn enter(thread: &Thread, space: Space, mut schedule: Schedule, needs_slot: bool) {
    let member = thread.member();
    let team = member.team();
    let current = &member.work.current;
    let nthreads = team.nthreads();
    let in_turn = schedule.clause == Clause::Ordered;
    let (source, shared) = match schedule.kind {
        _ if nthreads == 1 => (Source::Whole, false),
        Kind::StaticBlocks => (Source::Block, in_turn),
        Kind::StaticChunks => (Source::Chunks, in_turn || switch::enabled()),
        Kind::StaticAligned => {
            schedule.chunk = static_schedule::aligned_share(space.trips, schedule.chunk, nthreads);
            (Source::Chunks, in_turn)
        }
        Kind::Dynamic if schedule.nonmonotonic && current.has_ranges(member, space, schedule.chunk, nthreads) => {
            (Source::Stealing, true)
        }
        Kind::Dynamic => (Source::Dynamic, true),
        Kind::Guided => (Source::Guided, true),
        Kind::GuidedAligned => (Source::GuidedAligned, true),
        Kind::Trapezoidal => (Source::Trapezoidal, true),
    };
    current.source.set(source);
    current.space.set(space);
    current.chunk.set(schedule.chunk);
    current.nthreads.set(nthreads);
    current.position.set(if source == Source::Chunks { u64::from(member.tid) } else { 0 });
    current.turns.reset(schedule.clause);
    if shared || needs_slot {
        let taken = slot::take(member);
        current.number.set(taken.map(|(number, _)| number));
        if taken.is_none() {
            current.give_up();
        }
        if in_turn {
            current.turns.take_turns_in(taken.map(|(_, slot)| slot));
        }
    } else {
        current.number.set(None);
    }
}

/// The thread's next chunk of the loop under way. After `None` there is no more.
#[inline(always)]
pub fn next(thread: &Thread, call: impl Caller) -> Option<Chunk> {
    let chunk = take(thread)?;
    ompt::loop_chunk(thread, chunk, call);
    Some(chunk)
}

#[inline]
fn take(thread: &Thread) -> Option<Chunk> {
    let member = thread.member();
    let current = &member.work.current;
    if current.turns.ordered() {
        current.turns.end_chunk(thread, member);
    }
    let chunk = match current.source.get() {
        Source::Nothing => None,
        Source::Stealing => current.stealing(member),
        Source::Dynamic => current.dynamic(member),
        Source::Guided => current.guided(member),
        Source::GuidedAligned => current.guided_aligned(member),
        Source::Trapezoidal => current.trapezoidal(member),
        Source::Chunks if current.is_cancelled(member.team()) => None,
        Source::Chunks => current.own_chunks(),
        Source::Block => current.block(member),
        Source::Whole => current.whole(),
    };
    match chunk {
        Some(chunk) => {
            if current.turns.ordered() {
                current.turns.begin_chunk(chunk, current.number.get().is_some());
            }
        }
        None => current.source.set(Source::Nothing),
    }
    chunk
}

/// Leaves the loop under way. The thread has asked for chunks until there were none.
#[inline(always)]
pub fn end(thread: &Thread, call: impl Caller) {
    leave(thread);
    ompt::work_end(thread, call);
}

/// Leaves the construct under way.
#[inline(always)]
pub(super) fn leave(thread: &Thread) {
    let current = &thread.member().work.current;
    if current.number.get().is_none() && !current.turns.are_taken() {
        current.source.set(Source::Nothing);
    } else {
        leave_shared(thread);
    }
}

/// As [`leave`], for a construct with a slot, or in which members wait for each other.
#[inline(never)]
fn leave_shared(thread: &Thread) {
    let member = thread.member();
    let current = &member.work.current;
    current.turns.leave(thread, member);
    current.source.set(Source::Nothing);
    if let Some(number) = current.number.take() {
        slot::leave(member, number, current.nthreads.get());
    }
}

impl Loop {
    fn whole(&self) -> Option<Chunk> {
        self.source.set(Source::Nothing);
        let trips = self.space.get().trips;
        (trips > 0).then_some(Chunk { first: 0, count: trips })
    }

    fn block(&self, member: &Member) -> Option<Chunk> {
        self.source.set(Source::Nothing);
        static_schedule::block(self.space.get().trips, member.tid, self.nthreads.get())
    }

    #[inline]
    fn own_chunks(&self) -> Option<Chunk> {
        let position = self.position.get();
        let chunk = self.numbered(position)?;
        // The sum may saturate: any number past the end means the end.
        self.position.set(position.saturating_add(u64::from(self.nthreads.get())));
        Some(chunk)
    }

    /// The team's next chunk. The slot counts chunks, not iterations, so that the counter cannot wrap.
    #[inline]
    fn dynamic(&self, member: &Member) -> Option<Chunk> {
        let slot = self.slot(member.team())?;
        // Relaxed: only the numbers matter, and `free_for` orders the slot's reset.
        self.numbered(slot.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Chooses whether threads have ranges of chunks and steal from each other. They take single chunks from one
    /// counter if there are few. In a doacross nest, too: other threads would wait for the chunks that a thread keeps
    /// for later. Also if the loop may be cancelled, or the user wants all loops monotonic.
    #[inline(never)]
    fn has_ranges(&self, member: &Member, space: Space, chunk: u64, nthreads: u32) -> bool {
        let chunks = if chunk == 1 { space.trips } else { space.trips.div_ceil(chunk) };
        self.chunks.set(chunks);
        self.has_last.set(false);
        let enough = if nthreads < LARGE { RANGES_PAY } else { RANGES_PAY_LARGE };
        chunks >= enough * u64::from(nthreads)
            && chunks < steal::MAX_CHUNKS
            && member.work.doacross.0.get().is_none()
            && !switch::enabled()
            && !icv::settings().monotonic_dynamic
    }

    /// The next chunk of the thread's own range. Taking it moves no cache line of another thread.
    #[inline]
    fn stealing(&self, member: &Member) -> Option<Chunk> {
        let number = self.number.get()?;
        let chunk = match member.work.ranges.pop(number) {
            Some(chunk) if chunk + 1 != self.chunks.get() => chunk,
            popped => self.beyond_range(member, number, popped.is_some())?,
        };
        self.numbered(chunk)
    }

    /// A chunk for a thread whose range is empty, or has given the loop's last chunk (`popped_last`). The thread
    /// executes the last chunk when it finds no other: programs take the value of a `lastprivate` variable from this
    /// thread, and a chunk that it stole later would overwrite the value. A thread that left the loop after the last
    /// chunk would leave the others alone with their ranges, which are long where the first iterations are the longest.
    #[cold]
    fn beyond_range(&self, member: &Member, number: u32, popped_last: bool) -> Option<u64> {
        let last = self.chunks.get() - 1;
        if popped_last {
            self.has_last.set(true);
        }
        loop {
            match self.new_range(member, number) {
                Some((first, end)) => {
                    self.keep(member, number, first + 1, end);
                    if first != last {
                        return Some(first);
                    }
                    self.has_last.set(true);
                }
                None if self.has_last.get() => {
                    self.source.set(Source::Nothing);
                    return Some(last);
                }
                None => return None,
            }
        }
    }

    /// Keeps the rest of a range that the thread has taken. Others search again if a search has ended meanwhile: it has
    /// not seen this range, and the thread may have lost its CPU since it took the range.
    fn keep(&self, member: &Member, number: u32, first: u64, end: u64) {
        member.work.ranges.refill(number, first, end);
        if first < end
            && let Some(slot) = self.slot(member.team())
            && slot.next.load(Ordering::Relaxed) != 0
        {
            slot.next.store(0, Ordering::Relaxed);
        }
    }

    /// Takes a new range: the thread's share of the chunks, or a part of another thread's.
    #[cold]
    fn new_range(&self, member: &Member, number: u32) -> Option<(u64, u64)> {
        let team = member.team();
        let slot = team.work.ring.slot(number);
        let (nthreads, chunks) = (self.nthreads.get(), self.chunks.get());
        let shares = Shares { number, slot, tid: member.tid, nthreads, chunks };
        shares.take(|tid| &team.member(tid).work.ranges, self.has_last.get())
    }

    /// The chunk with this number, if the loop has so many.
    #[inline(always)]
    fn numbered(&self, number: u64) -> Option<Chunk> {
        let trips = self.space.get().trips;
        let chunk = self.chunk.get();
        let first = if chunk == 1 { number } else { number.checked_mul(chunk)? };
        (first < trips).then(|| Chunk { first, count: chunk.min(trips - first) })
    }

    /// A thread's fair share of the iterations that are left, but not less than a chunk. Late chunks are small, so
    /// threads end together (guided self-scheduling: Polychronopoulos and Kuck, 1987). Half a share would make twice as
    /// many chunks, and each moves a contended cache line: with 2 threads and 128 empty iterations that took 550 ns
    /// instead of 380.
    #[inline]
    fn guided(&self, member: &Member) -> Option<Chunk> {
        self.take(member, |left, shares, chunk| left.div_ceil(shares).max(chunk))
    }

    /// As [`guided`](Self::guided), rounded up to a multiple of the chunk size.
    #[cold]
    fn guided_aligned(&self, member: &Member) -> Option<Chunk> {
        self.take(member, |left, shares, chunk| left.div_ceil(shares).checked_next_multiple_of(chunk).unwrap_or(left))
    }

    /// Takes `count(left, threads, chunk)` of the iterations that are left, or all of them if there are fewer.
    #[inline(always)]
    fn take(&self, member: &Member, count: impl Fn(u64, u64, u64) -> u64) -> Option<Chunk> {
        let slot = self.slot(member.team())?;
        let trips = self.space.get().trips;
        let shares = u64::from(self.nthreads.get());
        let mut first = slot.next.load(Ordering::Relaxed);
        loop {
            let left = trips - first;
            if left == 0 {
                return None;
            }
            let count = count(left, shares, self.chunk.get()).min(left);
            match slot.next.compare_exchange_weak(first, first + count, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(Chunk { first, count }),
                Err(now) => first = now,
            }
        }
    }

    /// Trapezoid self-scheduling (Tzen and Ni, 1993): from half a fair share down to the chunk size.
    #[cold]
    fn trapezoidal(&self, member: &Member) -> Option<Chunk> {
        let slot = self.slot(member.team())?;
        let trips = self.space.get().trips;
        let trapezoid = Trapezoid::new(trips, self.chunk.get(), self.nthreads.get());
        trapezoid.chunk(trips, slot.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// The chunks of a trapezoidal schedule, whose sizes fall evenly.
struct Trapezoid {
    /// Iterations of the first chunk.
    largest: u128,
    /// How many iterations each chunk has less than the one before.
    less: u128,
    chunks: u128,
}

impl Trapezoid {
    fn new(trips: u64, smallest: u64, nthreads: u32) -> Self {
        let largest = (trips / (2 * u64::from(nthreads))).max(1);
        let smallest = smallest.min(largest);
        let (largest, smallest, trips) = (u128::from(largest), u128::from(smallest), u128::from(trips));
        let chunks = (2 * trips).div_ceil(largest + smallest).max(2);
        Trapezoid { largest, less: (largest - smallest) / (chunks - 1), chunks }
    }

    /// The first iteration of a chunk, which may be past the loop's end.
    fn first(&self, number: u128) -> u128 {
        number * self.largest - self.less * (number * number.saturating_sub(1) / 2)
    }

    fn chunk(&self, trips: u64, number: u64) -> Option<Chunk> {
        let number = u128::from(number);
        if number >= self.chunks {
            return None;
        }
        let trips = u128::from(trips);
        let (first, end) = (self.first(number), self.first(number + 1).min(trips));
        (first < trips).then(|| Chunk { first: first as u64, count: (end - first) as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trapezoids_cover_the_loop_with_shrinking_chunks() {
        for trips in [1, 2, 7, 100, 1000, 12345, u64::MAX / 2, u64::MAX] {
            for smallest in [1, 2, 10, 5000, 1 << 50, u64::MAX] {
                for nthreads in [1, 2, 3, 8, 33] {
                    // Where the smallest chunk is far below a share of the loop there are too many to walk through.
                    if trips / smallest > 1 << 20 && trips > 1 << 40 {
                        continue;
                    }
                    let trapezoid = Trapezoid::new(trips, smallest, nthreads);
                    let (mut next, mut before, mut number) = (0, u64::MAX, 0);
                    while let Some(chunk) = trapezoid.chunk(trips, number) {
                        assert_eq!(chunk.first, next);
                        assert!(chunk.count > 0 && chunk.count <= before, "{trips} {smallest} {nthreads}");
                        (next, before, number) = (next.wrapping_add(chunk.count), chunk.count, number + 1);
                    }
                    assert_eq!(next, trips, "{trips} {smallest} {nthreads}");
                    assert!(trapezoid.chunk(trips, u64::MAX).is_none());
                }
            }
        }
    }
}
