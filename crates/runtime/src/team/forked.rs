//! The teams of a forked child. Only the thread that called `fork` exists there. So each region around the `fork` gets
//! a team of one in place of its own, and the child goes on in the region (OpenMP 5.1 says nothing of processes).
//!
//! Frames on the thread's stack still refer to the old teams. These stay as they are, but no wait in them lasts.

use super::hot;
use crate::model::atomic::Ordering;
use crate::objects::structures::{Member, Region, Team, Thread};
use crate::protocol::barrier::Form;
use crate::protocol::go::{Go, Phase};
use crate::stderr;
use std::cell::Cell;

/// Moves the calling thread, the only one of a forked child, out of all teams that it was in.
pub fn leave_behind(thread: &'static Thread) {
    // The current task stays what it is, but the headers that are ready for its children name its old team.
    thread.move_to(leave_teams_of(thread, thread.member()), thread.task());
}

/// Gives each region from `member`'s to the outermost a new team. Returns the thread's slot in the innermost one.
fn leave_teams_of(thread: &'static Thread, member: &'static Member) -> &'static Member {
    let mut around = Vec::new();
    let mut member = member;
    while let Some(parent) = member.team().parent() {
        let team = member.team();
        // The team of an initial task of a league lies in the team of the league's threads. The parent slot is that of
        // the thread that encountered the teams construct, not the league thread's slot.
        around.push((team, hot::existing_child(parent).filter(|_| team.region.level.get() == 0)));
        member = parent;
    }
    let initial = member.team();
    if let Some(outer) = initial.encountered_in() {
        // `member` is in a target region's initial task. The regions around that region get new teams, too.
        initial.encountered_in.set(leave_teams_of(thread, outer));
    }
    initial.forget_waiters();
    initial.busy.store(1, Ordering::Relaxed);
    member.child.set(std::ptr::null());
    for (old, league) in around.into_iter().rev() {
        if let Some(league) = league {
            desert(league, member);
        }
        member = replace(old, member, thread);
    }
    member
}

/// Makes a team of one for the region of `old`. `parent` is the new slot of the encountering thread. Returns the slot
/// in the new team.
fn replace(old: &'static Team, parent: &'static Member, thread: &'static Thread) -> &'static Member {
    let new = hot::team_of(Region {
        nthreads: Cell::new(1),
        active_level: Cell::new(parent.team().region.active_level.get()),
        parent: Cell::new(parent),
        form: Cell::new(Form::Flat),
        placed: Cell::new(None),
        preset: Cell::new(None),
        ..old.region.clone()
    });
    hot::reserve(new, 1);
    new.attached.set(1);
    new.signal.go.reset(Go::new(1, 1, Phase::Run));
    // SAFETY: both data words belong to live teams, and no other thread exists.
    unsafe { crate::ompt::several::copy(old.tool.data(), new.tool.data()) };
    new.tool.codeptr.set(old.tool.codeptr.get());
    new.tool.flags.set(old.tool.flags.get());
    let member = new.member(0);
    member.thread.set(thread);
    member.work.start(member.work.base());
    member.tasks.start();
    new.deserted.set(true);
    desert(old, parent);
    member
}

/// Marks `old` as deserted: no other thread of it exists. `parent` is the new slot of the encountering thread.
fn desert(old: &Team, parent: &Member) {
    // A wait for the old team's threads, in a frame further down this stack, ends when it sees the mark.
    old.deserted.set(true);
    old.region.parent.set(parent);
    old.region.nthreads.set(1);
    let epoch = old.signal.go.latest().epoch();
    let end = Go::new(epoch + 1, old.capacity.get(), Phase::Disband);
    old.signal.go.reset(end);
    // A worker may have forked, which looks at a copy.
    old.signal_copies(old.capacity.get()).for_each(|copy| copy.go.reset(end));
    old.forget_waiters();
}

impl Team {
    fn forget_waiters(&self) {
        self.barrier.event.forget_sleepers();
        self.waits.forget_sleepers();
        self.work.turns.forget_sleepers();
        self.idle.forget_sleepers();
    }
}

/// Ends a child that a worker forked inside a region, at the region's end: what follows is the primary thread's code,
/// and the child does not have that thread.
pub fn end_of_forked_worker() -> ! {
    // Handlers of `exit` cannot deadlock: no other thread exists that could hold a lock of the runtime.
    stderr::terminate(
        "ferromp: a process forked by a worker of a parallel region has come to the end of the region; the process ends there\n",
    )
}
