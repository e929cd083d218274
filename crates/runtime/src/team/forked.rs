//! What becomes of teams in a forked child, where their other threads do not exist: each region around the `fork` is
//! left with a team of one, the thread that forked, so that the child can go on in it (OpenMP 5.1 says nothing of
//! processes).
//!
//! The old teams stay as they are for whoever on the thread's stack still refers to them, but nobody waits in one.

use super::hot;
use crate::model::atomic::Ordering;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Team};
use crate::protocol::barrier::Form;
use crate::protocol::go::{Go, Phase};
use crate::stderr;

/// In a forked child: takes the calling thread out of the teams that it was in, innermost to outermost.
pub fn leave_behind(thread: &'static Thread) {
    thread.set_member(leave_teams_of(thread, thread.member()));
}

/// Takes the thread out of the teams that it was in up to its slot `member`. Returns its slot in their place.
fn leave_teams_of(thread: &'static Thread, member: &'static Member) -> &'static Member {
    let mut around = Vec::new();
    let mut member = member;
    while let Some(parent) = member.team().parent() {
        around.push((member.team(), league_around(member.team(), parent)));
        member = parent;
    }
    let initial = member.team();
    if let Some(outer) = initial.encountered_in() {
        // A target region's initial task: the regions around that go on as well.
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

/// The team of the league that `team` is one of, if it is: a league's initial teams have the slot for their parent that
/// encountered the construct.
fn league_around(team: &Team, parent: &Member) -> Option<&'static Team> {
    // SAFETY: null or a team, and teams live for ever.
    unsafe { parent.child.get().as_ref() }.filter(|_| team.region.level.get() == 0)
}

/// Makes a team of one for the region of `old`, whose encountering thread has the slot `parent` now.
fn replace(old: &'static Team, parent: &'static Member, thread: &'static Thread) -> &'static Member {
    let new = hot::new_team();
    hot::reserve(new, 1);
    let (region, was) = (&new.region, &old.region);
    region.nthreads.set(1);
    region.level.set(was.level.get());
    region.active_level.set(parent.team().region.active_level.get());
    region.icvs.set(was.icvs.get());
    region.parent.set(parent);
    region.parent_task.set(was.parent_task.get());
    region.form.set(Form::Flat);
    region.affinity.set(was.affinity.get());
    region.root.set(was.root.get());
    region.team_num.set(was.team_num.get());
    region.num_teams.set(was.num_teams.get());
    new.attached.set(1);
    new.signal.go.reset(Go::new(1, 1, Phase::Run));
    // SAFETY: the words belong to these teams, and the calling thread is the only one.
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

/// Nobody but the calling thread is left in `old`, whose encountering thread has the slot `parent` now.
fn desert(old: &Team, parent: &Member) {
    // Whoever still waits for the old team's threads, below us on the stack, finds that none is left.
    old.deserted.set(true);
    old.region.parent.set(parent);
    old.region.nthreads.set(1);
    let epoch = old.signal.go.latest().epoch();
    old.signal.go.reset(Go::new(epoch + 1, old.capacity.get(), Phase::Disband));
    old.forget_waiters();
}

impl Team {
    /// Whether threads that were in this region, or had tasks of it, are not there because the process was forked: then
    /// nobody but the calling thread can bring about what it waits for.
    #[inline]
    pub fn is_deserted(&self) -> bool {
        self.deserted.get()
    }

    fn forget_waiters(&self) {
        self.barrier.event.forget_sleepers();
        self.waits.forget_sleepers();
        self.work.turns.forget_sleepers();
        self.idle.forget_sleepers();
    }
}

/// The end of a child that a worker forked inside a region: the region is over, and the code behind it is the primary
/// thread's, which the child does not have.
pub fn end_of_forked_worker() -> ! {
    stderr::write_stderr(
        "ferromp: a process forked by a worker of a parallel region has come to the end of the region; the process ends there\n",
    );
    // SAFETY: no thread of the runtime holds anything that a handler could wait for.
    unsafe { libc::exit(1) }
}
