//! Activating a tool, and finalising it (OpenMP 5.1 §4.2).
//!
//! The order is the specification's: `OMP_TOOL`; `ompt_start_tool` in the address space; then the
//! libraries of `OMP_TOOL_LIBRARIES`, one by one. `OMP_TOOL_VERBOSE_INIT` narrates it in the words
//! that tool authors know. No lock is held while a tool's code runs.

use super::entry;
use super::frame::Entered;
use super::registry::{self, on};
use crate::abi::Call;
use crate::icv::{self, Settings, ToolSetting, VerboseInit};
use crate::thread;
use ::ompt::{StartTool, StartToolResult};
use std::ffi::{CStr, CString, c_int, c_void};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

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

/// The active tool's answer from `ompt_start_tool`; null when there is none.
static TOOL: AtomicPtr<StartToolResult> = AtomicPtr::new(std::ptr::null_mut());
/// Whether the tool's finaliser has been called.
static FINALIZED: AtomicBool = AtomicBool::new(false);

/// Where the search is narrated.
enum Log {
    Silent,
    Stdout,
    Stderr,
    File(File),
}

impl Log {
    fn open(setting: Option<&VerboseInit>) -> Log {
        match setting {
            None => Log::Silent,
            Some(VerboseInit::Stdout) => Log::Stdout,
            Some(VerboseInit::Stderr) => Log::Stderr,
            Some(VerboseInit::File(path)) => match OpenOptions::new().create(true).append(true).open(path) {
                Ok(file) => Log::File(file),
                Err(error) => {
                    icv::warn(&format!(
                        "ferromp: OMP_TOOL_VERBOSE_INIT='{}': cannot write ({error}); using stderr\n",
                        path.display()
                    ));
                    Log::Stderr
                }
            },
        }
    }

    fn say(&mut self, text: &str) {
        // Nobody is left to tell when the log itself fails.
        let _ = match self {
            Log::Silent => Ok(()),
            Log::Stdout => std::io::stdout().write_all(text.as_bytes()),
            Log::Stderr => std::io::stderr().write_all(text.as_bytes()),
            Log::File(file) => file.write_all(text.as_bytes()),
        };
    }
}

/// Looks for a tool and initialises it. Returns whether one is active.
pub fn activate() -> bool {
    let settings = icv::settings();
    let mut log = Log::open(settings.tool_verbose_init.as_ref());
    log.say("----- START LOGGING OF TOOL REGISTRATION -----\n");
    let active = search(settings, &mut log);
    log.say("----- END LOGGING OF TOOL REGISTRATION -----\n");
    active
}

fn search(settings: &Settings, log: &mut Log) -> bool {
    if settings.tool == ToolSetting::Disabled {
        log.say("OMP tool disabled. \n");
        return false;
    }
    log.say("Search for OMP tool in current address space... ");
    // SAFETY: looks a name up in the process's global scope.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ompt_start_tool".as_ptr()) };
    match ask(symbol) {
        Some(result) => {
            log.say("Success.\n");
            return initialize(result, "the address space", log);
        }
        None if symbol.is_null() => log.say("Failed.\n"),
        None => log.say("Found but not using the OMPT interface.\n"),
    }
    if settings.tool_libraries.is_empty() {
        log.say("No OMP_TOOL_LIBRARIES defined.\n");
        return false;
    }
    log.say("Searching tool libraries...\n");
    let names: Vec<_> = settings.tool_libraries.iter().map(|path| path.display().to_string()).collect();
    log.say(&format!("OMP_TOOL_LIBRARIES = {}\n", names.join(":")));
    for library in &settings.tool_libraries {
        if let Some(result) = open(library, log) {
            return initialize(result, &library.display().to_string(), log);
        }
    }
    log.say("No OMP tool loaded.\n");
    false
}

/// Calls a candidate's `ompt_start_tool`.
fn ask(symbol: *mut c_void) -> Option<*mut StartToolResult> {
    if symbol.is_null() {
        return None;
    }
    // SAFETY: a symbol of this name has this type, says the specification (§4.4.1).
    let start: StartTool = unsafe { std::mem::transmute(symbol) };
    // SAFETY: as above; the version string lives for ever.
    let result = unsafe { start(icv::OPENMP_DATE as u32, VERSION.as_ptr()) };
    (!result.is_null()).then_some(result)
}

