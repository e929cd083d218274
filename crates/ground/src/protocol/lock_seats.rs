//! Seats for threads that wait for a contended lock: each looks at a line of its own, until the thread is called.
//!
//! Only one waiting thread polls a lock's word. The others sit here, and a thread that releases the lock calls the next
//! one. Threads of one group, whose CPUs share a cache, are called one after another, so that the lock's line and what
//! the lock protects stay in that cache. The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very
//! code.
//!
//! Seats say who polls, no more. A thread that is never called takes the lock all the same: now and then a sitting
//! thread looks at the lock's word, and in the end the thread sleeps on the word.

use crate::model::Padded;
use crate::model::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use crate::model::mutation;

/// The most groups. Where a machine has more caches, CPUs of several share a group.
pub const GROUPS: usize = if cfg!(loom) { 2 } else { 32 };
/// The most seats of a group. Further CPUs have none, and their threads poll.
pub const SEATS: usize = if cfg!(loom) { 2 } else { 64 };
/// Rooms, over which locks are spread by their addresses.
const ROOMS: usize = if cfg!(loom) { 1 } else { 32 };
/// So many times in a row a group has the turn while threads of others sit.
const IN_A_ROW: u32 = if cfg!(loom) { 2 } else { 128 };
/// A thread of the group is called at each so manieth release at least, so that all take part in the end.
const ROTATES: u32 = if cfg!(loom) { 2 } else { 8 };
/// What a seat has once its thread is called.
const CALLED: u64 = 1;
/// Besides [`CALLED`]: others sit.
const OTHERS_SIT: u64 = 2;
/// Besides [`CALLED`]: the thread polls even where another one does.
const GOES_FIRST: u64 = 4;
/// No lock lies on the first page of memory. All calls are smaller numbers.
const LOCKS: u64 = 4096;

/// What a thread is called with.
#[derive(Clone, Copy)]
pub(super) struct Call(u64);

impl Call {
    /// The thread got up by itself.
    pub(super) const NONE: Call = Call(0);

    /// Whether others of the group sit.
    pub(super) fn others_sit(self) -> bool {
        self.0 & OTHERS_SIT != 0
    }

    /// Whether the thread polls even where another one does.
    pub(super) fn goes_first(self) -> bool {
        self.0 & GOES_FIRST != 0
    }
}

/// A seat's number: its group and its place in the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat {
    group: u8,
    place: u8,
}

impl Seat {
    /// The seat at `place` in `group`; none if there is no such seat.
    pub fn new(group: usize, place: usize) -> Option<Seat> {
        (group < GROUPS && place < SEATS).then_some(Seat { group: group as u8, place: place as u8 })
    }

    fn bit(self) -> u64 {
        1 << self.place
    }
}

/// All seats, one for each CPU, and the rooms that say which of them are taken.
pub struct Seats {
    /// 0 for an empty seat, the lock for which the seat's thread waits, or [`CALLED`]. Written by the thread, and by
    /// the thread that calls it.
    seats: [Padded<AtomicU64>; GROUPS * SEATS],
    rooms: [Room; ROOMS],
}

/// Who sits and waits for one of the locks of a room.
struct Room {
    /// The groups of which threads have ever sat here, as bits. Read at each contended taking, so that nothing else is
    /// on the line.
    groups: Padded<AtomicU32>,
    /// The group that has the turn. Written when that changes, by the thread that calls.
    group: Padded<AtomicU32>,
    /// The [`Turn`]. Written by threads that call.
    turn: Padded<AtomicU32>,
    /// The seats of each group that are taken by threads who wait for a lock of this room, as bits. Each bit is written
    /// by the seat's thread.
    taken: [Padded<AtomicU64>; GROUPS],
}

/// The place that was called last in the group, and the releases since the group got its turn. Two threads that call at
/// once may lose one of two changes: then a turn is longer.
#[derive(Clone, Copy)]
struct Turn {
    place: u32,
    row: u32,
}

impl Turn {
    fn of(word: u32) -> Turn {
        Turn { place: word & 0xff, row: word >> 8 }
    }

