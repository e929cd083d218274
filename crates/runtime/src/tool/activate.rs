//! Activating tools (OpenMP 5.1 §4.2).
//!
//! The specification's search yields one tool at most (`search.rs`); `FERROMP_TOOLS` adds others, which are active at
//! the same time (`several/`). No lock is held while a tool's code runs.

use super::active::{TOOLS, any_active, silence};
use super::entry;
use super::narration::Narration;
use super::search::{self, Found};
use crate::device;
use crate::icv;
use crate::model::atomic::Ordering;
use crate::ompt::{registry, sanitizer, several, silence, unwind};
use crate::warnings;
use ::ompt::Initialize;
use std::ffi::c_int;

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
    unwind::set_sources(found.iter().map(|tool| tool.whose.clone()).collect());
    silence::prepare();
    entry::prepare();
    several::set_device_lookup(entry::device_lookup);
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
    TOOLS[number].store(found.result, Ordering::Release);
    // SAFETY: a function of the same arguments; what it throws ends here.
    let initialize =
        unsafe { std::mem::transmute::<Initialize, unsafe extern "C-unwind" fn(_, _, _) -> c_int>(initialize) };
    let data = &raw mut tool.tool_data;
    // SAFETY: the tool's own function with the arguments that the specification names.
    let wants = unwind::in_tool(number, || unsafe { initialize(entry::lookup(number), device::host(), data) }) != 0;
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

/// In a forked child whose parent was activating tools on another thread: there are none here.
pub fn give_up_after_fork() {
    for tool in &TOOLS {
        tool.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
    registry::set_active(false);
}
