//! The parts of threads, regions and tasks that tools see: data words, states, frames (OpenMP 5.1 §4.4.4).

use crate::layout::{Shown, place};
use crate::model::atomic::{Ordering, compiler_fence};
use crate::objects::frames;
use crate::objects::presence::Presence;
use crate::objects::structures::{Named, ParallelTool, Saved, TargetTool, Task, TaskTool, ThreadTool};
use crate::protocol::mark::{CALLING, DISTURBED, OF_DEVICE};
use ompd_layout::Field;
use ompt::{Data, State, WaitId};
use std::ffi::c_void;
use std::hint::cold_path;

impl ThreadTool {
    /// The fields that debuggers read.
    pub(crate) const SHOWN: Shown = &[
        (Field::ThreadKind, place!(ThreadTool, kind)),
        (Field::ThreadState, place!(ThreadTool, state)),
        (Field::ThreadWaitId, place!(ThreadTool, wait_id)),
        (Field::ThreadWaitFor, place!(ThreadTool, wait_for)),
        (Field::ThreadPresence, place!(ThreadTool, presence)),
        (Field::ThreadData, place!(ThreadTool, data)),
    ];

    /// The thread's state.
    #[inline(always)]
    pub fn state(&self) -> State {
        State(self.state.load(Ordering::Relaxed) as _)
    }

    /// Changes the thread's state.
    #[inline(always)]
    pub fn set_state(&self, state: State) {
        self.state.store(state.0 as u32, Ordering::Relaxed);
    }

    /// Changes the thread's state to that of waiting for `id`. The identifier is stored first: a signal handler that
    /// finds the state finds the identifier.
    #[inline(always)]
    pub fn set_waiting(&self, state: State, id: WaitId) {
        self.wait_id.store(id, Ordering::Relaxed);
        compiler_fence(Ordering::Release);
        self.set_state(state);
    }

    /// The thread's [`Presence`].
    pub fn presence(&self) -> Presence {
        match self.presence.load(Ordering::Acquire) {
            0 => Presence::Outside,
            1 => Presence::Between,
            2 => Presence::Inside,
            _ => Presence::Leaving,
        }
    }

    /// Sets the thread's [`Presence`]. Release: a signal handler that finds the new value finds the objects set up that
    /// the thread has prepared before.
    pub fn set_presence(&self, presence: Presence) {
        self.presence.store(presence as u8, Ordering::Release);
    }

    /// Whether the region that the worker is leaving is over.
    pub fn left_region_is_over(&self) -> bool {
        let number = self.left.number.get();
        // SAFETY: the pointer is null or points to a team, and teams are never freed.
        number == 0 || unsafe { self.left.team.get().as_ref() }.is_none_or(|team| team.region_under_way() != number)
    }

    /// Marks a thread of the host or of a device as inside a callback. It is not inside one yet.
    pub fn enter_callback(&self) {
        self.calling.set(self.calling.own() | CALLING);
    }

    /// Ends the callback: the tool has returned.
    #[inline(always)]
    pub fn leave_callback(&self) {
        if self.calling.own() == CALLING {
            self.calling.lower(0);
        } else {
            self.leave_callback_slowly();
        }
    }

    /// As [`leave_callback`](Self::leave_callback), on a thread of a device, or after a construct in the callback.
    #[cold]
    #[inline(never)]
    fn leave_callback_slowly(&self) {
        self.calling.lower(self.calling.own() & !CALLING);
        self.restore_state();
    }

    /// Saves the thread's state because the tool has encountered a construct in its callback. `task` is the current
    /// task. What the construct changes is restored when the callback returns.
    #[cold]
    pub fn save_state(&self, task: &Task) {
        let calling = self.calling.own();
        if calling & DISTURBED == 0 {
            // SAFETY: the frame of the current task belongs to this thread.
            let frame = unsafe { *task.tool.frame.get() };
            self.saved.set(Some(Saved { state: self.state(), presence: self.presence(), task, frame }));
            self.calling.set(calling | DISTURBED);
        }
    }

    /// Prepares the call of the next of several tools: the one before has returned.
    #[inline(always)]
    pub fn next_tool(&self) {
        if self.calling.own() & DISTURBED != 0 {
            self.restore_state();
            self.enter_callback();
        }
    }

