//! libomp's tasks. Each thread has a queue of 256 tasks, behind a ticket lock on a line of its own. The owner takes its
//! latest task. A thread without tasks goes to the thread from which it stole last, or else to one at random. It looks
//! at that queue's number of tasks, takes the lock, looks at the oldest task, which may have dependences, and takes it.
//! A full queue makes the producer execute the task at once.
//!
//! A parent counts its incomplete children, and the children whose memory is in use, by read-modify-writes. One counter
//! has the threads that still have tasks.

use super::peer_runtime::Tasks;
use super::peers::spin;
use crate::task::Work;
use crate::team::{Member, Team};
use ferromp_ground::model::atomic::{AtomicU32, AtomicU64, Ordering};
use ferromp_ground::model::{self, Padded, spin_hint};
use ferromp_simulator::{self as simulator, name, work};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// A task's block. The lines are those of its parts: who the task is, its ICVs, its counts, its function and data.
#[repr(C, align(64))]
struct Block {
    /// Null for an implicit task.
    parent: *const Block,
    work: Work,
    /// The thread that made the block.
    owner: u32,
    /// Its flags. In a free block the link to the next one.
    identity: [u64; 4],
    _icvs: [u64; 8],
    /// The task and those of its children that have memory.
    allocated: AtomicU32,
    incomplete: AtomicU32,
    /// For a look at whether the task has dependences.
    node: u64,
    _counts: [u64; 6],
    function: [u64; 8],
}

impl Block {
    fn new(parent: *const Block, work: Work, owner: u32) -> Self {
        Block {
            parent,
            work,
            owner,
            identity: [0; 4],
            _icvs: [0; 8],
            allocated: AtomicU32::new(1),
            incomplete: AtomicU32::new(0),
            node: 0,
            _counts: [0; 6],
            function: [0; 8],
        }
    }

    fn is_explicit(&self) -> bool {
        !self.parent.is_null()
    }

    /// Its parent.
    fn parent(&self) -> &Block {
        // SAFETY: blocks and implicit tasks stay until the run is over. Only explicit tasks are asked.
        unsafe { &*self.parent }
    }
}

/// Tasks that a thread's queue holds.
const QUEUE: usize = 256;

/// Places of the queue that lie on one line.
#[repr(align(64))]
#[derive(Default)]
struct Places([u64; Places::COUNT]);

impl Places {
    const COUNT: usize = 8;
}

/// A ticket lock.
#[derive(Default)]
struct Lock {
    next: AtomicU32,
    turn: AtomicU32,
}

impl Lock {
    fn with<R>(&self, body: impl FnOnce() -> R) -> R {
        let mine = self.next.fetch_add(1, Ordering::Relaxed);
        spin(|| self.turn.load(Ordering::Acquire) == mine);
        let result = body();
        self.turn.fetch_add(1, Ordering::Release);
        result
    }
}

/// A thread's free blocks. The heads of all lists lie on one line.
#[derive(Default)]
struct Memory {
    /// Those of the thread itself.
    own: RefCell<Vec<*const Block>>,
    /// Those of another thread, which go back to that thread together.
    others: RefCell<Vec<*const Block>>,
    /// Those that other threads have given back, under the word.
    returned: RefCell<Vec<*const Block>>,
    heads: Padded<Heads>,
    /// All blocks that the thread has made, which stay until the run is over.
    all: RefCell<Vec<Rc<Block>>>,
}

#[derive(Default)]
struct Heads {
    /// Of the lists that only the thread uses.
    own: u64,
    returned: AtomicU64,
}

impl Memory {
    /// How many blocks of another thread go back together.
    const LIMIT: usize = 16;

    fn take(&self, block: Block) -> *const Block {
        simulator::write_plain(&self.heads.own);
        if self.own.borrow().is_empty() {
            loop {
                let head = self.heads.returned.load(Ordering::Acquire);
                let takes = || self.heads.returned.compare_exchange(head, 0, Ordering::AcqRel, Ordering::Relaxed);
                if head == 0 || takes().is_ok() {
                    break;
                }
                spin_hint();
            }
            self.own.swap(&self.returned);
        }
        let Some(free) = self.own.borrow_mut().pop() else {
            let block = Rc::new(block);
            simulator::write_plain(&*block);
            self.all.borrow_mut().push(block.clone());
            return Rc::as_ptr(&block);
        };
        // SAFETY: no thread uses a free block, and blocks stay until the run is over.
        unsafe {
            simulator::read_plain(&(*free).identity);
            free.cast_mut().write(block);
            simulator::write_plain(&*free);
        }
        free
    }
}

