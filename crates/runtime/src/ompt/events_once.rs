//! Events without duration that belong to no region: flushes and `error` directives
//! (OpenMP 5.1 §4.5.2.17, §4.5.2.30).

use super::frame::Entered;
use super::registry::on;
use crate::objects::call::{Call, Caller};
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use ::ompt::Severity;

/// `ompt_callback_flush`: the thread has encountered a flush construct.
#[inline(always)]
pub fn flush(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.told() {
        tell_flush(thread, call);
    }
}

#[cold]
fn tell_flush(thread: &Thread, call: Call) {
    let _in = Entered::new(thread, call);
    if let Some(callback) = on::flush(thread) {
        // SAFETY: the tool registered the callback for this event; the data word is the thread's.
        unsafe { callback(thread.tool.data(), call.codeptr()) };
    }
}

/// `ompt_callback_error`: the thread has encountered an `error` directive that is executed. Tools get the message with
/// a zero behind it, though its length is told as well.
#[cold]
pub fn error(thread: &Thread, severity: Severity, message: &[u8], call: Call) {
    if !active() {
        return;
    }
    let _in = Entered::new(thread, call);
    if let Some(callback) = on::error(thread) {
        let text = [message, b"\0"].concat();
        // SAFETY: the tool registered the callback for this event; the text outlives the call.
        unsafe { callback(severity, text.as_ptr().cast(), message.len(), call.codeptr()) };
    }
}
