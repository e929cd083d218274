//! What members and teams keep of work-sharing constructs.

use crate::heap;
use crate::model::Padded;
use crate::model::atomic::{AtomicPtr, AtomicU64};
use crate::objects::loops::{self, Loop};
use crate::objects::schedule::Schedule;
use crate::objects::space::Space;
use crate::protocol::learnt::Entry;
use crate::protocol::ring::Ring;
use crate::protocol::steal::Ranges;
use ompt::Work;
use std::cell::Cell;
use std::ffi::c_void;

/// What a member keeps of worksharing constructs. Only the member uses it, except the ranges.
#[derive(Default)]
pub struct WorkMember {
    /// The number of the next construct with a slot of the ring. It wraps.
    pub(crate) slots: Cell<u32>,
    /// The number of the next single region, modulo 2^48.
    pub(crate) singles: Cell<u64>,
    /// The loop or sections construct under way.
    pub current: Loop,
    /// The doacross nest that the member is in.
    pub doacross: loops::Current,
    /// The arguments of the construct's begin event, so that the end event has the same.
    pub reported: Cell<Option<(Work, u64)>>,
    /// For tools: the number of the first section, from 1, that the member was given last, and how many it was given.
    pub sections: Cell<(u64, u64)>,
    /// The member's own memory for a construct whose slot it has not got; null until it is needed.
    pub(crate) own_memory: Cell<*mut c_void>,
    /// The reduction whose values the member adds under the reduction's lock, if it is in one.
    pub under_lock: Cell<Option<UnderLock>>,
    /// Whether the begin of a reduction has been reported, and its end not yet.
    pub combines: Cell<bool>,
    /// Chunks that the member has taken, and from which others may steal.
    pub ranges: Ranges,
}

/// A member adds the values of a reduction under the reduction's lock.
#[derive(Clone, Copy)]
pub enum UnderLock {
    /// The time is not taken.
    Untimed,
    /// What is known about the reduction, and when the member began, in nanoseconds: see `work/merges.rs`.
    Timed(&'static Entry, u64),
}

/// What the members of a team share about worksharing constructs.
#[derive(Default)]
pub struct WorkTeam {
    /// Slots for constructs with shared state.
    pub ring: Ring,
    /// Where members wait for their turn in ordered regions.
    pub turns: Padded<crate::protocol::turn::Queue>,
    /// Which single regions have an executor.
    pub single: Padded<loops::Counter>,
    /// What the executor of the single region under way gives to the others (`copyprivate`). Written by the executor
    /// before a barrier, read by the others after it.
    pub(crate) copied: AtomicPtr<c_void>,
    /// The epoch of the barrier after the worksharing construct that was cancelled last: see `work/cancel.rs`. Written
    /// by members.
    pub(crate) cancelled: AtomicU64,
}

/// A worksharing construct that the runtime starts for every member before the outlined function runs, for the combined
/// entry points of the GOMP ABI.
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// A loop.
    Loop { space: Space, schedule: Schedule },
    /// Sections, this many.
    Sections(u32),
}

/// The bits of a base that have the number of the next construct with a slot. They suffice because members are never
/// further apart than the ring is long.
pub(crate) const SLOT_BITS: u32 = 16;

impl WorkMember {
    /// Takes over the primary thread's numbers. Each member calls this before it executes the region's code.
    #[inline(always)]
    pub fn start(&self, base: u64) {
        self.slots.set(base as u32 & ((1 << SLOT_BITS) - 1));
        self.singles.set(base >> SLOT_BITS);
    }

    /// The member's numbers, for the members of the next region.
    #[inline(always)]
    pub fn base(&self) -> u64 {
        (self.singles.get() << SLOT_BITS) | u64::from(self.slots.get() & ((1 << SLOT_BITS) - 1))
    }

    /// `size` bytes of zeroed memory for the member alone. They are valid until the next call.
    #[cold]
    pub(crate) fn own_memory(&self, size: usize) -> *mut c_void {
        // SAFETY: the pointer is null or comes from the last call, for a construct that the member has left.
        unsafe { libc::free(self.own_memory.get()) };
        let fresh = heap::zeros(size, "the part of a cancelled work-sharing construct");
        self.own_memory.set(fresh);
        fresh
    }

    /// Takes the number of the next construct with a slot.
    #[inline(always)]
    pub fn take_slot_number(&self) -> u32 {
        let number = self.slots.get();
        self.slots.set((number + 1) & ((1 << SLOT_BITS) - 1));
        number
    }

    /// Takes the number of the next single region.
    #[inline(always)]
    pub(crate) fn take_single_number(&self) -> u64 {
        let number = self.singles.get();
        self.singles.set((number + 1) & loops::MASK);
        number
    }
}

impl WorkTeam {
    /// Sets the shared state to the primary thread's numbers, after a region whose members have not all met the same
    /// constructs. The primary thread calls this between regions.
    pub(crate) fn renew(&self, primary: &WorkMember) {
        self.ring.renew(primary.slots.get());
        self.single.renew(primary.singles.get());
    }
}
