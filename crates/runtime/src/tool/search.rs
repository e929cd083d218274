//! The search for tools (OpenMP 5.1 §4.2.2):
//!
//! 1. `ompt_start_tool` in the address space;
//! 2. else the libraries of `OMP_TOOL_LIBRARIES`, one by one until one accepts;
//! 3. besides, every library of `FERROMP_TOOLS`;
//! 4. if nothing was named, Archer under a thread sanitizer (`archer.rs`).
//!
//! The user gets a warning for each named library that cannot be used.

use super::archer;
use super::library::Library;
use super::log::Log;
use crate::icv::{self, Settings, ToolSetting};
use crate::ompt::several::MOST;
use crate::ompt::unwind;
use crate::{arch, warnings};
use ::ompt::StartToolResult;
use std::ffi::{CStr, c_uint, c_void};
use std::path::{Path, PathBuf};

// A program that defines `ompt_start_tool` exports it to libraries only if a library that it is
// linked with names the symbol; this weak reference does.
arch::weak_reference!("ompt_start_tool", ".data.rel.ro.ferromp_start_tool");

/// The runtime's version, which tools get.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!("ferromp ", env!("CARGO_PKG_VERSION"), " (OpenMP 5.1)\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version is a C string"),
    };

/// The source of a tool that was found without a library's name.
const ADDRESS_SPACE: &str = "the address space";

/// A tool that has accepted.
pub struct Found {
    /// The result of its `ompt_start_tool`.
    pub result: *mut StartToolResult,
    /// Where it was found, for messages.
    pub source: String,
    /// The `ompt_start_tool` that was called.
    start: *mut c_void,
}

/// Searches for tools and calls the `ompt_start_tool` of each.
pub fn tools(settings: &Settings, log: &mut Log) -> Vec<Found> {
    if settings.tool == ToolSetting::Disabled || cfg!(not(feature = "ompt")) {
        log.print("OMP tool disabled. \n");
        return Vec::new();
    }
    let mut found: Vec<Found> = specified(settings, log).into_iter().collect();
    if settings.further_tools.is_empty() {
        if found.is_empty() && settings.tool_libraries.is_empty() {
            found.extend(archer::open(settings, log).and_then(|library| ask_library(library, log)));
        }
        return found;
    }
    log.print(&format!("FERROMP_TOOLS = {}\n", joined(&settings.further_tools)));
    for library in &settings.further_tools {
        further(library, &mut found, log);
    }
    found
}

/// The tool that OpenMP's rules select, one at most.
fn specified(settings: &Settings, log: &mut Log) -> Option<Found> {
    log.print("Search for OMP tool in current address space... ");
    // SAFETY: looks a name up in the process's global scope.
    let start = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ompt_start_tool".as_ptr()) };
    match ask(start, ADDRESS_SPACE) {
        Some(result) => {
            log.print("Success.\n");
            return Some(Found { result, source: ADDRESS_SPACE.into(), start });
        }
        None if start.is_null() => log.print("Failed.\n"),
        None => log.print("Found but not using the OMPT interface.\n"),
    }
    if settings.tool_libraries.is_empty() {
        log.print("No OMP_TOOL_LIBRARIES defined.\n");
        return None;
    }
    log.print("Searching tool libraries...\n");
    log.print(&format!("OMP_TOOL_LIBRARIES = {}\n", joined(&settings.tool_libraries)));
    let accepted = settings
        .tool_libraries
        .iter()
        .find_map(|library| ask_library(Library::open(library, "OMP_TOOL_LIBRARIES", log)?, log));
    if accepted.is_none() {
        log.print("No OMP tool loaded.\n");
    }
    accepted
}

/// Adds the tool in `library` to `found`, if the tool accepts and is not in `found`.
fn further(library: &Path, found: &mut Vec<Found>, log: &mut Log) {
    let Some(library) = Library::open(library, "FERROMP_TOOLS", log) else { return };
    let shown = &library.shown;
    if let Some(other) = found.iter().find(|other| other.start == library.start) {
        log.print(&format!("The tool in {} once more.\n", other.source));
        warnings::warn(&format!("ferromp: FERROMP_TOOLS: {shown} is active already; it is not started again\n"));
        return library.close();
    }
    if found.len() == MOST {
        log.print("Too many tools.\n");
        warnings::warn(&format!(
            "ferromp: FERROMP_TOOLS: {MOST} tools at most can be active; going on without {shown}\n"
        ));
        return library.close();
    }
    found.extend(ask_library(library, log));
}

/// Calls the `ompt_start_tool` of a library. Unloads the library if it declines.
fn ask_library(library: Library, log: &mut Log) -> Option<Found> {
    log.print(&format!("Searching for ompt_start_tool in {}... ", library.shown));
    let (start, source) = (library.start, library.shown.clone());
    let Some(result) = ask(start, &source) else {
        log.print("Found but not using the OMPT interface.\n");
        library.close();
        return None;
    };
    log.print("Success.\n");
    library.keep();
    Some(Found { result, source, start })
}

fn joined(libraries: &[PathBuf]) -> String {
    let names: Vec<_> = libraries.iter().map(|path| path.display().to_string()).collect();
    names.join(":")
}

/// Calls the `ompt_start_tool` of the candidate in `source`.
fn ask(start: *mut c_void, source: &str) -> Option<*mut StartToolResult> {
    if start.is_null() {
        return None;
    }
    unwind::set_sources(vec![source.to_owned()]);
    // SAFETY: the specification gives a symbol of this name this type (§4.2.1). `unwind.rs` says what happens if the
    // function unwinds.
    let start: unsafe extern "C-unwind" fn(_, _) -> *mut StartToolResult = unsafe { std::mem::transmute(start) };
    // SAFETY: the tool's own function; the version string lives for ever.
    let result = unwind::in_tool(0, || unsafe { start(icv::OPENMP_DATE as c_uint, VERSION.as_ptr()) });
    (!result.is_null()).then_some(result)
}
