//! Teams: the threads that execute a parallel region together (OpenMP 5.1 §2.6).
//!
//! A [`Team`] is made once for each nesting position and kept: a repeated region finds its workers
//! waiting on the team's `go` word. A [`Member`] is one thread's slot in a team: its implicit task,
//! its arrival flag, its counters of worksharing constructs, its queue of tasks. Teams and members
//! are never freed, only kept for later use, so a late reader never meets a dangling pointer.
//!
//! The life of a region is in `fork.rs` (the primary thread's side) and `worker.rs` (the others');
//! the protocol between them is written down in `team/README.md`.

pub mod demand;
pub mod fork;
pub mod forked;
pub mod hot;
pub mod initial;
pub mod league;
pub mod limits;
pub mod places;
pub mod query;
pub mod rendezvous;
pub mod worker;

use crate::icv::Icvs;
use crate::layout::Shown;
use crate::layout::place;
use crate::model::Padded;
use crate::model::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::ompt::ParallelTool;
use crate::park::event::Event;
use crate::place::{Affinity, Fork, Partition};
use crate::protocol::barrier::{Arrival, Barrier};
use crate::task::{Task, TaskMember, TaskTeam};
use crate::thread::Thread;
use crate::thread::wait::{self, Spinner};
use crate::work::{WorkMember, WorkTeam};
use ::ompt::State;
use ompd_layout::Field;
use std::cell::Cell;
use std::ffi::c_void;

/// What each thread of a region runs: the outlined function and how to call it. The core does not
/// know which compiler made it; the door that started the region chose `invoke`.
#[derive(Clone, Copy)]
pub struct Outlined {
    /// Calls `function` for the implicit task of `member`, storing the exit frame first.
    pub invoke: unsafe fn(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize),
    /// The outlined function.
    pub function: *const c_void,
    /// How many words of arguments there are at `head` and `tail`; 0 where `head` itself is the argument.
    pub argc: usize,
    /// The first arguments: three words.
    pub head: *const usize,
    /// The arguments after the first three.
    pub tail: *const usize,
}

impl Outlined {
    /// No function: the program itself runs the code.
    pub const NOTHING: Outlined = Outlined {
        invoke: |_, _, _, _| (),
        function: std::ptr::null(),
        argc: 0,
        head: std::ptr::null(),
        tail: std::ptr::null(),
    };
}

/// What changes with every region: the `go` word, and on the same pair of cache lines what a worker
/// reads as soon as it has seen the word change. So one transfer of a line starts a worker.
pub struct Signal {
    /// The word on which workers wait between regions: see [`Go`].
    go: AtomicU64,
    /// The last barrier epoch that all members have passed.
    epoch: Cell<u64>,
    /// How a worker's counters of worksharing constructs start.
    work_base: Cell<u64>,
    /// What to run.
    outlined: Cell<Outlined>,
}

/// What the primary thread says about a region before it starts; the workers read it after they saw
/// the `go` word change, and nobody writes it until all have arrived at the join. Only what differs
/// from the last region is written, so that the workers' copies of these lines stay valid.
pub struct Region {
    /// Threads in the team.
    pub nthreads: Cell<u32>,
    /// Nested parallel regions around and including this one (`omp_get_level`).
    pub level: Cell<i32>,
    /// As `level`, those with more than one thread (`omp_get_active_level`).
    pub active_level: Cell<i32>,
    /// ICVs that the implicit tasks start with.
    pub icvs: Cell<Icvs>,
    /// The slot of the thread that encountered the construct, in its own team; null for the team of
    /// an initial task.
    pub parent: Cell<*const Member>,
    /// The task that encountered the construct; null for the team of an initial task.
    pub parent_task: Cell<*const Task>,
    /// How the team's barrier works in this region.
    pub form: Cell<crate::protocol::barrier::Form>,
    /// What members do about affinity when they enter and leave.
    pub affinity: Cell<Affinity>,
    /// What the members' places were chosen from; none where they have to be chosen anew.
    pub placed: Cell<Option<Fork>>,
    /// A loop or the sections that a combined construct of the GOMP ABI starts each thread with.
    pub preset: Cell<Option<crate::work::Preset>>,
    /// The team of the initial task at the root of this contention group.
    root: Cell<*const Team>,
    /// For teams constructs: this team's number and the league's size.
    pub team_num: Cell<i32>,
    pub num_teams: Cell<i32>,
}

