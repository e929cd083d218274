//! Events of devices, target constructs and device memory routines (OpenMP 5.1 §4.5.2.19–22, §4.5.2.25–28).
//!
//! Each event but those of devices has two callbacks: one that is told begin and end and given words to write to
//! (`_emi`), and a plain one, told once, of which target constructs alone are told the end as well. A tool may not have
//! both of one event; should it, it is told by the first kind. Device numbers are those of `omp_get_device_num`: the
//! host has one, too.

use super::registry::{self, tell};
use super::several;
use super::states::InState;
use super::target::{Code, DataOp, Mappings, Note};
use super::trace;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::structures::TargetTool;
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use crate::objects::task::flag;
use crate::ompd::breakpoints;
use crate::upcalls;
use ::ompt::{Device, Event, FunctionLookup, ScopeEndpoint, State, Target, TargetDataOp};
use std::ffi::{CStr, c_int, c_void};

/// The value of an address that is not known.
const ADDRESS_NONE: usize = usize::MAX;

/// Whether the plain callback of an event is called, beside the one for begin and end, if `emi` says that there was
/// one: of several tools each has one of the two (`several/distribute.rs`).
fn plain_as_well(emi: Option<()>) -> bool {
    emi.is_none() || several::is_so()
}

/// `ompt_callback_device_initialize`: the device is ready for its first construct. `device` and `lookup` are for
/// tracing; no `lookup` where there is none.
#[cold]
pub fn device_initialize(
    number: c_int,
    kind: &'static CStr,
    documentation: &'static CStr,
    device: *mut Device,
    lookup: Option<FunctionLookup>,
) {
    tell::device_initialize(current::try_current(), || (number, kind.as_ptr(), device, lookup, documentation.as_ptr()));
    breakpoints::device_begins();
}

/// `ompt_callback_device_finalize`: the device is about to be put away; its traces have been delivered.
#[cold]
pub fn device_finalize(number: c_int) {
    tell::device_finalize(current::try_current(), || (number,));
    breakpoints::device_ends();
}

/// `ompt_callback_device_load`
#[cold]
pub fn device_load(number: c_int, code: &Code) {
    tell::device_load(current::try_current(), || {
        let address = |known: Option<usize>| known.unwrap_or(ADDRESS_NONE) as *mut c_void;
        (
            number,
            code.file.map_or(std::ptr::null(), CStr::as_ptr),
            code.offset.unwrap_or(-1),
            address(code.vma),
            code.bytes,
            address(code.host),
            address(code.device),
            code.module,
        )
    });
}

/// `ompt_callback_device_unload`: code is about to be unloaded.
#[cold]
pub fn device_unload(number: c_int, module: u64) {
    tell::device_unload(current::try_current(), || (number, module));
}

/// A target construct begins, in its target task if it has one, which then is the current task:
/// `ompt_callback_target(_emi)`. `device` executes the region, and `kind` says whether the construct has a `nowait`
/// clause. From here to [`target_end`] or [`target_leaves`] the thread is in the target region.
#[inline(always)]
pub fn target_begin(thread: &Thread, tool: &TargetTool, kind: Target, device: c_int, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        begin_target(thread, tool, kind, device, call);
    }
}

#[cold]
fn begin_target(thread: &Thread, tool: &TargetTool, kind: Target, device: c_int, call: Call) {
    if registry::in_callback(thread) {
        return;
    }
    prepare(thread, tool, call);
    tool.id.set(super::target::unique());
    tool.kind.set(kind);
    tool.device.set(device);
    thread.tool.enter_target(tool);
    tell_target(tool, ScopeEndpoint::BEGIN);
    trace::target(tool, ScopeEndpoint::BEGIN);
}

/// Notes in which tasks the construct is.
fn prepare(thread: &Thread, tool: &TargetTool, call: Call) {
    let task = thread.task();
    tool.reported.set(true);
    tool.codeptr.set(call.codeptr());
    if task.has(flag::TARGET)
        && let Some(parent) = task.parent()
    {
        tool.task.set(task);
        tool.generating.set(parent);
    } else {
        tool.task.set(std::ptr::null());
        tool.generating.set(task);
    }
}

/// The program itself runs the region of a target construct on the host, after this: the runtime cannot see when it
/// ends, so that begin and end are told together.
#[inline(always)]
pub fn target_run_by_program(thread: &Thread, kind: Target, host: c_int, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        let tool = TargetTool::default();
        begin_target(thread, &tool, kind, host, call);
        target_end(thread, &tool);
    }
}

