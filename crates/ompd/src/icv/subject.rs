//! The subject of a query for ICVs: the address space, and the thread, team or task of a handle and its scope (OpenMP
//! 5.1, section 5.3.9, Table 5.1).

use std::ffi::c_void;

use ompd_layout::Field;

use crate::handles::{self, given};
use crate::model::live;
use crate::model::task::{Stack, Task};
use crate::model::team::{self, Slot};
use crate::model::thread::{self, At};
use crate::space::{HOST, Space};
use crate::{Rc, Scope};

/// The subject of a query.
pub struct Subject {
    /// The address space.
    pub space: Space,
    part: Part,
}

enum Part {
    Whole,
    /// A thread's descriptor.
    Thread(u64),
    /// A team.
    Team(u64),
    Task(Task),
}

impl Subject {
    /// What `handle` stands for, as a handle of the kind that belongs to `scope`.
    pub fn of(handle: *mut c_void, scope: Scope) -> Result<Subject, Rc> {
        match scope {
            Scope::GLOBAL | Scope::ADDRESS_SPACE => {
                let space = handles::space(given(handle))?;
                // Global ICVs are the host's.
                if scope == Scope::GLOBAL && space.device != HOST {
                    return Err(Rc::BAD_INPUT);
                }
                Ok(Subject { space, part: Part::Whole })
            }
            Scope::THREAD => {
                let (space, thread) = live::thread(handle.cast())?;
                Ok(Subject { space, part: Part::Thread(thread.thread) })
            }
            Scope::PARALLEL => {
                let (space, parallel) = live::parallel(handle.cast())?;
                Ok(Subject { space, part: Part::Team(parallel.team) })
            }
            Scope::TEAMS | Scope::TARGET => {
                let (space, team) = live::generated(handle.cast(), scope)?;
                Ok(Subject { space, part: Part::Team(team) })
            }
            Scope::IMPLICIT_TASK | Scope::TASK => {
                let (space, _, task) = live::task(handle.cast())?;
                if scope == Scope::IMPLICIT_TASK && task.slot.is_none() {
                    return Err(Rc::BAD_INPUT);
                }
                Ok(Subject { space, part: Part::Task(task) })
            }
            _ => Err(Rc::BAD_INPUT),
        }
    }

    /// The header of the task; of a thread, of its current task.
    pub fn task(&self) -> Result<u64, Rc> {
        match self.part {
            Part::Task(task) => Ok(task.task),
            Part::Thread(thread) => Ok(self.whereabouts(thread)?.task),
            Part::Whole | Part::Team(_) => Err(Rc::BAD_INPUT),
        }
    }

    /// Whether the task is an implicit one.
    pub fn is_implicit(&self) -> Result<bool, Rc> {
        match self.part {
            Part::Task(task) => Ok(task.slot.is_some()),
            Part::Thread(thread) => Ok(Task::current(&self.space, self.whereabouts(thread)?)?.slot.is_some()),
            Part::Whole | Part::Team(_) => Err(Rc::BAD_INPUT),
        }
    }

    /// The team.
    pub fn team(&self) -> Result<u64, Rc> {
        match self.part {
            Part::Team(team) => Ok(team),
            Part::Thread(thread) => Ok(self.whereabouts(thread)?.slot.team),
            Part::Task(task) => task.team(&self.space),
            Part::Whole => Err(Rc::BAD_INPUT),
        }
    }

    /// How many threads the team has.
    pub fn team_size(&self) -> Result<u64, Rc> {
        team::size(&self.space, self.team()?)
    }

    /// The thread number in the team: of an explicit task, that of the thread that executes it.
    pub fn thread_num(&self) -> Result<u64, Rc> {
        let slot = match self.part {
            Part::Thread(thread) => self.whereabouts(thread)?.slot,
            Part::Task(Task { slot: Some(slot), .. }) => slot,
            Part::Task(task) => self.executed_in(task)?,
            Part::Whole | Part::Team(_) => return Err(Rc::BAD_INPUT),
        };
        Ok(slot.tid)
    }

    /// What the whole process has.
    pub fn process(&self) -> Result<u64, Rc> {
        match self.space.root(Field::RootProcess)? {
            0 => Err(Rc::UNAVAILABLE),
            process => Ok(process),
        }
    }

    /// Where a thread is; a thread that executes no task has no ICVs.
    fn whereabouts(&self, thread: u64) -> Result<At, Rc> {
        thread::whereabouts(&self.space, thread)?.ok_or(Rc::UNAVAILABLE)
    }

    /// The slot in which an explicit task is executed.
    fn executed_in(&self, task: Task) -> Result<Slot, Rc> {
        let (thread, _) = task.on_stack(&self.space)?.ok_or(Rc::UNAVAILABLE)?;
        let mut stack = Stack::of(&self.space, thread)?;
        while let Some((other, slot)) = stack.next_with_slot(&self.space)? {
            if other.task == task.task {
                return Ok(slot);
            }
        }
        Err(Rc::UNAVAILABLE)
    }
}
