//! The rules of worksharing: the threads of a team agree on what they share, single has one executor, chunks and
//! iterations partition the iteration space, ordered regions follow its order. OpenMP 5.1, sections 2.10, 2.11, 4.5.2.5
//! and 4.5.2.6.

use super::nesting::worksharing;
use super::state::scope::{Says, Scope};
use super::{Family, Model};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{Dispatch, Event, Slot, TaskFlag, Work};

/// Kinds that are one construct. `single` has the executor and the others; a loop's event names the schedule, and a
/// runtime that does not know the schedule says `loop`.
fn construct(kind: i32) -> i32 {
    match Work(kind) {
        Work::SINGLE_OTHER => Work::SINGLE_EXECUTOR.0,
        Work::LOOP_STATIC | Work::LOOP_DYNAMIC | Work::LOOP_GUIDED | Work::LOOP_OTHER => Work::LOOP.0,
        _ => kind,
    }
}

/// A kind in words; one that this version does not know by its number.
fn name(kind: i32) -> String {
    Work(kind).name().map_or_else(|| format!("work of kind {kind}"), str::to_owned)
}

impl Model {
    /// A task comes to a worksharing region; its number, if all threads of the team come to it.
    pub(super) fn work_begins(&mut self, thread: usize, task: u64, says: &Says<'_>) -> Option<u64> {
        let &Says { kind, count, code, .. } = says;
        let found = self.tasks.get_mut(&task)?;
        let shared = !matches!(Work(kind), Work::TASKLOOP | Work::DISTRIBUTE);
        if !shared || !found.flags.contains(TaskFlag::IMPLICIT) {
            return None;
        }
        let number = found.works;
        found.works += 1;
        let region = self.regions.get_mut(&found.region?)?;
        let cancelled = region.cancelled;
        let work = region.works.at(number)?;
        work.begun += 1;
        work.executors += u32::from(kind == Work::SINGLE_EXECUTOR.0);
        let (first, of_first, there) = *work.first.get_or_insert((kind, count, code.0));
        let executors = work.executors;
        if cancelled {
            return Some(number);
        }
        if construct(first) != construct(kind) && code.0 != there && code.0 != 0 && there != 0 {
            // What follows in this region is in disorder.
            region.cancelled = true;
            let text = format!(
                "a thread of a team comes to {}, where another one came to {}",
                worksharing(kind),
                worksharing(first)
            );
            let places = [("this thread is here".to_owned(), code.0), ("the other one was here".to_owned(), there)];
            self.finding(Rule::WorksharingOrder, thread, text, &places, false);
        } else if construct(first) != construct(kind) {
            let text = format!("{}, but for another thread of the team this is {}", name(kind), name(first));
            self.violation(Rule::WorkDiffers, thread, text);
        } else if of_first != count {
            let text = format!("the count of this {} is {count}; another thread said {of_first}", name(kind));
            self.violation(Rule::WorkDiffers, thread, text);
        }
        if kind == Work::SINGLE_EXECUTOR.0 && executors == 2 {
            self.violation(Rule::SingleExecutor, thread, "a second thread executes the single region");
        }
        Some(number)
    }

    /// A task ends its part of a worksharing region.
    pub(super) fn work_ends(&mut self, thread: usize, task: u64, scope: &Scope) {
        let Some(found) = self.tasks.get_mut(&task) else { return };
        found.chunk = None;
        let (Some(number), Some(region)) = (scope.work, found.region) else { return };
        let Some(found) = self.regions.get_mut(&region) else { return };
        let (size, cancelled) = (found.parallelism.unwrap_or(0), found.cancelled);
        let Some(work) = found.works.at(number) else { return };
        work.ended += 1;
        if work.begun < size || work.ended < size {
            return;
        }
        let (executors, sections, count) = (work.executors, work.sections, work.first.map_or(0, |(_, count, _)| count));
        let by_chunks = work.chunks.total() > work.iterations.total();
        let covered = work.chunks.total().max(work.iterations.total());
        found.works.retire(|work| work.ended >= size);
        if cancelled {
            return;
        }
        let kind = construct(scope.kind);
        if kind == Work::SINGLE_EXECUTOR.0 && executors == 0 {
            self.violation(Rule::SingleExecutor, thread, "no thread executed the single region");
        }
        // A static loop is computed by the program: what of it is dispatched may not be seen. Of the others all is, or
        // nothing.
        let seen = matches!(Work(scope.kind), Work::LOOP_DYNAMIC | Work::LOOP_GUIDED);
        if seen && covered > 0 && covered != count {
            let text = format!("{covered} of {count} iterations of {} were dispatched", object(region));
            self.violation(if by_chunks { Rule::DispatchChunks } else { Rule::DispatchMissing }, thread, text);
        }
        // clang's sections are a static loop.
        let all_seen = self.always.contains(&Event::Dispatch);
        if kind == Work::SECTIONS.0 && (sections > count || all_seen && sections > 0 && sections < count) {
            let rule = if sections < count { Rule::DispatchMissing } else { Rule::DispatchOverlap };
            self.violation(rule, thread, format!("{sections} sections were dispatched, of {count} that there are"));
        }
    }

