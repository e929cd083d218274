//! The entry points that the debugger calls, one file a part of section 5.5 of OpenMP 5.1. An entry point checks its
//! arguments, queries `model`, and makes handles.

mod address_space;
mod extension;
mod parallel;
mod state;
mod task;
mod thread;
mod tool_data;

pub use address_space::*;
pub use extension::*;
pub use parallel::*;
pub use state::*;
pub use task::*;
pub use thread::*;
pub use tool_data::*;
