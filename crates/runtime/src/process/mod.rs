//! TODO-DOC

pub mod down;
pub mod fork;
pub mod root;
pub mod up;
