//! Model test of free agents (`task/README.md`): an offer finds an agent, an agent looks into no queue of a team whose
//! region is over, and the end waits for every agent.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::protocol::offers::Offers;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use std::sync::Mutex;

struct Process {
    offers: Offers<usize>,
    /// Tasks in the team's queue.
    queued: AtomicU32,
    done: AtomicU32,
    /// Where the team waits for its tasks.
    event: Event,
    /// What an agent reads of a team whose region goes on. A race on it is an error that loom finds.
    region: UnsafeCell<u32>,
    /// What the agent does at its end, for the tool.
    last_event: UnsafeCell<u32>,
    /// Not modelled: touched in between the model's steps alone.
    agents: Mutex<Vec<thread::JoinHandle<()>>>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Process {}
// SAFETY: as above.
unsafe impl Send for Process {}

const TEAM: usize = 1;

impl Process {
    fn new() -> Arc<Process> {
        Arc::new(Process {
            offers: Offers::new(),
            queued: AtomicU32::new(0),
            done: AtomicU32::new(0),
            event: Event::new(),
            region: UnsafeCell::new(0),
            last_event: UnsafeCell::new(0),
            agents: Mutex::default(),
        })
    }

    fn take_of(&self, _team: usize) -> Option<()> {
        // SAFETY: loom checks that nobody writes the cell now.
        self.region.with(|region| unsafe { *region });
        self.queued.compare_exchange(1, 0, Ordering::SeqCst, Ordering::Relaxed).ok().map(|_| ())
    }

    /// The agent's thread, as in `task/agents.rs`.
    fn work(&self) {
        while let Some(()) = self.offers.next(|team| self.take_of(team)) {
            self.done.fetch_add(1, Ordering::SeqCst);
            self.event.notify_all();
        }
        // SAFETY: loom checks that nobody else touches the cell now.
        self.last_event.with_mut(|word| unsafe { *word += 1 });
        self.offers.leave();
    }

    fn offer(process: &Arc<Self>) {
        process.queued.fetch_add(1, Ordering::SeqCst);
        process.offers.start_once(|| {
            process.offers.begin();
            let agent = process.clone();
            process.agents.lock().unwrap().push(thread::spawn(move || agent.work()));
        });
        process.offers.offer(TEAM);
    }

    fn wait_for_tasks(&self, count: u32) {
        while self.done.load(Ordering::SeqCst) != count {
            let ticket = self.event.prepare();
            if self.done.load(Ordering::SeqCst) == count {
                self.event.cancel(ticket);
            } else {
                self.event.sleep(ticket);
            }
        }
    }

    fn end(&self) {
        self.offers.end(Event::sleep_on, || true);
        // SAFETY: loom checks that nobody writes the word now.
        assert_eq!(self.last_event.with(|word| unsafe { *word }), 1);
        let agents = std::mem::take(&mut *self.agents.lock().unwrap());
        agents.into_iter().for_each(|agent| agent.join().unwrap());
    }

    fn end_region(&self) {
        self.offers.withdraw(TEAM);
        // SAFETY: loom checks that nobody reads the cell now.
        self.region.with_mut(|region| unsafe { *region += 1 });
    }
}

/// `Event::sleep` as a function of what the library passes.
trait SleepOn {
    fn sleep_on(&self, ticket: Ticket);
}

impl SleepOn for Event {
    fn sleep_on(&self, ticket: Ticket) {
        self.sleep(ticket);
    }
}

fn check(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    // Two threads with a lock and three events: without a bound they take hours.
    model.preemption_bound = Some(preemptions);
    model.check(body);
}

#[test]
fn each_offer_is_taken() {
    check(2, || {
        let process = Process::new();
        Process::offer(&process);
        process.wait_for_tasks(1);
        Process::offer(&process);
        process.wait_for_tasks(2);
        process.end_region();
        process.end();
    });
}

#[test]
fn the_region_ends_while_an_agent_looks() {
    check(3, || {
        let process = Process::new();
        Process::offer(&process);
        // A thread of the team executes the task itself, or the agent does.
        if process.take_of(TEAM).is_none() {
            process.wait_for_tasks(1);
        }
        process.end_region();
        process.end();
    });
}

#[test]
fn offers_that_get_lost_are_caught() {
    assert_caught("agents: an offer calls nobody", "each_offer_is_taken");
    assert_caught("agents: no second look at the list", "each_offer_is_taken");
}

#[test]
fn agents_that_outlive_what_they_use_are_caught() {
    assert_caught("agents: a team stays on the list", "the_region_ends_while_an_agent_looks");
    assert_caught("agents: left relaxed", "the_region_ends_while_an_agent_looks");
    assert_caught("agents: an agent leaves in silence", "the_region_ends_while_an_agent_looks");
    assert_caught("agents: no second look at the end", "the_region_ends_while_an_agent_looks");
}
