//! Tasks as other runtimes have them, in code of our own from a description of their shapes: which thread takes which
//! lock, and who looks at which line.
//!
//! - libomp: each thread has a queue of 256 tasks behind a ticket lock. A thread without tasks picks another at random,
//!   looks at its number of tasks, takes its lock, and takes the oldest task. One counter has the threads that still
//!   have tasks. A full queue makes the producer execute the task at once.
//! - libgomp: one lock of the team, taken to create, to take and to end a task. Threads at a barrier look at one word
//!   that says whether tasks wait. With 64 tasks a thread, the producer executes the task at once.

use super::tasks::{Tree, chains_of, producer_of, tree_of};
use crate::scenario::Scenario;
use crate::task::{HEADER, Work};
use crate::team::{Member, Team, play_rounds};
use crate::waiting::Patience;
use ferromp_ground::model::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use ferromp_ground::model::{Padded, spin_hint};
use ferromp_simulator::{self as simulator, Machine, Outcome, name, work};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

pub const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "libomp tasks, one producer",
        what: "as tasks, one producer, with libomp's queues",
        play: |m, n| libomp(m, n, producer_of(n)),
    },
    Scenario {
        name: "libomp tasks, tree",
        what: "as tasks, tree, with libomp's queues",
        play: |m, n| libomp(m, n, tree_of(n)),
    },
    Scenario {
        name: "libomp tasks, chains",
        what: "as tasks, chains, with libomp's queues",
        play: |m, n| libomp(m, n, chains_of(n)),
    },
    Scenario {
        name: "libgomp tasks, one producer",
        what: "as tasks, one producer, with libgomp's queue",
        play: |m, n| libgomp(m, n, producer_of(n)),
    },
    Scenario {
        name: "libgomp tasks, tree",
        what: "as tasks, tree, with libgomp's queue",
        play: |m, n| libgomp(m, n, tree_of(n)),
    },
    Scenario {
        name: "libgomp tasks, chains",
        what: "as tasks, chains, with libgomp's queue",
        play: |m, n| libgomp(m, n, chains_of(n)),
    },
];

const ROUNDS: u64 = 2;

/// A task's block.
struct Block {
    work: Work,
    header: [u64; HEADER],
}

fn block(work: Work) -> Rc<Block> {
    let block = Rc::new(Block { work, header: [0; HEADER] });
    simulator::write_plain(&block.header);
    block
}

/// Calls `create` for each child of a task that has been worked off.
fn run(block: &Block, create: impl Fn(Work)) {
    simulator::read_plain(&block.header);
    work(block.work.time);
    if block.work.generations > 1 {
        let child = Work { generations: block.work.generations - 1, ..block.work };
        (0..block.work.children).for_each(|_| create(child));
    }
}

/// The tasks that a runtime is given.
trait Tasks {
    fn create(&self, team: &Team, member: &Member, work: Work);
    /// Executes tasks until none is left in the team.
    fn finish(&self, team: &Team, member: &Member);
}

fn play(machine: &Machine, nthreads: u32, tree: Tree, tasks: impl Tasks + 'static) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, ROUNDS, move |team, member| {
        if member.tid == 0 {
            (0..tree.count).for_each(|_| tasks.create(team, member, tree.work));
        }
        team.gather(member);
        tasks.finish(team, member);
        team.gather(member);
    })
}

/// One thread's queue, with its lock on the same line.
#[derive(Default)]
struct Locked {
    next: AtomicU32,
    turn: AtomicU32,
    length: AtomicU32,
    tasks: RefCell<VecDeque<Rc<Block>>>,
    /// The state of the thread's random numbers, and whether the counter has the thread.
    seed: Cell<u32>,
    finished: Cell<bool>,
}

impl Locked {
    fn with<R>(&self, body: impl FnOnce(&mut VecDeque<Rc<Block>>) -> R) -> R {
        let mine = self.next.fetch_add(1, Ordering::Relaxed);
        while self.turn.load(Ordering::Acquire) != mine {
            spin_hint();
        }
        let mut tasks = self.tasks.borrow_mut();
        let result = body(&mut tasks);
        self.length.store(tasks.len() as u32, Ordering::Relaxed);
        drop(tasks);
        self.turn.store(mine + 1, Ordering::Release);
        result
    }
}

struct Libomp {
    queues: Vec<Padded<Locked>>,
    unfinished: Padded<AtomicU32>,
    over: Padded<AtomicU64>,
    round: Cell<u64>,
}

const QUEUE: u32 = 256;

fn libomp(machine: &Machine, nthreads: u32, tree: Tree) -> Outcome {
    let queues =
        (0..nthreads).map(|tid| Padded(Locked { seed: Cell::new(tid * 9791 + 7), ..Locked::default() })).collect();
    let unfinished = Padded(AtomicU32::new(nthreads));
    play(machine, nthreads, tree, Libomp { queues, unfinished, over: Padded::default(), round: Cell::new(0) })
}

