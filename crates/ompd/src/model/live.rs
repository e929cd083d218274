//! The object of a handle, if the object still exists. If the thread has ended, the region is over or the task is
//! complete, the handle is stale (`ompd_rc_stale_handle`), as far as the memory shows this.

use super::task::Task;
use super::team::{self, Slot};
use crate::handles::{self, Handle, ParallelRef, ThreadRef, given};
use crate::space::Space;
use crate::{ParallelHandle, Rc, Scope, TaskHandle, TeamGenerator, ThreadHandle};
use ompd_layout::Field;

/// What a handle of the thread with this descriptor keeps.
pub fn of_thread(space: &Space, handle: Handle, thread: u64) -> Result<ThreadRef, Rc> {
    Ok(ThreadRef {
        space: handle,
        thread,
        pthread: space.unsigned(thread, Field::ThreadPthread)?,
        lwp: space.unsigned(thread, Field::ThreadLwp)?,
    })
}

/// The thread of a handle: its address space, the space's own handle, its descriptor.
pub fn thread(pointer: *const ThreadHandle) -> Result<(Space, ThreadRef), Rc> {
    let (space, thread) = handles::thread(pointer)?;
    let now = of_thread(&space, thread.space, thread.thread)?;
    if now == thread && now.pthread != 0 { Ok((space, thread)) } else { Err(Rc::STALE_HANDLE) }
}

/// What a handle of the region that `team` executes now keeps; `None` if it executes none.
pub fn of_parallel(space: &Space, handle: Handle, team: u64) -> Result<Option<ParallelRef>, Rc> {
    let Some(region) = team::region_under_way(space, team)? else { return Ok(None) };
    // The first regions of all threads have the same number.
    let primary = Slot::of_team(space, team, 0)?.thread(space)?;
    let primary = space.unsigned(primary, Field::ThreadLwp)?;
    Ok(Some(ParallelRef { space: handle, team, region, primary }))
}

/// The region of a handle.
pub fn parallel(pointer: *const ParallelHandle) -> Result<(Space, ParallelRef), Rc> {
    let (space, parallel) = handles::parallel(pointer)?;
    let stands = of_parallel(&space, parallel.space, parallel.team)? == Some(parallel);
    if stands { Ok((space, parallel)) } else { Err(Rc::STALE_HANDLE) }
}

/// The team of a handle of a region that a construct of this scope generated (OpenMP 6.0, section 39.11).
pub fn generated(pointer: *const ParallelHandle, scope: Scope) -> Result<(Space, u64), Rc> {
    let (space, parallel) = parallel(pointer)?;
    let wanted = if scope == Scope::TEAMS { TeamGenerator::TEAMS } else { TeamGenerator::TARGET };
    let fits = team::generator(&space, parallel.team)? == wanted;
    if fits { Ok((space, parallel.team)) } else { Err(Rc::INCOMPATIBLE_HANDLE) }
}

/// The task of a handle, and the handle of its address space.
pub fn task(pointer: *const TaskHandle) -> Result<(Space, Handle, Task), Rc> {
    let (space, task) = handles::task(pointer)?;
    let found = Task::of(&space, task)?;
    Ok((space, task.space, found))
}

/// An address space, and its handle.
pub fn space(pointer: *const crate::AddressSpaceHandle) -> Result<(Space, Handle), Rc> {
    Ok((handles::space(given(pointer))?, given(pointer)))
}
