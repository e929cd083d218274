//! Model test of fork and join (`team/README.md`): each member sees the description of its region and nobody still
//! reads it when the next one is written; workers in reserve come back when they are called; after a region with tasks
//! nobody looks into a queue any more; a team that is given up is left by all; and nobody hangs.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::{SleepsAtOnce, Waiter, until};
use ferromp_ground::protocol::barrier::{Arrival, Barrier, Form};
use ferromp_ground::protocol::go::{Departed, Go, GoWord, Phase, Recall};
use ferromp_ground::protocol::meeting::{Helper, Join, meet};
use ferromp_ground::protocol::quiescence::{Account, Sums};
use ferromp_ground::protocol::theft::Search;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use std::cell::Cell;

/// What the primary thread says of a region.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Described {
    number: u64,
    epoch: u64,
}

#[derive(Default)]
struct Slot {
    arrival: Arrival,
    recall: Recall,
    /// The member's copy of the team's word, if workers look at copies.
    go: Option<GoWord>,
    account: Account,
    /// Tasks that wait in the member's queue.
    queued: AtomicU32,
    /// What the primary thread may change of the queue between regions. A race on it is an error that loom finds.
    queue: UnsafeCell<u32>,
}

struct Team {
    go: GoWord,
    idle: Event,
    barrier: Barrier,
    sums: Sums,
    left: Departed,
    form: Form,
    slots: Vec<Slot>,
    /// Written between regions, read during one. A race on it is an error that loom finds.
    region: UnsafeCell<Described>,
    /// What the members of the region write: one word each.
    results: Vec<UnsafeCell<u64>>,
    /// Workers that have taken part in a region or in the end of the team.
    effects: AtomicU32,
    /// Whether a tool is active.
    told: bool,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

/// A member as it waits: it sleeps at once.
struct Waiting<'a> {
    team: &'a Team,
    tid: usize,
    nthreads: usize,
}

impl Waiter for Waiting<'_> {
    type Pace = ();
    fn begin(&self) {}
    fn pause(&self, (): &mut ()) -> bool {
        false
    }
    fn sleep(&self, event: &Event, ticket: Ticket) {
        event.sleep(ticket);
    }
}

impl Helper for Waiting<'_> {
    fn has_tasks(&self) -> bool {
        self.team.go.latest().phase() == Phase::Tasks
    }

    /// Looks into everybody's queue, from its own on.
    fn help(&self, _search: Search) -> bool {
        (0..self.nthreads).any(|step| {
            let slot = &self.team.slots[(self.tid + step) % self.nthreads];
            // SAFETY: loom checks that nobody writes the cell now.
            slot.queue.with(|queue| unsafe { *queue });
            if slot.queued.load(Ordering::Relaxed) == 0
                || slot.queued.compare_exchange(1, 0, Ordering::SeqCst, Ordering::Relaxed).is_err()
            {
                return false;
            }
            self.team.effects.fetch_add(1, Ordering::Relaxed);
            let account = &self.team.slots[self.tid].account;
            self.team.sums.begin(account, self.tid as u32, self.nthreads as u32);
            account.complete();
            true
        })
    }

    fn help_when_called(&self) -> bool {
        self.help(Search::Everywhere)
    }

    fn leave(&self) {}

    fn is_deserted(&self) -> bool {
        false
    }
}

impl Team {
    fn new(form: Form, members: usize, told: bool, copies: bool) -> Team {
        let barrier = Barrier::default();
        barrier.reserve(members as u32);
        let sums = Sums::default();
        sums.reserve(members as u32);
        let go = || GoWord::new(Go::new(0, 0, Phase::Run));
        let slot = |tid| Slot { arrival: Arrival::new(tid), go: copies.then(go), ..Slot::default() };
        Team {
            go: go(),
            idle: Event::new(),
            barrier,
            sums,
            left: Departed::default(),
            form,
            slots: (0..members as u32).map(slot).collect(),
            region: UnsafeCell::new(Described { number: 0, epoch: 0 }),
            results: (0..members).map(|_| UnsafeCell::new(0)).collect(),
            effects: AtomicU32::new(0),
            told,
        }
    }

