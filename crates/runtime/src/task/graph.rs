//! Graphs of tasks that are recorded once and replayed (`taskgraph`, OpenMP 6.0, section 14.3): the children that a
//! task generates between [`begin`] and [`end`] are kept, with their data as they were before they ran. The next time
//! the runtime generates them itself, from the recorded edges: nobody evaluates dependences, and the program's code
//! between the two calls is left out.
//!
//! What cannot be repeated so (reductions, events, destructors, transparent tasks, constructs for devices) makes the
//! graph one that is never replayed: the program's code runs each time. While another task records a graph of the same
//! number the program's code runs as well.

use super::create;
use super::depend;
use super::recording::Graph;
use super::recording::RECORDINGS;
use super::recording::Recorded;
use super::recording::start_recording;
use super::wait;
use crate::objects::call::Caller;
use crate::objects::structures::MutexSet;
use crate::objects::structures::Node;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::task::flag;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use super::recording::{Relocate, do_once};

/// What is known of a number.
enum Known {
    Recording,
    Ready(Arc<Graph>),
    /// It has what cannot be repeated.
    Never,
}

static GRAPHS: Mutex<BTreeMap<i32, Known>> = Mutex::new(BTreeMap::new());
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
            if !is_entered {
                return false;
            }
            let predecessors = edges.after.iter().filter_map(|&before| nodes[before as usize].as_ref());
            let excludes = edges.excludes.iter().map(|&set| sets[set as usize].clone());
            let (node, waits) = depend::enter_after(thread.task(), task, predecessors, excludes);
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
