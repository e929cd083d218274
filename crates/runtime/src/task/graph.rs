//! Graphs of tasks that are recorded once and replayed (`taskgraph`, OpenMP 6.0, section 14.3): the children that a
//! task generates between [`begin`] and [`end`] are kept, with their data as they were before they ran. The next time
//! the runtime generates them itself, from the recorded edges: nobody evaluates dependences, and the program's code
//! between the two calls is left out.
//!
//! What cannot be repeated so (reductions, events, destructors, transparent tasks, constructs for devices) makes the
//! graph one that is never replayed: the program's code runs each time. While another task records a graph of the same
//! number the program's code runs as well.

use super::depend;
use super::{create, wait};
use crate::objects::body::Body;
use crate::objects::call::Caller;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::structures::{MutexSet, Node};
use crate::objects::task::flag;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Makes a copy of a task whole whose data lay at the given address: what points into the data, and what the task runs.
pub type Relocate = fn(&Task, usize);

/// What of a recorded task's flags its copies have.
const KEPT: u32 = flag::UNTIED
    | flag::FINAL
    | flag::MERGEABLE
    | flag::NUMBERED
    | flag::TASKWAIT
    | flag::FINISHED
    | flag::POOL
    | flag::DOOR_2;
/// Flags of tasks that cannot be repeated.
const UNREPEATABLE: u32 = flag::DETACHABLE
    | flag::DEVICE
    | flag::TARGET
    | flag::ASYNCHRONOUS
    | flag::DISCARDED
    | flag::IMPORTING
    | flag::EXPORTING;

/// A task as it was before it ran.
struct Recorded {
    flags: u32,
    priority: i32,
    body: Body,
    /// Where its data lay.
    from: usize,
    data: Vec<u8>,
    /// As the program has them: for tools.
    dependences: Vec<Dependence>,
    /// All tasks before it are complete before it is generated: the program has waited there.
    waits: bool,
}

// SAFETY: what it points to are functions, and memory of the program that its tasks look for themselves.
unsafe impl Send for Recorded {}
// SAFETY: as above; nobody writes to it.
unsafe impl Sync for Recorded {}

/// What stands in a task's way in each replay.
#[derive(Default, Debug, PartialEq)]
struct Edges {
    /// Tasks of the graph, by number.
    after: Vec<u32>,
    /// Sets of mutually exclusive tasks, by number, ascending.
    excludes: Vec<u32>,
    /// Whether another task has to wait for this one.
    is_awaited: bool,
}

/// A graph that can be replayed.
struct Graph {
    tasks: Vec<Recorded>,
    edges: Vec<Edges>,
    /// How many sets of mutually exclusive tasks there are.
    sets: u32,
    relocate: Relocate,
}

/// A graph that a task records.
struct Recording {
    number: i32,
    /// The task, by address.
    by: usize,
    relocate: Relocate,
    tasks: Vec<Recorded>,
    repeatable: bool,
    /// How many children the task had generated when it was last looked at: fewer later tell of a wait.
    created: u64,
    /// The taskgroup of the graph, by address; 0 for none.
    base: usize,
    /// That of the last task.
    group: usize,
    /// Whether the next task has to wait for those before.
    waits: bool,
}

/// What is known of a number.
enum Known {
    Recording,
    Ready(Arc<Graph>),
    /// It has what cannot be repeated.
    Never,
}

static GRAPHS: Mutex<BTreeMap<i32, Known>> = Mutex::new(BTreeMap::new());
static RECORDINGS: Mutex<Vec<Recording>> = Mutex::new(Vec::new());

