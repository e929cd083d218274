//! Graphs of tasks that are recorded once and replayed (`taskgraph`, OpenMP 6.0, section 14.3).
//!
//! The children that a task generates between [`begin`] and [`end`] are kept, with their data as they were before they
//! ran. The next time the runtime generates them itself, from the recorded edges. No dependences are evaluated, and the
//! program's code between the two calls is left out.
//!
//! Some things cannot be repeated so: reductions, events, destructors, transparent tasks, constructs for devices. A
//! graph with one of them is never replayed: the program's code runs each time. The code also runs while another task
//! records a graph of the same number.

use super::create;
use super::depend;
use super::recording::{self, Graph, Recorded};
use super::wait;
use crate::objects::call::Caller;
use crate::objects::structures::{MutexSet, NodeRef, Task, Thread};
use crate::objects::task::flag;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use super::recording::{Relocate, do_once};

/// What is known of a number.
enum Known {
    Recording,
    Ready(Arc<Graph>),
    /// The graph has what cannot be repeated.
    Never,
}

static GRAPHS: Mutex<BTreeMap<i32, Known>> = Mutex::new(BTreeMap::new());

/// The current task comes to graph `number`, in a taskgroup of its own if it is `grouped`. With `anew` the graph is
/// recorded again.
///
/// Returns whether the program is to generate the tasks; if not, they have been generated. Either way [`end`] follows.
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
    // A replay of an outer graph could not repeat what this graph generates.
    do_once(task);
    let graph = GRAPHS.with(|graphs| {
        match graphs.get(&number) {
            Some(Known::Ready(graph)) if !anew => return Some(graph.clone()),
            Some(Known::Never) if !anew => {}
            Some(Known::Recording) => {}
            _ if task.has(flag::RECORDING) || task.is_final() => {}
            _ => {
                graphs.insert(number, Known::Recording);
                recording::start_recording(task, number, relocate, grouped);
            }
        }
        None
    });
    let Some(graph) = graph else { return true };
    if !grouped && graph.tasks.iter().any(|task| task.waits) {
        return true;
    }
    replay(thread, &graph, call);
    false
}

/// The current task leaves graph `number`; the arguments are those of [`begin`].
pub fn end(thread: &'static Thread, number: i32, grouped: bool, call: impl Caller) {
    let task = thread.task();
    if task.has(flag::RECORDING)
        && let Some(graph) = recording::finish_recording(task, number)
    {
        let known = graph.map_or(Known::Never, |graph| Known::Ready(Arc::new(graph)));
        GRAPHS.with(|graphs| graphs.insert(number, known));
    }
    if grouped {
        wait::taskgroup_end(thread, call);
    }
}

/// The current task generates the tasks of `graph`.
fn replay(thread: &'static Thread, graph: &Graph, call: impl Caller) {
    let sets: Vec<Arc<MutexSet>> = (0..graph.sets).map(|_| Arc::default()).collect();
    let mut nodes: Vec<Option<NodeRef>> = vec![None; graph.tasks.len()];
    for (number, (recorded, edges)) in graph.tasks.iter().zip(&graph.edges).enumerate() {
        if recorded.waits {
            wait::for_group(thread);
        }
        let task = recorded.copy(thread, graph.relocate);
        let enter = || {
            if !edges.is_awaited && edges.after.is_empty() && edges.excludes.is_empty() {
                return false;
            }
            let predecessors = edges.after.iter().filter_map(|&before| nodes[before as usize].as_ref());
            let excludes = edges.excludes.iter().map(|&set| sets[set as usize].clone());
            let (node, waits) = depend::enter_after(thread, task, predecessors, excludes);
            nodes[number] = Some(node);
            waits
        };
        create::launch_after(thread, task, &recorded.dependences, enter, call);
    }
}

impl Recorded {
    /// A task of the current one, like this one.
    fn copy(&self, thread: &Thread, relocate: Relocate) -> &'static Task {
        let task = create::create(thread, self.data.len(), self.flags, self.priority);
        task.body.set(self.body);
        // SAFETY: the payload has as many bytes, and no other thread knows the task yet.
        unsafe { std::ptr::copy_nonoverlapping(self.data.as_ptr(), task.payload(), self.data.len()) };
        if !self.data.is_empty() {
            relocate(task, self.from);
        }
        // A graph that is recorded around the replay has been given up in `begin`.
        task.change_flags(0, flag::RECORDING);
        task
    }
}

/// In a forked child only the calling thread records, whose task has been left in the middle.
pub fn after_fork() {
    GRAPHS.force_open();
    recording::after_fork();
}
