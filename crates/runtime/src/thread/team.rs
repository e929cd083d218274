//! What a thread does with its team, whatever it works at: it runs the region's code, wakes the members, and waits
//! until they have done something.

use crate::objects::structures::{Team, Thread};
use crate::park::event::Event;
use crate::thread::wait::{self, Spinner};
use ompt::State;

impl Team {
    /// Tells waiting members that there are tasks in this region now. The thread that creates the
    /// first tasks calls this, once, after it has counted and before it publishes the task.
    #[cold]
    pub fn announce_tasks(&self) {
        self.signal.go.announce_tasks(&self.idle);
    }

    /// Calls the code of the region under way for the calling thread, which is one of its members.
    /// Returns whether there is a region with code.
    pub fn invoke(&self, thread: &Thread) -> bool {
        let outlined = self.signal.outlined.get();
        if outlined.function.is_null() {
            return false;
        }
        let mut frame = 0;
        // SAFETY: the entry point that made `outlined` vouches for its function and arguments, which stay in
        // place until the join.
        unsafe { (outlined.invoke)(&outlined, thread, thread.member(), &mut frame) };
        true
    }

    /// Cancels the region under way: whoever waits for other members of it goes on.
    pub fn cancel(&self) {
        self.barrier.cancel();
        self.waits.notify_all();
        self.work.turns.notify_all();
    }

    /// Waits until `ready`, which whoever brings it about follows by a notification of `waits`. False where the region
    /// has been cancelled meanwhile, or its other threads are not there after a fork: then nobody may ever do so.
    #[inline]
    pub fn wait_until(&self, mut ready: impl FnMut() -> bool) -> bool {
        ready() || self.wait_on(State::OVERHEAD, &self.waits, Spinner::new(), ready)
    }

    /// As [`wait_until`](Self::wait_until), paced by a spinner of the caller's, with another event, which
    /// [`cancel`](Self::cancel) notifies too; `state` is for debuggers.
    #[inline]
    pub fn wait_on(&self, state: State, event: &Event, spinner: Spinner, mut ready: impl FnMut() -> bool) -> bool {
        let mut is_ready = false;
        wait::until_paced_by(state, spinner, event, || {
            is_ready = ready();
            is_ready || self.is_cancelled() || self.is_deserted()
        });
        is_ready
    }
}
