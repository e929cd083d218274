//! Reductions whose combining the program leaves to the runtime to arrange (OpenMP 5.1 §2.21.5).
//!
//! Three methods. Atomic: each thread adds its values with atomic operations. Critical: each thread
//! adds its values under a lock. Tree: threads merge their partial results in pairs, whoever meets
//! whom, and one adds the sum. The merging is described in `work/README.md`. Where the user wants
//! results that do not vary from run to run, the pairs are always the same ones.

use crate::barrier;
use crate::icv::{self, Reduction};
use crate::objects::call::Caller;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::ompt;
use crate::protocol::partial::{Offer, Partial};
use crate::sync::critical;
use crate::thread::wait;
use ::ompt::SyncRegion;
use std::ffi::c_void;

/// Up to this many threads an atomic operation each is no slower than meeting in pairs.
const ATOMIC_LIMIT: u32 = 8;
/// As [`ATOMIC_LIMIT`], for a critical region each.
const CRITICAL_LIMIT: u32 = 4;

/// Merges the values behind the second pointer into those behind the first.
pub type Merge = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// What a program says about a reduction.
#[derive(Clone, Copy)]
pub struct Request {
    /// The thread's own values.
    pub data: *mut c_void,
    /// How to merge them with another thread's.
    pub merge: Option<Merge>,
    /// Whether the program has code for the atomic method.
    pub atomic: bool,
    /// The lock of the critical method.
    pub lock: *mut u32,
    /// Whether the program calls [`end`] behind the atomic method as well.
    pub ends: bool,
}

/// What the thread is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Add its values to the result, then call [`end`].
    Combine,
    /// Add them atomically.
    CombineAtomically,
    /// Nothing: another thread has its values.
    Done,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Alone,
    Atomic,
    Critical,
    Tree,
    Ordered,
}

/// Every member of a team chooses the same: only what all know counts. Where regions may be cancelled no
/// thread waits for another, which might never come.
fn method(team: &Team, request: &Request) -> Method {
    let nthreads = team.nthreads();
    let tree = request.merge.is_some() && !request.data.is_null() && !switch::enabled();
    let wanted = icv::settings().reduction;
    if nthreads == 1 {
        // The teams of a league reduce into one variable, and need not run at the same time.
        match team.is_of_league() {
            true if request.atomic => Method::Atomic,
            true => Method::Critical,
            false => Method::Alone,
        }
    } else if wanted != Reduction::Any {
        match wanted {
            Reduction::Ordered if tree => Method::Ordered,
            Reduction::Atomic if request.atomic => Method::Atomic,
            _ => Method::Critical,
        }
    } else if request.atomic && (nthreads <= ATOMIC_LIMIT || !tree) {
        Method::Atomic
    } else if nthreads <= CRITICAL_LIMIT || !tree {
        Method::Critical
    } else {
        Method::Tree
    }
}

/// Comes to a reduction.
///
/// # Safety
/// The request is as the compiler generates it: the values are valid until the region's end, and
/// all members of the team make the same request.
pub unsafe fn begin(thread: &Thread, request: &Request, call: impl Caller) -> Role {
    let member = thread.member();
    let nthreads = member.team().nthreads();
    let codeptr = call.codeptr();
    match method(member.team(), request) {
        Method::Alone => ompt::reduction_begin(thread, codeptr),
        Method::Atomic => {
            match request.ends {
                true => ompt::reduction_begin(thread, codeptr),
                false => ompt::reduction_without_end(thread, codeptr),
            }
            return Role::CombineAtomically;
        }
        Method::Critical => {
            ompt::reduction_begin(thread, codeptr);
            // SAFETY: the caller's.
            unsafe { critical::enter_unreported(request.lock) };
            member.work.reduces_under_lock.set(true);
        }
        Method::Tree => {
            // SAFETY: the caller's.
            if !unsafe { merge(thread, nthreads, request, codeptr) } {
                return Role::Done;
            }
            ompt::reduction_begin(thread, codeptr);
        }
        Method::Ordered => {
            // SAFETY: the caller's.
            if !unsafe { merge_in_order(thread, nthreads, request, codeptr) } {
                return Role::Done;
            }
            ompt::reduction_begin(thread, codeptr);
        }
    }
    Role::Combine
}

/// The thread has added its values: [`begin`] told it to.
///
/// # Safety
/// As for [`begin`]; `lock` is the same.
pub unsafe fn end(thread: &Thread, lock: *mut u32, call: impl Caller) {
    if thread.member().work.reduces_under_lock.take() {
        // SAFETY: the caller's.
        unsafe { critical::leave_unreported(lock) };
    }
    ompt::reduction_end(thread, call.codeptr());
}

/// Waits until all threads' values are in the result: for reductions without `nowait`.
pub fn wait_for_all(thread: &'static Thread, call: impl Caller) {
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
}

/// Merges partial results until this thread's has been taken (false) or holds everybody's (true).
unsafe fn merge(thread: &Thread, nthreads: u32, request: &Request, codeptr: *const c_void) -> bool {
    let Some(merge) = request.merge else { return true };
    let member = thread.member();
    let team = member.team();
    let number = member.work.take_slot_number();
    let slot = team.work.ring.slot(number);
    let event = &team.waits;
    wait::until(event, || slot.is_free_for(number));
    let all = slot.pending.meet(
        &mut Partial::new(request.data),
        nthreads,
        |mine, other| {
            ompt::reduction_begin(thread, codeptr);
            // SAFETY: `other` has just been taken; the program's function merges values of the same request.
            unsafe { mine.merge(other, |mine, other| merge(mine, other)) };
            ompt::reduction_end(thread, codeptr);
            event.notify_all();
        },
        |mine| wait::until(event, || mine.is_taken()),
    );
    if slot.leave(number, nthreads) {
        event.notify_all();
    }
    all
}

/// Merges partial results in pairs of thread numbers, always the same ones: 0 and 1, 2 and 3, then 0 and 2, and so on,
/// the lower number first. True for thread 0, which has everybody's.
unsafe fn merge_in_order(thread: &Thread, nthreads: u32, request: &Request, codeptr: *const c_void) -> bool {
    let Some(merge) = request.merge else { return true };
    let member = thread.member();
    let team = member.team();
    let number = member.work.take_slot_number();
    let slot = team.work.ring.slot(number);
    let event = &team.waits;
    wait::until(event, || slot.is_free_for(number));
    let offers = slot.memory(nthreads as usize * size_of::<Offer>()).cast::<Offer>();
    // SAFETY: the memory has a zeroed word for each of the team's threads, and stays until all have left the slot.
    let offer = |tid: u32| unsafe { &*offers.add(tid as usize) };
    let mut mine = Partial::new(request.data);
    let mut step = 1;
    while step < nthreads && member.tid & step == 0 {
        let other = member.tid + step;
        if other < nthreads {
            wait::until(event, || !offer(other).present().is_null());
            ompt::reduction_begin(thread, codeptr);
            // SAFETY: only this thread takes what the other one has put there; the program's function merges values of
            // the same request.
            unsafe { mine.merge(offer(other).present(), |mine, other| merge(mine, other)) };
            ompt::reduction_end(thread, codeptr);
            event.notify_all();
        }
        step *= 2;
    }
    if member.tid != 0 {
        offer(member.tid).put(&mine);
        event.notify_all();
        wait::until(event, || mine.is_taken());
    }
    if slot.leave(number, nthreads) {
        event.notify_all();
    }
    member.tid == 0
}
