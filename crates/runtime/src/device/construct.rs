//! Device constructs: `target`, `target data`, `target enter data`, `target exit data`, `target update` (OpenMP 5.1
//! §2.14.2–6). The entry points of `abi/tgt` come here; gcc's target constructs go to `fallback.rs`.
//!
//! A construct begins and ends in two steps. `begin` queues on a stream all that is to be done on the device. `finish`
//! follows when that is complete, perhaps on another thread. A synchronous construct takes both steps in one call.

use super::available;
use super::choice::{DeviceClause, chosen};
use super::devices::{Device, Lent};
pub use super::driver::Region;
use super::driver::{Convention, Kernel, Launch};
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
use std::ffi::c_void;
use std::ptr::null;

/// What a construct does on its device.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// Executes a target region.
    Region(&'a Region),
    /// The begin of a `target data` region, or `target enter data`.
    Begin,
    /// The end of a `target data` region, or `target exit data`.
    End,
    /// `target update`
    Update,
}

impl What<'_> {
    /// The construct's name in messages, and its kind for tools.
    fn described(self, nowait: bool) -> (&'static str, Target) {
        let (what, kind) = match self {
            What::Region(_) => ("a target region", Target::TARGET),
            What::Begin => ("target data or target enter data", Target::ENTER_DATA),
            What::End => ("the end of target data, or target exit data,", Target::EXIT_DATA),
            What::Update => ("target update", Target::UPDATE),
        };
        (what, with_nowait(kind, nowait))
    }

    /// The address by which the program identifies the region's code; null for a construct without a region.
    fn code(self) -> *const c_void {
        if let What::Region(region) = self { region.id as *const c_void } else { null() }
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
    /// The construct's place.
    pub source: Name,
}

/// A construct on a device.
pub struct Construct {
    device: &'static Device,
    clauses: Clauses,
    /// The device's code of a target region, if the device has it.
    kernel: Option<Kernel>,
    stream: Lent,
    asynchronous: bool,
    tool: TargetTool,
    /// The construct's variables. Taken when the construct is finished.
    work: Option<Box<Work>>,
    /// Whether a region's variables are to be released later, when the kernel is complete.
    ends_later: bool,
    what: &'static str,
}

// SAFETY: one thread at a time has the construct, and any thread may use a stream.
unsafe impl Send for Construct {}

/// Executes a construct on a device. False if the host is to execute its region; with the host as the device there is
/// nothing to map. With `nowait` in a target task, the construct goes on after this returns, and completes the task.
///
/// # Safety
/// The lists are as the compiler makes them, the variables exist, and a region's code takes them as its arguments.
#[inline]
pub unsafe fn execute(thread: &'static Thread, clauses: Clauses, what: What, lists: &Lists, call: Call) -> bool {
    task::graph::do_once(thread.task());
    let Some((device, kernel)) = choose(thread, clauses.device, what) else {
        on_host(thread, what.described(clauses.nowait).1, what.code(), call);
        return false;
    };
    if let What::Region(region) = what
        && region.convention == Convention::DriversLast
        && !device.abilities.takes_list
    {
        let why = "the code for it takes its arguments as this kind of device cannot give them yet";
        refuse(thread, device, clauses, why, call);
        return false;
    }
    let _in = Entered::new(thread, call);
    if clauses.nowait
        && let Some(task) = task::target::may_be_left(thread)
    {
        // SAFETY: the caller keeps to the `# Safety` section.
        begin_and_leave(thread, (device, kernel), clauses, task, |construct| unsafe {
            construct.begin(thread, what, lists, call);
        });
        return true;
    }
    let task = Included::new(thread, call);
    let mut construct = Construct::new((device, kernel), false, clauses);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { construct.begin(thread, what, lists, task.call(call)) };
    construct.finish(thread);
    true
}