/// Loads one library and asks it for a tool. A library that cannot be loaded was named by the user,
/// so it gets a line even where nothing is narrated.
fn open(library: &Path, log: &mut Log) -> Option<*mut StartToolResult> {
    use std::os::unix::ffi::OsStrExt;
    let shown = library.display();
    log.say(&format!("Opening {shown}... "));
    let Ok(name) = CString::new(library.as_os_str().as_bytes()) else {
        complain(log, &shown.to_string(), "its name holds a zero byte");
        return None;
    };
    // SAFETY: loads a library that the user named; its constructors run.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
    if handle.is_null() {
        complain(log, &shown.to_string(), &loader_error());
        return None;
    }
    log.say("Success. \n");
    log.say(&format!("Searching for ompt_start_tool in {shown}... "));
    // SAFETY: the handle was just opened.
    let symbol = unsafe { libc::dlsym(handle, c"ompt_start_tool".as_ptr()) };
    if symbol.is_null() {
        complain(log, &shown.to_string(), &loader_error());
    } else if let Some(result) = ask(symbol) {
        return Some(result);
    } else {
        log.say("Found but not using the OMPT interface.\n");
    }
    // SAFETY: the handle is ours, and nothing of the library is in use.
    unsafe { libc::dlclose(handle) };
    None
}

fn complain(log: &mut Log, library: &str, why: &str) {
    log.say(&format!("Failed: {why}\n"));
    icv::warn(&format!("ferromp: OMP_TOOL_LIBRARIES: {library} is not a tool: {why}; going on without it\n"));
}

fn loader_error() -> String {
    // SAFETY: dlerror returns null or a string that is valid until the next call on this thread.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Calls the tool's initialiser; the tool is active if it answers anything but 0.
fn initialize(result: *mut StartToolResult, whose: &str, log: &mut Log) -> bool {
    // SAFETY: the tool returned the structure and keeps it until its finaliser has run.
    let tool = unsafe { &mut *result };
    let Some(initialize) = tool.initialize else {
        log.say("Tool has no initializer.\n");
        icv::warn(&format!("ferromp: the tool in {whose} has no initialiser; going on without it\n"));
        return false;
    };
    registry::prepare_silence();
    entry::prepare();
    TOOL.store(result, Ordering::Release);
    // SAFETY: the tool's own function with the arguments that the specification names.
    if unsafe { initialize(entry::lookup, entry::INITIAL_DEVICE, &mut tool.tool_data) } == 0 {
        registry::set_active(false);
        TOOL.store(std::ptr::null_mut(), Ordering::Release);
        log.say("Tool was started, but declined to be active.\n");
        return false;
    }
    if FINALIZED.load(Ordering::Acquire) {
        // The initialiser itself ended the tool.
        return false;
    }
    registry::set_active(true);
    log.say("Tool was started and is using the OMPT interface.\n");
    true
}

/// Ends the tool's activity: silence first, then its finaliser, once (§4.6.1.20).
pub fn finalize() {
    let result = TOOL.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if result.is_null() || FINALIZED.swap(true, Ordering::AcqRel) {
        return;
    }
    registry::silence();
    // SAFETY: the tool keeps the structure until its finaliser has run, which is now.
    unsafe {
        if let Some(finalize) = (*result).finalize {
            finalize(&mut (*result).tool_data);
        }
    }
}

/// In a forked child whose parent was activating a tool on another thread: there is no tool here.
pub fn give_up_after_fork() {
    TOOL.store(std::ptr::null_mut(), Ordering::Relaxed);
    registry::set_active(false);
}

/// `omp_control_tool`: hands a command to the tool (OpenMP 5.1 §3.14, §4.5.2.29). Brings the runtime
/// up, so that it works as the first OpenMP call of a program. Answers -2 if no tool is active, -1
/// if the tool has no callback for it, else what the tool says.
///
/// # Safety
/// `argument` is whatever the tool expects with the command; the runtime only passes it on.
pub unsafe fn control_tool(command: c_int, modifier: c_int, argument: *mut c_void, call: Call) -> c_int {
    let _in = Entered::new(thread::current(), call);
    if !registry::active() {
        return NO_TOOL;
    }
    match on::control_tool() {
        // SAFETY: the tool registered the callback for this event.
        Some(callback) => unsafe { callback(command as _, modifier as _, argument, call.codeptr()) },
        None => NO_CALLBACK,
    }
}

/// `omp_control_tool_notool`.
const NO_TOOL: c_int = -2;
/// `omp_control_tool_nocallback`.
const NO_CALLBACK: c_int = -1;
