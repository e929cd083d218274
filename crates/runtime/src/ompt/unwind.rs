//! Functions of a tool that end otherwise than by returning: by an exception, or by the end of their thread
//! (`pthread_exit`, cancellation). Nothing unwinds out of the library, and a thread must not vanish from its team. Both
//! therefore end the program, with a line that names the tool.
//!
//! The runtime calls a tool's functions with an ABI that may unwind. In a library that aborts on panic, the compiler
//! puts a landing pad around such a call, which panics; the panic hook here prints the line. A callback that returns
//! pays nothing.
//!
//! An exception without a handler is not thrown at all, as far as the search for a handler gets through the frames of
//! this library. The language's own runtime then describes the exception and ends the program.

use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::park::mutex::Mutex;
use crate::stderr;
use std::panic::PanicHookInfo;

/// Where each tool comes from, in the order of the tools.
static SOURCES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says where the tools come from whose functions are called next.
pub fn set_sources(sources: Vec<String>) {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if !HOOKED.swap(true, Ordering::Relaxed) {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            end_if_unwound(info);
            others(info);
        }));
    }
    SOURCES.with(|all| *all = sources);
}

/// Calls a function of the tool with this number that is no callback.
pub fn in_tool<R>(tool: usize, call: impl FnOnce() -> R) -> R {
    if let Some(thread) = current::try_current() {
        thread.tool.set_called_tool(tool);
    }
    call()
}

/// Ends the program if the panic is that of a landing pad around a call of a tool.
fn end_if_unwound(info: &PanicHookInfo<'_>) {
    // The words of the compiler's own landing pad.
    if info.payload_as_str() == Some("panic in a function that cannot unwind") {
        let number = current::try_current().map_or(0, |thread| thread.tool.called_tool());
        let tool = SOURCES.with(|all| all.get(number).cloned()).unwrap_or_else(|| "the process".into());
        stderr::abort(format_args!(
            "the tool in {tool} left one of its functions by an exception or by ending the thread"
        ));
    }
}
