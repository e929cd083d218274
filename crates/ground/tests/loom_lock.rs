//! Model test of the words of simple and nestable locks (`sync/README.md`): one thread at a time is inside, sees what
//! the thread before has written, and nobody sleeps for ever beside a free lock.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::lock_word::{LockWord, mark};
use ferromp_ground::protocol::nest_word::{Attempt, NestWord, owner};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Runs `pass` on `others` threads and on the calling one.
fn together<T: 'static>(others: usize, shared: &Arc<T>, pass: fn(&T, usize)) {
    let threads: Vec<_> = (1..=others)
        .map(|number| {
            let shared = shared.clone();
            thread::spawn(move || pass(&shared, number))
        })
        .collect();
    pass(shared, 0);
    for thread in threads {
        thread.join().unwrap();
    }
}

struct Guarded<L> {
    lock: L,
    value: UnsafeCell<u32>,
}

// SAFETY: that one thread at a time uses the cell is what the models check.
unsafe impl<L> Sync for Guarded<L> {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl<L> Send for Guarded<L> {}

impl<L> Guarded<L> {
    fn add_one(&self) {
        // SAFETY: loom reports a race.
        self.value.with_mut(|value| unsafe { *value += 1 });
    }

    fn value(&self) -> u32 {
        // SAFETY: as in `add_one`.
        self.value.with(|value| unsafe { *value })
    }
}

fn pass(shared: &Guarded<LockWord>, number: usize) {
    let mark = mark(number as i32);
    if !shared.lock.try_acquire(mark) {
        shared.lock.acquire_asleep(mark);
    }
    shared.add_one();
    shared.lock.release();
}

fn guarded<L>(lock: L) -> Arc<Guarded<L>> {
    Arc::new(Guarded { lock, value: UnsafeCell::new(0) })
}

#[test]
fn two_pass_a_lock() {
    loom::model(|| {
        let shared = guarded(LockWord::new());
        together(1, &shared, pass);
        assert_eq!(shared.value(), 2);
    });
}

/// Two threads sleep at once only where a third one has the lock. Three switches away from a thread that could go on
/// suffice for that, and for the release between the two wakes.
#[test]
fn three_pass_a_lock() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = guarded(LockWord::new());
        together(2, &shared, pass);
        assert_eq!(shared.value(), 3);
    });
}

fn nest(shared: &Guarded<NestWord>, number: usize) {
    let me = owner((number + 1) * 64);
    if shared.lock.attempt(me) == Attempt::Busy {
        shared.lock.acquire_asleep(me);
    }
    assert_eq!(shared.lock.attempt(me), Attempt::Again(2));
    shared.add_one();
    assert!(!shared.lock.release());
    assert!(shared.lock.release());
}

/// The other thread may mark the word between any two steps of the owner, who counts in the same word.
#[test]
fn two_pass_a_nestable_lock() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = guarded(NestWord::new());
        together(1, &shared, nest);
        assert_eq!(shared.value(), 2);
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("lock: taken relaxed", "two_pass_a_lock");
    assert_caught("lock: freed relaxed", "two_pass_a_lock");
    assert_caught("lock: a woken thread forgets the other sleepers", "three_pass_a_lock");
    assert_caught("nest lock: freed relaxed", "two_pass_a_nestable_lock");
    assert_caught("nest lock: counted by a plain store", "two_pass_a_nestable_lock");
}
