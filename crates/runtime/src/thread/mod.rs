//! Threads: the descriptor of each, how code finds its own, the pool of idle ones, waiting, and what
//! happens to them at `fork` and `exit`.
//!
//! A descriptor lives for ever once made and is used again after its thread has ended, so that a
//! stale pointer to one is never dangling. A foreign thread (one that the runtime did not create)
//! that enters any door becomes a root: it gets a descriptor and an initial task (OpenMP 5.1 §1.3).

pub mod pool;
pub mod process;
pub mod root;
pub mod wait;

use crate::acc::AccThread;
use crate::arch;
use crate::device::call_configuration::CallConfiguration;
use crate::icv::{self, Icvs};
use crate::layout::Shown as Fields;
use crate::layout::place;
use crate::ompt::ThreadTool;
use crate::place::apart::Seated;
use crate::sync::lock;
use crate::task::{Task, TaskThread};
use crate::team::places::Shown;
use crate::team::{Member, Team};
use ompd_layout::Field;
use std::cell::Cell;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};

/// What every OpenMP thread has. All `Cell`s are touched by the thread itself only; what others
/// touch is atomic.
#[repr(C, align(128))]
pub struct Thread {
    /// The slot of the team that this thread works in now. Never null once the thread is set up.
    member: Cell<*const Member>,
    /// The task that this thread executes now. Written by the thread itself; signal handlers on it read it.
    task: AtomicPtr<Task>,
    /// The number by which kmpc programs know this thread; unique among live threads.
    gtid: Cell<i32>,
    /// The place this thread is bound to, -1 if to none.
    place: Cell<i32>,
    /// The device whose thread this is, -1 for the host's. Set before the thread uses the descriptor.
    device: Cell<i32>,
    /// The thread of the host that runs a device's code in this descriptor now; null on every other descriptor.
    steps_for: Cell<*const Thread>,
    /// The team whose task the thread executes as a free agent; null on every other thread.
    works_for: Cell<*const Team>,
    /// The descriptor that was made before this one. Written once.
    next: AtomicPtr<Thread>,
    /// The thread as the C library knows it; 0 while none uses the descriptor. Written by the thread, read by
    /// debuggers.
    pthread: AtomicUsize,
    /// The thread as the kernel knows it. As `pthread`.
    lwp: AtomicI32,
    /// What it last displayed of its affinity. Others read it between regions.
    pub shown: Cell<Shown>,
    /// `num_threads` clause waiting for the next region (kmpc only); 0 for none, negative where
    /// `pushed_demand` says more.
    pub pushed_num_threads: Cell<i32>,
    /// A `num_threads` clause that is more than a number.
    pub pushed_demand: Cell<Option<crate::team::demand::Demand>>,
    /// Clauses waiting for the next teams construct (kmpc only).
    pub pushed_teams: Cell<crate::team::league::Clauses>,
    /// Iterations of the next target region's loop, from compilers that say so in a call of their own; 0 if none has.
    pub pushed_trip_count: Cell<u64>,
    /// What the thread has pushed for its next launch of a kernel of another language.
    pub call_configuration: Cell<CallConfiguration>,
    /// `proc_bind` clause waiting for the next region (kmpc only).
    pub pushed_bind: Cell<Option<crate::icv::Bind>>,
    /// OMPT: the thread's data word, state and wait identifier.
    pub tool: ThreadTool,
    /// This thread's store of task blocks.
    pub tasks: TaskThread,
    /// Where an idle worker waits to be given a slot in a team; how the pool lists it.
    pub idle: pool::Idle,
    /// Where it waits.
    pub seated: Seated,
    /// What it has to do with OpenACC.
    pub acc: AccThread,
}

// SAFETY: other threads only use the atomic fields (`tool`, `tasks` remote list, `idle`); the cells
// belong to the thread that the descriptor describes.
unsafe impl Sync for Thread {}

/// What [`Thread::device`] says of threads of the host.
pub const HOST: i32 = -1;

/// The calling thread's descriptor. Brings the runtime up, and makes a foreign thread a root, on
/// its first call.
#[inline(always)]
pub fn current() -> &'static Thread {
    let pointer = arch::tls_thread() as *const Thread;
    if pointer.is_null() {
        return root::enter();
    }
    // SAFETY: the word holds null or a descriptor, and descriptors live for ever.
    unsafe { &*pointer }
}

/// The calling thread's descriptor if it is known that there is no tool, so that the form of a door that has no events
/// will do.
#[inline(always)]
pub(crate) fn unwatched() -> Option<&'static Thread> {
    let pointer = arch::tls_unwatched() as *const Thread;
    // SAFETY: as in `current`.
    match unsafe { pointer.as_ref() } {
        None if !cfg!(feature = "ompt") => Some(first()),
        thread => thread,
    }
}

