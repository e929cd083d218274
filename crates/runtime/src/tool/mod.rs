//! Tools: where they are looked for, how they are activated and ended, and what they may ask the runtime (OpenMP 5.1
//! §4.2, §4.6). Events are emitted below, in `ompt/`.
//!
//! | file | what |
//! | --- | --- |
//! | `search.rs`, `library.rs`, `archer.rs` | where tools are looked for |
//! | `narration.rs` | the search in words, for `OMP_TOOL_VERBOSE_INIT` |
//! | `activate.rs` | initialising the tools that were found, and finalising them |
//! | `active.rs` | the active tools |
//! | `end.rs` | the end of a tool, after the events that come first |
//! | `state.rs` | how far the activation has come |
//! | `entry/` | the entry points that tools call |
//! | `connect.rs` | plug-ins that emit events of their own |

pub mod activate;
mod active;
mod archer;
pub mod connect;
pub mod end;
pub mod entry;
mod library;
mod narration;
mod search;
pub mod state;
