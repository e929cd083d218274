//! Tools: their activation and their end, and what they may ask the runtime (OpenMP 5.1 §4.2, §4.6.1). What tools are
//! told stands in `ompt/`.

pub mod activate;
pub mod connect;
pub mod end;
pub mod entry;
pub mod several;
pub mod state;
