//! Scopes with two ends that nest within a task: synchronisation regions and their waits, reductions, work, masked.
//! OpenMP 5.1, sections 2.19, 4.5.2.5, 4.5.2.12 and 4.5.2.13.

use super::Model;
use super::nesting::Inner;
use super::state::scope::{Family, Says, Scope, is_barrier};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{ScopeEndpoint, SyncRegion, Work};

/// Whether the barrier may stand at the end of a parallel region.
fn at_join(kind: i32) -> bool {
    let kind = SyncRegion(kind);
    let implicit = [SyncRegion::BARRIER_IMPLICIT_PARALLEL, SyncRegion::BARRIER_IMPLICIT, SyncRegion::BARRIER_TEAMS];
    implicit.contains(&kind) || kind == SyncRegion::BARRIER_IMPLEMENTATION
}

impl Model {
    /// Whether the region may be gone at this event, so that its data word need not be there.
    pub fn may_lack_region(says: &Says<'_>) -> bool {
        let sync = matches!(says.family, Family::SyncRegion | Family::SyncRegionWait);
        sync && says.endpoint == ScopeEndpoint::END && at_join(says.kind)
    }

    pub fn scope(&mut self, thread: usize, says: &Says<'_>) {
        let Some(task) = self.current_task(thread, says.task, "task of the scope") else { return };
        self.region_of_task(thread, says.parallel, task, Self::may_lack_region(says));
        self.check_kind(thread, says);
        match says.endpoint {
            ScopeEndpoint::BEGIN => self.open(thread, task, says),
            ScopeEndpoint::END => self.close(thread, task, says),
            // The runtime knows one place only, and uses it for both ends.
            ScopeEndpoint::BEGINEND if says.family != Family::SyncRegionWait => {
                self.open(thread, task, says);
                self.close(thread, task, says);
            }
            endpoint => self.violation(Rule::Endpoint, thread, format!("the endpoint is {endpoint:?}")),
        }
    }

    fn check_kind(&mut self, thread: usize, says: &Says<'_>) {
        let kind = SyncRegion(says.kind);
        let fits = match says.family {
            Family::SyncRegion | Family::SyncRegionWait => {
                !self.is_unknown(kind.name()) && kind != SyncRegion::REDUCTION
            }
            Family::Reduction => kind == SyncRegion::REDUCTION,
            Family::Work | Family::Masked => true,
        };
        if !fits {
            self.violation(Rule::SyncKind, thread, format!("the kind is {kind:?}"));
        }
        if says.family == Family::Work && self.is_unknown(Work(says.kind).name()) {
            self.violation(Rule::WorkKind, thread, format!("the kind of work is {}", says.kind));
        }
    }

    /// Opens a scope of a task.
    fn open(&mut self, thread: usize, task: u64, says: &Says<'_>) {
        let &Says { family, kind, code, .. } = says;
        if let Some(inner) = Inner::of(says) {
            self.check_nesting(thread, task, inner, code.0);
        }
        let mut scope = Scope { family, kind, code: code.0, group: None, dispatched: false, work: None };
        if scope.is(Family::SyncRegion, SyncRegion::TASKGROUP.0) {
            self.last_value += 1;
            self.groups.insert(self.last_value, 0);
            scope.group = Some(self.last_value);
        }
        if family == Family::Work {
            scope.work = self.work_begins(thread, task, says);
        }
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let outer = found.scopes.last().map(|scope| (scope.family, scope.kind));
        found.scopes.push(scope);
        if family == Family::SyncRegionWait && outer != Some((Family::SyncRegion, kind)) {
            self.violation(Rule::WaitOutsideRegion, thread, format!("a {} outside of such a region", scope.name()));
        }
        if is_barrier(&scope) {
            self.arrive(thread, task, kind, code.0);
        }
    }

    /// Closes a scope of a task, which must be the innermost.
    fn close(&mut self, thread: usize, task: u64, says: &Says<'_>) {
        let &Says { family, kind, .. } = says;
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let Some(depth) = found.scopes.iter().rposition(|open| open.is(family, kind)) else {
            let open = found.scopes.last().map_or("none".to_owned(), Scope::name);
            found.confused = true;
            let text = format!("{:?} of kind {kind} ends in {}; the innermost scope is {open}", family, object(task));
            self.violation(Rule::EndWithoutBegin, thread, text);
            return;
        };
        let inner = found.scopes.split_off(depth + 1);
        let Some(scope) = found.scopes.pop() else { return };
        self.left_open(thread, task, &inner);
        if is_barrier(&scope) {
            self.leave_barrier(thread, task, kind);
        }
        if let Some(group) = scope.group {
            self.taskgroup_ends(thread, group);
        }
        if scope.is(Family::SyncRegion, SyncRegion::TASKWAIT.0) {
            self.taskwait_ends(thread, task);
        }
        if family == Family::Work {
            self.work_ends(thread, task, &scope);
        }
    }

    /// Scopes of a task that were left open when something around them ended.
    pub(super) fn left_open(&mut self, thread: usize, task: u64, scopes: &[Scope]) {
        for scope in scopes {
            if !self.unpaired.contains(&scope.family.event()) {
                let text = format!("{} of {} was not ended", scope.name(), object(task));
                self.violation(Rule::BeginWithoutEnd, thread, text);
            }
        }
    }

    fn taskgroup_ends(&mut self, thread: usize, group: u64) {
        let open = self.groups.remove(&group).unwrap_or(0);
        // A taskgroup ends early when the region around it is cancelled.
        let cancelled = self.blind_to_cancel || self.region_of_thread(thread).is_some_and(|region| region.cancelled);
        if open > 0 && !cancelled {
            self.violation(
                Rule::Taskgroup,
                thread,
                format!("{open} tasks of the taskgroup are not complete at its end"),
            );
        }
    }

    fn taskwait_ends(&mut self, thread: usize, task: u64) {
        let cancelled = self.blind_to_cancel || self.region_of_thread(thread).is_some_and(|region| region.cancelled);
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let some = std::mem::take(&mut found.waits_for_some);
        let open = found.children;
        if open > 0 && !some && !cancelled {
            let text = format!("{open} children of {} are not complete at the end of its taskwait", object(task));
            self.violation(Rule::Children, thread, text);
        }
    }
}
