//! A simulator of machines with many cores, for lock-free code.
//!
//! The code under test is compiled with the atomics of [`atomic`] and the futex of [`futex`] instead of the real ones.
//! [`run`] executes it on up to 256 simulated threads, one a core of a [`Machine`]. Each simulated thread has a clock
//! of its own, and the thread whose clock is behind all others goes next. So accesses to memory happen in the order of
//! simulated time, and a run gives the same result each time.
//!
//! An access costs what the state of its cache line makes it cost (`line.rs`). Everything else that takes time says so:
//! [`pause`], [`work`], [`clock`], [`give_way`].
//!
//! The simulator does not model weak memory orders: accesses are sequentially consistent, in the order of time. The
//! models that loom checks are for orders; this one is for time.
//!
//! `docs/scale-model.md` describes the model, its costs, and how far its predictions are from measurements.

pub mod atomic;
pub mod futex;
mod line;
mod machine;
mod names;
mod outcome;
mod world;

pub use line::LINE;
pub use machine::{FutexCosts, MACHINES, Machine, Time, ns};
pub use names::Part;
pub use outcome::{Hot, Outcome};
pub use world::{clock, give_way, look_together, measure, name, now, pause, read_plain, run, watch, work, write_plain};
