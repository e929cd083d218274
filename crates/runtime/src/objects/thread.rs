//! The descriptor of a thread: what can be read of it and noted in it.

use crate::icv::Icvs;
use crate::layout::{Shown, place};
use crate::model::atomic::Ordering;
use crate::objects::structures::{Member, Task, TaskThread, Team, Thread};
use ompd_layout::Field;
use std::cell::Cell;

/// What [`Thread::device`] says of threads of the host.
pub const HOST: i32 = -1;

impl TaskThread {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[(Field::ThreadSlab, place!(TaskThread, slab))];
}

impl Thread {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[
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
    pub(crate) fn new(gtid: i32) -> Self {
        Thread { gtid: Cell::new(gtid), place: Cell::new(-1), device: Cell::new(HOST), ..Thread::default() }
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

    /// Makes `task` the one that this thread executes, in the slot `member`.
    #[inline(always)]
    pub fn move_to(&self, member: &Member, task: &Task) {
        self.set_member(member);
        self.set_task(task);
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
    pub fn set_os_thread(&self) {
        // SAFETY: the calls only ask for the caller's identity.
        unsafe {
            self.lwp.store(libc::syscall(libc::SYS_gettid) as i32, Ordering::Relaxed);
            self.pthread.store(libc::pthread_self() as usize, Ordering::Release);
        }
    }

    /// As [`set_os_thread`](Self::set_os_thread), while the calling thread, which is `other`, does what is this one's.
    pub fn set_os_thread_of(&self, other: &Thread) {
        self.lwp.store(other.lwp.load(Ordering::Relaxed), Ordering::Relaxed);
        self.pthread.store(other.pthread(), Ordering::Release);
    }

    /// No thread uses the descriptor from here on.
    pub fn clear_os_thread(&self) {
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
}
