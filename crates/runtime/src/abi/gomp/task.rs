//! Explicit tasks (`GOMP_task`, `GOMP_taskloop`, `GOMP_taskwait`, `GOMP_taskgroup_*`; OpenMP 5.1
//! §2.12, §2.19.5–6).

use super::{check_flags, task_reduction};
use crate::abi::{split_entry_point, split_wide_entry_point};
use crate::icv;
use crate::objects::blocks;
use crate::objects::body::Body;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::{Task, Thread};
use crate::objects::task::flag;
use crate::ompt::Entered;
use crate::task::{self, Count, EventHandle, Pattern, Taskloop};
use std::ffi::{c_long, c_ulong, c_void};
use std::hint::cold_path;

/// `GOMP_TASK_FLAG_*`
mod gomp {
    pub const UNTIED: u32 = 1;
    pub const FINAL: u32 = 1 << 1;
    pub const MERGEABLE: u32 = 1 << 2;
    pub const DEPEND: u32 = 1 << 3;
    pub const PRIORITY: u32 = 1 << 4;
    pub const UP: u32 = 1 << 8;
    pub const GRAINSIZE: u32 = 1 << 9;
    pub const IF: u32 = 1 << 10;
    pub const NOGROUP: u32 = 1 << 11;
    pub const REDUCTION: u32 = 1 << 12;
    pub const DETACH: u32 = 1 << 13;
    pub const STRICT: u32 = 1 << 14;

    /// The flags of tasks without dependences, of ordinary tasks, of all tasks, and of taskloops.
    pub const PLAIN: u32 = UNTIED | FINAL | MERGEABLE | PRIORITY;
    pub const ORDINARY: u32 = PLAIN | DEPEND;
    pub const OF_TASKS: u32 = ORDINARY | DETACH;
    pub const OF_TASKLOOPS: u32 =
        UNTIED | FINAL | MERGEABLE | PRIORITY | UP | GRAINSIZE | IF | NOGROUP | REDUCTION | STRICT;

    // `GOMP_DEPEND_*`
    pub const DEPEND_IN: usize = 1;
    pub const DEPEND_MUTEXINOUTSET: usize = 4;
    pub const DEPEND_INOUTSET: usize = 5;
}

type Function = unsafe extern "C" fn(*mut c_void);
type CopyFunction = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// A task's arguments, and how they are copied into the task.
#[derive(Clone, Copy)]
struct Arguments {
    data: *mut c_void,
    copy: Option<CopyFunction>,
    size: usize,
    align: usize,
}

fn own_flags(flags: u32) -> u32 {
    let mut own = 0;
    for (theirs, ours) in [(gomp::UNTIED, flag::UNTIED), (gomp::FINAL, flag::FINAL), (gomp::MERGEABLE, flag::MERGEABLE)]
    {
        if flags & theirs != 0 {
            own |= ours;
        }
    }
    own
}

fn priority(flags: u32, priority: i32) -> i32 {
    match flags & gomp::PRIORITY {
        0 => 0,
        _ => priority.clamp(0, icv::settings().max_task_priority),
    }
}

/// A task that calls `function` with a copy of the arguments. `make` makes a task with so many bytes of payload and
/// these flags.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
#[inline(always)]
unsafe fn create(
    make: impl FnOnce(usize, u32) -> &'static Task,
    function: Function,
    arguments: Arguments,
    flags: u32,
) -> (&'static Task, *mut c_void) {
    let align = arguments.align.max(1);
    let slack = if align > blocks::ALIGN { align } else { 0 };
    // The task's code destroys what the copy function has made, so the code must run.
    let flags = if arguments.copy.is_some() { flags | flag::BEGUN } else { flags };
    let task = make(arguments.size + slack, flags);
    let payload = task.payload();
    // SAFETY: the payload has space for the arguments behind any such offset.
    let copy = unsafe { payload.add(payload.align_offset(align)) }.cast::<c_void>();
    task.body.set(Body { function: function as *const c_void, a: copy as usize, b: 0, after: std::ptr::null() });
    (task, copy)
}

