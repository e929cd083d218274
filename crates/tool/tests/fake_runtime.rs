//! The framework against a runtime that this test plays: what is registered, what arrives, and what
//! happens to a tool that panics. One tool a process, so each case runs in a process of its own.

use ferromp_tool::*;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::process::{Command, Output};
use std::ptr::{null, null_mut};
use std::sync::Mutex as Lock;

static REGISTERED: Lock<Vec<(Event, ompt::Callback)>> = Lock::new(Vec::new());
static ARRIVED: Lock<Vec<String>> = Lock::new(Vec::new());

struct Probe {
    runtime: Runtime<Probe>,
    tasks: Pool<Lock<Vec<String>>>,
}

fn note(text: String) {
    ARRIVED.lock().unwrap().push(text);
}

#[tool]
impl Tool for Probe {
    const NAME: &'static str = "probe";
    type TaskData = Box<Lock<Vec<String>>>;

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        if init.runtime_version() == "refuse me" {
            return Err("this runtime will not do".into());
        }
        note(format!("{} {} {}", init.omp_version(), init.runtime_version(), init.initial_device_num()));
        assert_eq!(init.runtime().unique_id(), None, "the fake runtime has no such entry point");
        assert_eq!(init.runtime().construct_function(), None, "ferromp alone has this entry point");
        assert!(!init.runtime().names_construct_functions());
        assert_eq!(init.runtime().sections(), None, "and this one");
        assert_eq!(init.runtime().listen(Event::Work), SetResult::ERROR, "there is no tool yet");
        Ok(Probe { runtime: init.runtime(), tasks: Pool::new() })
    }

    fn events(&self) -> EventSet {
        // Error has no method, so it is not registered; Work is not wanted now.
        EventSet::ALL.without(Event::Work)
    }

    fn registered(&self, event: Event, answer: SetResult) {
        note(format!("{event:?} {answer:?}"));
    }

    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        let slot = thread_data.expect("this panic is part of a test");
        slot.set(slot.get() + 1);
        note(format!("{thread_type:?}"));
    }

    #[cfg(any())]
    fn flush(&self, _thread_data: Option<Slot<'_>>, _ra: CodePtr) {}

    fn work(
        &self,
        work_type: Work,
        _endpoint: ScopeEndpoint,
        _parallel_data: Option<Slot<'_>>,
        _task_data: Option<Slot<'_, Self::TaskData>>,
        count: u64,
        _ra: CodePtr,
    ) {
        note(format!("{work_type:?} {count}"));
    }

    fn target_data_op_emi(
        &self,
        endpoint: ScopeEndpoint,
        _target_task_data: Option<Slot<'_, Self::TaskData>>,
        _target_data: Option<Slot<'_>>,
        host_op_id: Option<Slot<'_>>,
        op: DataOp,
        codeptr_ra: CodePtr,
    ) {
        host_op_id.expect("the fake runtime has one").set(77);
        note(format!("{endpoint:?} {:?} {} bytes to {:#x} at {codeptr_ra:?}", op.optype, op.bytes, op.dest_addr));
    }

    fn target_map(&self, target_id: Id, mappings: Mappings<'_>, _ra: CodePtr) {
        note(format!("{target_id} {:?}", mappings.iter().map(|one| (one.bytes, one.flags)).collect::<Vec<_>>()));
    }

    fn dispatch(&self, _: Option<Slot<'_>>, task: Option<Slot<'_, Self::TaskData>>, _: Dispatch, instance: Instance) {
        let task = task.expect("the fake runtime has one");
        let mut seen = self.tasks.fill(task).lock().unwrap();
        seen.push(format!("{instance:?}"));
        note(seen.join(", "));
    }

    fn dependences(&self, task_data: Option<Slot<'_, Self::TaskData>>, deps: &[Dependence]) {
        let kinds: Vec<_> = deps.iter().map(|dep| dep.dependence_type).collect();
        note(format!("{} {kinds:?}", task_data.is_some()));
    }

    fn control_tool(&self, command: ControlTool, modifier: u64, _arg: *mut c_void, _ra: CodePtr) -> ControlToolResult {
        // The methods that are not there cannot be listened to.
        assert_eq!(self.runtime.listen(Event::Flush), SetResult::ERROR);
        assert_eq!(self.runtime.listen(Event::Work), SetResult::ALWAYS);
        ControlToolResult(command.0 * 10 + modifier as c_int)
    }

    fn finalize(&self) {
        note("finalize".into());
    }
}

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
            let thread_begin: ompt::callback::ThreadBegin =
                unsafe { std::mem::transmute(callback(Event::ThreadBegin)) };
            // SAFETY: null stands for a word that is missing.
            unsafe { thread_begin(Thread::WORKER, null_mut()) };
        }
        _ => {}
    }
}

