//! Tasks as a team's members create, find and execute them. Stands for `task/create.rs`, `task/schedule.rs` and the
//! helpers of `task/wait.rs` in `crates/runtime/src`.

use crate::task::{HEADER, Task, Work};
use crate::team::{Member, Team};
use crate::waiting::{Pace, Patience};
use ferromp_ground::model::atomic::Ordering;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::Waiter;
use ferromp_ground::protocol::meeting::Helper;
use ferromp_ground::protocol::quiescence::GROUP;
use ferromp_ground::protocol::theft::{Attempt, FEWEST, Search};
use ferromp_simulator as simulator;
use std::rc::Rc;

/// A member at a barrier of a region with tasks: `AtBarrier` of `barrier.rs`.
pub struct AtBarrier<'a> {
    pub team: &'a Team,
    pub member: &'a Member,
}

/// How many tasks of one member may wait, as `ENOUGH`.
const ENOUGH: usize = 256;

/// Creates a deferred task: `launch` of `task/create.rs`.
pub fn create(team: &Team, member: &Member, work: Work) {
    let block = Rc::new(Task { work, header: [0; HEADER] });
    simulator::write_plain(&block.header);
    let task = Rc::as_ptr(&block);
    let tasks = &member.tasks;
    tasks.blocks.borrow_mut().push(block);
    if !tasks.account.is_busy() {
        team.begin_tasks(member);
    }
    tasks.account.create();
    if tasks.deque.holds(ENOUGH, false) && is_ahead(team, member) {
        tasks.nested.set(true);
        execute(team, member, task);
        tasks.nested.set(false);
        return;
    }
    let length = tasks.deque.push(task, false) + 1;
    if length <= 1 {
        team.barrier.event.call_one();
    } else if length == tasks.deque.told_from.load(Ordering::Relaxed) {
        team.groups.tell(member.tid, &tasks.deque);
    }
}

/// `is_ahead` of `task/life.rs`.
fn is_ahead(team: &Team, member: &Member) -> bool {
    let tasks = &member.tasks;
    if tasks.nested.get() {
        return false;
    }
    if tasks.in_place.get() > 0 {
        tasks.in_place.set(tasks.in_place.get() - 1);
        return true;
    }
    if !tasks.deque.holds(ENOUGH, true) {
        return false;
    }
    tasks.in_place.set(ENOUGH as u32 / 2 / team.nthreads);
    true
}

fn execute(team: &Team, member: &Member, task: *const Task) {
    // SAFETY: the task comes from a queue, and blocks stay until the team goes.
    let task = unsafe { &*task };
    simulator::read_plain(&task.header);
    simulator::work(task.work.time);
    if task.work.generations > 1 {
        let work = Work { generations: task.work.generations - 1, ..task.work };
        (0..work.children).for_each(|_| create(team, member, work));
    }
    member.tasks.account.complete();
}

/// `find` of `task/schedule.rs`.
fn find(team: &Team, member: &Member, search: Search) -> Option<*const Task> {
    let deque = &member.tasks.deque;
    let own = deque.pop(false);
    if own.is_some() && deque.told_from.load(Ordering::Relaxed) > FEWEST && team.nthreads > GROUP {
        team.groups.restart(member.tid, team.nthreads, deque);
    }
    let task = own.or_else(|| steal(team, member, search))?;
    if !member.tasks.account.is_busy() {
        team.begin_tasks(member);
    }
    Some(task)
}

/// `steal` of `task/schedule.rs`.
fn steal(team: &Team, member: &Member, search: Search) -> Option<*const Task> {
    let attempt = Attempt {
        thief: &member.tasks.thief,
        groups: &team.groups,
        tid: member.tid,
        nthreads: team.nthreads,
        deque: |tid| &*team.members[tid as usize].tasks.deque,
        allowed: |_| true,
        mine: Some(&*member.tasks.deque),
    };
    let (task, before) = attempt.find(search)?;
    if before {
        team.barrier.event.call_one();
    }
    Some(task)
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

    fn help(&self, search: Search) -> bool {
        let task = find(self.team, self.member, search);
        if let Some(task) = task {
            execute(self.team, self.member, task);
        }
        task.is_some()
    }

    fn help_when_called(&self) -> bool {
        let Some(task) = find(self.team, self.member, Search::Everywhere) else { return false };
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
