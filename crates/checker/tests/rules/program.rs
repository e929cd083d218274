//! The program that a test plays: the runtime's entry points that the checker asks, and the events of an orderly
//! program.

pub use ferromp_tool::ompt::{self, *};
use std::ffi::{CStr, CString, c_char};
pub use std::ffi::{c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
pub use std::ptr::{null, null_mut};
use std::sync::Mutex as Lock;
pub use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicPtr};

pub static REGISTERED: Lock<[Callback; Event::COUNT]> = Lock::new([None; Event::COUNT]);
/// What the entry points answer: the data words of the thread, the current task and its region.
pub static THREAD: AtomicPtr<Data> = AtomicPtr::new(null_mut());
pub static TASK: AtomicPtr<Data> = AtomicPtr::new(null_mut());
pub static REGION: AtomicPtr<Data> = AtomicPtr::new(null_mut());

/// What the thread does.
pub static STATE: AtomicI32 = AtomicI32::new(State::OVERHEAD.0);

/// A place in the program's code, as far as the checker can tell.
pub const CODE: *const c_void = std::ptr::without_provenance(0x1000);

unsafe extern "C" fn set_callback(event: Event, callback: Callback) -> SetResult {
    REGISTERED.lock().unwrap()[event.0 as usize - 1] = callback;
    SetResult::ALWAYS
}

unsafe extern "C" fn get_thread_data() -> *mut Data {
    THREAD.load(Relaxed)
}

unsafe extern "C" fn get_state(_wait_id: *mut WaitId) -> c_int {
    STATE.load(Relaxed)
}

unsafe extern "C" fn get_parallel_info(_level: c_int, data: *mut *mut Data, size: *mut c_int) -> c_int {
    if REGION.load(Relaxed).is_null() {
        return 0;
    }
    // SAFETY: the framework passes variables to write to.
    unsafe {
        *data = REGION.load(Relaxed);
        *size = 1;
    }
    2
}

unsafe extern "C" fn get_task_info(
    _level: c_int,
    _flags: *mut c_int,
    task: *mut *mut Data,
    _frame: *mut *mut Frame,
    region: *mut *mut Data,
    _thread_num: *mut c_int,
) -> c_int {
    if TASK.load(Relaxed).is_null() {
        return 0;
    }
    // SAFETY: the framework passes variables to write to.
    unsafe {
        *task = TASK.load(Relaxed);
        *region = REGION.load(Relaxed);
    }
    2
}

unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    // SAFETY: the framework asks by C strings.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap();
    let found = match name {
        "ompt_set_callback" => set_callback as SetCallback as *const (),
        "ompt_get_thread_data" => get_thread_data as GetThreadData as *const (),
        "ompt_get_state" => get_state as GetState as *const (),
        "ompt_get_parallel_info" => get_parallel_info as GetParallelInfo as *const (),
        "ompt_get_task_info" => get_task_info as GetTaskInfo as *const (),
        _ => return None,
    };
    // SAFETY: a pointer to a C function, typed again by the framework according to its name.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn()>(found) })
}

/// A data word that is never freed.
pub fn word() -> *mut Data {
    Box::leak(Box::new(Data::NONE))
}

/// Calls the checker's function for an event.
macro_rules! event {
    ($event:ident, $( $arg:expr ),* $(,)?) => {{
        let function = REGISTERED.lock().unwrap()[Event::$event.0 as usize - 1];
        let function = function.expect(concat!(stringify!($event), " is registered"));
        // SAFETY: the checker registered a function of this event's signature, and the arguments are
        // as a runtime passes them.
        unsafe {
            std::mem::transmute::<unsafe extern "C" fn(), ompt::callback::$event>(function)($( $arg ),*)
        };
    }};
}
pub(crate) use event;

/// Starts the checker and gives its result for the finaliser.
pub fn start(version: c_uint) -> *mut StartToolResult {
    let test = std::env::current_exe().expect("a test knows its file");
    let path = test.with_file_name("libferromp_checker.so");
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: opens the checker, finds its entry, and calls it as the specification says.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert!(!library.is_null(), "libferromp_checker.so does not load");
        let entry = libc::dlsym(library, c"ompt_start_tool".as_ptr());
        assert!(!entry.is_null());
        let entry: StartTool = std::mem::transmute::<*mut c_void, StartTool>(entry);
        let result = entry(version, c"played by a test".as_ptr());
        assert_eq!(((*result).initialize.unwrap())(lookup, 0, &raw mut (*result).tool_data), 1);
        result
    }
}

