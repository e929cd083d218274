//! What free agents wait for: the list of teams that have offered tasks, and how agents begin and end.
//!
//! The protocol is in `task/README.md`; `tests/loom_agents.rs` models it.

use crate::model;
use crate::model::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::event::{Event, Ticket};
use crate::park::mutex::Mutex;

/// The teams that have offered tasks, each a `T`, and the agents that look for them.
pub struct Offers<T> {
    /// Teams that have offered tasks and may have more. An agent looks into a team's queues under this lock, and a team
    /// leaves the list before its region ends.
    teams: Mutex<Vec<T>>,
    /// Where agents wait for offers.
    calls: Event,
    /// Where the end of the program waits for agents to end.
    ended: Event,
    /// Whether agents have been created.
    started: AtomicBool,
    /// Whether they are to end.
    ending: AtomicBool,
    /// Agents that exist as threads.
    live: AtomicU32,
}

impl<T: Copy + PartialEq> Offers<T> {
    model::const_unless_modelled! {
        /// No offers, and no agents.
        pub fn new() -> Self {
            Offers {
                teams: Mutex::new(Vec::new()),
                calls: Event::new(),
                ended: Event::new(),
                started: AtomicBool::new(false),
                ending: AtomicBool::new(false),
                live: AtomicU32::new(0),
            }
        }
    }

    /// Creates the agents by `start`, where there are none. Called before the first offer.
    pub fn start_once(&self, start: impl FnOnce()) {
        if !self.has_agents() && !self.started.swap(true, Ordering::Relaxed) {
            start();
        }
    }

    /// A thread of `team` has queued a task that agents may take.
    pub fn offer(&self, team: T) {
        self.teams.with(|teams| {
            if !teams.contains(&team) {
                teams.push(team);
            }
        });
        if !mutation::is("agents: an offer calls nobody") {
            self.calls.call_one();
        }
    }

    /// The region of `team` is about to end, and all its tasks are complete: when this returns, no agent looks into the
    /// team's queues.
    pub fn withdraw(&self, team: T) {
        if self.has_agents() && !mutation::is("agents: a team stays on the list") {
            self.teams.with(|teams| teams.retain(|other| *other != team));
        }
    }

    /// Whether agents have been created.
    pub fn has_agents(&self) -> bool {
        self.started.load(Ordering::Relaxed)
    }

    /// Takes a task that has been offered. A team where `take_of` finds none is off the list until it offers another.
    fn take<R>(&self, take_of: impl Fn(T) -> Option<R>) -> Option<R> {
        self.teams.with(|teams| {
            while let Some(&team) = teams.last() {
                if let Some(task) = take_of(team) {
                    // The other teams' turn is next.
                    teams.rotate_right(1);
                    return Some(task);
                }
                teams.pop();
            }
            None
        })
    }

    /// An agent waits for a task, or for the word to end: `None`. `take_of` takes a task of one team, whose region goes
    /// on as long as `take_of` runs.
    pub fn next<R>(&self, take_of: impl Fn(T) -> Option<R>) -> Option<R> {
        loop {
            let task = self.take(&take_of);
            if task.is_some() {
                return task;
            }
            let ticket = self.calls.prepare();
            if !mutation::is("agents: no second look at the end") && self.ending.load(Ordering::SeqCst) {
                self.calls.cancel(ticket);
                return None;
            }
            if !mutation::is("agents: no second look at the list") && self.teams.with(|teams| !teams.is_empty()) {
                self.calls.cancel(ticket);
                continue;
            }
            self.calls.sleep(ticket);
            if mutation::is("agents: no second look at the end") && self.ending.load(Ordering::SeqCst) {
                return None;
            }
        }
    }

    /// An agent is about to be created.
    pub fn begin(&self) {
        self.live.fetch_add(1, Ordering::Relaxed);
    }

    /// The agent could not be created.
    pub fn fail(&self) {
        self.live.fetch_sub(1, Ordering::Relaxed);
    }

    /// An agent ends. Its thread touches nothing of the runtime afterwards.
    pub fn leave(&self) {
        self.live.fetch_sub(1, mutation::or_relaxed("agents: left relaxed", Ordering::SeqCst));
        if !mutation::is("agents: an agent leaves in silence") {
            self.ended.notify_all();
        }
    }

    /// Ends the agents and waits until they are gone: as long as `is_patient`, with `sleep`, which sleeps on the event
    /// for a bounded time. Others begin with the next offer.
    pub fn end(&self, sleep: impl Fn(&Event, Ticket), is_patient: impl Fn() -> bool) {
        self.ending.store(true, Ordering::SeqCst);
        self.calls.notify_all();
        while self.live.load(Ordering::SeqCst) > 0 && is_patient() {
            let ticket = self.ended.prepare();
            if self.live.load(Ordering::SeqCst) == 0 {
                self.ended.cancel(ticket);
                break;
            }
            sleep(&self.ended, ticket);
        }
        self.ending.store(false, Ordering::SeqCst);
        self.started.store(false, Ordering::Relaxed);
    }

    /// In a forked child there are no agents.
    pub fn after_fork(&self) {
        self.teams.renew_after_fork();
        self.calls.forget_sleepers();
        self.ended.forget_sleepers();
        self.started.store(false, Ordering::Relaxed);
        self.live.store(0, Ordering::Relaxed);
    }
}

impl<T: Copy + PartialEq> Default for Offers<T> {
    fn default() -> Self {
        Self::new()
    }
}
