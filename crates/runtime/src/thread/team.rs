//! What a thread does with its team: it runs the region's code, wakes other members, and waits for them.

use crate::objects::structures::{Team, Thread};
use crate::park::event::Event;
use crate::park::waiter;
use crate::thread::wait::{InState, Spinner};
use ompt::State;

impl Team {
    /// Calls the code of the region under way on the calling thread, which is a member. Returns false if the program
    /// runs the code itself.
    pub fn invoke(&self, thread: &Thread) -> bool {
        let outlined = self.signal.outlined.get();
        if outlined.function.is_null() {
            return false;
        }
        let mut frame = 0;
        // SAFETY: `outlined` comes from an entry point, whose caller passes a function and the arguments that it takes.
        // The arguments stay in place until the join.
        unsafe { (outlined.invoke)(&outlined, thread, thread.member(), &mut frame) };
        true
    }

    /// Cancels the region under way. Every wait of a member for another one ends.
    pub fn cancel(&self) {
        self.barrier.cancel();
        self.waits.notify_all();
        self.work.turns.notify_all();
    }

    /// Waits until `ready` returns true; the member that makes it true notifies `waits` afterwards. Returns false if
    /// the region has been cancelled, or its other threads do not exist in this forked child: the condition may never
    /// hold.
    #[inline]
    pub fn wait_until(&self, mut ready: impl FnMut() -> bool) -> bool {
        ready() || self.wait_on(State::OVERHEAD, &self.waits, Spinner::new(), ready)
    }

    /// As [`wait_until`](Self::wait_until), with the caller's spinner, with an event that [`cancel`](Self::cancel)
    /// notifies as well, and with the state that debuggers see.
    #[inline]
    pub fn wait_on(&self, state: State, event: &Event, spinner: Spinner, mut ready: impl FnMut() -> bool) -> bool {
        let mut is_ready = false;
        waiter::until_paced_by(&InState(state), spinner, event, || {
            is_ready = ready();
            is_ready || self.is_cancelled() || self.deserted.get()
        });
        is_ready
    }
}
