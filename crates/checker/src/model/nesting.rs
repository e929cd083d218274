//! Which regions may stand inside which, with no parallel region between them: no worksharing region and no barrier
//! where threads of the team share work or take turns, or in an explicit task. OpenMP 5.1, section 2.22.
//!
//! Only what the current task has open itself counts. A task that was generated inside of a region is not in that
//! region when another thread executes it, and a nested parallel, teams or target region has tasks of its own.

use super::state::mutexes::is_entered;
use super::state::scope::{Family, Says, Scope};
use super::{Model, Task};
use crate::rules::Rule;
use ferromp_tool::{Mutex, SyncRegion, TaskFlag, Work};

/// What is encountered.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Inner {
    Worksharing(i32),
    Barrier,
    Masked,
    Ordered,
}

/// What it is encountered in.
enum Outer {
    Worksharing(i32),
    Masked,
    /// A critical or ordered region.
    Turn(i32),
    Task,
}

/// Whether the kind of work is a worksharing region, which the threads of a team share. A thread that does not execute
/// a single region is not inside of one; `scope` may have worksharing regions in it.
fn is_worksharing(kind: i32) -> bool {
    let loops = [Work::LOOP, Work::LOOP_STATIC, Work::LOOP_DYNAMIC, Work::LOOP_GUIDED, Work::LOOP_OTHER];
    let others = [Work::SECTIONS, Work::SINGLE_EXECUTOR, Work::SINGLE_OTHER, Work::WORKSHARE];
    loops.contains(&Work(kind)) || others.contains(&Work(kind))
}

/// Whether the task may be at the head of a loop or of sections, before the first piece. gcc adds barriers there for
/// `linear` and `lastprivate`, and in the loops of `scan`, which dispatch no piece.
fn is_at_head(scope: &Scope) -> bool {
    let single = [Work::SINGLE_EXECUTOR, Work::WORKSHARE].contains(&Work(scope.kind));
    scope.family == Family::Work && !single && !scope.dispatched
}

/// A region of work in the program's words.
pub(super) fn worksharing(kind: i32) -> &'static str {
    match Work(kind) {
        Work::SECTIONS => "a sections region",
        Work::SINGLE_EXECUTOR | Work::SINGLE_OTHER => "a single region",
        Work::WORKSHARE => "a workshare region",
        Work::SCOPE => "a scope region",
        _ => "a worksharing loop",
    }
}

impl Inner {
    /// What a scope is that begins, if there are rules for its place.
    pub(super) fn of(says: &Says<'_>) -> Option<Inner> {
        match says.family {
            Family::Work if is_worksharing(says.kind) => Some(Inner::Worksharing(says.kind)),
            Family::Masked => Some(Inner::Masked),
            // A barrier at the end of a construct is checked with the construct.
            Family::SyncRegion
                if [SyncRegion::BARRIER_EXPLICIT, SyncRegion::BARRIER].contains(&SyncRegion(says.kind)) =>
            {
                Some(Inner::Barrier)
            }
            _ => None,
        }
    }

    fn rule(self) -> Rule {
        match self {
            Inner::Worksharing(_) => Rule::WorksharingNested,
            Inner::Barrier => Rule::BarrierNested,
            Inner::Masked => Rule::MaskedNested,
            Inner::Ordered => Rule::OrderedNested,
        }
    }

    /// Itself, and what its place in the program is called: gcc's programs have one call for a barrier and for the end
    /// of several constructs.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Inner::Worksharing(kind) => (worksharing(kind), "it begins"),
            Inner::Barrier => ("a barrier", "the barrier, or the end of a construct"),
            Inner::Masked => ("a masked region", "it begins"),
            Inner::Ordered => ("an ordered region", "it begins"),
        }
    }

    /// Whether it may not stand there.
    fn is_barred_from(self, outer: &Outer) -> bool {
        match self {
            Inner::Worksharing(_) | Inner::Barrier => true,
            Inner::Masked => matches!(outer, Outer::Worksharing(_) | Outer::Task),
            Inner::Ordered => matches!(outer, Outer::Turn(_) | Outer::Task),
        }
    }
}

impl Outer {
    fn of(scope: &Scope) -> Option<Outer> {
        match scope.family {
            Family::Work if is_worksharing(scope.kind) && scope.kind != Work::SINGLE_OTHER.0 => {
                Some(Outer::Worksharing(scope.kind))
            }
            Family::Masked => Some(Outer::Masked),
            _ => None,
        }
    }

    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Outer::Worksharing(kind) => (worksharing(*kind), "the region around it begins"),
            Outer::Masked => ("a masked region", "the region around it begins"),
            Outer::Turn(kind) if *kind == Mutex::ORDERED.0 => ("an ordered region", "the region around it begins"),
            Outer::Turn(_) => ("a critical region", "the region around it begins"),
            Outer::Task => ("an explicit task", "the task is created"),
        }
    }
}

impl Model {
    /// A task comes to a construct that may not stand everywhere.
    pub(super) fn check_nesting(&mut self, thread: usize, value: u64, inner: Inner, code: usize) {
        let Some(task) = self.tasks.get(&value) else { return };
        let region = task.region.and_then(|region| self.regions.get(&region));
        // Threads that leave a cancelled region leave out the ends of what they were in.
        if self.blind_to_cancel || task.confused || region.is_some_and(|region| region.cancelled && !region.nested) {
            return;
        }
        let Some((outer, begun)) = self.around(value, task, inner) else { return };
        let (name, here) = inner.words();
        let (around, there) = outer.words();
        let region = task.region;
        let text = format!("{name} inside of {around}, with no parallel region between them");
        self.finding(inner.rule(), thread, text, &[(here.to_owned(), code), (there.to_owned(), begun)], false);
        // What the threads of the team do from here on differs, and the runtime is not to blame for that.
        let differs = matches!(inner, Inner::Worksharing(_) | Inner::Barrier);
        if let Some(region) = region.filter(|_| differs).and_then(|region| self.regions.get_mut(&region)) {
            region.cancelled = true;
            region.nested = true;
        }
    }

    /// The innermost of what bars a construct from its place, and where that begins.
    fn around(&self, value: u64, task: &Task, inner: Inner) -> Option<(Outer, usize)> {
        let barred = |(outer, code): (Outer, usize)| inner.is_barred_from(&outer).then_some((outer, code));
        let counts = |scope: &&Scope| inner != Inner::Barrier || !is_at_head(scope);
        let scope = task
            .scopes
            .iter()
            .rev()
            .filter(counts)
            .find_map(|scope| Some((Outer::of(scope)?, scope.code)).and_then(barred));
        let turn =
            || self.mutexes.held_by(value, is_entered).map(|(kind, code)| (Outer::Turn(kind), code)).and_then(barred);
        let itself =
            || Some((Outer::Task, task.code)).filter(|_| task.flags.contains(TaskFlag::EXPLICIT)).and_then(barred);
        scope.or_else(turn).or_else(itself)
    }
}
