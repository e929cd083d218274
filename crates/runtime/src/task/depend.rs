//! Task dependences (OpenMP 5.1 §2.19.11): which siblings must complete before a task may start.
//!
//! The generating task keeps a table from storage locations to the tasks that last named them; only
//! the thread that executes it touches the table. What other threads touch is in the nodes.

use crate::objects::dependence::Dependence;
use crate::objects::dependence::{DependenceKind, Dependences};
use crate::objects::structures::Node;
use crate::objects::structures::Table;
use crate::objects::structures::Task;
use crate::objects::structures::{Edge, Location, MutexSet};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use std::sync::Arc;

/// No dependences.
impl Dependences for () {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = Dependence> {
        std::iter::empty()
    }
}

impl Dependences for &[Dependence] {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = Dependence> {
        <[Dependence]>::iter(self).copied()
    }
}

/// Makes `node`, of `sink` or of a wait that `sink` stands for, wait for `predecessor`, and tells the tool of the edge.
#[inline(always)]
fn wait_for(node: &Arc<Node>, predecessor: &Arc<Node>, sink: &Task) {
    node.wait_for(predecessor, |predecessor| {
        if switch::active() {
            tell_successor(predecessor, sink);
        }
    });
}

/// Tells the tool that `sink` waits for the predecessor's task, whose completion is not reported meanwhile.
#[cold]
fn tell_successor(predecessor: &Node, sink: &Task) {
    // SAFETY: a task that is not complete is alive.
    let source = unsafe { predecessor.task().as_ref() };
    if let Some(source) = source.filter(|_| !predecessor.is_completion_reported()) {
        ompt::task_dependence(source, sink);
    }
}

/// A table with fewer locations than this keeps them.
const FEW_LOCATIONS: usize = 1024;

impl Location {
    /// Whether later tasks find nothing here to wait for.
    pub(super) fn is_over(&self) -> bool {
        self.last.iter().all(|node| node.is_complete())
    }

    /// Adds what another table knows of the location, whose tasks have not waited for those here: later tasks wait for
    /// both.
    pub(super) fn add(&mut self, other: Location) {
        if self.kind != other.kind || self.kind != DependenceKind::In {
            self.kind = DependenceKind::InOut;
            self.mutex = None;
        }
        self.last.extend(other.last);
        self.before.extend(other.before);
    }

    /// Makes `node` wait for what a task of `kind` has to wait for here.
    fn order(&self, node: &Arc<Node>, kind: DependenceKind, task: &Task) {
        let joins = kind == self.kind && kind != DependenceKind::InOut;
        for predecessor in if joins { &self.before } else { &self.last } {
            wait_for(node, predecessor, task);
        }
    }

    /// Notes that `node` names the location.
    fn enter(&mut self, node: &Arc<Node>, kind: DependenceKind) {
        if kind == self.kind && kind != DependenceKind::InOut {
            if self.last.len() == self.last.capacity() {
                self.last.retain(|node| !node.is_complete());
            }
        } else {
            std::mem::swap(&mut self.before, &mut self.last);
            self.last.clear();
            self.kind = kind;
            self.mutex = (kind == DependenceKind::MutexInOutSet).then(Arc::default);
        }
        self.last.push(node.clone());
        if let Some(mutex) = &self.mutex {
            node.exclude(std::iter::once(mutex.clone()));
        }
    }
}

/// Brings the task's dependences into the order of their locations, each location once: one that is named in several
/// ways is `inout`. All memory contains the others.
pub(super) fn merge(dependences: &mut Vec<Dependence>) {
    let all = dependences.iter().find(|dependence| dependence.kind == DependenceKind::AllMemory).copied();
    if let Some(all) = all {
        dependences.clear();
        dependences.push(all);
        return;
    }
    for dependence in dependences.iter_mut() {
        if dependence.kind == DependenceKind::Out {
            dependence.kind = DependenceKind::InOut;
        }
    }
    dependences.sort_unstable_by_key(|dependence| dependence.address);
    dependences.dedup_by(|later, first| {
        let same = later.address == first.address;
        if same && later.kind != first.kind {
            first.kind = DependenceKind::InOut;
        }
        same
    });
}

/// The table of the dependences among `parent`'s children, if there is one. Executing thread only.
#[allow(clippy::mut_from_ref, reason = "the table belongs to the executing thread alone")]
pub(super) fn table(parent: &Task) -> Option<&mut Table> {
    // SAFETY: null or a box made by `register`; only the thread that executes the parent uses it,
    // and it does not keep the reference.
    unsafe { parent.children.get().as_mut() }
}

/// How often `parent` has waited in vain for its children to get on, at most 20 times.
pub(super) fn patience_lost(parent: &Task) -> u32 {
    table(parent).map_or(0, |table| table.patience_lost.min(20))
}

/// `parent` has waited in vain for its children to get on.
pub(super) fn lose_patience(parent: &Task) {
    if let Some(table) = table(parent) {
        table.patience_lost += 1;
    }
}

