//! OMPT's entry points, which tools call (OpenMP 5.1 §4.6.1–2).
//!
//! | file | entry points |
//! | --- | --- |
//! | `registration.rs` | `ompt_enumerate_states`, `ompt_enumerate_mutex_impls` |
//! | | `ompt_set_callback`, `ompt_get_callback`, `ompt_finalize_tool` |
//! | `threads.rs` | `ompt_get_thread_data`, `ompt_get_state`, `ompt_get_unique_id`, and those about devices |
//! | `places.rs` | processors and places |
//! | `host.rs`, `device.rs` | the lookup functions, of the host and of devices |
//! | `tasks.rs` | `ompt_get_parallel_info`, `ompt_get_task_info`, `ompt_get_task_memory` |
//!
//! All entry points but those in `registration.rs` and `device.rs` are async-signal-safe: they read what belongs to the
//! calling thread and what never changes, take no lock and allocate nothing. They may interrupt the thread anywhere.

mod common;
mod device;
mod host;
mod places;
mod registration;
mod tasks;
mod threads;

pub(crate) use common::{answer, untyped};
pub use host::of as lookup;
pub use places::prepare;
pub(crate) use registration::give_callback;
pub(crate) use tasks::flags_and_data;
