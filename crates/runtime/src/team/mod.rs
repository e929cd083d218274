//! Teams: the threads that execute a parallel region together (OpenMP 5.1 §2.6).
//!
//! A [`Team`](crate::objects::structures::Team) is made once for each nesting position, and its primary thread keeps it
//! (`hot.rs`): a repeated region finds its workers waiting on the team's `go` word. A
//! [`Member`](crate::objects::structures::Member) is one thread's slot in a team: its implicit task, its arrival flag,
//! its counters of worksharing constructs, its queue of tasks. Teams and members are never freed, so a thread that
//! reads one late never follows a dangling pointer.
//!
//! The life of a region is in `fork.rs` (the primary thread's side) and `worker.rs` (the workers' side). `README.md`
//! has the protocol between them.

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
mod turns;
pub mod worker;
