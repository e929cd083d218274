//! OMPT: keeping the callbacks of a tool and calling them (OpenMP 5.1 chapter 4). Finding and activating tools, and
//! what tools ask, stand above, in `tool/`.
//!
//! Only this folder touches the table of callbacks. The rest of the runtime calls one typed function
//! an event (`events_*.rs`); with no tool each costs one relaxed load and one branch not taken. Tool
//! data lives in the objects: [`ThreadTool`] in the thread, [`ParallelTool`] in the team,
//! [`TaskTool`] in the task, so that it follows them wherever they go.

pub mod answers;
pub(crate) mod events_mutex;
mod events_once;
mod events_region;
mod events_target;
mod events_task;
mod events_work;
pub(crate) mod frame;
mod leaving;
pub mod registry;
pub(crate) mod sanitizer;
pub mod several;
mod states;
pub(crate) mod target;
pub mod trace;
pub(crate) mod unwind;

pub use events_mutex::*;
pub use events_once::*;
pub use events_region::*;
pub use events_target::*;
pub use events_task::*;
pub use events_work::*;
pub use frame::{Entered, program_ran, program_resumes, program_runs};

pub use registry::in_callback;
pub use sanitizer::races_are_checked;
pub use several::device_lookup;
pub use states::{InState, Waiting};
pub use target::{Code, DataOp, Mappings, Note};
