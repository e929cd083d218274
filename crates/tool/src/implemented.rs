//! Which events a tool has methods for.

use crate::EventSet;

/// The events whose methods a tool implements. Only [`#[tool]`](crate::tool), which sees the implementation, makes one,
/// so that it cannot say anything else.
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
