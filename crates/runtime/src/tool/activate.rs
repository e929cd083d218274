//! Activating tools (OpenMP 5.1 §4.2).
//!
//! The specification's search finds one tool at most (`search.rs`). `FERROMP_TOOLS` adds other tools, which are active
//! at the same time (`ompt/several/`). No lock is held while a tool's code runs.

use super::active::{TOOLS, any_active, silence};
use super::entry;
use super::log::Log;
use super::search::{self, Found};
use crate::model::atomic::Ordering;
use crate::ompt::{registry, sanitizer, several, silence, unwind};
use crate::{device, icv, warnings};
use ::ompt::Initialize;
use std::ffi::c_int;

/// Searches for tools and initialises them. Returns whether a tool is active.
pub fn activate() -> bool {
    let settings = icv::settings();
    let mut log = Log::open(settings.tool_verbose_init.as_ref());
    log.print("----- START LOGGING OF TOOL REGISTRATION -----\n");
    let found = search::tools(settings, &mut log);
    let active = start(found, &mut log);
    log.print("----- END LOGGING OF TOOL REGISTRATION -----\n");
    active
}

fn start(mut found: Vec<Found>, log: &mut Log) -> bool {
    found.retain(|tool| has_initializer(tool, log));
    if found.is_empty() {
        return false;
    }
    unwind::set_sources(found.iter().map(|tool| tool.source.clone()).collect());
    silence::prepare();
    entry::prepare();
    sanitizer::look();
    if found.len() > 1 {
        several::prepare(found.len());
    }
    for (number, tool) in found.iter().enumerate() {
        initialize(number, tool, log);
    }
    let active = any_active();
    registry::turn_events(active);
    active
}

fn has_initializer(found: &Found, log: &mut Log) -> bool {
    // SAFETY: the tool returned the structure, and keeps it until its finaliser has run (§4.2.1).
    let has = unsafe { (*found.result).initialize }.is_some();
    if !has {
        log.print("Tool has no initializer.\n");
        warnings::warn(&format!("ferromp: the tool in {} has no initialiser; going on without it\n", found.source));
    }
    has
}

/// Calls the tool's initialiser. The tool is active if the initialiser returns anything but 0.
fn initialize(number: usize, found: &Found, log: &mut Log) {
    // SAFETY: the tool returned the structure, and keeps it until its finaliser has run (§4.2.1).
    let tool = unsafe { &mut *found.result };
    let Some(initialize) = tool.initialize else { return };
    TOOLS[number].store(found.result, Ordering::Release);
    // SAFETY: a function of the same arguments. `unwind.rs` says what happens if the function unwinds.
    let initialize =
        unsafe { std::mem::transmute::<Initialize, unsafe extern "C-unwind" fn(_, _, _) -> c_int>(initialize) };
    let data = &raw mut tool.tool_data;
    // SAFETY: the tool's own function with the arguments that the specification names.
    let wants = unwind::in_tool(number, || unsafe { initialize(entry::lookup(number), device::host(), data) }) != 0;
    if several::is_so() {
        log.print(&format!("{}: ", found.source));
    }
    if !wants {
        TOOLS[number].store(std::ptr::null_mut(), Ordering::Release);
        silence(number);
        log.print("Tool was started, but declined to be active.\n");
    } else if TOOLS[number].load(Ordering::Acquire).is_null() {
        log.print("Tool was started, and has ended itself.\n");
    } else {
        log.print("Tool was started and is using the OMPT interface.\n");
    }
}

/// In a forked child whose parent was activating tools on another thread: there are no tools.
pub fn give_up_after_fork() {
    for tool in &TOOLS {
        tool.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
    registry::turn_events(false);
}
