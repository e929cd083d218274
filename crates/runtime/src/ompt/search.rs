//! Where tools are looked for (OpenMP 5.1 §4.2.2): `ompt_start_tool` in the address space; else the libraries of
//! `OMP_TOOL_LIBRARIES`, one by one until one accepts; and then, beside the tool that was found so, every library of
//! `FERROMP_TOOLS`. What the user named and cannot be used costs a line each.

use super::narration::Narration;
use super::several::MOST;
use crate::icv::{self, Settings, ToolSetting};
use ::ompt::{StartTool, StartToolResult};
use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

// A program that defines `ompt_start_tool` exports it to libraries only if a library that it is
// linked with names the symbol; this weak reference does. The section is marked as retained, because
// nothing refers to it.
std::arch::global_asm!(
    ".weak ompt_start_tool",
    ".pushsection .data.rel.ro.ferromp_start_tool,\"awR\",@progbits",
    ".balign 8",
    ".quad ompt_start_tool",
    ".popsection",
);

/// What the runtime calls itself to tools.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!("ferromp ", env!("CARGO_PKG_VERSION"), " (OpenMP 5.1)\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version is a C string"),
    };

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
    match ask(start) {
        Some(result) => {
            log.say("Success.\n");
            return Some(Found { result, whose: "the address space".into(), start });
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
    let accepted = settings.tool_libraries.iter().find_map(|library| Library::open(library, "OMP_TOOL_LIBRARIES", log)?.ask(log));
    if accepted.is_none() {
        log.say("No OMP tool loaded.\n");
    }
    accepted
}

/// Adds the tool in `library` to those that were found, if it accepts and is none of them.
fn further(library: &Path, found: &mut Vec<Found>, log: &mut Narration) {
    let Some(library) = Library::open(library, "FERROMP_TOOLS", log) else { return };
    if let Some(other) = found.iter().find(|other| other.start == library.start) {
        log.say(&format!("The tool in {} once more.\n", other.whose));
        icv::warn(&format!("ferromp: FERROMP_TOOLS: {} is active already; it is not started again\n", library.shown));
        return library.close();
    }
    if found.len() == MOST {
        log.say("Too many tools.\n");
        icv::warn(&format!("ferromp: FERROMP_TOOLS: {MOST} tools at most can be active; going on without {}\n", library.shown));
        return library.close();
    }
    found.extend(library.ask(log));
}

fn joined(libraries: &[PathBuf]) -> String {
    let names: Vec<_> = libraries.iter().map(|path| path.display().to_string()).collect();
    names.join(":")
}

/// Calls a candidate's `ompt_start_tool`.
fn ask(start: *mut c_void) -> Option<*mut StartToolResult> {
    if start.is_null() {
        return None;
    }
    // SAFETY: a symbol of this name has this type, says the specification (§4.2.1).
    let start: StartTool = unsafe { std::mem::transmute(start) };
    // SAFETY: as above; the version string lives for ever.
    let result = unsafe { start(icv::OPENMP_DATE as u32, VERSION.as_ptr()) };
    (!result.is_null()).then_some(result)
}

/// A loaded library that has `ompt_start_tool`.
struct Library {
    handle: *mut c_void,
    start: *mut c_void,
    name: CString,
    shown: String,
}

impl Library {
    /// Loads what `variable` names. A library that cannot be loaded was named by the user, so it gets a line even where nothing
    /// is narrated.
    fn open(path: &Path, variable: &str, log: &mut Narration) -> Option<Library> {
        let shown = path.display().to_string();
        log.say(&format!("Opening {shown}... "));
        let mut refuse = |why: &str| {
            log.say(&format!("Failed: {why}\n"));
            icv::warn(&format!("ferromp: {variable}: {shown} is not a tool: {why}; going on without it\n"));
        };
        if let Err(why) = openable(path) {
            refuse(&why);
            return None;
        }
        let Ok(name) = CString::new(path.as_os_str().as_bytes()) else {
            refuse("its name holds a zero byte");
            return None;
        };
        // SAFETY: loads a library that the user named; its constructors run.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if handle.is_null() {
            refuse(&loader_error());
            return None;
        }
        // SAFETY: the handle was just opened.
        let start = unsafe { libc::dlsym(handle, c"ompt_start_tool".as_ptr()) };
        if start.is_null() {
            refuse(&loader_error());
            // SAFETY: the handle is ours, and nothing of the library is in use.
            unsafe { libc::dlclose(handle) };
            return None;
        }
        log.say("Success. \n");
        Some(Library { handle, start, name, shown })
    }

    /// Asks for the tool. The library stays for good if it accepts, even if it closes itself.
    fn ask(self, log: &mut Narration) -> Option<Found> {
        log.say(&format!("Searching for ompt_start_tool in {}... ", self.shown));
        let Some(result) = ask(self.start) else {
            log.say("Found but not using the OMPT interface.\n");
            self.close();
            return None;
        };
        log.say("Success.\n");
        // SAFETY: the library is loaded; this only marks it.
        unsafe { libc::dlopen(self.name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
        Some(Found { result, whose: self.shown, start: self.start })
    }

    fn close(self) {
        // SAFETY: the handle is ours, and nothing that was got through it is in use.
        unsafe { libc::dlclose(self.handle) };
    }
}

/// Whether the loader may be given this name: it would wait for ever at a pipe, and has no good words for a folder. What has no
/// slash is looked for by the loader itself.
fn openable(path: &Path) -> Result<(), String> {
    if !path.as_os_str().as_bytes().contains(&b'/') {
        return Ok(());
    }
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err("it is a folder".into()),
        Ok(data) if !data.is_file() => Err("it is not a regular file".into()),
        // What is missing or unreadable the loader says best.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn loader_error() -> String {
    // SAFETY: dlerror returns null or a string that is valid until the next call on this thread.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}
