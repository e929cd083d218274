//! Model test of the pool of workers (`thread/README.md`): a worker sees the slot that it is given; the end of the
//! program ends every worker that no team has, sees what it did, and waits neither for ever nor too little.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::park::waiter::SleepsAtOnce;
use ferromp_ground::protocol::idle::{Idle, Workers};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A slot of a team. A race on what is in it is an error that loom finds.
struct Slot(UnsafeCell<u32>);

struct Worker {
    idle: Idle<Slot>,
    /// What the worker does at its end, for the tool.
    last_event: UnsafeCell<bool>,
}

struct Process {
    workers: Workers<usize>,
    worker: Worker,
    slot: Slot,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Process {}
// SAFETY: as above.
unsafe impl Send for Process {}

impl Process {
    fn new() -> Arc<Process> {
        Arc::new(Process {
            workers: Workers::new(),
            worker: Worker { idle: Idle::default(), last_event: UnsafeCell::new(false) },
            slot: Slot(UnsafeCell::new(0)),
        })
    }

    /// The worker's thread, as in `thread/pool.rs`.
    fn work(&self) {
        let mut slot = self.worker.idle.take_slot();
        loop {
            if !slot.is_null() {
                // SAFETY: the slot lives as long as the process; loom checks that nobody writes the cell now.
                assert_eq!(unsafe { &*slot }.0.with(|word| unsafe { *word }), 7);
                self.workers.leave_team(&self.worker.idle);
            }
            self.workers.come(0);
            slot = self.worker.idle.wait_for_slot(&SleepsAtOnce);
            if slot.is_null() {
                break;
            }
        }
        // SAFETY: loom checks that nobody else touches the cell now.
        self.worker.last_event.with_mut(|ended| unsafe { *ended = true });
        self.workers.end();
    }

    fn describe_slot(&self) -> *mut Slot {
        // SAFETY: as in `work`.
        self.slot.0.with_mut(|word| unsafe { *word = 7 });
        std::ptr::from_ref(&self.slot).cast_mut()
    }

    /// A root fills its slot with the idle worker, if there is one.
    fn assign(&self) -> bool {
        let Some(_) = self.workers.take(|_| true) else {
            self.workers.refuse();
            return false;
        };
        self.worker.idle.assign(self.describe_slot());
        true
    }

    fn dismiss_all(&self) {
        let sleep = |event: &Event, ticket| event.sleep(ticket);
        self.workers.dismiss_all(0, |_| self.worker.idle.dismiss(), sleep, |_| true);
    }

    fn worker_has_ended(&self) -> bool {
        // SAFETY: loom checks that nobody writes the cell now.
        self.worker.last_event.with(|ended| unsafe { *ended })
    }
}

fn check(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    // Three threads with a mutex, two events and two counts: without a bound they take hours.
    model.preemption_bound = Some(preemptions);
    model.check(body);
}

/// Creates the worker, with a first slot.
fn create(process: &Arc<Process>) -> thread::JoinHandle<()> {
    assert!(process.workers.take(|_| true).is_none());
    process.worker.idle.begin(process.describe_slot());
    process.workers.create();
    let worker = process.clone();
    thread::spawn(move || worker.work())
}

#[test]
fn the_end_waits_for_a_worker_on_its_way_to_the_pool() {
    check(3, || {
        let process = Process::new();
        let worker = create(&process);
        // The first time the worker may still serve.
        process.dismiss_all();
        worker_has_left(&process);
        process.dismiss_all();
        assert!(process.worker_has_ended());
        worker.join().unwrap();
    });
}

/// Waits until the worker counts as serving no more, as the primary thread of its team does.
fn worker_has_left(process: &Process) {
    while process.workers.serving() != 0 {
        thread::yield_now();
    }
}

#[test]
fn a_root_takes_the_worker_while_the_program_ends() {
    check(2, || {
        let process = Process::new();
        let worker = {
            // The worker has been created, and is in the pool or on its way there.
            process.workers.create();
            let process = process.clone();
            thread::spawn(move || process.work())
        };
        let root = {
            let process = process.clone();
            thread::spawn(move || process.assign())
        };
        process.dismiss_all();
        root.join().unwrap();
        worker_has_left(&process);
        process.dismiss_all();
        assert!(process.worker_has_ended());
        worker.join().unwrap();
    });
}

/// The end does not sleep for a worker that a root has taken, and whose team keeps it.
#[test]
fn a_team_keeps_the_worker_while_the_program_ends() {
    check(2, || {
        let process = Process::new();
        process.workers.create();
        let worker = {
            let process = process.clone();
            thread::spawn(move || {
                process.workers.come(0);
                if process.worker.idle.wait_for_slot(&SleepsAtOnce).is_null() {
                    process.workers.end();
                }
            })
        };
        let root = {
            let process = process.clone();
            thread::spawn(move || process.assign())
        };
        process.dismiss_all();
        root.join().unwrap();
        // The first time the worker may have been on its way to the pool, and the root waiting for it in vain.
        process.dismiss_all();
        worker.join().unwrap();
    });
}

#[test]
fn weakened_orderings_and_missing_notifications_are_caught() {
    assert_caught("pool: slot given relaxed", "a_root_takes_the_worker_while_the_program_ends");
    assert_caught("pool: counted as serving after it left the pool", "a_team_keeps_the_worker_while_the_program_ends");
    assert_caught("pool: ended relaxed", "the_end_waits_for_a_worker_on_its_way_to_the_pool");
    assert_caught("pool: a worker comes in silence", "the_end_waits_for_a_worker_on_its_way_to_the_pool");
}
