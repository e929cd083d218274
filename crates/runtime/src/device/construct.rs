//! Device constructs: `target`, `target data`, `target enter data`, `target exit data`, `target update` (OpenMP 5.1
//! §2.14.2–6). Both ABIs' entry points come here.
//!
//! A construct is a value that begins, and ends later: `begin_target` or `begin_data` queues on a stream all that is to
//! be done on the device, and `finish` follows when that is complete, on whatever thread. A synchronous one does both
//! in one call.

use super::driver::{Convention, Fallback, Launch};
use super::map::{Context, Failure, Lists, Name, Work, info};
use super::{Device, DeviceClause, Lent, chosen};
use crate::device;
use crate::icv::{self, TargetOffload};
use crate::model::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::objects::call::Call;
use crate::objects::structures::TargetTool;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::ompt;
use crate::ompt::Entered;
use crate::task;
use crate::task::target::Included;
use crate::{stderr, warnings};
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
    fn describe(self) -> &'static str {
        match self {
            Data::Begin => "target data or target enter data",
            Data::End => "the end of target data, or target exit data,",
            Data::Update => "target update",
        }
    }

    fn for_tools(self, nowait: bool) -> Target {
        match (self, nowait) {
            (Data::Begin, false) => Target::ENTER_DATA,
            (Data::Begin, true) => Target::ENTER_DATA_NOWAIT,
            (Data::End, false) => Target::EXIT_DATA,
            (Data::End, true) => Target::EXIT_DATA_NOWAIT,
            (Data::Update, false) => Target::UPDATE,
            (Data::Update, true) => Target::UPDATE_NOWAIT,
        }
    }
}

/// A target region, as the compiler describes it.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The address by which the program knows its code.
    pub id: usize,
    /// The `num_teams` clause, 0 where it leaves that open; 1 for a region that is no league.
    pub num_teams: u32,
    /// The `thread_limit` clause, 0 where it leaves that open.
    pub thread_limit: u32,
    /// Iterations of its loop, 0 if there is none or they are not known.
    pub trip_count: u64,
    /// Bytes of memory that each team wants for itself, and what it has where those cannot be had.
    pub dynamic_memory: u32,
    pub fallback: Fallback,
    /// How its code takes its arguments.
    pub convention: Convention,
}

/// Bytes of memory that each team of every kernel has for itself, at least (`LIBOMPTARGET_SHARED_MEMORY_SIZE`).
static TEAM_MEMORY: AtomicU32 = AtomicU32::new(0);

/// Sets how many bytes each team of every kernel has for itself, at least.
pub fn set_team_memory(bytes: u32) {
    TEAM_MEMORY.store(bytes, Ordering::Relaxed);
}

fn kind_of_target(nowait: bool) -> Target {
    if nowait { Target::TARGET_NOWAIT } else { Target::TARGET }
}

/// What all constructs say of themselves.
#[derive(Clone, Copy)]
pub struct Clauses {
    pub device: DeviceClause,
    pub nowait: bool,
    /// Where it is, as the compiler notes it: `;file;function;line;column;;`, or null.
    pub source: *const c_char,
}

/// A construct on a device.
pub struct Construct {
    device: &'static Device,
    stream: Lent,
    asynchronous: bool,
    tool: TargetTool,
    /// There until the construct is finished.
    work: Option<Box<Work>>,
    /// A region whose end, as far as its variables are concerned, is still to come: when its kernel is complete.
    ends_later: bool,
    what: &'static str,
    source: *const c_char,
}

// SAFETY: one thread at a time has it; the compiler's text stays, and streams may be used from any thread.
unsafe impl Send for Construct {}

/// Executes a target region on a device. False if the host is to execute it. With `nowait` in a target task, the region
/// goes on after this returns, and completes the task.
///
/// # Safety
/// The lists and variables are as said, and the region's code takes them as its arguments.
#[inline]
pub unsafe fn target(thread: &'static Thread, clauses: Clauses, region: &Region, lists: &Lists, call: Call) -> bool {
    task::graph::do_once(thread.task());
    let Some(device) = chosen(thread, clauses.device) else {
        on_host(thread, kind_of_target(clauses.nowait), call);
        return false;
    };
    if !device.driver().takes(region.convention) {
        refuse(
            thread,
            device,
            clauses,
            "the code for it takes its arguments as this kind of device cannot give them yet",
            call,
        );
        return false;
    }
    // SAFETY: the caller's.
    let begin = |construct: &mut Construct, call| unsafe {
        construct.begin_target(thread, region, lists, clauses.nowait, call)
    };
    execute(thread, device, clauses, call, begin);
    true
}

/// The compiler describes a target region in a way that is not known: the host executes it. Where only a device may,
/// the program ends.
#[cold]
pub fn refuse_target(thread: &'static Thread, clauses: Clauses, why: &str, call: Call) {
    match chosen(thread, clauses.device) {
        Some(device) => refuse(thread, device, clauses, why, call),
        None => on_host(thread, kind_of_target(clauses.nowait), call),
    }
}

#[cold]
fn refuse(thread: &'static Thread, device: &Device, clauses: Clauses, why: &str, call: Call) {
    static SAID: AtomicBool = AtomicBool::new(false);
    let what = format!("ferromp: a target region{} on device {}: {why}", place_of(clauses.source), device.number());
    if icv::settings().target_offload == TargetOffload::Mandatory {
        stderr::write_stderr(&format!("{what} (OMP_TARGET_OFFLOAD is mandatory); the program ends\n"));
        stderr::terminate();
    }
    if !SAID.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!("{what}; the host executes it, and others like it\n"));
    }
    on_host(thread, kind_of_target(clauses.nowait), call);
}

