//! Loops whose iterations a thread asks for chunk by chunk (OpenMP 5.1 §2.11.4).
//!
//! Each member of the team keeps the same private description of the loop. Static schedules need
//! nothing else; the others count what has been handed out in a slot of the team's ring.

use super::doacross;
use super::static_schedule;
use crate::icv;
use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::loops::Dimension;
use crate::objects::loops::{Loop, Source};
use crate::objects::schedule::Clause;
use crate::objects::schedule::{Kind, Schedule};
use crate::objects::space::{Chunk, Space};
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Team};
use crate::objects::switch;
use crate::ompt;
use crate::protocol::ring::Slot;
use crate::protocol::steal;
use std::ffi::c_void;

/// Chunks a thread from which on threads take ranges of them: with fewer, a range would be one chunk.
const RANGES_PAY: u64 = 8;

impl Loop {
    /// The iteration space of the loop under way.
    #[inline(always)]
    pub fn space(&self) -> Space {
        self.space.get()
    }

    /// A member that is alone in its team enters a construct without a slot or turns.
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

    /// Replaces the number of iterations, for sections that say it late.
    pub(super) fn set_trips(&self, trips: u64) {
        self.space.set(Space { trips, ..self.space.get() });
    }

    /// Sees that no member of the team gets any more of the construct under way, which has been cancelled.
    pub(super) fn exhaust(&self, team: &Team) {
        if let Some(slot) = self.slot(team) {
            // Past the end in every way of counting. Relaxed: as where it is counted up.
            slot.next.store(self.space.get().trips, Ordering::Relaxed);
        }
        self.source.set(Source::Nothing);
    }

    /// The region has been cancelled while the member waited for the construct's slot, which others may
    /// still be using: it gets nothing of the construct.
    #[cold]
    fn give_up(&self) {
        self.number.set(None);
        self.source.set(Source::Nothing);
        // Past the last section.
        self.position.set(u64::from(u32::MAX));
    }

    /// Whether the loop, whose iterations are not counted in its slot, has been cancelled. The phase between two
    /// barriers does not tell: another loop of the same phase may be the cancelled one, if this one has a `nowait`
    /// clause.
    fn is_cancelled(&self, team: &Team) -> bool {
        // Relaxed: a thread that sees it late executes a chunk more.
        self.slot(team).is_none_or(|slot| slot.next.load(Ordering::Relaxed) != 0)
    }

    /// The member's next position, counted up: for the sections of a thread alone.
    pub(super) fn advance(&self) -> u64 {
        let position = self.position.get();
        self.position.set(position + 1);
        position
    }
}

/// Enters a loop. The members of the team pass the same space and schedule, and go on with
/// [`next`].
#[inline]
pub fn start(thread: &Thread, space: Space, schedule: Schedule, call: impl Caller) {
    enter(thread, space, schedule, false);
    ompt::work_begin(thread, schedule.work(), space.trips, call);
}

/// As [`start`], for a loop that needs `size` bytes of zeroed memory which its members share until
/// they have left it.
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

/// Enters the outermost loop of a doacross nest: its iterations, and those of the loops inside, wait
/// for each other through [`doacross`]. With `size`, as [`start_with_memory`].
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

/// The memory that the members of the construct under way share. A member that has given the construct up, because the
/// region has been cancelled, shares with nobody.
pub(super) fn memory(thread: &Thread, size: usize) -> *mut c_void {
    let member = thread.member();
    match member.work.current.slot(member.team()) {
        Some(slot) => slot.memory(size),
        None => member.work.own_memory(size),
    }
}

/// Enters a construct: describes it, and waits for its slot if it has one or `needs_slot`.
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
        Kind::StaticChunks if switch::enabled() => (Source::ChunksUnlessCancelled, true),
        Kind::StaticChunks => (Source::Chunks, in_turn),
        Kind::StaticAligned => {
            schedule.chunk = static_schedule::aligned_share(space.trips, schedule.chunk, nthreads);
            (Source::Chunks, in_turn)
        }
        Kind::Dynamic if schedule.nonmonotonic => {
            (current.dynamic_source(member, space, schedule.chunk, nthreads), true)
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
    let in_chunks = matches!(source, Source::Chunks | Source::ChunksUnlessCancelled);
    current.position.set(if in_chunks { u64::from(member.tid) } else { 0 });
    current.turns.reset(schedule.clause);
    if shared || needs_slot {
        let number = member.work.take_slot_number();
        current.number.set(Some(number));
        let slot = team.work.ring.slot(number);
        if !team.wait_until(|| slot.is_free_for(number)) {
            current.give_up();
        }
        if in_turn {
            current.turns.take_turns_in(current.slot(team));
        }
    } else {
        current.number.set(None);
    }
}