/// The construct ends, after all of its other events, on the thread that is in it: `ompt_callback_target(_emi)`.
#[inline(always)]
pub fn target_end(thread: &Thread, tool: &TargetTool) {
    if tool.is_told() {
        end_target(thread, tool);
    }
}

#[cold]
fn end_target(thread: &Thread, tool: &TargetTool) {
    trace::target(tool, ScopeEndpoint::END);
    tell_target(tool, ScopeEndpoint::END);
    thread.tool.leave_target(tool);
    tool.end();
}

/// The thread leaves the construct, which goes on without it.
#[inline(always)]
pub fn target_leaves(thread: &Thread, tool: &TargetTool) {
    if tool.is_told() {
        thread.tool.leave_target(tool);
    }
}

/// The construct goes on on this thread.
#[inline(always)]
pub fn target_goes_on(thread: &Thread, tool: &TargetTool) {
    if tool.is_told() {
        thread.tool.enter_target(tool);
    }
}

fn tell_target(tool: &TargetTool, endpoint: ScopeEndpoint) {
    let (kind, device, codeptr) = (tool.kind.get(), tool.device(), tool.codeptr.get());
    let emi = tell::target_emi(current::try_current(), || {
        (kind, endpoint, device, tool.generating_data(), tool.task_data(), tool.data(), codeptr)
    });
    if plain_as_well(emi) {
        tell::target(current::try_current(), || {
            (kind, endpoint, device, tool.generating_data(), tool.id.get(), codeptr)
        });
    }
}

impl TargetTool {
    /// Of a device memory routine that the current task has called at `call`: its operations belong to no construct, so
    /// that the construct's identifier is `ompt_id_none`.
    #[inline]
    pub fn for_routine(thread: &Thread, call: impl Caller) -> Self {
        let tool = TargetTool::default();
        if let Some(call) = call.for_active_tool()
            && !registry::in_callback(thread)
        {
            prepare(thread, &tool, call);
        }
        tool
    }

    /// The routine is done.
    #[inline]
    pub fn routine_done(&self) {
        if self.is_told() {
            self.end();
        }
    }

    /// While this lives, the thread waits for the construct's device: its state is that of waiting for a target
    /// construct, for data to be mapped, or for an update, as the construct is.
    #[inline]
    pub fn waiting<'a>(&self, thread: &'a Thread) -> InState<'a> {
        let state = match self.kind.get() {
            Target::ENTER_DATA | Target::EXIT_DATA | Target::ENTER_DATA_NOWAIT | Target::EXIT_DATA_NOWAIT => {
                State::WAIT_TARGET_MAP
            }
            Target::UPDATE | Target::UPDATE_NOWAIT => State::WAIT_TARGET_UPDATE,
            _ => State::WAIT_TARGET,
        };
        InState::new(thread, state, 0)
    }
}

impl TargetTool {
    /// As [`waiting`](Self::waiting), while data is copied that the calling thread waits for.
    #[inline]
    pub fn waiting_for_data(&self) -> Option<InState<'static>> {
        if self.is_told() { self.wait_for_data() } else { None }
    }

    #[cold]
    fn wait_for_data(&self) -> Option<InState<'static>> {
        let state = match self.kind.get() {
            Target::UPDATE | Target::UPDATE_NOWAIT => State::WAIT_TARGET_UPDATE,
            _ => State::WAIT_TARGET_MAP,
        };
        Some(InState::new(current::try_current()?, state, 0))
    }
}

/// A data operation begins: `ompt_callback_target_data_op_emi`. Returns what the operation's record is to say of it.
#[inline(always)]
pub fn data_op_begin(tool: &TargetTool, operation: &DataOp) -> Note {
    if tool.is_told() { begin_data_op(tool, operation) } else { Note::default() }
}

#[cold]
fn begin_data_op(tool: &TargetTool, operation: &DataOp) -> Note {
    tool.begin_operation(trace::time_of(operation.device(upcalls::ferromp_up_host_number())));
    tell_data_op(tool, ScopeEndpoint::BEGIN, operation);
    tool.note_of(operation)
}

/// The data operation that [`data_op_begin`] has begun is over, or under way without the thread:
/// `ompt_callback_target_data_op(_emi)`.
#[inline(always)]
pub fn data_op_end(tool: &TargetTool, operation: &DataOp) {
    if tool.is_told() {
        end_data_op(tool, operation);
    }
}

