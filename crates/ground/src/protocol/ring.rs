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
//!
//! In teams of more than eight, members count themselves in groups, and the last one of a group counts for the group:
//! all in one word would change that word's line one after the other.

use crate::heap;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::model::{self, Padded, mutation};
use crate::protocol::partial::Offer;
use crate::protocol::turn::Turn;
use std::cell::Cell;
use std::ffi::c_void;
use std::hint::cold_path;

/// Slots a team: how many constructs a member can be ahead of the slowest one.
#[cfg(not(loom))]
pub const LENGTH: u32 = 8;
/// Two are enough for the model to meet every case.
#[cfg(loom)]
pub const LENGTH: u32 = 2;
/// Numbers of constructs wrap here; a multiple of [`LENGTH`].
const NUMBERS: u32 = 1 << 16;

/// The largest team whose members all count themselves in one word, and the most groups that do.
#[cfg(not(loom))]
const ONE_WORD: u32 = 8;
/// Members of a group, or groups of a group of groups.
#[cfg(not(loom))]
const GROUP: u32 = 4;
/// So that three members make two groups.
#[cfg(loom)]
const ONE_WORD: u32 = 2;
#[cfg(loom)]
const GROUP: u32 = 2;

/// What the members of a team share about one construct.
pub struct Slot {
    /// The number of the construct that may use the slot now. Written by the last member that leaves the construct
    /// before.
    free_for: AtomicU32,
    /// How many constructs have used the slot, this one included. Written as `free_for`; never goes back.
    round: AtomicU64,
    /// Members that have left the construct, or groups of members.
    left: AtomicU32,
    /// What one member of the construct made for all members, or null.
    shared: AtomicPtr<Shared>,
    /// A partial result that waits for another one to be merged with: see `protocol/partial.rs`.
    pub pending: Offer,
    /// What has been handed out: chunks (dynamic), iterations (guided) or sections. Where threads steal: whether one
    /// has found nothing. On the line of `free_for` and `left`, which a member needs right before and after: on a line
    /// of its own, two empty sections of two threads take a quarter longer.
    pub next: AtomicU64,
    /// The iteration whose ordered region may run. Changed by the member whose turn it is.
    pub turn: Padded<Turn>,
}

model::named_fields!(Slot: free_for, round, left, shared, pending, next, turn);

/// The head of what the members of a construct share beyond the slot itself.
#[repr(C, align(16))]
pub struct Shared {
    /// Frees the whole, once all members have left. Called once, with what [`Slot::share`] got.
    pub release: unsafe fn(*mut Shared),
}

/// Some members of a large team, or some groups of them: how many have left the construct of each slot.
#[derive(Default)]
struct Group(Padded<[AtomicU32; LENGTH as usize]>);

/// A team's slots.
pub struct Ring {
    slots: [Slot; LENGTH as usize],
    /// The groups of members, then the groups of groups, and so on, for teams of more than [`ONE_WORD`]. Replaced by
    /// the primary thread between regions.
    groups: Cell<&'static [Group]>,
}

impl Ring {
    /// The slot of construct `number`. The caller waits until it [`is_free_for`](Slot::is_free_for)
    /// that construct.
    #[inline(always)]
    pub fn slot(&self, number: u32) -> &Slot {
        &self.slots[(number % LENGTH) as usize]
    }

    /// The words of the groups, which the simulator names.
    #[cfg(simulated)]
    pub fn parts_of_groups(&self) -> Vec<ferromp_simulator::Part> {
        self.groups.get().iter().map(|group| ferromp_simulator::Part::of("Ring.left", &group.0)).collect()
    }

    /// Makes groups for a team of up to `members`. The primary thread calls this between regions. Earlier groups stay,
    /// as the team's earlier slots do.
    pub fn reserve(&self, members: u32) {
        let (mut count, mut groups) = (members, 0);
        while count > ONE_WORD {
            count = count.div_ceil(GROUP);
            groups += count;
        }
        if groups > 0 {
            self.groups.set(Vec::leak((0..groups).map(|_| Group::default()).collect()));
        }
    }

    /// Leaves construct `number`, of which the caller, member `tid` of `nthreads`, touches nothing any more. True for
    /// the last member: the call has released what the members shared and made the slot free for the construct one
    /// round later, and the caller must notify the threads that wait for that construct.
    #[inline(always)]
    pub fn leave(&self, number: u32, tid: u32, nthreads: u32) -> bool {
        let slot = self.slot(number);
        if nthreads <= ONE_WORD {
            return slot.leave(number, nthreads);
        }
        // Out of the way of small teams, which have less time to lose.
        cold_path();
        self.leave_groups(number, tid, nthreads).is_some_and(|groups| slot.leave(number, groups))
    }