fn events() {
    assert_eq!(start(c"fake 1.0", lookup), 1);
    let names: Vec<_> = REGISTERED.lock().unwrap().iter().map(|(event, _)| *event).collect();
    assert_eq!(
        names,
        [
            Event::ThreadBegin,
            Event::ControlTool,
            Event::Dependences,
            Event::TargetMap,
            Event::Dispatch,
            Event::TargetDataOpEmi
        ]
    );
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
        let work: ompt::callback::Work = std::mem::transmute(callback(Event::Work));
        work(Work::LOOP, ScopeEndpoint::BEGIN, null_mut(), null_mut(), 100, null());
        // Kinds of later versions come as their numbers.
        work(Work(99), ScopeEndpoint::BEGIN, null_mut(), null_mut(), 7, null());
    }
    assert_eq!(word.value(), 42);
    devices();
    boxes();
    let arrived = ARRIVED.lock().unwrap();
    assert_eq!(
        *arrived,
        [
            "202011 fake 1.0 7",
            "ompt_callback_thread_begin ompt_set_always",
            "ompt_callback_control_tool ompt_set_always",
            "ompt_callback_dependences ompt_set_always",
            "ompt_callback_target_map ompt_set_always",
            "ompt_callback_dispatch ompt_set_always",
            "ompt_callback_target_data_op_emi ompt_set_always",
            "Thread(99)",
            "true [ompt_dependence_type_inout]",
            "false []",
            "false []",
            "ompt_work_loop 100",
            "Work(99) 7",
            "ompt_scope_begin ompt_target_data_alloc 64 bytes to 0x2000 at 0x10",
            "ScopeEndpoint(9) TargetDataOp(99) 32 bytes to 0x2000 at 0x10",
            "5 [(8, ompt_target_map_flag_to), (16, ompt_target_map_flag_always|ompt_target_map_flag_to|0x1000)]",
            "Iteration(3)",
            "Iteration(3), Section(0x99)",
            "Iteration(3), Section(0x99), Chunk(DispatchChunk { start: 4, iterations: 2 })",
        ]
    );
}

/// Events of devices, whose arguments come to methods in other forms than C's.
fn devices() {
    let (mut id, mut hosts, mut bytes, mut flags) = (0, [null_mut(), null_mut()], [8, 16], [1, 0x1041]);
    // SAFETY: as in `events`.
    unsafe {
        let op: ompt::callback::TargetDataOpEmi = std::mem::transmute(callback(Event::TargetDataOpEmi));
        let (to, at) = (0x2000 as *mut c_void, 0x10 as *const c_void);
        let optype = ompt::TargetDataOp::ALLOC;
        op(ScopeEndpoint::BEGIN, null_mut(), null_mut(), &mut id, optype, null_mut(), 0, to, 1, 64, at);
        op(ScopeEndpoint(9), null_mut(), null_mut(), &mut id, ompt::TargetDataOp(99), null_mut(), 0, to, 1, 32, at);
        let map: ompt::callback::TargetMap = std::mem::transmute(callback(Event::TargetMap));
        map(5, 2, hosts.as_mut_ptr(), null_mut(), bytes.as_mut_ptr(), flags.as_mut_ptr(), null());
    }
    assert_eq!(id, 77);
}

/// A task whose word holds a box.
fn boxes() {
    let mut word = Data::NONE;
    let mut chunk = DispatchChunk { start: 4, iterations: 2 };
    // SAFETY: as in `events`.
    unsafe {
        let dispatch: ompt::callback::Dispatch = std::mem::transmute(callback(Event::Dispatch));
        dispatch(null_mut(), &mut word, Dispatch::ITERATION, Data { value: 3 });
        dispatch(null_mut(), &mut word, Dispatch::SECTION, Data { value: 0x99 });
        dispatch(null_mut(), &mut word, Dispatch::WS_LOOP_CHUNK, Data { ptr: (&raw mut chunk).cast() });
    }
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
