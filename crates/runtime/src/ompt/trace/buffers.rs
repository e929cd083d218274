//! Channels: several threads of a device write records into a tool's buffers without a lock (OpenMP 5.1 §4.5.2.23–24).
//!
//! A channel has one buffer after the other. A thread reserves slots of the buffer by one addition, writes its record,
//! and counts the slots as finished. The thread that finishes the last record of a closed buffer hands the buffer over.
//! `README.md` has the protocol.

use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use crate::model::{Padded, mutation, spin_hint, yield_now};
use crate::park::event::Event;

/// Bytes of a slot: the size of the largest standard record, so that a buffer of that size holds one record.
pub const SLOT: usize = 104;
/// The alignment of records.
pub const ALIGN: usize = 8;

/// Positions from here on are outside of the buffer.
const LIMIT: u32 = 1 << 30;
/// In the position word: the channel has no buffer.
const EMPTY: u64 = 1 << 63;
/// In `finished`: the buffer is closed, and all of its records are finished.
const FULL: u32 = 1 << 31;
/// In `finished`: the state describes no buffer.
const FREE: u32 = u32::MAX;
/// How often a thread looks at a busy channel before it sleeps; a tool takes longer than that to give a buffer. None
/// under loom.
const LOOKS: u32 = if cfg!(loom) { 0 } else { 100 };
/// How many buffers of a channel can be unfinished at a time.
const STATES: usize = 4;

/// Memory that a tool gave as a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub buffer: usize,
    pub bytes: usize,
    /// For the thread that hands the buffer over: the tool's completion callback.
    pub owner: usize,
}

impl Memory {
    /// The offset of the first slot, and the number of slots.
    pub fn slots(&self) -> (usize, u32) {
        let begin = self.buffer.wrapping_neg() % ALIGN;
        let slots = self.bytes.saturating_sub(begin) / SLOT;
        (begin, slots.min(LIMIT as usize) as u32)
    }
}

/// A buffer on its way back to the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed {
    pub memory: Memory,
    /// How many slots have been written.
    pub used: u32,
    /// The buffer's number in its channel. The first buffer has number 1.
    pub number: u32,
}

/// The state of a buffer in use. The thread that installs the buffer writes all fields but the last two, while no other
/// thread reads them.
struct BufferState {
    buffer: AtomicUsize,
    bytes: AtomicUsize,
    owner: AtomicUsize,
    /// The first slot.
    first: AtomicPtr<u8>,
    slots: AtomicU32,
    /// How many slots have been reserved. Written by the thread that closes the buffer.
    used: AtomicU32,
    /// How many slots are finished. The thread that closes the buffer adds [`FULL`] less `used`. [`FREE`] between two
    /// buffers.
    finished: AtomicU32,
}

impl BufferState {
    fn new() -> Self {
        BufferState {
            buffer: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            owner: AtomicUsize::new(0),
            first: AtomicPtr::new(std::ptr::null_mut()),
            slots: AtomicU32::new(0),
            used: AtomicU32::new(0),
            finished: AtomicU32::new(FREE),
        }
    }
}

/// Slots in which the holder alone may write, from `at` on. Given back by [`Channel::finish`].
#[must_use]
pub struct Reservation {
    pub at: *mut u8,
    number: u32,
    slots: u32,
}

/// The duty of one thread to give the channel another buffer, or none.
#[must_use]
pub struct Refill {
    word: u64,
}

/// The result of [`Channel::reserve`].
pub enum Attempt {
    Reserved(Reservation),
    /// The buffer is full, or there is none. The caller refills the channel.
    Refill(Refill),
    /// Another thread refills the channel. The caller waits.
    Busy,
}

