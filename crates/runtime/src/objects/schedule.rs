//! Loop schedules.

/// How the iterations of a loop depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Clause {
    /// They do not.
    #[default]
    None,
    /// `ordered`: regions in the order of the iterations.
    Ordered,
    /// `ordered(n)`: iterations wait for chosen earlier ones, as [`super::doacross`] has it.
    Doacross,
}

/// How iterations are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One block of nearly equal size a thread.
    StaticBlocks,
    /// Chunks in the order of thread numbers.
    StaticChunks,
    /// One block a thread, whose size is a multiple of the chunk size (for SIMD loops).
    StaticAligned,
    /// Chunks to whoever asks.
    Dynamic,
    /// Chunks to whoever asks, large ones first.
    Guided,
    /// As guided, in multiples of the chunk size (for SIMD loops).
    GuidedAligned,
    /// Chunks to whoever asks, each smaller than the one before by the same number of iterations.
    Trapezoidal,
}

/// A loop's schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub kind: Kind,
    /// Iterations a chunk (the least for guided); at least 1, without meaning for blocks.
    pub chunk: u64,
    /// Whether chunks may come to a thread in any order.
    pub nonmonotonic: bool,
    /// Whether the loop has an `ordered` clause.
    pub clause: Clause,
}
