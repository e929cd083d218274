//! TODO-DOC

pub mod activate;
pub mod connect;
pub mod end;
pub mod entry;
pub mod several;
pub mod state;
