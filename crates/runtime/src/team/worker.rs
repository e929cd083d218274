//! The workers' side of fork and join (OpenMP 5.1 §2.6): getting workers for a team, and a worker's life.
//!
//! A worker has a slot of a team, or is idle in the pool (`thread/pool.rs`). With a slot, it repeats these steps
//! ([`serve`]): it waits for a region in which it takes part, executes its implicit task ([`execute`]), arrives at the
//! join, and helps with tasks until the region is over. `README.md` has the protocol.

use super::enter::enter;
use super::{forked, hot};
use crate::barrier::AtBarrier;
use crate::objects::structures::{Member, Signal, Team, Thread};
use crate::objects::{current, switch};
use crate::park::event::{Event, Ticket};
use crate::park::waiter::Waiter;
use crate::place::{self, near};
use crate::protocol::go::{Go, Phase};
use crate::protocol::meeting::{Helper, Join};
use crate::protocol::theft::Search;
use crate::task;
use crate::thread::gaps::BetweenRegions;
use crate::thread::pool::{self, ENDED, WORKERS};
use crate::thread::roster;
use crate::thread::wait::{self, InState, Spinner};
use crate::work::{self, threadprivate};
use crate::{ompt, signals};
use ::ompt::State;
use std::ffi::c_void;

/// Fills slots of `team` until `wanted` threads are attached, including the primary thread. There are fewer if the pool
/// is empty and no thread can be created. Returns how many threads the next region has, at most `wanted`. The primary
/// thread calls this between regions.
#[cold]
pub fn grow(team: &'static Team, primary: &'static Thread, wanted: u32) -> u32 {
    if team.attached.get() == 0 {
        hot::reserve(team, 1);
        team.member(0).thread.set(primary);
        team.attached.set(1);
    }
    let epoch = team.signal.go.latest().epoch();
    for tid in team.attached.get()..wanted {
        // One slot at a time: a program may ask for many more threads than can be created.
        hot::reserve(team, tid + 1);
        // The new worker must take the team's last region for one that it has seen, or it would execute that region.
        team.member(tid).seen.set(epoch);
        if tid.is_multiple_of(Signal::READERS) {
            // No worker looks at the copy yet. It may hold the end of an earlier team.
            team.member(tid).signal.go.reset(team.signal.go.latest());
        }
        if !pool::assign(team.member(tid), primary.device(), start) {
            break;
        }
        wait::attach(1);
        team.attached.set(tid + 1);
    }
    team.attached.get().min(wanted)
}

/// Executes regions of `member`'s team until the team is given up.
fn serve(thread: &'static Thread, member: &'static Member) {
    let team = member.team();
    let signal = team.signal_of(member.tid);
    near::bring(member, &member.domain);
    thread.move_to(member, &member.implicit);
    ompt::idle(thread);
    loop {
        let waiter = BetweenRegions { gaps: &member.gaps, state: State::IDLE, idle: &team.idle };
        let go = signal.go.next(&waiter, &team.idle, &member.recall, member.tid, &member.seen);
        waiter.over();
        if go.phase() == Phase::Disband {
            if team.deserted.get() {
                forked::end_of_forked_worker();
            }
            hot::disband_children(member);
            pool::WORKERS.leave_team(&thread.idle);
            // The primary thread waits for this. The worker touches nothing of the team afterwards.
            team.left.leave(&team.barrier.event);
            return;
        }
        execute(thread, member, team, signal, go);
    }
}