/// A team of threads, kept from one region to the next.
#[repr(C, align(128))]
pub struct Team {
    /// Written by the primary between regions, read by all during one.
    pub region: Region,
    /// In the team of a target region's initial task: the slot that the thread had where it encountered the construct,
    /// to which it comes back. Null in every other team. Its thread only.
    encountered_in: Cell<*const Member>,
    /// Threads that have a slot here, working or in reserve. Written by the primary between regions.
    attached: Cell<u32>,
    /// The slots; only grows, and only between regions.
    members: Cell<*const *const Member>,
    /// How many slots there are.
    capacity: Cell<u32>,
    /// In the team of an initial task: threads of the contention group that regions use now, counted
    /// only where thread-limit-var sets a limit.
    busy: AtomicU32,
    /// Workers that have left since the team was given up.
    left: AtomicU32,
    /// Set in a forked child: see `forked.rs`.
    deserted: Cell<bool>,
    /// OMPT: the region's data word.
    pub tool: ParallelTool,
    /// What starts a region.
    signal: Padded<Signal>,
    /// Where workers sleep between regions.
    idle: Padded<Event>,
    /// The barrier of the team. On its event sleep only threads that may execute any task: a task
    /// calls one of them.
    pub barrier: Barrier,
    /// Where members sleep that wait for something else: children, a turn, a loop's slot.
    pub waits: Padded<Event>,
    /// Loops, sections, singles, ordered.
    pub work: WorkTeam,
    /// Tasks: who may be looking for some, priorities.
    pub tasks: TaskTeam,
}

// SAFETY: the cells of `region` and `signal` are written by the primary only while no other member runs, and
// the `go` word's release and acquire order those writes; everything else is atomic.
unsafe impl Sync for Team {}

/// One thread's slot in a team.
#[repr(C, align(128))]
pub struct Member {
    /// The team of this slot.
    team: *const Team,
    /// This slot's thread number in the team.
    pub tid: u32,
    /// The thread that fills the slot. Written by the primary before the thread starts here.
    thread: Cell<*const Thread>,
    /// The barrier epoch that this member has passed. Owner only.
    pub epoch: Cell<u64>,
    /// The last `go` epoch that the worker has seen; in the primary's slot, that of the last region that is over. Owner
    /// only, but set by the primary when it gives the slot to a thread.
    seen: Cell<u64>,
    /// The team whose primary thread this slot's thread becomes when it forks. Owner only.
    child: Cell<*const Team>,
    /// The place that the primary chose for this member, -1 for none.
    place: Cell<i32>,
    /// The place partition of the implicit task, where the primary chose one.
    partition: Cell<Partition>,
    /// Worksharing: counters and the loop under way.
    pub work: WorkMember,
    /// The implicit task.
    pub implicit: Task,
    /// Where this member says that it has arrived at a barrier.
    pub arrival: Padded<Arrival>,
    /// Changes when a member in reserve is called back.
    recall: Padded<Recall>,
    /// This member's queue of tasks and its counts.
    pub tasks: TaskMember,
}

/// How a worker in reserve is woken: see `team/README.md`.
#[derive(Default)]
pub struct Recall {
    count: AtomicU64,
    event: Event,
}

// SAFETY: the cells belong to the slot's thread while a region runs and to the primary between
// regions; the `go` word and the arrivals order the two.
unsafe impl Sync for Member {}

/// A value of a team's `go` word: the region's number, how many threads take part, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go(u64);

