//! The runtime's own callbacks, which stand in the table when several tools are active. Each calls the callbacks of all
//! tools, with each tool's own data words. Generated from the table of events in `crates/ompt`.

use super::callbacks::{callback, count};
use super::words;
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::upcalls::ferromp_up_device_lookup;
use ::ompt::{ControlToolResult, Data, Event, ScopeEndpoint, TaskFlag, TaskStatus};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// An argument of a callback.
trait Argument: Copy {
    /// The argument as tool `tool` gets it.
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        let _ = tool;
        self
    }

    /// Whether the argument says that the event is an end.
    #[inline(always)]
    fn ends(self) -> bool {
        false
    }
}

impl Argument for *mut Data {
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        // SAFETY: `words::of` wants null or an object's word, and the runtime passes nothing else.
        unsafe { words::of(self, tool) }
    }
}

/// `host_op_id`: a tool may write to the word when the operation begins.
impl Argument for *mut ::ompt::Id {
    #[inline(always)]
    fn to(self, tool: usize) -> Self {
        // SAFETY: as for a data word, which has the same size.
        unsafe { words::of(self.cast(), tool) }.cast()
    }
}

impl Argument for ScopeEndpoint {
    #[inline(always)]
    fn ends(self) -> bool {
        self == ScopeEndpoint::END
    }
}

/// `lookup` of a device: each tool has its own function, and through it its own trace.
impl Argument for Option<::ompt::FunctionLookup> {
    fn to(self, tool: usize) -> Self {
        self.map(|_| ferromp_up_device_lookup(tool))
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

/// What the callbacks of several tools return, put together.
trait Answer: Copy {
    /// No callback has been called.
    const NONE: Self;
    /// The answer of all tools so far and of one more.
    fn and(self, other: Self) -> Self;
}

impl Answer for () {
    const NONE: Self = ();
    fn and(self, (): Self) {}
}

const NO_CALLBACK: c_int = ControlToolResult::NOCALLBACK.0;
const IGNORED: c_int = ControlToolResult::IGNORED.0;

/// `control_tool` returns the answer of the first tool that did not ignore the command.
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

/// Whether the tool has the `_emi` callback of the event, which is called instead of the plain one.
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

/// Calls every tool: in their order, or in reverse where something ends. The first tool's view of a region therefore
/// encloses the views of the other tools.
#[inline(always)]
fn each<R: Answer>(end: bool, event: Event, call: impl Fn(usize) -> Option<R>) -> R {
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
            && let Some(one) = call(tool)
        {
            answer = answer.and(one);
        }
    }
    answer
}

/// The events with which objects end. They stand in the table although no tool may want them: the objects' words are
/// given back after them.
pub const ENDS: [Event; 4] = [Event::ThreadEnd, Event::ParallelEnd, Event::ImplicitTask, Event::TaskSchedule];

/// Gives back the words of the objects that end with the event, from the event and its arguments: a row for each of
/// [`ENDS`]. The words are objects' words, as [`words::end`] wants.
macro_rules! end_objects {
    (ThreadEnd, $thread:ident) => {
        words::end($thread);
        end_root();
    };
    (ParallelEnd, $parallel:ident, $($other:ident),*) => {
        words::end($parallel)
    };
    (ImplicitTask, $endpoint:ident, $parallel:ident, $task:ident, $($other:ident),*) => {
        // The initial task of a root still exists when the thread's end is reported.
        if $endpoint == ScopeEndpoint::END {
            words::end($task);
        }
    };
    (TaskSchedule, $prior:ident, $status:ident, $next:ident) => {
        use TaskStatus as Status;
        let over = [Status::COMPLETE, Status::CANCEL, Status::LATE_FULFILL, Status::TASKWAIT_COMPLETE];
        if over.contains(&$status) && !$prior.is_null() {
            words::end($prior);
        }
    };
    ($event:ident, $($argument:ident),*) => {};
}

/// The calling thread has ended. If it is a root, the parallel region around its initial task ends too.
fn end_root() {
    if let Some(thread) = current::try_current()
        && thread.tool.kind.get() == ::ompt::Thread::INITIAL
        && thread.is_set_up()
        && thread.is_outside_regions()
    {
        // SAFETY: the region's word.
        unsafe { words::end(thread.member().team().tool.data()) };
    }
}

macro_rules! distributing {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        /// For each event, a function that calls the callback of one tool, if it has one, with the tool's own words.
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
                    // SAFETY: the tool gave the pointer for this event, and `ompt_set_callback` obliges the tool to the
                    // event's type.
                    Some(unsafe {
                        let callback: unsafe extern "C-unwind" fn($( $ty ),*) $( -> $ret )? =
                            std::mem::transmute(callback);
                        callback($( $arg.to(tool) ),*)
                    })
                }
            )*
        }

        /// For each event, the callback that calls all tools.
        mod all {
            use super::*;
            $(
                pub unsafe extern "C" fn $snake($( $arg: $ty ),*) $( -> $ret )? {
                    let end = is_end(Event::$camel) $( || $arg.ends() )*;
                    // SAFETY: the runtime calls this function as the tool's callback, with the objects' words.
                    unsafe {
                        let answer = each(end, Event::$camel, |tool| one::$snake(tool, $( $arg ),*));
                        end_objects!($camel, $( $arg ),*);
                        answer
                    }
                }
            )*
        }

        /// The callback that stands in the table for an event.
        pub fn callback_of_all(event: Event) -> *mut c_void {
            match event {
                $( Event::$camel => all::$snake as *mut c_void, )*
                _ => std::ptr::null_mut(),
            }
        }
    };
}
::ompt::for_each_event! { distributing }

/// Reports the end of `thread`'s initial task and of the thread, which is the calling thread, to one tool alone.
pub fn report_end(tool: usize, thread: &Thread) {
    thread.tool.enter_callback();
    thread.tool.called_tool.set(tool);
    let flags = TaskFlag::INITIAL.0 as c_int;
    // SAFETY: the words of the thread and of its task, both of which outlive the call.
    unsafe {
        one::implicit_task(tool, ScopeEndpoint::END, std::ptr::null_mut(), thread.task().tool.data(), 0, 1, flags);
        one::thread_end(tool, thread.tool.data.get());
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
