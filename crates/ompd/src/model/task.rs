//! Tasks: their identity, the tasks below them on a stack, and the tasks that generated them.

use super::steps::Steps;
use super::team::{self, Go, Slot};
use super::thread::{self, At};
use crate::Rc;
use crate::handles::{Handle, TaskRef};
use crate::space::Space;
use ompd_layout::Field;
use ompt::TaskFlag;

/// What a block's link says of a block that is free, or no task's.
const NOT_A_TASK: u64 = 1;

/// A task, and where it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// The header.
    pub task: u64,
    /// The slot that it lies in; `None` for an explicit task.
    pub slot: Option<Slot>,
}

impl Task {
    /// The implicit or initial task of a slot.
    pub fn of_slot(space: &Space, slot: Slot) -> Result<Task, Rc> {
        Ok(Task { task: slot.implicit(space)?, slot: Some(slot) })
    }

    /// The task with the header `task`: an explicit one lies in a block, any other in a slot.
    pub fn at(space: &Space, task: u64) -> Result<Task, Rc> {
        if has_any(space, task, TaskFlag::EXPLICIT.0 as u64)? {
            return Ok(Task { task, slot: None });
        }
        let offset = space.constant(Field::MemberImplicit)?;
        let slot = Slot::at(space, task.checked_sub(offset).ok_or(Rc::ERROR)?)?;
        // What is no slot does not lie in its team's list.
        let listed = Slot::of_team(space, slot.team, slot.tid)?;
        if listed == slot { Ok(Task { task, slot: Some(slot) }) } else { Err(Rc::ERROR) }
    }

    /// The task that a thread executes.
    pub fn current(space: &Space, at: At) -> Result<Task, Rc> {
        let task = Task::at(space, at.task)?;
        match task.slot {
            // In a forked child, the runtime may have replaced the slot of its task.
            Some(slot) if Go::of(space, slot.team)?.is_disbanded() => Ok(Task { slot: Some(at.slot), ..task }),
            _ => Ok(task),
        }
    }

    /// What a handle keeps of it.
    pub fn reference(self, space: &Space, handle: Handle) -> Result<TaskRef, Rc> {
        Ok(TaskRef {
            space: handle,
            task: self.task,
            member: self.slot.map_or(0, |slot| slot.member),
            which: self.which(space)?,
        })
    }

    /// The task of a handle; `ompd_rc_stale_handle` if there is another one in its place, or none.
    pub fn of(space: &Space, reference: TaskRef) -> Result<Task, Rc> {
        let slot = match reference.member {
            0 => None,
            member => Some(Slot::at(space, member)?),
        };
        let task = Task { task: reference.task, slot };
        let stands = task.exists(space)? && task.which(space)? == reference.which;
        if stands { Ok(task) } else { Err(Rc::STALE_HANDLE) }
    }

    /// Whether there is such a task now.
    pub fn exists(self, space: &Space) -> Result<bool, Rc> {
        let Some(slot) = self.slot else {
            let is_block = space.unsigned(self.task, Field::TaskItself)? == self.task;
            return Ok(is_block
                && space.unsigned(self.task, Field::TaskLink)? & NOT_A_TASK == 0
                && has_any(space, self.task, TaskFlag::EXPLICIT.0 as u64)?);
        };
        // A worker may still be leaving a region when the team's next region has begun without the worker.
        let is_needed = team::region_under_way(space, slot.team)?.is_some() && slot.tid < team::size(space, slot.team)?;
        Ok(is_needed || is_leaving(space, slot)?)
    }

