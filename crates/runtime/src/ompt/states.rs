//! Thread states: what each thread does, for tools that sample (OpenMP 5.1 §4.4.4.27).

use crate::model::atomic::Ordering;
use crate::objects::presence::WaitFor;
use crate::objects::structures::{Team, Thread};
use crate::objects::switch;
use ompt::{State, WaitId};

/// Sets a thread's state while the value lives, then restores the earlier state. Costs one load and a branch when no
/// tool is active.
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
        Self::set(thread, state, wait_id)
    }

    /// Puts `thread` in `state`, waiting for `what` at `wait_id`, whether or not a tool is active: a debugger reads the
    /// state of a thread that hangs. For slow paths into a wait.
    #[inline]
    pub fn waiting(thread: &'a Thread, state: State, wait_id: WaitId, what: WaitFor) -> Self {
        thread.tool.wait_for.store(what as u8, Ordering::Relaxed);
        Self::set(thread, state, wait_id)
    }

    #[inline(always)]
    fn set(thread: &'a Thread, state: State, wait_id: WaitId) -> Self {
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

/// The state of a thread that executes the code of a task of `team`.
pub(super) fn working(team: &Team) -> State {
    if team.region.level.get() == 0 { State::WORK_SERIAL } else { State::WORK_PARALLEL }
}
