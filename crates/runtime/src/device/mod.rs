//! Devices (OpenMP 5.1 §1.2.1, §1.3, §2.14, §3.7, §3.8). `README.md` shows the way of a target construct.
//!
//! | file | what |
//! | --- | --- |
//! | `construct.rs` | target constructs on a device |
//! | `fallback.rs` | target constructs on the host |
//! | `memory.rs`, `interop.rs`, `interop_sync.rs`, `uid.rs` | what routines and `interop` constructs need |
//! | `choice.rs` | the device that a construct or routine asks for |
//! | `life.rs`, `state.rs` | opening and closing devices |
//! | `available.rs` | which devices there are, and their numbers |
//! | `map/` | what target constructs map and copy |
//! | `devices.rs`, `addresses.rs`, `blocks.rs`, `pool.rs` | what there is of each device |
//! | `images.rs` | programs that bring code for devices |
//! | `driver.rs` | what a kind of device can do; `host/` and `cuda/` do it |

mod addresses;
mod available;
mod blocks;
pub mod caller;
mod choice;
pub mod construct;
mod cuda;
mod devices;
pub mod driver;
mod fallback;
mod host;
pub mod images;
pub mod interop;
pub mod interop_sync;
mod life;
pub mod map;
pub mod memory;
mod pool;
mod state;
pub mod uid;
mod upward;

pub use available::{count, find, host, is_host};
pub use choice::{DeviceClause, chosen, default, owner, require};
pub use devices::Device;
pub use fallback::{Private, Region, Synchronisation, data_region, execute, order};
pub use host::{TeamMemory, step_out, team_memory};
pub use life::{after_fork, close_all, pause_all, rest_all, unregister};
pub use memory::{Copy, Fill, MAX_DIMENSIONS, Operation, Owner, Place, Rectangle, Routine};
