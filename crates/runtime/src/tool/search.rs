//! Where tools are looked for (OpenMP 5.1 §4.2.2): `ompt_start_tool` in the address space; else the libraries of
//! `OMP_TOOL_LIBRARIES`, one by one until one accepts; and then, beside the tool that was found so, every library of
//! `FERROMP_TOOLS`. What the user named and cannot be used costs a line each. Archer alone is looked for unnamed
//! (`archer.rs`).

use super::archer;
use super::library::Library;
use super::narration::Narration;
use crate::arch;
use crate::icv::{self, Settings, ToolSetting};
use crate::ompt::several::MOST;
use crate::ompt::unwind;
use crate::warnings;
use ::ompt::StartToolResult;
use std::ffi::{CStr, c_uint, c_void};
use std::path::{Path, PathBuf};

// A program that defines `ompt_start_tool` exports it to libraries only if a library that it is
// linked with names the symbol; this weak reference does.
arch::weak_reference!("ompt_start_tool", ".data.rel.ro.ferromp_start_tool");

/// What the runtime calls itself to tools.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!("ferromp ", env!("CARGO_PKG_VERSION"), " (OpenMP 5.1)\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version is a C string"),
    };

/// Where a tool is that no library's name led to.
const ADDRESS_SPACE: &str = "the address space";

/// A tool that has accepted.
pub struct Found {
    /// What its `ompt_start_tool` answered.
    pub result: *mut StartToolResult,
    /// Where it was found, for messages.
    pub whose: String,
    /// The `ompt_start_tool` that was called.
    start: *mut c_void,
}

/// Looks for tools and asks each for its functions.
pub fn tools(settings: &Settings, log: &mut Narration) -> Vec<Found> {
    if settings.tool == ToolSetting::Disabled || cfg!(not(feature = "ompt")) {
        log.say("OMP tool disabled. \n");
        return Vec::new();
    }
    let mut found: Vec<Found> = specified(settings, log).into_iter().collect();
    if settings.further_tools.is_empty() {
        if found.is_empty() && settings.tool_libraries.is_empty() {
            found.extend(archer::open(settings, log).and_then(|library| ask_library(library, log)));
        }
        return found;
    }
    log.say(&format!("FERROMP_TOOLS = {}\n", joined(&settings.further_tools)));
    for library in &settings.further_tools {
        further(library, &mut found, log);
    }
    found
}

/// The tool that OpenMP says is to be used: there is one at most.
fn specified(settings: &Settings, log: &mut Narration) -> Option<Found> {
    log.say("Search for OMP tool in current address space... ");
    // SAFETY: looks a name up in the process's global scope.
    let start = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ompt_start_tool".as_ptr()) };
    match ask(start, ADDRESS_SPACE) {
        Some(result) => {
            log.say("Success.\n");
            return Some(Found { result, whose: ADDRESS_SPACE.into(), start });
        }
        None if start.is_null() => log.say("Failed.\n"),
        None => log.say("Found but not using the OMPT interface.\n"),
    }
    if settings.tool_libraries.is_empty() {
        log.say("No OMP_TOOL_LIBRARIES defined.\n");
        return None;
    }
    log.say("Searching tool libraries...\n");
    log.say(&format!("OMP_TOOL_LIBRARIES = {}\n", joined(&settings.tool_libraries)));
    let accepted = settings
        .tool_libraries
        .iter()
        .find_map(|library| ask_library(Library::open(library, "OMP_TOOL_LIBRARIES", log)?, log));
    if accepted.is_none() {
        log.say("No OMP tool loaded.\n");
    }
    accepted
}

/// Adds the tool in `library` to those that were found, if it accepts and is none of them.
fn further(library: &Path, found: &mut Vec<Found>, log: &mut Narration) {
    let Some(library) = Library::open(library, "FERROMP_TOOLS", log) else { return };
    if let Some(other) = found.iter().find(|other| other.start == library.start()) {
        log.say(&format!("The tool in {} once more.\n", other.whose));
        warnings::warn(&format!(
            "ferromp: FERROMP_TOOLS: {} is active already; it is not started again\n",
            library.shown()
        ));
        return library.close();
    }
    if found.len() == MOST {
        log.say("Too many tools.\n");
        warnings::warn(&format!(
            "ferromp: FERROMP_TOOLS: {MOST} tools at most can be active; going on without {}\n",
            library.shown()
        ));
        return library.close();
    }
    found.extend(ask_library(library, log));
}

/// Asks the library for its tool.
fn ask_library(library: Library, log: &mut Narration) -> Option<Found> {
    log.say(&format!("Searching for ompt_start_tool in {}... ", library.shown()));
    let (start, whose) = (library.start(), library.shown().to_owned());
    let Some(result) = ask(start, &whose) else {
        log.say("Found but not using the OMPT interface.\n");
        library.close();
        return None;
    };
    log.say("Success.\n");
    library.keep();
    Some(Found { result, whose, start })
}

fn joined(libraries: &[PathBuf]) -> String {
    let names: Vec<_> = libraries.iter().map(|path| path.display().to_string()).collect();
    names.join(":")
}

/// Calls the `ompt_start_tool` of the candidate in `whose`.
fn ask(start: *mut c_void, whose: &str) -> Option<*mut StartToolResult> {
    if start.is_null() {
        return None;
    }
    unwind::set_sources(vec![whose.to_owned()]);
    // SAFETY: a symbol of this name has this type, says the specification (§4.2.1); what it throws ends here.
    let start: unsafe extern "C-unwind" fn(_, _) -> *mut StartToolResult = unsafe { std::mem::transmute(start) };
    // SAFETY: as above; the version string lives for ever.
    let result = unwind::in_tool(0, || unsafe { start(icv::OPENMP_DATE as c_uint, VERSION.as_ptr()) });
    (!result.is_null()).then_some(result)
}
