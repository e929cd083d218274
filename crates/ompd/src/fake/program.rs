//! Threads, teams and tasks of a [`Fake`], put together as the runtime does.

use super::Fake;
use ompd_layout::Field;
use ompt::{State, TaskFlag};

/// A program that grows.
pub struct Program<'a> {
    pub fake: &'a Fake,
    newest: std::cell::Cell<u64>,
}

/// What a function of the program stands at.
pub const CODE: u64 = 0x4000;

impl<'a> Program<'a> {
    /// No thread yet.
    pub fn new(fake: &'a Fake) -> Program<'a> {
        Program { fake, newest: std::cell::Cell::new(0) }
    }

    /// States and frames are kept from here on.
    pub fn keep_states(&self) {
        self.fake.set_root(Field::RootKept, 1);
    }

    /// A descriptor of a thread; its `pthread_t` is made of the number that the kernel has for it.
    pub fn thread(&self, lwp: u64) -> u64 {
        let (fake, thread) = (self.fake, self.fake.allocate(1024));
        fake.set(thread, Field::ThreadPthread, pthread(lwp));
        fake.set(thread, Field::ThreadLwp, lwp);
        fake.set(thread, Field::ThreadGtid, lwp % 100);
        fake.set(thread, Field::ThreadDevice, -1_i64 as u64);
        fake.set(thread, Field::ThreadKind, 2);
        fake.set(thread, Field::ThreadState, State::UNDEFINED.0 as u64);
        fake.set(thread, Field::ThreadNext, self.newest.get());
        self.newest.set(thread);
        fake.set_root(Field::RootThreads, thread);
        thread
    }

    /// A team with `count` slots, and its region number `region`.
    pub fn team(&self, count: u64, region: u64, level: u64) -> u64 {
        let (fake, team) = (self.fake, self.fake.allocate(2048));
        let members = fake.allocate(count as usize * fake.pointer);
        for tid in 0..count {
            let member = fake.allocate(2048);
            fake.poke_number(members + tid * fake.pointer as u64, fake.pointer, member);
            fake.set(member, Field::MemberTeam, team);
            fake.set(member, Field::MemberTid, tid);
            if tid != 0 {
                fake.set(member, Field::MemberSeen, region);
            }
            let task = self.implicit(team, tid, members);
            fake.set(task, Field::TaskFlags, TaskFlag::IMPLICIT.0 as u64);
        }
        fake.set(team, Field::TeamMembers, members);
        fake.set(team, Field::TeamCapacity, count);
        fake.set(team, Field::TeamThreads, count);
        fake.set(team, Field::TeamLevel, level);
        fake.set(team, Field::TeamGo, go(region, count, 0));
        fake.set(team, Field::TeamFunction, CODE + level * 16);
        team
    }

    fn implicit(&self, _team: u64, tid: u64, members: u64) -> u64 {
        self.at(members, tid) + u64::from(self.fake.entry(Field::MemberImplicit).offset)
    }

    fn at(&self, members: u64, tid: u64) -> u64 {
        self.read(members + tid * self.fake.pointer as u64, self.fake.pointer)
    }

    /// A number in the program's memory.
    pub fn read(&self, address: u64, size: usize) -> u64 {
        let memory = self.fake.memory.borrow();
        let from = (address - super::BASE) as usize;
        let mut bytes = memory[from..from + size].to_vec();
        if self.fake.big_endian {
            bytes.reverse();
        }
        bytes.resize(8, 0);
        u64::from_le_bytes(bytes.try_into().unwrap())
    }

    /// A field of a structure.
    pub fn get(&self, base: u64, field: Field) -> u64 {
        let entry = self.fake.entry(field);
        self.read(base + u64::from(entry.offset), entry.size as usize)
    }

    /// The slot of a thread number.
    pub fn member(&self, team: u64, tid: u64) -> u64 {
        self.at(self.get(team, Field::TeamMembers), tid)
    }

    /// The implicit task in a slot.
    pub fn task_of(&self, member: u64) -> u64 {
        member + u64::from(self.fake.entry(Field::MemberImplicit).offset)
    }

    /// The thread works in the slot, and executes its implicit task.
    pub fn works_in(&self, thread: u64, team: u64, tid: u64) {
        let member = self.member(team, tid);
        self.fake.set(member, Field::MemberThread, thread);
        self.fake.set(thread, Field::ThreadMember, member);
        self.fake.set(thread, Field::ThreadTask, self.task_of(member));
    }

    /// A root thread in its initial task.
    pub fn root(&self, lwp: u64) -> (u64, u64) {
        let (thread, team) = (self.thread(lwp), self.team(1, 0, 0));
        self.works_in(thread, team, 0);
        self.fake.set(thread, Field::ThreadKind, 1);
        self.fake.set(self.task_of(self.member(team, 0)), Field::TaskFlags, TaskFlag::INITIAL.0 as u64);
        self.fake.set(team, Field::TeamFunction, 0);
        (thread, team)
    }

    /// `threads` execute a region of level `level`, which the first of them has encountered in its current slot and
    /// task.
    pub fn fork(&self, threads: &[u64], region: u64, level: u64) -> u64 {
        let team = self.team(threads.len() as u64, region, level);
        let parent = self.get(threads[0], Field::ThreadMember);
        let task = self.get(threads[0], Field::ThreadTask);
        self.fake.set(parent, Field::MemberChild, team);
        self.fake.set(team, Field::TeamParent, parent);
        self.fake.set(team, Field::TeamParentTask, task);
        for (tid, thread) in threads.iter().enumerate() {
            self.works_in(*thread, team, tid as u64);
            self.fake.set(self.task_of(self.member(team, tid as u64)), Field::TaskParent, task);
        }
        team
    }

    /// The region of the team is over, and its primary thread outside.
    pub fn join(&self, team: u64) {
        let primary = self.member(team, 0);
        let region = self.get(team, Field::TeamGo) >> 25;
        self.fake.set(primary, Field::MemberSeen, region);
        let thread = self.get(primary, Field::MemberThread);
        self.fake.set(thread, Field::ThreadMember, self.get(team, Field::TeamParent));
        self.fake.set(thread, Field::ThreadTask, self.get(team, Field::TeamParentTask));
    }

    /// A slab of a thread's store, with `classes` blocks that are free.
    pub fn slab(&self, thread: u64, classes: &[u64]) -> Vec<u64> {
        let fake = self.fake;
        let slab = fake.allocate(fake.entry(Field::SlabBytes).offset as usize);
        fake.set(slab, Field::SlabNext, self.get(thread, Field::ThreadSlab));
        fake.set(thread, Field::ThreadSlab, slab);
        let mut at = slab + u64::from(fake.entry(Field::SlabFirst).offset);
        let strides =
            [Field::BlockBytes0, Field::BlockBytes1, Field::BlockBytes2, Field::BlockBytes3, Field::BlockBytes0];
        let blocks = classes.iter().map(|class| {
            let block = at;
            at += u64::from(fake.entry(strides[*class as usize]).offset);
            fake.set(block, Field::TaskItself, block);
            fake.set(block, Field::TaskClass, *class);
            fake.set(block, Field::TaskLink, 1);
            fake.set(block, Field::TaskFlags, TaskFlag::EXPLICIT.0 as u64);
            block
        });
        blocks.collect()
    }

    /// An explicit task in a block, queued.
    pub fn explicit(&self, block: u64, parent: u64, team: u64, function: u64) -> u64 {
        let fake = self.fake;
        fake.set(block, Field::TaskLink, 0);
        fake.set(block, Field::TaskParent, parent);
        fake.set(block, Field::TaskTeam, team);
        fake.set(block, Field::TaskFunction, function);
        fake.set(block, Field::TaskDepth, self.get(parent, Field::TaskDepth) + 1);
        block
    }
}

/// A value of the word that starts and ends regions.
pub fn go(region: u64, threads: u64, phase: u64) -> u64 {
    region << 25 | threads << 3 | phase
}

/// What the C library calls a thread.
pub fn pthread(lwp: u64) -> u64 {
    0x7000_0000 + lwp
}
