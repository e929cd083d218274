//! libgomp's tasks: one lock of the team, taken to create, to take and to end a task. Threads at a barrier look at one
//! word that says whether tasks wait. With 64 tasks a thread, the producer executes the task at once.

use super::peer_runtime::Tasks;
use crate::task::Work;
use crate::team::{Member, Team};
use ferromp_ground::model::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use ferromp_ground::model::{Padded, spin_hint};
use ferromp_simulator::{self as simulator, name, work};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A task's block.
struct Block {
    work: Work,
    header: [u64; 8],
}

fn block(work: Work) -> Rc<Block> {
    let block = Rc::new(Block { work, header: [0; 8] });
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

/// The team's tasks.
#[derive(Default)]
pub struct Libgomp {
    taken: Padded<AtomicBool>,
    tasks: RefCell<VecDeque<Rc<Block>>>,
    /// Tasks that are not complete. Under the lock.
    count: Padded<AtomicU32>,
    /// Whether tasks wait in the queue, and how many rounds are over.
    waiting: Padded<AtomicU64>,
}

/// Tasks a thread, from which on the producer executes the task at once.
const A_THREAD: u32 = 64;

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
    const ROUNDS: u64 = 2;

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
