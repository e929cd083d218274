//! The replay of a run: its critical path, and what the run would take with a change.
mod change;
mod moment;
mod path;
mod phase;
mod run;
mod spots;
mod tasks;
mod team;
mod thread;
mod walk;

pub use change::{Change, Changes};
pub use run::replay;