/// Keeps the dependences of the undeferred task that `parent` prepares, until a tool is told of the task.
#[cold]
pub(super) fn note_prepared(parent: &Task, dependences: impl Dependences) {
    if let Some(table) = table(parent) {
        table.prepared = dependences.iter().collect();
    }
}

/// The dependences that [`note_prepared`] keeps, once.
#[cold]
pub(super) fn take_prepared(parent: &Task) -> Vec<Dependence> {
    table(parent).map_or(Vec::new(), |table| std::mem::take(&mut table.prepared))
}

/// Enters `task` into the order of its siblings, and makes it wait for those before. The caller takes the node's first
/// count away. Tools are told that `sink` waits.
pub(super) fn enter(parent: &Task, task: &Task, sink: &Task, dependences: impl Dependences) -> Arc<Node> {
    if parent.children.get().is_null() {
        parent.children.set(Box::into_raw(Box::default()));
    }
    let node = Node::new(task, exporter_of(parent));
    let Some(table) = table(parent) else { return node };
    table.merged.clear();
    table.merged.extend(dependences.iter());
    merge(&mut table.merged);
    task.node.set(Arc::into_raw(node.clone()));
    for all in &table.all {
        wait_for(&node, all, sink);
    }
    if table.locations.len() > table.look_at {
        // A location whose tasks are complete is as one that no task has named.
        table.locations.retain(|_, location| !location.is_over());
        table.look_at = (2 * table.locations.len()).max(FEW_LOCATIONS);
    }
    for &dependence in &table.merged {
        if dependence.kind == DependenceKind::AllMemory {
            for (_, location) in table.locations.drain() {
                location.order(&node, DependenceKind::InOut, sink);
            }
            table.all.clear();
            table.all.push(node.clone());
            continue;
        }
        let location = table.locations.entry(dependence.address).or_insert_with(|| Location {
            kind: DependenceKind::InOut,
            last: Vec::new(),
            before: Vec::new(),
            mutex: None,
        });
        location.order(&node, dependence.kind, sink);
        location.enter(&node, dependence.kind);
    }
    node
}

/// Gives `task`, a counted child of the current task `parent`, a node that waits for `predecessors`, and excludes
/// others by `mutexes`, which all tasks have in one order. Returns the node, and whether the task has to wait; then a
/// predecessor's completion queues it.
pub(super) fn enter_after<'a>(
    parent: &Task,
    task: &Task,
    predecessors: impl Iterator<Item = &'a Arc<Node>>,
    mutexes: impl Iterator<Item = Arc<MutexSet>>,
) -> (Arc<Node>, bool) {
    let node = Node::new(task, exporter_of(parent));
    node.exclude(mutexes);
    task.node.set(Arc::into_raw(node.clone()));
    for predecessor in predecessors {
        wait_for(&node, predecessor, task);
    }
    let waits = !node.registered();
    (node, waits)
}

/// The node of a wait in the place of `task`, for the siblings that `table` knows; registered.
#[cold]
pub(super) fn enter_wait(table: &Table, task: &Task, mut dependences: Vec<Dependence>) -> Arc<Node> {
    merge(&mut dependences);
    let node = Node::new(std::ptr::null(), None);
    for all in &table.all {
        wait_for(&node, all, task);
    }
    for dependence in dependences {
        if dependence.kind == DependenceKind::AllMemory {
            for location in table.locations.values() {
                location.order(&node, DependenceKind::InOut, task);
            }
            continue;
        }
        if let Some(location) = table.locations.get(&dependence.address) {
            // Tasks of the same set may exclude this one: wait for them as well.
            let kind = match dependence.kind {
                DependenceKind::MutexInOutSet => DependenceKind::InOut,
                kind => kind,
            };
            location.order(&node, kind, task);
        }
    }
    node
}

/// The node of `parent`, if it is an exporting task that others may depend on; a child of it is about to be entered,
/// which counts.
fn exporter_of(parent: &Task) -> Option<Arc<Node>> {
    let node = parent.node.get();
    if !parent.has(flag::EXPORTING) || node.is_null() {
        return None;
    }
    // SAFETY: made by `enter` with `into_raw`, and not given back before the task, which generates another one, is
    // complete.
    let node = unsafe {
        Arc::increment_strong_count(node);
        Arc::from_raw(node)
    };
    node.open();
    Some(node)
}

/// The place of `task` among its siblings' dependences, null if it has none. Valid until the task is
/// complete.
pub fn node(task: &Task) -> *const Node {
    task.node.get()
}

/// The tasks that wait for `task`, the newest first; null if there are none. As [`node`].
pub fn successors(task: &Task) -> *const Edge {
    // SAFETY: null, or made by `register` and not given back before the task is complete.
    match unsafe { task.node.get().as_ref() } {
        Some(node) => node.successors(),
        None => std::ptr::null(),
    }
}

/// The task is complete, or its region is over: forgets the dependences among its children.
#[cold]
pub(super) fn forget(task: &Task) {
    // SAFETY: made by `register`; only the executing thread uses it.
    drop(unsafe { Box::from_raw(task.children.replace(std::ptr::null_mut())) });
}
