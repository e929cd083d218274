//! Reductions that the program leaves to the runtime to combine (OpenMP 5.1 §2.21.5).
//!
//! There are four methods. Atomic: each thread adds its values with atomic operations. Critical: each thread adds its
//! values under a lock. Tree: threads merge their partial results in the order in which they come, and one thread adds
//! the sum; `README.md` describes it. Pairs: as Tree, but with the same pairs each time, for large teams, and for users
//! who want results that do not vary from run to run.

use super::merges::{self, Adding, Merge};
use super::slot;
use crate::barrier;
use crate::icv::{self, Reduction};
use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::structures::{Member, Team, Thread};
use crate::objects::switch;
use crate::objects::work::UnderLock;
use crate::ompd::threads;
use crate::ompt;
use crate::protocol::barrier::Form;
use crate::protocol::partial::{self, Offer, Pairs, Partial};
use crate::sync::critical;
use crate::thread::wait;
use ::ompt::SyncRegion;
use std::ffi::c_void;

/// The most variables for which an atomic operation each is faster than meeting in one place: with 16 threads on 16
/// CPUs one variable takes less than half the time. Arrays count as one variable; `merges.rs` tells them from scalars.
const ATOMIC_LIMIT: u32 = 3;
/// The largest team in which a critical region a thread is no slower than meeting in pairs, and atomic operations are
/// not for any number of variables.
const CRITICAL_LIMIT: u32 = 4;
const MANY_ATOMICS_LIMIT: u32 = 8;
/// The smallest team that merges in fixed pairs, if its members have a CPU each. On simulated machines with 64 and 192
/// cores that takes a fifth and a tenth of the time of an atomic addition a thread.
const PAIRS_FROM: u32 = 24;

/// What a program passes for a reduction.
#[derive(Clone, Copy)]
pub struct Request {
    /// The thread's own values.
    pub data: *mut c_void,
    /// How to merge them with another thread's.
    pub merge: Option<Merge>,
    /// How many variables the thread's values belong to.
    pub variables: u32,
    /// Whether the program has code for the atomic method.
    pub atomic: bool,
    /// The lock of the critical method.
    pub lock: *mut u32,
    /// Whether the program calls [`end`] after the atomic method, too.
    pub ends: bool,
}

/// What the thread does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Add its values to the result, then call [`end`].
    Combine,
    /// Add them atomically.
    CombineAtomically,
    /// Nothing: another thread has taken its values.
    Done,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Alone,
    Atomic,
    Critical,
    /// As `Critical`, and the time is taken.
    Timed,
    /// Partial results meet in the order in which threads come.
    Tree,
    /// In fixed pairs.
    Pairs,
}

/// Chooses the method by what is the same for all members of the team, since all must choose the same one. If regions
/// may be cancelled, no thread waits for another one's values: the other might never come.
#[inline(always)]
fn method(member: &Member, request: &Request) -> Method {
    let team = member.team();
    match team.nthreads() {
        1 if team.is_of_league() => method_in_league(request),
        1 => Method::Alone,
        nthreads => method_of_several(member, request, nthreads),
    }
}

/// The teams of a league reduce into the same variable, perhaps at different times.
#[cold]
fn method_in_league(request: &Request) -> Method {
    if request.atomic { Method::Atomic } else { Method::Critical }
}

#[inline(never)]
fn method_of_several(member: &Member, request: &Request, nthreads: u32) -> Method {
    let tree = request.merge.is_some() && !request.data.is_null() && !switch::enabled();
    let wanted = icv::settings().reduction;
    if wanted != Reduction::Any {
        match wanted {
            Reduction::Ordered if tree => Method::Pairs,
            Reduction::Atomic if request.atomic => Method::Atomic,
            _ => Method::Critical,
        }
    } else if tree && nthreads >= PAIRS_FROM && member.team().region.form.get() == Form::Grouped {
        Method::Pairs
    } else if request.atomic && (request.variables <= ATOMIC_LIMIT || nthreads <= MANY_ATOMICS_LIMIT || !tree) {
        let known = member.team().region.known_merges.get();
        match request.merge.map_or(Adding::Atomic, |merge| merges::adding(known, merge, member.tid)) {
            Adding::Atomic => Method::Atomic,
            Adding::Timed => Method::Timed,
            Adding::Long if nthreads <= CRITICAL_LIMIT || !tree => Method::Critical,
            Adding::Long => by_merging(member),
        }
    } else if nthreads <= CRITICAL_LIMIT || !tree {
        Method::Critical
    } else {
        by_merging(member)
    }
}

/// How members who have a CPU each, or not, merge their results.
fn by_merging(member: &Member) -> Method {
    if member.team().region.form.get() == Form::Grouped { Method::Pairs } else { Method::Tree }
}