/// Copies the arguments into the task.
///
/// # Safety
/// As [`create`].
#[inline(always)]
unsafe fn copy_arguments(arguments: Arguments, copy: *mut c_void) {
    // SAFETY: the compiler's function for these arguments, or as many bytes as it says.
    unsafe {
        match arguments.copy {
            Some(function) => {
                cold_path();
                function(copy, arguments.data);
            }
            None => std::ptr::copy_nonoverlapping(arguments.data.cast::<u8>(), copy.cast::<u8>(), arguments.size),
        }
    }
}

/// A dependence that writes: gcc passes `out` and `inout` alike. `omp_all_memory` has no address.
fn out(address: usize) -> Dependence {
    match address {
        0 => Dependence { address, kind: DependenceKind::AllMemory },
        _ => Dependence { address, kind: DependenceKind::InOut },
    }
}

/// The dependence of an `omp_depend_t`: an address and its kind.
///
/// # Safety
/// It is an initialised dependence object.
unsafe fn object(object: *const usize) -> Dependence {
    // SAFETY: the caller keeps to the `# Safety` section.
    let (address, kind) = unsafe { (*object, *object.add(1)) };
    let kind = match kind {
        gomp::DEPEND_IN => DependenceKind::In,
        gomp::DEPEND_MUTEXINOUTSET => DependenceKind::MutexInOutSet,
        gomp::DEPEND_INOUTSET => DependenceKind::InOutSet,
        _ => return out(address),
    };
    Dependence { address, kind }
}

/// The dependences of an array of `omp_depend_t`.
///
/// # Safety
/// The array has `count` elements, all of them initialised.
pub(in crate::abi) unsafe fn objects(count: i32, list: *const [usize; 2]) -> Vec<Dependence> {
    // SAFETY: the caller keeps to the `# Safety` section.
    (0..usize::try_from(count).unwrap_or(0)).map(|index| unsafe { object(list.add(index).cast()) }).collect()
}

/// The list of a `depend` clause. The head has the number of addresses of each kind.
#[derive(Clone, Copy)]
pub(in crate::abi) struct DependClause(*const usize);

impl DependClause {
    /// # Safety
    /// `list` is a list that the compiler made, and stays as it is while the result is used.
    #[inline(always)]
    pub(in crate::abi) unsafe fn new(list: *const usize) -> DependClause {
        DependClause(list)
    }

    #[inline(always)]
    fn at(self, index: usize) -> usize {
        // SAFETY: the `# Safety` section of `new` asks for a list with such a head.
        unsafe { *self.0.add(index) }
    }

    fn dependence(self, index: usize) -> Dependence {
        if self.at(0) != 0 {
            // The older form: the number of all addresses, and the number of those for `out` or `inout`.
            return match self.at(2 + index) {
                address if index < self.at(1) => out(address),
                address => Dependence { address, kind: DependenceKind::In },
            };
        }
        let (outs, mutexinoutset, input) = (self.at(2), self.at(3), self.at(4));
        let address = self.at(5 + index);
        if index < outs {
            out(address)
        } else if index < outs + mutexinoutset {
            Dependence { address, kind: DependenceKind::MutexInOutSet }
        } else if index < outs + mutexinoutset + input {
            Dependence { address, kind: DependenceKind::In }
        } else {
            // SAFETY: the program's `omp_depend_t`, which the compiler has filled.
            unsafe { object(address as *const usize) }
        }
    }

    #[inline(always)]
    fn count(self) -> usize {
        match self.at(0) {
            0 => self.at(1),
            count => count,
        }
    }
}

impl Dependences for DependClause {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = Dependence> {
        (0..self.count()).map(move |index| self.dependence(index))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.count() == 0
    }
}

split_wide_entry_point! {
    /// `GOMP_task`: generates a task.
    pub fn GOMP_task(
        function: Function,
        data: *mut c_void,
        copy: Option<CopyFunction>,
        size: c_long,
        align: c_long,
        if_clause: bool,
        flags: u32,
        depend: *const usize,
        priority_clause: i32,
        detach: *mut EventHandle,
    ), |thread, call, _in| {
        let parent = thread.task();
        if is_plain(copy, flags) && task::runs_in_place(thread, parent, !if_clause, call) {
            return task::execute_in_place(thread, parent, function, data, own_flags(flags));
        }
        generate(function, data, copy, size, align, if_clause, flags, depend, priority_clause, detach, call);
    }
}

