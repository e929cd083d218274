//! Task dependences (OpenMP 5.1 §2.19.11): which siblings must complete before a task may start.
//!
//! The generating task keeps a table from storage locations to the tasks that last named them; only
//! the thread that executes it touches the table. What other threads touch is in the nodes.

use super::{agents, create, graph, target, transparent, wait};
use crate::objects::dependence::lock;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::objects::structures::{Edge, Location, MutexSet, Node, Table};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use ::ompt::State;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

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

impl Node {
    fn new(task: *const Task, exporter: Option<Arc<Node>>) -> Arc<Node> {
        Arc::new(Node {
            task: AtomicPtr::new(task.cast_mut()),
            pending: AtomicU32::new(1),
            complete: AtomicBool::new(false),
            told: AtomicBool::new(false),
            successors: AtomicPtr::new(std::ptr::null_mut()),
            lock: Mutex::default(),
            edge: UnsafeCell::new(Edge { node: std::ptr::null(), next: std::ptr::null_mut() }),
            has_edge: AtomicBool::new(false),
            may_start: AtomicBool::new(false),
            excludes: AtomicBool::new(false),
            mutexes: Mutex::default(),
            exporter,
            open: AtomicU32::new(1),
        })
    }

    /// Makes `self`, the node of `task` or of a wait that `task` stands for, wait for `predecessor`, unless that is
    /// complete or the node itself.
    #[inline(always)]
    fn wait_for(self: &Arc<Node>, predecessor: &Arc<Node>, task: &Task) {
        if Arc::ptr_eq(self, predecessor) || predecessor.complete.load(Ordering::Acquire) {
            return;
        }
        let _locked = lock(&predecessor.lock);
        if predecessor.complete.load(Ordering::Acquire) {
            return;
        }
        let newest = predecessor.successors.load(Ordering::Relaxed);
        // SAFETY: null or an edge, which stays until the node is complete.
        if unsafe { newest.as_ref() }.is_some_and(|edge| std::ptr::eq(edge.node, &**self)) {
            // For another location. Where children of transparent tasks come between, the edge is made twice and
            // counted twice.
            return;
        }
        // Relaxed: the registration still holds its own count.
        self.pending.fetch_add(1, Ordering::Relaxed);
        let edge = Edge { node: Arc::into_raw(self.clone()), next: newest };
        let edge = if self.has_edge.load(Ordering::Relaxed) {
            Box::into_raw(Box::new(edge))
        } else {
            self.has_edge.store(true, Ordering::Relaxed);
            // SAFETY: nobody else's until it is in the list.
            unsafe { self.edge.get().write(edge) };
            self.edge.get()
        };
        // Release: for who looks at the list without the lock.
        predecessor.successors.store(edge, Ordering::Release);
        if switch::active() {
            predecessor.tell_successor(task);
        }
    }

    /// Tells the tool that `sink` waits for the node's task. The caller holds the lock: as long as it does, the task's
    /// completion is not reported, and its data word stays.
    #[cold]
    fn tell_successor(&self, sink: &Task) {
        // SAFETY: a task that is not complete is alive.
        let source = unsafe { self.task.load(Ordering::Relaxed).as_ref() };
        if let Some(source) = source.filter(|_| !self.told.load(Ordering::Relaxed)) {
            ompt::task_dependence(source, sink);
        }
    }

    /// Whether the task, and what it exports, is complete.
    pub(super) fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// The task is complete. Returns the nodes that wait for it, the oldest first.
    fn complete(&self) -> Successors {
        let mut newest = {
            let _locked = lock(&self.lock);
            self.complete.store(true, Ordering::Release);
            self.successors.swap(std::ptr::null_mut(), Ordering::Acquire)
        };
        let mut oldest: *mut Edge = std::ptr::null_mut();
        // SAFETY: null or an edge, which is the caller's now.
        while let Some(edge) = unsafe { newest.as_mut() } {
            newest = std::mem::replace(&mut edge.next, oldest);
            oldest = edge;
        }
        Successors(oldest)
    }

    /// Nothing is in the way of the node's undeferred task any more: the thread that waits to execute it goes on.
    fn let_start(&self, team: &Team) {
        // Sequentially consistent, as every change that a sleeper waits for.
        self.may_start.swap(true, Ordering::SeqCst);
        create::wake_waiters(team);
    }

