//! This crate's types as data: names, fields, arguments and comments, as they stand in the source.
//! `include/omp-tools.h` is written from it (`crates/ompd/examples/header`), so that the header says in C what the
//! crate says in Rust.

mod form;
mod lists;

pub use form::*;
pub use lists::*;
