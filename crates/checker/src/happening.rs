//! An event with its arguments, kept small enough to remember the last ones of every thread, and written out only when
//! a finding needs it. OpenMP 5.1, section 4.5.2.

use ferromp_tool::ompt::{CancelFlag, ParallelFlag, TaskFlag};
use ferromp_tool::{CodePtr, Event, Slot};
use std::fmt;

/// How many events of a thread a finding shows, the one that it is about included.
const REMEMBERED: usize = 12;
/// The most arguments that are kept of an event.
pub const WORDS: usize = 8;

/// One argument.
#[derive(Copy, Clone)]
pub enum Word {
    /// A number.
    Number(u64),
    /// An address or identifier.
    Address(u64),
    /// The value of a data word; `None` for a null pointer.
    Data(Option<u64>),
    /// A value of an enumeration that has a name.
    Name(&'static str),
    /// A value without a name.
    Unnamed(i32),
    Parallel(ParallelFlag),
    Task(TaskFlag),
    Cancel(CancelFlag),
}

impl From<Option<Slot<'_>>> for Word {
    fn from(slot: Option<Slot<'_>>) -> Word {
        Word::Data(slot.map(Slot::get))
    }
}

impl From<CodePtr> for Word {
    fn from(code: CodePtr) -> Word {
        Word::Address(code.0 as u64)
    }
}

/// A value of an enumeration.
pub fn named(name: Option<&'static str>, value: i32) -> Word {
    name.map_or(Word::Unnamed(value), Word::Name)
}

/// What a data word's value says that it belongs to.
pub fn object(value: u64) -> String {
    let number = value & !(0xff << 56);
    match (value >> 56) as u8 {
        b'T' => format!("thread data {number}"),
        b'R' => format!("region {number}"),
        b'K' => format!("task {number}"),
        b'G' => format!("target region {number}"),
        b'O' => format!("operation {number}"),
        _ if value == 0 => "0".to_owned(),
        _ => format!("{value:#x}"),
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Number(number) => write!(f, "{number}"),
            Word::Address(address) => write!(f, "{address:#x}"),
            Word::Data(None) => f.write_str("NULL"),
            Word::Data(Some(value)) => f.write_str(&object(*value)),
            Word::Name(name) => f.write_str(name.strip_prefix("ompt_").unwrap_or(name)),
            Word::Unnamed(value) => write!(f, "{value}"),
            Word::Parallel(flags) => write!(f, "{flags:?}"),
            Word::Task(flags) => write!(f, "{flags:?}"),
            Word::Cancel(flags) => write!(f, "{flags:?}"),
        }
    }
}

/// An event and its arguments, in the order of [`names`].
#[derive(Copy, Clone)]
pub struct Happening {
    pub event: Event,
    words: [Word; WORDS],
}

impl Happening {
    /// An event with these arguments; what exceeds [`WORDS`] is left out.
    pub fn new(event: Event, arguments: &[Word]) -> Happening {
        let mut words = [Word::Number(0); WORDS];
        for (kept, given) in words.iter_mut().zip(arguments) {
            *kept = *given;
        }
        Happening { event, words }
    }

