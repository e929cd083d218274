//! What a task is, and what a member has for tasks.

use ferromp_ground::model::Padded;
use ferromp_ground::protocol::deque::Deque;
use ferromp_ground::protocol::quiescence::Account;
use ferromp_ground::protocol::theft::Thief;
use ferromp_simulator::Time;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Words of a task's header that its creator writes and its executor reads.
pub const HEADER: usize = 8;

/// A task: how many generations of tasks it makes, how many tasks it creates, and for how long it works.
#[derive(Clone, Copy)]
pub struct Work {
    pub generations: u32,
    pub children: u32,
    pub time: Time,
}

/// A task's block.
pub struct Task {
    pub work: Work,
    pub header: [u64; HEADER],
}

/// What a member has for tasks.
#[derive(Default)]
pub struct TaskMember {
    pub deque: Padded<Deque<Task>>,
    pub account: Padded<Account>,
    pub thief: Thief,
    /// As `in_place` and `nested` of the runtime's member.
    pub in_place: Cell<u32>,
    pub nested: Cell<bool>,
    /// The blocks of the tasks that the member has created, which stay until the team goes.
    pub blocks: RefCell<Vec<Rc<Task>>>,
}
