//! A worker's side of fork and join: wait for the `go` word, take part, arrive, leave.

use super::{fork, hot};
use crate::barrier;
use crate::objects::current;
use crate::objects::go::{Go, Phase};
use crate::objects::structures::{Member, Team};
use crate::objects::switch;
use crate::signals;
use crate::team::forked;
use crate::team::{roots, worker};
use crate::thread::places;
use crate::thread::pool::{ARRIVED, ENDED, POOL, WORKERS};
use crate::thread::roster;
use crate::work::threadprivate;

use crate::model::atomic::Ordering;
use crate::objects::structures::Thread;
use crate::ompt;
use crate::task;
use crate::thread::pool;
use crate::thread::wait::{self, Spinner};
use crate::work;
use ::ompt::State;

/// Makes a new worker's descriptor whole before the tool hears of the thread: it belongs to the
/// slot's implicit task from here on.
pub fn settle(thread: &Thread, member: &Member) {
    thread.set_member(member);
    thread.set_task(&member.implicit);
}

/// Works in `member`'s team, region after region, until the team is given up.
pub fn serve(thread: &'static Thread, member: &'static Member) {
    let team = member.team();
    settle(thread, member);
    ompt::idle(thread);
    loop {
        let go = next(team, member);
        if go.phase() == Phase::Disband {
            if team.is_deserted() {
                forked::end_of_forked_worker();
            }
            hot::disband_children(member);
            pool::served(thread);
            // The last touch of the team; its primary waits for it.
            team.left.fetch_add(1, Ordering::Release);
            team.barrier.event.notify_all();
            return;
        }
        execute(thread, member, team, go);
    }
}

/// Waits for a region that `member` takes part in, or for the end of the team.
fn next(team: &Team, member: &Member) -> Go {
    loop {
        let seen = member.seen.get();
        wait::until_in(State::IDLE, &team.idle, || Go(team.signal.go.load(Ordering::Acquire)).epoch() != seen);
        // Read before the word: a call that comes after this look at the word must not be missed.
        let recall = member.recall.count.load(Ordering::Acquire);
        let go = Go(team.signal.go.load(Ordering::Acquire));
        member.seen.set(go.epoch());
        if member.tid < go.nthreads() {
            return go;
        }
        // In reserve: the others' regions are no business of this thread.
        wait::until_in(State::IDLE, &member.recall.event, || member.recall.count.load(Ordering::Acquire) != recall);
    }
}

/// Executes one region.
#[inline]
fn execute(thread: &'static Thread, member: &'static Member, team: &'static Team, go: Go) {
    let region = &team.region;
    let nthreads = go.nthreads();
    let form = region.form.get();
    let outlined = team.signal.outlined.get();
    let codeptr = team.tool.codeptr.get();
    // SAFETY: the task that encountered the construct is suspended until the region ends.
    let parent_task = unsafe { &*region.parent_task.get() };
    fork::enter(thread, member, parent_task, team);
    ompt::implicit_task_begin(thread, team, nthreads, member.tid);
    if let Some(preset) = region.preset.get() {
        work::start_preset(thread, preset);
    }
    // SAFETY: the door that made `outlined` vouches for its function and arguments, which stay in
    // place until the join.
    unsafe { (outlined.invoke)(&outlined, thread, member, member.implicit.tool.exit_frame_slot()) };
    member.implicit.tool.code_returned();
    let sync = ompt::SyncRegion::begin_leave(thread, team, codeptr);
    let epoch = member.epoch.get() + 1;
    member.epoch.set(epoch);
    team.barrier.arrive_at_join(form, &member.arrival, epoch, nthreads);
    // From here on only the `go` word tells whether the team may be touched.
    if leave(thread, member, team, go.epoch()) == Phase::LeaveTogether {
        team.barrier.arrive_at_join(form, &member.arrival, epoch + 1, nthreads);
    }
    sync.end(std::ptr::null_mut());
    ompt::implicit_task_end(thread, member.tid);
    member.implicit.finish_implicit();
    ompt::idle(thread);
    current::settle();
}

