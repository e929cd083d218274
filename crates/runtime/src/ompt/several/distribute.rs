//! The runtime's own callbacks, which stand in the table when several tools are active: each tells all of them, every
//! one with its own data words. Made from the crate `ompt`'s table of events.

use super::callbacks::{callback, count, device_lookup};
use super::words;
use crate::objects::current;
use ::ompt::{ControlToolResult, Data, Event, ScopeEndpoint, TaskFlag, TaskStatus};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// An argument of a callback as one tool is to see it.
trait Argument: Copy {
    /// What tool `tool` gets.
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        let _ = tool;
        self
    }

    /// Whether it says that the event is an end.
    #[inline(always)]
    fn ends(self) -> bool {
        false
    }
}

impl Argument for *mut Data {
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        // SAFETY: the runtime passes null or an object's word.
        unsafe { words::of(self, tool) }
    }
}

/// `host_op_id`: a word that a tool may write to when the operation begins.
impl Argument for *mut ::ompt::Id {
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        // SAFETY: as above; both are one word.
        unsafe { words::of(self.cast(), tool) }.cast()
    }
}

impl Argument for ScopeEndpoint {
    #[inline(always)]
    fn ends(self) -> bool {
        self == ScopeEndpoint::END
    }
}

/// `lookup` of a device: each tool has its own, by which it has its own trace.
impl Argument for Option<::ompt::FunctionLookup> {
    fn to(self, tool: usize) -> Self {
        self.and_then(|_| device_lookup(tool))
    }
}

macro_rules! as_it_is {
    ($($ty:ty),* $(,)?) => { $( impl Argument for $ty {} )* };
}
as_it_is! {
    u64, i64, usize, c_uint, c_int, Data, *const c_void, *mut c_void, *const c_char, *mut *mut c_void, *mut c_uint,
    *mut usize, *const ::ompt::Frame, *const ::ompt::Dependence,
    ::ompt::Thread, TaskStatus, ::ompt::Target, ::ompt::TargetDataOp, ::ompt::SyncRegion, ::ompt::Mutex, ::ompt::Work,
    ::ompt::Dispatch, ::ompt::Severity,
}

/// What callbacks answer, put together.
trait Answer: Copy {
    /// Nobody has answered.
    const NONE: Self;
    /// The answer of all so far, and of one more tool.
    fn and(self, other: Self) -> Self;
}

impl Answer for () {
    const NONE: Self = ();
    fn and(self, (): Self) {}
}

const NO_CALLBACK: c_int = ControlToolResult::NOCALLBACK.0;
const IGNORED: c_int = ControlToolResult::IGNORED.0;

/// Of `control_tool`: the first tool's that did not ignore the command.
impl Answer for c_int {
    const NONE: Self = NO_CALLBACK;
    fn and(self, other: Self) -> Self {
        match self {
            NO_CALLBACK | IGNORED => other,
            answer => answer,
        }
    }
}

/// Whether an event without an endpoint is the end of something.
const fn is_end(event: Event) -> bool {
    matches!(
        event,
        Event::ThreadEnd
            | Event::ParallelEnd
            | Event::MutexReleased
            | Event::LockDestroy
            | Event::DeviceFinalize
            | Event::DeviceUnload
    )
}

/// Whether a tool is told of the event by another callback, which is told begin and end.
#[inline(always)]
fn is_superseded(tool: usize, event: Event) -> bool {
    let by = match event {
        Event::Target => Event::TargetEmi,
        Event::TargetDataOp => Event::TargetDataOpEmi,
        Event::TargetSubmit => Event::TargetSubmitEmi,
        Event::TargetMap => Event::TargetMapEmi,
        _ => return false,
    };
    !callback(tool, by).is_null()
}

/// Tells every tool: in their order, and in reverse of what ends, so that the first tool's view encloses the others'.
#[inline(always)]
fn each<R: Answer>(end: bool, event: Event, tell: impl Fn(usize) -> Option<R>) -> R {
    let count = count();
    let thread = current::try_current();
    let mut answer = R::NONE;
    for turn in 0..count {
        let tool = if end { count - 1 - turn } else { turn };
        if let Some(thread) = thread {
            thread.tool.next_tool();
            thread.tool.called_tool.set(tool);
        }
        if !is_superseded(tool, event)
            && let Some(one) = tell(tool)
        {
            answer = answer.and(one);
        }
    }
    answer
}

