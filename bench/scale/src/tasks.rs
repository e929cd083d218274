//! Tasks as a team's members create, find and execute them. Stands for `task/create.rs`, `task/schedule.rs` and the
//! helpers of `task/wait.rs` in `crates/runtime/src`.

use crate::task::{Task, Work};
use crate::team::{Member, Team};
use crate::waiting::{Pace, Patience};
use ferromp_ground::model;
use ferromp_ground::model::atomic::Ordering;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::Waiter;
use ferromp_ground::protocol::children::Completion;
use ferromp_ground::protocol::lifeline;
use ferromp_ground::protocol::meeting::Helper;
use ferromp_ground::protocol::quiescence::GROUP;
use ferromp_ground::protocol::theft::{Attempt, FEWEST, Search};
use ferromp_simulator as simulator;

/// A member at a barrier of a region with tasks: `AtBarrier` of `barrier.rs`.
pub struct AtBarrier<'a> {
    pub team: &'a Team,
    pub member: &'a Member,
}

/// How many tasks of one member may wait, as `ENOUGH`.
const ENOUGH: usize = 256;
/// With so many tasks a member gives none away, as `KEPT`.
const KEPT: usize = 16;
/// How deep tasks nest that a member executes because its queue is full, as `NESTED`.
const NESTED: u32 = 16;

/// As in `task/headers.rs`.
const MOST_ASIDE: usize = 8;

/// Creates a deferred task: `fill`, `launch` and `count` of `task/create.rs`.
pub fn create(team: &Team, member: &Member, work: Work) {
    let tasks = &member.tasks;
    // SAFETY: the current task is executed, so its block is among those that stay until the team goes.
    let parent = unsafe { tasks.current.get().as_ref() }.unwrap_or(&tasks.implicit);
    let task = tasks.blocks.take(Task::new(parent, work, member.tid));
    if parent.executor.load(Ordering::Relaxed) != name(member) {
        parent.executor.store(name(member), Ordering::Relaxed);
    }
    simulator::write_plain(parent.second_line());
    parent.generated.generate();
    if !tasks.account.is_busy() {
        team.begin_tasks(member);
    }
    tasks.account.create();
    if tasks.deque.holds(ENOUGH, false) && is_ahead(team, member) {
        let nested = tasks.nested.replace(tasks.nested.get() + 1);
        execute(team, member, task);
        tasks.nested.set(nested);
        return;
    }
    if team.nthreads > GROUP && hand_over(team, member, task) {
        return;
    }
    publish_here(team, member, task);
}

/// As in `task/life.rs`.
fn hand_over(team: &Team, member: &Member, task: *const Task) -> bool {
    let deque = &member.tasks.deque;
    // An implicit task gives none away.
    !member.tasks.current.get().is_null()
        && deque.holds(1, true)
        && !deque.holds(KEPT, false)
        && lifeline::offer(member.tid, team.nthreads, task, |tid| &*team.members[tid as usize].tasks.lifeline)
}

/// As in `task/life.rs`.
fn publish_here(team: &Team, member: &Member, task: *const Task) {
    let tasks = &member.tasks;
    let length = tasks.deque.push(task, false) + 1;
    if length <= 1 {
        team.barrier.event.call_one();
    } else if length == tasks.deque.told_from.load(Ordering::Relaxed) {
        team.groups.tell(member.tid, &tasks.deque);
    }
}

/// The member as a task's executor.
fn name(member: &Member) -> u64 {
    u64::from(member.tid) + 1
}

/// `is_ahead` of `task/life.rs`.
fn is_ahead(team: &Team, member: &Member) -> bool {
    let tasks = &member.tasks;
    if tasks.nested.get() >= NESTED {
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
    // The task's flags and its function: neither look depends on the other.
    let words = [std::ptr::from_ref(&task.parent).cast::<u64>(), &task.body[0]];
    // SAFETY: both words are the task's.
    model::look_at_all(words.iter().map(|&word| unsafe { &*word }), |_| ()).for_each(drop);
    let outer = member.tasks.current.replace(task);
    simulator::work(task.work.time);
    if task.work.generations > 1 {
        let work = Work { generations: task.work.generations - 1, ..task.work };
        (0..work.children).for_each(|_| create(team, member, work));
    }
    member.tasks.current.set(outer);
    complete(team, member, task);
}

/// `complete` of `task/life.rs`.
fn complete(team: &Team, member: &Member, task: &Task) {
    // SAFETY: blocks stay until the team goes, as implicit tasks do, and an explicit task has a parent.
    let parent = unsafe { &*task.parent };
    simulator::read_plain(task.second_line());
    let whole = task.generated.are_none() || {
        task.executor.store(0, Ordering::Relaxed);
        task.generated.hand_over(&parent.generated)
    };
    if parent.executor.load(Ordering::Relaxed) == name(member) {
        simulator::write_plain(parent.second_line());
        parent.generated.complete_here();
    } else if parent.generated.complete_elsewhere() == Completion::Last {
        last_child(team, member, parent);
    }
    if whole {
        team.give(member, task);
    }
    member.tasks.account.complete();
}

/// `last_child` of `task/headers.rs`.
fn last_child(team: &Team, member: &Member, task: &Task) {
    if !task.generated.seal() {
        return;
    }
    if team.nthreads <= GROUP {
        return team.free(member, task);
    }
    if member.tasks.blocks.set_aside(task) == MOST_ASIDE {
        team.free_those_aside(member);
    }
}

/// `find` of `task/schedule.rs`.
fn find(team: &Team, member: &Member, search: Search) -> Option<*const Task> {
    let deque = &member.tasks.deque;
    let own = deque.pop(false);
    if own.is_some() && deque.told_from.load(Ordering::Relaxed) > FEWEST && team.nthreads > GROUP {
        team.groups.restart(member.tid, team.nthreads, deque);
    }
    let task = own.or_else(|| steal(team, member, search))?;
    stop_waiting(team, member);
    if !member.tasks.account.is_busy() {
        team.begin_tasks(member);
    }
    Some(task)
}

/// `stop_waiting` of `task/schedule.rs`.
fn stop_waiting(team: &Team, member: &Member) {
    if let Some(late) = member.tasks.thief.close(&member.tasks.lifeline) {
        publish_here(team, member, late);
    }
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
        lifeline: &member.tasks.lifeline,
        may_wait: team.nthreads > GROUP,
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

    fn leave(&self) {
        stop_waiting(self.team, self.member);
    }

    fn is_deserted(&self) -> bool {
        false
    }
}

/// The patience of regions with tasks, for `Team::play`.
pub const PATIENCE: Patience = Patience::Awake;
