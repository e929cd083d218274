//! The barriers of a team, and the tasks that threads execute while they wait there (OpenMP 5.1 §2.19.2, §2.12.6).
//!
//! `team/README.md` has the protocol, `protocol/barrier.rs` the words, `protocol/meeting.rs` the wait loops.

use crate::objects::call::Caller;
use crate::objects::structures::{Member, Team, Thread};
use crate::ompt;
use crate::park::event::{Event, Ticket};
use crate::park::waiter::Waiter;
use crate::protocol::meeting::{Helper, Join, meet};
use crate::protocol::theft::Search;
use crate::task;
use crate::thread::wait::{self, InState, Spinner};
use ::ompt::State;

/// Executes a barrier of the current team: waits until all members have arrived and all tasks of the team are complete.
/// Always inlined: without tools the kind is not needed, and a call would compute it.
#[inline(always)]
pub fn barrier(thread: &'static Thread, kind: ::ompt::SyncRegion, call: impl Caller) {
    let member = thread.member();
    let team = member.team();
    let sync = ompt::SyncRegion::begin_at(thread, kind, call);
    if !sync.is_of_a_callback() {
        gather(thread, member, team);
    }
    sync.end(Some(team));
}

/// As [`barrier`], without events: arrives, and waits until all members have arrived and no task is left.
#[inline(always)]
pub(crate) fn gather(thread: &'static Thread, member: &Member, team: &Team) {
    if team.nthreads() == 1 && !team.has_tasks() {
        member.epoch.set(member.epoch.get() + 1);
    } else {
        gather_all(team, member, thread);
    }
}

/// As [`gather`], if there may be something to wait for. `thread` is the last parameter, so that the entry point need
/// not move its own arguments to other registers.
#[inline(never)]
fn gather_all(team: &Team, member: &Member, thread: &'static Thread) {
    let epoch = member.epoch.get() + 1;
    let nthreads = team.nthreads();
    if nthreads > 1 {
        team.barrier.arrive(team.region.form.get(), &member.arrival, epoch, nthreads);
    }
    let over = || {
        all_arrived(team, member, epoch)
            && (!team.has_tasks() || team.is_cancelled() || task::quiescent(member, team, epoch))
    };
    meet(&AtBarrier { thread, team, state: State::WAIT_BARRIER }, &team.barrier.event, over);
    member.epoch.set(epoch);
    if wait::oversubscribed() {
        wait::let_others_go_first(member);
    }
}

/// As [`gather`], for the primary thread at the end of the region.
#[inline(always)]
pub(crate) fn gather_at_join(thread: &'static Thread, member: &Member, team: &Team) {
    let epoch = member.epoch.get() + 1;
    let nthreads = team.nthreads();
    let over = || all_joined(team, member, epoch) && (!team.has_tasks() || task::quiescent_at_join(member, team));
    let helper = AtBarrier { thread, team, state: State::WAIT_BARRIER_IMPLICIT_PARALLEL };
    if nthreads == 1 {
        if team.has_tasks() {
            meet(&helper, &team.barrier.event, over);
        }
    } else {
        team.barrier.arrive_at_join(team.region.form.get(), &member.arrival, epoch, nthreads);
        meet(&helper, &team.barrier.event, over);
    }
    member.epoch.set(epoch);
}

/// Lets the workers leave a region that had tasks, and waits until each has confirmed that it looks for no more tasks.
/// The primary thread calls this after [`gather_at_join`].
#[cold]
pub(crate) fn leave_together(member: &Member, team: &Team) {
    let epoch = member.epoch.get() + 1;
    let join = Join {
        go: &team.signal.go,
        idle: &team.idle,
        barrier: &team.barrier,
        form: team.region.form.get(),
        nthreads: team.nthreads(),
    };
    let waiter = InState(State::WAIT_BARRIER_IMPLICIT_PARALLEL);
    let arrivals = || team.members().map(|member| &*member.arrival);
    let copies = team.signal_copies(team.nthreads()).map(|copy| &copy.go);
    join.leave_together(&waiter, &member.arrival, epoch, arrivals, copies);
    team.tasks.sums.clear(team.nthreads());
    member.epoch.set(epoch);
}

#[inline(always)]
fn all_arrived(team: &Team, member: &Member, epoch: u64) -> bool {
    let nthreads = team.nthreads();
    let arrivals = team.members().map(|member| &*member.arrival);
    nthreads == 1 || team.barrier.all_arrived(team.region.form.get(), &member.arrival, epoch, nthreads, arrivals)
}

#[inline(always)]
fn all_joined(team: &Team, member: &Member, epoch: u64) -> bool {
    let nthreads = team.nthreads();
    let arrivals = team.members().map(|member| &*member.arrival);
    nthreads == 1 || team.barrier.all_joined(team.region.form.get(), &member.arrival, epoch, 1, nthreads, arrivals)
}

/// How a member waits at a barrier of its team: it executes tasks if there are some, and sleeps otherwise. Debuggers
/// see `state` while it sleeps.
pub(crate) struct AtBarrier<'a> {
    pub thread: &'static Thread,
    pub team: &'a Team,
    pub state: State,
}

impl Waiter for AtBarrier<'_> {
    type Pace = Spinner;

    #[inline(always)]
    fn begin(&self) -> Spinner {
        Spinner::new()
    }

    #[inline(always)]
    fn pause(&self, pace: &mut Spinner) -> bool {
        pace.pause()
    }

    #[inline(always)]
    fn sleep(&self, event: &Event, ticket: Ticket) {
        wait::sleep_in(self.state, event, ticket);
    }
}

impl Helper for AtBarrier<'_> {
    #[inline(always)]
    fn has_tasks(&self) -> bool {
        self.team.has_tasks()
    }

    #[inline(always)]
    fn help(&self, search: Search) -> bool {
        task::help(self.thread, search)
    }

    #[inline(always)]
    fn help_when_called(&self) -> bool {
        task::help_when_called(self.thread)
    }

    #[inline(always)]
    fn leave(&self) {
        task::leave(self.thread);
    }

    #[inline(always)]
    fn is_deserted(&self) -> bool {
        self.team.deserted.get()
    }
}
