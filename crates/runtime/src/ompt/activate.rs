//! Activating tools, and finalising them (OpenMP 5.1 §4.2).
//!
//! The specification's search yields one tool at most (`search.rs`); `FERROMP_TOOLS` adds others, which are active at
//! the same time (`several/`). No lock is held while a tool's code runs.

use super::connect;
use super::entry;
use super::frame::Entered;
use super::narration::Narration;
use super::registry::{self, on};
use super::sanitizer;
use super::search::{self, Found};
use super::several::{self, MOST};
use super::trace;
use super::unwind;
use crate::device;
use crate::icv;
use crate::objects::call::Call;
use crate::objects::current;
use crate::warnings;
use ::ompt::{Finalize, Initialize, StartToolResult};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The active tools' answers from `ompt_start_tool`, in the order in which they were initialised; null for one that is
/// not active, not yet or no longer. Whoever takes one away finalises that tool.
static TOOLS: [AtomicPtr<StartToolResult>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];

/// Looks for tools and initialises them. Returns whether one is active.
pub fn activate() -> bool {
    let settings = icv::settings();
    let mut log = Narration::open(settings.tool_verbose_init.as_ref());
    log.say("----- START LOGGING OF TOOL REGISTRATION -----\n");
    let found = search::tools(settings, &mut log);
    let active = start(found, &mut log);
    log.say("----- END LOGGING OF TOOL REGISTRATION -----\n");
    active
}

fn start(mut found: Vec<Found>, log: &mut Narration) -> bool {
    found.retain(|tool| has_initializer(tool, log));
    if found.is_empty() {
        return false;
    }
    unwind::name(found.iter().map(|tool| tool.whose.clone()).collect());
    registry::prepare_silence();
    entry::prepare();
    sanitizer::look();
    if found.len() > 1 {
        several::prepare(found.len());
    }
    for (number, tool) in found.iter().enumerate() {
        initialize(number, tool, log);
    }
    let active = any_active();
    registry::set_active(active);
    active
}

fn any_active() -> bool {
    TOOLS.iter().any(|tool| !tool.load(Ordering::Acquire).is_null())
}

/// Whether the tool with this number may register callbacks: it is being initialised, or active. One that has been
/// ended, or ends, would hear of nothing any more.
pub fn may_register(number: usize) -> bool {
    !TOOLS[number].load(Ordering::Acquire).is_null()
}

fn has_initializer(found: &Found, log: &mut Narration) -> bool {
    // SAFETY: the tool returned the structure and keeps it until its finaliser has run.
    let has = unsafe { (*found.result).initialize }.is_some();
    if !has {
        log.say("Tool has no initializer.\n");
        warnings::warn(&format!("ferromp: the tool in {} has no initialiser; going on without it\n", found.whose));
    }
    has
}

/// Calls the tool's initialiser; the tool is active if it answers anything but 0.
fn initialize(number: usize, found: &Found, log: &mut Narration) {
    // SAFETY: as in `has_initializer`.
    let tool = unsafe { &mut *found.result };
    let Some(initialize) = tool.initialize else { return };
    let lookup = if several::is_so() { several::lookup(number) } else { entry::lookup };
    TOOLS[number].store(found.result, Ordering::Release);
    // SAFETY: a function of the same arguments; what it throws ends here.
    let initialize =
        unsafe { std::mem::transmute::<Initialize, unsafe extern "C-unwind" fn(_, _, _) -> c_int>(initialize) };
    let data = &raw mut tool.tool_data;
    // SAFETY: the tool's own function with the arguments that the specification names.
    let wants = unwind::in_tool(number, || unsafe { initialize(lookup, device::host(), data) }) != 0;
    if several::is_so() {
        log.say(&format!("{}: ", found.whose));
    }
    if !wants {
        TOOLS[number].store(std::ptr::null_mut(), Ordering::Release);
        silence(number);
        log.say("Tool was started, but declined to be active.\n");
    } else if TOOLS[number].load(Ordering::Acquire).is_null() {
        log.say("Tool was started, and has ended itself.\n");
    } else {
        log.say("Tool was started and is using the OMPT interface.\n");
    }
}

/// No event for this tool from here on. Returns when no other thread is inside a callback, or after a bounded time.
fn silence(number: usize) {
    if several::is_so() {
        several::silence(number);
    }
    let last = registry::has_tool() && !any_active();
    if last || !several::is_so() {
        registry::silence();
    } else {
        registry::wait_for_callbacks();
    }
}

/// Ends the activity of all tools: silence first, then their finalisers, once each and the last initialised first
/// (§4.6.1.20).
pub fn finalize() {
    let taken = TOOLS.each_ref().map(|tool| tool.swap(std::ptr::null_mut(), Ordering::AcqRel));
    if taken.iter().all(|result| result.is_null()) {
        return;
    }
    registry::silence();
    for (number, result) in taken.into_iter().enumerate().rev() {
        // SAFETY: this thread has taken it.
        unsafe { call_finalizer(number, result) };
    }
    connect::finalize();
}

/// Ends the activity of one tool: silence first, then its finaliser. For a tool that has ended already, nothing.
pub fn finalize_one(number: usize) {
    let result = TOOLS[number].swap(std::ptr::null_mut(), Ordering::AcqRel);
    if !result.is_null() {
        trace::end_tool(number);
        silence(number);
        // SAFETY: this thread has taken it.
        unsafe { call_finalizer(number, result) };
    }
}

/// # Safety
/// `result` is null, or the caller has taken it from [`TOOLS`].
unsafe fn call_finalizer(number: usize, result: *mut StartToolResult) {
    // SAFETY: the tool keeps the structure until its finaliser has run, which is now.
    if let Some(tool) = unsafe { result.as_mut() }
        && let Some(finalize) = tool.finalize
    {
        // SAFETY: a function of the same arguments; what it throws ends here.
        let finalize = unsafe { std::mem::transmute::<Finalize, unsafe extern "C-unwind" fn(_)>(finalize) };
        let data = &raw mut tool.tool_data;
        // SAFETY: the tool's own function with its own data.
        unwind::in_tool(number, || unsafe { finalize(data) });
    }
}

/// In a forked child whose parent was activating tools on another thread: there are none here.
pub fn give_up_after_fork() {
    for tool in &TOOLS {
        tool.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
    registry::set_active(false);
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
    if !registry::has_tool() {
        return NO_TOOL;
    }
    if current::current().tool.in_callback() {
        return IGNORED;
    }
    match on::control_tool(current::current()) {
        // SAFETY: the tool registered the callback for this event.
        Some(callback) => unsafe { callback(command as _, modifier as _, argument, call.codeptr()) },
        None => NO_CALLBACK,
    }
}

/// `omp_control_tool_notool`.
const NO_TOOL: c_int = -2;
/// `omp_control_tool_nocallback`.
const NO_CALLBACK: c_int = -1;
/// `omp_control_tool_ignored`.
const IGNORED: c_int = 1;