    /// The identity of a task among tasks at the same address: the number of the region, and the thread or the task's
    /// values at its creation.
    fn which(self, space: &Space) -> Result<u64, Rc> {
        match self.slot {
            Some(slot) => {
                let thread = slot.thread(space)?;
                let lwp = if thread == 0 { 0 } else { space.unsigned(thread, Field::ThreadLwp)? };
                let region = match team::region_under_way(space, slot.team)? {
                    // The next region may have begun before a worker has left the last one.
                    Some(region) if !is_leaving(space, slot)? => region,
                    // Of a league that is over: a primary thread's slot has the number of the region before.
                    _ if slot.tid == 0 => Go::of(space, slot.team)?.region(),
                    _ => space.unsigned(slot.member, Field::MemberSeen)?,
                };
                Ok(mix(region, lwp))
            }
            None => {
                let parent = space.unsigned(self.task, Field::TaskParent)?;
                let function = space.unsigned(self.task, Field::TaskFunction)?;
                // No task outlives its region.
                let region =
                    team::region_under_way(space, space.unsigned(self.task, Field::TaskTeam)?)?.unwrap_or_default();
                Ok(mix(mix(mix(parent, function), space.unsigned(self.task, Field::TaskDepth)?), region))
            }
        }
    }

    /// Whether the code of an implicit task has not begun: its thread has been called, but has not noticed.
    pub fn is_to_begin(self, space: &Space) -> Result<bool, Rc> {
        match self.slot {
            Some(slot) if slot.tid != 0 => {
                Ok(space.unsigned(slot.member, Field::MemberSeen)? != Go::of(space, slot.team)?.region())
            }
            _ => Ok(false),
        }
    }

    /// The team of the region that encloses the task.
    pub fn team(self, space: &Space) -> Result<u64, Rc> {
        match self.slot {
            Some(slot) => Ok(slot.team),
            None => match space.unsigned(self.task, Field::TaskTeam)? {
                0 => Err(Rc::ERROR),
                team => Ok(team),
            },
        }
    }

    /// The task that generated it, or that encountered the construct of its region. `None` for the first task of a
    /// thread. The task that encountered a target region is known where states are kept.
    pub fn generating(self, space: &Space) -> Result<Option<Task>, Rc> {
        if let Some(slot) = self.slot {
            if space.unsigned(slot.team, Field::TeamEncounteredIn)? != 0 {
                return self.below(space).map(Some);
            }
            let parent = match self.is_to_begin(space)? {
                true => space.unsigned(slot.team, Field::TeamParentTask)?,
                false => space.unsigned(self.task, Field::TaskParent)?,
            };
            return if parent == 0 { Ok(None) } else { Task::at(space, parent).map(Some) };
        }
        match space.unsigned(self.task, Field::TaskParent)? {
            0 => Err(Rc::ERROR),
            parent => Task::at(space, parent).map(Some),
        }
    }

    /// The task that the runtime has noted to lie below this one, where it notes that.
    fn below(self, space: &Space) -> Result<Task, Rc> {
        match space.unsigned(self.task, Field::TaskBelow)? {
            below if below != 0 && space.keeps_states()? => Task::at(space, below),
            _ => Err(Rc::NEEDS_STATE_TRACKING),
        }
    }

    /// The task on whose stack this task is executed. `None` if nothing lies below this task.
    pub fn scheduling(self, space: &Space) -> Result<Option<Task>, Rc> {
        let Some(slot) = self.slot else {
            let Some((_, outer)) = self.on_stack(space)? else { return Ok(None) };
            return Ok(Some(outer));
        };
        if slot.outer_of_thread(space)?.is_none() { Ok(None) } else { self.generating(space) }
    }

    /// Of an explicit task that a thread executes, or has set aside for others: the thread, and the task below it.
    pub fn on_stack(self, space: &Space) -> Result<Option<(u64, Task)>, Rc> {
        let executor = space.unsigned(self.task, Field::TaskExecutor)?;
        if executor != 0
            && thread::is_in_use(space, executor)?
            && let Some(slot) = self.executed_in(space, executor)?
        {
            return Ok(Some((executor, self.below_on(space, executor, slot)?)));
        }
        // The task names its thread only after it has children. Until then it is a thread's current task, or close to
        // one on the stack.
        let current = thread::search(space, |thread| {
            let is_current = space.unsigned(thread, Field::ThreadTask)? == self.task;
            if is_current { Ok(self.on_stack_of(space, thread)?.map(|outer| (thread, outer))) } else { Ok(None) }
        })?;
        if current.is_some() {
            return Ok(current);
        }
        thread::search(space, |thread| Ok(self.on_stack_of(space, thread)?.map(|outer| (thread, outer))))
    }

