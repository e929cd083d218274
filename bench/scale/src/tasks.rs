//! Tasks as a team's members create, find and execute them. Stands for `task/create.rs`, `task/schedule.rs` and the
//! helpers of `task/wait.rs` in `crates/runtime/src`.

use crate::task::{HEADER, Task, Work};
use crate::team::{Member, Team};
use crate::waiting::{Pace, Patience};
use ferromp_ground::model;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::Waiter;
use ferromp_ground::protocol::deque::Stolen;
use ferromp_ground::protocol::meeting::Helper;
use ferromp_simulator as simulator;
use std::rc::Rc;

/// The longest pause after a vain search or a lost race, as `MOST_PAUSES`.
const MOST_PAUSES: u32 = 24;

/// A member at a barrier of a region with tasks: `AtBarrier` of `barrier.rs`.
pub struct AtBarrier<'a> {
    pub team: &'a Team,
    pub member: &'a Member,
}

/// Creates a deferred task of the barrier phase that the member is in.
pub fn create(team: &Team, member: &Member, work: Work) {
    create_in(team, member, work, team.parity(member));
}

fn create_in(team: &Team, member: &Member, work: Work, parity: usize) {
    let block = Rc::new(Task { work, parity, header: [0; HEADER] });
    simulator::write_plain(&block.header);
    let task = Rc::as_ptr(&block);
    member.tasks.blocks.borrow_mut().push(block);
    member.tasks.counts.create(parity);
    if !team.has_tasks() {
        team.announce_tasks();
    }
    if member.tasks.deque.push(task, false) {
        team.barrier.event.call_one();
    }
}

fn execute(team: &Team, member: &Member, task: *const Task) {
    // SAFETY: the task comes from a queue, and blocks stay until the team goes.
    let task = unsafe { &*task };
    simulator::read_plain(&task.header);
    simulator::work(task.work.time);
    if task.work.generations > 1 {
        let work = Work { generations: task.work.generations - 1, ..task.work };
        (0..work.children).for_each(|_| create_in(team, member, work, task.parity));
    }
    member.tasks.counts.complete(task.parity);
}

fn find(team: &Team, member: &Member) -> Option<*const Task> {
    member.tasks.deque.pop(false).or_else(|| steal(team, member))
}

fn steal(team: &Team, member: &Member) -> Option<*const Task> {
    let nthreads = team.nthreads;
    let tasks = &member.tasks;
    let first = tasks.victim.get() % nthreads;
    for step in 0..nthreads {
        let tid = (first + step) % nthreads;
        if tid == member.tid {
            continue;
        }
        let mut losses = 0;
        loop {
            match team.members[tid as usize].tasks.deque.steal(|_| true) {
                Stolen::Taken(task) => {
                    tasks.victim.set(tid);
                    tasks.misses.set(0);
                    return Some(task);
                }
                Stolen::Lost => {
                    losses = (losses + 1).min(MOST_PAUSES);
                    pause(losses);
                }
                _ => break,
            }
        }
    }
    let misses = tasks.misses.get();
    tasks.misses.set((misses + 1).min(MOST_PAUSES));
    pause(misses);
    tasks.victim.set((first + 1) % nthreads);
    None
}

fn pause(times: u32) {
    (0..times).for_each(|_| model::spin_hint());
}

impl Waiter for AtBarrier<'_> {
    type Pace = Pace;

    fn begin(&self) -> Pace {
        self.team.patience.begin()
    }

    fn pause(&self, pace: &mut Pace) -> bool {
        self.team.patience.pause(pace)
    }

    fn sleep(&self, event: &Event, ticket: Ticket) {
        self.team.patience.sleep(event, ticket);
    }
}

impl Helper for AtBarrier<'_> {
    fn has_tasks(&self) -> bool {
        self.team.has_tasks()
    }

    fn help(&self) -> bool {
        let task = find(self.team, self.member);
        if let Some(task) = task {
            execute(self.team, self.member, task);
        }
        task.is_some()
    }

    fn help_when_called(&self) -> bool {
        let Some(task) = find(self.team, self.member) else { return false };
        if self.team.members.iter().any(|other| !other.tasks.deque.is_empty()) {
            self.team.barrier.event.call_one();
        }
        execute(self.team, self.member, task);
        true
    }

    fn is_deserted(&self) -> bool {
        false
    }
}

/// The patience of regions with tasks, for `Team::play`.
pub const PATIENCE: Patience = Patience::Awake;
