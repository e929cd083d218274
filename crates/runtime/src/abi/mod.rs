//! The entry points: what compiled programs call. An entry point translates arguments, notes who called, and calls
//! one function of the core. It holds no logic.

mod entry_point;
pub mod goacc;
pub mod gomp;
pub mod kmpc;
pub mod omp;
pub mod tgt;

pub(crate) use entry_point::{bind, entry_point, split_entry_point, split_wide_entry_point, wide_entry_point};
