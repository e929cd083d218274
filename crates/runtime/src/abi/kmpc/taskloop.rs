//! The taskloop construct (`__kmpc_taskloop*`; OpenMP 5.1 §2.12.2). The compiler makes one task, the pattern. The
//! construct's tasks are copies of the pattern with other bounds.

use super::Ident;
use super::task::{KmpTask, filled_in, move_shareds};
use crate::abi::split_wide_entry_point;
use crate::objects::blocks;
use crate::objects::body::Body;
use crate::objects::call::Caller;
use crate::objects::structures::{Task, Thread};
use crate::objects::task::flag;
use crate::task::{self, Count, Pattern, Taskloop};
use std::ffi::c_void;

/// Defines the entry points of taskloops; the newer one has an argument for the `strict` modifier.
macro_rules! taskloops {
    ($($name:ident ($($modifier:ident: $ty:ty)?) $strict:expr;)*) => {split_wide_entry_point! {$(
        /// A taskloop construct.
        pub fn $name(
            loc: *const Ident,
            gtid: i32,
            data: *mut KmpTask,
            if_val: i32,
            lower: *mut u64,
            upper: *mut u64,
            step: i64,
            nogroup: i32,
            sched: i32,
            grainsize: u64,
            $($modifier: $ty,)?
            task_dup: *const c_void,
        ), |thread, call, _in| {
            let count = count(sched, grainsize, $strict);
            taskloop(thread, data, if_val != 0, (lower, upper, step), nogroup == 0, count, task_dup, call);
        }
    )*}};
}

taskloops! {
    __kmpc_taskloop () false;
    __kmpc_taskloop_5 (modifier: i32) modifier != 0;
}

/// The clauses that decide how many tasks a taskloop makes.
fn count(sched: i32, grainsize: u64, strict: bool) -> Count {
    match (sched, strict) {
        (1, true) => Count::StrictGrainsize(grainsize),
        (1, false) => Count::Grainsize(grainsize),
        (2, _) => Count::Tasks(grainsize),
        _ => Count::Any,
    }
}

/// Iterations of a loop from `lower` to `upper` inclusive.
fn iterations(lower: u64, upper: u64, step: i64) -> u64 {
    match step {
        1 => upper.wrapping_sub(lower).wrapping_add(1),
        0 => 0,
        step if step > 0 => (upper.wrapping_sub(lower) / step as u64).wrapping_add(1),
        step => (lower.wrapping_sub(upper) / step.unsigned_abs()).wrapping_add(1),
    }
}

/// Initialises the private variables of a copy (first argument) from those of the pattern (second argument). The third
/// argument is 1 where the copy has the last iteration.
type Duplicate = unsafe extern "C" fn(*mut KmpTask, *mut KmpTask, i32);

/// The pattern task and what differs from copy to copy.
#[derive(Clone, Copy)]
struct LoopTasks {
    data: *mut KmpTask,
    /// Where the bounds lie, in bytes from the start of the data.
    lower_at: usize,
    upper_at: usize,
    /// The first value of the loop's variable.
    first_value: u64,
    step: i64,
    duplicate: Option<Duplicate>,
}

impl LoopTasks {
    fn pattern(&self) -> &'static Task {
        // SAFETY: the data of a task that the compiler has allocated, or a copy of it.
        unsafe { blocks::task_of(self.data.cast()) }
    }

    /// A copy of the pattern, without what the program's own function duplicates.
    fn copy(&self, thread: &Thread, flags: u32) -> (&'static Task, *mut KmpTask) {
        let pattern = self.pattern();
        let task = task::create_like(thread, pattern, flags);
        let copy = task.payload().cast::<KmpTask>();
        task.body.set(Body { b: copy as usize, ..pattern.body.get() });
        // SAFETY: the copy has the same layout, and no other thread knows the task yet.
        unsafe { move_shareds(copy, self.data as usize) };
        (task, copy)
    }

    fn duplicate(&self, copy: *mut KmpTask, last: bool) {
        if let Some(duplicate) = self.duplicate {
            // SAFETY: the compiler's function for this kind of task.
            unsafe { duplicate(copy, self.data, i32::from(last)) };
        }
    }
}

impl Pattern for LoopTasks {
    fn make(&self, thread: &'static Thread, first: u64, count: u64, last: bool, flags: u32) -> &'static Task {
        let (task, copy) = self.copy(thread, flags);
        let from = self.first_value.wrapping_add(first.wrapping_mul(self.step as u64));
        let to = from.wrapping_add((count - 1).wrapping_mul(self.step as u64));
        // SAFETY: the bounds lie where those of the pattern do.
        unsafe {
            copy.byte_add(self.lower_at).cast::<u64>().write(from);
            copy.byte_add(self.upper_at).cast::<u64>().write(to);
        }
        self.duplicate(copy, last);
        task
    }

    fn split(&self, thread: &'static Thread) -> Option<Self> {
        if self.pattern().has(flag::IMPORTING) {
            // The construct's tasks import the dependences of the encountering task.
            return None;
        }
        let (_, copy) = self.copy(thread, 0);
        self.duplicate(copy, false);
        Some(LoopTasks { data: copy, ..*self })
    }

    fn done(&self, thread: &'static Thread) {
        let pattern = self.pattern();
        let after = pattern.body.get().after;
        if !after.is_null() {
            // SAFETY: the compiler's function of that type, for the variables of the pattern.
            unsafe {
                let after: unsafe extern "C" fn(i32, *mut KmpTask) -> i32 =
                    std::mem::transmute::<*const c_void, _>(after);
                after(thread.gtid(), self.data);
            }
        }
        thread.tasks.give(pattern);
    }
}

/// Executes a taskloop whose pattern is the task of `data`. `lower` and `upper` point into `data`.
///
/// # Safety
/// The arguments are what the compiler passes to the entry point.
#[allow(clippy::too_many_arguments, reason = "what the ABI passes")]
unsafe fn taskloop(
    thread: &'static Thread,
    data: *mut KmpTask,
    deferred: bool,
    (lower, upper, step): (*mut u64, *mut u64, i64),
    group: bool,
    count: Count,
    task_dup: *const c_void,
    call: impl Caller,
) {
    // SAFETY: the caller keeps to the `# Safety` section; a null function pointer is `None`.
    let (pattern, first_value, last_value, duplicate) = unsafe {
        (filled_in(thread, data), *lower, *upper, std::mem::transmute::<*const c_void, Option<Duplicate>>(task_dup))
    };
    if !deferred {
        pattern.change_flags(flag::UNDEFERRED, 0);
    }
    let base = data as usize;
    let tasks = LoopTasks {
        data,
        lower_at: lower as usize - base,
        upper_at: upper as usize - base,
        first_value,
        step,
        duplicate,
    };
    let iterations = iterations(first_value, last_value, step);
    task::taskloop(thread, Taskloop { iterations, count, group, priority: pattern.priority.get() }, tasks, || (), call);
    tasks.done(thread);
}

#[cfg(test)]
mod tests {
    use super::iterations;

    #[test]
    fn bounds_are_inclusive() {
        assert_eq!(iterations(0, 9, 1), 10);
        assert_eq!(iterations(0, 9, 4), 3);
        assert_eq!(iterations(9, 0, -4), 3);
        assert_eq!(iterations((-5_i64) as u64, 4, 1), 10);
        assert_eq!(iterations(0, u64::MAX, 1), 0, "an empty loop from 0 to -1");
    }
}
