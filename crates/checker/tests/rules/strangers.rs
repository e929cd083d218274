//! Threads whose first event is not that they begin. OpenMP 5.1, section 4.5.2.1.

use crate::play::play;
use crate::program::*;

/// A thread that has not begun fulfils a task, controls the tool, or meets an error directive.
pub fn stranger(p: &Program, case: &str) {
    p.fork(0);
    let task = p.create();
    p.switch(p.implicit, TaskStatus::SWITCH, task);
    p.switch(task, TaskStatus::DETACH, p.implicit);
    let task = task as usize;
    std::thread::scope(|scope| {
        scope.spawn(|| match case {
            "stranger-controls" => event!(ControlTool, 1, 0, null_mut(), CODE),
            "stranger-errs" => event!(Error, Severity::WARNING, null(), 0, CODE),
            _ => event!(TaskSchedule, task as *mut Data, TaskStatus::LATE_FULFILL, null_mut()),
        });
    });
    if case != "stranger-fulfils" {
        event!(TaskSchedule, task as *mut Data, TaskStatus::LATE_FULFILL, null_mut());
    }
    p.join();
}

#[test]
fn first_event_of_a_thread_that_has_not_begun_is_found_whatever_it_is() {
    for case in ["stranger-fulfils", "stranger-controls", "stranger-errs"] {
        let (status, lines) = play(case, "");
        assert_eq!(status, Some(87), "{case}: {lines}");
        assert!(lines.contains("violation: thread-begin: thread 1: an event before thread_begin"), "{case}: {lines}");
        assert!(lines.ends_with(" events, 1 violations\n"), "{case}: {lines}");
    }
}