impl Libomp {
    fn execute(&self, team: &Team, member: &Member, block: &Block) {
        run(block, |child| self.create(team, member, child));
    }

    fn steal(&self, member: &Member) -> Option<Rc<Block>> {
        let mine = &self.queues[member.tid as usize];
        mine.seed.set(mine.seed.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let others = self.queues.len() as u32 - 1;
        let victim = (mine.seed.get() >> 16) % others;
        let victim = &self.queues[(victim + u32::from(victim >= member.tid)) as usize];
        if victim.length.load(Ordering::Relaxed) == 0 {
            return None;
        }
        victim.with(VecDeque::pop_front)
    }
}

impl Tasks for Libomp {
    fn create(&self, team: &Team, member: &Member, work: Work) {
        let block = block(work);
        let queue = &self.queues[member.tid as usize];
        if queue.length.load(Ordering::Relaxed) >= QUEUE {
            return self.execute(team, member, &block);
        }
        queue.with(|tasks| tasks.push_back(block));
    }

    fn finish(&self, team: &Team, member: &Member) {
        let mine = &self.queues[member.tid as usize];
        name("a queue", &**mine);
        name("the unfinished threads", &*self.unfinished);
        let round = self.round.get();
        loop {
            let own = if mine.length.load(Ordering::Relaxed) > 0 { mine.with(VecDeque::pop_back) } else { None };
            if let Some(block) = own.or_else(|| self.steal(member)) {
                if mine.finished.replace(false) {
                    self.unfinished.fetch_add(1, Ordering::Relaxed);
                }
                self.execute(team, member, &block);
                continue;
            }
            if !mine.finished.replace(true) {
                self.unfinished.fetch_sub(1, Ordering::AcqRel);
            }
            if member.tid == 0 && self.unfinished.load(Ordering::Acquire) == 0 {
                mine.finished.set(false);
                self.unfinished.store(team.nthreads, Ordering::Relaxed);
                self.round.set(round + 1);
                return self.over.store(round + 1, Ordering::Release);
            }
            if self.over.load(Ordering::Acquire) > round {
                return mine.finished.set(false);
            }
            spin_hint();
        }
    }
}

#[derive(Default)]
struct Libgomp {
    taken: Padded<AtomicBool>,
    tasks: RefCell<VecDeque<Rc<Block>>>,
    /// Tasks that are not complete. Under the lock.
    count: Padded<AtomicU32>,
    /// Whether tasks wait in the queue, and how many rounds are over.
    waiting: Padded<AtomicU64>,
}

const A_THREAD: u32 = 64;

fn libgomp(machine: &Machine, nthreads: u32, tree: Tree) -> Outcome {
    play(machine, nthreads, tree, Libgomp::default())
}

impl Libgomp {
    fn lock(&self) {
        while self.taken.swap(true, Ordering::Acquire) {
            while self.taken.load(Ordering::Relaxed) {
                spin_hint();
            }
        }
    }

    fn unlock(&self) {
        self.taken.store(false, Ordering::Release);
    }

    fn add(&self, team: &Team, work: Work) {
        let block = block(work);
        if self.count.load(Ordering::Relaxed) > A_THREAD * team.nthreads {
            return run(&block, |child| self.add(team, child));
        }
        self.lock();
        self.count.store(self.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.tasks.borrow_mut().push_back(block);
        let waiting = self.waiting.load(Ordering::Relaxed);
        if waiting & 1 == 0 {
            self.waiting.store(waiting | 1, Ordering::Relaxed);
        }
        self.unlock();
    }

    /// Takes a task, under the lock.
    fn take(&self) -> Option<Rc<Block>> {
        let mut tasks = self.tasks.borrow_mut();
        let task = tasks.pop_front();
        if task.is_some() && tasks.is_empty() {
            self.waiting.store(self.waiting.load(Ordering::Relaxed) & !1, Ordering::Relaxed);
        }
        task
    }
}

impl Tasks for Libgomp {
    fn create(&self, team: &Team, _member: &Member, work: Work) {
        self.add(team, work);
    }

    fn finish(&self, team: &Team, member: &Member) {
        name("the lock", &*self.taken);
        name("the number of tasks", &*self.count);
        name("the waiting word", &*self.waiting);
        let round = self.waiting.load(Ordering::Acquire) >> 1;
        // Every thread has read the round before a thread ends it.
        team.gather(member);
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        loop {
            let waiting = self.waiting.load(Ordering::Acquire);
            if waiting >> 1 != round {
                return;
            }
            if waiting & 1 == 0 {
                spin_hint();
                continue;
            }
            self.lock();
            while let Some(block) = self.take() {
                self.unlock();
                run(&block, |child| self.add(team, child));
                self.lock();
                let left = self.count.load(Ordering::Relaxed) - 1;
                self.count.store(left, Ordering::Relaxed);
                if left == 0 {
                    self.waiting.store((round + 1) << 1, Ordering::Release);
                }
            }
            self.unlock();
        }
    }
}
