//! The handles that the debugger owns (OpenMP 5.1, section 5.3.8). A handle is not an address. It holds the number of
//! an entry in one table and the number of the entry's use. A released or invalid handle is therefore detected, and
//! never followed.
//!
//! The table is the library's only state besides the debugger's functions. Its lock is held for look-ups only, never
//! during a call of the debugger's functions. Several threads of a debugger, and a debugger that calls back, therefore
//! cannot deadlock.

use crate::heap::Heap;
use crate::space::Space;
use crate::{AddressSpaceHandle, ParallelHandle, Rc, TaskHandle, ThreadHandle};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

/// What a handle of a thread stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadRef {
    /// The handle of its address space.
    pub space: Handle,
    /// The descriptor.
    pub thread: u64,
    /// The thread that had the descriptor then, as the C library knows it.
    pub pthread: u64,
    /// The thread's number in the kernel.
    pub lwp: u64,
}

/// What a handle of a parallel region stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParallelRef {
    /// The handle of its address space.
    pub space: Handle,
    /// The team.
    pub team: u64,
    /// The number of the region among the team's.
    pub region: u64,
    /// The primary thread's number in the kernel.
    pub primary: u64,
}

/// What a handle of a task stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskRef {
    /// The handle of its address space.
    pub space: Handle,
    /// The header.
    pub task: u64,
    /// The slot that an implicit or initial task lies in, 0 for an explicit task.
    pub member: u64,
    /// What tells tasks in that place from each other.
    pub which: u64,
}

/// A handle's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle(u64);

/// What is in a place of the table.
#[derive(Clone, Copy)]
enum Entry {
    /// Nothing; the next free place.
    Free(Option<u32>),
    Space(NonNull<Space>),
    Thread(ThreadRef),
    Parallel(ParallelRef),
    Task(TaskRef),
}

#[derive(Clone, Copy)]
struct Slot {
    generation: u32,
    entry: Entry,
}

/// Places of the first chunk; each chunk has twice as many as the previous chunk.
const FIRST: usize = 64;
const CHUNKS: usize = 24;

struct Table {
    chunks: [Option<NonNull<Slot>>; CHUNKS],
    /// Places that were ever used.
    used: usize,
    free: Option<u32>,
    /// The number of the next use. The number survives the library's end (`ompd_finalize`), so that old handles stay
    /// stale.
    generation: u32,
}

// SAFETY: the pointers are to memory that the table owns.
unsafe impl Send for Table {}

static TABLE: Mutex<Table> = Mutex::new(Table { chunks: [None; CHUNKS], used: 0, free: None, generation: 1 });

/// The chunk that place `index` is in, where in it, and how many places the chunk has.
fn locate(index: usize) -> (usize, usize, usize) {
    let chunk = (index / FIRST + 1).ilog2() as usize;
    let first = ((1 << chunk) - 1) * FIRST;
    (chunk, index - first, FIRST << chunk)
}

impl Table {
    fn slot(&mut self, index: usize) -> Option<&mut Slot> {
        let (chunk, place, _) = locate(index);
        let start = (*self.chunks.get(chunk)?)?;
        // SAFETY: a chunk has as many places as `locate` says, and those below `used` are initialised.
        (index < self.used).then(|| unsafe { &mut *start.as_ptr().add(place) })
    }

    /// The place of a handle, if the handle is one.
    fn find(&mut self, handle: Handle) -> Option<&mut Slot> {
        let slot = self.slot((handle.0 as u32) as usize)?;
        (slot.generation == (handle.0 >> 32) as u32 && !matches!(slot.entry, Entry::Free(_))).then_some(slot)
    }

    /// Takes a place; `None` if a chunk has to be allocated first.
    fn take(&mut self, entry: Entry) -> Option<Handle> {
        let generation = self.generation;
        let index = match self.free {
            Some(index) => index,
            None => u32::try_from(self.used).ok()?,
        };
        if self.free.is_none() {
            let (chunk, place, _) = locate(self.used);
            let start = (*self.chunks.get(chunk)?)?;
            // SAFETY: as in `slot`; the place is not initialised yet.
            unsafe { start.as_ptr().add(place).write(Slot { generation, entry: Entry::Free(None) }) };
            self.used += 1;
        }
        let slot = self.slot(index as usize)?;
        let next = match slot.entry {
            Entry::Free(next) => next,
            _ => None,
        };
        *slot = Slot { generation, entry };
        self.free = next;
        // Never 0, so that no handle is null.
        self.generation = generation.checked_add(1).unwrap_or(1);
        Some(Handle(u64::from(generation) << 32 | u64::from(index)))
    }
}

