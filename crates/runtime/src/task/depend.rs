//! Task dependences (OpenMP 5.1 §2.19.11): which siblings must complete before a task may start.
//!
//! The generating task's table (`table.rs`) knows the tasks that last named each storage location. What other threads
//! touch is in the nodes (`protocol/node.rs`).

use super::table::{merge, table, table_or_new};
use super::wait;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::{Edge, Location, MutexSet, Node, NodeRef, Table, Task, Thread};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use ::ompt::State;
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

/// Whether the dependences of `task`, a child of the current task, hold it until a predecessor's completion queues it.
/// They never hold an undeferred task: then this returns when the task may start.
#[inline(always)]
pub(super) fn is_held(thread: &'static Thread, task: &Task, dependences: impl Dependences) -> bool {
    if !task.has(flag::UNDEFERRED) {
        return register(thread, task, dependences);
    }
    if task.has(flag::COUNTED) {
        register_undeferred(thread, task, task, dependences);
    } else {
        wait_for_dependences(thread, task, dependences);
    }
    false
}

/// Puts `task`, a counted child of the current task, into the order that its dependences ask for. Returns
/// whether the task has to wait. If not, the caller queues the task.
#[cold]
fn register(thread: &'static Thread, task: &Task, dependences: impl Dependences) -> bool {
    !enter(thread, task, task, dependences).registered()
}

/// As [`register`], for an undeferred task, which the calling thread executes itself: returns when the task may start.
/// A tool hears that `sink` waits: the task, or what stands for the wait that the task begins with.
#[cold]
pub(super) fn register_undeferred(thread: &'static Thread, task: &Task, sink: &Task, dependences: impl Dependences) {
    let node = enter(thread, task, sink, dependences);
    if !node.registered() {
        wait_as(thread, sink, || node.may_start());
    }
}

/// Waits until `task`, an undeferred task or one that stands for a taskwait construct, could start with these
/// dependences.
///
/// A tool's task in a callback waits for none. The callback may be what holds up the task that it would wait for.
#[inline(always)]
pub(super) fn wait_for_dependences(thread: &'static Thread, task: &Task, dependences: impl Dependences) {
    if switch::active() && ompt::in_callback(thread) {
        return;
    }
    if let Some(table) = table(thread.task()) {
        wait_in(thread, table, task, dependences.iter().collect());
    }
}

/// As [`wait_for_dependences`], on the siblings that the current task's `table` knows.
#[cold]
fn wait_in(thread: &'static Thread, table: &Table, task: &Task, dependences: Vec<Dependence>) {
    let node = enter_wait(thread, table, task, dependences);
    if !node.wait_registered() {
        wait_as(thread, task, || node.waits_for_nothing());
    }
}

/// Waits until `ready`, in the state of a taskwait if `task` stands for one.
fn wait_as(thread: &'static Thread, task: &Task, ready: impl Fn() -> bool) {
    let _state = task.has(flag::TASKWAIT).then(|| ompt::InState::new(thread, State::WAIT_TASKWAIT, 0));
    wait::until(thread, State::WAIT_TASKWAIT, ready);
}

/// Makes `node` wait for `predecessor`, and reports the edge to the tool. `sink` is the task of the node, or the task
/// that stands for the wait.
#[inline(always)]
fn wait_for(node: &NodeRef, predecessor: &NodeRef, sink: &Task) {
    node.wait_for(predecessor, |predecessor| {
        if switch::active() {
            report_edge(predecessor, sink);
        }
    });
}

/// Reports that `sink` waits for the predecessor's task, unless the completion of that task has been reported.
#[cold]
fn report_edge(predecessor: &Node, sink: &Task) {
    // SAFETY: a task that is not complete is alive.
    let source = unsafe { predecessor.task().as_ref() };
    if let Some(source) = source.filter(|_| !predecessor.is_completion_reported()) {
        ompt::task_dependence(source, sink);
    }
}

/// A table with fewer locations than this keeps them.
const FEW_LOCATIONS: usize = 1024;

impl Location {
    /// Whether a task of `kind` does not wait for the tasks in `last`.
    fn joins(&self, kind: DependenceKind) -> bool {
        kind == self.kind && kind != DependenceKind::InOut
    }

