//! Model test of a task's account of its children (`task/README.md`): a taskwait ends, and sees what the children have
//! written; each header is freed once, after everybody who uses the header.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::children::{Children, Completion};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A task's header, and what the task writes.
#[derive(Default)]
struct Header {
    children: Children,
    written: UnsafeCell<u32>,
    /// Written by whoever uses the header for something else.
    freed: UnsafeCell<u32>,
}

// SAFETY: the words that belong to one thread are used by the thread that plays the task's; cells are checked.
unsafe impl Sync for Header {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl Send for Header {}

impl Header {
    fn write(&self, value: u32) {
        // SAFETY: loom reports a race.
        self.written.with_mut(|written| unsafe { *written = value });
    }

    fn read(&self) -> u32 {
        // SAFETY: as in `write`.
        self.written.with(|written| unsafe { *written })
    }

    /// The header is in use: it has not been freed before, nor is at the same time.
    fn touch(&self) {
        // SAFETY: as in `write`.
        self.freed.with(|freed| unsafe { assert_eq!(*freed, 0, "a freed header is used") });
    }

    fn free(&self) {
        // SAFETY: as in `write`.
        self.freed.with_mut(|freed| unsafe {
            assert_eq!(*freed, 0, "a header is freed twice");
            *freed = 1;
        });
    }

    fn is_freed(&self) -> bool {
        // SAFETY: as in `write`.
        self.freed.with(|freed| unsafe { *freed == 1 })
    }
}

/// A parent waits, and sleeps if need be, for children that other threads complete.
struct Waiting {
    parent: Header,
    event: Event,
    results: [Header; 2],
}

/// Another thread completes a child of the parent.
fn complete(shared: &Waiting, child: usize) {
    shared.results[child].write(7);
    match shared.parent.children.complete_elsewhere() {
        Completion::Awaited => shared.event.notify_all_after_rmw(),
        Completion::Plain => {}
        Completion::Last => panic!("the parent is not complete"),
    }
}

/// The taskwait of the parent's thread.
fn taskwait(shared: &Waiting) {
    let children = &shared.parent.children;
    while !children.are_complete() {
        let ticket = shared.event.prepare();
        children.announce();
        if children.are_complete() {
            shared.event.cancel(ticket);
            break;
        }
        shared.event.sleep(ticket);
    }
    children.forget();
}

fn waits_for(number: usize, bound: Option<usize>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = bound;
    model.check(move || {
        let shared = Arc::new(Waiting { parent: Header::default(), event: Event::new(), results: Default::default() });
        let threads: Vec<_> = (0..number)
            .map(|child| {
                shared.parent.children.generate();
                let other = shared.clone();
                thread::spawn(move || complete(&other, child))
            })
            .collect();
        taskwait(&shared);
        assert!(shared.results[..number].iter().all(|result| result.read() == 7));
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn taskwait_for_one() {
    waits_for(1, Some(3));
}

/// The completion that the sleeper does not wait for comes between announcement and sleep. Two switches away from a
/// thread that could go on are enough for that.
#[test]
fn taskwait_for_two() {
    waits_for(2, Some(2));
}

/// Three generations: a task that completes before its child, whose own child may be the last of all.
#[derive(Default)]
struct Family {
    /// Goes on: its header stays, and its account is looked at when all is over.
    root: Header,
    parent: Header,
    child: Header,
    frees: AtomicU32,
}

impl Family {
    fn free(&self, header: &Header) {
        header.free();
        self.frees.fetch_add(1, Ordering::Relaxed);
    }

    /// The last child of the completed `task` is complete, or its last header gone: as `life.rs` does.
    fn free_upwards(&self, line: &[&Header]) {
        for (index, task) in line.iter().enumerate() {
            self.free(task);
            let above = line.get(index + 1).copied().unwrap_or(&self.root);
            if !above.children.let_go() {
                return;
            }
        }
    }

    /// `task` completes on a thread that does not execute `parent`. `line` is `parent`, and those above that may go
    /// with it.
    fn complete(&self, task: &Header, parent: &Header, line: &[&Header]) {
        let whole = task.children.are_none() || task.children.hand_over(&parent.children);
        parent.touch();
        let last = parent.children.complete_elsewhere() == Completion::Last;
        if last && parent.children.seal() {
            self.free_upwards(line);
        }
        if whole {
            self.free(task);
        }
    }
}

/// The parent's thread completes the parent while another completes the child.
#[test]
fn last_child_or_parent_frees_the_header() {
    loom::model(|| {
        let family = Arc::new(Family::default());
        family.root.children.generate();
        family.parent.children.generate();
        let other = family.clone();
        let thread = thread::spawn(move || other.complete(&other.child, &other.parent, &[&other.parent]));
        family.parent.touch();
        family.complete(&family.parent, &family.root, &[]);
        thread.join().unwrap();
        assert!(family.parent.is_freed() && family.child.is_freed());
        assert_eq!(family.frees.load(Ordering::Relaxed), 2);
        assert!(!family.root.children.has_incomplete_descendants());
    });
}

/// A grandchild, its parent and that one's parent complete on three threads. Three switches away from a thread that
/// could go on suffice for every order of the three completions, one of them interrupted twice.
#[test]
fn last_grandchild_takes_the_line_along() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        #[derive(Default)]
        struct Line {
            family: Family,
            grandchild: Header,
        }
        let line = Arc::new(Line::default());
        line.family.root.children.generate();
        line.family.parent.children.generate();
        line.family.child.children.generate();
        let (first, second) = (line.clone(), line.clone());
        let threads = [
            thread::spawn(move || {
                let family = &first.family;
                family.complete(&first.grandchild, &family.child, &[&family.child, &family.parent]);
            }),
            thread::spawn(move || {
                let family = &second.family;
                family.complete(&family.child, &family.parent, &[&family.parent]);
            }),
        ];
        line.family.complete(&line.family.parent, &line.family.root, &[]);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(line.family.frees.load(Ordering::Relaxed), 3);
        assert!(!line.family.root.children.has_incomplete_descendants());
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("children: completed relaxed", "taskwait_for_one");
    assert_caught("children: seen relaxed", "taskwait_for_one");
    assert_caught("children: no order between completion and look", "taskwait_for_one");
    assert_caught("children: no order between announcement and look", "taskwait_for_one");
    assert_caught("children: sealed in two steps", "last_grandchild_takes_the_line_along");
    assert_caught("children: header let go relaxed", "last_grandchild_takes_the_line_along");
}
