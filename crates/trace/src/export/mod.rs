//! Traces in other programs' formats, one folder a format. A format takes what [`walk`](walk::walk) finds in a trace:
//! slices, operations of devices, and samples. Most formats take whole [`intervals`] of it.

pub mod chrome;
pub mod csv;
pub mod folded;
mod frames;
pub mod html;
pub mod intervals;
mod known;
pub mod lanes;
pub mod merge;
pub mod names;
pub mod perf_script;
pub mod perfetto;
mod shown;
pub mod slices;
pub mod speedscope;
pub mod walk;
mod written;

pub use frames::{Frame, Frames};
pub use written::{Budget, Format, Written};