/// The current task comes to graph `number`, in a taskgroup of its own if it is `grouped`. `anew`: what is known of the
/// graph is forgotten. Returns whether the program is to generate the tasks; if not, they have been generated. Either
/// way [`end`] follows.
pub fn begin(
    thread: &'static Thread,
    number: i32,
    grouped: bool,
    anew: bool,
    relocate: Relocate,
    call: impl Caller,
) -> bool {
    if grouped {
        wait::taskgroup_begin(thread, call);
    }
    let task = thread.task();
    // A graph in a graph: what it generates is no child that a replay of the outer one could repeat.
    do_once(task);
    let (graph, record) = GRAPHS.with(|graphs| {
        let nested = task.has(flag::RECORDING) || task.is_final();
        match graphs.get(&number) {
            Some(Known::Ready(graph)) if !anew => (Some(graph.clone()), false),
            Some(Known::Never) if !anew => (None, false),
            Some(Known::Recording) => (None, false),
            _ if nested => (None, false),
            _ => {
                graphs.insert(number, Known::Recording);
                (None, true)
            }
        }
    });
    if record {
        start_recording(task, number, relocate, grouped);
    }
    let Some(graph) = graph else { return true };
    if grouped || !graph.tasks.iter().any(|task| task.waits) {
        replay(thread, &graph, call);
        return false;
    }
    true
}

/// The current task leaves graph `number`; the arguments are those of [`begin`].
pub fn end(thread: &'static Thread, number: i32, grouped: bool, call: impl Caller) {
    let task = thread.task();
    if task.has(flag::RECORDING) {
        finish_recording(task, number);
    }
    if grouped {
        wait::taskgroup_end(thread, call);
    }
}

#[cold]
fn start_recording(task: &Task, number: i32, relocate: Relocate, grouped: bool) {
    task.change_flags(flag::RECORDING, 0);
    let group = task.group.get() as usize;
    let repeatable = !wait::in_reduction(task, grouped);
    let created = task.created.get();
    let by = std::ptr::from_ref(task) as usize;
    let tasks = Vec::new();
    let recording = Recording { number, by, relocate, tasks, repeatable, created, base: group, group, waits: false };
    RECORDINGS.with(|list| list.push(recording));
}

#[cold]
fn finish_recording(task: &Task, number: i32) {
    let by = std::ptr::from_ref(task) as usize;
    let ended = RECORDINGS.with(|list| {
        let index = list.iter().position(|recording| recording.by == by && recording.number == number)?;
        Some(list.swap_remove(index))
    });
    let Some(recording) = ended else { return };
    task.change_flags(0, flag::RECORDING);
    let known = if recording.repeatable { Known::Ready(Arc::new(recording.into_graph())) } else { Known::Never };
    GRAPHS.with(|graphs| graphs.insert(number, known));
}

/// What the current task `task`, which may record a graph, does now cannot be repeated.
#[inline(always)]
pub fn do_once(task: &Task) {
    if task.has(flag::RECORDING) {
        give_up(task);
    }
}

#[cold]
fn give_up(task: &Task) {
    with_recording_of(task, |recording| recording.repeatable = false);
}

fn with_recording_of(task: &Task, what: impl FnOnce(&mut Recording)) {
    let by = std::ptr::from_ref(task) as usize;
    RECORDINGS.with(|list| {
        if let Some(recording) = list.iter_mut().find(|recording| recording.by == by) {
            what(recording);
        }
    });
}

/// The current task `parent`, or one that a task above it generated while that recorded a graph, generates `task`,
/// whose code has not begun. `counted` tells whether it is among the children that `parent` has counted.
#[cold]
pub(super) fn note(parent: &Task, task: &Task, dependences: impl Dependences, counted: bool) {
    if !task.has(flag::RECORDING) {
        return;
    }
    // Its own children are not the graph's.
    task.change_flags(0, flag::RECORDING);
    with_recording_of(parent, |recording| recording.add(parent, task, dependences, counted));
}

/// The current task `parent` waits for some of its children.
#[cold]
pub(super) fn note_wait(parent: &Task) {
    with_recording_of(parent, |recording| recording.waits = true);
}