/// Whether a task has no dependences, no event and no function that copies its data, so that it may run in place.
#[inline(always)]
fn is_plain(copy: Option<CopyFunction>, flags: u32) -> bool {
    copy.map_or(0, |function| function as usize) | (flags & !gomp::PLAIN) as usize == 0
}

/// Generates a task, from the arguments of [`GOMP_task`] in the same order, so that the entry point jumps here.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
#[allow(clippy::too_many_arguments, reason = "the ABI says which")]
#[inline(never)]
unsafe fn generate(
    function: Function,
    data: *mut c_void,
    copy: Option<CopyFunction>,
    size: c_long,
    align: c_long,
    if_clause: bool,
    flags: u32,
    depend: *const usize,
    priority_clause: i32,
    detach: *mut EventHandle,
    call: impl Caller,
) {
    let thread = current::current();
    let arguments = Arguments { data, copy, size: size as usize, align: align as usize };
    if copy.is_some() && flags & gomp::DETACH == 0 && task::are_cancelled(thread.task()) {
        return;
    }
    let mut own = own_flags(flags);
    if !if_clause {
        own |= flag::UNDEFERRED;
    }
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe {
        if is_plain(copy, flags) {
            let parent = thread.task();
            if task::runs_in_place_deep(thread, parent, call) {
                return task::execute_in_place(thread, parent, function, data, own);
            }
            if task::execute_ahead(thread, function, data, own, call) {
                return;
            }
        }
        let priority = priority(flags, priority_clause);
        let make = |bytes, flags| task::create_for(thread, bytes, flags, priority, call);
        let (task, place) = create(make, function, arguments, own);
        if flags & !gomp::ORDINARY != 0 {
            cold_path();
            check_flags(flags, gomp::OF_TASKS, "GOMP_task");
            *detach = task::completion_event(task);
            if !data.is_null() {
                // The first argument is the task's own variable for the event.
                data.cast::<EventHandle>().write(*detach);
            }
        }
        copy_arguments(arguments, place);
        if flags & gomp::DEPEND != 0 {
            // Tasks with dependences are not rare, but the code of tasks without them shall be the straight one.
            cold_path();
            task::launch(thread, task, DependClause::new(depend), call);
        } else {
            task::launch(thread, task, (), call);
        }
    }
}

/// Defines the entry points of taskloops, one for each type of loop variable.
macro_rules! taskloops {
    ($($name:ident $type:ty;)*) => {
        split_wide_entry_point! {$(
            /// A taskloop construct.
            pub fn $name(
                function: Function,
                data: *mut c_void,
                copy: Option<CopyFunction>,
                size: c_long,
                align: c_long,
                flags: u32,
                num_tasks: c_ulong,
                priority_clause: i32,
                start: $type,
                end: $type,
                step: $type,
            ), |thread, call| {
                let arguments = Arguments { data, copy, size: size as usize, align: align as usize };
                let empty = if flags & gomp::UP != 0 { start >= end } else { start <= end };
                let bounds = Bounds { start: start as u64, end: end as u64, step: step as u64, empty };
                let construct = LoopTasks { function, arguments, flags, priority: priority_clause, bounds };
                taskloop(thread, construct, num_tasks, call);
            }
        )*}
    };
}

taskloops! {
    GOMP_taskloop c_long;
    GOMP_taskloop_ull u64;
}

/// A loop from `start` to before `end`.
#[derive(Clone, Copy)]
struct Bounds {
    start: u64,
    end: u64,
    /// A negative number in two's complement where the loop counts down.
    step: u64,
    empty: bool,
}

impl Bounds {
    fn iterations(self, up: bool) -> u64 {
        let (distance, step) = match up {
            true => (self.end.wrapping_sub(self.start), self.step),
            false => (self.start.wrapping_sub(self.end), self.step.wrapping_neg()),
        };
        if self.empty || step == 0 { 0 } else { (distance - 1) / step + 1 }
    }
}

/// A taskloop's construct, from which its tasks are made.
#[derive(Clone, Copy)]
struct LoopTasks {
    function: Function,
    /// The first two words of the arguments are the bounds.
    arguments: Arguments,
    flags: u32,
    priority: i32,
    bounds: Bounds,
}

