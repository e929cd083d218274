//! OMPT: the callbacks of a tool, kept and called (OpenMP 5.1 chapter 4). `tool/`, above this folder, finds and
//! activates tools, and has the entry points that tools call.
//!
//! Only this folder touches the table of callbacks (`registry.rs`). The rest of the runtime calls one typed function
//! for each event (`events_*.rs`). Without a tool, such a call costs one relaxed load and one branch that is not taken.
//!
//! A tool's data lives in the objects: [`ThreadTool`](crate::objects::structures::ThreadTool) in the thread, and
//! likewise `ParallelTool` in the team and `TaskTool` in the task. The data therefore moves with its object.

pub mod answers;
pub(crate) mod events_mutex;
mod events_once;
mod events_region;
mod events_sync;
mod events_target;
mod events_task;
mod events_work;
pub(crate) mod frame;
pub mod registry;
pub(crate) mod sanitizer;
pub mod several;
pub(crate) mod silence;
mod states;
pub(crate) mod target;
pub mod trace;
pub(crate) mod unwind;

pub use events_mutex::*;
pub use events_once::*;
pub use events_region::*;
pub use events_sync::*;
pub use events_target::*;
pub use events_task::*;
pub use events_work::*;
pub use frame::{Entered, program_ran, program_resumes, program_runs};

pub use registry::in_callback;
pub use sanitizer::races_are_checked;
pub use states::InState;
pub use target::{Code, DataOp, Mappings, Note};