/// Waits until the region is over, helping with tasks as long as there may be some. Returns how it
/// ended: `Leave` also where the next region is there already.
fn leave(thread: &'static Thread, member: &Member, team: &Team, epoch: u64) -> Phase {
    let over = |go: Go| go.epoch() != epoch || go.phase() != Phase::Run;
    let mut spinner = Spinner::new();
    let mut helped = false;
    loop {
        let go = Go(team.signal.go.load(Ordering::Acquire));
        if go.epoch() != epoch {
            return Phase::Leave;
        }
        match go.phase() {
            Phase::Run => {
                wait::until_in(State::WAIT_BARRIER_IMPLICIT_PARALLEL, &team.idle, || {
                    over(Go(team.signal.go.load(Ordering::Acquire)))
                });
            }
            Phase::Tasks => {
                if task::help(thread) {
                    helped = true;
                    spinner.restart();
                    continue;
                }
                helped = helped && !tell_of_the_end(team, member);
                if spinner.pause() {
                    continue;
                }
                let event = &team.barrier.event;
                let ticket = event.prepare();
                let now = Go(team.signal.go.load(Ordering::Acquire));
                if now != go {
                    event.cancel(ticket);
                    continue;
                }
                if task::help(thread) {
                    event.cancel(ticket);
                    helped = true;
                    spinner.restart();
                    continue;
                }
                if helped && tell_of_the_end(team, member) {
                    event.cancel(ticket);
                    helped = false;
                    continue;
                }
                wait::sleep_in(State::WAIT_BARRIER_IMPLICIT_PARALLEL, event, ticket);
                // Another who completed a task after that look has told, or will.
                helped = false;
                if Go(team.signal.go.load(Ordering::Acquire)) == go && task::help_when_called(thread) {
                    helped = true;
                }
                spinner.restart();
            }
            phase => return phase,
        }
    }
}

/// A member that has executed tasks finds no more: if none is left at all, the others, the primary
/// among them, may be asleep. Returns whether it told them.
fn tell_of_the_end(team: &Team, member: &Member) -> bool {
    let over = barrier::no_task_is_left(team, member.epoch.get());
    if over {
        team.barrier.event.notify_all();
    }
    over
}

/// The first function of a worker.
pub(crate) extern "C" fn start(argument: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    // SAFETY: `spawn` passes a descriptor, and descriptors live for ever.
    let thread = unsafe { &*argument.cast::<Thread>() };
    let member = thread.idle.take_slot().expect("a worker starts with a slot");
    worker::settle(thread, member);
    // Last: from here on signal handlers find the descriptor, and must find it whole.
    current::set_current(Some(thread));
    thread.come_in();
    thread.acc.renew();
    places::settle_worker(thread);
    ompt::thread_begin(thread);
    let mut next = Some(member);
    while let Some(member) = next {
        worker::serve(thread, member);
        POOL.with(|pool| pool.push(thread));
        ARRIVED.notify_all();
        next = thread.idle.wait_for_slot();
    }
    threadprivate::thread_end(thread);
    if switch::active() {
        // Its last slot may be another worker's by now, and the tool may use OpenMP in its callback.
        let team = roots::stand_alone(thread);
        ompt::thread_end(thread);
        roots::stand_no_longer(thread, team);
    }
    // A handler would take a worker without a descriptor for a new root, and wait for the lock that this thread holds.
    let _held = signals::hold();
    current::set_current(None);
    thread.go_out();
    thread.tasks.release();
    roster::give_back(thread);
    // SAFETY: the call has no preconditions.
    ENDED.with(|ended| ended.push(unsafe { libc::pthread_self() }));
    WORKERS.fetch_sub(1, Ordering::Release);
    ARRIVED.notify_all();
    std::ptr::null_mut()
}
