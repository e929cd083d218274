//! ferromp: an OpenMP runtime made for the OpenMP tools interfaces.
//!
//! Data flows one way, from the entry points (`abi`) inwards; the rest does not know which compiler made
//! the program. `ARCHITECTURE.md` has the map and the invariants.

pub mod first_use;
mod heap;
pub mod model;
pub mod park;
pub mod protocol;
mod stderr;

#[cfg(loom)]
#[path = "loom_rooms.rs"]
mod loom_rooms;
#[cfg(loom)]
pub use loom_rooms::*;

#[cfg(not(loom))]
pub mod abi;
#[cfg(not(loom))]
pub mod acc;
#[cfg(not(loom))]
pub mod allocators;
#[cfg_attr(loom, allow(unused_macros, unused_imports, reason = "the models need no more than a constant of it"))]
pub mod arch;
#[cfg(not(loom))]
pub mod backtrace;
#[cfg(not(loom))]
pub mod barrier;
#[cfg(not(loom))]
pub mod device;
#[cfg(not(loom))]
pub mod device_numbers;
#[cfg(not(loom))]
pub mod environment;
#[cfg(not(loom))]
pub mod error;
#[cfg(not(loom))]
pub mod icv;
#[cfg(not(loom))]
mod layout;
#[cfg(not(loom))]
pub mod mem;
#[cfg(not(loom))]
pub mod objects;
#[cfg(not(loom))]
pub mod ompd;
#[cfg(not(loom))]
pub mod ompt;
#[cfg(not(loom))]
pub mod place;
#[cfg(not(loom))]
pub mod process;
#[cfg(not(loom))]
mod scan;
#[cfg(not(loom))]
pub mod shown;
#[cfg(not(loom))]
pub mod signals;
#[cfg(not(loom))]
pub mod stack;
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
mod warnings;
#[cfg(not(loom))]
pub mod work;
