//! The methods of thread descriptors that read and write their fields.

use crate::icv::Icvs;
use crate::layout::{Shown, place};
use crate::model::atomic::Ordering;
use crate::objects::structures::{Member, Task, TaskThread, Team, Thread};
use crate::protocol::mark::OF_DEVICE;
use ompd_layout::Field;
use std::cell::Cell;

/// The value of [`Thread::device`] for threads of the host.
pub const HOST: i32 = -1;

impl TaskThread {
    /// The fields that debuggers read.
    pub(crate) const SHOWN: Shown = &[(Field::ThreadSlab, place!(TaskThread, slab))];
}

impl Thread {
    /// The fields that debuggers read.
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

    /// The slot that this thread has now.
    #[inline(always)]
    pub fn member(&self) -> &'static Member {
        // SAFETY: the pointer is set before the thread runs code that asks for it, and slots are never freed.
        unsafe { &*self.member.get() }
    }

    /// Whether the thread has a slot and a task. False only while the thread is being set up, and after its end.
    pub fn is_set_up(&self) -> bool {
        !self.member.get().is_null() && !self.task.load(Ordering::Relaxed).is_null()
    }

    /// Whether the thread is a root that executes its initial task, outside all explicit tasks, parallel regions,
    /// leagues and target regions.
    pub fn is_outside_regions(&self) -> bool {
        let team = self.member().team();
        self.task().is_initial() && team.parent().is_none() && team.encountered_in().is_none()
    }

    /// Moves the thread to another slot.
    #[inline(always)]
    pub fn set_member(&self, member: &Member) {
        self.member.set(member);
    }

    /// The task that this thread executes now.
    #[inline(always)]
    pub fn task(&self) -> &'static Task {
        // SAFETY: once the thread is set up, the pointer is to the task that it executes. The task cannot end
        // meanwhile.
        unsafe { &*self.task.load(Ordering::Relaxed) }
    }

    /// Sets the task that this thread executes. Release: a signal handler on this thread that finds the task finds it
    /// and its region set up.
    #[inline(always)]
    pub fn set_task(&self, task: &Task) {
        self.headers_for.set(std::ptr::null());
        self.set_task_in_place(task);
    }

    /// As [`set_task`](Self::set_task), from a task to one that it executes in place, and back.
    #[inline(always)]
    pub(crate) fn set_task_in_place(&self, task: &Task) {
        self.task.store(std::ptr::from_ref(task).cast_mut(), Ordering::Release);
    }

    /// Sets the thread's slot and the task that it executes there.
    #[inline(always)]
    pub fn move_to(&self, member: &Member, task: &Task) {
        self.set_member(member);
        self.set_task(task);
    }

    /// The outlined function of the current task.
    pub fn outlined_function(&self) -> *const std::ffi::c_void {
        let task = self.task();
        if task.is_explicit() { task.body.get().function } else { self.member().team().signal.outlined.get().function }
    }

    /// The current task's ICVs.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: only the executing thread writes the ICVs, and that is this thread.
        unsafe { &*self.task().icvs.get() }
    }

    /// The current task's ICVs, to change. The thread itself only.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "the ICVs belong to the executing thread alone")]
    pub fn icvs_mut(&self) -> &mut Icvs {
        self.headers_for.set(std::ptr::null());
        // SAFETY: as in `icvs`. No caller keeps the reference across another call of these two methods.
        unsafe { &mut *self.task().icvs.get() }
    }

    /// The number of the thread's device, [`HOST`] for a thread of the host.
    #[inline(always)]
    pub fn device(&self) -> i32 {
        self.device.get()
    }

    /// Sets the thread's device. No thread uses the descriptor yet.
    pub fn set_device(&self, device: i32) {
        self.device.set(device);
        self.tool.calling.set(if device == HOST { 0 } else { OF_DEVICE });
    }

    /// The host thread that executes a device's code with this descriptor now. Async-signal-safe on that thread.
    pub fn steps_for(&self) -> Option<&'static Thread> {
        // SAFETY: the pointer is null or points to a descriptor, and descriptors are never freed.
        unsafe { self.steps_for.get().as_ref() }
    }

    /// The team whose task the thread executes as a free agent.
    #[inline(always)]
    pub fn works_for(&self) -> Option<&'static Team> {
        // SAFETY: the pointer is null or points to a team, and teams are never freed.
        unsafe { self.works_for.get().as_ref() }
    }

    /// Notes the calling thread as the operating system's thread of the descriptor.
    pub fn set_os_thread(&self) {
        // SAFETY: the calls have no preconditions.
        unsafe {
            self.lwp.store(libc::syscall(libc::SYS_gettid) as i32, Ordering::Relaxed);
            self.pthread.store(libc::pthread_self() as usize, Ordering::Release);
        }
    }

    /// As [`set_os_thread`](Self::set_os_thread), for a calling thread with the descriptor `other` of its own.
    pub fn set_os_thread_of(&self, other: &Thread) {
        self.lwp.store(other.lwp.load(Ordering::Relaxed), Ordering::Relaxed);
        self.pthread.store(other.pthread(), Ordering::Release);
    }

    /// Notes that no thread uses the descriptor any more.
    pub fn clear_os_thread(&self) {
        self.pthread.store(0, Ordering::Release);
    }

    /// The `pthread_t` of the thread; 0 while no thread uses the descriptor.
    pub fn pthread(&self) -> usize {
        self.pthread.load(Ordering::Acquire)
    }

    /// The place to which the thread is bound, -1 for none.
    pub fn place(&self) -> i32 {
        self.place.get()
    }
}
