//! Helper threads of the runtime, which belong to no team. They are roots from their begin to their end.

use crate::objects::structures::Thread;
use crate::upcalls;

/// Makes the calling thread a root with an initial task of its own. Tools see a thread of kind `ompt_thread_other`.
pub fn enter_as_helper() -> &'static Thread {
    // SAFETY: the function returns a descriptor, and descriptors are never freed.
    unsafe { &*upcalls::ferromp_up_enter_as_helper().cast() }
}

/// Ends a thread that [`enter_as_helper`] has made a root.
pub fn leave_helper(thread: &'static Thread) {
    // SAFETY: the pointer is that of a descriptor.
    unsafe { upcalls::ferromp_up_leave_helper(std::ptr::from_ref(thread).cast()) };
}
