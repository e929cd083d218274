//! Recording a graph of tasks (OpenMP 6.0, section 14.3): what the children of a task are, and which of them wait for
//! which. `graph.rs` replays what is recorded.

use super::group;
use super::table;
use crate::objects::body::Body;
use crate::objects::dependence::{Dependence, DependenceKind, Dependences};
use crate::objects::structures::Task;
use crate::objects::task::flag;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;

/// Completes a copy of a task whose data lay at the given address: corrects what points into the data, and sets what
/// the copy runs.
pub type Relocate = fn(&Task, usize);

/// The flags of a recorded task that its copies have.
const KEPT: u32 = flag::UNTIED
    | flag::FINAL
    | flag::MERGEABLE
    | flag::NUMBERED
    | flag::TASKWAIT
    | flag::FINISHED
    | flag::POOL
    | flag::ENTRY_POINT_2;

/// Flags of tasks that cannot be repeated.
const UNREPEATABLE: u32 = flag::DETACHABLE
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
    /// The dependences as the program has them, for tools.
    pub(super) dependences: Vec<Dependence>,
    /// Whether all tasks before it are complete before it is generated, because the program has waited there.
    pub(super) waits: bool,
}

// SAFETY: its pointers lead to functions, and to memory of the program that the program's tasks guard themselves.
unsafe impl Send for Recorded {}
// SAFETY: as for `Send`; after the recording it is only read.
unsafe impl Sync for Recorded {}

/// What stands in a task's way in each replay.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Edges {
    /// The numbers of the tasks that it comes after.
    pub(super) after: Vec<u32>,
    /// The numbers of the sets of mutually exclusive tasks that it is in, ascending.
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

/// A graph that a task is recording.
struct Recording {
    number: i32,
    /// The address of the task.
    by: usize,
    relocate: Relocate,
    tasks: Vec<Recorded>,
    repeatable: bool,
    /// How many children the task had generated at the last look. A smaller number later tells of a wait.
    created: u64,
    /// The address of the graph's taskgroup; 0 for none.
    base: usize,
    /// The address of the last task's taskgroup.
    group: usize,
    /// Whether the next task has to wait for those before.
    waits: bool,
}

static RECORDINGS: Mutex<Vec<Recording>> = Mutex::new(Vec::new());

/// Starts to record graph `number`, whose tasks the current task `task` generates from now on.
#[cold]
pub(super) fn start_recording(task: &Task, number: i32, relocate: Relocate, grouped: bool) {
    task.change_flags(flag::RECORDING, 0);
    let group = task.group.get() as usize;
    let recording = Recording {
        number,
        by: std::ptr::from_ref(task).addr(),
        relocate,
        tasks: Vec::new(),
        repeatable: !group::in_reduction(task, grouped),
        created: task.generated.generated(),
        base: group,
        group,
        waits: false,
    };
    RECORDINGS.with(|list| list.push(recording));
}

/// Ends the recording of graph `number` by the current task `task`. The outer `None`: `task` does not record that
/// graph. The inner one: the graph cannot be repeated.
#[cold]
pub(super) fn finish_recording(task: &Task, number: i32) -> Option<Option<Graph>> {
    let by = std::ptr::from_ref(task).addr();
    let recording = RECORDINGS.with(|list| {
        let index = list.iter().position(|recording| recording.by == by && recording.number == number)?;
        Some(list.swap_remove(index))
    })?;
    task.change_flags(0, flag::RECORDING);
    Some(recording.repeatable.then(|| {
        let lists: Vec<&[Dependence]> = recording.tasks.iter().map(|task| &*task.dependences).collect();
        let (edges, sets) = edges(&lists);
        Graph { tasks: recording.tasks, edges, sets, relocate: recording.relocate }
    }))
}

/// Marks the graph that the current task `task` may record as one that is never replayed, because of what `task` does
/// now.
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

fn with_recording_of(task: &Task, change: impl FnOnce(&mut Recording)) {
    let by = std::ptr::from_ref(task).addr();
    RECORDINGS.with(|list| list.iter_mut().find(|recording| recording.by == by).map(change));
}

/// Records `task`, which the current task `parent` generates while it records a graph. The code of `task` has not
/// begun. `counted` is whether `parent` has counted it among its children.
///
/// The flag may also come from a task further up, which recorded a graph when it generated `parent`. Then nothing is
/// recorded.
#[cold]
pub(super) fn note(parent: &Task, task: &Task, dependences: impl Dependences, counted: bool) {
    if !task.has(flag::RECORDING) {
        return;
    }
    // Its own children are not the graph's.
    task.change_flags(0, flag::RECORDING);
    with_recording_of(parent, |recording| recording.add(parent, task, dependences, counted));
}

/// Notes that the current task `parent` waits for some of its children.
#[cold]
pub(super) fn note_wait(parent: &Task) {
    with_recording_of(parent, |recording| recording.waits = true);
}

impl Recording {
    fn add(&mut self, parent: &Task, task: &Task, dependences: impl Dependences, counted: bool) {
        let body = task.body.get();
        let bytes = task.payload_bytes();
        let empty = task.has(flag::FINISHED) && bytes == 0;
        // Tasks of other entry points do not get the executing thread's number, and `relocate` does not know them.
        if task.has(UNREPEATABLE) || !body.after.is_null() || !(task.has(flag::NUMBERED) || empty) {
            self.repeatable = false;
        }
        let now = parent.generated.generated();
        self.waits |= now != self.created + u64::from(counted);
        self.created = now;
        self.enter_group(task);
        if !self.repeatable {
            return;
        }
        // SAFETY: the payload has as many bytes, the program has filled it, and no thread writes to it before the task
        // runs.
        let data = unsafe { std::slice::from_raw_parts(task.payload(), bytes) }.to_vec();
        let waits = std::mem::replace(&mut self.waits, task.has(flag::UNDEFERRED)) && !self.tasks.is_empty();
        self.tasks.push(Recorded {
            flags: task.flags.get() & KEPT,
            priority: task.priority.get(),
            body,
            from: task.payload() as usize,
            data,
            dependences: dependences.iter().collect(),
            waits,
        });
    }

    /// Notes the taskgroup of a task. A replay waits where a taskgroup region of the program's begins or ends.
    fn enter_group(&mut self, task: &Task) {
        let group = task.group.get() as usize;
        let inner = group != self.base;
        if inner && group::in_reduction(task, false) {
            self.repeatable = false;
        }
        self.waits |= group != self.group || inner && !group::was_noted(task);
        self.group = group;
    }
}

/// What is known of a storage location, as in `depend.rs`, with numbers of tasks and sets.
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
        table::merge(&mut merged);
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
                location.set = (kind == DependenceKind::MutexInOutSet).then_some(sets);
                sets += u32::from(location.set.is_some());
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

/// In a forked child only the calling thread records; another thread may have left the list locked.
pub(super) fn after_fork() {
    RECORDINGS.force_open();
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