/// The thread's next chunk of the loop under way; `None` once there is none, and for good.
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
        Source::Chunks => current.own_chunks(),
        Source::ChunksUnlessCancelled if current.is_cancelled(member.team()) => None,
        Source::ChunksUnlessCancelled => current.own_chunks(),
        Source::Block => current.block(member),
        Source::Whole => current.whole(),
    };
    match chunk {
        Some(chunk) => {
            if current.turns.ordered() {
                current.turns.begin_chunk(chunk);
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

/// As [`leave`], a construct with a slot or in which members wait for each other.
#[inline(never)]
fn leave_shared(thread: &Thread) {
    let member = thread.member();
    let current = &member.work.current;
    current.turns.leave(thread, member);
    current.source.set(Source::Nothing);
    if let Some(number) = current.number.take() {
        let team = member.team();
        if team.work.ring.slot(number).leave(number, current.nthreads.get()) {
            team.waits.notify_all();
        }
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
        // A number past the end is as good as any other past the end.
        self.position.set(position.saturating_add(u64::from(self.nthreads.get())));
        Some(chunk)
    }

    /// Counts chunks, not iterations: the counter then cannot wrap, whatever the loop's bounds.
    #[inline]
    fn dynamic(&self, member: &Member) -> Option<Chunk> {
        let slot = self.slot(member.team())?;
        // Relaxed: only the numbers matter; the slot's reset is ordered by `free_for`.
        self.numbered(slot.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether dividing the loop's chunks into ranges is worth while. In a doacross nest it is not:
    /// others wait for the chunks that a thread would keep for later. Nor where the loop may be cancelled, or
    /// the user wants all loops monotonic.
    #[inline]
    fn dynamic_source(&self, member: &Member, space: Space, chunk: u64, nthreads: u32) -> Source {
        let chunks = if chunk == 1 { space.trips } else { space.trips.div_ceil(chunk) };
        self.chunks.set(chunks);
        self.had_last.set(false);
        if chunks < RANGES_PAY * u64::from(nthreads)
            || chunks >= steal::MAX_CHUNKS
            || member.work.doacross.is_in_nest()
            || switch::enabled()
            || icv::settings().monotonic_dynamic
        {
            return Source::Dynamic;
        }
        Source::Stealing
    }

    /// A chunk of the thread's own range, which costs no other thread anything.
    #[inline]
    fn stealing(&self, member: &Member) -> Option<Chunk> {
        let number = self.number.get()?;
        let chunk = match member.work.ranges.pop(number) {
            Some(chunk) => chunk,
            // A stolen chunk comes before the last one. A thread that has run the last one takes no other: programs
            // find the value of a `lastprivate` variable where that thread left it.
            None if self.had_last.get() => return None,
            None => self.new_range(member, number)?,
        };
        if chunk + 1 == self.chunks.get() {
            self.had_last.set(true);
        }
        self.numbered(chunk)
    }

    /// Takes a range of those that are nobody's yet, or half of another thread's; returns its first
    /// chunk and keeps the rest.
    #[cold]
    fn new_range(&self, member: &Member, number: u32) -> Option<u64> {
        let team = member.team();
        let nthreads = self.nthreads.get();
        let slot = team.work.ring.slot(number);
        let chunks = self.chunks.get();
        let mut first = slot.next.load(Ordering::Relaxed);
        while first < chunks {
            let end = first + (chunks - first).div_ceil(2 * u64::from(nthreads));
            match slot.next.compare_exchange_weak(first, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    member.work.ranges.refill(number, first + 1, end);
                    return Some(first);
                }
                Err(now) => first = now,
            }
        }
        let victims = (member.tid + 1..nthreads).chain(0..member.tid);
        let (first, end) = victims.into_iter().find_map(|tid| team.member(tid).work.ranges.steal(number))?;
        member.work.ranges.refill(number, first + 1, end);
        Some(first)
    }

    /// The chunk with a number, if the loop has so many.
    #[inline(always)]
    fn numbered(&self, number: u64) -> Option<Chunk> {
        let trips = self.space.get().trips;
        let chunk = self.chunk.get();
        let first = if chunk == 1 { number } else { number.checked_mul(chunk)? };
        (first < trips).then(|| Chunk { first, count: chunk.min(trips - first) })
    }

    /// A thread's fair share of what is left, but not less than a chunk: late chunks are small, so that
    /// threads end together (guided self-scheduling: Polychronopoulos and Kuck, 1987). Half a share,
    /// as some do, makes twice as many chunks, each of which moves a contended line: at 2 threads and
    /// 128 empty iterations that took 550 ns instead of 380.
    #[inline]
    fn guided(&self, member: &Member) -> Option<Chunk> {
        self.take(member, |left, shares, chunk| left.div_ceil(shares).max(chunk))
    }

    /// As [`guided`](Self::guided), rounded up to a multiple of the chunk size.
    #[cold]
    fn guided_aligned(&self, member: &Member) -> Option<Chunk> {
        self.take(member, |left, shares, chunk| left.div_ceil(shares).checked_next_multiple_of(chunk).unwrap_or(left))
    }

    /// Takes as many of the iterations that are left as `count(left, threads, chunk)` says, or all.
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

/// Chunks whose sizes fall evenly.
struct Trapezoid {
    /// Iterations of the first chunk.
    largest: u128,
    /// By how many each is smaller than the one before.
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
