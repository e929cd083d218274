//! Model test of the channels of a device's trace (`ompt/trace/README.md`): every buffer is handed over once, with all
//! of its records written, and none stays behind after a stop; no record is lost. When a flush or a stop returns, the
//! helper has delivered every buffer that the tool had been asked for before, also one that no channel could use.
#![cfg(loom)]

use ferromp::model::atomic::{AtomicU32, Ordering};
use ferromp::model::mutation::assert_caught;
use ferromp::ompt::trace::buffers::{Attempt, Channel, Completed, Memory, Refill, Reservation, SLOT};
use ferromp::ompt::trace::progress::Progress;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::Mutex;
use loom::thread;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const BUFFERS: usize = 8;
const MOST_SLOTS: usize = 2;
/// How far the made-up addresses of two buffers are apart.
const APART: usize = 1 << 12;

struct Trace {
    channel: Channel,
    /// Slots that each buffer has.
    slots: usize,
    /// What is written: 1 for a record.
    cells: Vec<UnsafeCell<u32>>,
    /// 0 after the stop.
    session: AtomicU32,
    /// Not modelled: they only count.
    given: AtomicUsize,
    delivered: AtomicUsize,
    records: AtomicUsize,
    dropped: AtomicUsize,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Trace {}
// SAFETY: as above.
unsafe impl Send for Trace {}

impl Trace {
    fn new(slots: usize) -> Self {
        Trace {
            channel: Channel::default(),
            slots,
            cells: (0..BUFFERS * MOST_SLOTS).map(|_| UnsafeCell::new(0)).collect(),
            session: AtomicU32::new(1),
            given: AtomicUsize::new(0),
            delivered: AtomicUsize::new(0),
            records: AtomicUsize::new(0),
            dropped: AtomicUsize::new(0),
        }
    }

    fn cell(&self, address: usize) -> &UnsafeCell<u32> {
        &self.cells[(address / APART - 1) * MOST_SLOTS + address % APART / SLOT]
    }

    fn deliver(&self, completed: Completed) {
        self.delivered.fetch_add(1, Relaxed);
        for slot in 0..completed.used as usize {
            // SAFETY: loom checks that nobody writes the cell now.
            self.cell(completed.memory.buffer + slot * SLOT).with(|cell| assert_eq!(unsafe { *cell }, 1));
            self.records.fetch_add(1, Relaxed);
        }
    }

    fn refill(&self, refill: Refill) -> Option<Reservation> {
        self.channel.close_full(&refill, |completed| self.deliver(completed));
        if self.session.load(Ordering::SeqCst) == 0 {
            self.channel.leave_empty(refill);
            return None;
        }
        let buffer = (self.given.fetch_add(1, Relaxed) + 1) * APART;
        let reservation = self.channel.install(refill, Memory { buffer, bytes: self.slots * SLOT, owner: 0 }, 1);
        if self.session.load(Ordering::SeqCst) == 0 {
            self.channel.close(|completed| self.deliver(completed));
        }
        reservation
    }

    fn write(&self) {
        loop {
            let reservation = match self.channel.reserve(1) {
                Attempt::Reserved(reservation) => Some(reservation),
                Attempt::Refill(refill) => self.refill(refill),
                Attempt::Busy => {
                    self.channel.wait();
                    continue;
                }
            };
            match reservation {
                Some(reservation) => {
                    // SAFETY: loom checks that nobody else uses the cell now.
                    self.cell(reservation.at as usize).with_mut(|cell| unsafe { *cell += 1 });
                    self.channel.finish(reservation, |completed| self.deliver(completed));
                }
                None => {
                    self.dropped.fetch_add(1, Relaxed);
                }
            }
            return;
        }
    }

    fn flush(&self) {
        self.channel.close(|completed| self.deliver(completed));
    }

    fn stop(&self) {
        self.session.store(0, Ordering::SeqCst);
        self.flush();
        let under_way = self.channel.under_refill();
        while under_way.is_some() && self.channel.under_refill() == under_way {
            self.channel.wait();
        }
        self.flush();
    }
}

/// Writers beside what `body` does; all that is written has been handed over after a last flush.
fn check(writers: usize, each: usize, slots: usize, preemptions: usize, stops: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let trace = Arc::new(Trace::new(slots));
        let threads: Vec<_> = (0..writers)
            .map(|_| {
                let trace = trace.clone();
                thread::spawn(move || (0..each).for_each(|_| trace.write()))
            })
            .collect();
        if stops {
            trace.stop()
        } else {
            trace.flush()
        }
        for thread in threads {
            thread.join().unwrap();
        }
        if !stops {
            trace.flush();
        }
        // A writer that came after the stop has left nothing behind.
        assert_eq!(trace.delivered.load(Relaxed), trace.given.load(Relaxed));
        assert_eq!(trace.records.load(Relaxed) + trace.dropped.load(Relaxed), writers * each);
        assert!(stops || trace.dropped.load(Relaxed) == 0);
    });
}

#[test]
fn writers_share_buffers_of_one_slot() {
    check(2, 2, 1, 2, false);
}

#[test]
fn writers_share_buffers_of_two_slots_and_a_flush_comes_in_between() {
    check(2, 2, 2, 2, false);
}

#[test]
fn one_writer_and_a_stop() {
    check(1, 3, 2, 4, true);
}

#[test]
fn two_writers_and_a_stop() {
    check(2, 1, 2, 3, true);
    check(2, 2, 1, 2, true);
}

/// The progress of a channel, and of buffers without a slot.
const PROGRESSES: usize = 2;
const UNUSABLE: usize = 1;

