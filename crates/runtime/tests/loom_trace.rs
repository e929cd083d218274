//! Model test of the strips of a device's trace (`ompt/trace/README.md`): every buffer is handed over once, with all of its records written,
//! and none stays behind after a stop; no record is lost.
#![cfg(loom)]

use ferromp::model::atomic::{AtomicU32, Ordering};
use ferromp::ompt::trace::buffers::{Found, Memory, Parcel, ROOM, Refill, Room, Strip};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const BUFFERS: usize = 8;
const MOST_ROOMS: usize = 2;
/// How far the made-up addresses of two buffers are apart.
const APART: usize = 1 << 12;

struct Trace {
    strip: Strip,
    /// Rooms that each buffer has.
    rooms: usize,
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
    fn new(rooms: usize) -> Self {
        Trace {
            strip: Strip::default(),
            rooms,
            cells: (0..BUFFERS * MOST_ROOMS).map(|_| UnsafeCell::new(0)).collect(),
            session: AtomicU32::new(1),
            given: AtomicUsize::new(0),
            delivered: AtomicUsize::new(0),
            records: AtomicUsize::new(0),
            dropped: AtomicUsize::new(0),
        }
    }

    fn cell(&self, address: usize) -> &UnsafeCell<u32> {
        &self.cells[(address / APART - 1) * MOST_ROOMS + address % APART / ROOM]
    }

    fn deliver(&self, parcel: Parcel) {
        self.delivered.fetch_add(1, Relaxed);
        for room in 0..parcel.used as usize {
            // SAFETY: loom checks that nobody writes the cell now.
            self.cell(parcel.buffer + room * ROOM).with(|cell| assert_eq!(unsafe { *cell }, 1));
            self.records.fetch_add(1, Relaxed);
        }
    }

    fn refill(&self, refill: Refill) -> Option<Room> {
        self.strip.close_full(&refill, |parcel| self.deliver(parcel));
        if self.session.load(Ordering::SeqCst) == 0 {
            self.strip.leave_empty(refill);
            return None;
        }
        let buffer = (self.given.fetch_add(1, Relaxed) + 1) * APART;
        let room = self.strip.install(refill, Memory { buffer, bytes: self.rooms * ROOM, owner: 0 }, 1);
        if self.session.load(Ordering::SeqCst) == 0 {
            self.strip.close(|parcel| self.deliver(parcel));
        }
        room
    }

    fn write(&self) {
        loop {
            let room = match self.strip.take(1) {
                Found::Room(room) => Some(room),
                Found::Refill(refill) => self.refill(refill),
                Found::Busy => {
                    self.strip.wait();
                    continue;
                }
            };
            match room {
                Some(room) => {
                    // SAFETY: loom checks that nobody else uses the cell now.
                    self.cell(room.at as usize).with_mut(|cell| unsafe { *cell += 1 });
                    self.strip.finish(room, |parcel| self.deliver(parcel));
                }
                None => {
                    self.dropped.fetch_add(1, Relaxed);
                }
            }
            return;
        }
    }

    fn flush(&self) {
        self.strip.close(|parcel| self.deliver(parcel));
    }

    fn stop(&self) {
        self.session.store(0, Ordering::SeqCst);
        while self.strip.is_busy() {
            self.strip.wait();
        }
        self.flush();
    }
}

/// Writers beside what `body` does; all that is written has been handed over after a last flush.
fn check(writers: usize, each: usize, rooms: usize, preemptions: usize, stops: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let trace = Arc::new(Trace::new(rooms));
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
        // Who came to write after the stop has left nothing behind.
        assert_eq!(trace.delivered.load(Relaxed), trace.given.load(Relaxed));
        assert_eq!(trace.records.load(Relaxed) + trace.dropped.load(Relaxed), writers * each);
        assert!(stops || trace.dropped.load(Relaxed) == 0);
    });
}

#[test]
fn writers_share_buffers_of_one_room() {
    check(2, 2, 1, 2, false);
}

#[test]
fn writers_share_buffers_of_two_rooms_and_a_flush_comes_in_between() {
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