impl Pattern for LoopTasks {
    fn make(&self, thread: &'static Thread, first: u64, count: u64, last: bool, flags: u32) -> &'static Task {
        let bounds = self.bounds;
        let at = |number: u64| bounds.start.wrapping_add(number.wrapping_mul(bounds.step));
        // SAFETY: the arguments are the compiler's. The construct waits for the threads that make its tasks, so the
        // arguments are still there.
        unsafe {
            let make = |bytes, flags| task::create(thread, bytes, flags, self.priority);
            let (task, copy) = create(make, self.function, self.arguments, self.flags | flags);
            copy_arguments(self.arguments, copy);
            copy.cast::<u64>().write(at(first));
            copy.cast::<u64>().add(1).write(if last { bounds.end } else { at(first + count) });
            task
        }
    }

    fn split(&self, _: &'static Thread) -> Option<Self> {
        // The program's copy function may not be made for calls from two threads at once.
        self.arguments.copy.is_none().then_some(*self)
    }

    fn done(&self, _: &'static Thread) {}
}

/// Executes a taskloop. `construct` has the compiler's flags and the `priority` clause.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
unsafe fn taskloop(thread: &'static Thread, construct: LoopTasks, num_tasks: c_ulong, call: impl Caller) {
    let flags = construct.flags;
    check_flags(flags, gomp::OF_TASKLOOPS, "GOMP_taskloop");
    let _in = Entered::new(thread, call);
    let mut own = own_flags(flags);
    if flags & gomp::IF == 0 {
        own |= flag::UNDEFERRED;
    }
    let priority = priority(flags, construct.priority);
    let iterations = construct.bounds.iterations(flags & gomp::UP != 0);
    let count = match (flags & gomp::GRAINSIZE != 0, flags & gomp::STRICT != 0) {
        (true, true) => Count::StrictGrainsize(num_tasks),
        (true, false) => Count::Grainsize(num_tasks),
        (false, _) if num_tasks == 0 => Count::Any,
        (false, _) => Count::Tasks(num_tasks),
    };
    let group = flags & gomp::NOGROUP == 0;
    let grouped = || {
        if flags & gomp::REDUCTION != 0 {
            // SAFETY: by the ABI, the address of the description follows the bounds.
            unsafe { task_reduction::register(thread, *construct.arguments.data.cast::<*mut usize>().add(2)) };
        }
    };
    let tasks = LoopTasks { flags: own, priority, ..construct };
    task::taskloop(thread, Taskloop { iterations, count, group, priority }, tasks, grouped, call);
}

split_entry_point! {
    /// `GOMP_taskwait`: waits for the children of the current task.
    pub fn GOMP_taskwait(), |thread, call, _in| {
        task::taskwait(thread, call);
    }

    /// `GOMP_taskwait_depend`: a taskwait construct with a `depend` clause.
    pub fn GOMP_taskwait_depend(depend: *const usize), |thread, call, _in| {
        task::taskwait_depend(thread, DependClause::new(depend), call);
    }

    /// `GOMP_taskwait_depend_nowait`: as [`GOMP_taskwait_depend`], with `nowait`.
    pub fn GOMP_taskwait_depend_nowait(depend: *const usize), |thread, call, _in| {
        task::taskwait_depend_nowait(thread, DependClause::new(depend), call);
    }

    /// `GOMP_taskyield`: the thread may execute another task first.
    pub fn GOMP_taskyield(), |thread, call, _in| {
        task::taskyield(thread);
    }

    /// `GOMP_taskgroup_start`: a taskgroup region begins.
    pub fn GOMP_taskgroup_start(), |thread, call, _in| {
        task::taskgroup_begin(thread, call);
    }

    /// `GOMP_taskgroup_end`: waits for the tasks of the taskgroup region and ends it.
    pub fn GOMP_taskgroup_end(), |thread, call, _in| {
        task::taskgroup_end(thread, call);
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;

    #[test]
    fn ends_are_exclusive() {
        let bounds = |start, end, step, empty| Bounds { start, end, step, empty };
        assert_eq!(bounds(0, 10, 1, false).iterations(true), 10);
        assert_eq!(bounds(0, 10, 4, false).iterations(true), 3);
        assert_eq!(bounds(0, u64::MAX, 1, false).iterations(true), u64::MAX);
        assert_eq!(bounds(9, (-1_i64) as u64, (-4_i64) as u64, false).iterations(false), 3);
        assert_eq!(bounds(10, 0, 1, true).iterations(true), 0);
    }
}
