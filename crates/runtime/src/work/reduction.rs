//! Reductions that the program leaves to the runtime to combine (OpenMP 5.1 §2.21.5).
//!
//! There are four methods. Atomic: each thread adds its values with atomic operations. Critical: each thread adds its
//! values under a lock. Tree: threads merge their partial results in pairs, in the order in which they come, and one
//! thread adds the sum; `README.md` describes it. Ordered: as Tree, but with the same pairs each time, for users who
//! want results that do not vary from run to run.

use super::merges::{self, Adding, Merge};
use super::slot;
use crate::barrier;
use crate::icv::{self, Reduction};
use crate::objects::call::Caller;
use crate::objects::structures::{Member, Thread};
use crate::objects::switch;
use crate::objects::work::UnderLock;
use crate::ompt;
use crate::protocol::partial::{Offer, Partial};
use crate::sync::critical;
use crate::thread::wait;
use ::ompt::SyncRegion;
use std::ffi::c_void;

/// The most variables for which an atomic operation each is faster than meeting in pairs, in teams of any size: with 16
/// threads on 16 CPUs one variable takes less than half the time, on the simulated machines with 192 a third. Arrays
/// count as one variable; `merges.rs` tells them from scalars.
const ATOMIC_LIMIT: u32 = 3;
/// The largest team in which a critical region a thread is no slower than meeting in pairs, and atomic operations are
/// not for any number of variables.
const CRITICAL_LIMIT: u32 = 4;
const MANY_ATOMICS_LIMIT: u32 = 8;

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
    Tree,
    Ordered,
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
            Reduction::Ordered if tree => Method::Ordered,
            Reduction::Atomic if request.atomic => Method::Atomic,
            _ => Method::Critical,
        }
    } else if request.atomic && (request.variables <= ATOMIC_LIMIT || nthreads <= MANY_ATOMICS_LIMIT || !tree) {
        let known = member.team().region.known_merges.get();
        match request.merge.map_or(Adding::Atomic, |merge| merges::adding(known, merge, member.tid)) {
            Adding::Atomic => Method::Atomic,
            Adding::Timed => Method::Timed,
            Adding::Long if nthreads <= CRITICAL_LIMIT || !tree => Method::Critical,
            Adding::Long => Method::Tree,
        }
    } else if nthreads <= CRITICAL_LIMIT || !tree {
        Method::Critical
    } else {
        Method::Tree
    }
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
        Method::Tree | Method::Ordered if !unsafe { merge(thread, request, codeptr, method) } => return Role::Done,
        _ => {}
    }
    ompt::reduction_begin(thread, codeptr);
    if matches!(method, Method::Critical | Method::Timed) {
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
    }
    ompt::reduction_end(thread, call.codeptr());
}

/// Waits until the result has the values of all threads, for reductions without `nowait`.
pub fn wait_for_all(thread: &'static Thread, call: impl Caller) {
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
}

/// Merges partial results until another thread has taken this thread's (false), or until this thread has those of all
/// (true). With [`Method::Ordered`], the pairs are always the same: threads 0 and 1, 2 and 3, then 0 and 2, and so on,
/// the lower number first. Thread 0 has those of all in the end.
///
/// # Safety
/// As for [`begin`].
unsafe fn merge(thread: &Thread, request: &Request, codeptr: *const c_void, method: Method) -> bool {
    let Some(merge) = request.merge else { return true };
    let member = thread.member();
    let team = member.team();
    let nthreads = team.nthreads();
    let event = &team.waits;
    let Some((number, slot)) = slot::take(member) else { return true };
    let take = |mine: &mut Partial, other| {
        ompt::reduction_begin(thread, codeptr);
        // SAFETY: this thread alone has taken `other`. `merge` is the program's function for the values of this
        // request.
        unsafe { mine.merge(other, |mine, other| merge(mine, other)) };
        ompt::reduction_end(thread, codeptr);
        event.notify_all();
    };
    let wait_until_taken = |mine: &Partial| wait::until(event, || mine.is_taken());
    let mut mine = Partial::new(request.data);
    let has_all = if method == Method::Tree {
        slot.pending.meet(&mut mine, nthreads, take, wait_until_taken)
    } else {
        let offers = slot.memory(nthreads as usize * size_of::<Offer>()).cast::<Offer>();
        // SAFETY: the memory has a zeroed `Offer` for each thread, and stays until all have left the slot.
        let offer = |tid: u32| unsafe { &*offers.add(tid as usize) };
        let mut step = 1;
        while step < nthreads && member.tid & step == 0 {
            let other = member.tid + step;
            if other < nthreads {
                wait::until(event, || !offer(other).present().is_null());
                take(&mut mine, offer(other).present());
            }
            step *= 2;
        }
        if member.tid != 0 {
            offer(member.tid).put(&mine);
            event.notify_all();
            wait_until_taken(&mine);
        }
        member.tid == 0
    };
    slot::leave(member, number, nthreads);
    has_all
}
