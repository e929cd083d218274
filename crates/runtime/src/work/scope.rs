//! Scope regions: all threads execute them, and only tools see them (OpenMP 5.1 §2.9).

use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use crate::ompt;
use ::ompt::{ScopeEndpoint, Work};

/// Enters a scope region.
pub fn begin(thread: &Thread, call: impl Caller) {
    ompt::work(thread, Work::SCOPE, ScopeEndpoint::BEGIN, 1, call);
}

/// Leaves a scope region.
pub fn end(thread: &Thread, call: impl Caller) {
    ompt::work(thread, Work::SCOPE, ScopeEndpoint::END, 1, call);
}

/// As [`begin`], for programs that do not call [`end`].
pub fn begin_without_end(thread: &Thread, call: impl Caller) {
    ompt::work_without_end(thread, Work::SCOPE, 1, call);
}
