//! Processors and places: the number of CPUs, the place list of `OMP_PLACES` and similar variables, the binding of
//! threads to places, and the display of affinity. OpenMP 5.1 §2.6.2, §3.3, §6.4, §6.5, §6.13 and §6.14.
//!
//! `request.rs` reads the environment. `machine.rs` reads the machine (`topology.rs`, from `/sys`) and makes the place
//! list (`layout.rs`), both once. `bind.rs` computes the place of each thread of a team, and `threads.rs` binds the
//! calling thread to a place. The runtime's `team/places.rs` has the threads of a team do so.

mod affinity;
pub mod apart;
mod bind;
mod cpus;
pub mod display;
mod format;
#[cfg(test)]
mod fuzz_tests;
pub mod in_force;
mod kernel;
mod kmp;
mod layer;
mod layout;
mod machine;
pub mod mask;
pub mod near;
mod request;
mod spec;
mod subset;
pub mod sysfs;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod threads;
mod tokens;
mod topology;

pub use affinity::Affinity;
pub use bind::{Bind, Fork, Partition};
pub use cpus::{available_cpus, cpus_of_process};
pub use kernel::Place;
pub use machine::{number_of_places, places};
#[cfg(test)]
pub use request::proc_bind;
pub use request::{Request, read};
pub use threads::{bind_initial, free, go, num_procs, place_of, settle_worker};
