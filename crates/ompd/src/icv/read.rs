//! The value of each ICV, as the program's memory has it: a number, a word with a number, a list, or a place of text
//! (OpenMP 5.1, section 2.4).

use ompd_layout::Field;

use super::subject::Subject;
use crate::Rc;
use crate::model::team;
use crate::space::{HOST, Space};

/// The most elements of a list. No intact program has more.
const MOST: u64 = 1 << 16;

/// What an ICV holds.
pub enum Value {
    Number(i64),
    /// `true` or `false`.
    Flag(bool),
    /// `enabled` or `disabled`.
    Ability(bool),
    /// One of few values: its number in OpenMP, or otherwise in the runtime.
    Word(i64, &'static str),
    /// A number of bytes.
    Bytes(u64),
    /// A list of numbers: the first, and where the others lie.
    Numbers(i64, Array),
    /// A list of policies, likewise.
    Policies(u64, Array),
    Schedule {
        kind: u64,
        /// 0 unspecified, 1 monotonic, 2 nonmonotonic.
        ordering: u64,
        /// 0 unspecified.
        chunk: i64,
    },
    /// The handle of an allocator.
    Allocator(u64),
    /// Places of the place list.
    Places {
        first: u64,
        count: u64,
    },
    /// The address of a string.
    Text(u64),
}

/// A value as a number.
pub enum Integer {
    /// The value is this number.
    Whole(i64),
    /// The value is a list with this first element.
    First(i64),
}

/// Elements in the program's memory.
#[derive(Clone, Copy)]
pub struct Array {
    pub start: u64,
    pub count: u64,
}

impl Array {
    const EMPTY: Array = Array { start: 0, count: 0 };

    /// All but the first `taken` elements, which have `size` bytes each.
    fn behind(self, taken: u64, size: u64) -> Result<Array, Rc> {
        let count = self.count.saturating_sub(taken);
        if count == 0 {
            return Ok(Array::EMPTY);
        }
        let start = taken.checked_mul(size).and_then(|bytes| self.start.checked_add(bytes)).ok_or(Rc::ERROR)?;
        Ok(Array { start, count })
    }

    fn checked(self) -> Result<Array, Rc> {
        if self.count > MOST { Err(Rc::ERROR) } else { Ok(self) }
    }
}

impl Value {
    /// The value as a number; `ompd_rc_incompatible` if the value is not a number.
    pub fn integer(&self, subject: &Subject) -> Result<Integer, Rc> {
        let of_list =
            |first: i64, rest: &Array| if rest.count == 0 { Integer::Whole(first) } else { Integer::First(first) };
        match self {
            Value::Number(number) | Value::Word(number, _) => Ok(Integer::Whole(*number)),
            Value::Flag(yes) | Value::Ability(yes) => Ok(Integer::Whole(i64::from(*yes))),
            Value::Bytes(bytes) => i64::try_from(*bytes).map(Integer::Whole).map_err(|_| Rc::ERROR),
            Value::Numbers(first, rest) => Ok(of_list(*first, rest)),
            Value::Policies(first, rest) => Ok(of_list(i64::try_from(*first).map_err(|_| Rc::ERROR)?, rest)),
            Value::Allocator(handle) => i64::try_from(*handle).map(Integer::Whole).map_err(|_| Rc::ERROR),
            Value::Places { count: 0, .. } => Err(Rc::INCOMPATIBLE),
            Value::Places { first, count } => {
                let first = i64::try_from(*first).map_err(|_| Rc::ERROR)?;
                // Only existing places.
                if *count > subject.space.unsigned(subject.process()?, Field::ProcessPlaceCount)? {
                    return Err(Rc::ERROR);
                }
                Ok(if *count == 1 { Integer::Whole(first) } else { Integer::First(first) })
            }
            Value::Schedule { .. } | Value::Text(_) => Err(Rc::INCOMPATIBLE),
        }
    }
}

/// How the value of an ICV is found.
pub enum Source {
    /// In a field of the structure of the whole process.
    Process(Field, Form),
    /// In a field of the task's ICVs.
    Task(Field, Form),
    /// A number in a field of the team.
    Team(Field),
    /// In the array in a field of the process, which has a number for each device.
    Device(Field),
    Computed(fn(&Subject) -> Result<Value, Rc>),
}

/// How a field holds a value.
pub enum Form {
    Number,
    /// 0 for `false`.
    Flag,
    /// 0 for `disabled`.
    Ability,
    Bytes,
    /// The number of one of these words.
    Word(&'static [&'static str]),
    /// The handle of an allocator.
    Allocator,
    /// The address of a string, 0 if there is none yet.
    Text,
}

