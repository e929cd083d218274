//! A barrier of a region, as far as threads have come to it.

/// One barrier of a region.
#[derive(Default)]
pub struct Barrier {
    pub arrived: u32,
    pub left: u32,
    /// The first arrival: the kind, the code address and the thread's number in the team.
    pub first: Option<(i32, usize, u32)>,
}