/// One buffer after the other, for some of the threads that write records.
pub struct Channel {
    /// The position word: [`EMPTY`], the buffer's number in the upper half, which names the buffer's state, and the
    /// next position in the lower half. A buffer of n slots has the positions from `LIMIT - n` on. Above `LIMIT` the
    /// buffer is closed, and a thread refills the channel.
    word: Padded<AtomicU64>,
    states: Padded<[BufferState; STATES]>,
    /// Wakes threads that wait for the end of a refill.
    refilled: Event,
}

impl Default for Channel {
    fn default() -> Self {
        Channel {
            word: Padded(AtomicU64::new(EMPTY | u64::from(LIMIT))),
            states: Padded(std::array::from_fn(|_| BufferState::new())),
            refilled: Event::new(),
        }
    }
}

#[inline(always)]
fn number_of(word: u64) -> u32 {
    ((word & !EMPTY) >> 32) as u32
}

impl Channel {
    #[inline(always)]
    fn state(&self, number: u32) -> &BufferState {
        &self.states[number as usize % STATES]
    }

    /// Reserves `slots` slots that follow each other.
    #[inline(always)]
    pub fn reserve(&self, slots: u32) -> Attempt {
        // Acquire: the buffer's state is seen as it was installed.
        let word = self.word.fetch_add(u64::from(slots), Ordering::Acquire);
        let position = word as u32;
        if position + slots <= LIMIT {
            return Attempt::Reserved(self.reservation(word, slots));
        }
        // Only the first addition that does not fit starts at or below the limit.
        if position <= LIMIT { Attempt::Refill(Refill { word }) } else { Attempt::Busy }
    }

    #[inline(always)]
    fn reservation(&self, word: u64, slots: u32) -> Reservation {
        let number = number_of(word);
        // The state stays this buffer's until the slots are finished.
        let state = self.state(number);
        let index = state.slots.load(Ordering::Relaxed) - (LIMIT - word as u32);
        // Inside the buffer.
        let at = state.first.load(Ordering::Relaxed).wrapping_add(index as usize * SLOT);
        Reservation { at, number, slots }
    }

    /// The record is written. If the buffer is complete with this record, the buffer goes to `deliver`.
    #[inline(always)]
    pub fn finish(&self, reservation: Reservation, deliver: impl FnOnce(Completed)) {
        if let Some(completed) = self.add_finished(reservation.number, reservation.slots) {
            deliver(completed);
        }
    }

    #[inline(always)]
    fn add_finished(&self, number: u32, finished: u32) -> Option<Completed> {
        // AcqRel: the thread that hands the buffer over sees all records.
        let order = mutation::or_relaxed("buffers: records finished relaxed", Ordering::AcqRel);
        let before = self.state(number).finished.fetch_add(finished, order);
        (before.wrapping_add(finished) == FULL).then(|| self.complete(number))
    }

    #[cold]
    fn complete(&self, number: u32) -> Completed {
        let state = self.state(number);
        let memory = Memory {
            buffer: state.buffer.load(Ordering::Relaxed),
            bytes: state.bytes.load(Ordering::Relaxed),
            owner: state.owner.load(Ordering::Relaxed),
        };
        let completed = Completed { memory, used: state.used.load(Ordering::Relaxed), number };
        // Release: the next user of the state writes after these loads.
        state.finished.store(FREE, Ordering::Release);
        completed
    }

    /// Closes the buffer that `word` names, at the position in `word`. No thread can reserve slots in it any more.
    fn close_at(&self, word: u64, deliver: impl FnOnce(Completed)) {
        if word & EMPTY != 0 {
            return;
        }
        let number = number_of(word);
        let state = self.state(number);
        let used = state.slots.load(Ordering::Relaxed) - (LIMIT - word as u32);
        state.used.store(used, Ordering::Relaxed);
        if let Some(completed) = self.add_finished(number, FULL - used) {
            deliver(completed);
        }
    }

    /// The first step of a refill: closes the full buffer, which goes to `deliver` unless other threads still write.
    pub fn close_full(&self, refill: &Refill, deliver: impl FnOnce(Completed)) {
        self.close_at(refill.word, deliver);
    }

