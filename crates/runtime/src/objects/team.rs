//! The methods of teams and members that read their fields.

use crate::layout::{Shown, place};
use crate::objects::structures::{Member, Outlined, Signal, Task, Team, Thread};
use crate::protocol::go::{Go, GoWord, Phase};
use ompd_layout::Field;
use std::cell::Cell;
use std::ffi::c_void;

impl Outlined {
    /// No function, for a region whose code the program itself runs.
    pub const NOTHING: Outlined = Outlined {
        invoke: |_, _, _, _| (),
        function: std::ptr::null(),
        argc: 0,
        head: std::ptr::null(),
        tail: std::ptr::null(),
    };
}

impl Signal {
    /// The first thread that looks at a copy. In smaller teams looks at one line take less time than more lines do.
    pub(crate) const FIRST_COPY: u32 = 16;
    /// Threads that look at one copy: as many as often share a cache.
    pub(crate) const READERS: u32 = 8;

    /// A signal that has not been given.
    pub(crate) fn new() -> Self {
        Signal {
            go: GoWord::new(Go::new(0, 0, Phase::Run)),
            epoch: Cell::new(0),
            work_base: Cell::new(0),
            outlined: Cell::new(Outlined::NOTHING),
        }
    }
}

impl Team {
    /// The fields that debuggers read.
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

    /// The number of threads in the region under way.
    #[inline(always)]
    pub fn nthreads(&self) -> u32 {
        self.region.nthreads.get()
    }

    /// The team of the initial task of this contention group.
    pub fn root(&self) -> &Team {
        // SAFETY: the pointer is set before the team is used, and teams are never freed.
        unsafe { &*self.region.root.get() }
    }

    /// The slot with thread number `tid`, which must be below the number of slots.
    #[inline(always)]
    pub fn member(&self, tid: u32) -> &Member {
        debug_assert!(tid < self.capacity.get());
        // SAFETY: the array has `capacity` slots, and slots are never freed.
        unsafe { &**self.members.get().add(tid as usize) }
    }

    /// The slots of the region's threads.
    #[inline(always)]
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        (0..self.nthreads()).map(|tid| self.member(tid))
    }

    /// The signal at which the worker with number `tid` looks.
    #[inline(always)]
    pub(crate) fn signal_of(&self, tid: u32) -> &Signal {
        if tid < Signal::FIRST_COPY { &self.signal } else { &self.member(tid - tid % Signal::READERS).signal }
    }

    /// The copies of the signal at which workers with numbers below `count` look.
    #[inline(always)]
    pub(crate) fn signal_copies(&self, count: u32) -> impl Iterator<Item = &Signal> + Clone {
        (Signal::FIRST_COPY..count).step_by(Signal::READERS as usize).map(|tid| &*self.member(tid).signal)
    }

    /// Whether explicit tasks have been created in the region under way. Exact for a caller that has seen all members
    /// arrive.
    #[inline(always)]
    pub fn has_tasks(&self) -> bool {
        self.signal.go.latest().phase() == Phase::Tasks
    }

    /// Whether the region under way has been cancelled (OpenMP 5.1 §2.20.1).
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.barrier.is_cancelled()
    }

    /// The number of the region under way; 0 if it is over.
    pub fn region_under_way(&self) -> u64 {
        self.signal.go.latest().epoch_under_way()
    }

    /// The arguments of the outlined function: two runs of memory, each with its address and its number of bytes.
    pub fn arguments(&self) -> [(*mut c_void, usize); 2] {
        let outlined = self.signal.outlined.get();
        let (first, rest) = (outlined.argc.min(3), outlined.argc.saturating_sub(3));
        [(outlined.head, first), (outlined.tail, rest)]
            .map(|(start, words)| (start.cast_mut().cast(), words * size_of::<usize>()))
    }

    /// Whether the team is an initial team of a league with several teams.
    pub fn is_of_league(&self) -> bool {
        self.region.level.get() == 0 && self.region.num_teams.get() > 1
    }

    /// The size of the region as tools see it. For a league: the number of teams.
    pub fn shown_size(&self) -> u32 {
        if self.is_of_league() { self.region.num_teams.get() as u32 } else { self.nthreads() }
    }

    /// In the team of a target region's initial task: the slot to which the thread comes back.
    pub fn encountered_in(&self) -> Option<&'static Member> {
        // SAFETY: the pointer is null or points to a slot, and slots are never freed.
        unsafe { self.encountered_in.get().as_ref() }
    }

    /// The slot of the thread that encountered this team's construct, in its own team.
    pub fn parent(&self) -> Option<&Member> {
        // SAFETY: the pointer is null or points to a slot, and slots are never freed.
        unsafe { self.region.parent.get().as_ref() }
    }

    /// The task that encountered this team's construct.
    pub fn parent_task(&self) -> Option<&Task> {
        // SAFETY: the pointer is null or points to a task that is suspended in the construct until the region ends.
        unsafe { self.region.parent_task.get().as_ref() }
    }
}

impl Member {
    /// The fields that debuggers read.
    pub(crate) const SHOWN: Shown = &[
        (Field::MemberTeam, place!(Member, team)),
        (Field::MemberTid, place!(Member, tid)),
        (Field::MemberThread, place!(Member, thread)),
        (Field::MemberImplicit, place!(Member, implicit)),
        (Field::MemberEpoch, place!(Member, epoch)),
        (Field::MemberSeen, place!(Member, seen)),
        (Field::MemberChild, place!(Member, child)),
    ];

    /// The slot in which an implicit or initial task lies.
    ///
    /// # Safety
    /// `task` is the [`implicit`](Self::implicit) of a slot.
    pub unsafe fn of_implicit(task: &Task) -> &'static Member {
        // SAFETY: the caller passes a field of a slot, and slots are never freed.
        unsafe { &*std::ptr::from_ref(task).byte_sub(std::mem::offset_of!(Member, implicit)).cast() }
    }

    /// Whether `thread`, a worker that executes no task, has this slot and takes part in a region that it has not
    /// entered yet.
    pub fn is_called(&self, thread: &Thread) -> bool {
        let go = self.team().signal.go.latest();
        std::ptr::eq(self.thread.get(), thread)
            && self.tid != 0
            && self.tid < go.nthreads()
            && go.epoch_under_way() != 0
    }

    /// The team of this slot.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        // SAFETY: the pointer is that of the slot's team, and teams are never freed.
        unsafe { &*self.team }
    }

    /// The thread that fills this slot.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        // SAFETY: the pointer is set before the slot is used, and descriptors are never freed.
        unsafe { &*self.thread.get() }
    }
}