    /// Counts the member in its group, and so on for groups whose last member it is. Returns how many groups count
    /// themselves in the slot, if this member is to count one of them.
    #[inline(never)]
    fn leave_groups(&self, number: u32, tid: u32, nthreads: u32) -> Option<u32> {
        let groups = self.groups.get();
        // What is counted at this level: members, groups, groups of groups.
        let (mut index, mut count, mut first) = (tid, nthreads, 0);
        while count > ONE_WORD {
            let group = index / GROUP;
            let left = &groups[(first + group) as usize].0[(number % LENGTH) as usize];
            // AcqRel, as in the slot: the last one hands on what the others did.
            let order = mutation::or_relaxed("ring: left a group relaxed", Ordering::AcqRel);
            if left.fetch_add(1, order) + 1 != GROUP.min(count - group * GROUP) {
                return None;
            }
            // Nobody counts here for the slot's next construct before `free_for` says so.
            if !mutation::is("ring: a group's count is not reset") {
                left.store(0, Ordering::Relaxed);
            }
            (index, count) = (group, count.div_ceil(GROUP));
            first += count;
        }
        Some(count)
    }
}

impl Ring {
    /// Makes every slot free for the constructs from `number` on. Between regions of the team, after a region that was
    /// cancelled.
    #[cold]
    pub fn renew(&self, number: u32) {
        for group in self.groups.get() {
            group.0.iter().for_each(|left| left.store(0, Ordering::Relaxed));
        }
        for number in number..number + LENGTH {
            let slot = self.slot(number);
            slot.left.store(0, Ordering::Relaxed);
            slot.next.store(0, Ordering::Relaxed);
            slot.begin_round();
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
        Ring { slots: std::array::from_fn(|number| Slot::new(number as u32)), groups: Cell::new(&[]) }
    }
}

impl Slot {
    fn new(number: u32) -> Self {
        Slot {
            free_for: AtomicU32::new(number),
            round: AtomicU64::new(1),
            left: AtomicU32::new(0),
            shared: AtomicPtr::new(std::ptr::null_mut()),
            pending: Offer::default(),
            next: AtomicU64::new(0),
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

    /// A number that no other construct in the slot has had or will have, for a member that is in the construct.
    #[inline(always)]
    pub fn round(&self) -> u64 {
        self.round.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn begin_round(&self) {
        // One thread alone writes it, before it frees the slot.
        if mutation::is("ring: a round is like the one before") {
            return;
        }
        self.round.store(self.round.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Counts one of `count` members or groups that leave construct `number`. The last one makes the slot free.
    #[inline(always)]
    fn leave(&self, number: u32, count: u32) -> bool {
        // AcqRel: the last member must have seen all that the others did to the slot.
        if self.left.fetch_add(1, mutation::or_relaxed("ring: left relaxed", Ordering::AcqRel)) + 1 != count {
            return false;
        }
        // No other member looks at these before `free_for` says so.
        self.left.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
        self.begin_round();
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

    /// A ring that threads of a test share.
    struct Used(Ring);

    // SAFETY: the ring's cell is written before the threads begin.
    unsafe impl Sync for Used {}

    impl Used {
        fn take_part(&self, tid: u32, members: u32, constructs: u32) {
            let ring = &self.0;
            for number in 0..constructs {
                let slot = ring.slot(number);
                while !slot.is_free_for(number) {
                    std::thread::yield_now();
                }
                // SAFETY: four zeroed bytes that the members of this construct share.
                let counter = unsafe { AtomicU32::from_ptr(slot.memory(4).cast()) };
                let before = counter.fetch_add(1, Ordering::Relaxed);
                assert!(before < members, "memory of another construct");
                assert!(slot.next.fetch_add(1, Ordering::Relaxed) < u64::from(members), "state of another construct");
                ring.leave(number, tid, members);
            }
        }
    }

    /// Teams that count in one word, in groups whose last one is small or full, and in groups of groups.
    #[test]
    fn members_share_the_memory_of_each_construct_and_no_other() {
        let sizes: &[(u32, u32)] =
            if cfg!(miri) { &[(3, 20), (9, 10)] } else { &[(3, 2000), (9, 300), (16, 300), (65, 50), (130, 50)] };
        for &(members, constructs) in sizes {
            let ring = Used(Ring::default());
            ring.0.reserve(members);
            let ring = &ring;
            std::thread::scope(|scope| {
                for tid in 0..members {
                    scope.spawn(move || ring.take_part(tid, members, constructs));
                }
            });
            for number in constructs..constructs + LENGTH {
                assert!(ring.0.slot(number).is_free_for(number), "{members} members");
            }
        }
    }

    /// A region of fewer threads uses groups of a larger team, and the other way round.
    #[test]
    fn regions_of_all_sizes_leave_the_counts_at_zero() {
        let ring = Ring::default();
        ring.reserve(600);
        let mut number = 0;
        for members in [600, 9, 64, 65, 8, 512, 513, 600] {
            for _ in 0..3 {
                assert!(ring.slot(number).is_free_for(number));
                let last = (0..members).filter(|&tid| ring.leave(number, tid, members)).collect::<Vec<_>>();
                assert_eq!(last, [members - 1], "{members} members");
                number += 1;
            }
        }
    }
}