impl Source {
    pub fn read(&self, subject: &Subject) -> Result<Value, Rc> {
        let space = &subject.space;
        match self {
            Source::Process(field, form) => form.read(space, subject.process()?, *field),
            Source::Task(field, form) => form.read(space, icvs(subject)?, *field),
            Source::Team(field) => Form::Number.read(space, subject.team()?, *field),
            Source::Device(field) => of_device(space, subject.process()?, *field),
            Source::Computed(value) => value(subject),
        }
    }
}

impl Form {
    /// The value in `field` of the structure at `base`.
    fn read(&self, space: &Space, base: u64, field: Field) -> Result<Value, Rc> {
        let number = || space.unsigned(base, field);
        Ok(match self {
            Form::Number => Value::Number(space.signed(base, field)?),
            Form::Flag => Value::Flag(number()? != 0),
            Form::Ability => Value::Ability(number()? != 0),
            Form::Bytes => Value::Bytes(number()?),
            Form::Word(words) => {
                let index = usize::try_from(number()?).map_err(|_| Rc::ERROR)?;
                Value::Word(index as i64, words.get(index).ok_or(Rc::ERROR)?)
            }
            Form::Allocator => Value::Allocator(number()?),
            Form::Text => match number()? {
                0 => return Err(Rc::UNAVAILABLE),
                address => Value::Text(address),
            },
        })
    }
}

/// A number of the process's.
fn process(subject: &Subject, field: Field) -> Result<i64, Rc> {
    subject.space.signed(subject.process()?, field)
}

/// The task's ICVs.
fn icvs(subject: &Subject) -> Result<u64, Rc> {
    subject.space.part(subject.task()?, Field::TaskIcvs)
}

/// A number that has no sign.
fn count(number: u64) -> Result<Value, Rc> {
    i64::try_from(number).map(Value::Number).map_err(|_| Rc::ERROR)
}

pub fn run_schedule(subject: &Subject) -> Result<Value, Rc> {
    let icvs = icvs(subject)?;
    Ok(Value::Schedule {
        kind: subject.space.unsigned(icvs, Field::IcvScheduleKind)?,
        ordering: subject.space.unsigned(icvs, Field::IcvScheduleMonotonic)?,
        chunk: subject.space.signed(icvs, Field::IcvScheduleChunk)?,
    })
}

/// The task has the first element itself. The others are what is left of the environment's list at its level, or of the
/// list of a clause.
pub fn num_threads(subject: &Subject) -> Result<Value, Rc> {
    /// The runtime's numbers of the environment's list and of the empty list.
    const ENVIRONMENT: u64 = 0;
    const EMPTY: u64 = 1;
    let space = &subject.space;
    let icvs = icvs(subject)?;
    let first = space.signed(icvs, Field::IcvNthreads)?;
    let rest = match space.unsigned(icvs, Field::IcvNthreadsList)? {
        ENVIRONMENT => {
            let level = space.unsigned(icvs, Field::IcvNthreadsLevel)?;
            environment(space, subject.process()?)?.behind(level.saturating_add(1), size_of::<i32>() as u64)?
        }
        EMPTY => Array::EMPTY,
        number => clause_list(subject, number)?,
    };
    Ok(Value::Numbers(first, rest))
}

/// The environment's list.
fn environment(space: &Space, process: u64) -> Result<Array, Rc> {
    let start = space.unsigned(process, Field::ProcessNumThreads)?;
    Array { start, count: space.unsigned(process, Field::ProcessNumThreadsCount)? }.checked()
}

/// nthreads-var of the first initial task: the environment's list, or as many as there are processors.
pub fn initial_num_threads(space: &Space, process: u64) -> Result<Value, Rc> {
    let size = size_of::<i32>();
    match environment(space, process)? {
        Array { count: 0, .. } => Ok(Value::Number(space.signed(process, Field::ProcessNumProcs)?)),
        list => {
            let first = space.memory.unsigned(list.start, size)? as u32 as i32;
            Ok(Value::Numbers(i64::from(first), list.behind(1, size as u64)?))
        }
    }
}

/// The list of a clause with that number.
fn clause_list(subject: &Subject, number: u64) -> Result<Array, Rc> {
    let space = &subject.space;
    let mut list = space.unsigned(subject.process()?, Field::ProcessClauseLists)?;
    // There is a list for each number at the most.
    for _ in 0..MOST {
        if list == 0 {
            break;
        }
        if space.unsigned(list, Field::ClauseListNumber)? == number {
            let count = space.unsigned(list, Field::ClauseListCount)?;
            return Array { start: space.unsigned(list, Field::ClauseListNumbers)?, count }.checked();
        }
        list = space.unsigned(list, Field::ClauseListNext)?;
    }
    Err(Rc::UNAVAILABLE)
}

