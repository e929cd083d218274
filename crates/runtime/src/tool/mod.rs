//! TODO-DOC

pub mod end;
pub mod state;
