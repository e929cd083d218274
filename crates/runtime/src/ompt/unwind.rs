//! What leaves a tool's function otherwise than by returning: an exception, or the end of its thread (`pthread_exit`,
//! cancellation). Nothing unwinds out of the library, and no thread of a team may vanish, so both end the program with
//! a line that names the tool.
//!
//! A tool's functions are called as ones that may unwind. In a library that aborts on panic, the compiler puts a
//! landing pad around such a call, which panics; the hook here makes the one line of it. A callback that returns pays
//! nothing. An exception for which there is no handler above, as far as the search for one gets through our frames, is
//! not thrown at all: the language's own runtime says what it is and ends the program.

use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::park::mutex::Mutex;
use crate::stderr;
use std::panic::PanicHookInfo;

/// Where the tools come from, in their order.
static WHOSE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says where the tools come from whose functions are called next.
pub fn name(whose: Vec<String>) {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if !HOOKED.swap(true, Ordering::Relaxed) {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !told_of(info) {
                others(info)
            }
        }));
    }
    WHOSE.with(|names| *names = whose);
}

/// Calls a function of the tool with this number that is no callback.
pub fn in_tool<R>(tool: usize, call: impl FnOnce() -> R) -> R {
    if let Some(thread) = current::try_current() {
        thread.tool.called_tool.set(tool);
    }
    call()
}

/// Where the tool comes from that this thread has called last.
fn tool_called_last() -> String {
    let number = current::try_current().map_or(0, |thread| thread.tool.called_tool.get());
    WHOSE.with(|names| names.get(number).cloned()).unwrap_or_else(|| "the process".into())
}

/// Whether the panic is what an exception out of a tool's function becomes; then it does not return.
fn told_of(info: &PanicHookInfo<'_>) -> bool {
    // The words of the compiler's own landing pad.
    if info.payload_as_str() != Some("panic in a function that cannot unwind") {
        return false;
    }
    let tool = tool_called_last();
    stderr::abort(format_args!("the tool in {tool} left one of its functions by an exception or by ending the thread"))
}
