//! Small values that tools and debuggers see of threads and regions.

/// Whether a thread executes a task, for the routines by which tools ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Presence {
    /// No task: the thread is idle, has not begun, or has ended.
    Outside,
    /// The thread is on its way from one task to another.
    Between,
    /// The thread executes its current task.
    Inside,
    /// A worker waits in the barrier at the end of its region. The region may be over at any time.
    Leaving,
}

/// What a thread's wait identifier points to.
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

/// Whether a debugger's breakpoint function for the begin or end of a region is being called.
#[derive(Clone, Copy, Default)]
#[repr(u8)]
pub enum Breakpoint {
    /// Neither is being called.
    #[default]
    None,
    /// The begin. The team's `go` word still has the number of the region before.
    Begin,
    /// The end.
    End,
}