    /// The word or copy at which a member looks.
    fn go_of(&self, tid: usize) -> &GoWord {
        self.slots[tid].go.as_ref().filter(|_| tid > 0).unwrap_or(&self.go)
    }

    /// The copies at which workers with numbers below `count` look.
    fn copies(&self, count: u32) -> impl Iterator<Item = &GoWord> + Clone {
        self.slots[..count as usize].iter().skip(1).filter_map(|slot| slot.go.as_ref())
    }

    fn join(&self, tid: usize, nthreads: u32) -> Join<'_> {
        Join { go: self.go_of(tid), idle: &self.idle, barrier: &self.barrier, form: self.form, nthreads }
    }

    fn arrivals(&self, nthreads: usize) -> impl Iterator<Item = &Arrival> {
        self.slots[..nthreads].iter().map(|slot| &slot.arrival)
    }

    /// The primary thread looks again and again, and a worker as often as it has to.
    fn no_task_is_left(&self, tid: usize, nthreads: usize, epoch: u64) -> bool {
        let account = &self.slots[tid].account;
        self.sums.settle(account, tid as u32, nthreads as u32);
        if tid == 0 {
            self.sums.is_quiescent(account, tid as u32, nthreads as u32)
        } else {
            self.sums.finds_end(account, tid as u32, nthreads as u32, epoch)
        }
    }

    fn write_result(&self, tid: usize, value: u64) {
        self.results[tid].with_mut(|result| {
            // SAFETY: loom checks that nobody else touches the word now.
            unsafe { *result = value }
        });
    }

    /// As `task/create.rs` does: counted, announced, queued; a queue that was empty calls a sleeper.
    fn create_task(&self, tid: usize, nthreads: usize) {
        let account = &self.slots[tid].account;
        self.sums.begin(account, tid as u32, nthreads as u32);
        account.create();
        self.go.announce_tasks(&self.idle, self.copies(self.slots.len() as u32));
        self.slots[tid].queued.fetch_add(1, Ordering::SeqCst);
        loom::sync::atomic::fence(Ordering::SeqCst);
        self.barrier.event.call_one();
    }

    /// `team/worker.rs` in small.
    fn serve(&self, tid: usize, creates: bool) {
        let seen = Cell::new(0);
        loop {
            let idle = Waiting { team: self, tid, nthreads: 0 };
            let go = self.go_of(tid).next(&idle, &self.idle, &self.slots[tid].recall, tid as u32, &seen);
            if go.phase() == Phase::Disband {
                self.write_result(tid, u64::MAX);
                self.left.leave(&self.barrier.event);
                return;
            }
            let nthreads = go.nthreads() as usize;
            // SAFETY: loom checks that nobody writes the cell now.
            let described = self.region.with(|region| unsafe { *region });
            assert_eq!(described.number, go.epoch());
            let epoch = described.epoch + 1;
            self.write_result(tid, go.epoch());
            if creates {
                self.create_task(tid, nthreads);
            }
            let helper = Waiting { team: self, tid, nthreads };
            let join = self.join(tid, go.nthreads());
            let nothing_left = || self.no_task_is_left(tid, nthreads, epoch);
            join.pass(&helper, &self.slots[tid].arrival, epoch, go.epoch(), nothing_left);
        }
    }

    /// `team/fork.rs` in small: regions of so many threads one after the other, then the end of the team. `tasks` says
    /// whether the primary thread creates a task in each.
    fn lead(&self, regions: &[u32], tasks: bool, workers_create: bool) {
        let (mut epoch, mut before, mut effects) = (0, 0, 0);
        for (number, &nthreads) in (1..).zip(regions) {
            self.region.with_mut(|region| {
                // SAFETY: loom checks that nobody reads the cell now.
                unsafe { *region = Described { number, epoch } }
            });
            for slot in &self.slots {
                // SAFETY: as above.
                slot.queue.with_mut(|queue| unsafe { *queue += 1 });
            }
            let recall = |tid: u32| &self.slots[tid as usize].recall;
            self.go.start(&self.idle, before, nthreads, recall, self.copies(before.max(nthreads)));
            before = nthreads;
            if tasks {
                self.create_task(0, nthreads as usize);
                effects += 1;
            }
            if workers_create {
                effects += nthreads - 1;
            }
            epoch += 1;
            self.write_result(0, number);
            if nthreads > 1 {
                epoch = self.end(nthreads, epoch);
            }
            for result in &self.results[..nthreads as usize] {
                // SAFETY: loom checks that nobody writes the word now.
                assert_eq!(result.with(|result| unsafe { *result }), number);
            }
            assert_eq!(self.effects.load(Ordering::Relaxed), effects);
        }
        self.disband();
    }

    fn end(&self, nthreads: u32, mut epoch: u64) -> u64 {
        let helper = Waiting { team: self, tid: 0, nthreads: nthreads as usize };
        let members = nthreads as usize;
        self.barrier.arrive_at_join(self.form, &self.slots[0].arrival, epoch, nthreads);
        let over = || {
            self.barrier.all_joined(self.form, &self.slots[0].arrival, epoch, 1, nthreads, self.arrivals(members))
                && (!helper.has_tasks() || self.no_task_is_left(0, members, epoch))
        };
        meet(&helper, &self.barrier.event, over);
        if helper.has_tasks() {
            epoch += 1;
            let others = || self.arrivals(members);
            let copies = self.copies(nthreads);
            self.join(0, nthreads).leave_together(&helper, &self.slots[0].arrival, epoch, others, copies);
        } else if self.told {
            self.go.end(&self.idle, nthreads, Phase::Leave, self.copies(nthreads));
        }
        if self.form == Form::Cancellable {
            self.barrier.region_over();
        }
        epoch
    }

    fn disband(&self) {
        let attached = self.slots.len() as u32;
        let waiter = Waiting { team: self, tid: 0, nthreads: 0 };
        self.left.reset();
        let recall = |tid: u32| &self.slots[tid as usize].recall;
        self.go.disband(&self.idle, attached, recall, self.copies(attached));
        self.left.wait(&waiter, &self.barrier.event, attached - 1);
        for tid in 0..self.slots.len() {
            // Who has the team next writes where the workers wrote.
            self.write_result(tid, 0);
        }
    }
}

