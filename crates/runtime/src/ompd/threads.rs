//! The list of all descriptors of threads, which debuggers read.

use crate::model::atomic::Ordering;
use crate::objects::structures::Thread;
use crate::ompd::ferromp_ompd;

/// Puts a new descriptor into the list. Nothing is ever taken out, so that the list is complete at any time.
pub(crate) fn list(thread: &'static Thread) {
    let put_first = |newest| {
        thread.next.store(newest, Ordering::Relaxed);
        Some(std::ptr::from_ref(thread).cast_mut())
    };
    // Release: a reader that finds the descriptor sees its fields.
    let _ = ferromp_ompd.threads.fetch_update(Ordering::Release, Ordering::Relaxed, put_first);
}

/// All descriptors, those of ended threads included, the newest first.
pub fn all() -> impl Iterator<Item = &'static Thread> {
    // SAFETY: null or a descriptor, and descriptors live for ever.
    let newest = unsafe { ferromp_ompd.threads.load(Ordering::Acquire).as_ref() };
    // SAFETY: null or a descriptor, as before.
    std::iter::successors(newest, |thread| unsafe { thread.next.load(Ordering::Relaxed).as_ref() })
}
