//! Small values of the parts that tools and debuggers see.

/// Whether a thread executes a task that it can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Presence {
    /// It executes none: it is idle, or has not begun, or has ended.
    Outside,
    /// It is on its way from one task to another.
    Between,
    /// It executes its current task.
    Inside,
    /// A worker in the barrier at the end of its region, which may be over any time.
    Leaving,
}

/// What lies where a wait identifier points to, while a thread waits for it.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum WaitFor {
    /// The word of a lock, of a critical or an atomic region.
    Lock = 1,
    /// The word of a nestable lock.
    NestLock,
    /// The number of the iteration whose turn it is in an ordered loop.
    Turn,
    /// What the iterations of a doacross nest have posted.
    Posts,
}

/// The breakpoint function of a region that the primary thread is calling (OpenMP 5.1 §5.6.1–2).
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Breakpoint {
    /// None of both.
    None,
    /// `ompd_bp_parallel_begin`. The team still has the number of the region before.
    Begin,
    /// `ompd_bp_parallel_end`. The region is over.
    End,
}
