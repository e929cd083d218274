//! The active tools, and their finalisers (OpenMP 5.1 §4.6.1.20). No lock is held while a tool's code runs.

use crate::model::atomic::{AtomicPtr, Ordering};
use crate::ompt::several::{self, MOST};
use crate::ompt::{self, registry, trace, unwind};
use crate::park::mutex::Mutex;
use ::ompt::{Finalize, StartToolResult};

/// What `ompt_start_tool` of each active tool returned, in the order of initialisation; null for a tool that is not
/// active. The thread that takes an entry away finalises the tool.
pub(super) static TOOLS: [AtomicPtr<StartToolResult>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];

/// Plug-ins whose finalisers are to be called (`connect.rs`).
static PLUG_INS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Has the finaliser of a plug-in called after those of the tools.
///
/// # Safety
/// The structure stays until then.
pub(super) unsafe fn add_plug_in(result: *mut StartToolResult) {
    PLUG_INS.with(|all| all.push(result as usize));
}

/// Whether a tool is active.
pub(super) fn any_active() -> bool {
    TOOLS.iter().any(|tool| !tool.load(Ordering::Acquire).is_null())
}

/// Whether the tool with this number may register callbacks: it is being initialised, or active. A tool that has ended
/// gets no events.
pub fn may_register(number: usize) -> bool {
    !TOOLS[number].load(Ordering::Acquire).is_null()
}

/// Ends the events of this tool. Returns when no other thread is inside a callback, or after a bounded time.
pub(super) fn silence(number: usize) {
    if several::is_so() {
        several::silence(number);
    }
    let last = registry::has_tool() && !any_active();
    if last || !several::is_so() {
        ompt::silence::silence();
    } else {
        ompt::silence::wait_for_callbacks();
    }
}

/// Ends the activity of one tool: its events first, then its finaliser. Does nothing for a tool that has ended.
pub fn finalize_one(number: usize) {
    let result = TOOLS[number].swap(std::ptr::null_mut(), Ordering::AcqRel);
    if !result.is_null() {
        trace::end_tool(number);
        silence(number);
        // SAFETY: this thread has taken the entry.
        unsafe { call_finalizer(number, result) };
    }
}

/// Ends the activity of all tools: their events first, then their finalisers, once each and the last initialised first
/// (§4.6.1.20), then the finalisers of plug-ins.
pub fn finalize_all() {
    let taken = TOOLS.each_ref().map(|tool| tool.swap(std::ptr::null_mut(), Ordering::AcqRel));
    if taken.iter().all(|result| result.is_null()) {
        return;
    }
    ompt::silence::silence();
    for (number, result) in taken.into_iter().enumerate().rev() {
        // SAFETY: this thread has taken the entry.
        unsafe { call_finalizer(number, result) };
    }
    for result in PLUG_INS.with(std::mem::take).into_iter().rev() {
        // SAFETY: `add_plug_in` has put it there, this thread has taken it, and it stays until now.
        unsafe { call_finalizer(0, result as *mut StartToolResult) };
    }
}

/// # Safety
/// `result` is null, or the caller has taken it from [`TOOLS`] or [`PLUG_INS`].
pub(super) unsafe fn call_finalizer(number: usize, result: *mut StartToolResult) {
    // SAFETY: the tool keeps the structure until its finaliser has run, and this thread alone runs it.
    if let Some(tool) = unsafe { result.as_mut() }
        && let Some(finalize) = tool.finalize
    {
        // SAFETY: a function of the same arguments. `unwind.rs` says what happens if the function unwinds.
        let finalize = unsafe { std::mem::transmute::<Finalize, unsafe extern "C-unwind" fn(_)>(finalize) };
        let data = &raw mut tool.tool_data;
        // SAFETY: the tool's own function with its own data.
        unwind::in_tool(number, || unsafe { finalize(data) });
    }
}
