//! Strips: how threads of a device write records into a tool's buffers, several at once, without a lock (OpenMP 5.1
//! §4.5.2.23–24).
//!
//! A strip has one buffer after the other. Threads take room in it by one addition, write, and count what they have
//! finished; whoever finishes the last record of a buffer that is closed hands it over. `README.md` has the protocol.

use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use crate::model::{Padded, mutation, spin_hint, yield_now};
use crate::park::event::Event;

/// Bytes of one record's room: the size of the largest standard record, which all have, so that a buffer of that size
/// holds one.
pub const ROOM: usize = 104;
/// Records are aligned so.
pub const ALIGN: usize = 8;

/// A position from here on is outside of the buffer.
const LIMIT: u32 = 1 << 30;
/// The strip has no buffer.
const EMPTY: u64 = 1 << 63;
/// A buffer that is closed, and of which all records are finished.
const FULL: u32 = 1 << 31;
/// A sheet that describes no buffer.
const FREE: u32 = u32::MAX;
/// How often a thread looks at a busy strip before it sleeps: a tool takes longer than that to give a buffer. None
/// under loom.
const LOOKS: u32 = if cfg!(loom) { 0 } else { 100 };
/// Buffers of a strip that can be unfinished at a time.
const SHEETS: usize = 4;

/// A buffer, as the tool gave it, and what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    pub buffer: usize,
    pub bytes: usize,
    /// Where the first record is, from the buffer's begin.
    pub begin: usize,
    /// Rooms that are taken.
    pub used: u32,
    /// Rooms that there are.
    pub rooms: u32,
    /// The buffer's number in its strip: the first has 1.
    pub number: u32,
    /// What whoever installed the buffer wants to know when it is handed over.
    pub owner: usize,
}

/// Memory that a tool gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub buffer: usize,
    pub bytes: usize,
    pub owner: usize,
}

impl Memory {
    /// Where records begin, and how many there is room for.
    pub fn rooms(&self) -> (usize, u32) {
        let begin = self.buffer.wrapping_neg() % ALIGN;
        let rooms = self.bytes.saturating_sub(begin) / ROOM;
        (begin, rooms.min(LIMIT as usize) as u32)
    }
}

/// A buffer in use. The fields but `finished` are written by who installs it, while nobody else looks, `used` by who
/// closes it.
struct Sheet {
    buffer: AtomicUsize,
    bytes: AtomicUsize,
    owner: AtomicUsize,
    /// The first record.
    first: AtomicPtr<u8>,
    rooms: AtomicU32,
    used: AtomicU32,
    /// Rooms whose records are finished; [`FULL`] less `used` is added by who closes the buffer. [`FREE`] between two
    /// buffers.
    finished: AtomicU32,
}

impl Sheet {
    fn new() -> Self {
        Sheet {
            buffer: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            owner: AtomicUsize::new(0),
            first: AtomicPtr::new(std::ptr::null_mut()),
            rooms: AtomicU32::new(0),
            used: AtomicU32::new(0),
            finished: AtomicU32::new(FREE),
        }
    }
}

/// The right to write records from `at` on, `rooms` rooms; given back by [`Strip::finish`].
#[must_use]
pub struct Room {
    pub at: *mut u8,
    number: u32,
    rooms: u32,
}

/// The duty to give the strip another buffer, or none: of one thread at a time.
#[must_use]
pub struct Refill {
    word: u64,
}

/// What a thread finds that wants to write.
pub enum Found {
    Room(Room),
    /// The buffer is full, or there is none: the caller refills the strip.
    Refill(Refill),
    /// Another thread refills it: to be waited for.
    Busy,
}

/// One buffer after the other, for some of the threads that write records.
pub struct Strip {
    /// Which sheet is in use, and how far: [`EMPTY`], the buffer's number in the upper half, the next position in the
    /// lower one. A buffer of n rooms has the positions from `LIMIT - n` on. Above `LIMIT` the buffer is closed, and
    /// somebody refills the strip.
    word: Padded<AtomicU64>,
    sheets: Padded<[Sheet; SHEETS]>,
    /// Where those wait who find it busy.
    refilled: Event,
}