    /// A thread is given an iteration, a chunk or a section.
    pub fn dispatch(
        &mut self,
        thread: usize,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        kind: Dispatch,
        chunk: Option<(u64, u64)>,
    ) {
        let Some(task) = self.current_task(thread, task, "task of the dispatch") else { return };
        self.region_of_task(thread, parallel, task, false);
        if kind.name().is_none() {
            if !self.later {
                self.violation(Rule::DispatchKind, thread, format!("the kind is {kind:?}"));
            }
            return;
        }
        let Some(found) = self.tasks.get_mut(&task) else { return };
        let innermost = found.scopes.iter().rev().find(|scope| scope.family == Family::Work).copied();
        let Some(scope) = innermost else {
            if kind != Dispatch::TASKLOOP_CHUNK && self.always.contains(&Event::Work) {
                self.violation(Rule::DispatchOutsideWork, thread, "no worksharing region is open");
            }
            return;
        };
        let fits = match kind {
            Dispatch::SECTION => scope.kind == Work::SECTIONS.0,
            Dispatch::TASKLOOP_CHUNK => scope.kind == Work::TASKLOOP.0,
            Dispatch::DISTRIBUTE_CHUNK => scope.kind == Work::DISTRIBUTE.0,
            Dispatch::WS_LOOP_CHUNK => construct(scope.kind) == Work::LOOP.0,
            _ => construct(scope.kind) == Work::LOOP.0 || scope.kind == Work::DISTRIBUTE.0,
        };
        if !fits && self.always.contains(&Event::Work) {
            return self.violation(Rule::DispatchKind, thread, format!("{kind:?} in {}", scope.name()));
        }
        found.chunk = chunk.map(|(start, _)| start);
        if let Some(open) = found.scopes.iter_mut().rev().find(|scope| scope.family == Family::Work) {
            open.dispatched = true;
        }
        let (Some(number), Some(region)) = (scope.work, found.region) else { return };
        let Some(region) = self.regions.get_mut(&region) else { return };
        let cancelled = region.cancelled;
        let Some(work) = region.works.at(number) else { return };
        if kind == Dispatch::SECTION {
            work.sections += 1;
        }
        let count = work.first.map_or(0, |(_, count, _)| count);
        let Some((start, length)) = chunk else { return };
        let covered = if kind == Dispatch::ITERATION { &mut work.iterations } else { &mut work.chunks };
        // The loop may be the part of a larger one that a distribute construct has given to the team, and be counted
        // with it.
        let inside = covered.span(start, length) <= count;
        let fresh = !inside || covered.add(start, length);
        if !inside && !cancelled {
            let text = format!("iterations {start} to {} of {count}", start.saturating_add(length.saturating_sub(1)));
            self.violation(
                if kind == Dispatch::ITERATION { Rule::DispatchRange } else { Rule::DispatchChunks },
                thread,
                text,
            );
        } else if !fresh && !cancelled {
            let text = format!("{length} iterations from {start} on, some of which were dispatched before");
            self.violation(
                if kind == Dispatch::ITERATION { Rule::DispatchOverlap } else { Rule::DispatchChunks },
                thread,
                text,
            );
        }
    }

    /// An ordered region begins: none of a later chunk may have been executed.
    pub(super) fn ordered_begins(&mut self, thread: usize) {
        let Some(task) = self.threads[thread].current.and_then(|task| self.tasks.get(&task)) else { return };
        let innermost = task.scopes.iter().rev().find(|scope| scope.family == Family::Work);
        let (Some(chunk), Some(number), Some(region)) =
            (task.chunk, innermost.and_then(|scope| scope.work), task.region)
        else {
            return;
        };
        let Some(region) = self.regions.get_mut(&region) else { return };
        let Some(work) = region.works.at(number) else { return };
        let before = work.ordered.replace(chunk).filter(|before| *before > chunk && !region.cancelled);
        if let Some(before) = before {
            let text =
                format!("an ordered region of the chunk from {chunk} on, after one of the chunk from {before} on");
            self.violation(Rule::OrderedOrder, thread, text);
        }
    }
}
