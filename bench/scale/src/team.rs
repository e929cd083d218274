//! A team as the runtime has it, without what no protocol needs. The fields and their lines are those of `Team` and
//! `Member` in `crates/runtime/src/objects/structures.rs`. Each method names the function of the runtime that it stands
//! for.

use crate::task::{Task, TaskMember};
use crate::waiting::Patience;
use ferromp_ground::model::Padded;
use ferromp_ground::model::atomic::AtomicU64;
use ferromp_ground::park::event::Event;
use ferromp_ground::park::waiter;
use ferromp_ground::protocol::barrier::{Arrival, Barrier, Form};
use ferromp_ground::protocol::go::{Go, GoWord, Phase, Recall};
use ferromp_ground::protocol::meeting::{Helper, Join, meet};
use ferromp_ground::protocol::quiescence::Sums;
use ferromp_ground::protocol::ring::{Ring, Slot};
use ferromp_ground::protocol::steal::Ranges;
use ferromp_ground::protocol::theft::Groups;
use ferromp_ground::protocol::turn::Queue;
use ferromp_simulator::{self as simulator, Machine, Outcome, Part, Time};
use std::cell::Cell;
use std::rc::Rc;

/// Rounds that a scenario plays before the measured ones.
pub const WARM_UP: u64 = 2;

/// What starts a region, on one pair of lines.
struct Signal {
    go: GoWord,
    /// The region's code, the epoch and the base of the constructs' numbers.
    outlined: Cell<[u64; 7]>,
}

impl Signal {
    /// As in the runtime.
    const FIRST_COPY: u32 = 16;
    /// As in the runtime.
    const READERS: u32 = 8;

    fn new(nthreads: u32) -> Self {
        Signal { go: GoWord::new(Go::new(0, nthreads, Phase::Run)), outlined: Cell::default() }
    }
}

/// A team.
#[repr(C, align(128))]
pub struct Team {
    pub nthreads: u32,
    pub form: Form,
    pub patience: Patience,
    signal: Padded<Signal>,
    idle: Padded<Event>,
    pub barrier: Barrier,
    pub waits: Padded<Event>,
    ring: Ring,
    pub turns: Padded<Queue>,
    /// The counter of single regions.
    pub single: Padded<AtomicU64>,
    /// The sums of the members' accounts, and which queues have tasks.
    pub sums: Sums,
    pub groups: Groups,
    pub members: Vec<Member>,
    /// How many workers have begun the region under way, for the one who measures.
    began: Cell<u32>,
}

/// A slot of a team.
#[repr(C, align(128))]
pub struct Member {
    pub tid: u32,
    epoch: Cell<u64>,
    seen: Cell<u64>,
    slots: Cell<u32>,
    pub singles: Cell<u64>,
    arrival: Padded<Arrival>,
    recall: Padded<Recall>,
    /// A copy of the team's signal, in each eighth member.
    signal: Padded<Signal>,
    pub ranges: Ranges,
    pub tasks: TaskMember,
}

impl Team {
    fn new(nthreads: u32, patience: Patience) -> Self {
        let member = |tid| Member {
            tid,
            epoch: Cell::new(0),
            seen: Cell::new(0),
            slots: Cell::new(0),
            singles: Cell::new(0),
            arrival: Padded(Arrival::new(tid)),
            recall: Padded::default(),
            signal: Padded(Signal::new(nthreads)),
            ranges: Ranges::default(),
            tasks: TaskMember::default(),
        };
        let barrier = Barrier::default();
        barrier.reserve(nthreads);
        let (sums, groups) = (Sums::default(), Groups::default());
        sums.reserve(nthreads);
        groups.reserve(nthreads);
        let ring = Ring::default();
        ring.reserve(nthreads);
        Team {
            nthreads,
            // As `describe` of `team/fork.rs` chooses.
            form: Form::for_threads(nthreads),
            patience,
            signal: Padded(Signal::new(nthreads)),
            idle: Padded(Event::new()),
            barrier,
            waits: Padded(Event::new()),
            ring,
            turns: Padded(Queue::default()),
            single: Padded(AtomicU64::new(0)),
            sums,
            groups,
            members: (0..nthreads).map(member).collect(),
            began: Cell::new(0),
        }
    }

    /// Names of the lines.
    fn parts(&self) -> Vec<Part> {
        let mut parts = vec![
            Part::of("Team.signal", &self.signal),
            Part::of("Team.idle", &self.idle),
            Part::of("Team.waits", &self.waits),
            Part::of("Team.turns", &self.turns),
            Part::of("Team.single", &self.single),
            Part::of("Signal.go", &self.signal.go),
        ];
        for member in &self.members {
            parts.push(Part::of("Member.arrival", &member.arrival));
            parts.push(Part::of("Member.recall", &member.recall));
            parts.push(Part::of("Member.signal", &member.signal));
            parts.push(Part::of("Member.ranges", &member.ranges));
        }
        #[cfg(simulated)]
        parts.extend(self.parts_of_fields());
        parts
    }