fn with<R>(body: impl FnOnce(&mut Table) -> R) -> R {
    body(&mut TABLE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A new handle.
fn insert(heap: Heap, entry: Entry) -> Result<Handle, Rc> {
    loop {
        let missing = match with(|table| table.take(entry).ok_or(locate(table.used))) {
            Ok(handle) => return Ok(handle),
            Err((chunk, _, _)) if chunk >= CHUNKS => return Err(Rc::NOMEM),
            Err(missing) => missing,
        };
        let memory = heap.allocate::<Slot>(missing.2)?;
        let superfluous = with(|table| match table.chunks.get_mut(missing.0) {
            Some(chunk) if chunk.is_none() => {
                *chunk = Some(memory);
                false
            }
            _ => true,
        });
        if superfluous {
            heap.give_back(memory.as_ptr().cast());
        }
    }
}

/// The object of a handle, if `pick` accepts it.
fn look_up<R>(handle: Handle, pick: impl FnOnce(Entry) -> Option<R>) -> Result<R, Rc> {
    with(|table| table.find(handle).and_then(|slot| pick(slot.entry))).ok_or(Rc::STALE_HANDLE)
}

/// Ends a handle.
fn remove<R>(handle: Handle, pick: impl FnOnce(Entry) -> Option<R>) -> Result<R, Rc> {
    with(|table| {
        let free = table.free;
        let slot = table.find(handle).ok_or(Rc::STALE_HANDLE)?;
        let found = pick(slot.entry).ok_or(Rc::STALE_HANDLE)?;
        slot.entry = Entry::Free(free);
        table.free = Some(handle.0 as u32);
        Ok(found)
    })
}

/// The library ends: all handles do.
pub fn clear(heap: Heap) {
    let (chunks, used) = with(|table| {
        table.free = None;
        (std::mem::replace(&mut table.chunks, [None; CHUNKS]), std::mem::take(&mut table.used))
    });
    for index in 0..used {
        let (chunk, place, _) = locate(index);
        if let Some(Some(start)) = chunks.get(chunk) {
            // SAFETY: as in `Table::slot`; the table has dropped the chunk, so no other thread reads it.
            if let Entry::Space(space) = unsafe { (*start.as_ptr().add(place)).entry } {
                heap.give_back(space.as_ptr().cast());
            }
        }
    }
    for start in chunks.into_iter().flatten() {
        heap.give_back(start.as_ptr().cast());
    }
}

impl Handle {
    /// The handle's value for the debugger.
    pub fn pointer<T>(self) -> *mut T {
        self.0 as *mut T
    }
}

/// A handle from the debugger. A null handle is a stale one, because bad input concerns parameters that are not handles
/// (section 5.3.12).
pub fn given<T>(pointer: *const T) -> Handle {
    Handle(pointer as u64)
}

/// A handle of an address space.
pub fn new_space(space: &Space) -> Result<*mut AddressSpaceHandle, Rc> {
    let heap = space.memory.heap();
    let memory = heap.allocate::<Space>(1)?;
    // SAFETY: the memory is fresh, aligned, and large enough for one `Space`.
    unsafe { memory.as_ptr().write(space.clone()) };
    match insert(heap, Entry::Space(memory)) {
        Ok(handle) => Ok(handle.pointer()),
        Err(error) => {
            heap.give_back(memory.as_ptr().cast());
            Err(error)
        }
    }
}

/// A handle of a thread.
pub fn new_thread(space: &Space, thread: ThreadRef) -> Result<*mut ThreadHandle, Rc> {
    insert(space.memory.heap(), Entry::Thread(thread)).map(Handle::pointer)
}

/// A handle of a parallel region.
pub fn new_parallel(space: &Space, parallel: ParallelRef) -> Result<*mut ParallelHandle, Rc> {
    insert(space.memory.heap(), Entry::Parallel(parallel)).map(Handle::pointer)
}

/// A handle of a task.
pub fn new_task(space: &Space, task: TaskRef) -> Result<*mut TaskHandle, Rc> {
    insert(space.memory.heap(), Entry::Task(task)).map(Handle::pointer)
}

/// The address space of a handle.
pub fn space(handle: Handle) -> Result<Space, Rc> {
    look_up(handle, |entry| match entry {
        // SAFETY: a copy of what the table owns, made while it is locked.
        Entry::Space(space) => Some(unsafe { space.as_ref() }.clone()),
        _ => None,
    })
}

/// The thread of a handle, and its address space.
pub fn thread(pointer: *const ThreadHandle) -> Result<(Space, ThreadRef), Rc> {
    let thread = look_up(given(pointer), |entry| match entry {
        Entry::Thread(thread) => Some(thread),
        _ => None,
    })?;
    Ok((space(thread.space)?, thread))
}

/// The parallel region of a handle, and its address space.
pub fn parallel(pointer: *const ParallelHandle) -> Result<(Space, ParallelRef), Rc> {
    let parallel = look_up(given(pointer), |entry| match entry {
        Entry::Parallel(parallel) => Some(parallel),
        _ => None,
    })?;
    Ok((space(parallel.space)?, parallel))
}

/// The task of a handle, and its address space.
pub fn task(pointer: *const TaskHandle) -> Result<(Space, TaskRef), Rc> {
    let task = look_up(given(pointer), |entry| match entry {
        Entry::Task(task) => Some(task),
        _ => None,
    })?;
    Ok((space(task.space)?, task))
}

/// Releases the handle of an address space. What was found through it is stale from here on.
pub fn release_space(pointer: *const AddressSpaceHandle) -> Result<(), Rc> {
    let heap = space(given(pointer))?.memory.heap();
    let block = remove(given(pointer), |entry| match entry {
        Entry::Space(space) => Some(space),
        _ => None,
    })?;
    heap.give_back(block.as_ptr().cast::<c_void>());
    Ok(())
}

/// Releases the handle of a thread.
pub fn release_thread(pointer: *const ThreadHandle) -> Result<(), Rc> {
    remove(given(pointer), |entry| matches!(entry, Entry::Thread(_)).then_some(()))
}

/// Releases the handle of a parallel region.
pub fn release_parallel(pointer: *const ParallelHandle) -> Result<(), Rc> {
    remove(given(pointer), |entry| matches!(entry, Entry::Parallel(_)).then_some(()))
}

/// Releases the handle of a task.
pub fn release_task(pointer: *const TaskHandle) -> Result<(), Rc> {
    remove(given(pointer), |entry| matches!(entry, Entry::Task(_)).then_some(()))
}
