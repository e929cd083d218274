//! Sections: blocks of code, each executed by one thread (OpenMP 5.1 §2.10.1).

use super::loops;
use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::schedule::Schedule;
use crate::objects::space::{Chunk, Space};
use crate::objects::structures::Thread;
use crate::ompt;
use ::ompt::Work;
use std::ffi::c_void;

/// Enters a sections construct of `count` sections; 0 if [`next_of`] passes the number later.
pub fn start(thread: &Thread, count: u32, call: impl Caller) {
    enter(thread, count, false, call);
}

/// As [`start`], with `size` bytes of zeroed memory, which the members share until all have left.
#[cold]
pub fn start_with_memory(thread: &Thread, count: u32, size: usize, call: impl Caller) -> *mut c_void {
    enter(thread, count, true, call);
    loops::memory(thread, size)
}

#[inline(always)]
fn enter(thread: &Thread, count: u32, needs_slot: bool, call: impl Caller) {
    let space = Space { lower: 0, increment: 1, trips: count.into(), end: count.into() };
    let member = thread.member();
    if member.team().nthreads() == 1 && !needs_slot {
        member.work.current.begin_alone(space);
    } else {
        loops::enter(thread, space, Schedule::dynamic(1), needs_slot);
    }
    ompt::work_begin(thread, Work::SECTIONS, count.into(), call);
}

/// The next section for the thread, counted from 0; `None` if there is no more.
pub fn next(thread: &Thread, call: impl Caller) -> Option<u32> {
    let member = thread.member();
    let current = &member.work.current;
    let count = current.space.get().trips;
    let number = match current.slot(member.team()) {
        Some(slot) => {
            // After the last section, the member leaves the counter's line to the others.
            if current.position.get() >= count {
                return None;
            }
            // Relaxed: as for chunks of a loop.
            let number = slot.next.fetch_add(1, Ordering::Relaxed);
            current.position.set(number + 1);
            number
        }
        None => current.advance(),
    };
    if number >= count {
        return None;
    }
    ompt::section(thread, Chunk { first: number, count: 1 }, count, call);
    Some(number as u32)
}

/// As [`next`], for a construct of `count` sections.
pub fn next_of(thread: &Thread, count: u32, call: impl Caller) -> Option<u32> {
    let space = &thread.member().work.current.space;
    space.set(Space { trips: count.into(), ..space.get() });
    next(thread, call)
}