    /// Ends the refill with a buffer of one slot at least. Reserves the caller's `slots` at once; returns none if the
    /// buffer has fewer slots.
    pub fn install(&self, refill: Refill, memory: Memory, slots: u32) -> Option<Reservation> {
        let number = (number_of(refill.word) + 1) & (u32::MAX >> 1);
        let state = self.state(number);
        let mut looks = 0;
        // The state may still be that of the buffer four buffers ago. Acquire: see `complete`.
        while state.finished.load(Ordering::Acquire) != FREE {
            looks += 1;
            if looks > LOOKS { yield_now() } else { spin_hint() }
        }
        let (begin, there) = memory.slots();
        state.buffer.store(memory.buffer, Ordering::Relaxed);
        state.bytes.store(memory.bytes, Ordering::Relaxed);
        state.owner.store(memory.owner, Ordering::Relaxed);
        state.first.store((memory.buffer + begin) as *mut u8, Ordering::Relaxed);
        state.slots.store(there, Ordering::Relaxed);
        state.finished.store(0, Ordering::Relaxed);
        let reserved = if slots <= there { slots } else { 0 };
        let word = u64::from(number) << 32 | u64::from(LIMIT - there);
        // An exchange, here and below. A store would do, but loom does not see that the store comes after the additions
        // before it.
        self.word.swap(word + u64::from(reserved), Ordering::AcqRel);
        self.refilled.notify_all();
        // Before the caller looks whether the trace has been stopped: see `close`.
        fence(Ordering::SeqCst);
        (reserved != 0).then(|| self.reservation(word, reserved))
    }

    /// Ends the refill without a buffer.
    pub fn leave_empty(&self, refill: Refill) {
        let number = u64::from(number_of(refill.word)) << 32;
        self.word.swap(EMPTY | number | u64::from(LIMIT), Ordering::AcqRel);
        self.refilled.notify_all();
    }

    /// Waits until no thread refills the channel.
    #[cold]
    pub fn wait(&self) {
        let is_busy = || self.under_refill().is_some();
        for _ in 0..LOOKS {
            if !is_busy() {
                return;
            }
            spin_hint();
        }
        let ticket = self.refilled.prepare();
        if is_busy() {
            self.refilled.sleep(ticket);
        } else {
            self.refilled.cancel(ticket);
        }
    }

    /// If a thread refills the channel, the number of the last buffer, which is being replaced.
    pub fn under_refill(&self) -> Option<u32> {
        let word = self.word.load(Ordering::Acquire);
        (word as u32 > LIMIT).then(|| number_of(word))
    }

    /// Closes the buffer as it is, unless there is none, or a thread that refills the channel has closed it. The
    /// channel is empty then, and the next writer refills it. Returns the number of the last buffer that is closed.
    pub fn close(&self, deliver: impl FnOnce(Completed)) -> u32 {
        // After the caller has stopped the trace. Either a thread that installs a buffer sees the stop, or this thread
        // sees the buffer.
        fence(Ordering::SeqCst);
        let is_open = |word: u64| word & EMPTY == 0 && word as u32 <= LIMIT;
        let emptied = |word| is_open(word).then_some(EMPTY | (word & !u64::from(u32::MAX)) | u64::from(LIMIT));
        let closed = self.word.fetch_update(Ordering::AcqRel, Ordering::Acquire, emptied);
        if let Ok(word) = closed {
            self.close_at(word, deliver);
        }
        let (Ok(word) | Err(word)) = closed;
        number_of(word)
    }

    /// In a forked child: as new, whatever was under way.
    #[cfg(not(loom))]
    pub fn forget_after_fork(&self) {
        self.word.store(EMPTY | u64::from(LIMIT), Ordering::Relaxed);
        self.states.iter().for_each(|state| state.finished.store(FREE, Ordering::Relaxed));
        self.refilled.forget_sleepers();
    }
}
