//! The objects: plain data, each field with its writer and its reader. Nothing in here waits, wakes or emits an event.
//! What is done with the objects is in the layers above.

pub mod blocks;
pub mod body;
pub mod call;
pub mod call_configuration;
pub mod clauses;
pub mod current;
pub mod dependence;
pub mod frames;
pub mod gaps;
pub mod leagues;
pub mod lock_seat;
pub mod loops;
pub mod openacc;
pub mod phases;
pub mod presence;
pub mod reductions;
pub mod schedule;
pub mod space;
pub mod structures;
pub mod switch;
pub mod task;
pub mod team;
pub mod thread;
pub mod tool;
pub mod traced;
pub mod work;
