//! The list of tasks.

use super::write_list;
use crate::heap::List;
use crate::model::steps::Steps;
use crate::model::task::{Stack, Task, is_block_of_task, ompt_flags};
use crate::model::{live, thread};
use crate::space::Space;
use crate::{AddressSpaceHandle, Rc, Size};
use ompd_layout::Field;

ompt::described! {
    /// A task.
    #[repr(C)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct TaskRecord {
        /// The header.
        pub task: u64,
        /// The task that generated the task, or encountered its region; 0 if there is none.
        pub parent: u64,
        /// The team of the region around it.
        pub team: u64,
        /// The outlined function of the task's code; 0 if there is none.
        pub function: u64,
        /// Where its construct was encountered; 0 where that is not kept.
        pub creation: u64,
        /// `ompt_task_flag_t`
        pub flags: i32,
        /// One of [`WAITS`], [`QUEUED`], [`RUNNING`], [`SUSPENDED`], [`FINISHED`].
        pub state: i32,
        /// The thread that executes it, or has set it aside, as clang's programs know it; -1 if none has begun it.
        pub executor: i32,
        /// The priority clause's value.
        pub priority: i32,
        /// Generations below its implicit task.
        pub depth: i32,
        /// 0.
        pub reserved: i32,
    }
}

/// The task is being generated, or waits for its dependences.
pub const WAITS: i32 = 0;
/// The task may begin or go on.
pub const QUEUED: i32 = 1;
/// A thread executes the task.
pub const RUNNING: i32 = 2;
/// A thread has suspended the task for another task, or for a region that it has encountered.
pub const SUSPENDED: i32 = 3;
/// The task's code has returned; the task waits for an event or for its children.
pub const FINISHED: i32 = 4;

/// A task that lies on a thread's stack.
#[derive(Clone, Copy)]
struct OnStack {
    task: u64,
    state: i32,
    executor: i32,
}

/// The largest slab of the runtime. A larger size is garbage.
const LARGEST_SLAB: u64 = 1 << 24;
/// The largest number of blocks of a process. A larger number is garbage.
const MOST_BLOCKS: u64 = 1 << 28;

/// Lists the tasks of a process: the initial and implicit ones that threads execute, and all explicit ones, wherever
/// they are.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_get_tasks(
    address_space: *mut AddressSpaceHandle,
    records: *mut *mut TaskRecord,
    count: *mut Size,
) -> Rc {
    // SAFETY: the caller passes null or places to write to.
    unsafe {
        write_list(records, count, live::space(address_space), |space, _, list| {
            let mut stacks = List::new(space.memory.heap());
            thread::for_each(space, |thread| of_stack(space, thread, list, &mut stacks))?;
            stacks.as_mut_slice().sort_unstable_by_key(|entry| entry.task);
            of_stores(space, stacks.as_slice(), list)
        })
    }
}

/// Lists the implicit and initial tasks on a thread's stack, and notes the explicit ones.
fn of_stack(space: &Space, thread: u64, list: &mut List<TaskRecord>, stacks: &mut List<OnStack>) -> Result<(), Rc> {
    let executor = space.signed(thread, Field::ThreadGtid)? as i32;
    let mut stack = Stack::of(space, thread)?;
    let mut state = RUNNING;
    while let Some(task) = stack.next(space)? {
        match task.slot {
            None => stacks.push(OnStack { task: task.task, state, executor })?,
            // A worker has its last region's task until the next one, also when that region is over. Of such a task
            // there is no handle.
            Some(_) if !task.exists(space)? => {}
            Some(slot) => list.push(TaskRecord {
                task: task.task,
                parent: space.unsigned(task.task, Field::TaskParent)?,
                team: slot.team,
                function: task.function(space)?,
                creation: creation_of_region(space, task)?,
                flags: ompt_flags(space, space.unsigned(task.task, Field::TaskFlags)?)? as i32,
                state,
                executor,
                priority: 0,
                depth: 0,
                reserved: 0,
            })?,
        }
        state = SUSPENDED;
    }
    Ok(())
}

/// Where the construct of an implicit task's region was encountered.
fn creation_of_region(space: &Space, task: Task) -> Result<u64, Rc> {
    match task.slot {
        Some(slot) if space.keeps_states()? && space.unsigned(slot.team, Field::TeamParent)? != 0 => {
            space.unsigned(slot.team, Field::TeamCodeptr)
        }
        _ => Ok(0),
    }
}

