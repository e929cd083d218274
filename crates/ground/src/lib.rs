//! The ground of the ferromp runtime: what the runtime's objects are made of, and what knows no object.
//!
//! Lock-free protocols (`protocol`), everything that sleeps (`park`), memory (`heap`), lines on standard error,
//! creating threads, and the processor (`arch`). The layers above are in `crates/runtime`, which hands these modules on
//! under their own names.

pub mod first_use;
pub mod heap;
pub mod model;
pub mod park;
pub mod protocol;
pub mod stderr;

#[cfg_attr(loom, allow(unused_macros, unused_imports, reason = "the models need no more than a constant of it"))]
pub mod arch;
#[cfg(not(loom))]
pub mod backtrace;
#[cfg(not(loom))]
pub mod layout;
#[cfg(not(loom))]
pub mod loaded;
#[cfg(not(loom))]
pub mod signals;
#[cfg(not(loom))]
pub mod stack;
#[cfg(not(loom))]
pub mod warnings;
