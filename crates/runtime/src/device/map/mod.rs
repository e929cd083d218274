//! Mapping: which variables have counterparts on a device, and how the counterparts come and go (OpenMP 5.1 §2.21.7,
//! §2.14.2–6). `README.md` has the steps, and the reason why many threads can take them at once.

mod arguments;
mod begin;
mod context;
mod end;
mod failure;
pub mod info;
pub mod items;
mod mapper;
pub mod stage;
pub mod table;
#[cfg(test)]
mod tests;
pub mod types;
mod update;
mod work;

pub use context::Context;
pub use failure::Failure;
pub use items::Work;
pub use mapper::Components;
pub use types::{Lists, MapType, Name, Variable};
