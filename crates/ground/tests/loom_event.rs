//! Model test of parking (`sync/README.md`): no wake is lost, whatever the interleaving.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering, fence};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use loom::sync::Arc;
use loom::thread;

struct Shared {
    event: Event,
    flag: AtomicU32,
}

fn wait(shared: &Shared, wanted: u32) {
    while shared.flag.load(Ordering::Acquire) < wanted {
        let ticket = shared.event.prepare();
        if shared.flag.load(Ordering::Acquire) >= wanted {
            shared.event.cancel(ticket);
        } else {
            shared.event.sleep(ticket);
        }
    }
}

/// A thread waits for the flag that `change` sets, and tells of.
fn is_woken_by(change: fn(&Shared)) {
    loom::model(move || {
        let shared = Arc::new(Shared { event: Event::new(), flag: AtomicU32::new(0) });
        let other = shared.clone();
        let waiter = thread::spawn(move || wait(&other, 1));
        change(&shared);
        waiter.join().unwrap();
    });
}

#[test]
fn one_sleeper_is_woken() {
    is_woken_by(|shared| {
        shared.flag.store(1, Ordering::Release);
        shared.event.notify_all();
    });
}

#[test]
fn one_sleeper_is_woken_after_an_exchange() {
    is_woken_by(|shared| {
        shared.flag.swap(1, Ordering::SeqCst);
        shared.event.notify_all_after_rmw();
    });
}

#[test]
fn two_sleepers_are_woken_by_two_changes() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = Arc::new(Shared { event: Event::new(), flag: AtomicU32::new(0) });
        let waiters: Vec<_> = (1..=2)
            .map(|wanted| {
                let shared = shared.clone();
                thread::spawn(move || wait(&shared, wanted))
            })
            .collect();
        shared.flag.store(1, Ordering::Release);
        shared.event.notify_all();
        shared.flag.store(2, Ordering::Release);
        shared.event.notify_all();
        for waiter in waiters {
            waiter.join().unwrap();
        }
    });
}

/// In the model a thread wakes one of three sleepers, who wakes the next.
#[test]
fn three_sleepers_are_woken_by_one_change() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let shared = Arc::new(Shared { event: Event::new(), flag: AtomicU32::new(0) });
        let waiters: Vec<_> = (0..3)
            .map(|_| {
                let shared = shared.clone();
                thread::spawn(move || wait(&shared, 1))
            })
            .collect();
        shared.flag.store(1, Ordering::Release);
        shared.event.notify_all();
        for waiter in waiters {
            waiter.join().unwrap();
        }
    });
}

/// Items that any waiter may take, as tasks in a queue.
struct Items {
    event: Event,
    left: AtomicU32,
}

impl Items {
    fn put(&self) {
        let was_empty = self.left.fetch_add(1, Ordering::SeqCst) == 0;
        fence(Ordering::SeqCst);
        if was_empty {
            self.event.call_one();
        }
    }

    fn take(&self) -> bool {
        fence(Ordering::SeqCst);
        let mut left = self.left.load(Ordering::SeqCst);
        while left > 0 {
            match self.left.compare_exchange(left, left - 1, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return true,
                Err(now) => left = now,
            }
        }
        false
    }

    fn wait_and_take(&self) {
        while !self.take() {
            let ticket = self.event.prepare();
            if self.take() {
                self.event.cancel(ticket);
                return;
            }
            self.event.sleep(ticket);
            if self.take() {
                if self.left.load(Ordering::SeqCst) > 0 {
                    self.event.call_one();
                }
                return;
            }
        }
    }
}

#[test]
fn one_call_at_a_time_brings_up_as_many_as_there_are_items() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let items = Arc::new(Items { event: Event::new(), left: AtomicU32::new(0) });
        let waiters: Vec<_> = (0..2)
            .map(|_| {
                let items = items.clone();
                thread::spawn(move || items.wait_and_take())
            })
            .collect();
        items.put();
        items.put();
        for waiter in waiters {
            waiter.join().unwrap();
        }
    });
}

#[test]
fn missing_fences_and_tickets_that_stay_are_caught() {
    assert_caught("event: no fence after the registration", "one_sleeper_is_woken");
    assert_caught("event: no fence before the look for sleepers", "one_sleeper_is_woken");
    assert_caught("event: a wake leaves the sequence as it is", "one_sleeper_is_woken");
}

#[test]
fn sleepers_whom_nobody_wakes_are_caught() {
    assert_caught("event: nobody relays", "three_sleepers_are_woken_by_one_change");
    assert_caught("event: relays are counted after the wake", "three_sleepers_are_woken_by_one_change");
}
