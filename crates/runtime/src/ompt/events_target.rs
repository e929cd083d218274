//! Events of devices, target constructs and device memory routines (OpenMP 5.1 §4.5.2.19–22, §4.5.2.25–28).
//!
//! Each event of a target construct has two callbacks. The one with the suffix `_emi` is called at begin and end, and
//! gets words that it may write to. The plain one is called once; for target constructs, at the end as well. A tool may
//! not have both for one event. If it has both, the `_emi` callback is called. The host has a device number too, that
//! of `omp_get_initial_device`.

use super::registry::{self, report};
use super::states::InState;
use super::target::{Code, DataOp, Mappings, Note};
use super::{several, trace};
use crate::objects::call::{Call, Caller};
use crate::objects::current::try_current;
use crate::objects::structures::{TargetTool, Thread};
use crate::objects::switch::active;
use crate::objects::task::flag;
use crate::ompd::breakpoints;
use crate::upcalls;
use ::ompt::{Device, Event, FunctionLookup, ScopeEndpoint, State, Target, TargetDataOp};
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null;

/// An address that is not known.
const ADDRESS_NONE: usize = usize::MAX;

/// Whether the plain callback of an event is called after the `_emi` callback. `emi` says whether that one was called.
/// Of several tools, each may have another one of the two (`several/distribute.rs`).
fn plain_as_well(emi: Option<()>) -> bool {
    emi.is_none() || several::is_so()
}

/// `ompt_callback_device_initialize`: the device is ready for its first construct. `device` and `lookup` are for
/// tracing; a device that cannot be traced has no `lookup`.
#[cold]
pub fn device_initialize(
    number: c_int,
    kind: &'static CStr,
    documentation: &'static CStr,
    device: *mut Device,
    lookup: Option<FunctionLookup>,
) {
    report::device_initialize(try_current(), || (number, kind.as_ptr(), device, lookup, documentation.as_ptr()));
    breakpoints::device_begins();
}

/// `ompt_callback_device_finalize`: the device is about to be closed. Its traces have been delivered.
#[cold]
pub fn device_finalize(number: c_int) {
    report::device_finalize(try_current(), || (number,));
    breakpoints::device_ends();
}

/// `ompt_callback_device_load`
#[cold]
pub fn device_load(number: c_int, code: &Code) {
    report::device_load(try_current(), || {
        let address = |known: Option<usize>| known.unwrap_or(ADDRESS_NONE) as *mut c_void;
        let (file, offset) = (code.file.map_or(null(), CStr::as_ptr), code.offset.unwrap_or(-1));
        let (vma, host, device) = (address(code.vma), address(code.host), address(code.device));
        (number, file, offset, vma, code.bytes, host, device, code.module)
    });
}

/// `ompt_callback_device_unload`: code is about to be unloaded.
#[cold]
pub fn device_unload(number: c_int, module: u64) {
    report::device_unload(try_current(), || (number, module));
}

/// `ompt_callback_target(_emi)`, begin. If the construct has a target task, the target task is the current task.
/// `device` executes the region, and `kind` says whether the construct has a `nowait` clause. `function` is the host's
/// function for the region, or the address by which the program identifies the region's code; null for a construct
/// without code. The thread is in the target region until [`target_end`], or until it leaves the construct
/// (`leave_target`).
#[inline]
pub fn target_begin(
    thread: &Thread,
    tool: &TargetTool,
    kind: Target,
    device: c_int,
    function: *const c_void,
    call: impl Caller,
) {
    let Some(call) = call.for_active_tool() else { return };
    if registry::in_callback(thread) {
        return;
    }
    prepare(thread, tool, call);
    tool.id.set(super::target::unique());
    tool.kind.set(kind);
    tool.device.set(device);
    thread.tool.enter_target(tool);
    let named = thread.tool.name(function);
    report_target(tool, ScopeEndpoint::BEGIN);
    drop(named);
    trace::target(tool, ScopeEndpoint::BEGIN);
}

