//! Events without duration that belong to no region: flushes, `error` directives and commands for tools
//! (OpenMP 5.1 §4.5.2.17, §4.5.2.29–30).

use super::frame::Entered;
use super::registry::{has_tool, tell};
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use ::ompt::{ControlToolResult, Severity};
use std::ffi::{c_int, c_void};

/// `ompt_callback_flush`: the thread has encountered a flush construct.
#[inline(always)]
pub fn flush(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        tell_flush(thread, call);
    }
}

#[cold]
fn tell_flush(thread: &Thread, call: Call) {
    let _in = Entered::new(thread, call);
    tell::flush(thread, || (thread.tool.data(), call.codeptr()));
}

/// `ompt_callback_error`: the thread has encountered an `error` directive that is executed. Tools get the message with
/// a zero behind it, though its length is told as well.
#[cold]
pub fn error(thread: &Thread, severity: Severity, message: &[u8], call: Call) {
    if !active() {
        return;
    }
    let _in = Entered::new(thread, call);
    let text = [message, b"\0"].concat();
    tell::error(thread, || (severity, text.as_ptr().cast(), message.len(), call.codeptr()));
}

/// `omp_control_tool`: hands a command to the tools (OpenMP 5.1 §3.14, §4.5.2.29). Brings the runtime up, so that it
/// works as the first OpenMP call of a program. Answers -2 if no tool is active, -1 if none has a callback for it, else
/// what the tool says; of several, the first that does not ignore the command. Inside a callback the command is
/// ignored.
///
/// # Safety
/// `argument` is whatever the tool expects with the command; the runtime only passes it on.
pub unsafe fn control_tool(command: c_int, modifier: c_int, argument: *mut c_void, call: Call) -> c_int {
    let _in = Entered::new(current::current(), call);
    if !has_tool() {
        return ControlToolResult::NOTOOL.0;
    }
    if current::current().tool.in_callback() {
        return ControlToolResult::IGNORED.0;
    }
    let told = tell::control_tool(current::current(), || (command as _, modifier as _, argument, call.codeptr()));
    told.unwrap_or(ControlToolResult::NOCALLBACK.0)
}
