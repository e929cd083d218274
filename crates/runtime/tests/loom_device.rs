//! Model test of the hand-over to the executor of a host device (`device/README.md`): what is queued is performed once,
//! a stream's operations in their order, who waits sees what they did, and nobody sleeps for ever.
#![cfg(loom)]

use ferromp::device::host::queue::{Progress, Queue, Taker};
use ferromp::model::mutation::assert_caught;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Operation {
    /// Whose operation it is, and which of its own.
    stream: usize,
    number: u32,
}

enum Item {
    Operation(Operation),
    End,
}

struct Device {
    queue: Queue<Item>,
    progress: Vec<Progress>,
    /// What the operations of each stream write: a race on a word is an error that loom finds.
    words: Vec<UnsafeCell<u32>>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Device {}
// SAFETY: as above.
unsafe impl Send for Device {}

impl Device {
    fn new(streams: usize) -> Self {
        Device {
            queue: Queue::default(),
            progress: (0..streams).map(|_| Progress::default()).collect(),
            words: (0..streams).map(|_| UnsafeCell::new(0)).collect(),
        }
    }

    fn queue(&self, stream: usize, number: u32) {
        self.progress[stream].queue();
        self.queue.push(Item::Operation(Operation { stream, number }));
    }

    fn wait(&self, stream: usize) {
        self.queue.call();
        let progress = &self.progress[stream];
        let position = progress.position();
        while !progress.has_reached(position) {
            let ticket = progress.event.prepare();
            if progress.has_reached(position) {
                progress.event.cancel(ticket);
            } else {
                progress.event.sleep(ticket);
            }
        }
    }

    /// The executor: until it has taken an end.
    fn execute(&self) {
        loop {
            for item in self.queue.take() {
                let Item::Operation(Operation { stream, number }) = item else { return };
                self.words[stream].with_mut(|word| {
                    // SAFETY: loom checks that nobody else touches the word now.
                    let word = unsafe { &mut *word };
                    assert_eq!(*word + 1, number, "operations of a stream come in their order");
                    *word = number;
                });
                self.progress[stream].complete();
            }
            let ticket = self.queue.arrived.prepare();
            if self.queue.is_empty() {
                self.queue.arrived.sleep(ticket);
            } else {
                self.queue.arrived.cancel(ticket);
            }
        }
    }

    fn word(&self, stream: usize) -> u32 {
        // SAFETY: loom checks that nobody writes the word now.
        self.words[stream].with(|word| unsafe { *word })
    }
}

fn check(streams: usize, operations: u32, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let device = Arc::new(Device::new(streams));
        let executor = {
            let device = device.clone();
            thread::spawn(move || device.execute())
        };
        let user = move |device: &Device, stream| {
            (1..=operations).for_each(|number| device.queue(stream, number));
            device.wait(stream);
            assert_eq!(device.word(stream), operations);
        };
        let others: Vec<_> = (1..streams)
            .map(|stream| {
                let device = device.clone();
                thread::spawn(move || user(&device, stream))
            })
            .collect();
        user(&device, 0);
        for other in others {
            other.join().unwrap();
        }
        device.queue.push(Item::End);
        device.queue.call();
        executor.join().unwrap();
    });
}

#[test]
fn one_stream_waits_for_its_operations() {
    check(1, 2, 4);
}

#[test]
fn two_streams_share_an_executor() {
    check(2, 1, 2);
}

#[test]
fn the_end_comes_after_what_was_queued() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(4);
    model.check(|| {
        let device = Arc::new(Device::new(1));
        let executor = {
            let device = device.clone();
            thread::spawn(move || device.execute())
        };
        device.queue(0, 1);
        device.queue(0, 2);
        device.queue.push(Item::End);
        device.queue.call();
        executor.join().unwrap();
        assert_eq!(device.word(0), 2);
    });
}

#[test]
fn what_is_queued_while_the_taker_ends_gets_another() {
    loom::model(|| {
        let both = Arc::new((Queue::default(), Taker::none()));
        both.1.has_come();
        let other = both.clone();
        // As `Executor::queue`: it saw a thread, and adds.
        let adding = thread::spawn(move || {
            other.0.push(1);
            other.1.is_missed()
        });
        // As `Executor::end`: the thread has come to its end, and took what it saw before.
        let taken = both.0.take().count();
        let ending = both.1.has_gone(&both.0);
        let adding = adding.join().unwrap();
        assert!(taken == 1 || ending || adding, "nobody performs the item");
    });
}

#[test]
fn weakened_orderings_are_caught() {
    assert_caught("queue: done relaxed", "one_stream_waits_for_its_operations");
}