/// As [`num_threads`]; no clause gives a list.
pub fn bind(subject: &Subject) -> Result<Value, Rc> {
    let space = &subject.space;
    let (icvs, process) = (icvs(subject)?, subject.process()?);
    let list = Array {
        start: space.unsigned(process, Field::ProcessBind)?,
        count: space.unsigned(process, Field::ProcessBindCount)?,
    };
    let level = space.unsigned(icvs, Field::IcvNthreadsLevel)?;
    Ok(Value::Policies(space.unsigned(icvs, Field::IcvBind)?, list.checked()?.behind(level.saturating_add(1), 1)?))
}

pub fn num_procs(subject: &Subject) -> Result<Value, Rc> {
    match process(subject, Field::ProcessNumProcs)? {
        0 => Err(Rc::UNAVAILABLE),
        count => Ok(Value::Number(count)),
    }
}

pub fn thread_num(subject: &Subject) -> Result<Value, Rc> {
    count(subject.thread_num()?)
}

pub fn final_task(subject: &Subject) -> Result<Value, Rc> {
    let flags = subject.space.unsigned(subject.task()?, Field::TaskFlags)?;
    Ok(Value::Flag(flags & u64::from(ompt::TaskFlag::FINAL.0 as u32) != 0))
}

/// Initial tasks are implicit ones.
pub fn implicit_task(subject: &Subject) -> Result<Value, Rc> {
    subject.is_implicit().map(Value::Flag)
}

/// Whether it is an explicit task, or a target task (OpenMP 6.0, section 3.1).
pub fn explicit_task(subject: &Subject) -> Result<Value, Rc> {
    subject.is_implicit().map(|implicit| Value::Flag(!implicit))
}

/// What made the team (OpenMP 6.0, section 39.13).
pub fn team_generator(subject: &Subject) -> Result<Value, Rc> {
    let generator = team::generator(&subject.space, subject.team()?)?;
    let name = generator.name().and_then(|name| name.strip_prefix("ompd_generator_")).ok_or(Rc::ERROR)?;
    Ok(Value::Word(generator.0.into(), name))
}

pub fn team_size(subject: &Subject) -> Result<Value, Rc> {
    count(subject.team_size()?)
}

/// The compiler chooses the schedule of loops without a schedule clause. All known compilers choose this one.
pub fn default_schedule(_: &Subject) -> Result<Value, Rc> {
    Ok(Value::Word(1, "static"))
}

pub fn wait_policy(subject: &Subject) -> Result<Value, Rc> {
    Ok(match process(subject, Field::ProcessWaitPolicy)? {
        0 => Value::Word(0, "passive"),
        _ => Value::Word(1, "active"),
    })
}

/// A number that the host and each device have in an array.
pub fn of_device(space: &Space, process: u64, field: Field) -> Result<Value, Rc> {
    let index = space.device.checked_sub(HOST).and_then(|index| u64::try_from(index).ok()).ok_or(Rc::ERROR)?;
    let size = space.entry(field)?.size as usize;
    let offset = index.checked_mul(size as u64).ok_or(Rc::ERROR)?;
    let place = space.part(process, field)?.checked_add(offset).ok_or(Rc::ERROR)?;
    Ok(Value::Number(i64::from(space.memory.unsigned(place, size)? as u32 as i32)))
}

/// The host's number is that behind the devices'.
pub fn device_num(subject: &Subject) -> Result<Value, Rc> {
    match subject.space.device {
        HOST => Ok(Value::Number(process(subject, Field::ProcessDevices)?)),
        device => Ok(Value::Number(device)),
    }
}

pub fn place_partition(subject: &Subject) -> Result<Value, Rc> {
    let icvs = icvs(subject)?;
    let read = |field| subject.space.unsigned(icvs, field);
    Ok(Value::Places { first: read(Field::IcvPartitionFirst)?, count: read(Field::IcvPartitionCount)? })
}

/// The address of the string that describes an allocator of the program; `None` if the allocator does not exist.
pub fn allocator_text(space: &Space, handle: u64) -> Result<Option<u64>, Rc> {
    let process = space.root(Field::RootProcess)?;
    let read = |field| space.unsigned(process, field);
    let (first, count) = (read(Field::ProcessAllocatorFirst)?, read(Field::ProcessAllocatorCount)?);
    let Some(index) = handle.checked_sub(first).filter(|&index| index < count) else { return Ok(None) };
    let offset = index.checked_mul(space.memory.pointer_size() as u64).ok_or(Rc::ERROR)?;
    let entry = read(Field::ProcessAllocators)?.checked_add(offset).ok_or(Rc::ERROR)?;
    match space.memory.pointer(entry)? {
        0 => Ok(None),
        allocator => Ok(Some(space.unsigned(allocator, Field::AllocatorText)?).filter(|&text| text != 0)),
    }
}
