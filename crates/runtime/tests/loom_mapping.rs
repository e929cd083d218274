//! Model test of what constructs that map the same variables wait for (`device/map/README.md`): whoever goes on sees
//! what the other has written, and two that wait for each other's entries both go on.
#![cfg(loom)]

use ferromp::device::map::stage::{ALLOCATED, COPIED, READY, Stage};
use ferromp::model::mutation::assert_caught;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

#[derive(Default)]
struct Entry {
    stage: Stage,
    /// What its maker writes before it is allocated, and before it is ready. A race on them is an error that loom
    /// finds.
    address: UnsafeCell<u32>,
    content: UnsafeCell<u32>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Entry {}
// SAFETY: as above.
unsafe impl Send for Entry {}

fn write(cell: &UnsafeCell<u32>, value: u32) {
    cell.with_mut(|cell| {
        // SAFETY: loom checks that nobody else touches it now.
        unsafe { *cell = value }
    });
}

fn read(cell: &UnsafeCell<u32>) -> u32 {
    // SAFETY: loom checks that nobody writes it now.
    cell.with(|cell| unsafe { *cell })
}

#[test]
fn who_waits_sees_what_was_written() {
    loom::model(|| {
        let entry = Arc::new(Entry::default());
        let waiter = {
            let entry = entry.clone();
            thread::spawn(move || {
                entry.stage.wait(ALLOCATED);
                assert_eq!(read(&entry.address), 1);
                entry.stage.wait(READY);
                assert_eq!(read(&entry.content), 2);
            })
        };
        write(&entry.address, 1);
        entry.stage.set(ALLOCATED);
        write(&entry.content, 2);
        entry.stage.set(READY);
        waiter.join().unwrap();
    });
}

#[test]
fn all_who_wait_go_on() {
    loom::model(|| {
        let entry = Arc::new(Entry::default());
        let waiters = [(); 2].map(|()| {
            let entry = entry.clone();
            thread::spawn(move || entry.stage.wait(READY))
        });
        entry.stage.set(READY);
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
    });
}

#[test]
fn two_that_wait_for_each_other_go_on() {
    loom::model(|| {
        let entries = Arc::new([Entry::default(), Entry::default()]);
        let construct = |entries: &[Entry; 2], own: usize| {
            let (own, other) = (&entries[own], &entries[1 - own]);
            write(&own.address, 1);
            own.stage.set(ALLOCATED);
            other.stage.wait(ALLOCATED);
            assert_eq!(read(&other.address), 1);
            write(&own.content, 2);
            own.stage.set(READY);
            other.stage.wait(READY);
            assert_eq!(read(&other.content), 2);
        };
        let second = {
            let entries = entries.clone();
            thread::spawn(move || construct(&entries, 1))
        };
        construct(&entries, 0);
        second.join().unwrap();
    });
}

#[test]
fn who_finds_what_is_copied_back_waits() {
    loom::model(|| {
        let entry = Arc::new(Entry::default());
        entry.stage.set(READY);
        // On the table's lock, before the other finds the entry.
        entry.stage.go_back();
        let finder = {
            let entry = entry.clone();
            thread::spawn(move || {
                assert!(entry.stage.has_come_to(COPIED));
                entry.stage.wait(READY);
                assert_eq!(read(&entry.content), 3);
            })
        };
        write(&entry.content, 3);
        entry.stage.set(READY);
        finder.join().unwrap();
    });
}

#[test]
fn stages_that_come_too_early_or_in_silence_are_caught() {
    assert_caught("stage: set relaxed", "who_waits_sees_what_was_written");
    assert_caught("stage: set in silence", "who_waits_sees_what_was_written");
}