impl Default for Strip {
    fn default() -> Self {
        Strip {
            word: Padded(AtomicU64::new(EMPTY | u64::from(LIMIT))),
            sheets: Padded(std::array::from_fn(|_| Sheet::new())),
            refilled: Event::new(),
        }
    }
}

#[inline(always)]
fn number_of(word: u64) -> u32 {
    ((word & !EMPTY) >> 32) as u32
}

impl Strip {
    #[inline(always)]
    fn sheet(&self, number: u32) -> &Sheet {
        &self.sheets[number as usize % SHEETS]
    }

    /// Takes `rooms` rooms that follow each other.
    #[inline(always)]
    pub fn take(&self, rooms: u32) -> Found {
        // Acquire: the sheet is seen as it was installed.
        let word = self.word.fetch_add(u64::from(rooms), Ordering::Acquire);
        let position = word as u32;
        if position + rooms <= LIMIT {
            return Found::Room(self.room(word, rooms));
        }
        // The first that does not fit is the only one from below the limit.
        if position <= LIMIT { Found::Refill(Refill { word }) } else { Found::Busy }
    }

    #[inline(always)]
    fn room(&self, word: u64, rooms: u32) -> Room {
        let number = number_of(word);
        let sheet = self.sheet(number);
        // The sheet stays this buffer's until the room is finished.
        let index = sheet.rooms.load(Ordering::Relaxed) - (LIMIT - word as u32);
        // Inside the buffer.
        let at = sheet.first.load(Ordering::Relaxed).wrapping_add(index as usize * ROOM);
        Room { at, number, rooms }
    }

    /// The records are written. A buffer that is complete with them goes to `deliver`.
    #[inline(always)]
    pub fn finish(&self, room: Room, deliver: impl FnOnce(Parcel)) {
        if let Some(parcel) = self.settle(room.number, room.rooms) {
            deliver(parcel);
        }
    }

    #[inline(always)]
    fn settle(&self, number: u32, finished: u32) -> Option<Parcel> {
        let sheet = self.sheet(number);
        // AcqRel: who hands the buffer over has all records.
        let order = mutation::or_relaxed("buffers: records finished relaxed", Ordering::AcqRel);
        let before = sheet.finished.fetch_add(finished, order);
        if before.wrapping_add(finished) == FULL { Some(self.hand_over(number)) } else { None }
    }

    #[cold]
    fn hand_over(&self, number: u32) -> Parcel {
        let sheet = self.sheet(number);
        let memory = Memory {
            buffer: sheet.buffer.load(Ordering::Relaxed),
            bytes: sheet.bytes.load(Ordering::Relaxed),
            owner: sheet.owner.load(Ordering::Relaxed),
        };
        let (begin, rooms) = memory.rooms();
        let parcel = Parcel {
            buffer: memory.buffer,
            bytes: memory.bytes,
            begin,
            used: sheet.used.load(Ordering::Relaxed),
            rooms,
            number,
            owner: memory.owner,
        };
        // Release: who takes the sheet comes after these loads.
        sheet.finished.store(FREE, Ordering::Release);
        parcel
    }

    /// No room is taken in the buffer any more, of which `word` says how far it was.
    fn close_sheet(&self, word: u64) -> Option<Parcel> {
        if word & EMPTY != 0 {
            return None;
        }
        let number = number_of(word);
        let sheet = self.sheet(number);
        let used = sheet.rooms.load(Ordering::Relaxed) - (LIMIT - word as u32);
        sheet.used.store(used, Ordering::Relaxed);
        self.settle(number, FULL - used)
    }

    /// First duty of who refills: the full buffer is closed. It goes to `deliver` unless others still write in it.
    pub fn close_full(&self, refill: &Refill, deliver: impl FnOnce(Parcel)) {
        if let Some(parcel) = self.close_sheet(refill.word) {
            deliver(parcel);
        }
    }