/// Lists the explicit tasks in all stores of blocks, also those of threads that have ended.
fn of_stores(space: &Space, stacks: &[OnStack], list: &mut List<TaskRecord>) -> Result<(), Rc> {
    let slab_bytes = space.constant(Field::SlabBytes)?;
    let header = header_bytes(space)?;
    let first = space.constant(Field::SlabFirst)?;
    let mut strides = [0; 4];
    let classes = [Field::BlockBytes0, Field::BlockBytes1, Field::BlockBytes2, Field::BlockBytes3];
    for (stride, field) in strides.iter_mut().zip(classes) {
        *stride = space.constant(field)?;
        if *stride < header {
            return Err(Rc::INCOMPATIBLE);
        }
    }
    if slab_bytes > LARGEST_SLAB {
        return Err(Rc::INCOMPATIBLE);
    }
    let mut bytes = List::new(space.memory.heap());
    bytes.resize(slab_bytes as usize, 0_u8)?;
    let mut thread = space.root(Field::RootThreads)?;
    let mut blocks = 0_u64;
    let (mut threads, mut slabs) = (Steps::new(), Steps::new());
    while thread != 0 {
        threads.to(thread)?;
        let mut slab = space.unsigned(thread, Field::ThreadSlab)?;
        while slab != 0 {
            slabs.to(slab)?;
            space.memory.read(slab, bytes.as_mut_slice())?;
            let slab_copy = bytes.as_slice();
            let mut at = first;
            while let Some(block) = slab_copy.get(at as usize..).filter(|rest| rest.len() as u64 >= header) {
                let address = slab.checked_add(at).ok_or(Rc::ERROR)?;
                if space.unsigned_in(block, Field::TaskItself)? != address {
                    break;
                }
                blocks += 1;
                if blocks > MOST_BLOCKS {
                    return Err(Rc::ERROR);
                }
                if is_block_of_task(space, block)? {
                    list.push(describe(space, address, block, stacks)?)?;
                }
                let class = space.unsigned_in(block, Field::TaskClass)?;
                let [smallest, ..] = strides;
                at += strides.get(class as usize).copied().unwrap_or(smallest);
            }
            slab = space.unsigned_in(slab_copy, Field::SlabNext)?;
        }
        thread = space.unsigned(thread, Field::ThreadNext)?;
    }
    Ok(())
}

/// How many bytes of a block have to be there.
fn header_bytes(space: &Space) -> Result<u64, Rc> {
    let entry = space.entry(Field::TaskItself)?;
    Ok(u64::from(entry.offset) + u64::from(entry.size))
}

fn describe(space: &Space, task: u64, block: &[u8], stacks: &[OnStack]) -> Result<TaskRecord, Rc> {
    let function = space.unsigned_in(block, Field::TaskFunction)?;
    let flags = space.unsigned_in(block, Field::TaskFlags)?;
    let on_stack = stacks.binary_search_by_key(&task, |entry| entry.task).ok().and_then(|index| stacks.get(index));
    let (state, executor) = match on_stack {
        Some(entry) => (entry.state, entry.executor),
        None => not_on_stack(space, block, flags)?,
    };
    let distance = space.signed_in(block, Field::TaskEncountered)?;
    Ok(TaskRecord {
        task,
        parent: space.unsigned_in(block, Field::TaskParent)?,
        team: space.unsigned_in(block, Field::TaskTeam)?,
        function,
        creation: if distance == 0 { 0 } else { function.wrapping_add_signed(distance) },
        flags: ompt_flags(space, flags)? as i32,
        state,
        executor,
        priority: space.signed_in(block, Field::TaskPriority)? as i32,
        depth: space.signed_in(block, Field::TaskDepth)? as i32,
        reserved: 0,
    })
}

/// The state of a task that no thread has on its stack, and the thread that it names nevertheless.
fn not_on_stack(space: &Space, block: &[u8], flags: u64) -> Result<(i32, i32), Rc> {
    if flags & space.constant(Field::FlagFinished)? != 0 {
        return Ok((FINISHED, -1));
    }
    let executor = space.unsigned_in(block, Field::TaskExecutor)?;
    if executor != 0 {
        return Ok((SUSPENDED, space.signed(executor, Field::ThreadGtid).unwrap_or(-1) as i32));
    }
    let node = space.unsigned_in(block, Field::TaskNode)?;
    let waits = node != 0 && space.unsigned(node, Field::NodePending)? != 0;
    Ok((if waits { WAITS } else { QUEUED }, -1))
}