/// What a region is doing, as its idle workers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Phase {
    /// The region runs.
    Run = 0,
    /// The region runs, and explicit tasks have been created: who waits may help.
    Tasks = 1,
    /// All have arrived: members leave. Published only while a tool watches, so that a worker's last
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
    const COUNT_BITS: u32 = 22;

    fn new(epoch: u64, nthreads: u32, phase: Phase) -> Self {
        Go((epoch << (Self::PHASE_BITS + Self::COUNT_BITS)) | (u64::from(nthreads) << Self::PHASE_BITS) | phase as u64)
    }

    /// The region's number, counted from 1.
    fn epoch(self) -> u64 {
        self.0 >> (Self::PHASE_BITS + Self::COUNT_BITS)
    }

    /// As [`epoch`](Self::epoch), 0 if the region is over.
    fn epoch_under_way(self) -> u64 {
        if matches!(self.phase(), Phase::Run | Phase::Tasks) { self.epoch() } else { 0 }
    }

    fn nthreads(self) -> u32 {
        ((self.0 >> Self::PHASE_BITS) & ((1 << Self::COUNT_BITS) - 1)) as u32
    }

    fn phase(self) -> Phase {
        match self.0 & ((1 << Self::PHASE_BITS) - 1) {
            0 => Phase::Run,
            1 => Phase::Tasks,
            2 => Phase::Leave,
            3 => Phase::LeaveTogether,
            _ => Phase::Disband,
        }
    }
}

impl Team {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[
        (Field::TeamThreads, place!(Team, region.nthreads)),
        (Field::TeamLevel, place!(Team, region.level)),
        (Field::TeamActiveLevel, place!(Team, region.active_level)),
        (Field::TeamParent, place!(Team, region.parent)),
        (Field::TeamParentTask, place!(Team, region.parent_task)),
        (Field::TeamMembers, place!(Team, members)),
        (Field::TeamCapacity, place!(Team, capacity)),
        (Field::TeamGo, place!(Team, signal.0.go)),
        (Field::TeamEncounteredIn, place!(Team, encountered_in)),
        (Field::TeamNumber, place!(Team, region.team_num)),
        (Field::TeamLeague, place!(Team, region.num_teams)),
        (Field::TeamFunction, place!(Team, signal.0.outlined; Outlined, function)),
        (Field::TeamTool, place!(Team, tool)),
    ];

    /// Threads in the team of the region under way.
    #[inline(always)]
    pub fn nthreads(&self) -> u32 {
        self.region.nthreads.get()
    }

    /// The slot with thread number `tid`, which must be below [`nthreads`](Self::nthreads) or one
    /// that is attached.
    #[inline(always)]
    pub fn member(&self, tid: u32) -> &Member {
        debug_assert!(tid < self.capacity.get());
        // SAFETY: the array holds `capacity` slots, all valid for ever.
        unsafe { &**self.members.get().add(tid as usize) }
    }

