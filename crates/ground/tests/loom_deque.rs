//! Models of the task queue (`task/README.md`): each item is taken exactly once, by whomever, also
//! while the queue grows. Built only under `--cfg loom`:
//! `RUSTFLAGS="--cfg loom" cargo test -p ferromp-runtime --release --test loom_deque`
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::deque::{Deque, Stolen};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Items are numbers from 1, dressed as pointers; nobody follows them.
fn item(number: usize) -> *const u8 {
    std::ptr::without_provenance(number)
}

/// Explores with a bound on preemptions, which finds what real schedules show, within seconds.
fn model(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(body);
}

/// Steals up to `attempts` times; returns what was taken.
fn thief(deque: &Deque<u8>, attempts: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    for _ in 0..attempts {
        if let Stolen::Taken(item) = deque.steal(|_| true) {
            taken.push(item.addr());
        }
    }
    taken
}

fn drain(deque: &Deque<u8>) -> Vec<usize> {
    std::iter::from_fn(|| deque.pop(false)).map(|item| item.addr()).collect()
}

fn each_once(mut all: Vec<usize>, count: usize) {
    all.sort_unstable();
    assert_eq!(all, (1..=count).collect::<Vec<_>>());
}

#[test]
fn the_last_item_goes_to_one() {
    model(4, || {
        let deque = Arc::new(Deque::default());
        deque.push(item(1), false);
        let thieves: Vec<_> = (0..2)
            .map(|_| {
                let deque = deque.clone();
                thread::spawn(move || thief(&deque, 1))
            })
            .collect();
        let mut all = drain(&deque);
        for thief in thieves {
            all.extend(thief.join().unwrap());
        }
        all.extend(drain(&deque));
        each_once(all, 1);
    });
}

#[test]
fn push_and_pop_against_two_thieves() {
    model(2, || {
        let deque = Arc::new(Deque::default());
        let thieves: Vec<_> = (0..2)
            .map(|_| {
                let deque = deque.clone();
                thread::spawn(move || thief(&deque, 2))
            })
            .collect();
        deque.push(item(1), false);
        deque.push(item(2), false);
        let mut all: Vec<_> = deque.pop(false).map(|item| item.addr()).into_iter().collect();
        deque.push(item(3), false);
        all.extend(drain(&deque));
        for thief in thieves {
            all.extend(thief.join().unwrap());
        }
        each_once(all, 3);
    });
}

#[test]
fn growth_loses_nothing() {
    model(3, || {
        let deque = Arc::new(Deque::default());
        deque.push(item(1), false);
        let other = deque.clone();
        let thief = thread::spawn(move || thief(&other, 2));
        // The first buffer has two slots under the model.
        for number in 2..=4 {
            deque.push(item(number), false);
        }
        let mut all = drain(&deque);
        all.extend(thief.join().unwrap());
        each_once(all, 4);
    });
}

#[test]
fn a_refused_item_stays() {
    model(4, || {
        let deque = Arc::new(Deque::default());
        deque.push(item(1), false);
        let other = deque.clone();
        let thief = thread::spawn(move || assert_ne!(other.steal(|_| false), Stolen::Taken(item(1))));
        each_once(drain(&deque), 1);
        thief.join().unwrap();
    });
}

#[test]
fn what_was_written_before_a_push_is_seen_after_a_theft() {
    use loom::sync::atomic::{AtomicUsize, Ordering};
    model(4, || {
        let deque = Arc::new(Deque::default());
        let payload = Arc::new(AtomicUsize::new(0));
        let (other, seen) = (deque.clone(), payload.clone());
        let thief = thread::spawn(move || {
            if let Stolen::Taken(_) = other.steal(|_| true) {
                assert_eq!(seen.load(Ordering::Relaxed), 7);
            }
        });
        payload.store(7, Ordering::Relaxed);
        deque.push(item(1), false);
        thief.join().unwrap();
    });
}

/// A thief moves several items to its own queue, from which a second thief steals, while the owner pops.
#[test]
fn several_items_move_once() {
    model(2, || {
        let queues = Arc::new([Deque::default(), Deque::default()]);
        for number in 1..=4 {
            queues[0].push(item(number), false);
        }
        let thieves = [1, 0].map(|other| {
            let queues = queues.clone();
            thread::spawn(move || {
                let (stolen, more) = if other == 1 {
                    queues[0].steal_several(&queues[1], |_| true)
                } else {
                    (queues[1].steal(|_| true), false)
                };
                assert!(!more || matches!(stolen, Stolen::Taken(_)));
                if let Stolen::Taken(item) = stolen { vec![item.addr()] } else { Vec::new() }
            })
        });
        let mut all = drain(&queues[0]);
        for thief in thieves {
            all.extend(thief.join().unwrap());
        }
        all.extend(drain(&queues[1]));
        each_once(all, 4);
    });
}

/// The queue grows while a thief works: it takes each item from a buffer that has the item.
#[test]
fn a_thief_sees_the_buffer_of_an_item() {
    model(5, || {
        let deque = Arc::new(Deque::default());
        deque.push(item(1), false);
        deque.push(item(2), false);
        let other = deque.clone();
        let thief = thread::spawn(move || thief(&other, 3));
        // Two, because a thief looks again where there is an only item, and might see the buffer then.
        deque.push(item(3), false);
        deque.push(item(4), false);
        let mut all = thief.join().unwrap();
        all.extend(drain(&deque));
        each_once(all, 4);
    });
}

/// An item with something in it. A race on it is an error that loom finds.
struct Filled(UnsafeCell<u32>);

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Filled {}
// SAFETY: as above.
unsafe impl Send for Filled {}

/// A thief that is late may be shown an item which is newer than the one that it came for, in the same slot.
#[test]
fn what_is_in_an_item_is_seen_before_it_is_taken() {
    model(3, || {
        let items = Arc::new([(); 3].map(|()| Filled(UnsafeCell::new(0))));
        let deque = Arc::new(Deque::default());
        let push = |item: &Filled| {
            // SAFETY: loom checks that nobody reads the cell now.
            item.0.with_mut(|word| unsafe { *word = 7 });
            deque.push(item, false);
        };
        push(&items[0]);
        let (other, kept) = (deque.clone(), items.clone());
        let thief = thread::spawn(move || {
            other.steal(|item| {
                // SAFETY: the items live as long as the thread; loom checks that nobody writes the cell now.
                assert_eq!(unsafe { &*item }.0.with(|word| unsafe { *word }), 7);
                true
            });
            drop(kept);
        });
        deque.pop(false);
        push(&items[1]);
        // The first buffer has two slots under the model.
        push(&items[2]);
        thief.join().unwrap();
    });
}

#[test]
fn items_that_are_seen_too_early_are_caught() {
    assert_caught("deque: item stored relaxed", "what_is_in_an_item_is_seen_before_it_is_taken");
}

#[test]
fn items_that_are_taken_twice_are_caught() {
    assert_caught("deque: bottom moved without a fence", "push_and_pop_against_two_thieves");
    assert_caught("deque: bottom moved without a fence", "several_items_move_once");
    assert_caught("deque: the owner takes the last item without asking", "the_last_item_goes_to_one");
}
