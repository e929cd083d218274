//! The explicit tasks of a run as a graph: who created whom, and who had to wait for whom. A small graph is kept as it
//! is; of a large one only its measures.

use crate::Site;
use rustc_hash::FxHashMap;

/// Tasks of a graph that is kept.
const SMALL: usize = 200;
/// Dependences of a graph that is kept.
const FEW: usize = 1000;

/// A task of a small graph.
pub struct Node {
    pub id: u64,
    /// The task that created it.
    pub parent: u64,
    pub site: Site,
    pub created: u64,
    /// When it first ran, and on which thread.
    pub begin: Option<(u64, usize)>,
    pub end: Option<u64>,
    /// Nanoseconds that it ran.
    pub work: u64,
}

/// The tasks of a small graph, and the pairs of tasks of which the second waited for the first.
pub type Small<'g> = (&'g [Node], &'g [(u64, u64)]);

/// A task that has not completed, as far as chains are concerned.
#[derive(Default)]
struct Pending {
    depth: u64,
    /// The longest chain of tasks before it: their number and their time.
    before: (u64, u64),
    /// The tasks that wait for it.
    sinks: Vec<u64>,
}

/// Measures of the tasks of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    pub created: u64,
    pub completed: u64,
    /// Tasks with a `depend` clause.
    pub dependent: u64,
    /// Dependences that delayed a task.
    pub dependences: u64,
    /// Tasks that create tasks: the deepest nesting.
    pub deepest: u64,
    /// The most tasks that were created and not completed at a time.
    pub most_pending: u64,
    /// Nanoseconds that all tasks ran.
    pub work: u64,
    /// The longest time of a chain of tasks that depend on each other.
    pub chain_ns: u64,
    /// The tasks of that chain.
    pub chain_tasks: u64,
}

/// See the module.
#[derive(Default)]
pub struct Graph {
    pub measures: Measures,
    pending: FxHashMap<u64, Pending>,
    nodes: Vec<Node>,
    edges: Vec<(u64, u64)>,
}

impl Graph {
    /// An explicit task is created.
    pub fn create(&mut self, id: u64, parent: u64, dependent: bool, site: Site, created: u64) {
        let depth = self.pending.get(&parent).map_or(1, |parent| parent.depth + 1);
        self.pending.insert(id, Pending { depth, ..Pending::default() });
        let measures = &mut self.measures;
        measures.created += 1;
        measures.dependent += u64::from(dependent);
        measures.deepest = measures.deepest.max(depth);
        measures.most_pending = measures.most_pending.max(self.pending.len() as u64);
        if self.nodes.len() <= SMALL {
            self.nodes.push(Node { id, parent, site, created, begin: None, end: None, work: 0 });
        }
    }

    /// `sink` has to wait for `source`.
    pub fn depend(&mut self, source: u64, sink: u64) {
        self.measures.dependences += 1;
        if let Some(task) = self.pending.get_mut(&source) {
            task.sinks.push(sink);
        }
        if self.edges.len() <= FEW {
            self.edges.push((source, sink));
        }
    }

    /// A task runs, for the first time or again.
    pub fn begin(&mut self, id: u64, thread: usize, ns: u64) {
        if self.is_small()
            && let Some(node) = self.nodes.iter_mut().find(|node| node.id == id)
        {
            node.begin.get_or_insert((ns, thread));
        }
    }

    /// A task has completed after it ran for `work` nanoseconds.
    pub fn complete(&mut self, id: u64, work: u64, ns: u64) {
        let Some(task) = self.pending.remove(&id) else { return };
        self.measures.completed += 1;
        self.measures.work = self.measures.work.saturating_add(work);
        let (tasks, time) = (task.before.0 + 1, task.before.1.saturating_add(work));
        if time > self.measures.chain_ns || self.measures.chain_tasks == 0 {
            (self.measures.chain_tasks, self.measures.chain_ns) = (tasks, time);
        }
        for sink in task.sinks {
            if let Some(sink) = self.pending.get_mut(&sink)
                && (time, tasks) > (sink.before.1, sink.before.0)
            {
                sink.before = (tasks, time);
            }
        }
        if self.is_small()
            && let Some(node) = self.nodes.iter_mut().find(|node| node.id == id)
        {
            (node.end, node.work) = (Some(ns), work);
        }
    }

    /// The graph; none without tasks, or if there are too many to draw.
    pub fn small(&self) -> Option<Small<'_>> {
        (self.is_small() && !self.nodes.is_empty()).then_some((&self.nodes[..], &self.edges[..]))
    }

    fn is_small(&self) -> bool {
        self.nodes.len() <= SMALL && self.edges.len() <= FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_chain_is_found() {
        let mut graph = Graph::default();
        for id in 1..=4 {
            graph.create(id, 0, true, Site::default(), id);
        }
        graph.create(5, 4, false, Site::default(), 5);
        graph.depend(1, 3);
        graph.depend(2, 3);
        graph.complete(1, 10, 20);
        graph.complete(2, 30, 40);
        graph.complete(3, 5, 50);
        graph.complete(4, 33, 60);
        let measures = graph.measures;
        assert_eq!((measures.chain_tasks, measures.chain_ns, measures.deepest, measures.work), (2, 35, 2, 78));
        assert_eq!((measures.created, measures.completed, measures.most_pending), (5, 4, 5));
        let (nodes, edges) = graph.small().unwrap();
        assert_eq!((nodes.len(), edges.len(), nodes[1].work), (5, 2, 30));
        for id in 10..300 {
            graph.create(id, 0, false, Site::default(), id);
        }
        assert!(graph.small().is_none());
    }
}
