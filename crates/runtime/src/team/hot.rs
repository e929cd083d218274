//! Hot teams: making teams and giving them up. A repeated region needs none of this.
//!
//! A thread keeps the team that it forked last, with its workers, below its slot ([`Member`]'s `child`). The team goes
//! when its thread leaves the slot, or when the settings keep no team at this nesting level.

use crate::icv;
use crate::model::Padded;
use crate::model::atomic::AtomicU32;
use crate::objects::gaps::Gaps;
use crate::objects::phases::Phases;
use crate::objects::structures::{
    Member, Outlined, ParallelTool, Region, Signal, Task, TaskMember, TaskTeam, Team, Thread,
};
use crate::objects::task::flag;
use crate::objects::work::{WorkMember, WorkTeam};
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::place::{Affinity, Partition, near};
use crate::protocol::barrier::{Arrival, Barrier, Form};
use crate::protocol::go::{Departed, Go, Phase, Recall};
use crate::thread::wait;
use crate::thread::wait::InState;
use crate::work::cancel;
use ::ompt::State;
use std::cell::Cell;

/// A team without members.
pub fn new_team() -> &'static Team {
    team_of(Region {
        nthreads: Cell::new(0),
        level: Cell::new(0),
        active_level: Cell::new(0),
        icvs: Cell::new(icv::initial()),
        parent: Cell::new(std::ptr::null()),
        parent_task: Cell::new(std::ptr::null()),
        form: Cell::new(Form::Flat),
        affinity: Cell::new(Affinity::of_process()),
        placed: Cell::new(None),
        preset: Cell::new(None),
        root: Cell::new(std::ptr::null()),
        team_num: Cell::new(0),
        num_teams: Cell::new(1),
        known_merges: Cell::new(0),
    })
}

/// A team without members, for this region.
pub(super) fn team_of(region: Region) -> &'static Team {
    Box::leak(Box::new(Team {
        region,
        encountered_in: Cell::new(std::ptr::null()),
        attached: Cell::new(0),
        announced: Cell::new(0),
        members: Cell::new(std::ptr::null()),
        capacity: Cell::new(0),
        busy: AtomicU32::new(1),
        left: Departed::default(),
        deserted: Cell::new(false),
        tool: ParallelTool::default(),
        signal: Padded(Signal::new()),
        idle: Padded(Event::new()),
        barrier: Barrier::default(),
        waits: Padded(Event::new()),
        work: WorkTeam::default(),
        tasks: TaskTeam::default(),
    }))
}

/// Teams of initial tasks that are over.
static SPARE: Mutex<Vec<&'static Team>> = Mutex::new(Vec::new());

/// A team for an initial task: one from the list of [`give_back`], or a new one.
pub fn take_spare() -> &'static Team {
    SPARE.with(Vec::pop).unwrap_or_else(new_team)
}

/// Keeps the team of an initial task that is over for the next one. The task's descendants are complete.
pub fn give_back(team: &'static Team) {
    SPARE.with(|spare| spare.push(team));
}

/// In a forked child the list starts anew: a thread that is gone may have been changing it.
pub fn after_fork() {
    SPARE.renew_after_fork();
}

fn new_member(team: &Team, tid: u32) -> &'static Member {
    let member = Member {
        team,
        tid,
        domain: near::Domain::default(),
        thread: Cell::new(std::ptr::null()),
        epoch: Cell::new(0),
        seen: Cell::new(0),
        child: Cell::new(std::ptr::null()),
        place: Cell::new(-1),
        phases: Phases::default(),
        gaps: Gaps::default(),
        partition: Cell::new(Partition::all()),
        work: WorkMember::default(),
        implicit: Task::new_implicit(),
        arrival: Padded(Arrival::new(tid)),
        signal: Padded(Signal::new()),
        offer: Padded::default(),
        partners: Padded::default(),
        recall: Padded(Recall::default()),
        tasks: TaskMember::default(),
    };
    // The slot of the primary thread, which makes the team, is where that thread is.
    if tid == 0 { Box::leak(Box::new(member)) } else { near::leak(tid, member) }
}

/// Makes `team` the team of `thread`'s initial task, with that thread as its only member.
pub fn make_initial(team: &'static Team, thread: &'static Thread) {
    reserve(team, 1);
    let region = &team.region;
    region.nthreads.set(1);
    region.level.set(0);
    region.active_level.set(0);
    region.form.set(Form::Flat);
    region.root.set(team);
    team.attached.set(1);
    team.tool.reset();
    team.signal.outlined.set(Outlined::NOTHING);
    team.signal.go.reset(Go::new(0, 1, Phase::Run));
    let member = team.member(0);
    member.thread.set(thread);
    member.work.start(member.work.base());
    member.tasks.start();
    member.implicit.begin_implicit(None, icv::initial(), flag::INITIAL | cancel::task_flag());
    thread.move_to(member, &member.implicit);
}

/// Makes slots until `team` has `count` of them. The primary thread calls this between regions.
pub(super) fn reserve(team: &Team, count: u32) {
    let have = team.capacity.get();
    if count <= have {
        return;
    }
    let capacity = count.next_power_of_two();
    let slots =
        (0..capacity).map(|tid| std::ptr::from_ref(if tid < have { team.member(tid) } else { new_member(team, tid) }));
    // The old array is not freed: another thread may still be reading it. Something has to point to it, or
    // LeakSanitizer would complain to the program.
    let old = team.members.get().cast();
    let slots: Vec<*const Member> = slots.chain([old]).collect();
    team.members.set(Vec::leak(slots).as_ptr());
    team.capacity.set(capacity);
    team.barrier.reserve(capacity);
    team.tasks.sums.reserve(capacity);
    team.tasks.groups.reserve(capacity);
    team.work.ring.reserve(capacity);
}

/// The team that `member`'s thread has forked from this slot, if it has.
#[inline(always)]
pub(super) fn existing_child(member: &Member) -> Option<&'static Team> {
    // SAFETY: the field is null or points to a team, and teams are never freed.
    unsafe { member.child.get().as_ref() }
}

/// The team whose primary thread `member`'s thread becomes when it forks.
#[inline(always)]
pub fn child(member: &Member) -> &'static Team {
    existing_child(member).unwrap_or_else(|| first_child(member))
}

#[cold]
fn first_child(member: &Member) -> &'static Team {
    let team = new_team();
    member.child.set(team);
    team
}

/// Gives up the teams below `member`: their workers go back to the pool. `member`'s thread calls this outside all
/// regions of these teams.
pub fn disband_children(member: &Member) {
    let Some(team) = existing_child(member) else { return };
    let attached = team.attached.get();
    if attached == 0 {
        return;
    }
    disband_children(team.member(0));
    team.left.reset();
    let copies = team.signal_copies(attached).map(|copy| &copy.go);
    team.signal.go.disband(&team.idle, attached, |tid| &team.member(tid).recall, copies);
    team.left.wait(&InState(State::OVERHEAD), &team.barrier.event, attached - 1);
    wait::attach(1 - attached as i32);
    team.attached.set(0);
    team.announced.set(0);
    team.region.nthreads.set(0);
    team.region.placed.set(None);
}