/// Executes the worker's part of one region, `go`, from its begin to the end of the join.
#[inline]
fn execute(thread: &'static Thread, member: &'static Member, team: &'static Team, signal: &'static Signal, go: Go) {
    let region = &team.region;
    let nthreads = go.nthreads();
    // The join's words are read now: after the worker's arrival the primary thread may describe the next region.
    let join = Join { go: &signal.go, idle: &team.idle, barrier: &team.barrier, form: region.form.get(), nthreads };
    let outlined = signal.outlined.get();
    let codeptr = team.tool.codeptr.get();
    // SAFETY: the task that encountered the construct is suspended until the region ends, so it is alive.
    let parent_task = unsafe { &*region.parent_task.get() };
    enter(thread, member, parent_task, team, signal);
    ompt::implicit_task_begin(thread, team, nthreads, member.tid);
    if let Some(preset) = region.preset.get() {
        work::start_preset(thread, preset);
    }
    // SAFETY: `outlined` comes from an entry point, whose caller passes a function and the arguments that it takes. The
    // arguments stay in place until the join.
    unsafe { (outlined.invoke)(&outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    member.implicit.tool.code_returned();
    let sync = ompt::SyncRegion::begin_leave(thread, team, codeptr);
    let epoch = member.epoch.get() + 1;
    member.epoch.set(epoch);
    let state = State::WAIT_BARRIER_IMPLICIT_PARALLEL;
    let helper = AtJoin {
        barrier: AtBarrier { thread, team, state },
        gap: BetweenRegions { gaps: &member.gaps, state, idle: &team.idle },
    };
    join.pass(&helper, &member.arrival, epoch, go.epoch(), || task::finds_end_at_join(member, team, epoch));
    sync.end(None);
    ompt::implicit_task_end(thread, member.tid);
    member.implicit.finish_implicit();
    ompt::idle(thread);
    current::note_no_tool();
}

/// How a worker waits at the join: as at a barrier, and where there are no tasks, as between regions. The region is
/// over for the worker when the next one begins.
struct AtJoin<'a> {
    barrier: AtBarrier<'a>,
    gap: BetweenRegions<'a>,
}

impl Waiter for AtJoin<'_> {
    type Pace = Spinner;

    #[inline(always)]
    fn begin(&self) -> Spinner {
        self.gap.begin()
    }

    #[inline(always)]
    fn pause(&self, pace: &mut Spinner) -> bool {
        self.gap.pause(pace)
    }

    #[inline(always)]
    fn sleep(&self, event: &Event, ticket: Ticket) {
        self.gap.sleep(event, ticket);
    }
}

impl Helper for AtJoin<'_> {
    #[inline(always)]
    fn has_tasks(&self) -> bool {
        self.barrier.has_tasks()
    }

    #[inline(always)]
    fn help(&self, search: Search) -> bool {
        self.barrier.help(search)
    }

    #[inline(always)]
    fn help_when_called(&self) -> bool {
        self.barrier.help_when_called()
    }

    #[inline(always)]
    fn leave(&self) {
        self.barrier.leave();
    }

    #[inline(always)]
    fn is_deserted(&self) -> bool {
        self.barrier.is_deserted()
    }
}

/// The slot that the pool has given a worker; none if the worker is to end.
fn slot(pointer: *mut Member) -> Option<&'static Member> {
    // SAFETY: the pointer is null or points to a slot, and slots are never freed.
    unsafe { pointer.as_ref() }
}

/// A worker's life: the first function of its thread.
extern "C" fn start(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `pool::assign` passes a descriptor, and descriptors are never freed.
    let thread = unsafe { &*argument.cast::<Thread>() };
    let member = slot(thread.idle.take_slot()).expect("a worker starts with a slot");
    thread.move_to(member, &member.implicit);
    // Signal handlers find the descriptor from here on, so its slot and task had to be set before.
    current::set_current(Some(thread));
    thread.set_os_thread();
    thread.acc.renew();
    place::settle_worker(&thread.place);
    near::bring(thread, &thread.domain);
    ompt::thread_begin(thread);
    let mut next = Some(member);
    while let Some(member) = next {
        serve(thread, member);
        WORKERS.come(thread);
        next = slot(thread.idle.wait_for_slot(&InState(State::IDLE)));
    }
    threadprivate::thread_end(thread);
    if switch::active() {
        // The tool may use OpenMP in its callback, which needs a slot, and the worker's last slot may be another
        // worker's by now.
        let team = hot::take_spare();
        hot::make_initial(team, thread);
        ompt::thread_end(thread);
        hot::disband_children(thread.member());
        hot::give_back(team);
    }
    // Without signals: a handler would make this thread, which has no descriptor any more, a root. That would wait for
    // the lock that `give_back` holds.
    let _held = signals::hold();
    current::set_current(None);
    thread.clear_os_thread();
    thread.tasks.release();
    roster::give_back(thread);
    // SAFETY: the call has no preconditions.
    ENDED.with(|ended| ended.push(unsafe { libc::pthread_self() }));
    WORKERS.end();
    std::ptr::null_mut()
}
