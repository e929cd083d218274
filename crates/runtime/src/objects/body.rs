//! What a task runs, and how a member publishes the tasks that it creates.

use std::ffi::c_void;

/// What a task runs: `function(a, b)`, then `after(a, b)` if that is not null. The core does not know
/// which compiler made it.
#[derive(Clone, Copy)]
pub struct Body {
    pub function: *const c_void,
    pub a: usize,
    pub b: usize,
    pub after: *const c_void,
}

impl Body {
    pub(crate) const NOTHING: Body = Body { function: std::ptr::null(), a: 0, b: 0, after: std::ptr::null() };
}

/// How a member publishes the tasks that it creates in a region.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// It has created none yet.
    #[default]
    Unknown,
    /// There are other threads: push, and wake who sleeps.
    Shared,
    /// There is no other thread: what may start runs where it is generated, unless that would nest too deep.
    Alone,
    /// The same outside of all parallel regions, at any depth: no barrier comes that would complete a task left in the
    /// queue, and programs rely on finding such tasks done.
    Outside,
}
