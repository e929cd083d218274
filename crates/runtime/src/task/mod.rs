//! Explicit tasks (OpenMP 5.1 §2.12): their memory, queues, scheduling, waiting, dependences, loops.
//!
//! A task (`objects::structures::Task`) is an implicit task in a member's slot, or an explicit one at the start of a
//! block from its creator's store. `README.md` says how tasks move between threads, why none is lost, how a barrier
//! finds out that none is left, and when a block may be used again.

pub mod agents;
mod blocks;
mod cancel;
mod create;
mod depend;
mod detach;
pub mod graph;
mod group;
mod headers;
pub mod helper;
mod in_place;
mod life;
mod offers;
mod recording;
pub mod reduction;
mod schedule;
mod table;
pub mod target;
mod taskloop;
mod wait;

pub use cancel::{are_cancelled, cancel_taskgroup, is_cancelled, is_taskgroup_cancelled, learn_of_cancellation};
pub use create::{
    begin_undeferred, complete_undeferred, create, create_for, create_like, launch, part_again, taskwait_depend,
    taskwait_depend_nowait,
};
pub use depend::{node, successors};
pub use detach::{EventHandle, completion_event, fulfill, fulfill_of, has_prepared, prepared_event, prepares_another};
pub use in_place::{
    begin_in_place, complete_in_place, create_out_of_list, create_to_fill_in, execute_ahead, execute_in_place,
    execute_prepared, execute_unprepared, has_list, prepare_in_place, runs_in_place, runs_in_place_deep, take_prepared,
};
pub use schedule::{finds_end_at_join, leave, quiescent, quiescent_at_join};
pub use taskloop::{Count, Pattern, Taskloop, taskloop};
pub use wait::{
    begin_workshare, end_workshare, help, help_when_called, taskgroup_begin, taskgroup_end, taskwait, taskyield,
};