macro_rules! distributing {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// For each event, what tells one tool, with the tool's own words, if the tool has a callback.
        mod one {
            use super::*;
            $(
                #[inline(always)]
                #[allow(unused_parens, reason = "most callbacks return nothing, which is `()`")]
                #[allow(clippy::too_many_arguments, reason = "as many as the callback has, and the tool")]
                pub unsafe fn $snake(tool: usize, $( $arg: $ty ),*) -> Option<( $( $ret )? )> {
                    let callback = callback(tool, Event::$camel);
                    if callback.is_null() {
                        return None;
                    }
                    // SAFETY: the tool gave the pointer for this event, and `ompt_set_callback` obliges it to the
                    // event's type.
                    Some(unsafe {
                        let callback: unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )? =
                            std::mem::transmute(callback);
                        callback($( $arg.to(tool) ),*)
                    })
                }
            )*
        }

        /// For each event, the callback that tells all tools.
        mod all {
            use super::*;
            $(
                pub unsafe extern "C" fn $snake($( $arg: $ty ),*) $( -> $ret )? {
                    let end = is_end(Event::$camel) $( || $arg.ends() )*;
                    // SAFETY: as the runtime called us.
                    each(end, Event::$camel, |tool| unsafe { one::$snake(tool, $( $arg ),*) })
                }
            )*
        }

        fn plain(event: Event) -> *mut c_void {
            match event {
                $( Event::$camel => all::$snake as *mut c_void, )*
                _ => std::ptr::null_mut(),
            }
        }
    };
}
::ompt::for_each_event! { distributing }

/// The callback that stands in the table for an event.
pub fn callback_of_all(event: Event) -> *mut c_void {
    match event {
        Event::ThreadEnd => thread_end as *mut c_void,
        Event::ParallelEnd => parallel_end as *mut c_void,
        Event::ImplicitTask => implicit_task as *mut c_void,
        Event::TaskSchedule => task_schedule as *mut c_void,
        event => plain(event),
    }
}

/// The events that stand in the table although no tool may want them: with them objects end.
pub const ENDS: [Event; 4] = [Event::ThreadEnd, Event::ParallelEnd, Event::ImplicitTask, Event::TaskSchedule];

unsafe extern "C" fn thread_end(data: *mut Data) {
    // SAFETY: as the runtime called us.
    unsafe { all::thread_end(data) };
    let thread =
        current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::INITIAL && thread.is_set_up());
    // SAFETY: the words of this thread and, if it is a root, of the parallel region around its initial task, which ends
    // with it.
    unsafe {
        words::end(data);
        if let Some(thread) = thread
            && thread.is_outside_regions()
        {
            words::end(thread.member().team().tool.data());
        }
    }
}

unsafe extern "C" fn parallel_end(parallel: *mut Data, task: *mut Data, flags: c_int, codeptr: *const c_void) {
    // SAFETY: as the runtime called us; the region's word.
    unsafe {
        all::parallel_end(parallel, task, flags, codeptr);
        words::end(parallel);
    }
}

unsafe extern "C" fn implicit_task(
    endpoint: ScopeEndpoint,
    parallel: *mut Data,
    task: *mut Data,
    parallelism: c_uint,
    index: c_uint,
    flags: c_int,
) {
    // SAFETY: as the runtime called us.
    unsafe { all::implicit_task(endpoint, parallel, task, parallelism, index, flags) };
    // The initial task of a root is still there when its thread's end is told.
    if endpoint == ScopeEndpoint::END {
        // SAFETY: the task's word.
        unsafe { words::end(task) };
    }
}

unsafe extern "C" fn task_schedule(prior: *mut Data, status: TaskStatus, next: *mut Data) {
    // SAFETY: as the runtime called us.
    unsafe { all::task_schedule(prior, status, next) };
    let over = [TaskStatus::COMPLETE, TaskStatus::CANCEL, TaskStatus::LATE_FULFILL, TaskStatus::TASKWAIT_COMPLETE];
    if over.contains(&status) && !prior.is_null() {
        // SAFETY: the task's word.
        unsafe { words::end(prior) };
    }
}

/// Tells one tool that the initial task of the calling thread and the thread itself end, for it alone.
pub fn tell_end(tool: usize, thread: &crate::objects::structures::Thread) {
    thread.tool.enter_callback();
    thread.tool.called_tool.set(tool);
    let flags = TaskFlag::INITIAL.0 as c_int;
    // SAFETY: the words of the thread and of its task, which are there until this is over.
    unsafe {
        one::implicit_task(tool, ScopeEndpoint::END, std::ptr::null_mut(), thread.task().tool.data(), 0, 1, flags);
        one::thread_end(tool, thread.tool.data());
    }
    thread.tool.leave_callback();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_tool_that_does_not_ignore_a_command_answers() {
        let all = |answers: &[c_int]| answers.iter().fold(c_int::NONE, |all, &one| all.and(one));
        assert_eq!(all(&[]), NO_CALLBACK);
        assert_eq!(all(&[IGNORED, 7, 8]), 7);
        assert_eq!(all(&[0, 7]), 0);
        assert_eq!(all(&[IGNORED, IGNORED]), IGNORED);
    }

    #[test]
    fn every_event_has_a_callback_that_tells_all() {
        for &(event, name) in Event::ALL {
            assert!(!callback_of_all(event).is_null(), "{name}");
        }
        assert!(callback_of_all(Event(38)).is_null());
    }
}