/// The device that executes the construct, with the device's code of a target region; `None` if the host executes it.
#[inline]
fn choose(thread: &Thread, clause: DeviceClause, what: What) -> Option<(&'static Device, Option<Kernel>)> {
    let device = chosen(thread, clause)?;
    let What::Region(region) = what else { return Some((device, None)) };
    match device.kernel(region.id) {
        // Another thread, which ends the program or the tool, may have closed the device since it was chosen.
        None => chosen(thread, clause).map(|device| (device, None)),
        kernel => Some((device, kernel)),
    }
}

/// Refuses a target region that the compiler describes in an unknown way: the host executes the region. If only a
/// device may, the program ends.
#[cold]
pub fn refuse_target(thread: &'static Thread, clauses: Clauses, why: &str, call: Call) {
    match chosen(thread, clauses.device) {
        Some(device) => refuse(thread, device, clauses, why, call),
        None => on_host(thread, with_nowait(Target::TARGET, clauses.nowait), null(), call),
    }
}

#[cold]
fn refuse(thread: &'static Thread, device: &Device, clauses: Clauses, why: &str, call: Call) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    let what = format!("ferromp: a target region{} on device {}: {why}", place_of(clauses.source), device.number);
    if icv::settings().target_offload == TargetOffload::Mandatory {
        stderr::terminate(&format!("{what} (OMP_TARGET_OFFLOAD is mandatory); the program ends\n"));
    }
    if !WARNED.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!("{what}; the host executes it, and others like it\n"));
    }
    on_host(thread, with_nowait(Target::TARGET, clauses.nowait), null(), call);
}

/// ` at file:line`, if the compiler says.
fn place_of(source: Name) -> String {
    source.source().map_or(String::new(), |(file, line)| format!(" at {file}:{line}"))
}

/// Reports a construct whose device is the host. The program itself does the rest. `code` identifies the region's code.
#[cold]
fn on_host(thread: &'static Thread, kind: Target, code: *const c_void, call: Call) {
    let _in = Entered::new(thread, call);
    let task = Included::new(thread, call);
    ompt::target_run_by_program(thread, kind, available::host(), code, task.call(call));
}

/// Begins the construct, and leaves its task. When the operations on the device are complete, the stream's job finishes
/// the construct and completes the task.
#[cold]
fn begin_and_leave(
    thread: &Thread,
    on: (&'static Device, Option<Kernel>),
    clauses: Clauses,
    task: &'static Task,
    begin: impl FnOnce(&mut Construct),
) {
    let mut construct = Box::new(Construct::new(on, true, clauses));
    begin(&mut construct);
    thread.tool.leave_target(&construct.tool);
    let stream = construct.stream.0;
    let rest = move |thread: &'static Thread| {
        thread.tool.enter_target(&construct.tool);
        construct.finish(thread);
    };
    stream.then(task::target::leave(task, Box::new(rest)));
}

