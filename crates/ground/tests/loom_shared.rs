//! Model test of what a team shares during a construct (`task/README.md`): one value for all members, taken
//! down once, by the last one, or between regions.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::shared::Slot;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A value that counts those alive.
struct Counted(Arc<AtomicU32>);

impl Counted {
    fn new(alive: &Arc<AtomicU32>) -> Self {
        alive.fetch_add(1, Ordering::Relaxed);
        Counted(alive.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Shared {
    slot: Slot<Counted>,
    alive: Arc<AtomicU32>,
    lasts: AtomicU32,
}

/// One member's way through a construct of `members`.
fn pass(shared: &Shared, members: u32) {
    let entry = shared.slot.enter(0, || Counted::new(&shared.alive));
    // The value is alive for whoever has not left.
    // SAFETY: the value is alive for whoever has not left, which is what the model checks.
    assert!(unsafe { &*entry }.value.0.load(Ordering::Relaxed) >= 1);
    // SAFETY: this member has entered, and leaves once.
    if unsafe { shared.slot.leave(entry, members) }.is_some() {
        shared.lasts.fetch_add(1, Ordering::Relaxed);
    }
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared { slot: Slot::default(), alive: Arc::new(AtomicU32::new(0)), lasts: AtomicU32::new(0) })
}

fn all_pass(shared: &Arc<Shared>, members: u32) {
    let others: Vec<_> = (1..members)
        .map(|_| {
            let other = shared.clone();
            thread::spawn(move || pass(&other, members))
        })
        .collect();
    pass(shared, members);
    for other in others {
        other.join().unwrap();
    }
}

#[test]
fn the_last_of_three_takes_it_down() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let shared = shared();
        all_pass(&shared, 3);
        assert_eq!(shared.lasts.load(Ordering::Relaxed), 1);
        assert_eq!(shared.alive.load(Ordering::Relaxed), 0);
    });
}

/// One member's way through a construct and another one inside it.
fn pass_nested(shared: &Shared, members: u32) {
    let outer = shared.slot.enter(0, || Counted::new(&shared.alive));
    let inner = shared.slot.enter(1, || Counted::new(&shared.alive));
    assert!(!std::ptr::eq(outer, inner));
    // Both are alive for whoever has not left.
    // SAFETY: the value is alive for whoever has not left, which is what the model checks.
    assert!(unsafe { &*inner }.value.0.load(Ordering::Relaxed) >= 2);
    for entry in [inner, outer] {
        // SAFETY: this member has entered, and leaves once.
        if unsafe { shared.slot.leave(entry, members) }.is_some() {
            shared.lasts.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn constructs_nest() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = shared();
        let other = shared.clone();
        let thread = thread::spawn(move || pass_nested(&other, 2));
        pass_nested(&shared, 2);
        thread.join().unwrap();
        assert_eq!(shared.lasts.load(Ordering::Relaxed), 2);
        assert_eq!(shared.alive.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn one_construct_follows_another() {
    loom::model(|| {
        let shared = shared();
        all_pass(&shared, 2);
        all_pass(&shared, 2);
        assert_eq!(shared.lasts.load(Ordering::Relaxed), 2);
        assert_eq!(shared.alive.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn what_a_cancelled_region_left_behind_is_taken_down() {
    loom::model(|| {
        let shared = shared();
        // Of two members one never comes to the end.
        pass(&shared, 2);
        shared.slot.clear();
        all_pass(&shared, 2);
        assert_eq!(shared.lasts.load(Ordering::Relaxed), 1);
        assert_eq!(shared.alive.load(Ordering::Relaxed), 0);
    });
}

/// The copies of a reduction's list item, one a member. They start as 1, as the member that comes first makes them.
struct Copies([UnsafeCell<u32>; 2]);

// SAFETY: that a copy is used by one thread at a time is what the model checks.
unsafe impl Send for Copies {}
// SAFETY: as above.
unsafe impl Sync for Copies {}

/// Each member adds to its own copy; the last one to leave combines all of them, and releases them.
#[test]
fn last_member_combines_what_all_have_added() {
    loom::model(|| {
        let slot = Arc::new(Slot::<Copies>::default());
        let reduce = |slot: &Slot<Copies>, member: usize| {
            let entry = slot.enter(0, || Copies([UnsafeCell::new(1), UnsafeCell::new(1)]));
            // SAFETY: the copies are there until this member has left; loom reports a race.
            unsafe { (&*entry).value.0[member].with_mut(|copy| *copy += member as u32 + 1) };
            // SAFETY: this member has entered, and leaves once.
            let last = unsafe { slot.leave(entry, 2) };
            // SAFETY: loom reports a race.
            last.map(|copies| copies.0.iter().map(|copy| copy.with(|copy| unsafe { *copy })).sum::<u32>())
        };
        let other = slot.clone();
        let thread = thread::spawn(move || reduce(&other, 1));
        let mine = reduce(&slot, 0);
        let sums: Vec<_> = mine.into_iter().chain(thread.join().unwrap()).collect();
        assert_eq!(sums, [5]);
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("shared: left relaxed", "last_member_combines_what_all_have_added");
    assert_caught("shared: entered relaxed", "last_member_combines_what_all_have_added");
}