    /// The arguments; missing ones are the number 0.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.event.name().unwrap_or("unknown");
        write!(f, "{}(", name.strip_prefix("ompt_callback_").unwrap_or(name))?;
        for (index, (name, word)) in names(self.event).iter().zip(&self.words).enumerate() {
            write!(f, "{}{name}={word}", if index == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// The arguments' names, as the specification has them.
fn names(event: Event) -> &'static [&'static str] {
    match event {
        Event::ThreadBegin => &["thread_type", "thread_data"],
        Event::ThreadEnd => &["thread_data"],
        Event::ParallelBegin => {
            &["encountering_task_data", "parallel_data", "requested_parallelism", "flags", "codeptr_ra"]
        }
        Event::ParallelEnd => &["parallel_data", "encountering_task_data", "flags", "codeptr_ra"],
        Event::TaskCreate => &["encountering_task_data", "new_task_data", "flags", "has_dependences", "codeptr_ra"],
        Event::TaskSchedule => &["prior_task_data", "prior_task_status", "next_task_data"],
        Event::ImplicitTask => &["endpoint", "parallel_data", "task_data", "actual_parallelism", "index", "flags"],
        Event::ControlTool => &["command", "modifier", "codeptr_ra"],
        Event::SyncRegionWait | Event::SyncRegion | Event::Reduction => {
            &["kind", "endpoint", "parallel_data", "task_data", "codeptr_ra"]
        }
        Event::Work => &["work_type", "endpoint", "parallel_data", "task_data", "count", "codeptr_ra"],
        Event::Masked => &["endpoint", "parallel_data", "task_data", "codeptr_ra"],
        Event::Dispatch => &["parallel_data", "task_data", "kind", "instance", "iterations"],
        Event::Dependences => &["task_data", "ndeps"],
        Event::TaskDependence => &["src_task_data", "sink_task_data"],
        Event::Cancel => &["task_data", "flags", "codeptr_ra"],
        Event::LockInit | Event::MutexAcquire => &["kind", "hint", "impl", "wait_id", "codeptr_ra"],
        Event::LockDestroy | Event::MutexAcquired | Event::MutexReleased => &["kind", "wait_id", "codeptr_ra"],
        Event::NestLock => &["endpoint", "wait_id", "codeptr_ra"],
        Event::Flush => &["thread_data", "codeptr_ra"],
        Event::Error => &["severity", "codeptr_ra"],
        Event::DeviceInitialize | Event::DeviceFinalize => &["device_num"],
        Event::DeviceLoad | Event::DeviceUnload => &["device_num", "module_id"],
        Event::Target | Event::TargetEmi => &["kind", "endpoint", "device_num", "target_data", "codeptr_ra"],
        Event::TargetDataOp | Event::TargetDataOpEmi => &[
            "endpoint",
            "target_data",
            "host_op_id",
            "optype",
            "src_device_num",
            "dest_device_num",
            "bytes",
            "codeptr_ra",
        ],
        Event::TargetSubmit | Event::TargetSubmitEmi => {
            &["endpoint", "target_data", "host_op_id", "requested_num_teams"]
        }
        Event::TargetMap | Event::TargetMapEmi => &["target_data", "nitems", "codeptr_ra"],
        _ => &[],
    }
}

/// The last events of a thread.
#[derive(Default)]
pub struct Ring {
    events: Vec<Happening>,
    /// Where the next one goes once all places are taken.
    next: usize,
}

impl Ring {
    /// Remembers one more.
    pub fn push(&mut self, happening: Happening) {
        if self.events.len() < REMEMBERED {
            self.events.push(happening);
            self.next = self.events.len() % REMEMBERED;
        } else {
            self.events[self.next] = happening;
            self.next = (self.next + 1) % REMEMBERED;
        }
    }

    /// The latest, and those before it from the oldest on.
    pub fn written(&self) -> (String, Vec<String>) {
        let (newer, older) = self.events.split_at(if self.events.len() < REMEMBERED { 0 } else { self.next });
        let mut all: Vec<String> = older.iter().chain(newer).map(Happening::to_string).collect();
        (all.pop().unwrap_or_default(), all)
    }

    /// Gives the memory back.
    pub fn forget(&mut self) {
        *self = Ring::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_event_comes_first_and_the_latest_apart() {
        let mut ring = Ring::default();
        for number in 0..REMEMBERED as u64 + 3 {
            ring.push(Happening::new(Event::ThreadEnd, &[Word::Number(number)]));
        }
        let (latest, before) = ring.written();
        assert_eq!(latest, "thread_end(thread_data=14)");
        assert_eq!(before.len(), REMEMBERED - 1);
        assert_eq!(before[0], "thread_end(thread_data=3)");
    }

    #[test]
    fn arguments_are_named_as_the_specification_has_them() {
        let words =
            [Word::Name("ompt_mutex_lock"), Word::Number(0), Word::Number(1), Word::Address(255), Word::Address(16)];
        let text = Happening::new(Event::MutexAcquire, &words).to_string();
        assert_eq!(text, "mutex_acquire(kind=mutex_lock, hint=0, impl=1, wait_id=0xff, codeptr_ra=0x10)");
    }
}
