//! Teams: the threads that execute a parallel region together (OpenMP 5.1 §2.6).
//!
//! A [`Team`] is made once for each nesting position and kept: a repeated region finds its workers
//! waiting on the team's `go` word. A [`Member`] is one thread's slot in a team: its implicit task,
//! its arrival flag, its counters of worksharing constructs, its queue of tasks. Teams and members
//! are never freed, only kept for later use, so a late reader never meets a dangling pointer.
//!
//! The life of a region is in `fork.rs` (the primary thread's side) and `worker.rs` (the others');
//! the protocol between them is written down in `team/README.md`.

pub mod demand;
mod enter;
pub mod fork;
pub mod forked;
pub mod hot;
pub mod initial;
pub mod league;
pub mod limits;
pub mod places;
pub mod query;
pub mod roots;
pub mod worker;