impl Construct {
    /// A construct that has not begun. The construct must not move between begin and end.
    #[inline]
    fn new((device, kernel): (&'static Device, Option<Kernel>), asynchronous: bool, clauses: Clauses) -> Self {
        Construct {
            device,
            clauses,
            kernel,
            stream: device.stream(asynchronous),
            asynchronous,
            tool: TargetTool::default(),
            work: None,
            ends_later: false,
            what: "",
        }
    }

    /// Begins the construct: queues all that [`finish`](Self::finish) waits for.
    ///
    /// # Safety
    /// As for [`execute`]; the variables exist until the construct is finished. The lists need not.
    unsafe fn begin(&mut self, thread: &Thread, what: What, lists: &Lists, call: Call) {
        let kind;
        (self.what, kind) = what.described(self.clauses.nowait);
        ompt::target_begin(thread, &self.tool, kind, self.device.number, what.code(), call);
        if info::is_on() {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { info::arguments(self.device, self.what, lists) };
        }
        let mut work = self.device.works.take();
        let context = self.context();
        // SAFETY: the caller keeps to the `# Safety` section.
        let begun = unsafe {
            match what {
                What::Region(region) => self.begin_region(thread, &mut work, region, lists),
                What::Begin => work.begin(&context, lists, false),
                What::End => work.end(&context, lists),
                What::Update => work.update(&context, lists, call.codeptr() as usize),
            }
        };
        begun.unwrap_or_else(|failure| self.fail(&failure));
        // Until the kernel is complete, no other construct may release the last reference and copy back.
        self.ends_later = matches!(what, What::Region(_)) && self.asynchronous && self.device.abilities.queues;
        self.work = Some(work);
    }

    /// Maps the variables of a target region, and launches its kernel. Unless the kernel is under way, the region ends
    /// here.
    ///
    /// # Safety
    /// As for [`begin`](Self::begin).
    unsafe fn begin_region(
        &self,
        thread: &Thread,
        work: &mut Work,
        region: &Region,
        lists: &Lists,
    ) -> Result<(), Failure> {
        let none = || Failure::Device(String::from("there is no code of it for this device"));
        let kernel = self.kernel.ok_or_else(none)?;
        let context = self.context();
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            work.begin(&context, lists, true)?;
            work.make_arguments(&context, region.convention.leading())?;
        }
        let dynamic_memory = region.dynamic_memory.max(TEAM_MEMORY.load(Ordering::Relaxed));
        let launch = Launch { kernel, arguments: &work.arguments, region: &Region { dynamic_memory, ..*region } };
        let note = ompt::submit_begin(&self.tool, region.num_teams);
        let state = (!self.asynchronous).then(|| self.tool.waiting(thread));
        // SAFETY: the arguments are those of the region's code, by the caller.
        let launched = unsafe { self.stream.launch(&launch, note) };
        drop(state);
        ompt::submit_end(&self.tool, region.num_teams);
        launched.map_err(Failure::Device)?;
        if !self.asynchronous {
            self.wait(thread, work);
        }
        if !self.asynchronous || !self.device.abilities.queues {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { work.end_region(&context) };
        }
        Ok(())
    }

    /// Ends the construct, after waiting for all that was queued. Another thread than the one that began the construct
    /// calls [`enter_target`](crate::objects::structures::ThreadTool::enter_target) first.
    fn finish(&mut self, thread: &Thread) {
        let Some(mut work) = self.work.take() else { return };
        self.wait(thread, &work);
        let context = self.context();
        if self.ends_later {
            // SAFETY: the contract of `begin`.
            unsafe { work.end_region(&context) };
            self.wait(thread, &work);
        }
        work.finish(&context);
        ompt::target_end(thread, &self.tool);
        self.device.works.give(work);
    }

    fn context(&self) -> Context<'_> {
        let Construct { device, asynchronous, ref tool, .. } = *self;
        let queues = asynchronous || device.abilities.queues;
        Context { device, stream: &*self.stream, asynchronous, queues, tool }
    }

    fn wait(&self, thread: &Thread, work: &Work) {
        let _state = self.tool.waiting(thread);
        self.stream.wait().unwrap_or_else(|why| {
            self.fail(&match self.stream.culprit().and_then(|host| work.variable_at(host)) {
                Some(variable) => Failure::Transfer { variable, why },
                None => Failure::Device(why),
            })
        });
    }

    /// Ends the program, because what has been done on the device cannot be undone.
    #[cold]
    fn fail(&self, failure: &Failure) -> ! {
        if info::level() & info::kind::TABLE != 0 {
            info::table(self.device);
        }
        let place = place_of(self.clauses.source);
        let refused = if failure.is_about_memory() { self.device.driver.refused() } else { None };
        let refused = refused.map_or(String::new(), |why| format!(" ({why})"));
        let (what, number) = (self.what, self.device.number);
        stderr::terminate(&format!(
            "ferromp: {what}{place} on device {number}: {failure}{refused}; the program ends\n"
        ));
    }
}
