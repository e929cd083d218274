//! The rules of task dependences: a task begins when those that it depends on are complete, and tasks of one
//! `mutexinoutset` exclude each other. OpenMP 5.1, sections 2.19.11, 4.5.2.8 and 4.5.2.9.

use super::state::dependences::Class;
use super::{Model, Progress, Task};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{Dependence, DependenceType, Slot, TaskFlag};

/// With more storage locations than this, locations whose tasks are all complete are forgotten.
const MANY: usize = 1024;

/// A task among its siblings: the tasks before it, the locations that it uses exclusively, and the tasks that it
/// excludes there.
#[derive(Default)]
struct Matched {
    predecessors: Vec<u64>,
    exclusive: Vec<u64>,
    peers: Vec<u64>,
}

fn class(kind: DependenceType) -> Option<Class> {
    match kind {
        DependenceType::IN => Some(Class::In),
        DependenceType::OUT | DependenceType::INOUT => Some(Class::Alone),
        DependenceType::MUTEXINOUTSET => Some(Class::Exclusive),
        DependenceType::INOUTSET => Some(Class::Set),
        _ => None,
    }
}

fn all_memory(kind: DependenceType) -> bool {
    matches!(kind, DependenceType::OUT_ALL_MEMORY | DependenceType::INOUT_ALL_MEMORY)
}

impl Model {
    /// A task was created with `has_dependences`.
    pub(super) fn awaits_dependences(&mut self, task: u64) {
        if let Some(task) = self.tasks.get_mut(&task) {
            task.dependences.get_or_insert_default().awaited = true;
        }
    }

    pub fn dependences(&mut self, thread: usize, slot: Option<Slot<'_>>, deps: &[Dependence]) {
        let Some(value) = self.task(thread, slot, "task with dependences") else { return };
        let unknown = |dependence: &&Dependence| dependence.dependence_type.name().is_none();
        for dependence in deps.iter().filter(unknown).take(if self.later { 0 } else { deps.len() }) {
            let text = format!("the kind is {:?}", dependence.dependence_type);
            self.violation(Rule::DependenceKind, thread, text);
        }
        let Some(task) = self.tasks.get(&value) else { return };
        if task.flags.contains(TaskFlag::IMPLICIT) || task.flags.contains(TaskFlag::INITIAL) {
            // The dependence vector of an ordered construct.
            let doacross = |kind| matches!(kind, DependenceType::SOURCE | DependenceType::SINK);
            if deps.iter().any(|dependence| !doacross(dependence.dependence_type)) {
                let text = "an implicit task has other dependences than source and sink";
                self.violation(Rule::DependenceKind, thread, text);
            }
            return;
        }
        let (parent, begun) = (task.parent, task.progress != Progress::Created);
        let awaited = task.dependences.as_ref().is_some_and(|dependences| dependences.awaited);
        if begun || !awaited {
            let why = if begun { "has begun already" } else { "was created with has_dependences = 0" };
            self.violation(Rule::DependencesMissing, thread, format!("{} {why}", object(value)));
        }
        let Matched { mut predecessors, exclusive, peers } = self.match_dependences(parent, value, deps);
        predecessors.sort_unstable();
        predecessors.dedup();
        predecessors.retain(|task| *task != value && self.tasks.contains_key(task));
        if let Some(task) = self.tasks.get_mut(&value) {
            let own = task.dependences.get_or_insert_default();
            own.awaited = false;
            own.unknown = deps.iter().any(|dependence| dependence.dependence_type.name().is_none());
            own.predecessors.extend(predecessors);
            (own.exclusive, own.peers) = (exclusive, peers);
        }
    }

    /// Enters a child's dependences among its siblings'.
    fn match_dependences(&mut self, parent: Option<u64>, child: u64, deps: &[Dependence]) -> Matched {
        let mut uses: Vec<(u64, Class)> = Vec::new();
        for dependence in deps {
            // SAFETY: the specification has an address here; as a number it is only compared.
            let location = unsafe { dependence.variable.value };
            let Some(class) = class(dependence.dependence_type) else { continue };
            match uses.iter_mut().find(|(other, _)| *other == location) {
                Some((_, other)) if *other != class => *other = Class::Alone,
                Some(_) => {}
                None => uses.push((location, class)),
            }
        }
        let mut matched = Matched::default();
        let Some(siblings) = parent.and_then(|parent| self.tasks.get_mut(&parent)) else { return matched };
        let siblings = siblings.dependences.get_or_insert_default();
        if deps.iter().any(|dependence| all_memory(dependence.dependence_type)) {
            matched.predecessors = siblings.uses_all(child);
            return matched;
        }
        for (location, class) in &uses {
            let before = siblings.uses(child, *location, *class, &mut matched.peers);
            matched.predecessors.extend(before);
        }
        let exclusive = uses.iter().filter(|(_, class)| *class == Class::Exclusive).map(|(location, _)| *location);
        matched.exclusive = exclusive.collect();
        if siblings.locations.len() > MANY && siblings.locations.len().is_power_of_two() {
            self.forget_locations(parent);
        }
        matched
    }

