//! Model test of dependence nodes (`task/README.md`): registration against completion. Each task with predecessors is
//! let go once, behind all of them, and nobody waits for ever.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::node::{MutexSet, Node, NodeRef, Store};
use loom::cell::UnsafeCell;
use std::sync::Arc;

/// What a task writes, and how often it was let go.
#[derive(Default)]
struct Task {
    written: UnsafeCell<u32>,
    starts: AtomicU32,
}

impl Task {
    fn run(&self) {
        // SAFETY: loom reports a race.
        self.written.with_mut(|written| unsafe { *written += 1 });
    }

    fn has_run(&self) -> bool {
        // SAFETY: as in `run`.
        self.written.with(|written| unsafe { *written == 1 })
    }
}

/// Tasks and their nodes, the predecessors first, the successor last.
struct Siblings {
    tasks: [Task; 3],
    nodes: [NodeRef<Task>; 3],
    /// How many of the first ones the last one waits for.
    predecessors: usize,
}

// SAFETY: cells are checked by loom.
unsafe impl Sync for Siblings {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl Send for Siblings {}

const LAST: usize = 2;

impl Siblings {
    fn new(predecessors: usize) -> loom::sync::Arc<Siblings> {
        let tasks: [Task; 3] = Default::default();
        let nodes = std::array::from_fn(|_| NodeRef::new(None, std::ptr::null(), None));
        loom::sync::Arc::new(Siblings { tasks, nodes, predecessors })
    }

    /// Executes task `number`, and lets its successors go.
    fn execute(&self, number: usize) {
        self.tasks[number].run();
        self.nodes[number].release(|node| self.start(node));
    }

    /// Whoever finds that nothing is in a task's way executes the task, behind all its predecessors.
    fn start(&self, node: &Node<Task>) {
        assert!(self.tasks[..self.predecessors].iter().all(Task::has_run));
        let number = self.nodes.iter().position(|other| std::ptr::eq(&**other, node)).expect("a node of these");
        assert_eq!(self.tasks[number].starts.fetch_add(1, Ordering::Relaxed), 0, "let go twice");
        self.tasks[number].run();
    }

    /// Registers the last task behind its predecessors, which execute meanwhile.
    fn register(&self) {
        let node = &self.nodes[LAST];
        for predecessor in &self.nodes[..self.predecessors] {
            node.wait_for(predecessor, |_| ());
        }
        if node.registered() {
            self.start(node);
        }
    }
}

fn registers_behind(predecessors: usize, bound: Option<usize>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = bound;
    model.check(move || {
        let siblings = Siblings::new(predecessors);
        let threads: Vec<_> = (0..predecessors)
            .map(|number| {
                // Registered and queued before the successor is generated.
                assert!(siblings.nodes[number].registered());
                let siblings = siblings.clone();
                loom::thread::spawn(move || siblings.execute(number))
            })
            .collect();
        siblings.register();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(siblings.tasks[LAST].starts.load(Ordering::Relaxed), 1);
        assert!(
            siblings
                .tasks
                .iter()
                .enumerate()
                .all(|(number, task)| number >= predecessors && number < LAST || task.has_run())
        );
    });
}

#[test]
fn registration_meets_completion() {
    registers_behind(1, None);
}

/// Two predecessors complete while their successor is being registered. Two switches away from a thread that could go
/// on reach each order of the two completions and the two registrations.
#[test]
fn last_of_two_predecessors_lets_the_successor_go() {
    registers_behind(2, Some(2));
}

/// A wait in the place of a task: its thread looks at the count.
#[test]
fn wait_sees_what_the_predecessor_has_written() {
    loom::model(|| {
        let siblings = Siblings::new(1);
        assert!(siblings.nodes[0].registered());
        let other = siblings.clone();
        let thread = loom::thread::spawn(move || {
            other.tasks[0].run();
            other.nodes[0].release(|_| ());
        });
        let wait: NodeRef<Task> = NodeRef::new(None, std::ptr::null(), None);
        wait.wait_for(&siblings.nodes[0], |_| ());
        if !wait.wait_registered() {
            while !wait.waits_for_nothing() {
                loom::thread::yield_now();
            }
        }
        assert!(siblings.tasks[0].has_run());
        thread.join().unwrap();
    });
}

/// Two tasks of a set that nothing else is in the way of: one runs, and the other runs when the first is complete.
#[test]
fn exclusive_tasks_run_one_after_the_other() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let siblings = Siblings::new(0);
        let set: Arc<MutexSet<Task>> = Arc::default();
        for node in &siblings.nodes[..2] {
            node.exclude(std::iter::once(set.clone()));
        }
        // What both write: the cell of the last task.
        fn enter(siblings: &Siblings, number: usize) {
            if siblings.nodes[number].registered() {
                run(siblings, &siblings.nodes[number]);
            }
        }
        fn run(siblings: &Siblings, node: &Node<Task>) {
            let number = siblings.nodes.iter().position(|other| std::ptr::eq(&**other, node)).expect("a node of these");
            assert_eq!(siblings.tasks[number].starts.fetch_add(1, Ordering::Relaxed), 0, "let go twice");
            // SAFETY: loom reports a race.
            siblings.tasks[LAST].written.with_mut(|written| unsafe { *written += 1 });
            siblings.nodes[number].release(|next| run(siblings, next));
        }
        let other = siblings.clone();
        let thread = loom::thread::spawn(move || enter(&other, 1));
        enter(&siblings, 0);
        thread.join().unwrap();
        assert!(siblings.tasks[..2].iter().all(|task| task.starts.load(Ordering::Relaxed) == 1));
    });
}

