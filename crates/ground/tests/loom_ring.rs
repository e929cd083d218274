//! Model test of the ring of work-sharing constructs (`work/README.md`): each piece of work is handed
//! out once, to a member that is in that construct, and nobody hangs.
#![cfg(loom)]

use ferromp_ground::model::atomic::Ordering;
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::model::spin_hint;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::ring::{LENGTH, Ring};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::AtomicU32;

const PIECES: u64 = 2;

struct Shared {
    ring: Ring,
    event: Event,
    /// How often each piece of each construct was handed out. Not modelled: it only counts.
    handed_out: Vec<[AtomicU32; PIECES as usize]>,
}

// SAFETY: the ring's cell is written before the threads begin.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

fn member(shared: &Shared, nthreads: u32, tid: u32) {
    for (index, counts) in shared.handed_out.iter().enumerate() {
        let number = index as u32;
        let slot = shared.ring.slot(number);
        while !slot.is_free_for(number) {
            let ticket = shared.event.prepare();
            if slot.is_free_for(number) {
                shared.event.cancel(ticket);
            } else {
                shared.event.sleep(ticket);
            }
        }
        loop {
            let piece = slot.next.fetch_add(1, Ordering::Relaxed);
            if piece >= PIECES {
                break;
            }
            counts[piece as usize].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            spin_hint();
        }
        if shared.ring.leave(number, tid, nthreads) {
            shared.event.notify_all();
        }
    }
}

fn ring(nthreads: u32) -> Ring {
    let ring = Ring::default();
    ring.reserve(nthreads);
    ring
}

fn check(nthreads: u32, constructs: usize, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let shared = Arc::new(Shared {
            ring: ring(nthreads),
            event: Event::new(),
            handed_out: (0..constructs).map(|_| Default::default()).collect(),
        });
        let others: Vec<_> = (1..nthreads)
            .map(|tid| {
                let shared = shared.clone();
                thread::spawn(move || member(&shared, nthreads, tid))
            })
            .collect();
        member(&shared, nthreads, 0);
        for other in others {
            other.join().unwrap();
        }
        for number in constructs as u32..constructs as u32 + LENGTH {
            assert!(shared.ring.slot(number).is_free_for(number));
        }
        for counts in &shared.handed_out {
            for count in counts {
                assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 1);
            }
        }
    });
}

#[test]
fn two_members_go_round_the_ring() {
    check(2, 4, 3);
}

/// In two groups.
#[test]
fn three_members_go_round_the_ring() {
    check(3, 3, 2);
}

/// Whoever finds a slot free for the next round finds what the last round has left there reset.
#[test]
fn a_free_slot_has_been_reset() {
    loom::model(|| {
        let used = Arc::new(Used { ring: ring(1), content: UnsafeCell::new(0) });
        used.ring.slot(0).next.store(PIECES, Ordering::Relaxed);
        let other = used.clone();
        let last = thread::spawn(move || other.ring.leave(0, 0, 1));
        let next_round = LENGTH;
        let slot = used.ring.slot(next_round);
        if slot.is_free_for(next_round) {
            assert_eq!(slot.next.load(Ordering::Relaxed), 0);
        }
        last.join().unwrap();
    });
}

/// A ring, and what the members of its first construct read and those of the next round write. A race on it is an error
/// that loom finds.
struct Used {
    ring: Ring,
    content: UnsafeCell<u32>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Used {}
// SAFETY: as above.
unsafe impl Send for Used {}

impl Used {
    fn take_part(&self, tid: u32, members: u32) {
        // SAFETY: loom checks that nobody writes the cell now.
        self.content.with(|content| unsafe { *content });
        self.ring.leave(0, tid, members);
    }
}

/// Whoever finds a slot free for the next round comes after all of `members` of the last one.
fn is_left_by_all(members: u32) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let used = Arc::new(Used { ring: ring(members), content: UnsafeCell::new(0) });
        let others: Vec<_> = (1..members)
            .map(|tid| {
                let other = used.clone();
                thread::spawn(move || other.take_part(tid, members))
            })
            .collect();
        used.take_part(0, members);
        if used.ring.slot(LENGTH).is_free_for(LENGTH) {
            // SAFETY: loom checks that nobody else touches the cell now.
            used.content.with_mut(|content| unsafe { *content = 1 });
        }
        for other in others {
            other.join().unwrap();
        }
    });
}

#[test]
fn a_free_slot_has_been_left_by_all() {
    is_left_by_all(2);
}

#[test]
fn a_free_slot_has_been_left_by_all_groups() {
    is_left_by_all(3);
}

#[test]
fn slots_that_open_too_early_are_caught() {
    assert_caught("ring: left relaxed", "a_free_slot_has_been_left_by_all");
    assert_caught("ring: left a group relaxed", "a_free_slot_has_been_left_by_all_groups");
    assert_caught("ring: a group's count is not reset", "three_members_go_round_the_ring");
    assert_caught("ring: opened relaxed", "a_free_slot_has_been_reset");
    assert_caught("ring: looked at relaxed", "a_free_slot_has_been_reset");
}