impl Recording {
    fn add(&mut self, parent: &Task, task: &Task, dependences: impl Dependences, counted: bool) {
        let body = task.body();
        let bytes = task.payload_bytes();
        let empty = task.has(flag::FINISHED) && bytes == 0;
        // Without the number of the executing thread it comes from another door, and so does what makes a copy whole.
        if task.has(UNREPEATABLE) || !body.after.is_null() || !(task.has(flag::NUMBERED) || empty) {
            self.repeatable = false;
        }
        let now = parent.created.get();
        if now != self.created + u64::from(counted) {
            self.waits = true;
        }
        self.created = now;
        self.enter_group(task);
        if !self.repeatable {
            return;
        }
        // SAFETY: the payload has as many bytes, the program has filled it, and nobody writes to it before the task
        // runs.
        let data = unsafe { std::slice::from_raw_parts(task.payload(), bytes) }.to_vec();
        let waits = std::mem::replace(&mut self.waits, task.has(flag::UNDEFERRED)) && !self.tasks.is_empty();
        self.tasks.push(Recorded {
            flags: task.flags.get() & KEPT,
            priority: task.priority(),
            body,
            from: task.payload() as usize,
            data,
            dependences: dependences.iter().collect(),
            waits,
        });
    }

    /// Where a taskgroup region of the program's begins or ends, a replay waits.
    fn enter_group(&mut self, task: &Task) {
        let group = task.group.get() as usize;
        let inner = group != self.base;
        if inner && wait::in_reduction(task, false) {
            self.repeatable = false;
        }
        if group != self.group || inner && !wait::was_noted(task) {
            self.waits = true;
        }
        self.group = group;
    }

    fn into_graph(self) -> Graph {
        let lists: Vec<&[Dependence]> = self.tasks.iter().map(|task| &*task.dependences).collect();
        let (edges, sets) = edges(&lists);
        Graph { tasks: self.tasks, edges, sets, relocate: self.relocate }
    }
}

/// What is known of a storage location, as in `depend.rs`.
struct Location {
    kind: DependenceKind,
    last: Vec<u32>,
    before: Vec<u32>,
    set: Option<u32>,
}

/// The edges between tasks that are generated with these dependences one after the other, and the number of sets of
/// mutually exclusive tasks.
fn edges(lists: &[&[Dependence]]) -> (Vec<Edges>, u32) {
    let mut all: Vec<Edges> = Vec::with_capacity(lists.len());
    let mut locations: BTreeMap<usize, Location> = BTreeMap::new();
    let mut of_all_memory = None;
    let mut sets = 0;
    for (number, list) in (0..).zip(lists) {
        let mut own = Edges::default();
        let mut merged = list.to_vec();
        depend::merge(&mut merged);
        if !merged.is_empty() {
            own.after.extend(of_all_memory);
        }
        for Dependence { address, kind } in merged {
            if kind == DependenceKind::AllMemory {
                own.after.extend(std::mem::take(&mut locations).into_values().flat_map(|location| location.last));
                of_all_memory = Some(number);
                continue;
            }
            let location = locations.entry(address).or_insert_with(|| Location {
                kind: DependenceKind::InOut,
                last: Vec::new(),
                before: Vec::new(),
                set: None,
            });
            let joins = kind == location.kind && kind != DependenceKind::InOut;
            if !joins {
                location.before = std::mem::take(&mut location.last);
                location.kind = kind;
                location.set = (kind == DependenceKind::MutexInOutSet).then(|| {
                    sets += 1;
                    sets - 1
                });
            }
            own.after.extend(&location.before);
            location.last.push(number);
            own.excludes.extend(location.set);
        }
        own.after.sort_unstable();
        own.after.dedup();
        own.excludes.sort_unstable();
        for &before in &own.after {
            all[before as usize].is_awaited = true;
        }
        all.push(own);
    }
    (all, sets)
}

