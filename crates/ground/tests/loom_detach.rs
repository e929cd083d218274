//! Model test of the event of a detachable task (`task/README.md`): one side completes the task, nobody touches it
//! afterwards, and a late fulfilment does not reach the next task in its memory.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::detach::{Event, Fulfilment};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

#[derive(Default)]
struct Block {
    event: Event,
    /// What belongs to the task: read by who tells a tool of it, written by who uses the memory for something else.
    task: UnsafeCell<u32>,
    completions: AtomicU32,
}

// SAFETY: that the cell is used by one thread at a time is what the model checks.
unsafe impl Sync for Block {}

impl Block {
    fn tell(&self) {
        // SAFETY: loom reports a race.
        self.task.with(|task| unsafe { assert_ne!(*task, 99) });
    }

    fn complete(&self) {
        self.completions.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as in `tell`.
        self.task.with_mut(|task| unsafe { *task = 99 });
    }
}

/// The fulfilling thread's side.
fn fulfil(block: &Block, number: u16) {
    match block.event.fulfil(number) {
        Fulfilment::Early => {
            block.tell();
            block.event.fulfilled();
        }
        Fulfilment::Late => {
            block.tell();
            block.complete();
        }
        Fulfilment::Discarded | Fulfilment::Another => {}
        Fulfilment::NotOpen => panic!("the event is open"),
    }
}

#[test]
fn one_side_completes_the_task() {
    loom::model(|| {
        let block = Arc::new(Block::default());
        let number = block.event.arm();
        let other = block.clone();
        let fulfilling = thread::spawn(move || fulfil(&other, number));
        block.tell();
        if block.event.body_returns() {
            block.complete();
        } else {
            block.tell();
            block.event.let_go();
        }
        fulfilling.join().unwrap();
        assert_eq!(block.completions.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn discarded_task_is_left_alone_and_so_is_the_next_one() {
    loom::model(|| {
        let block = Arc::new(Block::default());
        let number = block.event.arm();
        let other = block.clone();
        let fulfilling = thread::spawn(move || fulfil(&other, number));
        block.event.discard();
        // The memory is used for another task.
        // SAFETY: as in `tell`.
        block.task.with_mut(|task| unsafe { *task = 1 });
        let next = block.event.arm();
        fulfilling.join().unwrap();
        assert_eq!(block.event.fulfil(next), Fulfilment::Early);
        assert_eq!(block.completions.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn weakened_orderings_are_caught() {
    assert_caught("detach: let go relaxed", "one_side_completes_the_task");
    assert_caught("detach: fulfilled relaxed", "one_side_completes_the_task");
}
