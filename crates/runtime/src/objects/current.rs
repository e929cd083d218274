//! How code finds the descriptor of the calling thread.

use crate::arch;
use crate::objects::lock_word::mark;
use crate::objects::structures::Thread;

/// The calling thread's descriptor. Brings the runtime up, and makes a foreign thread a root, on
/// its first call.
#[inline(always)]
pub fn current() -> &'static Thread {
    let pointer = arch::tls_thread() as *const Thread;
    if pointer.is_null() {
        // SAFETY: the answer is a descriptor, and descriptors live for ever.
        return unsafe { &*crate::upcalls::ferromp_up_enter().cast() };
    }
    // SAFETY: the word holds null or a descriptor, and descriptors live for ever.
    unsafe { &*pointer }
}

/// The calling thread's descriptor if it is known that there is no tool, so that the form of an entry point that has no
/// events will do.
#[inline(always)]
pub(crate) fn without_tool() -> Option<&'static Thread> {
    let pointer = arch::tls_without_tool() as *const Thread;
    // SAFETY: as in `current`.
    match unsafe { pointer.as_ref() } {
        None if !cfg!(feature = "ompt") => Some(first()),
        thread => thread,
    }
}

/// [`current`], for an entry point that is a thread's first and has one form only.
#[cold]
#[inline(never)]
pub(crate) fn first() -> &'static Thread {
    current()
}

/// Lets the calling thread know if there is no tool, and none will come. A thread that gets its descriptor later knows
/// anyway.
#[inline]
pub fn note_no_tool() {
    if arch::tls_without_tool().is_null() && !crate::objects::switch::may_have_tool() {
        arch::set_tls_without_tool();
    }
}

/// The calling thread's descriptor, if it has one. Async-signal-safe: signals are held back while a descriptor is there
/// that is not set up yet.
#[inline(always)]
pub fn try_current() -> Option<&'static Thread> {
    let pointer = arch::tls_thread() as *const Thread;
    // SAFETY: as in `current`.
    unsafe { pointer.as_ref() }
}

/// The calling thread's descriptor, for a question about where the thread is. As [`current`], but in a signal handler
/// on a thread that the runtime does not know: there is none, and the thread stays unknown. The handler may have
/// interrupted anything, also the allocator.
#[inline(always)]
pub fn for_query() -> Option<&'static Thread> {
    try_current().or_else(first_query)
}

#[cold]
pub(crate) fn first_query() -> Option<&'static Thread> {
    (!crate::signals::is_handler()).then(current)
}

/// Makes `thread` the calling thread's descriptor, or leaves it without one.
pub fn set_current(thread: Option<&Thread>) {
    let mark = thread.map_or(0, |thread| mark(thread.gtid()));
    arch::set_tls_thread(
        thread.map_or(std::ptr::null_mut(), |thread| std::ptr::from_ref(thread).cast_mut().cast()),
        mark,
    );
    note_no_tool();
}