    /// Takes one count away. Returns whether the node waits for nothing any more.
    fn arrive(&self) -> bool {
        // Release: what the predecessor wrote; acquire: for whoever starts the task. Sequentially
        // consistent for a waiter that may be asleep.
        self.pending.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// The edges of a complete node.
struct Successors(*mut Edge);

impl Iterator for Successors {
    type Item = Arc<Node>;
    fn next(&mut self) -> Option<Arc<Node>> {
        if self.0.is_null() {
            return None;
        }
        let edge = self.0;
        // SAFETY: made by `wait_for`, and nobody else's any more; it has a share in its node.
        let node = unsafe { Arc::from_raw((*edge).node) };
        // SAFETY: as above.
        self.0 = unsafe { (*edge).next };
        if edge != node.edge.get() {
            // SAFETY: then it is a box.
            drop(unsafe { Box::from_raw(edge) });
        }
        Some(node)
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
            node.wait_for(predecessor, task);
        }
    }

    /// Notes that `node` names the location.
    fn enter(&mut self, node: &Arc<Node>, kind: DependenceKind) {
        if kind == self.kind && kind != DependenceKind::InOut {
            if self.last.len() == self.last.capacity() {
                self.last.retain(|node| !node.complete.load(Ordering::Acquire));
            }
        } else {
            std::mem::swap(&mut self.before, &mut self.last);
            self.last.clear();
            self.kind = kind;
            self.mutex = (kind == DependenceKind::MutexInOutSet).then(Arc::default);
        }
        self.last.push(node.clone());
        if let Some(mutex) = &self.mutex {
            node.excludes.store(true, Ordering::Relaxed);
            lock(&node.mutexes).0.push(mutex.clone());
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

/// Puts `task`, a counted child of the current task `parent`, in the order that its dependences
/// ask for. Returns whether it has to wait; then a predecessor's completion queues it.
#[cold]
pub(super) fn register(parent: &Task, task: &Task, dependences: impl Dependences) -> bool {
    transparent::import(parent, task);
    graph::note(parent, task, dependences, true);
    let node = enter(parent, task, task, dependences);
    // The caller publishes the task itself, if nothing is in its way.
    !(node.arrive() && enter_mutexes(&node))
}

/// As [`register`], for an undeferred task, which the calling thread executes itself: returns when the task may start.
/// Tools are told that `sink` waits: the task, or what stands for the wait that it begins with.
#[cold]
pub(super) fn register_undeferred(thread: &'static Thread, task: &Task, sink: &Task, dependences: impl Dependences) {
    let node = enter(thread.task(), task, sink, dependences);
    if !(node.arrive() && enter_mutexes(&node)) {
        let _state = sink.has(flag::TASKWAIT).then(|| ompt::InState::new(thread, State::WAIT_TASKWAIT, 0));
        // Acquire: what the predecessors wrote.
        wait::until(thread, State::WAIT_TASKWAIT, || node.may_start.load(Ordering::Acquire));
    }
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
fn enter(parent: &Task, task: &Task, sink: &Task, dependences: impl Dependences) -> Arc<Node> {
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
        node.wait_for(all, sink);
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
    let list: Vec<_> = mutexes.collect();
    node.excludes.store(!list.is_empty(), Ordering::Relaxed);
    lock(&node.mutexes).0 = list;
    task.node.set(Arc::into_raw(node.clone()));
    for predecessor in predecessors {
        node.wait_for(predecessor, task);
    }
    let waits = !(node.arrive() && enter_mutexes(&node));
    (node, waits)
}

/// Waits until `task`, an undeferred one or one that stands for a taskwait construct, could start with these
/// dependences. A tool's task in a callback waits for none: the callback may be what holds up the task that it would
/// wait for.
#[inline(always)]
pub(super) fn wait_for_dependences(thread: &'static Thread, task: &Task, dependences: impl Dependences) {
    if dependences.is_empty() || switch::active() && ompt::in_callback(thread) {
        return;
    }
    if let Some(table) = table(thread.task()) {
        wait_in(thread, table, task, dependences.iter().collect());
    }
}

/// As [`wait_for_dependences`], on the siblings that the current task's `table` knows.
#[cold]
fn wait_in(thread: &'static Thread, table: &Table, task: &Task, mut dependences: Vec<Dependence>) {
    merge(&mut dependences);
    let node = Node::new(std::ptr::null(), None);
    for all in &table.all {
        node.wait_for(all, task);
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
    if !node.arrive() {
        let _state = task.has(flag::TASKWAIT).then(|| ompt::InState::new(thread, State::WAIT_TASKWAIT, 0));
        wait::until(thread, State::WAIT_TASKWAIT, || node.pending.load(Ordering::Acquire) == 0);
    }
}

/// The completed `task` lets its successors go.
#[cold]
pub(super) fn release_successors(thread: &'static Thread, task: &Task) {
    release(task, |node| queue(thread, node));
}

/// As [`release_successors`], on a thread that is no member of `team`, which the task belongs to.
#[cold]
pub(super) fn release_successors_from_outside(task: &Task, team: &Team) {
    // SAFETY: as in `queue`.
    release(task, |node| match unsafe { node.task.load(Ordering::Relaxed).as_ref() } {
        Some(task) if task.has(flag::UNDEFERRED) => node.let_start(team),
        Some(task) if task.has(flag::DEVICE) => target::begin_elsewhere(task),
        Some(task) => create::publish_from_outside(team, task),
        None => create::wake_waiters(team),
    });
}

/// The completed `task` lets its successors go, to `queue` where they wait for nothing any more.
fn release(task: &Task, queue: impl Fn(&Node)) {
    // SAFETY: made by `register` with `into_raw`; the task is complete and gives it back once.
    let node = unsafe { Arc::from_raw(task.node.replace(std::ptr::null())) };
    if node.excludes.load(Ordering::Relaxed) {
        leave_mutexes(&node, &queue);
    }
    let mut next = Some(&node);
    while let Some(node) = next {
        // AcqRel: whoever comes last has seen what all the others' tasks did.
        if node.open.fetch_sub(1, Ordering::AcqRel) > 1 {
            // An exporting task, whose children go on.
            return;
        }
        for successor in node.complete() {
            if successor.arrive() && enter_mutexes(&successor) {
                queue(&successor);
            }
        }
        next = node.exporter.as_ref();
    }
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
    // Relaxed: the task's own count is still there.
    node.open.fetch_add(1, Ordering::Relaxed);
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
        // Acquire: the edge is seen whole.
        Some(node) => node.successors.load(Ordering::Acquire),
        None => std::ptr::null(),
    }
}

/// Queues the task of a node that waits for nothing, or wakes who waits for it.
fn queue(thread: &'static Thread, node: &Node) {
    // SAFETY: a task that has not started is alive.
    match unsafe { node.task.load(Ordering::Relaxed).as_ref() } {
        Some(task) if task.has(flag::UNDEFERRED) => node.let_start(thread.member().team()),
        Some(task) if task.has(flag::DEVICE) => target::begin_elsewhere(task),
        Some(task) if task.has(flag::POOL) && agents::publish(thread, task) => {}
        Some(task) => create::publish(thread, task),
        None => create::wake_waiters(thread.member().team()),
    }
}

/// Enters the exclusions of the node's task in their order. Returns whether it is in all of them; if
/// not, it waits in one, keeping those before, and [`leave_mutex`] hands it on. All nodes follow the
/// order of addresses, so they cannot wait for each other in a circle.
fn enter_mutexes(node: &Arc<Node>) -> bool {
    // Relaxed: what was written while the node was registered comes before the registration's own count is taken away.
    if !node.excludes.load(Ordering::Relaxed) {
        return true;
    }
    let mut mutexes = lock(&node.mutexes);
    let (list, entered) = &mut *mutexes;
    while let Some(mutex) = list.get(*entered) {
        let mut state = lock(&mutex.state);
        if state.0 {
            state.1.push_back(node.clone());
            return false;
        }
        state.0 = true;
        *entered += 1;
    }
    true
}

/// Leaves the exclusions of a node whose task is complete, and queues whoever is in all of its own then.
#[cold]
fn leave_mutexes(node: &Node, queue: &impl Fn(&Node)) {
    let mutexes = std::mem::take(&mut lock(&node.mutexes).0);
    for mutex in mutexes {
        if let Some(next) = leave_mutex(&mutex) {
            lock(&next.mutexes).1 += 1;
            if enter_mutexes(&next) {
                queue(&next);
            }
        }
    }
}

/// Leaves an exclusion. Returns the node that is in it now, if one waited.
fn leave_mutex(mutex: &MutexSet) -> Option<Arc<Node>> {
    let mut state = lock(&mutex.state);
    let next = state.1.pop_front();
    state.0 = next.is_some();
    next
}

/// The task is complete, or its region is over: forgets the dependences among its children.
#[cold]
pub(super) fn forget(task: &Task) {
    // SAFETY: made by `register`; only the executing thread uses it.
    drop(unsafe { Box::from_raw(task.children.replace(std::ptr::null_mut())) });
}
