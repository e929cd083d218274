//! Model test of parking (`sync/README.md`): no wake is lost, whatever the interleaving.
#![cfg(loom)]

use ferromp::model::atomic::{AtomicU32, Ordering};
use ferromp::sync::event::Event;
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

#[test]
fn one_sleeper_is_woken() {
    loom::model(|| {
        let shared = Arc::new(Shared { event: Event::new(), flag: AtomicU32::new(0) });
        let other = shared.clone();
        let waiter = thread::spawn(move || wait(&other, 1));
        shared.flag.store(1, Ordering::Release);
        shared.event.notify_all();
        waiter.join().unwrap();
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