#[cold]
fn end_data_op(tool: &TargetTool, operation: &DataOp) {
    if !operation.is_transfer() {
        trace::host_data_op(operation, &tool.note_of(operation));
    }
    let emi = tell_data_op(tool, ScopeEndpoint::END, operation);
    if plain_as_well(emi) {
        let (kind, from, from_device, to, to_device, bytes) = described(tool, operation);
        tell::target_data_op(current::try_current(), || {
            let (target, number) = (tool.id.get(), tool.operation.get());
            (target, number, kind, from, from_device, to, to_device, bytes, tool.codeptr.get())
        });
    }
    tool.end_operation();
}

/// Answers whether there is such a callback.
fn tell_data_op(tool: &TargetTool, endpoint: ScopeEndpoint, operation: &DataOp) -> Option<()> {
    let (kind, from, from_device, to, to_device, bytes) = described(tool, operation);
    tell::target_data_op_emi(current::try_current(), || {
        let (task, target, word, codeptr) = (tool.task_data(), tool.data(), tool.word(), tool.codeptr.get());
        (endpoint, task, target, word, kind, from, from_device, to, to_device, bytes, codeptr)
    })
}

/// What both callbacks of a data operation say of the operation: its kind, from where, to where, how many bytes.
fn described(tool: &TargetTool, operation: &DataOp) -> (TargetDataOp, *mut c_void, c_int, *mut c_void, c_int, usize) {
    let DataOp { source, source_device, destination, destination_device, bytes, .. } = *operation;
    let kind = operation.told_kind(tool.is_asynchronous());
    (kind, source as *mut c_void, source_device, destination as *mut c_void, destination_device, bytes)
}

/// The region's code is about to be handed to the device: `ompt_callback_target_submit(_emi)`. `teams` is how many
/// teams are asked for, 0 for as many as the device likes. Returns what the kernel's record is to say of it.
#[inline(always)]
pub fn submit_begin(tool: &TargetTool, teams: u32) -> Note {
    if tool.is_told() { begin_submit(tool, teams) } else { Note::default() }
}

#[cold]
fn begin_submit(tool: &TargetTool, teams: u32) -> Note {
    tool.begin_operation(trace::time_of(tool.device()));
    let emi = tell_submit(tool, ScopeEndpoint::BEGIN, teams);
    if plain_as_well(emi) {
        tell::target_submit(current::try_current(), || (tool.id.get(), tool.operation.get(), teams));
    }
    tool.note()
}

/// The device has the region's code: `ompt_callback_target_submit_emi`.
#[inline(always)]
pub fn submit_end(tool: &TargetTool, teams: u32) {
    if tool.is_told() {
        end_submit(tool, teams);
    }
}

#[cold]
fn end_submit(tool: &TargetTool, teams: u32) {
    tell_submit(tool, ScopeEndpoint::END, teams);
    tool.end_operation();
}

/// Answers whether there is such a callback.
fn tell_submit(tool: &TargetTool, endpoint: ScopeEndpoint, teams: u32) -> Option<()> {
    tell::target_submit_emi(current::try_current(), || (endpoint, tool.data(), tool.word(), teams))
}

/// Whether a tool wants to hear of mappings: only then need they be gathered.
#[inline]
pub fn wants_mappings(tool: &TargetTool) -> bool {
    tool.is_told()
        && active()
        && (trace::wants_mappings(tool.device())
            || [Event::TargetMapEmi, Event::TargetMap].iter().any(|&event| !registry::get(event).is_null()))
}

/// `ompt_callback_target_map(_emi)`: these mappings of the construct are in effect.
#[cold]
pub fn target_map(tool: &TargetTool, mappings: &mut Mappings) {
    if !tool.is_told() || mappings.host.is_empty() {
        return;
    }
    trace::target_map(tool, mappings);
    let count = mappings.host.len() as u32;
    let (host, device) = (mappings.host.as_mut_ptr().cast(), mappings.device.as_mut_ptr().cast());
    let (bytes, flags) = (mappings.bytes.as_mut_ptr(), mappings.flags.as_mut_ptr());
    let codeptr = tool.codeptr.get();
    let emi =
        tell::target_map_emi(current::try_current(), || (tool.data(), count, host, device, bytes, flags, codeptr));
    if plain_as_well(emi) {
        tell::target_map(current::try_current(), || (tool.id.get(), count, host, device, bytes, flags, codeptr));
    }
}
