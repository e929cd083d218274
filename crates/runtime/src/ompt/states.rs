//! Thread states: what each thread is doing, for tools that sample (OpenMP 5.1 §4.4.4.12).

use crate::objects::presence::WaitFor;
use crate::objects::structures::Thread;
use crate::objects::switch;
use ompt::{State, WaitId};

/// While this lives, the thread is in another state; then the earlier one returns. A thread that executes a task of a
/// team to which it does not belong is in `WORK_FREE_AGENT` (OpenMP 6.0, section 33.31). Costs one load and a branch
/// when no tool is active.
pub struct InState<'a> {
    saved: Option<(&'a Thread, State)>,
}

impl<'a> InState<'a> {
    /// Puts `thread` in `state`, waiting for `wait_id` (0 for nothing in particular).
    #[inline(always)]
    pub fn new(thread: &'a Thread, state: State, wait_id: WaitId) -> Self {
        if !switch::active() {
            return InState { saved: None };
        }
        let before = thread.tool.state();
        thread.tool.set_waiting(state, wait_id);
        InState { saved: Some((thread, before)) }
    }
}

impl Drop for InState<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some((thread, before)) = self.saved {
            thread.tool.set_state(before);
        }
    }
}

/// As [`InState`], for a thread that is on its slow way into a wait: then its state is there for debuggers even where
/// nobody else wants to know.
pub struct Waiting<'a> {
    thread: &'a Thread,
    before: State,
}

impl<'a> Waiting<'a> {
    /// Puts `thread` in `state`, waiting for `what`, which lies at `wait_id`.
    #[inline]
    pub fn new(thread: &'a Thread, state: State, wait_id: WaitId, what: WaitFor) -> Self {
        let before = thread.tool.state();
        thread.tool.set_wait_for(what);
        thread.tool.set_waiting(state, wait_id);
        Waiting { thread, before }
    }
}

impl Drop for Waiting<'_> {
    #[inline]
    fn drop(&mut self) {
        self.thread.tool.set_state(self.before);
    }
}
