//! Tools: the search for tools, their activation and their end, and the entry points that tools call (OpenMP 5.1 §4.2,
//! §4.6). `ompt/`, below this folder, reports events.
//!
//! | file | what |
//! | --- | --- |
//! | `search.rs`, `library.rs`, `archer.rs` | the search for tools |
//! | `log.rs` | the log of the search, for `OMP_TOOL_VERBOSE_INIT` |
//! | `activate.rs` | initialising the tools that were found |
//! | `active.rs` | the active tools, and their finalisers |
//! | `end.rs` | the end of a tool, with the events that come before it |
//! | `state.rs` | how far the activation has come |
//! | `entry/` | the entry points that tools call |
//! | `connect.rs` | plug-ins and runtimes that report events of their own |

pub mod activate;
mod active;
mod archer;
pub mod connect;
pub mod end;
pub mod entry;
mod library;
mod log;
mod search;
pub mod state;
