//! Model test of the words of simple and nestable locks (`sync/README.md`): one thread at a time is inside, sees what
//! the thread before has written, and nobody sleeps for ever beside a free lock.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::lock_seats::{Seat, Seats};
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

/// A simple lock, with the seats of the threads that wait for it.
struct Simple {
    word: LockWord,
    seats: Seats,
}

impl Simple {
    fn new() -> Self {
        Simple { word: LockWord::new(), seats: Seats::new() }
    }
}

fn pass(shared: &Guarded<Simple>, number: usize) {
    let (lock, mark) = (&shared.lock, mark(number as i32));
    if lock.word.try_acquire(mark).is_err() {
        lock.word.acquire_asleep(mark, &lock.seats);
    }
    shared.add_one();
    lock.word.release(&lock.seats);
}

/// As [`pass`], by a thread that waits awake. Thread 0 sits in one group, the others in another.
fn pass_awake(shared: &Guarded<Simple>, number: usize) {
    awake(shared, number, Seat::new(number.min(1), number.saturating_sub(1)));
}

/// As [`pass_awake`], where all want the same seat.
fn pass_by_one_seat(shared: &Guarded<Simple>, number: usize) {
    awake(shared, number, Seat::new(0, 0));
}

fn awake(shared: &Guarded<Simple>, number: usize, seat: Option<Seat>) {
    let (lock, mark) = (&shared.lock, mark(number as i32));
    if let Err(found) = lock.word.try_acquire(mark) {
        let pause = |_| {
            loom::thread::yield_now();
            true
        };
        assert!(lock.word.acquire_awake(found, mark, &lock.seats, seat, pause));
    }
    shared.add_one();
    lock.word.release(&lock.seats);
}

/// As [`pass_awake`]; thread 1 has no patience, and sleeps.
fn pass_awake_or_asleep(shared: &Guarded<Simple>, number: usize) {
    let (lock, mark) = (&shared.lock, mark(number as i32));
    if let Err(found) = lock.word.try_acquire(mark) {
        let pause = |_| {
            loom::thread::yield_now();
            number != 1
        };
        if !lock.word.acquire_awake(found, mark, &lock.seats, Seat::new(0, number.min(1)), pause) {
            lock.word.acquire_asleep(mark, &lock.seats);
        }
    }
    shared.add_one();
    lock.word.release(&lock.seats);
}

fn guarded<L>(lock: L) -> Arc<Guarded<L>> {
    Arc::new(Guarded { lock, value: UnsafeCell::new(0) })
}

#[test]
fn two_pass_a_lock() {
    loom::model(|| {
        let shared = guarded(Simple::new());
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
        let shared = guarded(Simple::new());
        together(2, &shared, pass);
        assert_eq!(shared.value(), 3);
    });
}

fn three(pass: fn(&Guarded<Simple>, usize), switches: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(switches);
    model.check(move || {
        let shared = guarded(Simple::new());
        together(2, &shared, pass);
        assert_eq!(shared.value(), 3);
    });
}

/// One has the lock, one polls, one sits: in a seat alone, so that it looks at the word once more.
#[test]
fn three_pass_a_lock_awake() {
    three(pass_awake, 3);
}

/// A thread whose seat is taken polls.
#[test]
fn three_pass_a_lock_by_one_seat() {
    three(pass_by_one_seat, 2);
}

/// A thread that sleeps is woken, and the thread that sits is called in the end.
#[test]
fn two_awake_and_one_asleep_pass_a_lock() {
    three(pass_awake_or_asleep, 2);
}

/// A nestable lock, with the seats of the threads that wait for it.
struct Nest {
    word: NestWord,
    seats: Seats,
}

impl Nest {
    fn new() -> Self {
        Nest { word: NestWord::new(), seats: Seats::new() }
    }
}

fn nest(shared: &Guarded<Nest>, number: usize) {
    let me = owner((number + 1) * 64);
    if let Attempt::Busy(_) = shared.lock.word.attempt(me) {
        shared.lock.word.acquire_asleep(me, &shared.lock.seats);
    }
    add_one_twice_set(shared, me);
}

/// As [`nest`], by a thread that waits awake. Thread 0 sits in one group, the others in another.
fn nest_awake(shared: &Guarded<Nest>, number: usize) {
    let me = owner((number + 1) * 64);
    if let Attempt::Busy(found) = shared.lock.word.attempt(me) {
        let pause = |_| {
            loom::thread::yield_now();
            true
        };
        let seat = Seat::new(number.min(1), number.saturating_sub(1));
        assert!(shared.lock.word.acquire_awake(found, me, &shared.lock.seats, seat, pause));
    }
    add_one_twice_set(shared, me);
}

/// The caller has the lock, sets it once more, and releases it.
fn add_one_twice_set(shared: &Guarded<Nest>, me: u64) {
    let Nest { word, seats } = &shared.lock;
    assert_eq!(word.attempt(me), Attempt::Again(2));
    shared.add_one();
    assert!(!word.release(seats));
    assert!(word.release(seats));
}

fn nests(others: usize, pass: fn(&Guarded<Nest>, usize), switches: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(switches);
    model.check(move || {
        let shared = guarded(Nest::new());
        together(others, &shared, pass);
        assert_eq!(shared.value(), others as u32 + 1);
    });
}

/// The other thread may mark the word between any two steps of the owner, who counts in the same word.
#[test]
fn two_pass_a_nestable_lock() {
    nests(1, nest, 3);
}

/// One has the lock and counts, one polls, one sits.
#[test]
fn three_pass_a_nestable_lock_awake() {
    nests(2, nest_awake, 2);
}

#[test]
fn faults_are_caught() {
    assert_caught("lock: taken relaxed", "two_pass_a_lock");
    assert_caught("lock: freed relaxed", "two_pass_a_lock");
    assert_caught("lock: taken relaxed after a wait", "three_pass_a_lock_awake");
    assert_caught("lock seats: no second look at the word", "three_pass_a_lock_awake");
    assert_caught("lock seats: nobody looks at the seats", "three_pass_a_lock_awake");
    assert_caught("lock seats: no fence between the seat and the second look", "three_pass_a_lock_awake");
    assert_caught("lock: a woken thread forgets the other sleepers", "three_pass_a_lock");
    assert_caught("nest lock: freed relaxed", "two_pass_a_nestable_lock");
    assert_caught("nest lock: counted by a plain store", "two_pass_a_nestable_lock");
    assert_caught("nest lock: a release calls nobody", "three_pass_a_nestable_lock_awake");
}