    /// Ends the refilling with a buffer that has room for one record at least. Room for the caller's `rooms` is taken
    /// in it at once; none where it has not that many.
    pub fn install(&self, refill: Refill, memory: Memory, rooms: u32) -> Option<Room> {
        let number = (number_of(refill.word) + 1) & (u32::MAX >> 1);
        let sheet = self.sheet(number);
        let mut looks = 0;
        // As long as others have not finished the buffer that was here four buffers ago. Acquire: see `hand_over`.
        while sheet.finished.load(Ordering::Acquire) != FREE {
            looks += 1;
            if looks > LOOKS { yield_now() } else { spin_hint() }
        }
        let (begin, there) = memory.rooms();
        sheet.buffer.store(memory.buffer, Ordering::Relaxed);
        sheet.bytes.store(memory.bytes, Ordering::Relaxed);
        sheet.owner.store(memory.owner, Ordering::Relaxed);
        sheet.first.store((memory.buffer + begin) as *mut u8, Ordering::Relaxed);
        sheet.rooms.store(there, Ordering::Relaxed);
        sheet.finished.store(0, Ordering::Relaxed);
        let taken = if rooms <= there { rooms } else { 0 };
        let word = u64::from(number) << 32 | u64::from(LIMIT - there);
        // An exchange, here and below: a store would do, but loom does not see that it comes after the additions
        // before.
        self.word.swap(word + u64::from(taken), Ordering::AcqRel);
        self.refilled.notify_all();
        // Before the caller looks whether the trace has been stopped: see `close`.
        fence(Ordering::SeqCst);
        (taken != 0).then(|| self.room(word, taken))
    }

    /// Ends the refilling without a buffer.
    pub fn leave_empty(&self, refill: Refill) {
        let number = u64::from(number_of(refill.word)) << 32;
        self.word.swap(EMPTY | number | u64::from(LIMIT), Ordering::AcqRel);
        self.refilled.notify_all();
    }

    /// Waits until the strip is not being refilled.
    #[cold]
    pub fn wait(&self) {
        for _ in 0..LOOKS {
            if !self.is_busy() {
                return;
            }
            spin_hint();
        }
        let ticket = self.refilled.prepare();
        if self.is_busy() {
            self.refilled.sleep(ticket);
        } else {
            self.refilled.cancel(ticket);
        }
    }

    /// Whether somebody refills the strip.
    fn is_busy(&self) -> bool {
        self.under_refill().is_some()
    }

    /// The number of the buffer that is being replaced by another, or was the last; none where nobody refills the
    /// strip.
    pub fn under_refill(&self) -> Option<u32> {
        let word = self.word.load(Ordering::Acquire);
        (word as u32 > LIMIT).then(|| number_of(word))
    }

    /// Closes the buffer as it is, if there is one that nobody is closing; the strip is empty then. Who comes to write
    /// next refills it. Returns the number of the last buffer that is closed.
    pub fn close(&self, deliver: impl FnOnce(Parcel)) -> u32 {
        // After the caller has said that the trace is stopped: who installs a buffer and does not see that is seen
        // here.
        fence(Ordering::SeqCst);
        let mut word = self.word.load(Ordering::Acquire);
        loop {
            if word & EMPTY != 0 || word as u32 > LIMIT {
                return number_of(word);
            }
            let empty = EMPTY | (word & !u64::from(u32::MAX)) | u64::from(LIMIT);
            match self.word.compare_exchange(word, empty, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    if let Some(parcel) = self.close_sheet(word) {
                        deliver(parcel);
                    }
                    return number_of(word);
                }
                Err(now) => word = now,
            }
        }
    }

    /// In a forked child: as new, whatever was under way.
    #[cfg(not(loom))]
    pub fn forget_after_fork(&self) {
        self.word.store(EMPTY | u64::from(LIMIT), Ordering::Relaxed);
        self.sheets.iter().for_each(|sheet| sheet.finished.store(FREE, Ordering::Relaxed));
        self.refilled.forget_sleepers();
    }
}
