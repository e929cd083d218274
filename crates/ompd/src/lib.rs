//! OMPD, the OpenMP debugging interface: its vocabulary, and `libompd.so`, which a debugger loads to
//! look into a program that runs on ferromp. OpenMP 5.1, chapter 5.
//!
//! The library never links the runtime; whatever it knows of a program, it reads through the debugger's callbacks:
//! [`memory`] reads, [`space`] knows where the runtime's structures have which field, [`handles`] keeps what the
//! debugger holds. Nothing else is kept from one call to the next.

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