/// What lies on one line of a thread's description: the task that the thread executes, the state of its random numbers,
/// and whether the thread sleeps, at which thieves look.
struct Info {
    current: Cell<*const Block>,
    seed: Cell<u32>,
}

impl Info {
    fn current(&self) -> *const Block {
        simulator::read_plain(self);
        self.current.get()
    }

    fn switch_to(&self, block: *const Block) -> *const Block {
        simulator::write_plain(self);
        self.current.replace(block)
    }
}

/// One thread's queue, and what else the thread has.
struct Thread {
    lock: Padded<Lock>,
    /// How many tasks wait. Its line has the queue's ends as well.
    length: Padded<AtomicU32>,
    places: Vec<Places>,
    tasks: RefCell<VecDeque<*const Block>>,
    /// How many tasks have been taken from the front since the run began.
    taken: Cell<usize>,
    /// From which thread this one stole last.
    last_victim: Cell<Option<u32>>,
    info: Padded<Info>,
    /// Whether the counter leaves the thread out.
    finished: Cell<bool>,
    implicit: Rc<Block>,
    memory: Memory,
}

impl Thread {
    fn new(tid: u32) -> Self {
        let implicit = Rc::new(Block::new(std::ptr::null(), Work { generations: 0, children: 0, time: 0 }, tid));
        Thread {
            lock: Padded::default(),
            length: Padded::default(),
            places: (0..QUEUE / Places::COUNT).map(|_| Places::default()).collect(),
            tasks: RefCell::default(),
            taken: Cell::new(0),
            last_victim: Cell::new(None),
            info: Padded(Info { seed: Cell::new(tid * 9791 + 7), current: Cell::new(Rc::as_ptr(&implicit)) }),
            finished: Cell::new(false),
            implicit,
            memory: Memory::default(),
        }
    }

    /// The place of the task that `ahead` others would be taken before.
    fn place(&self, ahead: usize) -> &u64 {
        let place = (self.taken.get() + ahead) % QUEUE;
        &self.places[place / Places::COUNT].0[place % Places::COUNT]
    }

    fn push(&self, block: *const Block) {
        self.lock.with(|| {
            let length = self.length.load(Ordering::Relaxed);
            simulator::write_plain(self.place(length as usize));
            self.tasks.borrow_mut().push_back(block);
            self.length.store(length + 1, Ordering::Relaxed);
        });
    }

    /// The latest task.
    fn pop(&self) -> Option<*const Block> {
        self.take(false, || ())
    }

    /// Takes the oldest or the latest task under the lock, and calls `before_release` if there was one.
    fn take(&self, oldest: bool, before_release: impl FnOnce()) -> Option<*const Block> {
        if self.length.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.lock.with(|| {
            let length = self.length.load(Ordering::Relaxed);
            let ends = |tasks: &mut VecDeque<_>| if oldest { tasks.pop_front() } else { tasks.pop_back() };
            let block = ends(&mut self.tasks.borrow_mut())?;
            simulator::read_plain(self.place(if oldest { 0 } else { length as usize - 1 }));
            // SAFETY: a task that waits in a queue has its block.
            simulator::read_plain(unsafe { &(*block).node });
            self.taken.set(self.taken.get() + usize::from(oldest));
            before_release();
            self.length.store(length - 1, Ordering::Relaxed);
            Some(block)
        })
    }
}

/// The team's tasks.
pub struct Libomp {
    threads: Vec<Thread>,
    unfinished: Padded<AtomicU32>,
    over: Padded<AtomicU64>,
    round: Cell<u64>,
}

impl Libomp {
    pub fn new(nthreads: u32) -> Self {
        Libomp {
            threads: (0..nthreads).map(Thread::new).collect(),
            unfinished: Padded(AtomicU32::new(nthreads)),
            over: Padded::default(),
            round: Cell::new(0),
        }
    }

    fn execute(&self, team: &Team, member: &Member, block: *const Block) {
        // SAFETY: a task that has not ended has its block.
        let block = unsafe { &*block };
        let me = &self.threads[member.tid as usize];
        // The task's flags and its function: neither look depends on the other.
        let words = [&block.identity[0], &block.function[0]];
        model::look_at_all(words.into_iter(), |_| ()).for_each(drop);
        simulator::write_plain(&block.identity);
        let outer = me.info.switch_to(block);
        work(block.work.time);
        if block.work.generations > 1 {
            let child = Work { generations: block.work.generations - 1, ..block.work };
            (0..block.work.children).for_each(|_| self.create(team, member, child));
        }
        me.info.switch_to(outer);
        self.complete(me, block);
    }