/// [`current`], for a door that is a thread's first and has one form only.
#[cold]
#[inline(never)]
fn first() -> &'static Thread {
    current()
}

/// Lets the calling thread know if there is no tool, and none will come. A thread that gets its descriptor later knows
/// anyway.
#[inline]
pub fn settle() {
    if arch::tls_unwatched().is_null() && !crate::ompt::watched() {
        arch::set_tls_unwatched();
    }
}

/// The calling thread's descriptor, if it has one. Async-signal-safe: signals are held back while a descriptor is there
/// that is not set up yet.
#[inline(always)]
pub fn try_current() -> Option<&'static Thread> {
    let pointer = arch::tls_thread() as *const Thread;
    // SAFETY: as in `current`.
    unsafe { pointer.as_ref() }
}

/// The calling thread's descriptor, for a question about where the thread is. As [`current`], but in a signal handler
/// on a thread that the runtime does not know: there is none, and the thread stays unknown. The handler may have
/// interrupted anything, also the allocator.
#[inline(always)]
pub fn asked() -> Option<&'static Thread> {
    try_current().or_else(asked_first)
}

#[cold]
fn asked_first() -> Option<&'static Thread> {
    (!crate::signals::is_handler()).then(current)
}

/// What `read` finds among the ICVs of the calling thread's current task. Where [`asked`] has no thread, they are an
/// initial task's.
#[inline(always)]
pub fn read_icvs<T>(read: impl FnOnce(&Icvs) -> T) -> T {
    match asked() {
        Some(thread) => read(thread.icvs()),
        None => {
            prepare_to_answer();
            read(&icv::initial())
        }
    }
}

/// Sees that the environment has been read, for a question that is not about the calling thread. In a signal handler no
/// tool is looked for: the dynamic linker allocates memory when it does not find one.
#[inline]
pub fn prepare_to_answer() {
    if asked().is_none() && !process::is_prepared() {
        prepare_in_handler();
    }
}

#[cold]
fn prepare_in_handler() {
    let held = crate::signals::hold();
    let first_use = process::prepare();
    drop((first_use, held));
}

/// Makes `thread` the calling thread's descriptor, or leaves it without one.
pub fn set_current(thread: Option<&Thread>) {
    let mark = thread.map_or(0, |thread| lock::mark(thread.gtid()));
    arch::set_tls_thread(
        thread.map_or(std::ptr::null_mut(), |thread| std::ptr::from_ref(thread).cast_mut().cast()),
        mark,
    );
    settle();
}

impl Thread {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Fields = &[
        (Field::ThreadNext, place!(Thread, next)),
        (Field::ThreadPthread, place!(Thread, pthread)),
        (Field::ThreadLwp, place!(Thread, lwp)),
        (Field::ThreadGtid, place!(Thread, gtid)),
        (Field::ThreadDevice, place!(Thread, device)),
        (Field::ThreadStepsFor, place!(Thread, steps_for)),
        (Field::ThreadMember, place!(Thread, member)),
        (Field::ThreadTask, place!(Thread, task)),
    ];

    /// A descriptor that no thread uses yet.
    fn new(gtid: i32) -> Self {
        Thread {
            member: Cell::new(std::ptr::null()),
            task: AtomicPtr::new(std::ptr::null_mut()),
            gtid: Cell::new(gtid),
            place: Cell::new(-1),
            device: Cell::new(HOST),
            steps_for: Cell::new(std::ptr::null()),
            works_for: Cell::new(std::ptr::null()),
            next: AtomicPtr::new(std::ptr::null_mut()),
            pthread: AtomicUsize::new(0),
            lwp: AtomicI32::new(0),
            shown: Cell::new(Shown::default()),
            pushed_num_threads: Cell::new(0),
            pushed_demand: Cell::new(None),
            pushed_teams: Cell::new(crate::team::league::Clauses::NONE),
            pushed_trip_count: Cell::new(0),
            call_configuration: Cell::new(CallConfiguration::NONE),
            pushed_bind: Cell::new(None),
            tool: ThreadTool::default(),
            tasks: TaskThread::default(),
            idle: pool::Idle::default(),
            seated: Seated::default(),
            acc: AccThread::default(),
        }
    }

    /// The number by which kmpc programs know this thread.
    #[inline(always)]
    pub fn gtid(&self) -> i32 {
        self.gtid.get()
    }