    #[cold]
    #[inline(never)]
    fn restore_state(&self) {
        let Some(saved) = self.saved.take() else { return };
        // SAFETY: the task was current when the callback began, and is current again. So the task is alive, and its
        // frame belongs to this thread.
        unsafe { *(*saved.task).tool.frame.get() = saved.frame };
        self.set_presence(saved.presence);
        self.set_state(saved.state);
        self.calling.lower(self.calling.own() & OF_DEVICE);
    }

    /// Whether the thread is inside a callback.
    pub fn in_callback(&self) -> bool {
        self.calling.is_inside()
    }

    /// Notes that the thread is in the target construct `target`, if its operations are reported, until
    /// [`leave_target`](Self::leave_target).
    pub(crate) fn enter_target(&self, target: &TargetTool) {
        if target.reported.get() {
            target.outer.set(self.target.load(Ordering::Relaxed));
            // Release: a signal handler that finds the construct finds its fields set.
            self.target.store(std::ptr::from_ref(target).cast_mut(), Ordering::Release);
        }
    }

    /// Notes that the thread has left `target`, the innermost construct that it was in. The construct may go on without
    /// the thread.
    pub(crate) fn leave_target(&self, target: &TargetTool) {
        if target.reported.get() {
            self.target.store(target.outer.get().cast_mut(), Ordering::Release);
        }
    }

    /// The target construct that the thread is in.
    pub(crate) fn target(&self) -> Option<&TargetTool> {
        // SAFETY: the pointer is null or points to a construct that the thread has not left, which exists until then.
        unsafe { self.target.load(Ordering::Acquire).as_ref() }
    }

    /// Names `function`, an address or null, as that of the construct whose begin the thread is about to report.
    #[inline(always)]
    pub(crate) fn name(&self, function: *const c_void) -> Named<'_> {
        Named { thread: self, before: self.function.replace(function.addr()) }
    }

    /// The address of the function of the construct whose begin the thread reports; 0 for none.
    pub(crate) fn named(&self) -> usize {
        if self.in_callback() { self.function.get() } else { 0 }
    }

    /// Resets the part for the descriptor's next thread.
    pub fn reset(&self, kind: ompt::Thread) {
        // SAFETY: no thread uses the descriptor yet, so nothing else uses its data word.
        unsafe { *self.data.get() = Data::NONE };
        self.set_state(State::UNDEFINED);
        self.set_presence(Presence::Outside);
        self.kind.set(kind);
        self.wait.set(None);
        self.begun.set(false);
        self.target.store(std::ptr::null_mut(), Ordering::Relaxed);
        self.function.set(0);
    }
}

impl Drop for Named<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.thread.function.set(self.before);
    }
}

impl ParallelTool {
    /// The fields that debuggers read.
    pub(crate) const SHOWN: Shown = &[
        (Field::TeamData, place!(ParallelTool, data)),
        (Field::TeamStandsFor, place!(ParallelTool, stands_for)),
        (Field::TeamCodeptr, place!(ParallelTool, codeptr)),
        (Field::TeamFlags, place!(ParallelTool, flags)),
        (Field::TeamBreakpoint, place!(ParallelTool, breakpoint)),
    ];

    /// The region's data word, which belongs to the tool.
    #[inline(always)]
    pub fn data(&self) -> *mut Data {
        // SAFETY: the pointer is null or points into a team, and teams are never freed.
        if let Some(other) = unsafe { self.stands_for.get().as_ref() } {
            cold_path();
            return other.data.get();
        }
        self.data.get()
    }

    /// Resets the part for the next region.
    #[inline(always)]
    pub fn reset(&self) {
        self.stands_for.set(std::ptr::null());
        // SAFETY: the region has not begun, so nothing else uses its data word.
        unsafe { *self.data.get() = Data::NONE };
    }
}

impl TaskTool {
    /// The fields that debuggers read.
    pub(crate) const SHOWN: Shown = &[
        (Field::TaskData, place!(TaskTool, data)),
        (Field::TaskFrame, place!(TaskTool, frame)),
        (Field::TaskBelow, place!(TaskTool, below)),
    ];