    /// Forgets locations whose tasks are all complete: such a location delays no further task.
    fn forget_locations(&mut self, parent: Option<u64>) {
        let Some(mut siblings) = parent.and_then(|parent| self.tasks.get_mut(&parent)?.dependences.take()) else {
            return;
        };
        let lives = |task: &u64| self.tasks.contains_key(task);
        siblings.locations.retain(|_, use_of| use_of.latest.iter().any(lives) || use_of.before.iter().any(lives));
        if let Some(parent) = parent.and_then(|parent| self.tasks.get_mut(&parent)) {
            parent.dependences = Some(siblings);
        }
    }

    /// A task begins, or a taskwait with dependences ends: what it depends on must be complete.
    pub(super) fn predecessors_are_complete(&mut self, thread: usize, value: u64) {
        let Some(task) = self.tasks.get_mut(&value) else { return };
        let parent = task.parent;
        let Some(own) = &mut task.dependences else { return };
        let missing = own.awaited;
        let exclusive = own.exclusive.clone();
        let predecessors = std::mem::take(&mut own.predecessors);
        own.awaited = false;
        if missing {
            let text =
                format!("{} was created with has_dependences, and begins without a dependences event", object(value));
            self.violation_if_always(thread, text);
        }
        let discarded = |task: &Task| task.progress == Progress::Discarded;
        let open = predecessors.iter().find(|task| self.tasks.get(task).is_some_and(|task| !discarded(task)));
        if let Some(open) = open {
            let text = format!("{} begins before {}, on which it depends, is complete", object(value), object(*open));
            self.violation(Rule::DependenceOrder, thread, text);
        }
        for location in exclusive {
            let Some(siblings) = parent.and_then(|parent| self.tasks.get_mut(&parent)?.dependences.as_mut()) else {
                return;
            };
            let other = siblings.users.insert(location, value);
            if let Some(other) = other.filter(|other| self.tasks.contains_key(other)) {
                let text = format!("{} begins while {} uses the same location", object(value), object(other));
                self.violation(Rule::DependenceExclusion, thread, text);
            }
        }
    }

    /// A runtime that does not promise `dependences` events may leave them out.
    fn violation_if_always(&mut self, thread: usize, text: String) {
        if self.always.contains(&ferromp_tool::Event::Dependences) {
            self.violation(Rule::DependencesMissing, thread, text);
        }
    }

    /// Reports a task that ends without a `dependences` event although it was created with dependences.
    pub(super) fn missing_dependences(&mut self, thread: usize, value: u64, task: &Task) {
        if task.dependences.as_ref().is_some_and(|own| own.awaited) && task.progress != Progress::Discarded {
            let text =
                format!("{} was created with has_dependences, and ended without a dependences event", object(value));
            self.violation_if_always(thread, text);
        }
    }

    /// Whether tasks of other generations may be dependence-compatible with `task` (OpenMP 6.0, section 17.9.5). Such a
    /// task may depend on tasks beyond its siblings. If the parent is complete, its kind is no longer known.
    fn is_of_transparent(&self, task: u64) -> bool {
        let Some(parent) = self.tasks.get(&task).and_then(|task| task.parent) else { return false };
        let transparent =
            |task: &Task| task.flags.contains(TaskFlag::IMPORTING) || task.flags.contains(TaskFlag::EXPORTING);
        self.tasks.get(&parent).is_none_or(transparent)
    }

    pub fn task_dependence(&mut self, thread: usize, source: Option<Slot<'_>>, sink: Option<Slot<'_>>) {
        let Some(sink) = self.task(thread, sink, "sink task") else { return };
        let Some(source) = source else {
            return self.violation(Rule::NullData, thread, "source task: no task data");
        };
        let source = source.get();
        let promised = self.always.contains(&ferromp_tool::Event::Dependences);
        let own = self.tasks.get(&sink).and_then(|task| task.dependences.as_ref());
        // The source may have completed a moment ago; it is among the predecessors in any case.
        let known =
            own.is_some_and(|own| own.unknown || own.predecessors.contains(&source) || own.peers.contains(&source));
        if promised
            && !known
            && self.tasks.contains_key(&source)
            && !self.is_of_transparent(sink)
            && !self.is_of_transparent(source)
        {
            let text = format!("{} does not depend on {}", object(sink), object(source));
            self.violation(Rule::TaskDependence, thread, text);
        }
    }
}
