//! Device constructs: `target`, `target data`, `target enter data`, `target exit data`, `target update` (OpenMP 5.1
//! §2.14.2–6). The entry points of `abi/tgt` come here; gcc's target constructs go to `fallback.rs`.
//!
//! A construct begins and ends in two steps. `begin_target` or `begin_data` queues on a stream all that is to be done
//! on the device. `finish` follows when that is complete, perhaps on another thread. A synchronous construct takes both
//! steps in one call.

use super::available;
use super::choice::{DeviceClause, chosen};
use super::devices::{Device, Lent};
pub use super::driver::Region;
use super::driver::{Convention, Launch};
use super::fallback::with_nowait;
use super::map::{Context, Failure, Lists, Name, Work, info};
use crate::icv::{self, TargetOffload};
use crate::model::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::objects::call::Call;
use crate::objects::structures::{TargetTool, Task, Thread};
use crate::ompt::{self, Entered};
use crate::task::target::Included;
use crate::{stderr, task, warnings};
use ::ompt::Target;
use std::ffi::c_char;

/// A construct that maps variables without a region on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Data {
    /// The begin of a `target data` region, or `target enter data`.
    Begin,
    /// The end of a `target data` region, or `target exit data`.
    End,
    /// `target update`
    Update,
}

impl Data {
    /// The construct's name in messages, and its kind for tools.
    fn described(self, nowait: bool) -> (&'static str, Target) {
        let (what, kind) = match self {
            Data::Begin => ("target data or target enter data", Target::ENTER_DATA),
            Data::End => ("the end of target data, or target exit data,", Target::EXIT_DATA),
            Data::Update => ("target update", Target::UPDATE),
        };
        (what, with_nowait(kind, nowait))
    }
}

/// The least bytes of memory that each team of every kernel has for itself (`LIBOMPTARGET_SHARED_MEMORY_SIZE`).
static TEAM_MEMORY: AtomicU32 = AtomicU32::new(0);

/// Sets the least bytes that each team of every kernel has for itself.
pub fn set_team_memory(bytes: u32) {
    TEAM_MEMORY.store(bytes, Ordering::Relaxed);
}

/// What all constructs have in common.
#[derive(Clone, Copy)]
pub struct Clauses {
    pub device: DeviceClause,
    pub nowait: bool,
    /// The construct's place, as the compiler writes it: `;file;function;line;column;;`, or null.
    pub source: *const c_char,
}

/// A construct on a device.
pub struct Construct {
    device: &'static Device,
    stream: Lent,
    asynchronous: bool,
    tool: TargetTool,
    /// The construct's variables. Taken when the construct is finished.
    work: Option<Box<Work>>,
    /// Whether a region's variables are to be released later, when the kernel is complete.
    ends_later: bool,
    what: &'static str,
    source: *const c_char,
}

// SAFETY: one thread at a time has the construct; the compiler's text lives for ever, and any thread may use a stream.
unsafe impl Send for Construct {}

/// Executes a target region on a device. False if the host is to execute the region. With `nowait` in a target task,
/// the region goes on after this returns, and completes the task.
///
/// # Safety
/// The lists are as the compiler makes them, and the region's code takes the variables as its arguments.
#[inline]
pub unsafe fn target(thread: &'static Thread, clauses: Clauses, region: &Region, lists: &Lists, call: Call) -> bool {
    task::graph::do_once(thread.task());
    let Some(device) = chosen(thread, clauses.device) else {
        on_host(thread, with_nowait(Target::TARGET, clauses.nowait), call);
        return false;
    };
    if region.convention == Convention::DriversLast && !device.abilities().takes_list {
        refuse(
            thread,
            device,
            clauses,
            "the code for it takes its arguments as this kind of device cannot give them yet",
            call,
        );
        return false;
    }
    // SAFETY: the caller keeps to the `# Safety` section.
    let begin = |construct: &mut Construct, call| unsafe {
        construct.begin_target(thread, region, lists, clauses.nowait, call)
    };
    execute(thread, device, clauses, call, begin);
    true
}

/// Refuses a target region that the compiler describes in an unknown way: the host executes the region. If only a
/// device may, the program ends.
#[cold]
pub fn refuse_target(thread: &'static Thread, clauses: Clauses, why: &str, call: Call) {
    match chosen(thread, clauses.device) {
        Some(device) => refuse(thread, device, clauses, why, call),
        None => on_host(thread, with_nowait(Target::TARGET, clauses.nowait), call),
    }
}