pub const INITIAL: c_int = TaskFlag::INITIAL.0;
pub const IMPLICIT: c_int = TaskFlag::IMPLICIT.0;
pub const EXPLICIT: c_int = TaskFlag::EXPLICIT.0;
pub const TEAM: c_int = ParallelFlag::TEAM.0 | ParallelFlag::INVOKER_RUNTIME.0;
pub use ScopeEndpoint as End;

/// The initial task and a region of one thread around it, with a place for a fault.
pub struct Program {
    pub initial: *mut Data,
    pub region: *mut Data,
    pub implicit: *mut Data,
    pub frame: Frame,
}

impl Program {
    pub fn begin() -> Program {
        let frame = Frame { enter_frame: Data { value: 1 }, ..Frame::NONE };
        let program = Program { initial: word(), region: word(), implicit: word(), frame };
        THREAD.store(word(), Relaxed);
        event!(ThreadBegin, Thread::INITIAL, THREAD.load(Relaxed));
        TASK.store(program.initial, Relaxed);
        event!(ImplicitTask, End::BEGIN, null_mut(), program.initial, 1, 1, INITIAL);
        program
    }

    pub fn fork(&self, index: u32) {
        event!(ParallelBegin, self.initial, &self.frame, self.region, 1, TEAM, CODE);
        TASK.store(self.implicit, Relaxed);
        REGION.store(self.region, Relaxed);
        event!(ImplicitTask, End::BEGIN, self.region, self.implicit, 1, index, IMPLICIT);
    }

    pub fn leave(&self) {
        event!(ImplicitTask, End::END, null_mut(), self.implicit, 0, 0, IMPLICIT);
        TASK.store(self.initial, Relaxed);
        REGION.store(null_mut(), Relaxed);
    }

    pub fn join(&self) {
        self.leave();
        event!(ParallelEnd, self.region, self.initial, TEAM, CODE);
    }

    pub fn end(&self) {
        event!(ImplicitTask, End::END, null_mut(), self.initial, 0, 1, INITIAL);
        event!(ThreadEnd, THREAD.load(Relaxed));
    }

    pub fn sync(&self, kind: SyncRegion, end: End) {
        event!(SyncRegion, kind, end, self.region, self.implicit, CODE);
    }

    pub fn wait(&self, kind: SyncRegion, end: End) {
        event!(SyncRegionWait, kind, end, self.region, self.implicit, CODE);
    }

    pub fn work(&self, kind: Work, end: End) {
        event!(Work, kind, end, self.region, self.implicit, 1, CODE);
    }

    pub fn create(&self) -> *mut Data {
        let task = word();
        event!(TaskCreate, self.implicit, &self.frame, task, EXPLICIT, 0, CODE);
        task
    }

    pub fn depends(&self, kind: DependenceType) -> *mut Data {
        let task = word();
        event!(TaskCreate, self.implicit, &self.frame, task, EXPLICIT, 1, CODE);
        let dependence = Dependence { variable: Data { value: 0x2000 }, dependence_type: kind };
        event!(Dependences, task, &dependence, 1);
        task
    }

    pub fn switch(&self, from: *mut Data, status: TaskStatus, to: *mut Data) {
        event!(TaskSchedule, from, status, to);
        TASK.store(to, Relaxed);
    }

    pub fn run(&self, task: *mut Data) {
        self.switch(self.implicit, TaskStatus::SWITCH, task);
        self.switch(task, TaskStatus::COMPLETE, self.implicit);
    }
}

impl Program {
    pub fn target(&self, end: End, kind: Target, device: c_int, target: *mut Data) {
        self.target_in(null_mut(), end, kind, device, target);
    }

    /// In a target task of the initial task.
    pub fn target_in(&self, task: *mut Data, end: End, kind: Target, device: c_int, target: *mut Data) {
        event!(TargetEmi, kind, end, device, self.initial, task, target, CODE);
    }

    /// A target task of `parent`, not begun.
    pub fn create_target(&self, parent: *mut Data) -> *mut Data {
        let task = word();
        event!(TaskCreate, parent, &self.frame, task, TaskFlag::TARGET.0 | TaskFlag::UNDEFERRED.0, 0, CODE);
        task
    }

    pub fn submit(&self, end: End, target: *mut Data, op: *mut Id) {
        event!(TargetSubmitEmi, end, target, op, 0);
    }

    pub fn copy(&self, end: End, kind: TargetDataOp, to: c_int, target: *mut Data, op: *mut Id) {
        event!(TargetDataOpEmi, end, null_mut(), target, op, kind, null_mut(), 1, null_mut(), to, 8, CODE);
    }
}

pub fn operation() -> *mut Id {
    Box::leak(Box::new(0))
}
