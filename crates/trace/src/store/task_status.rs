//! The values of `ompt_task_status_t` (OpenMP 5.1 §4.4.4.19) as records of [`TaskSchedule`](super::Record) have them.

/// The task has ended.
pub const COMPLETE: u64 = 1;
/// The task was discarded or has ended by a cancellation.
pub const CANCEL: u64 = 3;
/// The code of a task with an event has ended.
pub const DETACH: u64 = 4;
/// A task's event was fulfilled before the end of its code.
pub const EARLY_FULFILL: u64 = 5;
/// A task's event was fulfilled after the end of its code.
pub const LATE_FULFILL: u64 = 6;
/// The thread left the task for another reason.
pub const SWITCH: u64 = 7;
/// A wait with dependences is over.
pub const TASKWAIT_COMPLETE: u64 = 8;