struct Case {
    form: Form,
    members: usize,
    /// How many threads each region has.
    regions: &'static [u32],
    told: bool,
    /// Whether each worker looks at a copy of the `go` word.
    copies: bool,
    /// Whether the primary thread, and each worker, creates a task in each region.
    tasks: (bool, bool),
    preemptions: usize,
}

const PLAIN: Case = Case {
    form: Form::Flat,
    members: 2,
    regions: &[2, 2],
    told: false,
    copies: false,
    tasks: (false, false),
    preemptions: 2,
};

fn check(case: Case) {
    let mut model = loom::model::Builder::new();
    // Without a bound one region of two members takes minutes. With the bounds here every fault below is found.
    model.preemption_bound = Some(case.preemptions);
    model.check(move || {
        let team = Arc::new(Team::new(case.form, case.members, case.told, case.copies));
        let workers: Vec<_> = (1..case.members)
            .map(|tid| {
                let team = team.clone();
                thread::spawn(move || team.serve(tid, case.tasks.1))
            })
            .collect();
        team.lead(case.regions, case.tasks.0, case.tasks.1);
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

#[test]
fn two_regions() {
    check(PLAIN);
}

#[test]
fn two_regions_of_the_central_form() {
    check(Case { form: Form::Central, ..PLAIN });
}

/// A member that looks at the word announces tasks while the primary thread still changes the copy at which another
/// member looks. That member hears of the tasks, and not in the region before.
#[test]
fn tasks_announced_before_the_copies_change() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let word = || GoWord::new(Go::new(1, 3, Phase::Run));
        let team = Arc::new((word(), word(), Event::new()));
        let creator = {
            let team = team.clone();
            thread::spawn(move || {
                let (go, copy, idle) = &*team;
                until(&SleepsAtOnce, idle, || go.look().epoch() == 2);
                go.announce_tasks(idle, std::iter::once(copy));
            })
        };
        let watcher = {
            let team = team.clone();
            thread::spawn(move || {
                let (_, copy, idle) = &*team;
                until(&SleepsAtOnce, idle, || {
                    let go = copy.look();
                    assert!(go.epoch() == 2 || go.phase() == Phase::Run, "tasks in a region that has none");
                    go == Go::new(2, 3, Phase::Tasks)
                });
            })
        };
        let (go, copy, idle) = &*team;
        let recall = Recall::default();
        go.start(idle, 3, 3, |_| &recall, std::iter::once(copy));
        creator.join().unwrap();
        watcher.join().unwrap();
    });
}

