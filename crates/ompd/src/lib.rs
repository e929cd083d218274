//! OMPD, the OpenMP debugging interface: its vocabulary, and `libompd.so`, which a debugger loads to
//! look into a program that runs on ferromp. OpenMP 5.1, chapter 5.
//!
//! The library never links the runtime; whatever it knows of a program, it reads through the
//! debugger's callbacks. Here are the functions that need no program: versions, start and end.

mod callbacks;
mod library;
mod types;

pub use callbacks::*;
pub use library::{ompd_finalize, ompd_get_api_version, ompd_get_version_string, ompd_initialize};
pub use types::*;
