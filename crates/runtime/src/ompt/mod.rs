//! OMPT: activating a tool, keeping its callbacks, calling them, and answering its questions
//! (OpenMP 5.1 chapter 4).
//!
//! Only this folder touches the table of callbacks. The rest of the runtime calls one typed function
//! an event (`events_*.rs`); with no tool each costs one relaxed load and one branch not taken. Tool
//! data lives in the objects: [`ThreadTool`] in the thread, [`ParallelTool`] in the team,
//! [`TaskTool`] in the task, so that it follows them wherever they go.

pub mod activate;
pub mod answers;
mod archer;
mod connect;
pub mod entry;
mod events_mutex;
mod events_once;
mod events_region;
mod events_target;
mod events_task;
mod events_work;
mod frame;
mod leaving;
mod library;
mod narration;
pub mod registry;
mod sanitizer;
mod search;
pub mod several;
mod states;
mod target;
pub mod trace;
mod unwind;

pub use crate::ompt::events_mutex::{MUTEX_FUTEX, MUTEX_FUTEX_NAME};
pub use activate::control_tool;
pub use connect::{connect, connect_offload_runtime};
pub use events_mutex::*;
pub use events_once::*;
pub use events_region::*;
pub use events_target::*;
pub use events_task::*;
pub use events_work::*;
pub use frame::{Entered, program_ran, program_resumes, program_runs};

pub use sanitizer::races_watched;
pub use states::{InState, Waiting};
pub use target::{Code, DataOp, Mappings, Note};

use crate::objects::structures::Thread;

/// Whether the calling thread, `thread`, is inside a callback of a tool: constructs that it encounters there are the
/// tool's, which no tool hears of, and have this thread alone. Not for hot paths; they ask whether a tool is [`active`]
/// first.
#[cold]
pub fn in_callback(thread: &Thread) -> bool {
    let inside = thread.tool.in_callback();
    if inside {
        thread.tool.disturb(thread.task());
    }
    inside
}