/// As [`Trace`], with the way back: a queue, and the numbers that flush and stop wait for.
struct Return {
    channel: Channel,
    progress: [Progress; PROGRESSES],
    queue: Mutex<VecDeque<(usize, u32)>>,
    /// Whether there is a session. The lock orders requests before or after a stop.
    settings: Mutex<bool>,
    session: AtomicU32,
    /// How many of the tool's first buffers have no slot.
    useless: usize,
    /// Not modelled: they only count.
    asked: AtomicUsize,
    returned: AtomicUsize,
}

impl Return {
    fn post(&self, channel: usize, number: u32) {
        self.queue.lock().unwrap().push_back((channel, number));
    }

    fn refill(&self, refill: Refill) -> Option<Reservation> {
        self.channel.close_full(&refill, |completed| self.post(0, completed.number));
        if !*self.settings.lock().unwrap() {
            self.channel.leave_empty(refill);
            return None;
        }
        let asked = self.asked.fetch_add(1, Relaxed);
        if asked < self.useless {
            self.post(UNUSABLE, self.progress[UNUSABLE].next());
            self.channel.leave_empty(refill);
            return None;
        }
        let reservation = self.channel.install(refill, Memory { buffer: APART, bytes: SLOT, owner: 0 }, 1);
        if self.session.load(Ordering::SeqCst) == 0 {
            self.channel.close(|completed| self.post(0, completed.number));
        }
        reservation
    }

    fn write(&self) {
        loop {
            let reservation = match self.channel.reserve(1) {
                Attempt::Reserved(reservation) => Some(reservation),
                Attempt::Refill(refill) => self.refill(refill),
                Attempt::Busy => {
                    self.channel.wait();
                    continue;
                }
            };
            if let Some(reservation) = reservation {
                self.channel.finish(reservation, |completed| self.post(0, completed.number));
            }
            return;
        }
    }

    /// What the helper does once: delivers a buffer if one is next.
    fn deliver_one(&self) -> bool {
        let next = {
            let mut queue = self.queue.lock().unwrap();
            let index = queue.iter().position(|&(channel, number)| self.progress[channel].take(number));
            index.and_then(|index| queue.remove(index))
        };
        let Some((channel, number)) = next else { return false };
        self.returned.fetch_add(1, Relaxed);
        self.progress[channel].deliver(number);
        true
    }

    fn close(&self) -> [u32; PROGRESSES] {
        let channel = self.channel.close(|completed| self.post(0, completed.number));
        [channel, self.progress[UNUSABLE].last()]
    }

    /// As `hand_over_all` in `session.rs`. Returns after so many deliveries as had been asked for when it was called.
    fn hand_over_all(&self) {
        let asked = self.asked.load(Relaxed);
        self.close();
        let under_way = self.channel.under_refill();
        while under_way.is_some() && self.channel.under_refill() == under_way {
            self.channel.wait();
        }
        let last = self.close();
        while !self.progress.iter().zip(last).all(|(progress, last)| progress.reached(last, false)) {
            thread::yield_now();
        }
        assert!(self.returned.load(Relaxed) >= asked, "it has returned before the tool had every buffer");
    }
}

/// Writers and the helper, beside a flush or a stop; the tool's first buffers are useless. A writer that found no
/// session or no slot has written nothing, but every requested buffer comes back.
fn check_return(writers: usize, each: usize, useless: usize, preemptions: usize, stops: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let trace = Arc::new(Return {
            channel: Channel::default(),
            progress: std::array::from_fn(|_| Progress::default()),
            queue: Mutex::new(VecDeque::new()),
            settings: Mutex::new(true),
            session: AtomicU32::new(1),
            useless,
            asked: AtomicUsize::new(0),
            returned: AtomicUsize::new(0),
        });
        let over = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..writers)
            .map(|_| {
                let trace = trace.clone();
                thread::spawn(move || (0..each).for_each(|_| trace.write()))
            })
            .collect();
        let helper = thread::spawn({
            let (trace, over) = (trace.clone(), over.clone());
            move || {
                while over.load(Ordering::Acquire) == 0 {
                    if !trace.deliver_one() {
                        thread::yield_now();
                    }
                }
                while trace.deliver_one() {}
            }
        });
        if stops {
            let mut settings = trace.settings.lock().unwrap();
            *settings = false;
            trace.session.store(0, Ordering::SeqCst);
        }
        trace.hand_over_all();
        if stops {
            // After a stop nothing is requested, so that nothing is left.
            let asked = trace.asked.load(Relaxed);
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!((trace.asked.load(Relaxed), trace.returned.load(Relaxed)), (asked, asked));
        } else {
            for thread in threads {
                thread.join().unwrap();
            }
            trace.hand_over_all();
        }
        over.store(1, Ordering::Release);
        helper.join().unwrap();
        assert_eq!(trace.returned.load(Relaxed), trace.asked.load(Relaxed));
    });
}

#[test]
fn flush_waits_for_what_was_asked_for_before_it() {
    check_return(1, 2, 0, 2, false);
}

#[test]
fn flush_waits_for_a_buffer_without_slots() {
    check_return(1, 2, 2, 2, false);
}

#[test]
fn stop_leaves_no_buffer_on_its_way() {
    check_return(1, 2, 0, 2, true);
    check_return(1, 2, 1, 2, true);
}

#[test]
fn buffers_that_are_delivered_too_early_are_caught() {
    assert_caught(
        "buffers: records finished relaxed",
        "writers_share_buffers_of_two_slots_and_a_flush_comes_in_between",
    );
}
