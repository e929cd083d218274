//! The lock-free words that the runtime's objects are made of, without the objects: each file is one protocol, takes
//! its atomics from [`model`](crate::model), and is checked by a model test (`tests/loom_*.rs`) as it ships.
//!
//! `README.md` lists each file with its model, and with the README that describes its protocol.

pub mod barrier;
pub mod children;
pub mod counted;
pub mod deque;
pub mod detach;
pub mod go;
pub mod idle;
pub mod inbox;
pub mod learnt;
pub mod lifeline;
pub mod lock_seats;
mod lock_wait;
pub mod lock_word;
pub mod mark;
pub mod meeting;
pub mod nest_word;
pub mod node;
pub mod offers;
pub mod partial;
pub mod posts;
pub mod quiescence;
pub mod returned;
pub mod ring;
pub mod shared;
pub mod slots;
pub mod steal;
pub mod theft;
pub mod turn;
