//! The `go` word: how the primary thread of a team starts and ends regions, and how workers wait for them.
//!
//! The word holds the region's number, how many threads take part, and a phase. The protocol, with a picture, is in
//! `team/README.md`; `tests/loom_fork.rs` models it.
//!
//! In large teams the word has copies, at which groups of workers look: all looks at one line take turns.

use crate::model::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use crate::model::{self, mutation};
use crate::park::event::Event;
use crate::park::waiter::{Waiter, until};
use std::cell::Cell;

/// A value of a team's `go` word: the region's number, how many threads take part, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go(u64);

/// What a region is doing, as its idle workers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Phase {
    /// The region runs.
    Run = 0,
    /// The region runs, and explicit tasks have been created: members that wait may help.
    Tasks = 1,
    /// All have arrived: members leave. Published only while a tool is active, so that a worker's last
    /// events come when it leaves, not when the next region begins.
    Leave = 2,
    /// All have arrived and no task is left: members that looked for tasks confirm that they have
    /// stopped by arriving once more.
    LeaveTogether = 3,
    /// The team is given up: its workers go back to the pool.
    Disband = 4,
}

impl Go {
    const PHASE_BITS: u32 = 3;
    /// How many bits the number of threads has.
    pub const COUNT_BITS: u32 = 22;

    /// The word of region `epoch` with `nthreads` threads in `phase`.
    #[inline(always)]
    pub fn new(epoch: u64, nthreads: u32, phase: Phase) -> Self {
        Go((epoch << (Self::PHASE_BITS + Self::COUNT_BITS)) | (u64::from(nthreads) << Self::PHASE_BITS) | phase as u64)
    }

    /// The region's number, counted from 1.
    #[inline(always)]
    pub fn epoch(self) -> u64 {
        self.0 >> (Self::PHASE_BITS + Self::COUNT_BITS)
    }

    /// As [`epoch`](Self::epoch), 0 if the region is over.
    pub fn epoch_under_way(self) -> u64 {
        if matches!(self.phase(), Phase::Run | Phase::Tasks) { self.epoch() } else { 0 }
    }

    /// How many threads take part in the region.
    #[inline(always)]
    pub fn nthreads(self) -> u32 {
        ((self.0 >> Self::PHASE_BITS) & ((1 << Self::COUNT_BITS) - 1)) as u32
    }

    /// What the region is doing.
    #[inline(always)]
    pub fn phase(self) -> Phase {
        match self.0 & ((1 << Self::PHASE_BITS) - 1) {
            0 => Phase::Run,
            1 => Phase::Tasks,
            2 => Phase::Leave,
            3 => Phase::LeaveTogether,
            _ => Phase::Disband,
        }
    }
}

impl Go {
    /// Says in those `copies` that hold this word that the region has tasks. The primary thread says so in the others,
    /// which still hold the word of an earlier region.
    fn announce_in<'a>(self, copies: impl Iterator<Item = &'a GoWord>) {
        let tasks = self.0 | Phase::Tasks as u64;
        let mut copies = copies.peekable();
        if copies.peek().is_some() {
            // Between the caller's look at the word, or change of it, and the looks at copies: see `start`.
            fence(Ordering::SeqCst);
        }
        for copy in copies {
            if mutation::is("go: tasks are announced in any copy") {
                copy.0.fetch_or(Phase::Tasks as u64, Ordering::SeqCst);
            } else {
                let _ = copy.0.compare_exchange(self.0, tasks, Ordering::SeqCst, Ordering::Relaxed);
            }
        }
    }
}

/// The word itself. Written by the primary thread, and by a member that creates its first deferred task; read by the
/// workers, which sleep on the team's event `idle` until it changes.
#[repr(transparent)]
pub struct GoWord(AtomicU64);

impl GoWord {
    /// A word that holds `go`.
    pub fn new(go: Go) -> Self {
        GoWord(AtomicU64::new(go.0))
    }

    /// Puts `go` into the word of a team that no worker waits in.
    pub fn reset(&self, go: Go) {
        self.0.store(go.0, Ordering::Relaxed);
    }

    /// What the word holds, for the primary thread and for members of the region: they read nothing on the strength of
    /// it that another thread has written.
    #[inline(always)]
    pub fn latest(&self) -> Go {
        Go(self.0.load(Ordering::Relaxed))
    }

    /// What the word holds, for a worker: what the primary thread wrote before is visible after this.
    #[inline(always)]
    pub fn look(&self) -> Go {
        Go(self.0.load(mutation::or_relaxed("go: looked at relaxed", Ordering::Acquire)))
    }