    #[cfg(simulated)]
    fn parts_of_fields(&self) -> Vec<Part> {
        let within = |whole: &'static str, parts: Vec<Part>| parts.into_iter().map(move |part| part.within(whole));
        let mut parts: Vec<Part> = within("Barrier", self.barrier.parts()).collect();
        parts.extend(self.barrier.parts_of_groups());
        parts.extend(within("Team.idle", self.idle.parts()));
        parts.extend(within("Team.waits", self.waits.parts()));
        parts.extend(self.ring.parts_of_groups());
        for number in 0..ferromp_ground::protocol::ring::LENGTH {
            parts.extend(within("Slot", self.ring.slot(number).parts()));
        }
        for member in &self.members {
            parts.extend(within("Deque", member.tasks.deque.parts()));
            parts.push(Part::of("Lifeline", &*member.tasks.lifeline));
            parts.push(Part::of("Task.implicit", &member.tasks.implicit));
        }
        parts.extend(within("Sums", self.sums.parts()));
        parts.extend(self.sums.groups().iter().map(|group| Part::of("Sums.groups", &**group)));
        for (shown, away) in self.groups.words() {
            parts.push(Part::of("Groups.shown", shown));
            parts.push(Part::of("Groups.away", away));
        }
        parts
    }

    fn arrivals(&self) -> impl Iterator<Item = &Arrival> {
        self.members.iter().map(|member| &*member.arrival)
    }

    /// Whether the region has tasks: `Team::has_tasks`.
    pub fn has_tasks(&self) -> bool {
        self.signal.go.latest().phase() == Phase::Tasks
    }

    /// A barrier without tasks: `gather` of `barrier.rs`.
    pub fn gather(&self, member: &Member) {
        self.gather_with(member, &self.patience);
    }

    /// A barrier at which members may execute tasks.
    pub fn gather_with(&self, member: &Member, helper: &impl Helper) {
        let epoch = member.epoch.get() + 1;
        self.barrier.arrive(self.form, &member.arrival, epoch, self.nthreads);
        let over = || self.all_arrived(member, epoch) && (!self.has_tasks() || self.quiescent(member, epoch));
        meet(helper, &self.barrier.event, over);
        member.epoch.set(epoch);
    }

    /// `task::quiescent`.
    fn quiescent(&self, member: &Member, epoch: u64) -> bool {
        if self.sums.has_ended(epoch) {
            return true;
        }
        let account = &*member.tasks.account;
        if account.is_busy() {
            if !member.tasks.thief.has_missed() {
                return false;
            }
            self.sums.settle(account, member.tid, self.nthreads);
        }
        let over = self.sums.finds_end(account, member.tid, self.nthreads, epoch);
        if over && self.sums.end(epoch) {
            self.barrier.event.notify_all();
        }
        self.free_those_aside(member);
        over
    }

    /// `free_those_aside` of `task/headers.rs`.
    pub fn free_those_aside(&self, member: &Member) {
        for task in member.tasks.blocks.take_aside() {
            // SAFETY: blocks stay until the team goes.
            self.free(member, unsafe { &*task });
        }
    }

    /// `free` of `task/headers.rs`.
    pub fn free(&self, member: &Member, mut task: &Task) {
        loop {
            // SAFETY: blocks stay until the team goes, as implicit tasks do, and an explicit task has a parent. The
            // count of an implicit task never says that it is over.
            let parent = unsafe { &*task.parent };
            self.give(member, task);
            if !parent.generated.let_go() {
                return;
            }
            task = parent;
        }
    }

    /// `give` of `task/blocks.rs`.
    pub fn give(&self, member: &Member, task: &Task) {
        self.members[task.creator as usize].tasks.blocks.give(task, task.creator == member.tid);
    }

    /// `begin_tasks` of `task/schedule.rs`.
    pub fn begin_tasks(&self, member: &Member) {
        self.sums.begin(&member.tasks.account, member.tid, self.nthreads);
        member.tasks.thief.restart();
        self.groups.restart(member.tid, self.nthreads, &member.tasks.deque);
        if !self.has_tasks() {
            self.sums.end(member.epoch.get());
            self.signal.go.announce_tasks(&self.idle, self.signal_copies().map(|copy| &copy.go));
        }
    }

    fn all_arrived(&self, member: &Member, epoch: u64) -> bool {
        self.barrier.all_arrived(self.form, &member.arrival, epoch, self.nthreads, self.arrivals())
    }

