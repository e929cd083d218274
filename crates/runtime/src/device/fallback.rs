//! Target constructs on the host (OpenMP 5.1 §2.14.2–7). A target task executes the region as an initial task, at once
//! or in the order of its dependences. A construct without a region only takes part in that order.
//!
//! Events for tools have the host's number as the device. Nothing is mapped, allocated, copied or submitted: the host
//! has every variable already.

use super::available::host;
use crate::arch;
use crate::objects::body::Body;
use crate::objects::call::Call;
use crate::objects::dependence::Dependence;
use crate::objects::structures::{Member, Outlined, TargetTool, Task, Thread};
use crate::objects::task::flag;
use crate::objects::{current, switch};
use crate::ompt::{self, Entered};
use crate::task;
use crate::task::target::Included;
use crate::team::initial;
use ::ompt::Target;
use std::ffi::c_void;

/// `depend` and `nowait` clauses.
#[derive(Clone, Copy)]
pub struct Synchronisation<'a> {
    pub dependences: &'a [Dependence],
    pub nowait: bool,
}

/// A target construct's region.
pub struct Region<'a> {
    /// The code. Its argument is a pointer to the addresses.
    pub function: *const c_void,
    /// For each variable of the region its address, or its value, as the code expects.
    pub addresses: &'a [usize],
    /// The variables of which the region gets a copy.
    pub privates: &'a [Private],
    /// The `thread_limit` clause.
    pub thread_limit: Option<i32>,
}

/// A firstprivate variable of a region.
#[derive(Clone, Copy)]
pub struct Private {
    /// The variable's index among the addresses.
    pub index: usize,
    pub bytes: usize,
    /// A power of two.
    pub align: usize,
}

/// The begin of a target task's payload. The addresses follow, then the private copies.
#[repr(C)]
struct Payload {
    function: *const c_void,
    thread_limit: Option<i32>,
    construct: Reported,
}

/// The kind of a construct for tools, with or without the `nowait` clause.
pub(super) fn with_nowait(kind: Target, nowait: bool) -> Target {
    const NOWAIT: i32 = Target::TARGET_NOWAIT.0 - Target::TARGET.0;
    Target(kind.0 + if nowait { NOWAIT } else { 0 })
}

/// A construct, for tools.
#[derive(Clone, Copy)]
struct Reported {
    kind: Target,
    /// The construct's place in the program; null if no tool is active.
    codeptr: *const c_void,
    /// The region's code; null for a construct without a region.
    function: *const c_void,
}

impl Reported {
    /// The construct of `kind` at `call`, with or without the `nowait` clause.
    fn new(kind: Target, nowait: bool, call: Call) -> Self {
        Reported {
            kind: with_nowait(kind, nowait),
            codeptr: if switch::active() { call.codeptr() } else { std::ptr::null() },
            function: std::ptr::null(),
        }
    }

    /// Calls `body` between the events of the construct's begin and end, in the target task if there is one.
    #[inline]
    fn around(self, thread: &'static Thread, body: impl FnOnce()) {
        if !switch::active() {
            return body();
        }
        let tool = TargetTool::default();
        let task = thread.task();
        // The target task's code is the runtime's own: the task has no frame of the program's on the stack.
        let frame = task.has(flag::TARGET).then(|| (&raw const tool).cast());
        let call = Call::at(self.codeptr);
        in_runtime(task, frame, || ompt::target_begin(thread, &tool, self.kind, host(), self.function, call));
        body();
        in_runtime(task, frame, || ompt::target_end(thread, &tool));
    }
}

/// Calls `report`. With a `frame` outside of the current task's, tools see no frames of `task` meanwhile.
fn in_runtime(task: &Task, frame: Option<*const c_void>, report: impl FnOnce()) {
    if let Some(frame) = frame {
        task.tool.hide_frames(frame);
        report();
        task.tool.show_frames();
    } else {
        report();
    }
}

