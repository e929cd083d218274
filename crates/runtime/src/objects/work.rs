//! What members and teams keep of work-sharing constructs.

use crate::heap;
use crate::model::Padded;
use crate::model::atomic::{AtomicPtr, AtomicU64};
use crate::objects::loops;
use crate::objects::loops::Loop;
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::protocol::ring::Ring;
use crate::protocol::steal::Ranges;
use ompt::Work;
use std::cell::Cell;
use std::ffi::c_void;

/// A member's part: its numbers of constructs and the loop under way. Only the member touches it,
/// but for the ranges.
#[derive(Default)]
pub struct WorkMember {
    /// The number of the next construct that needs a slot of the ring; wraps.
    pub(crate) slots: Cell<u32>,
    /// The number of the next single region, modulo 2^48.
    pub(crate) singles: Cell<u64>,
    /// The loop or sections construct under way.
    pub current: Loop,
    /// The doacross nest that the member is in.
    pub doacross: loops::Current,
    /// What was told to the tool at the construct's begin, so that the end says the same.
    pub reported: Cell<Option<(Work, u64)>>,
    /// Memory in the place of what members would share, null until it is needed.
    pub(crate) own_memory: Cell<*mut c_void>,
    /// Whether the member is in a reduction whose values it adds under the reduction's lock.
    pub reduces_under_lock: Cell<bool>,
    /// Whether tools have been told that the member combines values of a reduction, and not yet that it has.
    pub combines: Cell<bool>,
    /// Chunks that the member has taken, and from which others may steal.
    pub ranges: Ranges,
}

/// A team's part: what its members share about constructs.
#[derive(Default)]
pub struct WorkTeam {
    /// Slots for constructs with shared state.
    pub ring: Ring,
    /// Where members wait for their turn in ordered regions.
    pub turns: Padded<crate::protocol::turn::Queue>,
    /// Which single regions have found their executor.
    pub single: Padded<loops::Counter>,
    /// What the executor of the single region under way hands to the others (`copyprivate`). Written
    /// by the executor before a barrier, read by the others behind it.
    pub(crate) copied: AtomicPtr<c_void>,
    /// The barrier behind the worksharing construct that was cancelled last: see `cancel.rs`. Written by members.
    pub(crate) cancelled: AtomicU64,
}

/// A construct that a combined `parallel` construct starts for every member before the outlined
/// function runs (GOMP's combined entry points).
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// A loop.
    Loop { space: Space, schedule: Schedule },
    /// Sections, this many.
    Sections(u32),
}

/// Bits of a base that hold the number of the next slot: enough, because members can be no further
/// apart than the ring is long.
pub(crate) const SLOT_BITS: u32 = 16;

impl WorkMember {
    /// Starts a region: the numbers begin where the primary thread's stood. Called by each member
    /// before it runs the region's code.
    #[inline(always)]
    pub fn start(&self, base: u64) {
        self.slots.set(base as u32 & ((1 << SLOT_BITS) - 1));
        self.singles.set(base >> SLOT_BITS);
    }

    /// Where the numbers stand, for the members of the next region.
    #[inline(always)]
    pub fn base(&self) -> u64 {
        (self.singles.get() << SLOT_BITS) | u64::from(self.slots.get() & ((1 << SLOT_BITS) - 1))
    }

    /// `size` bytes of zeroed memory for the member alone, until it asks again.
    #[cold]
    pub(crate) fn own_memory(&self, size: usize) -> *mut c_void {
        // SAFETY: null or memory from here, of a construct that the member has left.
        unsafe { libc::free(self.own_memory.get()) };
        let fresh = heap::zeros(size, "the part of a cancelled work-sharing construct");
        self.own_memory.set(fresh);
        fresh
    }

    /// The number of the next construct with a slot, which it takes.
    #[inline(always)]
    pub fn take_slot_number(&self) -> u32 {
        let number = self.slots.get();
        self.slots.set((number + 1) & ((1 << SLOT_BITS) - 1));
        number
    }

    /// The number of the next single region, which it takes.
    #[inline(always)]
    pub(crate) fn take_single_number(&self) -> u64 {
        let number = self.singles.get();
        self.singles.set((number + 1) & loops::MASK);
        number
    }
}

impl WorkTeam {
    /// Makes the shared state fit the primary thread's numbers again, after a region whose members have
    /// not all met the same constructs. Between regions.
    pub(crate) fn renew(&self, primary: &WorkMember) {
        self.ring.renew(primary.slots.get());
        self.single.renew(primary.singles.get());
    }
}