/// A successor of an exporting task is let go when the task and its child are complete, by whichever is last.
#[test]
fn exporting_task_is_complete_with_its_last_child() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let siblings = Siblings::new(LAST);
        let exporting = siblings.nodes[0].clone();
        assert!(exporting.registered());
        exporting.open();
        let child: NodeRef<Task> = NodeRef::new(None, std::ptr::null(), Some(exporting.clone()));
        assert!(child.registered());
        siblings.nodes[LAST].wait_for(&exporting, |_| ());
        assert!(!siblings.nodes[LAST].registered());
        let other = siblings.clone();
        let thread = loom::thread::spawn(move || {
            other.tasks[1].run();
            child.release(|node| other.start(node));
        });
        siblings.tasks[0].run();
        exporting.release(|node| siblings.start(node));
        thread.join().unwrap();
        assert_eq!(siblings.tasks[LAST].starts.load(Ordering::Relaxed), 1);
    });
}

/// A node that goes back to its store while the owner makes another one serves again once at most, behind its last
/// share.
#[test]
fn node_serves_again_behind_its_last_share() {
    loom::model(|| {
        let store: &'static Store<Task> = Box::leak(Box::default());
        let node = NodeRef::new(Some(store), std::ptr::null(), None);
        assert!(node.registered());
        let (place, share) = (std::ptr::from_ref(&*node), node.clone());
        let thread = loom::thread::spawn(move || share.release(|_| unreachable!("nobody waits")));
        drop(node);
        let again = [(); 2].map(|()| NodeRef::new(Some(store), std::ptr::null(), None));
        assert!(again.iter().filter(|node| std::ptr::eq(&***node, place)).count() <= 1);
        assert!(again.iter().all(|node| !node.is_complete() && node.registered()));
        thread.join().unwrap();
        assert!(again.iter().all(|node| !node.is_complete()));
        drop(again);
        store.trim();
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("node: no second look under the lock", "registration_meets_completion");
    assert_caught("node: completed relaxed", "registration_meets_completion");
    assert_caught("node: arrived relaxed", "last_of_two_predecessors_lets_the_successor_go");
    assert_caught("node: closed relaxed", "exporting_task_is_complete_with_its_last_child");
    assert_caught("node: an exclusion is left without its next one", "exclusive_tasks_run_one_after_the_other");
}
