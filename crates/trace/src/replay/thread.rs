//! One thread of the replay: where it is in both runs, and what it is doing.

use super::chunks::Given;
use super::moment::Moment;
use super::path::Path;
use crate::Site;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// The program's code outside of regions.
    Serial,
    /// The program's code in an implicit task.
    Body,
    /// The program's code in the explicit task with this id.
    Task(u64),
    /// The program's code in a worksharing construct of this `ompt_work_t`.
    Work(u64),
    /// The program's code in a masked construct.
    Masked,
    /// The program's code while it holds the lock with this wait id.
    Holding(u64),
    /// The device construct with this id.
    Target(u64),
    /// The runtime, in a synchronising construct of this `ompt_sync_region_t`.
    Sync(u64),
    /// The runtime, at the begin and end of a region.
    Fork,
}

impl Doing {
    /// Whether it is the program's code.
    pub fn is_code(self) -> bool {
        !matches!(self, Doing::Sync(_) | Doing::Fork | Doing::Target(_))
    }
}

/// A level of what a thread does, and its spot.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub doing: Doing,
    pub spot: u32,
}

/// A thread's part in a region.
#[derive(Debug)]
pub struct Part {
    /// The region; 0 outside of any, for an initial task.
    pub parallel: u64,
    /// Whether this is the thread that encountered the region.
    pub encountering: bool,
    /// Its implicit task.
    pub implicit: u64,
    /// The thread's number in the team.
    pub member: u64,
    /// What it does, the innermost last.
    pub levels: Vec<Level>,
    /// Barriers encountered.
    pub barriers: u64,
    /// Whether the thread is in the last of them.
    pub in_barrier: bool,
    /// Whether the replay has no such barrier.
    pub dropped: bool,
    /// Waiting for locks since the last worksharing construct began, in the recorded run.
    pub lock_waits: u64,
    /// The construct that was left last, until the thread does something else.
    pub left: Site,
    /// Whether the innermost level is a single construct of which the runtime does not see the end, as gcc's.
    pub endless_single: bool,
    /// Work since the last barrier that is to be balanced.
    pub balance: Path,
    /// When the thread has begun its part or left the last barrier.
    pub since: Moment,
    /// The chunk that the thread executes, if the loop's are to be handed out anew, and when it began in the replay.
    pub chunk: Option<(Given, u64)>,
    /// The end of the last barrier, as long as the thread has done no work after it.
    pub released: Option<Moment>,
}

impl Part {
    pub fn new(parallel: u64, encountering: bool, level: Level) -> Part {
        Part {
            parallel,
            encountering,
            implicit: 0,
            member: 0,
            levels: vec![level],
            barriers: 0,
            in_barrier: false,
            dropped: false,
            lock_waits: 0,
            left: Site::default(),
            endless_single: false,
            balance: Path::default(),
            since: Moment::default(),
            chunk: None,
            released: None,
        }
    }

    /// The task that the thread executes.
    pub fn task(&self) -> u64 {
        let explicit = |level: &Level| if let Doing::Task(id) = level.doing { Some(id) } else { None };
        self.levels.iter().rev().find_map(explicit).unwrap_or(self.implicit)
    }

    /// The level to which work is charged: what holds a lock belongs to the construct around it.
    pub fn construct(&self) -> Option<Level> {
        self.levels.iter().rev().find(|level| !matches!(level.doing, Doing::Holding(_))).copied()
    }

    /// Ends the innermost level that `is` accepts, and those inside it. Levels of an outer task stay.
    pub fn close(&mut self, is: impl Fn(Doing) -> bool) {
        let inner = |level: &Level| matches!(level.doing, Doing::Task(_) | Doing::Body | Doing::Serial | Doing::Fork);
        let from = self.levels.iter().rposition(inner).map_or(0, |index| index + 1);
        if let Some(index) = self.levels[from..].iter().rposition(|level| is(level.doing)) {
            self.levels.truncate(from + index);
        }
    }

    /// Ends an explicit task.
    pub fn end_task(&mut self, id: u64) {
        if let Some(index) = self.levels.iter().rposition(|level| level.doing == Doing::Task(id)) {
            self.levels.truncate(index);
        }
    }

    /// Begins an explicit task, or goes back to it.
    pub fn enter_task(&mut self, id: u64, spot: u32) {
        let is_task = |level: &Level| matches!(level.doing, Doing::Task(_));
        match self.levels.iter().rposition(|level| level.doing == Doing::Task(id)) {
            Some(index) => {
                let after = self.levels[index + 1..].iter().position(is_task);
                self.levels.truncate(after.map_or(self.levels.len(), |offset| index + 1 + offset));
            }
            None => self.levels.push(Level { doing: Doing::Task(id), spot }),
        }
    }

    /// Goes back to the implicit task.
    pub fn leave_tasks(&mut self) {
        if let Some(index) = self.levels.iter().position(|level| matches!(level.doing, Doing::Task(_))) {
            self.levels.truncate(index);
        }
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// In a construct of this `ompt_sync_region_t`.
    Sync { kind: u64, spot: u32 },
    /// For a lock.
    Lock { wait: u64 },
}

/// An acquisition that is under way or done.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub wait: u64,
    /// `ompt_mutex_t`.
    pub kind: u64,
    pub codeptr: u64,
    /// When it was acquired, in the recorded run; none before that.
    pub since: Option<u64>,
}

/// A thread.
#[derive(Debug, Default)]
pub struct Thread {
    /// Whether it is a worker: outside of regions, it does nothing.
    pub is_worker: bool,
    /// Up to here, both runs are known. While the thread waits, it is the begin of the waiting.
    pub at: Moment,
    pub parts: Vec<Part>,
    pub waiting: Option<Waiting>,
    pub held: Vec<Held>,
    /// The spot of the tasks that the thread has just created, and when, if it has done nothing else since.
    pub created: Option<u32>,
    /// What part of the runtime's time remains, after a task of which many are to be one.
    pub after_task: Option<f64>,
    /// Whether the last event was the begin of a single construct that the thread executes.
    pub begun_single: bool,
}