/// ` at file:line`, if the compiler says.
fn place_of(source: *const c_char) -> String {
    // SAFETY: the compiler's text, or null.
    match unsafe { Name::new(source) }.source() {
        Some((file, line)) => format!(" at {file}:{line}"),
        None => String::new(),
    }
}

/// Executes a construct that maps variables, as [`target`]. Nothing is to be done where the host is the device: its
/// variables are there.
///
/// # Safety
/// The lists and variables are as said.
#[inline]
pub unsafe fn data(thread: &'static Thread, clauses: Clauses, what: Data, lists: &Lists, call: Call) {
    task::graph::do_once(thread.task());
    let Some(device) = chosen(thread, clauses.device) else {
        return on_host(thread, what.for_tools(clauses.nowait), call);
    };
    // SAFETY: the caller's.
    let begin =
        |construct: &mut Construct, call| unsafe { construct.begin_data(thread, what, lists, clauses.nowait, call) };
    execute(thread, device, clauses, call, begin);
}

/// The host is the device of a construct, of which there is nothing left to do here but to tell of it.
#[cold]
fn on_host(thread: &'static Thread, kind: Target, call: Call) {
    let _in = Entered::new(thread, call);
    let task = Included::new(thread, call);
    ompt::target_run_by_program(thread, kind, device::host(), task.call(call));
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

/// What is left of the construct is done when its operations on the device are complete, by whoever finds that they
/// are; then its task is complete.
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
    ompt::target_leaves(thread, &construct.tool);
    let stream = construct.stream.stream();
    let rest = move |thread: &'static Thread| {
        ompt::target_goes_on(thread, &construct.tool);
        construct.finish(thread);
    };
    stream.then(task::target::leave(task, Box::new(rest)));
}

impl Construct {
    /// A construct that has not begun. It must stay where it is from its begin to its end.
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

    /// Begins a target region: what [`finish`](Self::finish) is to wait for has been queued when this returns.
    ///
    /// # Safety
    /// As for [`target`]; the variables are there until the construct is finished. The lists need not be.
    unsafe fn begin_target(&mut self, thread: &Thread, region: &Region, lists: &Lists, nowait: bool, call: Call) {
        self.what = "a target region";
        ompt::target_begin(thread, &self.tool, kind_of_target(nowait), self.device.number(), call);
        let Some(kernel) = self.device.kernel(region.id) else {
            self.fail(&Failure::Device(String::from("there is no code of it for this device")));
        };
        if info::is_on() {
            // SAFETY: the caller's.
            unsafe { info::arguments(self.device, self.what, lists) };
        }
        let mut work = self.device.works.take();
        let context = self.context();
        // SAFETY: the caller's.
        let begun = unsafe {
            work.begin(&context, lists, true).and_then(|()| work.make_arguments(&context, region.convention.leading()))
        };
        self.check(begun);
        let launch = Launch {
            kernel,
            arguments: &work.arguments,
            num_teams: region.num_teams,
            thread_limit: region.thread_limit,
            trip_count: region.trip_count,
            dynamic_memory: region.dynamic_memory.max(TEAM_MEMORY.load(Ordering::Relaxed)),
            fallback: region.fallback,
            convention: region.convention,
        };
        let note = ompt::submit_begin(&self.tool, region.num_teams);
        let state = (!self.asynchronous).then(|| self.tool.waiting(thread));
        // SAFETY: the code and its arguments belong together.
        let launched = unsafe { self.stream.launch(&launch, note) };
        drop(state);
        ompt::submit_end(&self.tool, region.num_teams);
        self.check(launched.map_err(Failure::Device));
        if self.asynchronous && self.device.driver().queues() {
            // Others must not copy back meanwhile what the kernel is about to write.
            self.ends_later = true;
        } else {
            if !self.asynchronous {
                self.wait(thread, &work);
            }
            // SAFETY: the caller's.
            unsafe { work.end_region(&context) };
        }
        self.work = Some(work);
    }

    /// Begins a construct that maps variables, as [`begin_target`](Self::begin_target).
    ///
    /// # Safety
    /// As for [`data`]; the variables are there until the construct is finished. The lists need not be.
    unsafe fn begin_data(&mut self, thread: &Thread, what: Data, lists: &Lists, nowait: bool, call: Call) {
        self.what = what.describe();
        ompt::target_begin(thread, &self.tool, what.for_tools(nowait), self.device.number(), call);
        if info::is_on() {
            // SAFETY: the caller's.
            unsafe { info::arguments(self.device, self.what, lists) };
        }
        let mut work = self.device.works.take();
        let context = self.context();
        // SAFETY: the caller's.
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

    /// What was queued is complete, or is waited for if the construct is synchronous: the construct ends. The thread
    /// need not be the one that began it, if [`ompt::target_goes_on`] has said so.
    fn finish(&mut self, thread: &Thread) {
        let Some(mut work) = self.work.take() else { return };
        self.wait(thread, &work);
        let context = self.context();
        if self.ends_later {
            // SAFETY: as the caller of `begin_target` said.
            unsafe { work.end_region(&context) };
            self.wait(thread, &work);
        }
        work.finish(&context);
        ompt::target_end(thread, &self.tool);
        self.device.works.give(work);
    }

    fn context(&self) -> Context<'_> {
        let queues = self.asynchronous || self.device.driver().queues();
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

    /// Ends the program: what has been done to the device cannot be undone.
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
