//! OMPD, the OpenMP debugging interface: its vocabulary, and `libompd.so`, which a debugger loads to
//! look into a program that runs on ferromp. OpenMP 5.1, chapter 5.
//!
//! The library never links the runtime. What the library knows of a program, it reads through the debugger's callbacks:
//! [`memory`] reads, [`space`] has the offsets of the runtime's structures, and [`handles`] keeps the debugger's
//! handles. Nothing else is kept between two calls.

mod answer;
mod callbacks;
pub mod describe;
mod entry_points;
#[cfg(test)]
mod fake;
mod handles;
mod heap;
mod icv;
mod library;
mod memory;
mod model;
mod space;
mod types;

pub use callbacks::*;
pub use entry_points::*;
pub use icv::*;
pub use library::{ompd_finalize, ompd_get_api_version, ompd_get_version_string, ompd_initialize};
pub use types::*;
