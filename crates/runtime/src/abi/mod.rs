//! The doors: what compiled programs call. A door translates arguments, notes who called, and calls
//! one function of the core. It holds no logic.

mod door;
pub mod goacc;
pub mod gomp;
pub mod kmpc;
pub mod omp;
pub mod tgt;

pub(crate) use door::{bind, door, split_door, split_wide_door, wide_door};
