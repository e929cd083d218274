//! The code of a task, and how a member publishes the tasks that it creates.

use std::ffi::c_void;

/// The code of a task: `function(a, b)`, then `after(a, b)` if that is not null. The core does not know which compiler
/// made the functions.
#[derive(Clone, Copy, Default)]
pub struct Body {
    pub function: *const c_void,
    pub a: usize,
    pub b: usize,
    pub after: *const c_void,
}

/// How a member publishes the tasks that it creates in a region.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// The member has created none yet.
    #[default]
    Unknown,
    /// There are other threads: tasks go into the queue, and a sleeping thread is woken.
    Shared,
    /// There is no other thread: a task that may start runs at once, unless that would nest too deep.
    Alone,
    /// As `Alone`, outside all parallel regions, at any depth: no barrier comes that would complete a task in the
    /// queue, and programs rely on such tasks being done.
    Outside,
}
