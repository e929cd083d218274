//! Loop schedules.

/// How the iterations of a loop depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Clause {
    /// Iterations are independent.
    #[default]
    None,
    /// `ordered`: regions in the order of the iterations.
    Ordered,
    /// `ordered(n)`: iterations wait for chosen earlier ones (`work/doacross.rs`).
    Doacross,
}

/// How iterations are divided among threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One block a thread, of nearly equal size.
    StaticBlocks,
    /// Chunks in the order of thread numbers.
    StaticChunks,
    /// One block a thread, whose size is a multiple of the chunk size (for SIMD loops).
    StaticAligned,
    /// The next chunk to the thread that asks.
    Dynamic,
    /// As `Dynamic`, with large chunks first.
    Guided,
    /// As `Guided`, in multiples of the chunk size (for SIMD loops).
    GuidedAligned,
    /// As `Dynamic`, with each chunk smaller than the one before by the same number of iterations.
    Trapezoidal,
}

/// A loop's schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub kind: Kind,
    /// The iterations of a chunk, at least 1. The minimum for `Guided`, without meaning for blocks.
    pub chunk: u64,
    /// Whether chunks may come to a thread in any order.
    pub nonmonotonic: bool,
    /// Whether the loop has an `ordered` clause.
    pub clause: Clause,
}
