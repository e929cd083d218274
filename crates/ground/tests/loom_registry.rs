//! Model test of the callbacks' slots (`ompt/README.md`): a thread that calls the tool sees what the tool wrote before
//! it registered the callback; a callback that is registered while the tool becomes active is put into effect; and when
//! the tool has been silenced, no thread is in a callback or comes into one.
#![cfg(loom)]

use ferromp_ground::model::atomic::fence;
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::mark::Mark;
use ferromp_ground::protocol::slots::{Slots, wait_for_callbacks};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::Ordering;
use loom::thread;
use std::ffi::c_void;

const EVENTS: usize = 1;

struct Process {
    slots: Slots<EVENTS>,
    marks: [Mark; 2],
    /// What the tool's callbacks read and its initialiser and finaliser write. A race on it is an error that loom
    /// finds.
    tool: UnsafeCell<u32>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Process {}
// SAFETY: as above.
unsafe impl Send for Process {}

/// Nobody calls it here.
fn callback() -> *mut c_void {
    std::ptr::without_provenance_mut(8)
}

impl Process {
    fn new() -> Arc<Process> {
        Arc::new(Process { slots: Slots::new(), marks: Default::default(), tool: UnsafeCell::new(0) })
    }

    fn write(&self, value: u32) {
        // SAFETY: loom checks that nobody else touches the cell now.
        self.tool.with_mut(|tool| unsafe { *tool = value });
    }

    /// A thread comes upon the event. Returns whether the tool has heard of it.
    fn event(&self, thread: usize) -> bool {
        let mark = &self.marks[thread];
        let otherwise = |marked| {
            if marked {
                mark.lower(0);
            }
            std::ptr::null_mut()
        };
        let found = self.slots.enter(self.slots.slot(0), || mark.try_enter(), otherwise);
        if found.is_none() {
            return false;
        }
        // SAFETY: loom checks that nobody writes the cell now.
        assert_eq!(self.tool.with(|tool| unsafe { *tool }), 1, "the tool is called while it is ready");
        mark.lower(0);
        true
    }

    fn silence(&self) {
        self.slots.turn(false, || ());
        // `membarrier` in the library.
        let heavy = || fence(Ordering::SeqCst);
        wait_for_callbacks(self.marks.iter(), heavy, || {
            thread::yield_now();
            true
        });
    }
}

fn check(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(body);
}

#[test]
fn nobody_is_in_a_callback_when_there_is_silence() {
    check(3, || {
        let process = Process::new();
        process.write(1);
        process.slots.set(0, callback(), |callback| callback);
        process.slots.turn(true, || ());
        let threads: Vec<_> = (0..2)
            .map(|number| {
                let process = process.clone();
                thread::spawn(move || process.event(number))
            })
            .collect();
        process.silence();
        // The finaliser.
        process.write(2);
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(!process.event(0), "the tool hears of nothing any more");
    });
}

#[test]
fn a_thread_sees_what_came_before_the_registration() {
    check(4, || {
        let process = Process::new();
        process.slots.turn(true, || ());
        let other = process.clone();
        let thread = thread::spawn(move || other.event(0));
        process.write(1);
        process.slots.set(0, callback(), |callback| callback);
        thread.join().unwrap();
    });
}

#[test]
fn what_is_registered_while_the_tool_becomes_active_is_in_effect() {
    check(4, || {
        let process = Process::new();
        process.write(1);
        let other = process.clone();
        let registering = thread::spawn(move || other.slots.set(0, callback(), |callback| callback));
        process.slots.turn(true, || ());
        registering.join().unwrap();
        assert!(process.event(0));
    });
}

#[test]
fn what_is_registered_while_the_tool_ends_is_not_in_effect() {
    check(4, || {
        let process = Process::new();
        process.write(1);
        process.slots.turn(true, || ());
        let other = process.clone();
        let registering = thread::spawn(move || other.slots.set(0, callback(), |callback| callback));
        process.silence();
        registering.join().unwrap();
        assert!(!process.event(0));
    });
}

#[test]
fn tools_that_are_called_too_late_are_caught() {
    let silence = "nobody_is_in_a_callback_when_there_is_silence";
    assert_caught("silence: no fence after the mark", silence);
    assert_caught("silence: no fence before the look for marks", silence);
    assert_caught("silence: no look at the switch", silence);
    assert_caught("silence: callbacks are not waited for", silence);
    assert_caught("silence: callback left relaxed", silence);
}

#[test]
fn registrations_that_get_lost_or_come_too_early_are_caught() {
    assert_caught("registration: slot read relaxed", "a_thread_sees_what_came_before_the_registration");
    assert_caught(
        "registration: no order between switch and callbacks",
        "what_is_registered_while_the_tool_becomes_active_is_in_effect",
    );
}
