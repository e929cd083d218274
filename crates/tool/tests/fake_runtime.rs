//! The framework against a runtime that this test plays: what is registered, what arrives, and what
//! happens to a tool that panics. One tool a process, so each case runs in a process of its own.

use ferromp_tool::*;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::process::{Command, Output};
use std::ptr::{null, null_mut};
use std::sync::Mutex as Lock;

static REGISTERED: Lock<Vec<(Event, ompt::Callback)>> = Lock::new(Vec::new());
static ARRIVED: Lock<Vec<String>> = Lock::new(Vec::new());

struct Probe;

fn note(text: String) {
    ARRIVED.lock().unwrap().push(text);
}

impl Tool for Probe {
    const NAME: &'static str = "probe";
    const EVENTS: EventSet = EventSet::of(&[Event::ThreadBegin, Event::Work, Event::Dependences, Event::ControlTool]);

    fn initialize(init: &Init) -> Result<Self, String> {
        if init.runtime_version() == "refuse me" {
            return Err("this runtime will not do".into());
        }
        note(format!("{} {} {}", init.omp_version(), init.runtime_version(), init.initial_device_num()));
        assert_eq!(init.runtime().unique_id(), None, "the fake runtime has no such entry point");
        Ok(Probe)
    }

    fn events(&self) -> EventSet {
        // Error is not among EVENTS, so it is not registered; Work is not wanted now.
        Self::EVENTS.without(Event::Work).with(Event::Error)
    }

    fn registered(&self, event: Event, answer: SetResult) {
        note(format!("{event:?} {answer:?}"));
    }

    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        let slot = thread_data.expect("this panic is part of a test");
        slot.set(slot.get() + 1);
        note(format!("{thread_type:?}"));
    }

    fn dependences(&self, task_data: Option<Slot<'_>>, deps: &[Dependence]) {
        let kinds: Vec<_> = deps.iter().map(|dep| dep.dependence_type).collect();
        note(format!("{} {kinds:?}", task_data.is_some()));
    }

    fn control_tool(&self, command: u64, modifier: u64, _arg: *mut c_void, _ra: CodePtr) -> c_int {
        (command * 10 + modifier) as c_int
    }

    fn finalize(&self) {
        note("finalize".into());
    }
}

tool!(Probe);

unsafe extern "C" {
    fn ompt_start_tool(version: u32, runtime: *const c_char) -> *mut ompt::StartToolResult;
}

unsafe extern "C" fn set_callback(event: Event, callback: ompt::Callback) -> SetResult {
    REGISTERED.lock().unwrap().push((event, callback));
    SetResult::ALWAYS
}

unsafe extern "C" fn lookup(name: *const c_char) -> ompt::InterfaceFn {
    // SAFETY: the framework asks by C strings.
    let name = unsafe { CStr::from_ptr(name) };
    let typed: ompt::SetCallback = set_callback;
    // SAFETY: both are pointers to C functions.
    (name == c"ompt_set_callback").then(|| unsafe { std::mem::transmute(typed) })
}

unsafe extern "C" fn empty_lookup(_name: *const c_char) -> ompt::InterfaceFn {
    None
}

/// Starts the tool as a runtime does.
fn start(version: &CStr, lookup: ompt::FunctionLookup) -> c_int {
    // SAFETY: called as the specification says.
    unsafe {
        let result = ompt_start_tool(202011, version.as_ptr());
        ((*result).initialize.unwrap())(lookup, 7, &raw mut (*result).tool_data)
    }
}

fn callback(event: Event) -> unsafe extern "C" fn() {
    let registered = REGISTERED.lock().unwrap();
    registered.iter().find(|(found, _)| *found == event).and_then(|(_, f)| *f).expect("registered")
}

/// Runs one case in a process of its own.
fn in_process(case: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "case", "--nocapture"])
        .env("FAKE_RUNTIME_CASE", case)
        .output()
        .unwrap()
}

/// The cases; an ordinary run of the tests asks for none.
#[test]
fn case() {
    match std::env::var("FAKE_RUNTIME_CASE").as_deref() {
        Ok("events") => events(),
        Ok("refusal") => assert_eq!(start(c"refuse me", lookup), 0),
        Ok("no entry point") => assert_eq!(start(c"1", empty_lookup), 0),
        Ok("two runtimes") => {
            assert_eq!(start(c"first", lookup), 1);
            assert_eq!(start(c"second", lookup), 0);
        }
        Ok("panic") => {
            assert_eq!(start(c"1", lookup), 1);
            // SAFETY: the event's own signature.
            let thread_begin: ompt::callback::ThreadBegin = unsafe { std::mem::transmute(callback(Event::ThreadBegin)) };
            // SAFETY: null stands for a word that is missing.
            unsafe { thread_begin(Thread::WORKER, null_mut()) };
        }
        _ => {}
    }
}

fn events() {
    assert_eq!(start(c"fake 1.0", lookup), 1);
    let names: Vec<_> = REGISTERED.lock().unwrap().iter().map(|(event, _)| *event).collect();
    assert_eq!(names, [Event::ThreadBegin, Event::ControlTool, Event::Dependences]);
    let mut word = Data { value: 41 };
    let deps = [Dependence { variable: Data::NONE, dependence_type: DependenceType::INOUT }];
    // SAFETY: each function by its event's signature, with arguments as a runtime passes them.
    unsafe {
        let thread_begin: ompt::callback::ThreadBegin = std::mem::transmute(callback(Event::ThreadBegin));
        let dependences: ompt::callback::Dependences = std::mem::transmute(callback(Event::Dependences));
        let control: ompt::callback::ControlTool = std::mem::transmute(callback(Event::ControlTool));
        thread_begin(Thread(99), &mut word);
        dependences(&mut word, deps.as_ptr(), 1);
        dependences(null_mut(), null(), 1);
        dependences(null_mut(), deps.as_ptr(), -1);
        assert_eq!(control(3, 2, null_mut(), null()), 32);
    }
    assert_eq!(word.value(), 42);
    let arrived = ARRIVED.lock().unwrap();
    assert_eq!(
        *arrived,
        [
            "202011 fake 1.0 7",
            "ompt_callback_thread_begin ompt_set_always",
            "ompt_callback_control_tool ompt_set_always",
            "ompt_callback_dependences ompt_set_always",
            "Thread(99)",
            "true [ompt_dependence_type_inout]",
            "false []",
            "false []",
        ]
    );
}

#[test]
fn wanted_events_are_registered_and_arrive() {
    let output = in_process("events");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_tool_that_refuses_stays_inactive_and_says_why() {
    let output = in_process("refusal");
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "ferromp: tool probe stays inactive: this runtime will not do\n");
}

#[test]
fn a_runtime_without_set_callback_is_declined() {
    let output = in_process("no entry point");
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("tool probe stays inactive: the runtime has no ompt_set_callback"), "{errors}");
}

#[test]
fn a_second_runtime_is_declined() {
    let output = in_process("two runtimes");
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("already serves another OpenMP runtime"), "{errors}");
}

#[test]
fn a_panic_ends_the_program_with_one_line_that_names_the_tool() {
    use std::os::unix::process::ExitStatusExt;
    let output = in_process("panic");
    assert_eq!(output.status.signal(), Some(6), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with("ferromp: tool probe panicked at crates/tool/tests"), "{errors}");
    assert!(errors.ends_with(": this panic is part of a test\n"), "{errors}");
}