/// The current task generates the tasks of `graph`.
fn replay(thread: &'static Thread, graph: &Graph, call: impl Caller) {
    let sets: Vec<Arc<MutexSet>> = (0..graph.sets).map(|_| Arc::default()).collect();
    let mut nodes: Vec<Option<Arc<Node>>> = vec![None; graph.tasks.len()];
    for (number, (recorded, edges)) in graph.tasks.iter().zip(&graph.edges).enumerate() {
        if recorded.waits {
            wait::for_group(thread);
        }
        let task = recorded.copy(thread, graph.relocate);
        let is_entered = edges.is_awaited || !edges.after.is_empty() || !edges.excludes.is_empty();
        let enter = || {
            let predecessors = edges.after.iter().filter_map(|&before| nodes[before as usize].as_ref());
            let excludes = edges.excludes.iter().map(|&set| sets[set as usize].clone());
            let (node, waits) = depend::enter_after(thread.task(), task, predecessors, excludes);
            nodes[number] = Some(node);
            waits
        };
        create::launch_after(thread, task, &recorded.dependences, is_entered.then_some(enter), call);
    }
}

impl Recorded {
    /// A task of the current one, like this one.
    fn copy(&self, thread: &Thread, relocate: Relocate) -> &'static Task {
        let task = create::create(thread, self.data.len(), self.flags, self.priority);
        task.set_body(self.body);
        // SAFETY: the payload has as many bytes, and is nobody else's yet.
        unsafe { std::ptr::copy_nonoverlapping(self.data.as_ptr(), task.payload(), self.data.len()) };
        if !self.data.is_empty() {
            relocate(task, self.from);
        }
        // Replayed inside another graph that is recorded, which has been given up for that.
        task.change_flags(0, flag::RECORDING);
        task
    }
}

/// In a forked child nobody records but the calling thread, whose task has been left in the middle.
pub fn after_fork() {
    GRAPHS.force_open();
    RECORDINGS.force_open();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::dependence::DependenceKind::{AllMemory, In, InOutSet, MutexInOutSet, Out};

    /// Of each task those that it comes after, and the sets in which it excludes others; then how many sets there are.
    type Edges = (Vec<(Vec<u32>, Vec<u32>)>, u32);

    fn graph(tasks: &[&[(usize, DependenceKind)]]) -> Edges {
        let lists: Vec<Vec<Dependence>> = tasks
            .iter()
            .map(|list| list.iter().map(|&(address, kind)| Dependence { address, kind }).collect())
            .collect();
        let slices: Vec<&[Dependence]> = lists.iter().map(|list| &**list).collect();
        let (edges, sets) = edges(&slices);
        (edges.into_iter().map(|edges| (edges.after, edges.excludes)).collect(), sets)
    }

    #[test]
    fn readers_wait_for_the_writer_and_the_next_writer_for_them() {
        let (edges, _) = graph(&[&[(1, Out)], &[(1, In)], &[(1, In)], &[(1, Out)]]);
        let after: Vec<_> = edges.into_iter().map(|(after, _)| after).collect();
        assert_eq!(after, [vec![], vec![0], vec![0], vec![1, 2]]);
    }

    #[test]
    fn an_edge_is_there_once_however_many_locations_lead_to_it() {
        let (edges, _) = graph(&[&[(1, Out), (2, Out)], &[(1, In), (2, In)]]);
        assert_eq!(edges[1].0, [0]);
    }

    #[test]
    fn exclusive_tasks_share_a_set_and_wait_for_what_came_before() {
        let (edges, sets) =
            graph(&[&[(1, Out)], &[(1, MutexInOutSet)], &[(1, MutexInOutSet)], &[(1, In)], &[(1, MutexInOutSet)]]);
        assert_eq!(edges[1], (vec![0], vec![0]));
        assert_eq!(edges[2], (vec![0], vec![0]));
        assert_eq!(edges[3], (vec![1, 2], vec![]));
        assert_eq!((edges[4].clone(), sets), ((vec![3], vec![1]), 2));
    }

    #[test]
    fn all_memory_waits_for_all_and_all_wait_for_it() {
        let (edges, _) = graph(&[&[(1, In)], &[(2, InOutSet)], &[(0, AllMemory)], &[(3, In)], &[]]);
        assert_eq!(edges[2].0, [0, 1]);
        assert_eq!(edges[3].0, [2]);
        assert_eq!(edges[4].0, Vec::<u32>::new());
    }
}
