//! Threads of the runtime's own that belong to no team: they become roots when they begin, and are none when they end.

use crate::objects::structures::Thread;
use crate::upcalls;

/// Makes the calling thread a root with an initial task of its own. Tools know it as a thread of another kind.
pub fn enter_as_helper() -> &'static Thread {
    // SAFETY: the answer is a descriptor, and descriptors live for ever.
    unsafe { &*upcalls::ferromp_up_enter_as_helper().cast() }
}

/// The thread that [`enter_as_helper`] has made a root ends.
pub fn leave_helper(thread: &'static Thread) {
    // SAFETY: a descriptor.
    unsafe { upcalls::ferromp_up_leave_helper(std::ptr::from_ref(thread).cast()) };
}
