//! Recording a graph of tasks (OpenMP 6.0, section 14.3): what the children of a task are, and which of them wait for
//! which. What is recorded is replayed by `graph.rs`.

use super::depend;
use super::group;
use crate::objects::body::Body;
use crate::objects::dependence::Dependence;
use crate::objects::dependence::DependenceKind;
use crate::objects::dependence::Dependences;
use crate::objects::structures::Task;
use crate::objects::task::flag;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;

/// Makes a copy of a task whole whose data lay at the given address: what points into the data, and what the task runs.
pub type Relocate = fn(&Task, usize);

/// What of a recorded task's flags its copies have.
pub(super) const KEPT: u32 = flag::UNTIED
    | flag::FINAL
    | flag::MERGEABLE
    | flag::NUMBERED
    | flag::TASKWAIT
    | flag::FINISHED
    | flag::POOL
    | flag::ENTRY_POINT_2;

/// Flags of tasks that cannot be repeated.
pub(super) const UNREPEATABLE: u32 = flag::DETACHABLE
    | flag::DEVICE
    | flag::TARGET
    | flag::ASYNCHRONOUS
    | flag::DISCARDED
    | flag::IMPORTING
    | flag::EXPORTING;

/// A task as it was before it ran.
pub(super) struct Recorded {
    pub(super) flags: u32,
    pub(super) priority: i32,
    pub(super) body: Body,
    /// Where its data lay.
    pub(super) from: usize,
    pub(super) data: Vec<u8>,
    /// As the program has them: for tools.
    pub(super) dependences: Vec<Dependence>,
    /// All tasks before it are complete before it is generated: the program has waited there.
    pub(super) waits: bool,
}

// SAFETY: what it points to are functions, and memory of the program that its tasks look for themselves.
unsafe impl Send for Recorded {}
// SAFETY: as above; nobody writes to it.
unsafe impl Sync for Recorded {}

/// What stands in a task's way in each replay.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Edges {
    /// Tasks of the graph, by number.
    pub(super) after: Vec<u32>,
    /// Sets of mutually exclusive tasks, by number, ascending.
    pub(super) excludes: Vec<u32>,
    /// Whether another task has to wait for this one.
    pub(super) is_awaited: bool,
}

/// A graph that can be replayed.
pub(super) struct Graph {
    pub(super) tasks: Vec<Recorded>,
    pub(super) edges: Vec<Edges>,
    /// How many sets of mutually exclusive tasks there are.
    pub(super) sets: u32,
    pub(super) relocate: Relocate,
}

/// A graph that a task records.
pub(super) struct Recording {
    pub(super) number: i32,
    /// The task, by address.
    pub(super) by: usize,
    pub(super) relocate: Relocate,
    pub(super) tasks: Vec<Recorded>,
    pub(super) repeatable: bool,
    /// How many children the task had generated when it was last looked at: fewer later tell of a wait.
    pub(super) created: u64,
    /// The taskgroup of the graph, by address; 0 for none.
    pub(super) base: usize,
    /// That of the last task.
    pub(super) group: usize,
    /// Whether the next task has to wait for those before.
    pub(super) waits: bool,
}

pub(super) static RECORDINGS: Mutex<Vec<Recording>> = Mutex::new(Vec::new());

#[cold]
pub(super) fn start_recording(task: &Task, number: i32, relocate: Relocate, grouped: bool) {
    task.change_flags(flag::RECORDING, 0);
    let group = task.group.get() as usize;
    let repeatable = !group::in_reduction(task, grouped);
    let created = task.generated.generated();
    let by = std::ptr::from_ref(task) as usize;
    let tasks = Vec::new();
    let recording = Recording { number, by, relocate, tasks, repeatable, created, base: group, group, waits: false };
    RECORDINGS.with(|list| list.push(recording));
}

/// What the current task `task`, which may record a graph, does now cannot be repeated.
#[inline(always)]
pub fn do_once(task: &Task) {
    if task.has(flag::RECORDING) {
        give_up(task);
    }
}

#[cold]
pub(super) fn give_up(task: &Task) {
    with_recording_of(task, |recording| recording.repeatable = false);
}

pub(super) fn with_recording_of(task: &Task, what: impl FnOnce(&mut Recording)) {
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
        // Without the number of the executing thread it comes from another entry point, and so does what makes a copy
        // whole.
        if task.has(UNREPEATABLE) || !body.after.is_null() || !(task.has(flag::NUMBERED) || empty) {
            self.repeatable = false;
        }
        let now = parent.generated.generated();
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
        if inner && group::in_reduction(task, false) {
            self.repeatable = false;
        }
        if group != self.group || inner && !group::was_noted(task) {
            self.waits = true;
        }
        self.group = group;
    }

    pub(super) fn into_graph(self) -> Graph {
        let lists: Vec<&[Dependence]> = self.tasks.iter().map(|task| &*task.dependences).collect();
        let (edges, sets) = edges(&lists);
        Graph { tasks: self.tasks, edges, sets, relocate: self.relocate }
    }
}

/// What is known of a storage location, as in `depend.rs`.
pub(super) struct Location {
    kind: DependenceKind,
    last: Vec<u32>,
    before: Vec<u32>,
    set: Option<u32>,
}

/// The edges between tasks that are generated with these dependences one after the other, and the number of sets of
/// mutually exclusive tasks.
pub(super) fn edges(lists: &[&[Dependence]]) -> (Vec<Edges>, u32) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use DependenceKind::{AllMemory, In, InOutSet, MutexInOutSet, Out};

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