    /// The task's data word, which belongs to the tool.
    #[inline(always)]
    pub fn data(&self) -> *mut Data {
        self.data.get()
    }

    /// The task whose frames lie below this task's on the executing thread's stack. Only for an explicit task, or the
    /// initial task of a target region, while it is being executed.
    pub fn below(&self) -> Option<&Task> {
        // SAFETY: the pointer is null or points to a task that is suspended until this task leaves the stack.
        unsafe { self.below.get().as_ref() }
    }

    /// Whether the task has entered the runtime. Only the thread that executes the task calls this and the functions
    /// below, so a task's frames belong to one thread at a time.
    pub fn has_entered(&self) -> bool {
        // SAFETY: the frame belongs to the calling thread, which executes the task.
        unsafe { !(*self.frame.get()).enter_frame.ptr().is_null() }
    }

    /// Notes that the task enters the runtime. `address` is read as the flags say that are
    /// [set](Self::set_enter_flags); by default it is the frame of an entry point.
    #[inline(always)]
    pub fn enter(&self, address: *mut c_void) {
        compiler_fence(Ordering::Release);
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).enter_frame = Data { ptr: address } };
        compiler_fence(Ordering::Release);
    }

    /// Notes that the task's code runs again.
    #[inline(always)]
    pub fn resume(&self) {
        compiler_fence(Ordering::Release);
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).enter_frame = Data::NONE };
    }

    /// Notes that the task's code is about to run.
    pub fn set_exit(&self, address: *mut c_void, flags: i32) {
        let frame = self.frame.get();
        // SAFETY: as in `has_entered`.
        unsafe {
            (*frame).exit_frame_flags = flags;
            compiler_fence(Ordering::Release);
            (*frame).exit_frame = Data { ptr: address };
        }
    }

    /// Notes that the task's code has returned.
    #[inline(always)]
    pub fn code_returned(&self) {
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).exit_frame = Data::NONE };
        compiler_fence(Ordering::Release);
    }

    /// Notes that the task's code has returned, which the program had called. A next call comes from a trampoline.
    pub fn program_returned(&self) {
        self.code_returned();
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).exit_frame_flags = frames::RUNTIME };
    }

    /// Notes that the task has no frames on the stack, before its code runs or afterwards. Only for an initial task
    /// above another task: a null exit frame would make it look like the bottom of the stack. `outside` is an address
    /// in a frame of the runtime outside the task's.
    pub fn hide_frames(&self, outside: *const c_void) {
        let flags = ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::STACKADDRESS.0;
        // In this order a signal handler never finds an enter frame that is older than the exit frame.
        if self.has_entered() {
            self.set_enter_flags(flags);
            self.enter(outside.cast_mut());
            self.set_exit(outside.cast_mut(), flags);
        } else {
            self.set_exit(outside.cast_mut(), flags);
            self.set_enter_flags(flags);
            self.enter(outside.cast_mut());
        }
    }

    /// Sets how the enter frame is read. Flags other than an entry point's are for one entry; the end of that entry
    /// sets them back.
    pub fn set_enter_flags(&self, flags: i32) {
        compiler_fence(Ordering::Release);
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).enter_frame_flags = flags };
    }

    /// Ends [`hide_frames`](Self::hide_frames) before a trampoline calls the task's code.
    pub fn show_frames(&self) {
        // SAFETY: as in `has_entered`.
        unsafe { (*self.frame.get()).exit_frame_flags = frames::RUNTIME };
        self.resume();
        self.set_enter_flags(frames::ENTRY_POINT);
    }

    /// The word in which a trampoline stores the exit frame of this task.
    #[inline(always)]
    pub fn exit_frame_slot(&self) -> *mut usize {
        // SAFETY: the pointer is to a field of this task, and `Data` is one word.
        unsafe { (&raw mut (*self.frame.get()).exit_frame).cast() }
    }

    /// Resets the part for a new task.
    #[inline(always)]
    pub fn reset(&self) {
        // SAFETY: the task has not begun, so nothing else uses its part.
        unsafe {
            *self.data.get() = Data::NONE;
            *self.frame.get() = frames::OUTSIDE;
        }
        self.below.set(std::ptr::null());
    }
}