    /// Makes `node` wait for what a task of `kind` has to wait for here.
    fn order(&self, node: &NodeRef, kind: DependenceKind, task: &Task) {
        for predecessor in if self.joins(kind) { &self.before } else { &self.last } {
            wait_for(node, predecessor, task);
        }
    }

    /// Notes that `node` names the location.
    fn enter(&mut self, node: &NodeRef, kind: DependenceKind) {
        if self.joins(kind) {
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

/// Enters `task` into the order of its siblings, and makes it wait for those before. A tool hears that `sink` waits.
/// The caller takes the node's first count away.
fn enter(thread: &'static Thread, task: &Task, sink: &Task, dependences: impl Dependences) -> NodeRef {
    let table = table_or_new(thread.task());
    let node = new_node(thread, task);
    table.merged.clear();
    table.merged.extend(dependences.iter());
    merge(&mut table.merged);
    for all in &table.all {
        wait_for(&node, all, sink);
    }
    if table.locations.len() > table.look_at {
        // Where all tasks are complete, a location is like one that no task has named.
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

/// Enters `task`, a counted child of the current task, behind `predecessors`. `mutexes`, which all tasks have
/// in one order, exclude other tasks. Returns the node, and whether the task has to wait; then a predecessor's
/// completion queues the task.
pub(super) fn enter_after<'a>(
    thread: &'static Thread,
    task: &Task,
    predecessors: impl Iterator<Item = &'a NodeRef>,
    mutexes: impl Iterator<Item = Arc<MutexSet>>,
) -> (NodeRef, bool) {
    let node = new_node(thread, task);
    node.exclude(mutexes);
    for predecessor in predecessors {
        wait_for(&node, predecessor, task);
    }
    let waits = !node.registered();
    (node, waits)
}

/// The node of a wait that `task` stands for, behind the siblings that `table` knows.
#[cold]
fn enter_wait(thread: &'static Thread, table: &Table, task: &Task, mut dependences: Vec<Dependence>) -> NodeRef {
    merge(&mut dependences);
    let node = NodeRef::new(Some(&thread.tasks.nodes), std::ptr::null(), None);
    for all in &table.all {
        wait_for(&node, all, task);
    }
    for dependence in dependences {
        if dependence.kind == DependenceKind::AllMemory {
            for location in table.locations.values() {
                location.order(&node, DependenceKind::InOut, task);
            }
        } else if let Some(location) = table.locations.get(&dependence.address) {
            // The node of a wait is in no exclusion. So the wait is for the tasks of the same set as well.
            let kind = match dependence.kind {
                DependenceKind::MutexInOutSet => DependenceKind::InOut,
                kind => kind,
            };
            location.order(&node, kind, task);
        }
    }
    node
}

/// A node for `task`, a child of the current task.
fn new_node(thread: &'static Thread, task: &Task) -> NodeRef {
    let node = NodeRef::new(Some(&thread.tasks.nodes), task, exporter_of(thread.task()));
    task.node.set(node.clone().into_raw());
    node
}

/// The node of `parent`, if `parent` is an exporting task that others may depend on. Counts a child of it, which is
/// about to be entered.
fn exporter_of(parent: &Task) -> Option<NodeRef> {
    let node = parent.node.get();
    if !parent.has(flag::EXPORTING) || node.is_null() {
        return None;
    }
    // SAFETY: `new_node` made the pointer by `into_raw`, and its count is given back when `parent` is complete, which
    // generates another task here.
    let node = unsafe { NodeRef::another(node) };
    node.open();
    Some(node)
}

/// The place of `task` among its siblings' dependences, null if it has none. Valid until the task is complete.
pub fn node(task: &Task) -> *const Node {
    task.node.get()
}

/// The tasks that wait for `task`, the newest first; null if there are none. Valid as [`node`] is.
pub fn successors(task: &Task) -> *const Edge {
    // SAFETY: null, or a pointer that `new_node` made and that is not given back before the task is complete.
    unsafe { task.node.get().as_ref() }.map_or(std::ptr::null(), |node| node.successors())
}