/// Begins a reduction.
///
/// # Safety
/// The values of the request are valid until the region's end, the lock and the function belong to the values, and all
/// members of the team make the same request.
pub unsafe fn begin(thread: &Thread, request: &Request, call: impl Caller) -> Role {
    let member = thread.member();
    let codeptr = call.codeptr();
    let method = method(member, request);
    match method {
        Method::Atomic => {
            match request.ends {
                true => ompt::reduction_begin(thread, codeptr),
                false => ompt::reduction_without_end(thread, codeptr),
            }
            return Role::CombineAtomically;
        }
        // SAFETY: the caller's request.
        Method::Tree | Method::Pairs if !unsafe { merge(thread, request, codeptr, method) } => return Role::Done,
        _ => {}
    }
    ompt::reduction_begin(thread, codeptr);
    if matches!(method, Method::Critical | Method::Timed) {
        // Before the thread has the lock: a child that another thread forks opens the lock.
        thread.reduces_under.store(request.lock, Ordering::Relaxed);
        // SAFETY: the caller's request has the lock.
        unsafe { critical::enter_unreported(request.lock) };
        let timed = request.merge.filter(|_| method == Method::Timed);
        member.work.under_lock.set(Some(timed.map_or(UnderLock::Untimed, merges::begin)));
    }
    Role::Combine
}

/// Ends a reduction for which [`begin`] returned [`Role::Combine`]: the thread has added its values.
///
/// # Safety
/// As for [`begin`]; `lock` is the same.
pub unsafe fn end(thread: &Thread, lock: *mut u32, call: impl Caller) {
    let member = thread.member();
    if member.work.under_lock.get().is_some() {
        if let Some(UnderLock::Timed(entry, since)) = member.work.under_lock.take() {
            merges::end(entry, since);
        }
        // SAFETY: the caller's `lock`, which `begin` has taken.
        unsafe { critical::leave_unreported(lock) };
        thread.reduces_under.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
    ompt::reduction_end(thread, call.codeptr());
}

/// Opens the locks of reductions in a forked child, where the threads that had them do not exist. The program has not
/// asked for these locks, so the program cannot keep them free at a `fork`.
pub fn after_fork() {
    let forking = current::try_current();
    let others = threads::all().filter(|thread| forking.is_none_or(|forking| !std::ptr::eq(forking, *thread)));
    for thread in others {
        let lock = thread.reduces_under.swap(std::ptr::null_mut(), Ordering::Relaxed);
        if !lock.is_null() {
            // SAFETY: the lock is the program's, which keeps the lock at least until the reduction ends. Here the
            // reduction has not ended, and no thread uses the lock.
            unsafe { critical::open(lock) };
        }
    }
}

/// Waits until the result has the values of all threads, for reductions without `nowait`.
pub fn wait_for_all(thread: &'static Thread, call: impl Caller) {
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
}

/// Merges partial results until another thread has taken this thread's (false), or until this thread has those of all
/// (true).
///
/// # Safety
/// As for [`begin`].
unsafe fn merge(thread: &Thread, request: &Request, codeptr: *const c_void, method: Method) -> bool {
    let Some(merge) = request.merge else { return true };
    let member = thread.member();
    let team = member.team();
    let nthreads = team.nthreads();
    let pairs = TeamPairs { thread, member, team, merge, codeptr };
    let mut mine = Partial::new(request.data);
    if method == Method::Pairs {
        return partial::meet_in_pairs(&mut mine, member.tid, nthreads, &pairs);
    }
    let Some((number, slot)) = slot::take(member) else { return true };
    let take = |mine: &mut Partial, other| {
        pairs.merge(mine, other);
        team.waits.notify_all();
    };
    let has_all = slot.pending.meet(&mut mine, nthreads, take, |mine| wait::until(&team.waits, || mine.is_taken()));
    slot::leave(member, number, nthreads);
    has_all
}

/// The members of a team, who merge partial results.
struct TeamPairs<'a> {
    thread: &'a Thread,
    member: &'a Member,
    team: &'a Team,
    merge: Merge,
    codeptr: *const c_void,
}

impl Pairs for TeamPairs<'_> {
    fn offer(&self, tid: u32) -> &Offer {
        &self.team.member(tid).offer
    }

    fn merge(&self, mine: &mut Partial, other: *const Partial) {
        ompt::reduction_begin(self.thread, self.codeptr);
        // SAFETY: this thread alone has taken `other`. `merge` is the program's function for the values of this
        // request.
        unsafe { mine.merge(other, |mine, other| (self.merge)(mine, other)) };
        ompt::reduction_end(self.thread, self.codeptr);
    }

    fn wait(&self, ready: impl FnMut() -> bool) {
        wait::until(&self.member.partners, ready);
    }

    fn notify(&self, tid: u32) {
        self.team.member(tid).partners.notify_all();
    }
}
