//! What a handle and its scope stand for: the address space, and the thread, team or task in it whose ICVs are asked for (OpenMP 5.1,
//! section 5.3.9, Table 5.1).

use std::ffi::c_void;

use ompd_layout::Field;

use crate::handles::{self, TaskRef, given};
use crate::space::{HOST, Space};
use crate::{Rc, Scope};

/// What is asked about.
pub struct Subject {
    /// Its address space.
    pub space: Space,
    part: Part,
}

enum Part {
    Whole,
    /// A thread's descriptor.
    Thread(u64),
    /// A team.
    Team(u64),
    Task(TaskRef),
}

impl Subject {
    /// What `handle` stands for, as a handle of the kind that belongs to `scope`.
    pub fn of(handle: *mut c_void, scope: Scope) -> Result<Subject, Rc> {
        match scope {
            Scope::GLOBAL | Scope::ADDRESS_SPACE => {
                let space = handles::space(given(handle))?;
                // What is global is the host's.
                if scope == Scope::GLOBAL && space.device != HOST {
                    return Err(Rc::BAD_INPUT);
                }
                Ok(Subject { space, part: Part::Whole })
            }
            Scope::THREAD => {
                let (space, thread) = handles::thread(handle.cast())?;
                Ok(Subject { space, part: Part::Thread(thread.thread) })
            }
            Scope::PARALLEL => {
                let (space, parallel) = handles::parallel(handle.cast())?;
                Ok(Subject { space, part: Part::Team(parallel.team) })
            }
            Scope::IMPLICIT_TASK | Scope::TASK => {
                let (space, task) = handles::task(handle.cast())?;
                if scope == Scope::IMPLICIT_TASK && task.member == 0 {
                    return Err(Rc::BAD_INPUT);
                }
                Ok(Subject { space, part: Part::Task(task) })
            }
            _ => Err(Rc::BAD_INPUT),
        }
    }

    /// The task: of a thread, the one that it executes.
    pub fn task(&self) -> Result<u64, Rc> {
        match &self.part {
            Part::Task(task) => Ok(task.task),
            Part::Thread(thread) => present(self.space.unsigned(*thread, Field::ThreadTask)?),
            _ => Err(Rc::BAD_INPUT),
        }
    }

    /// Whether the task is an implicit one.
    pub fn is_implicit(&self) -> Result<bool, Rc> {
        match &self.part {
            Part::Task(task) => Ok(task.member != 0),
            Part::Thread(thread) => {
                let member = self.space.unsigned(*thread, Field::ThreadMember)?;
                Ok(member != 0 && self.space.part(member, Field::MemberImplicit)? == self.task()?)
            }
            _ => Err(Rc::BAD_INPUT),
        }
    }

    /// The team.
    pub fn team(&self) -> Result<u64, Rc> {
        match &self.part {
            Part::Team(team) => Ok(*team),
            Part::Thread(_) => present(self.space.unsigned(self.member()?, Field::MemberTeam)?),
            Part::Task(task) if task.member != 0 => present(self.space.unsigned(task.member, Field::MemberTeam)?),
            Part::Task(task) => present(self.space.unsigned(task.task, Field::TaskTeam)?),
            Part::Whole => Err(Rc::BAD_INPUT),
        }
    }

    /// The slot of a team that the thread fills: of an explicit task, that of the thread that executes it.
    pub fn member(&self) -> Result<u64, Rc> {
        let thread = match &self.part {
            Part::Thread(thread) => *thread,
            Part::Task(task) if task.member != 0 => return Ok(task.member),
            Part::Task(task) => present(self.space.unsigned(task.task, Field::TaskExecutor)?)?,
            _ => return Err(Rc::BAD_INPUT),
        };
        present(self.space.unsigned(thread, Field::ThreadMember)?)
    }

    /// What the whole process has.
    pub fn process(&self) -> Result<u64, Rc> {
        present(self.space.root(Field::RootProcess)?)
    }
}

/// A pointer that is not null: what is not there yet, or not any more, is unavailable.
fn present(pointer: u64) -> Result<u64, Rc> {
    if pointer == 0 { Err(Rc::UNAVAILABLE) } else { Ok(pointer) }
}
