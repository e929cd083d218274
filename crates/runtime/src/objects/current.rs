//! The descriptor of the calling thread.

use crate::arch;
use crate::objects::structures::Thread;
use crate::protocol::lock_word::{mark, taken_by};

/// The calling thread's descriptor. On a thread's first call this makes the thread a root, and brings the runtime up if
/// necessary.
#[inline(always)]
pub fn current() -> &'static Thread {
    match try_current() {
        Some(thread) => thread,
        // SAFETY: the function returns a descriptor, and descriptors are never freed.
        None => unsafe { &*crate::upcalls::ferromp_up_enter().cast() },
    }
}

/// The calling thread's descriptor if there is no tool and none will come. If so, the entry point may use its form
/// without events.
#[inline(always)]
pub(crate) fn without_tool() -> Option<&'static Thread> {
    let pointer = arch::tls_without_tool() as *const Thread;
    // SAFETY: as in `try_current`.
    match unsafe { pointer.as_ref() } {
        None if !cfg!(feature = "ompt") => Some(first()),
        thread => thread,
    }
}

/// [`current`] for an entry point with one form only, on the thread's first call.
#[cold]
#[inline(never)]
pub(crate) fn first() -> &'static Thread {
    current()
}

/// Makes [`without_tool`] return the calling thread's descriptor if there is no tool and none will come, and lets the
/// thread take locks at once. Each thread
/// does this for itself, since the word that [`without_tool`] reads is thread-local.
#[inline]
pub fn note_no_tool() {
    if arch::tls_without_tool().is_null() && !crate::objects::switch::may_have_tool() {
        arch::set_tls_without_tool(taken_by(arch::tls_mark()));
    }
}

/// The calling thread's descriptor, if it has one. Async-signal-safe: while a descriptor is being set up, signals are
/// held back.
#[inline(always)]
pub fn try_current() -> Option<&'static Thread> {
    let pointer = arch::tls_thread() as *const Thread;
    // SAFETY: the word is null or points to a descriptor, and descriptors are never freed.
    unsafe { pointer.as_ref() }
}

/// The calling thread's descriptor, for routines that only answer a question. As [`current`], except in a signal
/// handler on a thread without a descriptor: that thread gets none, because the handler may have interrupted `malloc`.
#[inline(always)]
pub fn for_query() -> Option<&'static Thread> {
    try_current().or_else(first_query)
}

#[cold]
pub(crate) fn first_query() -> Option<&'static Thread> {
    (!crate::signals::is_handler()).then(current)
}

/// Sets the calling thread's descriptor, or removes it.
pub fn set_current(thread: Option<&Thread>) {
    let mark = thread.map_or(0, |thread| mark(thread.gtid()));
    let pointer = thread.map_or(std::ptr::null(), std::ptr::from_ref);
    arch::set_tls_thread(pointer.cast_mut().cast(), mark);
    note_no_tool();
}