#[cold]
fn refuse(thread: &'static Thread, device: &Device, clauses: Clauses, why: &str, call: Call) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    let what = format!("ferromp: a target region{} on device {}: {why}", place_of(clauses.source), device.number());
    if icv::settings().target_offload == TargetOffload::Mandatory {
        stderr::write_stderr(&format!("{what} (OMP_TARGET_OFFLOAD is mandatory); the program ends\n"));
        stderr::terminate();
    }
    if !WARNED.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!("{what}; the host executes it, and others like it\n"));
    }
    on_host(thread, with_nowait(Target::TARGET, clauses.nowait), call);
}

/// ` at file:line`, if the compiler says.
fn place_of(source: *const c_char) -> String {
    // SAFETY: the compiler's text, or null.
    match unsafe { Name::new(source) }.source() {
        Some((file, line)) => format!(" at {file}:{line}"),
        None => String::new(),
    }
}

/// Executes a construct that maps variables, as [`target`]. With the host as the device there is nothing to map.
///
/// # Safety
/// The lists are as the compiler makes them, and the variables exist.
#[inline]
pub unsafe fn data(thread: &'static Thread, clauses: Clauses, what: Data, lists: &Lists, call: Call) {
    task::graph::do_once(thread.task());
    let Some(device) = chosen(thread, clauses.device) else {
        return on_host(thread, what.described(clauses.nowait).1, call);
    };
    // SAFETY: the caller keeps to the `# Safety` section.
    let begin =
        |construct: &mut Construct, call| unsafe { construct.begin_data(thread, what, lists, clauses.nowait, call) };
    execute(thread, device, clauses, call, begin);
}

/// Reports a construct whose device is the host. The program itself does the rest.
#[cold]
fn on_host(thread: &'static Thread, kind: Target, call: Call) {
    let _in = Entered::new(thread, call);
    let task = Included::new(thread, call);
    ompt::target_run_by_program(thread, kind, available::host(), task.call(call));
}

#[inline(always)]
fn execute(
    thread: &'static Thread,
    device: &'static Device,
    clauses: Clauses,
    call: Call,
    begin: impl FnOnce(&mut Construct, Call),
) {
    let _in = Entered::new(thread, call);
    if clauses.nowait
        && let Some(task) = task::target::may_be_left(thread)
    {
        begin_and_leave(thread, device, clauses, task, |construct| begin(construct, call));
        return;
    }
    let task = Included::new(thread, call);
    let mut construct = Construct::new(device, false, clauses.source);
    begin(&mut construct, task.call(call));
    construct.finish(thread);
}

/// Begins the construct, and leaves its task. When the operations on the device are complete, the stream's job finishes
/// the construct and completes the task.
#[cold]
fn begin_and_leave(
    thread: &Thread,
    device: &'static Device,
    clauses: Clauses,
    task: &'static Task,
    begin: impl FnOnce(&mut Construct),
) {
    let mut construct = Box::new(Construct::new(device, true, clauses.source));
    begin(&mut construct);
    thread.tool.leave_target(&construct.tool);
    let stream = construct.stream.stream();
    let rest = move |thread: &'static Thread| {
        thread.tool.enter_target(&construct.tool);
        construct.finish(thread);
    };
    stream.then(task::target::leave(task, Box::new(rest)));
}

impl Construct {
    /// A construct that has not begun. The construct must not move between begin and end.
    #[inline]
    fn new(device: &'static Device, asynchronous: bool, source: *const c_char) -> Self {
        Construct {
            device,
            stream: device.stream(asynchronous),
            asynchronous,
            tool: TargetTool::default(),
            work: None,
            ends_later: false,
            what: "",
            source,
        }
    }

