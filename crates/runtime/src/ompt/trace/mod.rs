//! Device tracing: records of what happens on devices, in the tool's buffers (OpenMP 5.1 §4.2.5, §4.4.3, §4.6.2).
//!
//! | file | what |
//! | --- | --- |
//! | `buffers.rs` | channels: several threads write into buffers without a lock |
//! | `session.rs` | one tool's trace of one device: start, pause, flush, stop, where buffers come from |
//! | `progress.rs` | how far buffers have come on their way back |
//! | `deliver.rs` | the thread that hands buffers back |
//! | `clock.rs`, `device.rs` | devices that can be traced, and writing records |
//! | `operations.rs` | what devices do for the host: target constructs, mappings, data operations, kernels |
//! | `inside.rs` | events inside target regions, on the device's own threads |
//! | `names.rs` | numbers of the host's tasks |
//! | `native.rs` | records in the device's own form |
//! | `cursor.rs` | reading buffers |
//!
//! `README.md` has the protocol. While no device is traced, an operation costs one relaxed load.

pub mod buffers;
mod clock;
pub(crate) mod cursor;
mod deliver;
pub(crate) mod device;
pub(crate) mod inside;
mod names;
pub(crate) mod native;
mod operations;
pub mod progress;
pub(crate) mod session;
#[cfg(test)]
mod tests;

pub use clock::Clock;
pub use deliver::end as rest;
pub use device::{after_fork, end_tool, finalize, make, time_of};
pub use native::{DOCUMENTATION, NVIDIA_DOCUMENTATION};
pub use operations::*;
