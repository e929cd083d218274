//! Events of work-sharing and masked regions (OpenMP 5.1 §4.5.2.5–6, §4.5.2.12).

use super::frame::Entered;
use super::registry::{parallel_data, task_data, tell};
use crate::objects::call::{Call, Caller};
use crate::objects::space::Chunk;
use crate::objects::structures::Thread;
use ::ompt::{Data, Dispatch, DispatchChunk, ScopeEndpoint, Work};

/// `ompt_callback_work`.
#[inline(always)]
pub fn work(thread: &Thread, kind: Work, endpoint: ScopeEndpoint, count: u64, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        emit_work(thread, kind, endpoint, count, call);
    }
}

#[inline]
fn emit_work(thread: &Thread, kind: Work, endpoint: ScopeEndpoint, count: u64, call: Call) {
    tell::work(thread, || (kind, endpoint, parallel_data(thread), task_data(thread), count, call.codeptr()));
}

/// `ompt_callback_work`, begin and at once end, for a program that does not say when the region ends, or that has none.
/// Two events and not one with `ompt_scope_beginend`, which real tools take for an end without a begin.
#[inline(always)]
pub fn work_without_end(thread: &Thread, kind: Work, count: u64, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        emit_work(thread, kind, ScopeEndpoint::BEGIN, count, call);
        emit_work(thread, kind, ScopeEndpoint::END, count, call);
    }
}

/// The begin of a construct of which [`work_end`] reports the end with the same kind and count.
#[inline(always)]
pub fn work_begin(thread: &Thread, kind: Work, count: u64, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        begin(thread, kind, count, call);
    }
}

#[inline]
fn begin(thread: &Thread, kind: Work, count: u64, call: Call) {
    thread.member().work.reported.set(Some((kind, count)));
    emit_work(thread, kind, ScopeEndpoint::BEGIN, count, call);
}

/// The end of the construct whose begin was reported last, if one was.
#[inline(always)]
pub fn work_end(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        end(thread, call);
    }
}

#[inline]
fn end(thread: &Thread, call: Call) {
    if let Some((kind, count)) = thread.member().work.reported.take() {
        emit_work(thread, kind, ScopeEndpoint::END, count, call);
    }
}

/// `ompt_callback_masked`.
#[inline(always)]
pub fn masked(thread: &Thread, endpoint: ScopeEndpoint, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        emit_masked(thread, endpoint, call);
    }
}

#[inline]
fn emit_masked(thread: &Thread, endpoint: ScopeEndpoint, call: Call) {
    tell::masked(thread, || (endpoint, parallel_data(thread), task_data(thread), call.codeptr()));
}

/// `ompt_callback_dispatch`: the thread begins to execute a chunk of the worksharing loop under way, which it entered
/// the runtime at `call` to ask for.
#[inline(always)]
pub fn loop_chunk(thread: &Thread, chunk: Chunk, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        dispatch_loop_chunk(thread, chunk, call);
    }
}

#[inline]
fn dispatch_loop_chunk(thread: &Thread, chunk: Chunk, call: Call) {
    dispatch_chunk(thread, Dispatch::WS_LOOP_CHUNK, chunk, call);
    if thread.member().work.current.turns.ordered() {
        dispatch(thread, Dispatch::ITERATION, Data { value: chunk.first }, call);
    }
}

/// `ompt_callback_dispatch` for a chunk: of a worksharing loop or of `distribute` that is divided in advance.
/// Iterations count from 0 in the loop whose begin was reported; of a composite construct each team has one, of its
/// part.
#[inline]
pub fn dispatch_chunk(thread: &Thread, kind: Dispatch, chunk: Chunk, call: Call) {
    let chunk = DispatchChunk { start: chunk.first, iterations: chunk.count };
    dispatch(thread, kind, Data { ptr: (&raw const chunk).cast_mut().cast() }, call);
}

/// `ompt_callback_dispatch`: in a loop with an `ordered` clause, the program goes on to iteration `number` of the loop
/// under way.
#[inline(always)]
pub fn loop_iteration(thread: &Thread, number: u64, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        dispatch_here(thread, Dispatch::ITERATION, Data { value: number }, call);
    }
}

/// `ompt_callback_dispatch`: the thread begins to execute a section, `count` being how many the construct has. What
/// identifies it is where the program asked for it.
#[inline(always)]
pub fn section(thread: &Thread, count: u64, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        dispatch_section(thread, count, call);
    }
}

#[inline]
fn dispatch_section(thread: &Thread, count: u64, call: Call) {
    let reported = &thread.member().work.reported;
    if let Some((Work::SECTIONS, 0)) = reported.get() {
        // The program has said only now how many there are.
        reported.set(Some((Work::SECTIONS, count)));
    }
    dispatch(thread, Dispatch::SECTION, Data { ptr: call.codeptr().cast_mut() }, call);
}

#[inline]
fn dispatch(thread: &Thread, kind: Dispatch, instance: Data, call: Call) {
    dispatch_here(thread, kind, instance, call);
}

#[inline(always)]
fn dispatch_here(thread: &Thread, kind: Dispatch, instance: Data, call: Call) {
    let _in = Entered::new(thread, call);
    tell::dispatch(thread, || (parallel_data(thread), task_data(thread), kind, instance));
}
