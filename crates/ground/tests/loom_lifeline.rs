//! Model test of lifelines (`task/README.md`): an item that is given is taken once, complete, and none is left in
//! a closed lifeline.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::lifeline::Lifeline;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Item(UnsafeCell<u32>);

struct Team {
    lifeline: Lifeline<Item>,
    items: [Item; 2],
    /// How many of the items have been taken. Relaxed: the count orders nothing.
    taken: AtomicU32,
}

// SAFETY: cells are checked by loom.
unsafe impl Sync for Team {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl Send for Team {}

impl Team {
    fn new() -> Arc<Self> {
        let items = std::array::from_fn(|_| Item(UnsafeCell::new(0)));
        Arc::new(Team { lifeline: Lifeline::default(), items, taken: AtomicU32::new(0) })
    }

    /// A member creates a task. It executes the task itself if the lifeline is not open.
    fn create(&self, number: usize) {
        let item = &self.items[number];
        // SAFETY: loom reports a race, here and below.
        item.0.with_mut(|value| unsafe { *value = 7 });
        if !self.lifeline.give(item) {
            self.execute(item);
        }
    }

    fn execute(&self, item: *const Item) {
        // SAFETY: as above; the items live as long as the team.
        unsafe { &*item }.0.with_mut(|value| unsafe { assert_eq!(std::mem::replace(&mut *value, 9), 7, "once") });
        self.taken.fetch_add(1, Ordering::Relaxed);
    }
}

/// Two members create tasks. The owner takes what is in the lifeline, opens it again, and closes it for good.
fn play() {
    loom::model(|| {
        let team = Team::new();
        team.lifeline.open();
        let threads = [0, 1].map(|number| {
            let team = team.clone();
            thread::spawn(move || team.create(number))
        });
        if team.lifeline.has_item()
            && let Some(item) = team.lifeline.close()
        {
            team.execute(item);
            team.lifeline.open();
        }
        if let Some(item) = team.lifeline.close() {
            team.execute(item);
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(team.taken.load(Ordering::Relaxed), 2, "an item is left");
    });
}

#[test]
fn items_are_taken_once() {
    play();
}

#[test]
fn faults_are_caught() {
    assert_caught("lifeline: given relaxed", "items_are_taken_once");
    assert_caught("lifeline: taken relaxed", "items_are_taken_once");
    assert_caught("lifeline: closed in two steps", "items_are_taken_once");
}
