//! Target constructs on the host (OpenMP 5.1 §2.14.2–7): a target task that runs the region as an initial task, in its
//! place or when it is its turn, and the ordering that constructs without a region take part in. Tools hear of the
//! constructs with the host's number for the device; nothing is mapped, allocated, copied or submitted, since every
//! variable is where it was.

use crate::arch;
use crate::objects::body::Body;
use crate::objects::call::Call;
use crate::objects::dependence::Dependence;
use crate::objects::structures::TargetTool;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Outlined};
use crate::objects::task::flag;
use crate::objects::{current, switch};
use crate::ompt;
use crate::ompt::Entered;
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
    /// The code, which takes a pointer to the addresses.
    pub function: *const c_void,
    /// Where each variable of the region is, or its value, as the code expects it.
    pub addresses: &'a [usize],
    /// Which of these variables get a copy of their own.
    pub privates: &'a [Private],
    /// The `thread_limit` clause.
    pub thread_limit: Option<i32>,
}

/// A firstprivate variable of a region.
#[derive(Clone, Copy)]
pub struct Private {
    /// Its place among the addresses.
    pub index: usize,
    pub bytes: usize,
    /// A power of two.
    pub align: usize,
}

/// What the payload of a target task begins with. The addresses follow, then the private copies.
#[repr(C)]
struct Payload {
    function: *const c_void,
    thread_limit: Option<i32>,
    construct: Told,
}

/// What a tool is told of a construct.
#[derive(Clone, Copy)]
struct Told {
    kind: Target,
    /// Where it is in the program; null where no tool is active.
    codeptr: *const c_void,
}

impl Told {
    /// The construct of `kind` at `call`. `nowait` is whether it has that clause.
    fn new(kind: Target, nowait: bool, call: Call) -> Self {
        let kind = match kind {
            Target::TARGET if nowait => Target::TARGET_NOWAIT,
            Target::ENTER_DATA if nowait => Target::ENTER_DATA_NOWAIT,
            Target::EXIT_DATA if nowait => Target::EXIT_DATA_NOWAIT,
            Target::UPDATE if nowait => Target::UPDATE_NOWAIT,
            kind => kind,
        };
        Told { kind, codeptr: if switch::active() { call.codeptr() } else { std::ptr::null() } }
    }

    /// Tells of the construct, around what `body` does for it, in its target task if it has one.
    #[inline]
    fn around(self, thread: &'static Thread, body: impl FnOnce()) {
        if !switch::active() {
            return body();
        }
        let tool = TargetTool::new();
        let task = thread.task();
        // The code of a target task is the runtime's own: nothing on the stack is the program's.
        let frame = task.has_any(flag::TARGET).then(|| (&raw const tool).cast());
        in_runtime(task, frame, || ompt::target_begin(thread, &tool, self.kind, super::host(), Call::at(self.codeptr)));
        body();
        in_runtime(task, frame, || ompt::target_end(thread, &tool));
    }
}

/// Calls `tell` while `task`, the current one, has no frames on the stack, if there is a `frame` outside of it.
fn in_runtime(task: &Task, frame: Option<*const c_void>, tell: impl FnOnce()) {
    if let Some(frame) = frame {
        task.tool.hide_frames(frame);
        tell();
        task.tool.show_frames();
    } else {
        tell();
    }
}

/// Executes a target region on the host: at once, or with `nowait` as a deferred task.
///
/// # Safety
/// The code and the addresses belong together, and private variables have as many bytes as said.
#[cold]
pub unsafe fn execute(thread: &'static Thread, region: &Region, order: Synchronisation, call: Call) {
    let _in = Entered::new(thread, call);
    let (offsets, bytes) = layout(region);
    let task = create(thread, bytes, order);
    let payload = task.payload();
    // SAFETY: the payload has as many bytes as `layout` says and is nobody else's yet; the variables are as the caller
    // says.
    unsafe {
        let construct = Told::new(Target::TARGET, order.nowait, call);
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
    }
    task.set_body(Body { function: run as *const c_void, a: payload as usize, b: 0, after: std::ptr::null() });
    task::launch(thread, task, order.dependences, call);
}

/// The begin of a `target data` region, of `kind` `target_enter_data`, or its end, of `kind` `target_exit_data`: tells
/// of it. The region is the encountering task's: there is no target task (§2.14.2).
#[cold]
pub fn data_region(thread: &'static Thread, kind: Target, call: Call) {
    let _in = Entered::new(thread, call);
    Told::new(kind, false, call).around(thread, || ());
}

/// A construct of `kind` that generates a target task and has nothing to do on the host, such as `target update`: tells
/// of it, and orders it among the tasks that it depends on.
#[cold]
pub fn order(thread: &'static Thread, kind: Target, order: Synchronisation, call: Call) {
    let _in = Entered::new(thread, call);
    let construct = Told::new(kind, order.nowait, call);
    // With `nowait` the task is a deferred one; only who watches tasks would know.
    if order.dependences.is_empty() && !(order.nowait && switch::active()) {
        let _task = Included::new(thread, call);
        return construct.around(thread, || ());
    }
    let task = create(thread, size_of::<Told>(), order);
    let payload = task.payload().cast::<Told>();
    // SAFETY: the payload has room for it, is aligned to 16 and nobody else's yet.
    unsafe { payload.write(construct) };
    task.set_body(Body { function: tell as *const c_void, a: payload as usize, b: 0, after: std::ptr::null() });
    task::launch(thread, task, order.dependences, call);
}

/// The body of the target task of a construct without a region.
unsafe extern "C" fn tell(construct: *const Told) {
    // SAFETY: `order` has put it there, and it lives until the task ends.
    unsafe { *construct }.around(current::current(), || ());
}

/// A target task, not yet generated.
pub(super) fn create(thread: &Thread, bytes: usize, order: Synchronisation) -> &'static Task {
    let flags = if order.nowait { flag::TARGET } else { flag::TARGET | flag::UNDEFERRED };
    task::create(thread, bytes, flags, 0)
}

/// Where each private copy may begin, before it is aligned, and how many bytes there are in all.
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
    // SAFETY: `execute` has filled the payload, and it lives until the task ends.
    let (head, addresses) = unsafe { (&*payload, payload.add(1).cast::<usize>()) };
    let outlined = Outlined { invoke, function: head.function, argc: 0, head: addresses, tail: std::ptr::null() };
    let thread = current::current();
    head.construct.around(thread, || initial::execute(thread, &outlined, head.thread_limit));
}

/// Calls `function(addresses)` for the initial task of a region.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: as the caller of `execute` said.
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
