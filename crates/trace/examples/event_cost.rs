//! Measures what the recorder costs an event: opens `libferromp-trace.so`, plays the runtime, and calls its callbacks.
//! Usage: `event_cost PATH-OF-THE-RECORDER [EVENTS]`; records into a folder under the temporary folder, which it
//! removes.

use ferromp_tool::ompt::{
    self, Data, Event, Mutex, ScopeEndpoint, SetResult, SyncRegion, TaskFlag, TaskStatus, callback,
};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Mutex as StdMutex;
use std::time::Instant;

/// What the recorder registered: `(event, function)`.
static CALLBACKS: StdMutex<Vec<(Event, usize)>> = StdMutex::new(Vec::new());

unsafe extern "C" fn set_callback(event: Event, callback: Option<unsafe extern "C" fn()>) -> SetResult {
    if let Some(callback) = callback {
        CALLBACKS.lock().unwrap().push((event, callback as usize));
    }
    SetResult::ALWAYS
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<unsafe extern "C" fn()> {
    // SAFETY: the tool passes a C string.
    let name = unsafe { CStr::from_ptr(name) };
    let set: ompt::SetCallback = set_callback;
    // SAFETY: a function pointer stays one; the tool casts it back by its name.
    (name == c"ompt_set_callback")
        .then(|| unsafe { std::mem::transmute::<ompt::SetCallback, unsafe extern "C" fn()>(set) })
}

fn registered(event: Event) -> usize {
    let callbacks = CALLBACKS.lock().unwrap();
    callbacks.iter().find(|(known, _)| *known == event).expect("the recorder wants this event").1
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("usage: event_cost PATH-OF-THE-RECORDER [EVENTS]");
    let events: u64 = arguments.next().map_or(3_000_000, |count| count.parse().expect("a number of events"));
    let dir = std::env::temp_dir().join(format!("ferromp-event-cost-{}", std::process::id()));
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("FERROMP_TRACE_DIR", &dir) };
    let path = CString::new(path).expect("a path");
    // SAFETY: opens a library that the user named.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null(), "cannot open {path:?}");
    // SAFETY: the library is open; the symbol, if there, has the type that OMPT gives it.
    let start = unsafe { libc::dlsym(library, c"ompt_start_tool".as_ptr()) };
    assert!(!start.is_null(), "{path:?} is no OMPT tool");
    type StartTool = unsafe extern "C" fn(u32, *const c_char) -> *mut ompt::StartToolResult;
    // SAFETY: as above.
    let start = unsafe { std::mem::transmute::<*mut c_void, StartTool>(start) };
    // SAFETY: called as a runtime calls it.
    let result = unsafe { &mut *start(202011, c"event_cost".as_ptr()) };
    // SAFETY: as above.
    let answer = unsafe { result.initialize.expect("an initialiser")(lookup, -1, &mut result.tool_data) };
    assert_eq!(answer, 1, "the recorder stays inactive");

    // SAFETY: the functions are used by the types of their events, with arguments as a runtime passes them.
    unsafe {
        let sync = std::mem::transmute::<usize, callback::SyncRegion>(registered(Event::SyncRegion));
        let acquired = std::mem::transmute::<usize, callback::MutexAcquired>(registered(Event::MutexAcquired));
        let create = std::mem::transmute::<usize, callback::TaskCreate>(registered(Event::TaskCreate));
        let schedule = std::mem::transmute::<usize, callback::TaskSchedule>(registered(Event::TaskSchedule));
        let (mut parallel, mut task) = (Data::NONE, Data::NONE);
        let codeptr = main as fn() as *const c_void;
        measure("sync_region", events, || {
            sync(SyncRegion::BARRIER_EXPLICIT, ScopeEndpoint::BEGIN, &mut parallel, &mut task, codeptr)
        });
        measure("mutex_acquired", events, || acquired(Mutex::CRITICAL, 0x1000, codeptr));
        measure("task_create", events, || {
            let mut new = Data::NONE;
            create(&mut task, std::ptr::null(), &mut new, 4 as c_int, 0, codeptr)
        });
        let undeferred = (TaskFlag::EXPLICIT | TaskFlag::UNDEFERRED).0;
        measure("a task in place", events, || {
            let mut new = Data::NONE;
            create(&mut task, std::ptr::null(), &mut new, undeferred, 0, codeptr);
            schedule(&mut task, TaskStatus::SWITCH, &mut new);
            schedule(&mut new, TaskStatus::COMPLETE, &mut task);
        });
        result.finalize.expect("a finaliser")(&mut result.tool_data);
    }
    let trace = ferromp_trace::reader::Trace::open(&dir).expect("the trace is there");
    println!("{:.2} bytes an event", trace.bytes() as f64 / (6 * events) as f64);
    std::fs::remove_dir_all(&dir).expect("the folder goes");
}

/// Prints the mean and the best of ten parts, in nanoseconds a call of `event`. A task in place has three events.
fn measure(name: &str, events: u64, mut event: impl FnMut()) {
    let part = events.div_ceil(10);
    let parts: Vec<f64> = (0..10)
        .map(|_| {
            let start = Instant::now();
            (0..part).for_each(|_| event());
            start.elapsed().as_nanos() as f64 / part as f64
        })
        .collect();
    let best = parts.iter().copied().fold(f64::MAX, f64::min);
    println!("{name:16} {:6.1} ns, {best:6.1} ns at best", parts.iter().sum::<f64>() / 10.0);
}