    /// The slots of the region's threads.
    #[inline(always)]
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        (0..self.nthreads()).map(|tid| self.member(tid))
    }

    /// Whether explicit tasks have been created in the region under way. Exact for a caller that has
    /// seen all members arrive.
    #[inline(always)]
    pub fn has_tasks(&self) -> bool {
        Go(self.signal.go.load(Ordering::Relaxed)).phase() == Phase::Tasks
    }

    /// Tells waiting members that there are tasks in this region now. The thread that creates the
    /// first tasks calls this, once, after it has counted and before it publishes the task.
    #[cold]
    pub fn announce_tasks(&self) {
        let before = self.signal.go.fetch_or(Phase::Tasks as u64, Ordering::SeqCst);
        if Go(before).phase() == Phase::Run {
            self.idle.notify_all();
        }
    }

    /// Calls the code of the region under way for the calling thread, which is one of its members.
    /// Returns whether there is a region with code.
    pub fn invoke(&self, thread: &Thread) -> bool {
        let outlined = self.signal.outlined.get();
        if outlined.function.is_null() {
            return false;
        }
        let mut frame = 0;
        // SAFETY: the door that made `outlined` vouches for its function and arguments, which stay in
        // place until the join.
        unsafe { (outlined.invoke)(&outlined, thread, thread.member(), &mut frame) };
        true
    }

    /// Whether the region under way has been cancelled (OpenMP 5.1 §2.20.1).
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.barrier.is_cancelled()
    }

    /// Cancels the region under way: whoever waits for other members of it goes on.
    pub fn cancel(&self) {
        self.barrier.cancel();
        self.waits.notify_all();
        self.work.turns.notify_all();
    }

    /// Waits until `ready`, which whoever brings it about follows by a notification of `waits`. False where the region
    /// has been cancelled meanwhile, or its other threads are not there after a fork: then nobody may ever do so.
    #[inline]
    pub fn wait_until(&self, mut ready: impl FnMut() -> bool) -> bool {
        ready() || self.wait_on(State::OVERHEAD, &self.waits, Spinner::new(), ready)
    }

    /// As [`wait_until`](Self::wait_until), paced by a spinner of the caller's, with another event, which
    /// [`cancel`](Self::cancel) notifies too; `state` is for debuggers.
    #[inline]
    pub fn wait_on(&self, state: State, event: &Event, spinner: Spinner, mut ready: impl FnMut() -> bool) -> bool {
        let mut is_ready = false;
        wait::until_paced_by(state, spinner, event, || {
            is_ready = ready();
            is_ready || self.is_cancelled() || self.is_deserted()
        });
        is_ready
    }

    /// The number of the region under way; 0 if it is over.
    pub fn region_under_way(&self) -> u64 {
        Go(self.signal.go.load(Ordering::Relaxed)).epoch_under_way()
    }

    /// Where the arguments of the outlined function lie, and how many bytes each run of them has.
    pub fn arguments(&self) -> [(*mut c_void, usize); 2] {
        let outlined = self.signal.outlined.get();
        let (first, rest) = (outlined.argc.min(3), outlined.argc.saturating_sub(3));
        [(outlined.head, first), (outlined.tail, rest)]
            .map(|(start, words)| (start.cast_mut().cast(), words * size_of::<usize>()))
    }

    /// The size of the region as tools know it: of a league, its teams.
    pub fn shown_size(&self) -> u32 {
        if self.is_of_league() { self.region.num_teams.get() as u32 } else { self.nthreads() }
    }

    /// The function that the region's threads run.
    pub fn outlined_function(&self) -> *const c_void {
        self.signal.outlined.get().function
    }

    /// In the team of a target region's initial task: the slot that its thread comes back to.
    pub fn encountered_in(&self) -> Option<&'static Member> {
        // SAFETY: null or a slot, and slots live for ever.
        unsafe { self.encountered_in.get().as_ref() }
    }

    /// The slot of the thread that encountered this team's construct, in its own team.
    pub fn parent(&self) -> Option<&Member> {
        // SAFETY: null or a slot, and slots live for ever.
        unsafe { self.region.parent.get().as_ref() }
    }

    /// The task that encountered this team's construct.
    pub fn parent_task(&self) -> Option<&Task> {
        // SAFETY: null or a live task: it is suspended in the construct until the region ends.
        unsafe { self.region.parent_task.get().as_ref() }
    }
}

impl Member {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[
        (Field::MemberTeam, place!(Member, team)),
        (Field::MemberTid, place!(Member, tid)),
        (Field::MemberThread, place!(Member, thread)),
        (Field::MemberImplicit, place!(Member, implicit)),
        (Field::MemberEpoch, place!(Member, epoch)),
        (Field::MemberSeen, place!(Member, seen)),
        (Field::MemberChild, place!(Member, child)),
    ];

    /// The slot that an implicit or initial task lies in.
    ///
    /// # Safety
    /// `task` is the [`implicit`](Self::implicit) of a slot.
    pub unsafe fn of_implicit(task: &Task) -> &'static Member {
        // SAFETY: the task is a field of the slot, and slots live for ever.
        unsafe { &*std::ptr::from_ref(task).byte_sub(std::mem::offset_of!(Member, implicit)).cast() }
    }

    /// Whether `thread`, a worker that executes no task, has this slot and is called to a region that it is not in yet.
    pub fn is_called(&self, thread: &Thread) -> bool {
        let go = Go(self.team().signal.go.load(Ordering::Relaxed));
        std::ptr::eq(self.thread.get(), thread)
            && self.tid != 0
            && self.tid < go.nthreads()
            && go.epoch_under_way() != 0
    }

    /// The team of this slot.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        // SAFETY: teams live for ever.
        unsafe { &*self.team }
    }

    /// The thread that fills this slot.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        // SAFETY: set before the slot is used, and descriptors live for ever.
        unsafe { &*self.thread.get() }
    }
}