    fn word(self) -> u32 {
        self.place | self.row << 8
    }
}

#[cfg(not(loom))]
impl Room {
    const fn new() -> Self {
        Room {
            groups: Padded(AtomicU32::new(0)),
            group: Padded(AtomicU32::new(0)),
            turn: Padded(AtomicU32::new(0)),
            taken: [const { Padded(AtomicU64::new(0)) }; GROUPS],
        }
    }
}

impl Seats {
    /// Empty seats.
    #[cfg(not(loom))]
    #[expect(clippy::new_without_default, reason = "a static needs a constant")]
    pub const fn new() -> Self {
        Seats { seats: [const { Padded(AtomicU64::new(0)) }; GROUPS * SEATS], rooms: [const { Room::new() }; ROOMS] }
    }

    /// Empty seats.
    #[cfg(loom)]
    pub fn new() -> Self {
        let room = |_| Room {
            groups: Default::default(),
            group: Default::default(),
            turn: Default::default(),
            taken: std::array::from_fn(|_| Default::default()),
        };
        Seats { seats: std::array::from_fn(|_| Default::default()), rooms: std::array::from_fn(room) }
    }

    fn room(&self, lock: u64) -> &Room {
        // Fibonacci hashing: the product's upper bits depend on all bits of the address.
        &self.rooms[((lock >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % ROOMS]
    }

    fn word(&self, group: usize, place: usize) -> &AtomicU64 {
        &self.seats[group * SEATS + place]
    }

    /// Sits down to wait for the lock at the address `lock`. Returns none if the seat is taken: by a thread that was
    /// on the same CPU, or by the thread itself, which a signal handler has interrupted. Returns else how many others
    /// of the group sit in the lock's room.
    ///
    /// If none do, the thread looks at the lock's word once more: whoever would have called the thread may have looked
    /// at the seats before.
    pub(super) fn sit(&self, seat: Seat, lock: u64) -> Option<u32> {
        let word = self.word(seat.group.into(), seat.place.into());
        let before = word.load(Ordering::Relaxed);
        if is_lock(before) || word.compare_exchange(before, lock, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return None;
        }
        let room = self.room(lock);
        let group = 1 << seat.group;
        if room.groups.load(Ordering::Relaxed) & group == 0 {
            room.groups.fetch_or(group, Ordering::Release);
        }
        // Release: a thread that sees the bit finds the lock in the seat.
        let others = room.taken[usize::from(seat.group)].fetch_or(seat.bit(), Ordering::AcqRel);
        if !mutation::is("lock seats: no fence between the seat and the second look") {
            fence(Ordering::SeqCst);
        }
        Some(others.count_ones())
    }

    /// The call to the lock, if the thread in the seat is called.
    pub(super) fn call_of(&self, seat: Seat, lock: u64) -> Option<Call> {
        // In a forked child the seat is empty, and nobody will call the thread there.
        let now = self.word(seat.group.into(), seat.place.into()).load(Ordering::Acquire);
        // Another thread of the CPU may have sat down in the seat after the call.
        let call = if is_lock(now) { CALLED | OTHERS_SIT } else { now };
        (now != lock).then_some(Call(call))
    }

    /// In the model, a thread that sits blocks. A thread that spun could keep loom from running the others.
    #[cfg(loom)]
    pub(super) fn block_until_called(&self, seat: Seat, lock: u64) {
        crate::park::futex::wait_on_lower_half(self.word(seat.group.into(), seat.place.into()), lock as u32);
    }

    /// Gets up without having been called. The thread may be called meanwhile: no matter, because the thread looks at
    /// the lock's word next.
    pub(super) fn get_up(&self, seat: Seat, lock: u64) {
        // The bit first: as soon as the seat is empty, another thread may sit down there, and this would take its bit.
        self.room(lock).taken[usize::from(seat.group)].fetch_and(!seat.bit(), Ordering::AcqRel);
        let word = self.word(seat.group.into(), seat.place.into());
        // If the exchange fails, the thread was called.
        let _ = word.compare_exchange(lock, 0, Ordering::Release, Ordering::Relaxed);
    }

    /// Whether threads sit that may wait for the lock. The caller has just changed the lock's word by a sequentially
    /// consistent read-modify-write.
    pub(super) fn has_sitting(&self, lock: u64, seat: Option<Seat>) -> bool {
        let room = self.room(lock);
        // Sequentially consistent, as the fence in `sit` is: of two threads that each write and then look at what the
        // other has written, one at least sees the other's.
        let near = seat.is_some_and(|seat| room.taken[usize::from(seat.group)].load(Ordering::SeqCst) != 0);
        near || bits(room.groups.load(Ordering::SeqCst)).any(|group| room.taken[group].load(Ordering::SeqCst) != 0)
    }

    /// Whether threads of the seat's group sit that may wait for the lock.
    pub(super) fn has_sitting_near(&self, seat: Seat, lock: u64) -> bool {
        self.room(lock).taken[usize::from(seat.group)].load(Ordering::Relaxed) != 0
    }

    /// Calls a thread that sits and waits for the lock, if there is one. If another thread polls the lock, none is
    /// called most of the time. The caller has released the lock, and so touches nothing of the lock but its address.
    #[cold]
    pub fn call(&self, lock: u64, is_polled: bool) {
        let room = self.room(lock);
        let turn = Turn::of(room.turn.load(Ordering::Relaxed));
        let group = room.group.load(Ordering::Relaxed) as usize;
        let row = turn.row + 1;
        if is_polled && row < IN_A_ROW && !row.is_multiple_of(ROTATES) {
            return room.turn.store(Turn { row, ..turn }.word(), Ordering::Relaxed);
        }
        let how = if is_polled { CALLED | GOES_FIRST } else { CALLED };
        fence(Ordering::SeqCst);
        if row < IN_A_ROW
            && let Some(place) = self.call_in(room, group, turn.place + 1, lock, how)
        {
            return room.turn.store(Turn { place, row }.word(), Ordering::Relaxed);
        }
        // The group's own turn comes again last.
        let first = group as u32 + 1;
        for distance in bits(room.groups.load(Ordering::Relaxed).rotate_right(first)) {
            let group = (distance as u32 + first) % u32::BITS;
            if let Some(place) = self.call_in(room, group as usize, 0, lock, how) {
                room.turn.store(Turn { place, row: 0 }.word(), Ordering::Relaxed);
                return room.group.store(group, Ordering::Relaxed);
            }
        }
    }

    /// Calls a thread of the group by `how`, looking from the place `first` on. Returns the place.
    fn call_in(&self, room: &Room, group: usize, first: u32, lock: u64, how: u64) -> Option<u32> {
        let first = first % u64::BITS;
        let taken = &room.taken[group];
        let sitting = taken.load(Ordering::Acquire).rotate_right(first);
        bits(sitting).map(|distance| (distance as u32 + first) % u64::BITS).find(|&place| {
            let word = self.word(group, place as usize);
            let bit = 1 << place;
            // The thread may wait for another lock of the room, or have got up.
            if word.load(Ordering::Relaxed) != lock {
                return false;
            }
            let others = taken.fetch_and(!bit, Ordering::AcqRel) & !bit;
            let called = how | if others != 0 { OTHERS_SIT } else { 0 };
            match word.compare_exchange(lock, called, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => {
                    #[cfg(loom)]
                    crate::park::futex::wake_on_lower_half(word);
                    true
                }
                Err(now) => {
                    // Another thread has sat down there, and its bit is gone. For a lock of another room it has set
                    // one there.
                    if is_lock(now) && std::ptr::eq(self.room(now), room) {
                        taken.fetch_or(bit, Ordering::AcqRel);
                    }
                    false
                }
            }
        })
    }

    /// Empties all seats, in a forked child: the threads that sat there do not exist.
    pub fn after_fork(&self) {
        // Only where threads have sat: a child that soon ends should not pay for 400 KB.
        let mut used = 0;
        for room in &self.rooms {
            let groups = room.groups.load(Ordering::Relaxed);
            bits(groups).for_each(|group| room.taken[group].store(0, Ordering::Relaxed));
            used |= groups;
        }
        for group in bits(used) {
            (0..SEATS).for_each(|place| self.word(group, place).store(0, Ordering::Relaxed));
        }
    }
}

/// Whether this is what a seat has while its thread waits.
fn is_lock(seat: u64) -> bool {
    seat >= LOCKS
}

/// The numbers of the bits that are set, from the lowest on.
fn bits(word: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut word = word.into();
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;

    static EMPTY: Seats = Seats::new();
    const LOCK: u64 = 0x1_0000;

    fn seats() -> Box<Seats> {
        // A copy of what is empty would pass over the stack.
        let mut seats = Box::<Seats>::new_uninit();
        // SAFETY: the bytes are those of a constant without pointers, and both are as large.
        unsafe {
            std::ptr::copy_nonoverlapping(&raw const EMPTY, seats.as_mut_ptr(), 1);
            seats.assume_init()
        }
    }

    fn seat(group: usize, place: usize) -> Seat {
        Seat::new(group, place).expect("a seat")
    }

    fn called(seats: &Seats) -> Vec<(u8, u8)> {
        let all = (0..GROUPS).flat_map(|group| (0..SEATS).map(move |place| seat(group, place)));
        let sits = |word: u64| word == CALLED || word == CALLED | OTHERS_SIT;
        all.filter(|seat| sits(seats.word(seat.group.into(), seat.place.into()).load(Ordering::Relaxed)))
            .map(|seat| (seat.group, seat.place))
            .collect()
    }

    #[test]
    fn a_group_comes_first_while_it_has_the_turn() {
        let seats = seats();
        for (group, place) in [(0, 3), (5, 0), (0, 9), (5, 63)] {
            assert!(seats.sit(seat(group, place), LOCK).is_some());
        }
        for expected in [vec![(0, 3)], vec![(0, 3), (0, 9)], vec![(0, 3), (0, 9), (5, 0)]] {
            seats.call(LOCK, false);
            assert_eq!(called(&seats), expected);
        }
    }

    #[test]
    fn the_turn_goes_on_after_a_row() {
        let seats = seats();
        for release in 1..IN_A_ROW {
            seats.sit(seat(0, 0), LOCK).expect("an empty seat");
            seats.call(LOCK, false);
            assert!(seats.call_of(seat(0, 0), LOCK).is_some(), "release {release}");
        }
        seats.sit(seat(0, 0), LOCK).expect("an empty seat");
        seats.sit(seat(7, 1), LOCK).expect("an empty seat");
        seats.call(LOCK, true);
        assert!(seats.call_of(seat(0, 0), LOCK).is_none());
        assert!(seats.call_of(seat(7, 1), LOCK).is_some_and(|call| call.goes_first() && !call.others_sit()));
    }

    #[test]
    fn a_polled_lock_calls_now_and_then() {
        let seats = seats();
        seats.sit(seat(0, 0), LOCK).expect("an empty seat");
        for _ in 1..ROTATES {
            seats.call(LOCK, true);
            assert!(seats.call_of(seat(0, 0), LOCK).is_none());
        }
        seats.call(LOCK, true);
        assert!(seats.call_of(seat(0, 0), LOCK).is_some());
    }

    #[test]
    fn a_taken_seat_and_another_lock_of_the_room() {
        let seats = seats();
        let other = (1..).map(|step| LOCK + 4 * step);
        let other = other.into_iter().find(|&lock| std::ptr::eq(seats.room(lock), seats.room(LOCK))).expect("one");
        assert_eq!(seats.sit(seat(0, 0), other), Some(0));
        assert_eq!(seats.sit(seat(0, 0), LOCK), None);
        assert_eq!(seats.sit(seat(0, 1), LOCK), Some(1));
        seats.call(LOCK, false);
        assert!(seats.call_of(seat(0, 0), other).is_none());
        assert!(seats.call_of(seat(0, 1), LOCK).is_some_and(Call::others_sit));
        seats.get_up(seat(0, 0), other);
        assert!(!seats.has_sitting(LOCK, None));
    }
}
