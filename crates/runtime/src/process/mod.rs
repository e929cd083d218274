//! The process: bringing the runtime up, roots, `fork`, pauses and the end. Only `abi/` is above this folder.

pub mod down;
pub mod fork;
pub mod root;
pub mod up;
