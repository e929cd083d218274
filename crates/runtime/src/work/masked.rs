//! Masked regions: the thread with a given number executes (OpenMP 5.1 §2.8).

use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::ompt;
use ::ompt::ScopeEndpoint;

/// Encounters a masked region with this filter. Returns whether the thread executes the region; if so, the thread calls
/// [`end`].
#[inline]
pub fn begin(thread: &Thread, filter: i32, call: impl Caller) -> bool {
    let chosen = i64::from(thread.member().tid) == i64::from(filter);
    if chosen {
        ompt::masked(thread, ScopeEndpoint::BEGIN, call);
    }
    chosen
}

/// Leaves a masked region.
#[inline]
pub fn end(thread: &Thread, call: impl Caller) {
    ompt::masked(thread, ScopeEndpoint::END, call);
}