/// Notes the construct's tasks and its place in the program.
fn prepare(thread: &Thread, tool: &TargetTool, call: Call) {
    let task = thread.task();
    tool.reported.set(true);
    tool.codeptr.set(call.codeptr());
    let (target_task, generating) = match task.parent().filter(|_| task.has(flag::TARGET)) {
        Some(parent) => (std::ptr::from_ref(task), parent),
        None => (null(), task),
    };
    tool.task.set(target_task);
    tool.generating.set(generating);
}

/// `ompt_callback_target(_emi)`, begin and end, before the program itself runs the region of a target construct on the
/// host. The runtime cannot see the region's end. `function` as in [`target_begin`].
#[inline(always)]
pub fn target_run_by_program(thread: &Thread, kind: Target, host: c_int, function: *const c_void, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    let tool = TargetTool::default();
    target_begin(thread, &tool, kind, host, function, call);
    target_end(thread, &tool);
}

/// `ompt_callback_target(_emi)`, end: after all other events of the construct, on the thread that is in the construct.
#[inline]
pub fn target_end(thread: &Thread, tool: &TargetTool) {
    if tool.reported.get() {
        trace::target(tool, ScopeEndpoint::END);
        report_target(tool, ScopeEndpoint::END);
        thread.tool.leave_target(tool);
        tool.end();
    }
}

#[cold]
fn report_target(tool: &TargetTool, endpoint: ScopeEndpoint) {
    let (kind, device, task, codeptr) =
        (tool.kind.get(), tool.device.get(), tool.generating_data(), tool.codeptr.get());
    let emi = report::target_emi(try_current(), || {
        (kind, endpoint, device, task, tool.task_data(), tool.data.get(), codeptr)
    });
    if plain_as_well(emi) {
        report::target(try_current(), || (kind, endpoint, device, task, tool.id.get(), codeptr));
    }
}

impl TargetTool {
    /// The part of a device memory routine that the current task has called at `call`. The routine's operations belong
    /// to no construct, so that the construct's identifier is `ompt_id_none`.
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

    /// Sets the state of `thread`, which waits for the construct's device, as long as the value lives.
    #[inline]
    pub fn waiting<'a>(&self, thread: &'a Thread) -> InState<'a> {
        InState::new(thread, self.state(State::WAIT_TARGET), 0)
    }

    /// Sets the state of the calling thread, which waits for data to be copied, as long as the value lives.
    #[inline]
    pub fn waiting_for_data(&self) -> Option<InState<'static>> {
        let thread = try_current().filter(|_| self.reported.get())?;
        Some(InState::new(thread, self.state(State::WAIT_TARGET_MAP), 0))
    }

    /// The state of a thread that waits for the construct; `other` for a kind of construct without a state of its own.
    fn state(&self, other: State) -> State {
        match self.kind.get() {
            Target::ENTER_DATA | Target::EXIT_DATA | Target::ENTER_DATA_NOWAIT | Target::EXIT_DATA_NOWAIT => {
                State::WAIT_TARGET_MAP
            }
            Target::UPDATE | Target::UPDATE_NOWAIT => State::WAIT_TARGET_UPDATE,
            _ => other,
        }
    }
}

/// `ompt_callback_target_data_op_emi`, begin. Returns what the operation's record needs from the host.
#[inline]
pub fn data_op_begin(tool: &TargetTool, operation: &DataOp) -> Note {
    if !tool.reported.get() {
        return Note::default();
    }
    tool.begin_operation(trace::time_of(operation.device(upcalls::ferromp_up_host_number())));
    report_data_op(tool, ScopeEndpoint::BEGIN, operation);
    tool.note_of(operation)
}

