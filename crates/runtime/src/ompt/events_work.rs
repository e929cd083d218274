//! Events of work-sharing, taskloop and masked regions (OpenMP 5.1 §4.5.2.5–6, §4.5.2.12).

use super::frame::Entered;
use super::registry::{parallel_data, report, task_data};
use crate::objects::call::{Call, Caller};
use crate::objects::space::Chunk;
use crate::objects::structures::Thread;
use ::ompt::{Data, Dispatch, DispatchChunk, ScopeEndpoint, Work};

/// `ompt_callback_work`.
#[inline]
pub fn work(thread: &Thread, kind: Work, endpoint: ScopeEndpoint, count: u64, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::work(thread, || (kind, endpoint, parallel_data(thread), task_data(thread), count, call.codeptr()));
}

/// `ompt_callback_work`, begin and at once end, for a program that does not say when the region ends, or that has none.
/// Real tools take `ompt_scope_beginend` for an end without a begin, so there are two events.
#[inline(always)]
pub fn work_without_end(thread: &Thread, kind: Work, count: u64, call: impl Caller) {
    work(thread, kind, ScopeEndpoint::BEGIN, count, call);
    work(thread, kind, ScopeEndpoint::END, count, call);
}

/// The begin of a construct. [`work_end`] reports the end with the same kind and count.
#[inline]
pub fn work_begin(thread: &Thread, kind: Work, count: u64, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    thread.member().work.reported.set(Some((kind, count)));
    work(thread, kind, ScopeEndpoint::BEGIN, count, call);
}

/// The end of the construct whose begin was reported last, if one was.
#[inline]
pub fn work_end(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.for_active_tool()
        && let Some((kind, count)) = thread.member().work.reported.take()
    {
        work(thread, kind, ScopeEndpoint::END, count, call);
    }
}

/// `ompt_callback_masked`.
#[inline]
pub fn masked(thread: &Thread, endpoint: ScopeEndpoint, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::masked(thread, || (endpoint, parallel_data(thread), task_data(thread), call.codeptr()));
}

/// `ompt_callback_dispatch`: the thread begins to execute a chunk of the worksharing loop under way. At `call` the
/// thread asked the runtime for the chunk.
#[inline]
pub fn loop_chunk(thread: &Thread, chunk: Chunk, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    dispatch_chunk(thread, Dispatch::WS_LOOP_CHUNK, chunk, call);
    if thread.member().work.current.turns.ordered() {
        dispatch(thread, Dispatch::ITERATION, Data { value: chunk.first }, call);
    }
}

/// `ompt_callback_dispatch` for a chunk, also of a worksharing loop or a `distribute` that is divided in advance.
/// Iterations count from 0 in the loop whose begin was reported. In a composite construct each team has such a loop, of
/// its part.
#[inline]
pub fn dispatch_chunk(thread: &Thread, kind: Dispatch, chunk: Chunk, call: Call) {
    let chunk = DispatchChunk { start: chunk.first, iterations: chunk.count };
    dispatch(thread, kind, Data { ptr: (&raw const chunk).cast_mut().cast() }, call);
}

/// `ompt_callback_dispatch`: in a loop with an `ordered` clause, the program goes on to iteration `number` of the loop
/// under way.
#[inline(always)]
pub fn loop_iteration(thread: &Thread, number: u64, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    dispatch(thread, Dispatch::ITERATION, Data { value: number }, call);
}

/// `ompt_callback_dispatch`: the thread begins to execute a section of a construct with `count` sections. The address
/// at which the program asked for the section identifies it. Tools may ask for the section's number; `mine` has the
/// sections, counted from 0, that the thread executes before the next report.
#[inline]
pub fn section(thread: &Thread, mine: Chunk, count: u64, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    let work = &thread.member().work;
    work.sections.set((mine.first + 1, mine.count));
    let reported = &work.reported;
    if let Some((Work::SECTIONS, 0)) = reported.get() {
        // The program did not pass the number of sections at the construct's begin.
        reported.set(Some((Work::SECTIONS, count)));
    }
    dispatch(thread, Dispatch::SECTION, Data { ptr: call.codeptr().cast_mut() }, call);
}

#[inline]
fn dispatch(thread: &Thread, kind: Dispatch, instance: Data, call: Call) {
    let _in = Entered::new(thread, call);
    report::dispatch(thread, || (parallel_data(thread), task_data(thread), kind, instance));
}