    /// The fork: `describe` and `start` of `team/fork.rs`.
    pub fn fork(&self) {
        self.began.set(0);
        for signal in std::iter::once(&*self.signal).chain(self.signal_copies()) {
            signal.outlined.set([1; 7]);
            simulator::write_plain(&signal.outlined);
        }
        let recall = |tid: u32| &*self.members[tid as usize].recall;
        let copies = self.signal_copies().map(|copy| &copy.go);
        self.signal.go.start(&self.idle, self.nthreads, self.nthreads, recall, copies);
    }

    /// The primary thread's join: `gather_at_join` of `barrier.rs`.
    pub fn join(&self, member: &Member) {
        let epoch = member.epoch.get() + 1;
        self.barrier.arrive_at_join(self.form, &member.arrival, epoch, self.nthreads);
        let over = || self.barrier.all_joined(self.form, &member.arrival, epoch, 1, self.nthreads, self.arrivals());
        meet(&self.patience, &self.barrier.event, over);
        member.epoch.set(epoch);
    }

    /// Waits until all workers have begun the region under way, as one who only looks on.
    pub fn watch_begin(&self) {
        simulator::watch(|| self.began.get() == self.nthreads - 1);
    }

    /// `Team::signal_of`.
    fn signal_of(&self, tid: u32) -> &Signal {
        if tid < Signal::FIRST_COPY {
            &self.signal
        } else {
            &self.members[(tid - tid % Signal::READERS) as usize].signal
        }
    }

    /// `Team::signal_copies`.
    fn signal_copies(&self) -> impl Iterator<Item = &Signal> + Clone {
        let later = self.members.iter().skip(Signal::FIRST_COPY as usize);
        later.step_by(Signal::READERS as usize).map(|member| &*member.signal)
    }

    /// A worker's life: `serve` and `execute` of `team/worker.rs`.
    pub fn serve(&self, member: &Member, body: impl Fn()) {
        let signal = self.signal_of(member.tid);
        loop {
            let go = signal.go.next(&self.patience, &self.idle, &member.recall, member.tid, &member.seen);
            if go.phase() == Phase::Disband {
                return;
            }
            simulator::read_plain(&signal.outlined);
            self.began.set(self.began.get() + 1);
            body();
            let join = Join {
                go: &signal.go,
                idle: &self.idle,
                barrier: &self.barrier,
                form: self.form,
                nthreads: self.nthreads,
            };
            let epoch = member.epoch.get() + 1;
            member.epoch.set(epoch);
            join.pass(&self.patience, &member.arrival, epoch, go.epoch(), || true);
        }
    }

    /// The end of the team: `disband_children` of `team/hot.rs`.
    pub fn disband(&self) {
        let recall = |tid: u32| &*self.members[tid as usize].recall;
        self.signal.go.disband(&self.idle, self.nthreads, recall, self.signal_copies().map(|copy| &copy.go));
    }

    /// The next construct's slot: `take` of `work/slot.rs`.
    pub fn take_slot(&self, member: &Member) -> (u32, &Slot) {
        let number = member.slots.get();
        member.slots.set(number + 1);
        let slot = self.ring.slot(number);
        waiter::until(&self.patience, &self.waits, || slot.is_free_for(number));
        (number, slot)
    }

    /// The end of a construct: `leave` of `work/slot.rs`.
    pub fn leave_slot(&self, member: &Member, number: u32) {
        if self.ring.leave(number, member.tid, self.nthreads) {
            self.waits.notify_all();
        }
    }
}

/// Plays `body` on each member of a team of `nthreads`.
pub fn play(machine: &Machine, nthreads: u32, patience: Patience, body: impl Fn(&Team, &Member) + 'static) -> Outcome {
    let team = Rc::new(Team::new(nthreads, patience));
    let parts = team.parts();
    let body = Rc::new(body);
    let thread = |tid: usize| -> Box<dyn FnOnce()> {
        let (team, body) = (team.clone(), body.clone());
        Box::new(move || body(&team, &team.members[tid]))
    };
    simulator::run(machine, parts, (0..nthreads as usize).map(thread).collect())
}

/// As [`play`], for a construct that all members meet `rounds` times, after some times unmeasured.
pub fn play_rounds(
    machine: &Machine,
    nthreads: u32,
    patience: Patience,
    rounds: u64,
    construct: impl Fn(&Team, &Member) + 'static,
) -> Outcome {
    play(machine, nthreads, patience, move |team, member| {
        let play = |rounds: u64| (0..rounds).for_each(|_| construct(team, member));
        play(WARM_UP);
        measured(member, rounds, || play(rounds));
    })
}

/// Measures `body` on the primary thread, and executes it on all.
pub fn measured(member: &Member, rounds: u64, body: impl Fn()) {
    if member.tid == 0 {
        simulator::measure(rounds, body);
    } else {
        body();
    }
}

/// Lets the calling thread's clock go on to `time`, unless it is there already.
pub fn until_time(time: Time) {
    simulator::work(time.saturating_sub(simulator::now()));
}