    /// Changes the word and its `copies`, and wakes the workers that sleep on it.
    #[inline(always)]
    fn publish<'a>(&self, go: Go, idle: &Event, copies: impl Iterator<Item = &'a GoWord>) {
        // Release: workers that see the word see the region that it announces.
        let order = mutation::or_relaxed("go: published relaxed", Ordering::Release);
        // The word first: who sees a copy looks at the word next.
        self.0.store(go.0, order);
        copies.for_each(|copy| copy.0.store(go.0, order));
        idle.notify_all();
    }

    /// The primary thread starts a region of `nthreads` threads, which it has described; the last region had `before`.
    /// `recall` has the word of each worker by its thread number. `copies` are those at which workers look that take
    /// part in this region, or took part in the last one of more than one thread.
    #[inline(always)]
    pub fn start<'a>(
        &self,
        idle: &Event,
        before: u32,
        nthreads: u32,
        recall: impl Fn(u32) -> &'a Recall,
        copies: impl Iterator<Item = &'a GoWord> + Clone,
    ) {
        let go = Go::new(self.latest().epoch() + 1, nthreads, Phase::Run);
        if nthreads == 1 {
            // No worker waits for this region; a worker that looks sees that it takes no part.
            self.0.store(go.0, Ordering::Release);
            return;
        }
        // Workers that the last region left in reserve. They are called after the word has changed: a worker that
        // misses the call has then seen the new word.
        let call = || (before.max(1)..nthreads).for_each(|tid| recall(tid).call());
        let early = mutation::is("recall: called before the word changes");
        if early {
            call();
        }
        self.publish(go, idle, copies.clone());
        // A member that began by the word may have created a task before its copies changed, and found old copies. The
        // fence in `publish` comes between the copies and this look, one in `announce_tasks` between the other two.
        if copies.clone().next().is_some()
            && self.latest().phase() == Phase::Tasks
            && !mutation::is("go: tasks are forgotten in the copies")
        {
            go.announce_in(copies);
            idle.notify_all();
        }
        if !early {
            call();
        }
    }

    /// Says that the region under way has tasks now. A member calls this once, for its first deferred task: after it
    /// has counted the task and before it publishes the task. The first call changes the word and its `copies`.
    #[inline]
    pub fn announce_tasks<'a>(&self, idle: &Event, copies: impl Iterator<Item = &'a GoWord>) {
        let before = self.0.fetch_or(Phase::Tasks as u64, Ordering::SeqCst);
        if Go(before).phase() == Phase::Run {
            // Before the caller's arrival at the join, and so before the region's end changes the copies.
            Go(before).announce_in(copies);
            idle.notify_all();
        }
    }

    /// The primary thread ends the region under way, of `nthreads` threads: all have arrived at its join. `phase` is
    /// `Leave` or `LeaveTogether`.
    #[inline(always)]
    pub fn end<'a>(&self, idle: &Event, nthreads: u32, phase: Phase, copies: impl Iterator<Item = &'a GoWord>) {
        self.publish(Go::new(self.latest().epoch(), nthreads, phase), idle, copies);
    }

    /// The primary thread gives the team up, whose slots below `attached` have threads. Between regions.
    pub fn disband<'a>(
        &self,
        idle: &Event,
        attached: u32,
        recall: impl Fn(u32) -> &'a Recall,
        copies: impl Iterator<Item = &'a GoWord>,
    ) {
        self.publish(Go::new(self.latest().epoch() + 1, attached, Phase::Disband), idle, copies);
        (1..attached).for_each(|tid| recall(tid).call());
    }

    /// The worker with thread number `tid`, who looks at this word or copy, waits for a region that it takes part in,
    /// or for the end of the team. `seen` is the number of the last region that the worker has seen.
    pub fn next(&self, waiter: &impl Waiter, idle: &Event, recall: &Recall, tid: u32, seen: &Cell<u64>) -> Go {
        loop {
            let last = seen.get();
            until(waiter, idle, || self.look().epoch() != last);
            // Read before the word: a call that comes after the look at the word must not be missed.
            let mut calls = recall.calls();
            let go = self.look();
            if mutation::is("recall: read after the word") {
                calls = recall.calls();
            }
            seen.set(go.epoch());
            if tid < go.nthreads() {
                return go;
            }
            // In reserve: the worker sleeps through regions that it has no part in.
            until(waiter, &recall.event, || recall.calls() != calls);
        }
    }
}

/// How a worker in reserve is woken. Moved by the primary thread, read by the worker of the slot.
#[derive(Default)]
pub struct Recall {
    /// How often the worker has been called.
    count: AtomicU64,
    /// Where the worker sleeps.
    event: Event,
}

model::named_fields!(Recall: count, event);

impl Recall {
    #[inline(always)]
    fn calls(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Wakes the worker, if it is in reserve, to look at the `go` word again.
    #[inline]
    fn call(&self) {
        // Release: a worker that sees the call sees the word that was published before. No model can miss this order:
        // the fence by which `publish` looks for sleepers stands in between, and orders the two as well.
        self.count.fetch_add(1, Ordering::Release);
        self.event.notify_all();
    }
}

/// How many workers have left a team that is given up.
#[derive(Default)]
pub struct Departed(AtomicU32);

impl Departed {
    /// The primary thread is about to give the team up.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// A worker leaves. This is its last touch of the team, but for `event`, where the primary thread sleeps.
    pub fn leave(&self, event: &Event) {
        // Release: what the worker did in the team comes before what the team's next user does there.
        self.0.fetch_add(1, mutation::or_relaxed("disband: left relaxed", Ordering::Release));
        event.notify_all();
    }

    /// The primary thread waits until `workers` have left.
    pub fn wait(&self, waiter: &impl Waiter, event: &Event, workers: u32) {
        until(waiter, event, || self.0.load(Ordering::Acquire) == workers);
    }
}
