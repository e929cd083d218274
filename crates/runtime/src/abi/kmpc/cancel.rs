//! Cancellation (`__kmpc_cancel` and its kin; OpenMP 5.1 §2.20).

use super::Ident;
use super::barrier::kind;
use crate::abi::entry_point;
use crate::barrier;
use crate::objects::call::Call;
use crate::objects::structures::Thread;
use crate::work::cancel::{self, Construct};

/// The construct that a `cncl_kind` names; `None` for a number that no compiler passes.
pub fn construct(kind: i32) -> Option<Construct> {
    match kind {
        1 => Some(Construct::Parallel),
        2 => Some(Construct::Loop),
        3 => Some(Construct::Sections),
        4 => Some(Construct::Taskgroup),
        _ => None,
    }
}

/// The return value of a cancellation construct or point. Where a loop or sections construct is cancelled, the program
/// branches to its end without a further call, so the thread leaves the construct here.
fn answer(thread: &Thread, construct: Construct, cancelled: bool, call: Call) -> i32 {
    if cancelled && construct.is_work() {
        cancel::leave_construct(thread, call);
    }
    i32::from(cancelled)
}

entry_point! {
    /// `__kmpc_cancel`: requests cancellation; 1 if the construct is cancelled.
    pub fn __kmpc_cancel(loc: *const Ident, gtid: i32, kind: i32) -> i32, |thread, call, _in| {
        let Some(construct) = construct(kind) else { return 0 };
        answer(thread, construct, cancel::cancel(thread, construct, call), call)
    }

    /// `__kmpc_cancellationpoint`: 1 if the construct is cancelled.
    pub fn __kmpc_cancellationpoint(loc: *const Ident, gtid: i32, kind: i32) -> i32, |thread, call, _in| {
        let Some(construct) = construct(kind) else { return 0 };
        answer(thread, construct, cancel::cancellation_point(thread, construct, call), call)
    }

    /// `__kmpc_cancel_barrier`: a barrier; 1 if the parallel region has been cancelled.
    pub fn __kmpc_cancel_barrier(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        barrier::barrier(thread, kind(loc), call);
        i32::from(cancel::is_region_cancelled(thread, call))
    }
}
