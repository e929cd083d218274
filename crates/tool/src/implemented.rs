//! Which events a tool has methods for.

use crate::EventSet;

/// The events whose methods a tool implements. Only [`#[tool]`](crate::tool) makes one, because the attribute sees the
/// implementation.
#[derive(Copy, Clone, Debug)]
pub struct Implemented(EventSet);

impl Implemented {
    /// By the names of the methods.
    pub const fn by_methods(names: &[&str]) -> Implemented {
        Implemented(EventSet::of_methods(names))
    }

    pub(crate) const fn events(self) -> EventSet {
        self.0
    }
}