    /// The slot of the team that this thread works in.
    #[inline(always)]
    pub fn member(&self) -> &'static Member {
        // SAFETY: set before the descriptor is published to its thread; slots live for ever.
        unsafe { &*self.member.get() }
    }

    /// Whether the thread has a slot yet: false only while it is being set up or has ended.
    pub fn is_set_up(&self) -> bool {
        !self.member.get().is_null() && !self.task.load(Ordering::Relaxed).is_null()
    }

    /// Whether the thread is a root that executes its initial task itself: no explicit task, no parallel
    /// region and no league is around what it does.
    pub fn is_outside_regions(&self) -> bool {
        let team = self.member().team();
        self.task().is_initial() && team.parent().is_none() && team.encountered_in().is_none()
    }

    /// Moves the thread to another slot.
    #[inline(always)]
    pub fn set_member(&self, member: &Member) {
        self.member.set(member);
    }

    /// The task that this thread executes.
    #[inline(always)]
    pub fn task(&self) -> &'static Task {
        // SAFETY: always points to a live task once the thread is set up: the task cannot end
        // while this thread executes it, and task blocks stay mapped.
        unsafe { &*self.task.load(Ordering::Relaxed) }
    }

    /// Makes `task` the one that this thread executes. Release: a signal handler on this thread that finds the task
    /// finds it, and its region, set up.
    #[inline(always)]
    pub fn set_task(&self, task: &Task) {
        self.task.store(std::ptr::from_ref(task).cast_mut(), Ordering::Release);
    }

    /// The function that the compiler made of the current task's code.
    pub fn outlined_function(&self) -> *const std::ffi::c_void {
        match self.task().function() {
            Some(function) => function,
            None => self.member().team().outlined_function(),
        }
    }

    /// The current task's ICVs.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: only the executing thread writes them, and that is this thread.
        unsafe { &*self.task().icvs.get() }
    }

    /// The current task's ICVs, to change. Only the thread itself calls this.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "the ICVs belong to the executing thread alone")]
    pub fn icvs_mut(&self) -> &mut Icvs {
        // SAFETY: as in `icvs`; callers do not keep the reference across another call of these.
        unsafe { &mut *self.task().icvs.get() }
    }

    /// The number of the device whose thread this is, [`HOST`] for the host's.
    #[inline(always)]
    pub fn device(&self) -> i32 {
        self.device.get()
    }

    /// Says whose thread this is. Nobody uses the descriptor yet.
    pub fn set_device(&self, device: i32) {
        self.device.set(device);
        self.tool.set_of_device(device != HOST);
    }

    /// The thread of the host that runs a device's code in this descriptor now. Async-signal-safe on that thread.
    pub fn steps_for(&self) -> Option<&'static Thread> {
        // SAFETY: null or a descriptor, and descriptors live for ever.
        unsafe { self.steps_for.get().as_ref() }
    }

    /// Says which thread of the host runs a device's code in this descriptor from now on.
    pub fn set_steps_for(&self, thread: Option<&'static Thread>) {
        self.steps_for.set(thread.map_or(std::ptr::null(), std::ptr::from_ref));
    }

    /// The team whose task the thread executes as a free agent.
    #[inline(always)]
    pub fn works_for(&self) -> Option<&'static Team> {
        // SAFETY: null or a team, and teams live for ever.
        unsafe { self.works_for.get().as_ref() }
    }

    /// Notes that the thread executes a task of `team` as a free agent. The thread itself only.
    pub fn set_works_for(&self, team: Option<&'static Team>) {
        self.works_for.set(team.map_or(std::ptr::null(), std::ptr::from_ref));
    }

    /// The calling thread uses the descriptor from here on.
    pub fn come_in(&self) {
        // SAFETY: the calls only ask for the caller's identity.
        unsafe {
            self.lwp.store(libc::syscall(libc::SYS_gettid) as i32, Ordering::Relaxed);
            self.pthread.store(libc::pthread_self() as usize, Ordering::Release);
        }
    }

    /// As [`come_in`](Self::come_in), while the calling thread, which is `other`, does what is this one's.
    pub fn come_in_as(&self, other: &Thread) {
        self.lwp.store(other.lwp.load(Ordering::Relaxed), Ordering::Relaxed);
        self.pthread.store(other.pthread(), Ordering::Release);
    }

    /// No thread uses the descriptor from here on.
    pub fn go_out(&self) {
        self.pthread.store(0, Ordering::Release);
    }

    /// The thread as the C library knows it; 0 while none uses the descriptor.
    pub fn pthread(&self) -> usize {
        self.pthread.load(Ordering::Acquire)
    }

    /// The place that the thread is bound to, -1 if to none.
    pub fn place(&self) -> i32 {
        self.place.get()
    }

    /// Notes the place that the thread is bound to.
    pub fn set_place(&self, place: i32) {
        self.place.set(place);
    }
}