/// Executes a target region on the host: at once, or with `nowait` as a deferred task.
///
/// # Safety
/// The code takes these addresses, and private variables have the sizes in `region`.
#[cold]
pub unsafe fn execute(thread: &'static Thread, region: &Region, order: Synchronisation, call: Call) {
    let _in = Entered::new(thread, call);
    let (offsets, bytes) = layout(region);
    let construct = Reported { function: region.function, ..Reported::new(Target::TARGET, order.nowait, call) };
    // SAFETY: `generate` passes as many bytes as `layout` counts; the variables are the caller's.
    generate(thread, order, call, bytes, run as *const c_void, |payload| unsafe {
        payload.cast::<Payload>().write(Payload {
            function: region.function,
            thread_limit: region.thread_limit,
            construct,
        });
        let addresses = payload.add(size_of::<Payload>()).cast::<usize>();
        std::ptr::copy_nonoverlapping(region.addresses.as_ptr(), addresses, region.addresses.len());
        for (private, offset) in region.privates.iter().zip(offsets) {
            let copy = payload.add(offset);
            let copy = copy.add(copy.align_offset(private.align));
            let address = addresses.add(private.index);
            std::ptr::copy_nonoverlapping(*address as *const u8, copy, private.bytes);
            *address = copy as usize;
        }
    });
}

/// Reports the begin of a `target data` region (`target_enter_data`), or its end (`target_exit_data`). The encountering
/// task executes the region: there is no target task (§2.14.2).
#[cold]
pub fn data_region(thread: &'static Thread, kind: Target, call: Call) {
    let _in = Entered::new(thread, call);
    Reported::new(kind, false, call).around(thread, || ());
}

/// A construct that generates a target task and does nothing on the host, such as `target update`: reports the
/// construct, in the order of its dependences.
#[cold]
pub fn order(thread: &'static Thread, kind: Target, order: Synchronisation, call: Call) {
    let _in = Entered::new(thread, call);
    let construct = Reported::new(kind, order.nowait, call);
    // A deferred task that depends on nothing is only visible to tools.
    if order.dependences.is_empty() && !(order.nowait && switch::active()) {
        let _task = Included::new(thread, call);
        return construct.around(thread, || ());
    }
    // SAFETY: `generate` passes as many bytes as asked for, aligned to 16.
    generate(thread, order, call, size_of::<Reported>(), report as *const c_void, |payload| unsafe {
        payload.cast::<Reported>().write(construct);
    });
}

/// The body of the target task of a construct without a region.
unsafe extern "C" fn report(construct: *const Reported) {
    // SAFETY: `order` has written the payload, which exists until the task ends.
    unsafe { *construct }.around(current::current(), || ());
}

/// Generates a target task. `fill` writes the payload: `bytes` bytes, aligned to 16. `body` is called with the payload.
pub(super) fn generate(
    thread: &'static Thread,
    order: Synchronisation,
    call: Call,
    bytes: usize,
    body: *const c_void,
    fill: impl FnOnce(*mut u8),
) {
    let flags = if order.nowait { flag::TARGET } else { flag::TARGET | flag::UNDEFERRED };
    let task = task::create(thread, bytes, flags, 0);
    let payload = task.payload();
    fill(payload);
    task.body.set(Body { function: body, a: payload as usize, b: 0, after: std::ptr::null() });
    task::launch(thread, task, order.dependences, call);
}

/// Where each private copy may begin, before alignment, and the bytes of the whole payload.
fn layout(region: &Region) -> (Vec<usize>, usize) {
    let mut end = size_of::<Payload>() + size_of_val(region.addresses);
    let offsets = region.privates.iter().map(|private| {
        let offset = end;
        end += private.bytes + private.align - 1;
        offset
    });
    (offsets.collect(), end)
}

/// The body of a target task.
unsafe extern "C" fn run(payload: *const Payload) {
    // SAFETY: `execute` has written the payload, which exists until the task ends.
    let (head, addresses) = unsafe { (&*payload, payload.add(1).cast::<usize>()) };
    let outlined = Outlined { invoke, function: head.function, argc: 0, head: addresses, tail: std::ptr::null() };
    let thread = current::current();
    head.construct.around(thread, || initial::execute(thread, &outlined, head.thread_limit));
}

/// Calls `function(addresses)` for the initial task of a region.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: the contract of `execute`.
    unsafe { arch::call_outlined(outlined.function, outlined.head as usize, 0, exit_frame) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_copies_do_not_overlap() {
        let privates = [Private { index: 0, bytes: 5, align: 1 }, Private { index: 1, bytes: 64, align: 64 }];
        let region = Region { function: std::ptr::null(), addresses: &[0, 0], privates: &privates, thread_limit: None };
        let start = size_of::<Payload>() + 16;
        assert_eq!(layout(&region), (vec![start, start + 5], start + 5 + 64 + 63));
    }
}
