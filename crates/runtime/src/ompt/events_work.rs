//! Events of work-sharing and masked regions (OpenMP 5.1 §4.5.2.5, §4.5.2.12).

use super::registry::on;
use crate::abi::Call;
use crate::thread::Thread;
use ::ompt::{ScopeEndpoint, Work};

/// `ompt_callback_work`.
#[inline(always)]
pub fn work(thread: &Thread, kind: Work, endpoint: ScopeEndpoint, count: u64, call: Call) {
    if on::work().is_some() {
        emit_work(thread, kind, endpoint, count, call);
    }
}

#[cold]
fn emit_work(thread: &Thread, kind: Work, endpoint: ScopeEndpoint, count: u64, call: Call) {
    let Some(callback) = on::work() else { return };
    let (team, task) = (thread.member().team(), thread.task());
    // SAFETY: the tool registered the callback for this event; the data words belong to the current
    // region and task.
    unsafe { callback(kind, endpoint, team.tool.data(), task.tool.data(), count, call.codeptr()) };
}

/// The begin of a construct of which [`work_end`] reports the end with the same kind and count.
#[inline(always)]
pub fn work_begin(thread: &Thread, kind: Work, count: u64, call: Call) {
    if on::work().is_some() {
        begin(thread, kind, count, call);
    }
}

#[cold]
fn begin(thread: &Thread, kind: Work, count: u64, call: Call) {
    thread.member().work.reported.set(Some((kind, count)));
    emit_work(thread, kind, ScopeEndpoint::BEGIN, count, call);
}

/// The end of the construct whose begin was reported last, if one was.
#[inline(always)]
pub fn work_end(thread: &Thread, call: Call) {
    if on::work().is_some() {
        end(thread, call);
    }
}

#[cold]
fn end(thread: &Thread, call: Call) {
    if let Some((kind, count)) = thread.member().work.reported.take() {
        emit_work(thread, kind, ScopeEndpoint::END, count, call);
    }
}

/// `ompt_callback_masked`.
#[inline(always)]
pub fn masked(thread: &Thread, endpoint: ScopeEndpoint, call: Call) {
    if on::masked().is_some() {
        emit_masked(thread, endpoint, call);
    }
}

#[cold]
fn emit_masked(thread: &Thread, endpoint: ScopeEndpoint, call: Call) {
    let Some(callback) = on::masked() else { return };
    let (team, task) = (thread.member().team(), thread.task());
    // SAFETY: as in `emit_work`.
    unsafe { callback(endpoint, team.tool.data(), task.tool.data(), call.codeptr()) };
}