    /// Begins a target region: queues all that [`finish`](Self::finish) waits for.
    ///
    /// # Safety
    /// As for [`target`]; the variables exist until the construct is finished. The lists need not.
    unsafe fn begin_target(&mut self, thread: &Thread, region: &Region, lists: &Lists, nowait: bool, call: Call) {
        let described = ("a target region", with_nowait(Target::TARGET, nowait));
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.report_begin(thread, described, lists, call) };
        let Some(kernel) = self.device.kernel(region.id) else {
            self.fail(&Failure::Device(String::from("there is no code of it for this device")));
        };
        let mut work = self.device.works.take();
        let context = self.context();
        // SAFETY: the caller keeps to the `# Safety` section.
        let begun = unsafe {
            work.begin(&context, lists, true).and_then(|()| work.make_arguments(&context, region.convention.leading()))
        };
        self.check(begun);
        let dynamic_memory = region.dynamic_memory.max(TEAM_MEMORY.load(Ordering::Relaxed));
        let launch = Launch { kernel, arguments: &work.arguments, region: &Region { dynamic_memory, ..*region } };
        let note = ompt::submit_begin(&self.tool, region.num_teams);
        let state = (!self.asynchronous).then(|| self.tool.waiting(thread));
        // SAFETY: the arguments are those of the region's code, by the caller.
        let launched = unsafe { self.stream.launch(&launch, note) };
        drop(state);
        ompt::submit_end(&self.tool, region.num_teams);
        self.check(launched.map_err(Failure::Device));
        if self.asynchronous && self.device.abilities().queues {
            // Until the kernel is complete, no other construct may release the last reference and copy back.
            self.ends_later = true;
        } else {
            if !self.asynchronous {
                self.wait(thread, &work);
            }
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { work.end_region(&context) };
        }
        self.work = Some(work);
    }

    /// Begins a construct that maps variables, as [`begin_target`](Self::begin_target).
    ///
    /// # Safety
    /// As for [`data`]; the variables exist until the construct is finished. The lists need not.
    unsafe fn begin_data(&mut self, thread: &Thread, what: Data, lists: &Lists, nowait: bool, call: Call) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.report_begin(thread, what.described(nowait), lists, call) };
        let mut work = self.device.works.take();
        let context = self.context();
        // SAFETY: the caller keeps to the `# Safety` section.
        let begun = unsafe {
            match what {
                Data::Begin => work.begin(&context, lists, false),
                Data::End => work.end(&context, lists),
                Data::Update => work.update(&context, lists, call.codeptr() as usize),
            }
        };
        self.check(begun);
        self.work = Some(work);
    }

    /// Reports the construct to tools, and displays its variables on request.
    ///
    /// # Safety
    /// The lists are as the compiler makes them.
    #[inline]
    unsafe fn report_begin(
        &mut self,
        thread: &Thread,
        (what, kind): (&'static str, Target),
        lists: &Lists,
        call: Call,
    ) {
        self.what = what;
        ompt::target_begin(thread, &self.tool, kind, self.device.number(), call);
        if info::is_on() {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { info::arguments(self.device, what, lists) };
        }
    }

    /// Ends the construct, after waiting for all that was queued. Another thread than the one that began the construct
    /// calls [`enter_target`](crate::objects::structures::ThreadTool::enter_target) first.
    fn finish(&mut self, thread: &Thread) {
        let Some(mut work) = self.work.take() else { return };
        self.wait(thread, &work);
        let context = self.context();
        if self.ends_later {
            // SAFETY: the contract of `begin_target`.
            unsafe { work.end_region(&context) };
            self.wait(thread, &work);
        }
        work.finish(&context);
        ompt::target_end(thread, &self.tool);
        self.device.works.give(work);
    }

    fn context(&self) -> Context<'_> {
        let queues = self.asynchronous || self.device.abilities().queues;
        Context {
            device: self.device,
            stream: &*self.stream,
            asynchronous: self.asynchronous,
            queues,
            tool: &self.tool,
        }
    }

    fn wait(&self, thread: &Thread, work: &Work) {
        let _state = self.tool.waiting(thread);
        let waited = self.stream.wait();
        self.check(waited.map_err(|why| match self.stream.culprit().and_then(|host| work.variable_at(host)) {
            Some(variable) => Failure::Transfer { variable, why },
            None => Failure::Device(why),
        }));
    }

    fn check(&self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.fail(&failure);
        }
    }

    /// Ends the program, because what has been done on the device cannot be undone.
    #[cold]
    fn fail(&self, failure: &Failure) -> ! {
        if info::level() & info::kind::TABLE != 0 {
            info::table(self.device);
        }
        let place = place_of(self.source);
        let refused = if failure.is_about_memory() { self.device.driver().refused() } else { None };
        let refused = refused.map_or(String::new(), |why| format!(" ({why})"));
        let (what, number) = (self.what, self.device.number());
        stderr::write_stderr(&format!(
            "ferromp: {what}{place} on device {number}: {failure}{refused}; the program ends\n"
        ));
        stderr::terminate();
    }
}
