//! Words that belong to an OMPT tool (OpenMP 5.1, section 5.5.9.4).

use crate::answer::{answer, place};
use crate::model::live;
use crate::space::Space;
use crate::{Address, Rc, SEGMENT_NONE, Scope, Word};
use ompd_layout::Field;
use ompt::TaskFlag;
use std::ffi::c_void;

/// Writes the `ompt_data_t` of a thread, a parallel region or a task: as a number, and as the pointer that may be in
/// it. `ompd_rc_bad_input` for another scope, or one that is not the task's; `ompd_rc_incompatible_handle` for a region
/// that has not the construct of the scope (OpenMP 6.0).
///
/// # Safety
/// `value` and `ptr` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_tool_data(
    handle: *mut c_void,
    scope: Scope,
    value: *mut Word,
    ptr: *mut Address,
) -> Rc {
    let tell = || {
        let (space, data) = match scope {
            Scope::THREAD => {
                let (space, thread) = live::thread(handle.cast())?;
                let data = space.part(thread.thread, Field::ThreadData)?;
                (space, data)
            }
            Scope::PARALLEL => {
                let (space, parallel) = live::parallel(handle.cast())?;
                let data = of_parallel(&space, parallel.team)?;
                (space, data)
            }
            Scope::TEAMS | Scope::TARGET => {
                let (space, team) = live::generated(handle.cast(), scope)?;
                let data = of_parallel(&space, team)?;
                (space, data)
            }
            Scope::TASK | Scope::IMPLICIT_TASK => {
                let (space, _, task) = live::task(handle.cast())?;
                let explicit = crate::model::task::has_any(&space, task.task, TaskFlag::EXPLICIT.0 as u64)?;
                if explicit && scope == Scope::IMPLICIT_TASK {
                    return Err(Rc::BAD_INPUT);
                }
                let data = space.part(task.task, Field::TaskData)?;
                (space, data)
            }
            _ => return Err(Rc::BAD_INPUT),
        };
        // SAFETY: the caller passes null or places to write to.
        let (value, ptr) = unsafe { (place(value)?, place(ptr)?) };
        *value = space.memory.unsigned(data, 8)? as Word;
        *ptr = Address { segment: SEGMENT_NONE, address: space.memory.pointer(data)? };
        Ok(())
    };
    answer(tell())
}

/// Where the word of a team's region is: in a league, that of the whole of it.
fn of_parallel(space: &Space, team: u64) -> Result<u64, Rc> {
    let own = space.part(team, Field::TeamData)?;
    match space.unsigned(team, Field::TeamStandsFor)? {
        0 => Ok(own),
        part => {
            let offset = own.checked_sub(space.part(team, Field::TeamTool)?).ok_or(Rc::INCOMPATIBLE)?;
            part.checked_add(offset).ok_or(Rc::ERROR)
        }
    }
}
