//! The ring of slots in which the members of a team share the state of a work-sharing construct.
//! The protocol, and why nobody hangs or sees another construct's state, is in `work/README.md`;
//! `tests/loom_ring.rs` checks it.

use crate::heap;
use crate::model::Padded;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::model::mutation;
use crate::protocol::partial::Offer;
use crate::protocol::turn::Turn;
use std::ffi::c_void;

/// Slots a team: how many constructs a member can be ahead of the slowest one.
#[cfg(not(loom))]
pub const LENGTH: u32 = 8;
/// Two are enough for the model to meet every case.
#[cfg(loom)]
pub const LENGTH: u32 = 2;
/// Numbers of constructs wrap here; a multiple of [`LENGTH`].
const NUMBERS: u32 = 1 << 16;

/// What the members of a team share about one construct.
pub struct Slot {
    /// The construct that may use the slot now: every member whose number this is. Written by the
    /// last member that leaves the construct before.
    free_for: AtomicU32,
    /// Members that have left the construct.
    left: AtomicU32,
    /// What the first member of the construct that asked made for all of them, or null.
    shared: AtomicPtr<Shared>,
    /// A partial result that waits for another one to be merged with: see `protocol/partial.rs`.
    pub pending: Offer,
    /// What has been handed out: chunks (dynamic), iterations (guided) or sections.
    pub next: Padded<AtomicU64>,
    /// The iteration whose ordered region may run. Changed by the member whose turn it is.
    pub turn: Padded<Turn>,
}

/// The head of what the members of a construct share beyond the slot itself.
#[repr(C, align(16))]
pub struct Shared {
    /// Frees the whole, once all members have left. Called once, with what [`Slot::share`] got.
    pub release: unsafe fn(*mut Shared),
}

/// A team's slots.
pub struct Ring([Slot; LENGTH as usize]);

impl Ring {
    /// A ring for constructs numbered from 0.
    pub fn new() -> Self {
        Ring(std::array::from_fn(|number| Slot::new(number as u32)))
    }

    /// The slot of construct `number`. The caller waits until it [`is_free_for`](Slot::is_free_for)
    /// that construct.
    #[inline(always)]
    pub fn slot(&self, number: u32) -> &Slot {
        &self.0[(number % LENGTH) as usize]
    }
}

impl Ring {
    /// Makes every slot free for the constructs from `number` on. Between regions of the team, after one
    /// that was cancelled.
    #[cold]
    pub fn renew(&self, number: u32) {
        for number in number..number + LENGTH {
            let slot = self.slot(number);
            slot.left.store(0, Ordering::Relaxed);
            slot.next.store(0, Ordering::Relaxed);
            slot.turn.reset();
            slot.pending.clear();
            if !slot.shared.load(Ordering::Relaxed).is_null() {
                slot.release_shared();
            }
            slot.free_for.store(number % NUMBERS, Ordering::Release);
        }
    }
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

impl Slot {
    fn new(number: u32) -> Self {
        Slot {
            free_for: AtomicU32::new(number),
            left: AtomicU32::new(0),
            shared: AtomicPtr::new(std::ptr::null_mut()),
            pending: Offer::new(),
            next: Padded(AtomicU64::new(0)),
            turn: Padded::default(),
        }
    }

    /// Whether construct `number` may use the slot. Once true it stays so until every member, the
    /// caller included, has left the construct.
    #[inline(always)]
    pub fn is_free_for(&self, number: u32) -> bool {
        // Acquire: pairs with the release in `leave`, so the reset of the other fields is seen.
        self.free_for.load(mutation::or_relaxed("ring: looked at relaxed", Ordering::Acquire)) == number
    }

    /// Leaves construct `number`, of which the caller touches nothing any more. True for the last of
    /// `nthreads` members, who has made the slot ready for the construct one round later and must
    /// notify those who wait for it; what the members shared is released.
    #[inline(always)]
    pub fn leave(&self, number: u32, nthreads: u32) -> bool {
        // AcqRel: the last one must have seen all that the others did to the slot.
        if self.left.fetch_add(1, Ordering::AcqRel) + 1 != nthreads {
            return false;
        }
        // Nobody else looks at these before `free_for` says so.
        self.left.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
        self.turn.reset();
        if !self.shared.load(Ordering::Relaxed).is_null() {
            self.release_shared();
        }
        let opened = mutation::or_relaxed("ring: opened relaxed", Ordering::Release);
        self.free_for.store((number + LENGTH) % NUMBERS, opened);
        true
    }

    /// What the members share: the first one's to ask, made by `make`, which returns a [`Shared`] or
    /// something that begins with one. Valid until the caller leaves the construct.
    #[cold]
    pub fn share(&self, make: impl FnOnce() -> *mut Shared) -> *mut Shared {
        let present = self.shared.load(Ordering::Acquire);
        if !present.is_null() {
            return present;
        }
        let fresh = make();
        // AcqRel: whoever finds it must find it complete.
        match self.shared.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(earlier) => {
                // SAFETY: nobody else has seen this one.
                unsafe { ((*fresh).release)(fresh) };
                earlier
            }
        }
    }

    /// `size` bytes of zeroed memory, the same for every member, until the last one leaves.
    #[cold]
    pub fn memory(&self, size: usize) -> *mut c_void {
        let head = size_of::<Shared>();
        let block = self.share(|| {
            let what = "what the threads of a work-sharing construct share";
            let fresh: *mut Shared = heap::zeros(size.saturating_add(head), what).cast();
            // SAFETY: just allocated, and aligned as `malloc` aligns: to 16 bytes.
            unsafe { fresh.write(Shared { release: free }) };
            fresh
        });
        // SAFETY: the block goes on for `size` bytes behind its head.
        unsafe { block.byte_add(head).cast() }
    }

    #[cold]
    fn release_shared(&self) {
        let shared = self.shared.swap(std::ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: every member has left the construct that made it.
        unsafe { ((*shared).release)(shared) };
    }
}

/// Releases what [`Slot::memory`] allocated.
unsafe fn free(block: *mut Shared) {
    // SAFETY: allocated by `calloc`.
    unsafe { libc::free(block.cast()) };
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn members_share_the_memory_of_each_construct_and_no_other() {
        const MEMBERS: u32 = 3;
        const CONSTRUCTS: u32 = if cfg!(miri) { 20 } else { 2000 };
        let ring = Ring::new();
        std::thread::scope(|scope| {
            for _ in 0..MEMBERS {
                scope.spawn(|| {
                    for number in 0..CONSTRUCTS {
                        let slot = ring.slot(number);
                        while !slot.is_free_for(number) {
                            std::thread::yield_now();
                        }
                        // SAFETY: four zeroed bytes that the members of this construct share.
                        let counter = unsafe { AtomicU32::from_ptr(slot.memory(4).cast()) };
                        let before = counter.fetch_add(1, Ordering::Relaxed);
                        assert!(before < MEMBERS, "memory of another construct");
                        assert!(
                            slot.next.fetch_add(1, Ordering::Relaxed) < u64::from(MEMBERS),
                            "state of another construct"
                        );
                        slot.leave(number, MEMBERS);
                    }
                });
            }
        });
    }
}