/// `ompt_callback_target_data_op(_emi)`, end: the data operation is over, or goes on without the thread.
#[inline]
pub fn data_op_end(tool: &TargetTool, operation: &DataOp) {
    if !tool.reported.get() {
        return;
    }
    if !operation.is_transfer() {
        trace::host_data_op(operation, &tool.note_of(operation));
    }
    report_data_op(tool, ScopeEndpoint::END, operation);
    tool.end_operation();
}

/// A data operation has one plain callback, at its end.
#[cold]
fn report_data_op(tool: &TargetTool, endpoint: ScopeEndpoint, operation: &DataOp) {
    let DataOp { source, source_device, destination, destination_device, bytes, .. } = *operation;
    let (source, destination) = (source as *mut c_void, destination as *mut c_void);
    let kind: TargetDataOp = operation.reported_kind(tool.is_asynchronous());
    let codeptr = tool.codeptr.get();
    let emi = report::target_data_op_emi(try_current(), || {
        let (task, target, word) = (tool.task_data(), tool.data.get(), tool.word.get());
        (endpoint, task, target, word, kind, source, source_device, destination, destination_device, bytes, codeptr)
    });
    if endpoint == ScopeEndpoint::END && plain_as_well(emi) {
        report::target_data_op(try_current(), || {
            let (target, id) = (tool.id.get(), tool.operation.get());
            (target, id, kind, source, source_device, destination, destination_device, bytes, codeptr)
        });
    }
}

/// `ompt_callback_target_submit(_emi)`, begin: the region's code is about to be handed to the device. `teams` is the
/// number of teams asked for, 0 for any number. Returns what the kernel's record needs from the host.
#[inline]
pub fn submit_begin(tool: &TargetTool, teams: u32) -> Note {
    if !tool.reported.get() {
        return Note::default();
    }
    tool.begin_operation(trace::time_of(tool.device.get()));
    report_submit(tool, ScopeEndpoint::BEGIN, teams);
    tool.note()
}

/// `ompt_callback_target_submit_emi`, end: the device has the region's code.
#[inline]
pub fn submit_end(tool: &TargetTool, teams: u32) {
    if tool.reported.get() {
        report_submit(tool, ScopeEndpoint::END, teams);
        tool.end_operation();
    }
}

/// A submission has one plain callback, at its begin.
#[cold]
fn report_submit(tool: &TargetTool, endpoint: ScopeEndpoint, teams: u32) {
    let emi = report::target_submit_emi(try_current(), || (endpoint, tool.data.get(), tool.word.get(), teams));
    if endpoint == ScopeEndpoint::BEGIN && plain_as_well(emi) {
        report::target_submit(try_current(), || (tool.id.get(), tool.operation.get(), teams));
    }
}

/// Whether mappings are reported or recorded. Otherwise the construct need not gather them.
#[inline]
pub fn wants_mappings(tool: &TargetTool) -> bool {
    let has_callback = |event| !registry::get(event).is_null();
    tool.reported.get()
        && active()
        && (trace::wants_mappings(tool.device.get())
            || [Event::TargetMapEmi, Event::TargetMap].into_iter().any(has_callback))
}

/// `ompt_callback_target_map(_emi)`: these mappings of the construct are in effect.
#[cold]
pub fn target_map(tool: &TargetTool, mappings: &mut Mappings) {
    if !tool.reported.get() || mappings.host.is_empty() {
        return;
    }
    trace::target_map(tool, mappings);
    let count = mappings.host.len() as u32;
    let (host, device) = (mappings.host.as_mut_ptr().cast(), mappings.device.as_mut_ptr().cast());
    let (bytes, flags) = (mappings.bytes.as_mut_ptr(), mappings.flags.as_mut_ptr());
    let codeptr = tool.codeptr.get();
    let emi = report::target_map_emi(try_current(), || (tool.data.get(), count, host, device, bytes, flags, codeptr));
    if plain_as_well(emi) {
        report::target_map(try_current(), || (tool.id.get(), count, host, device, bytes, flags, codeptr));
    }
}
