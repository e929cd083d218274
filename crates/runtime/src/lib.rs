//! ferromp: an OpenMP runtime made for the OpenMP tools interfaces.
//!
//! Data flows one way, from the entry points (`abi`) inwards; the rest does not know which compiler made
//! the program. `ARCHITECTURE.md` has the map and the invariants.

pub use ferromp_ground::{arch, first_use, model, park, protocol};
#[cfg(not(loom))]
pub use ferromp_ground::{backtrace, signals, stack};
#[cfg(not(loom))]
use ferromp_ground::{heap, layout, loaded, stderr, warn_once, warnings};
#[cfg(not(loom))]
pub use ferromp_settings::{allocators, device_numbers, environment, icv, place, shown};

#[cfg(loom)]
#[path = "loom_modules.rs"]
mod loom_modules;
#[cfg(loom)]
pub use loom_modules::*;

#[cfg(not(loom))]
pub mod abi;
#[cfg(not(loom))]
pub mod acc;
#[cfg(not(loom))]
pub mod barrier;
#[cfg(not(loom))]
pub mod device;
#[cfg(not(loom))]
pub mod error;
#[cfg(not(loom))]
pub mod mem;
#[cfg(not(loom))]
pub mod objects;
#[cfg(not(loom))]
pub mod ompd;
#[cfg(not(loom))]
pub mod ompt;
#[cfg(not(loom))]
pub mod process;
#[cfg(not(loom))]
pub mod sync;
#[cfg(not(loom))]
pub mod task;
#[cfg(not(loom))]
pub mod team;
#[cfg(not(loom))]
pub mod thread;
#[cfg(not(loom))]
pub mod tool;
#[cfg(not(loom))]
mod upcalls;
#[cfg(not(loom))]
pub mod work;