    /// The slot in which `thread`, which has begun this explicit task, executes it: that of the task's team, or, on a
    /// thread that is no member of it, the thread's outermost one.
    fn executed_in(self, space: &Space, thread: u64) -> Result<Option<Slot>, Rc> {
        let team = space.unsigned(self.task, Field::TaskTeam)?;
        let mut here = thread::whereabouts(space, thread)?.map(|at| at.slot);
        let mut outermost = here;
        let mut steps = Steps::new();
        while let Some(slot) = here {
            if slot.team == team {
                return Ok(Some(slot));
            }
            steps.to(slot.member)?;
            outermost = here;
            here = slot.outer_of_thread(space)?;
        }
        Ok(outermost)
    }

    /// The task below this explicit task, if `thread` executes this one in `slot`. A thread that waits in an explicit
    /// task starts only descendants of that task, so the task below is the nearest ancestor that the thread executes.
    /// An undeferred task lies on its parent. Without such an ancestor, the thread was in a barrier.
    fn below_on(self, space: &Space, thread: u64, slot: Slot) -> Result<Task, Rc> {
        let undeferred = has_any(space, self.task, TaskFlag::UNDEFERRED.0 as u64)?;
        let mut depth = space.unsigned(self.task, Field::TaskDepth)?;
        let mut ancestor = space.unsigned(self.task, Field::TaskParent)?;
        while ancestor != 0 && has_any(space, ancestor, TaskFlag::EXPLICIT.0 as u64)? {
            if undeferred || space.unsigned(ancestor, Field::TaskExecutor)? == thread {
                return Ok(Task { task: ancestor, slot: None });
            }
            // Each step goes up a generation, unless the program has overwritten its headers.
            let above = space.unsigned(ancestor, Field::TaskDepth)?;
            if above >= depth {
                return Err(Rc::ERROR);
            }
            depth = above;
            ancestor = space.unsigned(ancestor, Field::TaskParent)?;
        }
        Task::of_slot(space, slot)
    }

    /// The task below this explicit one on the stack of `thread`, if it is there.
    fn on_stack_of(self, space: &Space, thread: u64) -> Result<Option<Task>, Rc> {
        let mut stack = Stack::of(space, thread)?;
        while let Some(task) = stack.next(space)? {
            if task.task == self.task {
                return stack.next(space);
            }
        }
        Ok(None)
    }
}

/// Whether the task has one of these flags.
pub fn has_any(space: &Space, task: u64, flags: u64) -> Result<bool, Rc> {
    Ok(space.unsigned(task, Field::TaskFlags)? & flags != 0)
}

/// Whether a copy of a block is one of a task: not of a free block, nor of a taskgroup.
pub fn is_block_of_task(space: &Space, block: &[u8]) -> Result<bool, Rc> {
    let is_explicit = space.unsigned_in(block, Field::TaskFlags)? & TaskFlag::EXPLICIT.0 as u64 != 0;
    Ok(is_explicit && space.unsigned_in(block, Field::TaskLink)? & NOT_A_TASK == 0)
}

