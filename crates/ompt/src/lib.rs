//! The vocabulary of OMPT, the OpenMP tools interface: every type, enumeration, record, callback
//! signature and entry point signature of OpenMP 5.1, chapter 4, laid out as C lays them out.
//! One table, [`for_each_event!`], names the events; whatever exists once an event is made from it.
//!
//! Enumerations are *open* ([`open_enum!`]): a value that this version does not know is an ordinary
//! value without a name, because both a tool and a runtime may be newer than this crate.
#![no_std]

pub mod callback;
mod data;
pub mod describe;
mod entry;
mod enums;
mod events;
mod flags;
mod open;
mod record;
mod state;

pub use data::*;
pub use entry::*;
pub use enums::*;
pub use events::Event;
pub use flags::*;
pub use record::*;
pub use state::State;

/// The value of `_OPENMP` for OpenMP 5.1, which a 5.1 runtime passes to `ompt_start_tool`.
pub const OMP_VERSION_5_1: core::ffi::c_uint = 202011;

/// The value of `_OPENMP` for OpenMP 6.0, of which this crate has the values and entry points as well, each marked as
/// such.
pub const OMP_VERSION_6_0: core::ffi::c_uint = 202411;
