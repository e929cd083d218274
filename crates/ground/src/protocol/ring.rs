//! The ring of slots in which the members of a team share the state of a worksharing construct. The protocol, and why
//! no member hangs or sees another construct's state, is in `work/README.md`; `tests/loom_ring.rs` checks this very
//! code.
//!
//! An example: constructs 3 and 11 use the same slot, because the ring has 8. They have `nowait`.
//!
//! 1. Thread 1 is still in construct 3. Meanwhile thread 2 has left all constructs before 11, and comes to that one.
//!    The slot's `free_for` is 3, so thread 2 waits.
//! 2. Thread 1 leaves construct 3 and is the last member to do so. Its addition to `left` is an acquire, so all that
//!    other members did to the slot comes before this.
//! 3. Thread 1 resets the fields, stores 11 in `free_for` with release, and notifies.
//! 4. Thread 2 sees 11 with acquire, and so finds the fields reset.
//!
//! If `free_for` came before the reset, thread 2 could take chunk 0 of construct 11, and the reset would hand out that
//! chunk a second time.

use crate::heap;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::model::{self, Padded, mutation};
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
    /// The number of the construct that may use the slot now. Written by the last member that leaves the construct
    /// before.
    free_for: AtomicU32,
    /// Members that have left the construct.
    left: AtomicU32,
    /// What one member of the construct made for all members, or null.
    shared: AtomicPtr<Shared>,
    /// A partial result that waits for another one to be merged with: see `protocol/partial.rs`.
    pub pending: Offer,
    /// What has been handed out: chunks (dynamic), iterations (guided) or sections.
    pub next: Padded<AtomicU64>,
    /// The iteration whose ordered region may run. Changed by the member whose turn it is.
    pub turn: Padded<Turn>,
}

model::named_fields!(Slot: free_for, left, shared, pending, next, turn);

/// The head of what the members of a construct share beyond the slot itself.
#[repr(C, align(16))]
pub struct Shared {
    /// Frees the whole, once all members have left. Called once, with what [`Slot::share`] got.
    pub release: unsafe fn(*mut Shared),
}

/// A team's slots.
pub struct Ring([Slot; LENGTH as usize]);

impl Ring {
    /// The slot of construct `number`. The caller waits until it [`is_free_for`](Slot::is_free_for)
    /// that construct.
    #[inline(always)]
    pub fn slot(&self, number: u32) -> &Slot {
        &self.0[(number % LENGTH) as usize]
    }
}

impl Ring {
    /// Makes every slot free for the constructs from `number` on. Between regions of the team, after a region that was
    /// cancelled.
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
    /// A ring for constructs numbered from 0.
    fn default() -> Self {
        Ring(std::array::from_fn(|number| Slot::new(number as u32)))
    }
}

impl Slot {
    fn new(number: u32) -> Self {
        Slot {
            free_for: AtomicU32::new(number),
            left: AtomicU32::new(0),
            shared: AtomicPtr::new(std::ptr::null_mut()),
            pending: Offer::default(),
            next: Padded(AtomicU64::new(0)),
            turn: Padded::default(),
        }
    }

    /// Whether construct `number` may use the slot. Once true, the answer stays true until every member, the caller
    /// included, has left the construct.
    #[inline(always)]
    pub fn is_free_for(&self, number: u32) -> bool {
        // Acquire: pairs with the release in `leave`, so the reset of the other fields is seen.
        self.free_for.load(mutation::or_relaxed("ring: looked at relaxed", Ordering::Acquire)) == number
    }

    /// Leaves construct `number`, of which the caller touches nothing any more. True for the last of `nthreads`
    /// members: the call has released what the members shared and made the slot free for the construct one round later,
    /// and the caller must notify the threads that wait for that construct.
    #[inline(always)]
    pub fn leave(&self, number: u32, nthreads: u32) -> bool {
        // AcqRel: the last member must have seen all that the others did to the slot.
        if self.left.fetch_add(1, mutation::or_relaxed("ring: left relaxed", Ordering::AcqRel)) + 1 != nthreads {
            return false;
        }
        // No other member looks at these before `free_for` says so.
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

    /// What the members share. `make` returns a [`Shared`], or something that begins with one; of several members that
    /// make one, the first keeps it for all. Valid until the caller leaves the construct.
    #[cold]
    pub fn share(&self, make: impl FnOnce() -> *mut Shared) -> *mut Shared {
        let present = self.shared.load(Ordering::Acquire);
        if !present.is_null() {
            return present;
        }
        let fresh = make();
        // AcqRel: a member that finds the value must find it complete.
        match self.shared.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(earlier) => {
                // SAFETY: made just now, and no other member has seen it.
                unsafe { ((*fresh).release)(fresh) };
                earlier
            }
        }
    }

    /// `size` bytes of zeroed memory, the same for every member, until the last member leaves.
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
        let ring = Ring::default();
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
