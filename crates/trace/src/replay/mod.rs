//! The replay of a run: its critical path, and how long the run would take with a change.
//!
//! Each thread has two clocks. One has the recorded time, the other the replayed time. Work takes as long in both.
//! Where a thread has waited, its replayed clock goes on after what the thread has waited for: the last arrival at a
//! barrier, the release of a lock, the creation or completion of a task, the begin of a region. So waiting is a
//! result. What passes between the moment when a thread could go on and the moment when it did is a *delay* of the
//! runtime or the system; delays are taken from the trace.
//!
//! Each clock carries the chain of steps that its time consists of, since the begin of the innermost region. At the end
//! of the run, the initial thread's chain is the critical path.
//!
//! Threads keep the tasks and the order of locks that they had. With another number of threads, the work between two
//! barriers is shared out anew ([`phase`]).

mod asked;
mod change;
mod chunks;
mod delays;
mod moment;
mod path;
mod phase;
mod run;
mod spots;
mod tasks;
mod team;
mod thread;
mod walk;
mod what_if;

pub use asked::Asked;
pub use what_if::{WhatIf, gains, path_of, what_if};
