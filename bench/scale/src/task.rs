//! What a task is, and what a member has for tasks.

use ferromp_ground::model::Padded;
use ferromp_ground::model::atomic::AtomicU64;
use ferromp_ground::protocol::children::Children;
use ferromp_ground::protocol::deque::Deque;
use ferromp_ground::protocol::lifeline::Lifeline;
use ferromp_ground::protocol::quiescence::Account;
use ferromp_ground::protocol::returned::Returned;
use ferromp_ground::protocol::theft::Thief;
use ferromp_simulator::{self as simulator, Time};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A task: how many generations of tasks it makes, how many tasks it creates, and for how long it works.
#[derive(Clone, Copy)]
pub struct Work {
    pub generations: u32,
    pub children: u32,
    pub time: Time,
}

/// A task's header, on as many lines as `Task` of `crates/runtime/src/objects/structures.rs`.
#[repr(C, align(64))]
pub struct Task {
    /// The task that generated this one; null for an implicit task.
    pub parent: *const Task,
    pub work: Work,
    /// The member that executes the task, once the task generates children: its number and one more.
    pub executor: AtomicU64,
    _first: [u64; 2],
    /// The first words lie on the first line, the others on the second.
    pub generated: Children,
    /// The next block, of a free one.
    link: Cell<*const Task>,
    _second: [u64; 5],
    /// What the task executes.
    pub body: [u64; 7],
    /// The member to which the block belongs.
    pub creator: u32,
}

impl Task {
    pub fn new(parent: *const Task, work: Work, creator: u32) -> Self {
        Task {
            parent,
            work,
            executor: AtomicU64::new(0),
            _first: [0; 2],
            generated: Children::default(),
            link: Cell::new(std::ptr::null()),
            _second: [0; 5],
            body: [0; 7],
            creator,
        }
    }

    fn set_link(&self, next: *const Task) {
        self.link.set(next);
        simulator::write_plain(&self.link);
    }

    /// The words of the second line that the executing thread has for itself.
    pub fn second_line(&self) -> &[u64; 5] {
        &self._second
    }
}

impl Default for Task {
    fn default() -> Self {
        Task::new(std::ptr::null(), Work { generations: 0, children: 0, time: 0 }, 0)
    }
}

/// A member's blocks for tasks: `task/blocks.rs`.
#[derive(Default)]
pub struct Blocks {
    /// The number of free blocks, in place of the head of their list.
    free: Cell<usize>,
    returned: Padded<Returned<Task>>,
    list: RefCell<Vec<*const Task>>,
    /// As `aside` of the runtime's store.
    aside: RefCell<Vec<*const Task>>,
    /// All blocks that the member has made, which stay until the team goes.
    all: RefCell<Vec<Rc<Task>>>,
}

impl Blocks {
    /// Takes a block for a task, as `TaskThread::take`.
    pub fn take(&self, task: Task) -> *const Task {
        simulator::write_plain(&self.free);
        if self.list.borrow().is_empty() {
            self.collect();
        }
        let Some(block) = self.list.borrow_mut().pop() else {
            let block = Rc::new(task);
            simulator::write_plain(&*block);
            self.all.borrow_mut().push(block.clone());
            return Rc::as_ptr(&block);
        };
        // SAFETY: no thread uses a free block, and blocks stay until the team goes.
        unsafe {
            simulator::read_plain((*block).second_line());
            block.cast_mut().write(task);
            simulator::write_plain(&*block);
        }
        block
    }

    /// Sorts the blocks that others have returned into the list.
    fn collect(&self) {
        let mut block = self.returned.take_all();
        while !block.is_null() {
            self.list.borrow_mut().push(block);
            // SAFETY: as in `take`.
            let link = unsafe { &(*block).link };
            simulator::read_plain(link);
            block = link.get();
        }
    }

    /// Frees a block, as `TaskThread::give`; `is_owner` is whether the calling member made the block.
    pub fn give(&self, task: &Task, is_owner: bool) {
        if is_owner {
            simulator::write_plain(&self.free);
            task.set_link(std::ptr::null());
            self.list.borrow_mut().push(task);
        } else {
            self.returned.give(task, |next| task.set_link(next));
        }
    }

    /// As `TaskThread::set_aside`.
    pub fn set_aside(&self, task: &Task) -> usize {
        let mut aside = self.aside.borrow_mut();
        task.set_link(aside.last().copied().unwrap_or(std::ptr::null()));
        aside.push(task);
        aside.len()
    }

    /// As `TaskThread::take_aside`.
    pub fn take_aside(&self) -> Vec<*const Task> {
        self.aside.take()
    }
}

/// What a member has for tasks.
pub struct TaskMember {
    pub deque: Padded<Deque<Task>>,
    pub lifeline: Padded<Lifeline<Task>>,
    pub account: Padded<Account>,
    pub thief: Thief,
    /// The implicit task, and the task that the member executes; null for the implicit one.
    pub implicit: Padded<Task>,
    pub current: Cell<*const Task>,
    /// As `in_place` and `nested` of the runtime's member.
    pub in_place: Cell<u32>,
    pub nested: Cell<u32>,
    pub blocks: Padded<Blocks>,
}

impl Default for TaskMember {
    fn default() -> Self {
        TaskMember {
            deque: Padded::default(),
            lifeline: Padded::default(),
            account: Padded::default(),
            thief: Thief::default(),
            implicit: Padded::default(),
            current: Cell::new(std::ptr::null()),
            in_place: Cell::default(),
            nested: Cell::default(),
            blocks: Padded::default(),
        }
    }
}