    /// Ends a task. The last child that goes takes its parent's memory along.
    fn complete(&self, me: &Thread, mut block: &Block) {
        simulator::write_plain(&block.identity);
        block.parent().incomplete.fetch_sub(1, Ordering::AcqRel);
        while block.allocated.fetch_sub(1, Ordering::AcqRel) == 1 {
            let parent = block.parent();
            self.free(me, block);
            block = parent;
            if !block.is_explicit() {
                return;
            }
        }
    }

    fn free(&self, me: &Thread, block: &Block) {
        simulator::write_plain(&block.identity);
        simulator::write_plain(&me.memory.heads.own);
        if block.owner == me.implicit.owner {
            return me.memory.own.borrow_mut().push(block);
        }
        let mut others = me.memory.others.borrow_mut();
        // SAFETY: blocks stay until the run is over.
        let owner = others.first().map(|&first| unsafe { (*first).owner });
        if let Some(owner) = owner
            && (owner != block.owner || others.len() == Memory::LIMIT)
        {
            let memory = &self.threads[owner as usize].memory;
            let returned = &memory.heads.returned;
            loop {
                let head = returned.load(Ordering::Relaxed);
                if returned.compare_exchange(head, head + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                    break;
                }
                spin_hint();
            }
            memory.returned.borrow_mut().append(&mut others);
        }
        others.push(block);
    }

    fn steal(&self, victim: u32, me: &Thread) -> Option<*const Block> {
        self.threads[victim as usize].take(true, || {
            if me.finished.replace(false) {
                self.unfinished.fetch_add(1, Ordering::Relaxed);
            }
        })
    }

    fn random_victim(&self, me: &Thread, tid: u32) -> u32 {
        let seed = &me.info.seed;
        simulator::write_plain(&*me.info);
        seed.set(seed.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let victim = (seed.get() >> 16) % (self.threads.len() as u32 - 1);
        let victim = victim + u32::from(victim >= tid);
        // Whether the victim sleeps.
        simulator::read_plain(&*self.threads[victim as usize].info);
        victim
    }

    /// Executes tasks until a theft fails. A thread that has stolen from a new victim stays with that victim.
    fn execute_some(&self, team: &Team, member: &Member) {
        let me = &self.threads[member.tid as usize];
        let (mut own, mut new_victim, mut victim) = (true, false, me.last_victim.get());
        loop {
            let mut found = if own { me.pop() } else { None };
            if found.is_none() {
                own = false;
                let goes_to = victim.or_else(|| (!new_victim).then(|| self.random_victim(me, member.tid)));
                found = goes_to.and_then(|victim| self.steal(victim, me));
                victim = goes_to.filter(|_| found.is_some());
                new_victim |= victim.is_some() && victim != me.last_victim.get();
                me.last_victim.set(victim);
            }
            let Some(block) = found else { return };
            self.execute(team, member, block);
            // libomp yields after each task, unless the user says that the CPUs are the program's alone.
            spin_hint();
            simulator::give_way();
            if !own && me.length.load(Ordering::Relaxed) != 0 {
                (own, new_victim) = (true, false);
            }
        }
    }
}

impl Tasks for Libomp {
    fn create(&self, team: &Team, member: &Member, work: Work) {
        let me = &self.threads[member.tid as usize];
        // SAFETY: blocks and implicit tasks stay until the run is over.
        let parent = unsafe { &*me.info.current() };
        let block = me.memory.take(Block::new(parent, work, member.tid));
        parent.incomplete.fetch_add(1, Ordering::AcqRel);
        if parent.is_explicit() {
            parent.allocated.fetch_add(1, Ordering::AcqRel);
        }
        if me.length.load(Ordering::Relaxed) as usize >= QUEUE {
            return self.execute(team, member, block);
        }
        me.push(block);
    }

    fn finish(&self, team: &Team, member: &Member) {
        let me = &self.threads[member.tid as usize];
        name("a queue's lock", &*me.lock);
        name("a queue", &*me.length);
        name("a thread's description", &*me.info);
        name("a thread's free blocks", &*me.memory.heads);
        name("an implicit task", &*me.implicit);
        name("the unfinished threads", &*self.unfinished);
        let round = self.round.get();
        loop {
            self.execute_some(team, member);
            if me.implicit.incomplete.load(Ordering::Acquire) == 0 && !me.finished.replace(true) {
                self.unfinished.fetch_sub(1, Ordering::AcqRel);
            }
            if member.tid == 0 && self.unfinished.load(Ordering::Acquire) == 0 {
                me.finished.set(false);
                self.unfinished.store(team.nthreads, Ordering::Relaxed);
                self.round.set(round + 1);
                return self.over.store(round + 1, Ordering::Release);
            }
            if self.over.load(Ordering::Acquire) > round {
                return me.finished.set(false);
            }
            spin_hint();
        }
    }
}
