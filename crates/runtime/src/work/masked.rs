//! Masked regions: one chosen thread executes (OpenMP 5.1 §2.8).

use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::ompt;
use ::ompt::ScopeEndpoint;

/// Comes to a masked region with the given filter: whether the thread is to execute it. If so it
/// calls [`end`].
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
