//! Ordered regions: one thread at a time executes, in the order of the iterations (OpenMP 5.1 §2.19.9).
//!
//! The slot of the loop has the iteration whose turn it is. A chunk's thread waits until the turn has come to the
//! chunk's first iteration. It passes the turn on after the chunk's last ordered region, or at the end of the chunk if
//! it cannot know which one is the last.

use super::doacross;
use crate::objects::call::Caller;
use crate::objects::loops::Turns;
use crate::objects::presence::WaitFor;
use crate::objects::schedule::Clause;
use crate::objects::space::Chunk;
use crate::objects::structures::{Member, Thread};
use crate::ompt;
use crate::ompt::InState;
use crate::protocol::ring::Slot;
use crate::protocol::turn::Polling;
use crate::thread::wait::{self, Spinner};
use ::ompt::{Mutex, State};
use std::hint::cold_path;

impl Turns {
    /// Whether the loop under way has an `ordered` clause without a parameter.
    #[inline(always)]
    pub fn ordered(&self) -> bool {
        self.clause.get() == Clause::Ordered
    }

    /// Whether the iterations of the loop under way depend on each other.
    #[inline(always)]
    pub(super) fn are_taken(&self) -> bool {
        self.clause.get() != Clause::None
    }

    pub(super) fn reset(&self, clause: Clause) {
        self.clause.set(clause);
        self.holds.set(false);
        self.wait_id.set(if clause == Clause::Ordered { std::ptr::from_ref(self) as u64 } else { 0 });
    }

    /// Notes the slot in which the loop's iterations take turns; none if the member has the loop for itself.
    pub(super) fn take_turns_in(&self, slot: Option<&Slot>) {
        if let Some(slot) = slot {
            self.wait_id.set(&raw const slot.turn as u64);
        }
    }

    /// Ends the member's turns of the loop under way.
    #[inline(always)]
    pub(super) fn leave(&self, thread: &Thread, member: &Member) {
        match self.clause.get() {
            Clause::None => return,
            Clause::Ordered => self.end_chunk(thread, member),
            Clause::Doacross => doacross::leave(thread),
        }
        self.reset(Clause::None);
    }

    /// Begins a chunk. A member that has the loop for itself holds no turn, so that nothing is passed on.
    pub(super) fn begin_chunk(&self, chunk: Chunk, is_shared: bool) {
        self.holds.set(is_shared);
        self.first.set(chunk.first);
        self.count.set(chunk.count);
        self.over.set(0);
    }

    /// Passes the turn on, if that has not been done: the chunk has no further ordered region.
    pub(super) fn end_chunk(&self, thread: &Thread, member: &Member) {
        if self.holds.get() {
            if !self.has_come(member) {
                self.wait_in_line(thread, member);
            }
            self.pass(member);
        }
    }

    /// Whether the turn has come to the member's chunk. The turn stays at the chunk's first iteration.
    #[inline(always)]
    fn has_come(&self, member: &Member) -> bool {
        member.work.current.slot(member.team()).is_none_or(|slot| slot.turn.has_come_to(self.first.get()))
    }

    /// Waits until the turn has come to the member's chunk.
    #[inline(never)]
    fn wait_in_line(&self, thread: &Thread, member: &Member) {
        let team = member.team();
        let Some(slot) = member.work.current.slot(team) else { return };
        let first = self.first.get();
        let turn = slot.turn.now();
        let _state = InState::waiting(thread, State::WAIT_ORDERED, wait_id(member), WaitFor::Turn);
        // With others before it, an oversubscribed thread yields at once. With 8 threads on 2 CPUs a turn took 2.9
        // microseconds like this, instead of 3.6.
        let far = self.others_before(turn);
        let spinner = if far { Spinner::giving_way() } else { Spinner::new() };
        let oversubscribed = wait::oversubscribed();
        let mut polling = if oversubscribed { Polling::reading() } else { Polling::eager() };
        team.wait_on(State::WAIT_ORDERED, team.work.turns.of(first), spinner, || {
            let turn = polling.look(&slot.turn, first);
            if !oversubscribed && self.others_before(turn) {
                polling = Polling::eager();
            }
            turn == first
        });
    }

    /// Whether more than one chunk has to be executed before the member's chunk, at this `turn`.
    #[inline(always)]
    fn others_before(&self, turn: u64) -> bool {
        self.first.get().wrapping_sub(turn) > self.count.get()
    }

    /// Passes the turn to the chunk after the member's.
    fn pass(&self, member: &Member) {
        self.holds.set(false);
        let team = member.team();
        if let Some(slot) = member.work.current.slot(team) {
            slot.turn.pass(self.first.get() + self.count.get(), &team.work.turns);
        }
    }
}

/// The wait identifier of ordered regions that the member encounters now.
#[inline(always)]
fn wait_id(member: &Member) -> u64 {
    let turns = &member.work.current.turns;
    match turns.wait_id.get() {
        0 => {
            cold_path();
            std::ptr::from_ref(turns) as u64
        }
        id => id,
    }
}

/// Enters an ordered region: waits until those of all earlier iterations are over. Outside a loop with an `ordered`
/// clause there is no wait.
#[inline(always)]
pub fn begin<C: Caller>(thread: &Thread, call: C) {
    let member = thread.member();
    let turns = &member.work.current.turns;
    let id = if C::MAY_HAVE_TOOL { wait_id(member) } else { 0 };
    let has_come = || !turns.holds.get() || turns.has_come(member);
    ompt::mutex(thread, Mutex::ORDERED, 0, id, call, has_come, || turns.wait_in_line(thread, member));
}

/// Leaves an ordered region.
#[inline(always)]
pub fn end(thread: &Thread, call: impl Caller) {
    let member = thread.member();
    let turns = &member.work.current.turns;
    // An iteration has at most one ordered region. So after that of the last iteration the turn can be passed on.
    if turns.holds.get() && turns.over.get() + 1 == turns.count.get() {
        turns.pass(member);
    }
    ompt::mutex_released(thread, Mutex::ORDERED, wait_id(member), call);
}

/// Notes the end of an iteration of the loop under way, for programs that say where iterations end.
#[inline]
pub fn iteration_over(thread: &Thread, call: impl Caller) {
    let turns = &thread.member().work.current.turns;
    let over = turns.over.get() + 1;
    turns.over.set(over);
    if over < turns.count.get() {
        ompt::loop_iteration(thread, turns.first.get() + over, call);
    }
}
