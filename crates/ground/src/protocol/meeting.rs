//! The wait loops of barrier and join, in which members execute tasks while they wait.
//!
//! The protocol is in `team/README.md`; `tests/loom_barrier.rs` and `tests/loom_fork.rs` model these loops with members
//! that sleep.

use super::barrier::{Arrival, Barrier, Form};
use super::go::{GoWord, Phase};
use super::theft::Search;
use crate::model::mutation;
use crate::park::event::Event;
use crate::park::waiter::{Waiter, until};

/// A member that can execute tasks while it waits.
pub trait Helper: Waiter {
    /// Whether the region under way has tasks.
    fn has_tasks(&self) -> bool;

    /// Executes a task, if the member finds one. Before the member sleeps, it looks everywhere.
    fn help(&self, search: Search) -> bool;

    /// As [`help`](Self::help), for a member that has been woken, perhaps by the publication of a task.
    fn help_when_called(&self) -> bool;

    /// The member does not look for tasks any more. The others may be in other phases of the region already.
    fn leave(&self);

    /// Whether the other members do not exist any more, in a forked child.
    fn is_deserted(&self) -> bool;
}

/// Waits on a barrier's `event` until the barrier is `over`, and executes tasks meanwhile.
#[inline(always)]
pub fn meet<H: Helper>(helper: &H, event: &Event, over: impl Fn() -> bool) {
    let mut pace = helper.begin();
    let (mut looked, mut helped) = (false, false);
    loop {
        if over() {
            if looked {
                helper.leave();
            }
            if helped {
                // This thread may have completed what others wait for.
                event.notify_all();
            }
            return;
        }
        if helper.has_tasks() {
            looked = true;
            if helper.help(Search::Likely) {
                helped = true;
                pace = helper.begin();
                continue;
            }
        }
        if helper.is_deserted() {
            return helper.leave();
        }
        if helper.pause(&mut pace) {
            continue;
        }
        let ticket = event.prepare();
        if !mutation::is("barrier: no second look") && over() {
            event.cancel(ticket);
            continue;
        }
        if helper.has_tasks() && helper.help(Search::Everywhere) {
            event.cancel(ticket);
            helped = true;
            pace = helper.begin();
            continue;
        }
        helper.sleep(event, ticket);
        // A member that completed a task after the second look has notified the others, or will.
        helped = false;
        if helper.has_tasks() && helper.help_when_called() {
            helped = true;
        }
        pace = helper.begin();
    }
}

/// What a worker needs at the join of a region. The worker takes these out of the region's description before it
/// arrives, because the description may change after the worker's last arrival.
#[derive(Clone, Copy)]
pub struct Join<'a> {
    /// The team's word, or the copy at which the worker looks.
    pub go: &'a GoWord,
    /// Where workers sleep that wait for the word to change.
    pub idle: &'a Event,
    /// The team's barrier.
    pub barrier: &'a Barrier,
    /// How the barrier works in this region.
    pub form: Form,
    /// Threads in the region.
    pub nthreads: u32,
}

impl Join<'_> {
    /// A worker, whose arrival is `mine`, arrives at the join of region `number`, the barrier epoch `epoch`, and waits
    /// until the region is over. The worker helps with tasks as long as there may be some. `no_task_is_left` is exact
    /// once all have arrived.
    #[inline(always)]
    pub fn pass<H: Helper>(
        self,
        helper: &H,
        mine: &Arrival,
        epoch: u64,
        number: u64,
        no_task_is_left: impl Fn() -> bool,
    ) {
        self.barrier.arrive_at_join(self.form, mine, epoch, self.nthreads);
        // From here on only the `go` word tells whether the team may be touched.
        if self.leave(helper, number, no_task_is_left) == Phase::LeaveTogether {
            helper.leave();
            self.barrier.arrive_at_join(self.form, mine, epoch + 1, self.nthreads);
        }
    }

    /// Waits until the region is over. Returns how it ended: `Leave` also where the next region is there already.
    #[inline(always)]
    fn leave<H: Helper>(self, helper: &H, number: u64, no_task_is_left: impl Fn() -> bool) -> Phase {
        let event = &*self.barrier.event;
        // A member that has executed tasks finds no more. If no task is left at all, the others, the primary thread
        // among them, may be asleep. Returns whether the member notified them.
        let notify_of_the_end = || {
            let over = no_task_is_left();
            if over && !mutation::is("join: a helper tells nobody of the end") {
                event.notify_all();
            }
            over
        };
        let mut pace = helper.begin();
        // As if the member had helped: it may have created tasks, and then it has to look for their end.
        let mut helped = true;
        loop {
            let go = self.go.look();
            if go.epoch() != number {
                return Phase::Leave;
            }
            match go.phase() {
                Phase::Run => {
                    until(helper, self.idle, || {
                        let go = self.go.look();
                        go.epoch() != number || go.phase() != Phase::Run
                    });
                }
                Phase::Tasks => {
                    if helper.help(Search::Likely) {
                        helped = true;
                        pace = helper.begin();
                        continue;
                    }
                    helped = helped && !notify_of_the_end();
                    if helper.pause(&mut pace) {
                        continue;
                    }
                    let ticket = event.prepare();
                    if !mutation::is("join: no second look at the word") && self.go.look() != go {
                        event.cancel(ticket);
                        continue;
                    }
                    if helper.help(Search::Everywhere) {
                        event.cancel(ticket);
                        helped = true;
                        pace = helper.begin();
                        continue;
                    }
                    if helped && notify_of_the_end() {
                        event.cancel(ticket);
                        helped = false;
                        continue;
                    }
                    helper.sleep(event, ticket);
                    // A member that completed a task after the second look has notified the others, or will.
                    helped = false;
                    if self.go.look() == go && helper.help_when_called() {
                        helped = true;
                    }
                    pace = helper.begin();
                }
                phase => return phase,
            }
        }
    }

    /// The primary thread ends a region that had tasks: all have arrived and no task is left, but workers may still be
    /// looking into each other's queues. Returns when none does; `epoch` is the barrier epoch of that second round, and
    /// `others` has all arrivals, and `copies` those of the word at which workers of the region look.
    #[inline]
    pub fn leave_together<'b, I>(
        self,
        waiter: &impl Waiter,
        mine: &Arrival,
        epoch: u64,
        others: impl Fn() -> I,
        copies: impl Iterator<Item = &'b GoWord>,
    ) where
        I: Iterator<Item = &'b Arrival>,
    {
        self.go.end(self.idle, self.nthreads, Phase::LeaveTogether, copies);
        self.barrier.event.notify_all();
        self.barrier.arrive_at_join(self.form, mine, epoch, self.nthreads);
        if mutation::is("join: no second round") {
            return;
        }
        let over = || self.barrier.all_joined(self.form, mine, epoch, 2, self.nthreads, others());
        until(waiter, &self.barrier.event, over);
    }
}
