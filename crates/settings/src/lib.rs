//! The settings of the ferromp runtime: what the environment asks for, and the machine that the program runs on.
//!
//! Internal control variables (`icv`), allocators as OpenMP names them (`allocators`), places and binding (`place`).
//! The layers above are in `crates/runtime`, which hands these modules on under their own names.

use ferromp_ground::{layout, model, park, protocol, stderr, warn_once, warnings};

pub mod allocators;
pub mod device_numbers;
pub mod environment;
pub mod icv;
pub mod place;
mod scan;
pub mod shown;
mod upcalls;
