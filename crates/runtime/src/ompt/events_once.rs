//! Events without duration that belong to no region: flushes, `error` directives and commands for tools
//! (OpenMP 5.1 §4.5.2.17, §4.5.2.29–30).

use super::frame::Entered;
use super::registry::{has_tool, report};
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use ::ompt::{ControlToolResult, Severity};
use std::ffi::{c_int, c_void};

/// `ompt_callback_flush`: the thread has encountered a flush construct.
#[inline]
pub fn flush(thread: &Thread, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    let _in = Entered::new(thread, call);
    report::flush(thread, || (thread.tool.data.get(), call.codeptr()));
}

/// `ompt_callback_error`: the thread has encountered an `error` directive that is executed. A zero follows the message,
/// for tools that do not look at the length.
#[cold]
pub fn error(thread: &Thread, severity: Severity, message: &[u8], call: Call) {
    if !active() {
        return;
    }
    let _in = Entered::new(thread, call);
    let text = [message, b"\0"].concat();
    report::error(thread, || (severity, text.as_ptr().cast(), message.len(), call.codeptr()));
}

/// `omp_control_tool`: hands a command to the tools (OpenMP 5.1 §3.14, §4.5.2.29). Brings the runtime up, so the call
/// may be a program's first OpenMP call.
///
/// Returns -2 if no tool is active, -1 if no tool has a callback for the event, else what the tool answers. Of several
/// tools, the first answers that does not ignore the command. Inside a callback the command is ignored.
///
/// # Safety
/// `argument` is what the tool expects with the command. The runtime only passes it on.
pub unsafe fn control_tool(command: c_int, modifier: c_int, argument: *mut c_void, call: Call) -> c_int {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    if !has_tool() {
        return ControlToolResult::NOTOOL.0;
    }
    if thread.tool.in_callback() {
        return ControlToolResult::IGNORED.0;
    }
    let answer = report::control_tool(thread, || (command as _, modifier as _, argument, call.codeptr()));
    answer.unwrap_or(ControlToolResult::NOCALLBACK.0)
}