/// `ompt_task_flag_t` of a task with these flags. A task of a target construct, or of a taskwait that waits, is not
/// also an explicit one.
pub fn ompt_flags(space: &Space, flags: u64) -> Result<u64, Rc> {
    const OF_TASKWAIT: TaskFlag = TaskFlag(TaskFlag::TASKWAIT.0 | TaskFlag::UNDEFERRED.0);
    const OF_TARGET: TaskFlag = TaskFlag(TaskFlag::TARGET.0 | TaskFlag::UNTIED.0 | TaskFlag::MERGEABLE.0);
    const REPORTED: u32 = (TaskFlag::INITIAL.0
        | TaskFlag::IMPLICIT.0
        | TaskFlag::EXPLICIT.0
        | TaskFlag::UNDEFERRED.0
        | TaskFlag::UNTIED.0
        | TaskFlag::FINAL.0
        | TaskFlag::MERGEABLE.0
        | TaskFlag::TASKWAIT.0) as u32;
    let is_target = flags & space.constant(Field::FlagTarget)? != 0;
    let is_waited_for = flags & OF_TASKWAIT.0 as u64 == OF_TASKWAIT.0 as u64;
    let mut reported = flags & u64::from(REPORTED);
    if is_target || is_waited_for {
        reported &= !(TaskFlag::EXPLICIT.0 as u64);
    }
    Ok(if is_target { reported | u64::from(OF_TARGET.0 as u32) } else { reported })
}

/// Whether the slot's thread, a worker, is still leaving a region that is over.
fn is_leaving(space: &Space, slot: Slot) -> Result<bool, Rc> {
    let thread = slot.thread(space)?;
    Ok(thread::is_in_use(space, thread)?
        && thread::whereabouts(space, thread)?.is_some_and(|at| at.is_leaving && at.slot.member == slot.member))
}

/// Mixes two numbers into a hash.
fn mix(one: u64, other: u64) -> u64 {
    (one.rotate_left(23) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The slot that executes `task`, the current task of a thread with slot `slot`. At a debugger's breakpoints for the
/// begin and the end of a region, the encountering task is still the current one.
fn slot_under(space: &Space, task: Task, slot: Slot) -> Result<Slot, Rc> {
    if space.unsigned(slot.team, Field::TeamBreakpoint)? == 0 {
        return Ok(slot);
    }
    match task.slot {
        Some(own) => Ok(own),
        None => Ok(slot.outer_of_thread(space)?.unwrap_or(slot)),
    }
}

/// The tasks whose frames lie on a thread's stack, innermost first: the current task, suspended tasks, and the implicit
/// task of each region, down to the thread's first task.
pub struct Stack {
    thread: u64,
    next: Option<(Task, Slot)>,
    steps: Steps,
}

impl Stack {
    /// The stack of a thread; empty for one that executes no task.
    pub fn of(space: &Space, thread: u64) -> Result<Stack, Rc> {
        let next = match thread::whereabouts(space, thread)? {
            Some(at) => {
                let task = Task::current(space, at)?;
                Some((task, slot_under(space, task, at.slot)?))
            }
            None => None,
        };
        Ok(Stack { thread, next, steps: Steps::new() })
    }

    /// The next one outwards.
    pub fn next(&mut self, space: &Space) -> Result<Option<Task>, Rc> {
        Ok(self.next_with_slot(space)?.map(|(task, _)| task))
    }

    /// As [`next`](Self::next), with the slot that the thread executes it in.
    pub fn next_with_slot(&mut self, space: &Space) -> Result<Option<(Task, Slot)>, Rc> {
        let Some((task, slot)) = self.next else { return Ok(None) };
        self.steps.to(task.task)?;
        self.next = match task.slot {
            None => Some((task.below_on(space, self.thread, slot)?, slot)),
            Some(own) => match own.outer_of_thread(space)? {
                None => None,
                Some(outer) => match task.generating(space) {
                    Ok(task) => task.map(|task| (task, outer)),
                    // Without states, what a target region lies on is not known; but the slot is.
                    Err(Rc::NEEDS_STATE_TRACKING) => Some((Task::of_slot(space, outer)?, outer)),
                    Err(error) => return Err(error),
                },
            },
        };
        Ok(Some((task, slot)))
    }
}
