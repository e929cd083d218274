//! The process: bringing the runtime up, roots, `fork`, pauses and the end. It stands above all that it sets in motion.

pub mod down;
pub mod fork;
pub mod root;
pub mod up;