/// Three members are two groups.
#[test]
fn two_regions_with_copies_of_the_word() {
    check(Case { copies: true, ..PLAIN });
}

#[test]
fn a_worker_in_reserve_with_a_copy_is_called_back() {
    check(Case { copies: true, regions: &[1, 2], preemptions: 3, ..PLAIN });
}

#[test]
fn a_task_of_a_worker_with_a_copy() {
    check(Case { copies: true, regions: &[2, 2], tasks: (false, true), preemptions: 1, ..PLAIN });
}

#[test]
fn a_region_of_the_grouped_form() {
    check(Case { form: Form::Grouped, members: 3, regions: &[3], preemptions: 1, ..PLAIN });
}

#[test]
fn two_regions_that_may_be_cancelled() {
    check(Case { form: Form::Cancellable, ..PLAIN });
}

#[test]
fn two_regions_with_a_tool() {
    check(Case { told: true, ..PLAIN });
}

#[test]
fn a_region_of_one_in_between() {
    check(Case { regions: &[2, 1, 2], ..PLAIN });
}

#[test]
fn a_worker_in_reserve_is_called_back() {
    // Regions of one thread are not announced: the worker is in reserve if it comes to look, or sleeps through.
    check(Case { regions: &[1, 2], preemptions: 3, ..PLAIN });
}

#[test]
fn a_worker_in_reserve_hears_of_the_end() {
    check(Case { members: 3, regions: &[2], preemptions: 1, ..PLAIN });
}

#[test]
fn a_task_of_the_primary_thread() {
    check(Case { regions: &[2], tasks: (true, false), ..PLAIN });
}

#[test]
fn a_task_of_a_worker() {
    check(Case { regions: &[2], tasks: (false, true), ..PLAIN });
}

#[test]
fn a_task_of_each_where_the_region_may_be_cancelled() {
    check(Case { form: Form::Cancellable, regions: &[2], tasks: (true, true), preemptions: 1, ..PLAIN });
}

#[test]
fn regions_with_tasks_follow_each_other() {
    check(Case { regions: &[2, 2], tasks: (true, false), preemptions: 1, ..PLAIN });
}

#[test]
fn a_region_that_is_not_published_is_caught() {
    assert_caught("go: published relaxed", "two_regions");
    assert_caught("go: looked at relaxed", "two_regions");
    assert_caught("wait: no second look", "two_regions");
}

#[test]
fn a_primary_thread_that_misses_a_group_is_caught() {
    assert_caught("barrier: no fence after a group has joined", "a_region_of_the_grouped_form");
}

#[test]
fn tasks_that_are_announced_in_the_wrong_region_are_caught() {
    assert_caught("go: tasks are forgotten in the copies", "tasks_announced_before_the_copies_change");
    assert_caught("go: tasks are announced in any copy", "tasks_announced_before_the_copies_change");
}

#[test]
fn calls_that_get_lost_are_caught() {
    assert_caught("recall: called before the word changes", "a_worker_in_reserve_is_called_back");
    assert_caught("recall: read after the word", "a_worker_in_reserve_is_called_back");
}

#[test]
fn a_team_that_is_used_too_early_is_caught() {
    assert_caught("join: no second round", "regions_with_tasks_follow_each_other");
    assert_caught("disband: left relaxed", "two_regions");
}

#[test]
fn members_that_sleep_through_the_end_are_caught() {
    assert_caught("join: no second look at the word", "a_task_of_the_primary_thread");
    assert_caught("join: a helper tells nobody of the end", "a_task_of_the_primary_thread");
}
