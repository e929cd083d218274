//! Scopes with two ends, and what an event says of one.

use ferromp_tool::{CodePtr, Event, ScopeEndpoint, Slot, SyncRegion, Work};

/// A kind of scope with two ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Family {
    SyncRegion,
    SyncRegionWait,
    Reduction,
    Work,
    Masked,
}

impl Family {
    pub fn event(self) -> Event {
        match self {
            Family::SyncRegion => Event::SyncRegion,
            Family::SyncRegionWait => Event::SyncRegionWait,
            Family::Reduction => Event::Reduction,
            Family::Work => Event::Work,
            Family::Masked => Event::Masked,
        }
    }
}

/// An open scope of a task.
#[derive(Copy, Clone)]
pub struct Scope {
    pub family: Family,
    /// The number of its kind within the family.
    pub kind: i32,
    pub code: usize,
    /// The taskgroup that it is.
    pub group: Option<u64>,
    /// A piece of it was dispatched to the task, if it is work.
    pub dispatched: bool,
    /// The number among the region's worksharing regions.
    pub work: Option<u64>,
}

impl Scope {
    pub fn is(&self, family: Family, kind: i32) -> bool {
        (self.family, self.kind) == (family, kind)
    }

    /// The scope in words.
    pub fn name(&self) -> String {
        let plain = |name: Option<&'static str>, kind: i32| match name {
            Some(name) => name.strip_prefix("ompt_").unwrap_or(name).to_owned(),
            None => format!("kind {kind}"),
        };
        match self.family {
            Family::SyncRegion => plain(SyncRegion(self.kind).name(), self.kind),
            Family::SyncRegionWait => format!("wait in {}", plain(SyncRegion(self.kind).name(), self.kind)),
            Family::Reduction => "reduction".to_owned(),
            Family::Work => plain(Work(self.kind).name(), self.kind),
            Family::Masked => "masked".to_owned(),
        }
    }
}

/// What an event of such a scope says.
pub struct Says<'a> {
    pub family: Family,
    pub kind: i32,
    pub endpoint: ScopeEndpoint,
    pub parallel: Option<Slot<'a>>,
    pub task: Option<Slot<'a>>,
    pub code: CodePtr,
    pub count: u64,
}

/// Whether the kind is one of the barriers'.
pub fn is_barrier_kind(kind: i32) -> bool {
    !matches!(SyncRegion(kind), SyncRegion::TASKWAIT | SyncRegion::TASKGROUP | SyncRegion::REDUCTION)
}

/// Whether the scope is a barrier region.
pub fn is_barrier(scope: &Scope) -> bool {
    scope.family == Family::SyncRegion && is_barrier_kind(scope.kind)
}
