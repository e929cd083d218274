//! What OMPT keeps in the runtime's own objects: data words, states, frames.

use crate::layout::Shown;
use crate::layout::place;
use crate::model::atomic::{Ordering, compiler_fence};
use crate::objects::frames::{entry_point_flags, frame_flags, outside};
use crate::objects::presence::{Breakpoint, Presence, WaitFor};
use crate::objects::structures::TargetTool;
use crate::objects::structures::Task;
use crate::objects::structures::{Before, ParallelTool, TaskTool, ThreadTool};
use crate::objects::traced::OfThread;
use crate::protocol::mark::{CALLING, DISTURBED, Mark, OF_DEVICE};
use ompd_layout::Field;
use ompt::{Data, Frame, State, WaitId};
use std::ffi::c_void;
use std::hint::cold_path;

impl ThreadTool {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[
        (Field::ThreadKind, place!(ThreadTool, kind)),
        (Field::ThreadState, place!(ThreadTool, state)),
        (Field::ThreadWaitId, place!(ThreadTool, wait_id)),
        (Field::ThreadWaitFor, place!(ThreadTool, wait_for)),
        (Field::ThreadPresence, place!(ThreadTool, presence)),
        (Field::ThreadData, place!(ThreadTool, data)),
    ];

    /// What records say of the thread, which is a device's.
    #[inline(always)]
    pub(crate) fn traced(&self) -> &OfThread {
        &self.traced
    }

    /// The thread's data word, which belongs to the tool.
    #[inline(always)]
    pub fn data(&self) -> *mut Data {
        self.data.get()
    }

    /// The thread's state now.
    #[inline(always)]
    pub fn state(&self) -> State {
        State(self.state.load(Ordering::Relaxed) as _)
    }

    /// Changes the thread's state.
    #[inline(always)]
    pub fn set_state(&self, state: State) {
        self.state.store(state.0 as u32, Ordering::Relaxed);
    }

    /// Changes the thread's state to that of waiting for `id`. A signal handler that sees the state sees the
    /// identifier.
    #[inline(always)]
    pub fn set_waiting(&self, state: State, id: WaitId) {
        self.wait_id.store(id, Ordering::Relaxed);
        compiler_fence(Ordering::Release);
        self.set_state(state);
    }

    /// Says what the next wait identifier is one of.
    #[inline(always)]
    pub fn set_wait_for(&self, what: WaitFor) {
        self.wait_for.store(what as u8, Ordering::Relaxed);
    }

    /// Whether the thread executes a task.
    pub fn presence(&self) -> Presence {
        match self.presence.load(Ordering::Acquire) {
            0 => Presence::Outside,
            1 => Presence::Between,
            2 => Presence::Inside,
            _ => Presence::Leaving,
        }
    }

    /// Notes whether the thread executes a task. Release: a signal handler that sees it sees what the thread did
    /// before.
    pub fn set_presence(&self, presence: Presence) {
        self.presence.store(presence as u8, Ordering::Release);
    }

    /// The worker waits for the end of its region again, after it has executed a task of the region.
    pub fn leave_again(&self) {
        self.set_presence(Presence::Leaving);
    }

    /// The copy of the data word of the region that the thread is leaving, and how many threads the region has.
    pub fn left_region(&self) -> (*mut Data, u32) {
        (self.left.data.get(), self.left.size.get())
    }

    /// Whether the region that the thread is leaving is over.
    pub fn left_region_is_over(&self) -> bool {
        let number = self.left.number.get();
        // SAFETY: null or a team, and teams live for ever.
        number == 0 || unsafe { self.left.team.get().as_ref() }.is_none_or(|team| team.region_under_way() != number)
    }

    /// What the thread waits for; only meaningful in a wait state.
    #[inline(always)]
    pub fn wait_id(&self) -> WaitId {
        self.wait_id.load(Ordering::Relaxed)
    }

    /// The thread is about to call the tool, if it is one of the host's that is not inside a callback.
    #[inline(always)]
    pub fn try_enter_callback(&self) -> bool {
        self.calling.try_enter()
    }

    /// Whether a thread of the host's, which is marked as being in a callback, may call the tool again as it is.
    #[inline(always)]
    pub fn may_call_on(&self) -> bool {
        self.calling.own() == CALLING
    }

    /// The mark by which others see that the thread is inside a callback.
    pub fn mark(&self) -> &Mark {
        &self.calling
    }

    /// The thread is about to call the tool, whosever it is. Not from inside a callback.
    pub fn enter_callback(&self) {
        self.calling.set(self.calling.own() | CALLING);
    }

    /// The tool has returned.
    #[inline(always)]
    pub fn leave_callback(&self) {
        if self.calling.own() == CALLING {
            self.calling.lower(0);
        } else {
            self.leave_otherwise();
        }
    }

    /// The tool has returned on a thread of a device, or after a construct in its callback.
    #[cold]
    #[inline(never)]
    fn leave_otherwise(&self) {
        self.calling.lower(self.calling.own() & !CALLING);
        self.put_right();
    }

    /// Says whether the thread is a device's. Nobody uses the descriptor yet.
    pub fn set_of_device(&self, is: bool) {
        self.calling.set(if is { OF_DEVICE } else { 0 });
    }

    /// The tool has encountered a construct in its callback, on this thread, whose current task is `task`: what the
    /// construct changes of the thread's state is put right when the callback returns.
    #[cold]
    pub fn disturb(&self, task: &Task) {
        let calling = self.calling.own();
        if calling & DISTURBED == 0 {
            // SAFETY: the current task's frame is this thread's.
            let frame = unsafe { *task.tool.frame() };
            self.before.set(Before { state: self.state(), presence: self.presence(), frame });
            self.disturbed.set(task);
            self.calling.set(calling | DISTURBED);
        }
    }

    /// One of several tools has returned, and another one is called.
    #[inline(always)]
    pub fn next_tool(&self) {
        if self.calling.own() & DISTURBED != 0 {
            self.put_right();
            self.enter_callback();
        }
    }

    #[cold]
    #[inline(never)]
    fn put_right(&self) {
        let calling = self.calling.own();
        if calling & DISTURBED == 0 {
            return;
        }
        let before = self.before.get();
        // SAFETY: the task was current when the callback began, and is again; so it is alive, and its frame this
        // thread's.
        unsafe { *(*self.disturbed.get()).tool.frame() = before.frame };
        self.set_presence(before.presence);
        self.set_state(before.state);
        self.calling.lower(calling & OF_DEVICE);
    }

    /// Of several tools, `tool` is the one that is called next.
    #[inline(always)]
    pub fn set_called_tool(&self, tool: usize) {
        self.called_tool.set(tool);
    }

    /// Which of several tools was called last.
    pub fn called_tool(&self) -> usize {
        self.called_tool.get()
    }

    /// Whether the thread is inside a callback.
    pub fn in_callback(&self) -> bool {
        self.calling.is_inside()
    }

    /// The thread is in the target construct `target` from here to [`leave_target`](Self::leave_target).
    pub(crate) fn enter_target(&self, target: &TargetTool) {
        target.outer.set(self.target.load(Ordering::Relaxed));
        // Release: a signal handler that sees the construct sees what it is.
        self.target.store(std::ptr::from_ref(target).cast_mut(), Ordering::Release);
    }

    /// The thread is not in `target` any more, which it was in last.
    pub(crate) fn leave_target(&self, target: &TargetTool) {
        self.target.store(target.outer.get().cast_mut(), Ordering::Release);
    }

    /// The target construct that the thread is in.
    pub(crate) fn target(&self) -> Option<&TargetTool> {
        // SAFETY: null, or one that the thread has not left, which lasts until then.
        unsafe { self.target.load(Ordering::Acquire).as_ref() }
    }

    /// Empties the part for the descriptor's next thread.
    pub fn reset(&self, kind: ompt::Thread) {
        // SAFETY: the descriptor's thread has not begun; nobody else uses its data word.
        unsafe { *self.data.get() = Data::NONE };
        self.set_state(State::UNDEFINED);
        self.set_presence(Presence::Outside);
        self.kind.set(kind);
        self.wait.set(None);
        self.begun.set(false);
        self.target.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
}

impl ParallelTool {
    /// What debuggers read of it.
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
        // SAFETY: null or the part of a team, and teams live for ever.
        if let Some(other) = unsafe { self.stands_for.get().as_ref() } {
            cold_path();
            return other.data.get();
        }
        self.data.get()
    }

    /// The target region that a device's team works for.
    pub(crate) fn target(&self) -> ompt::Id {
        self.target.load(Ordering::Relaxed)
    }

    /// Says so. Before the region begins.
    pub(crate) fn set_target(&self, target: ompt::Id) {
        self.target.store(target, Ordering::Relaxed);
    }

    /// Says that a debugger is told of the region's begin or end, or has been.
    pub(crate) fn set_breakpoint(&self, breakpoint: Breakpoint) {
        self.breakpoint.set(breakpoint as u8);
    }

    /// The team is an initial one of the league with the part `league`: to tools they are one region.
    pub fn stand_for(&self, league: &ParallelTool) {
        self.stands_for.set(league);
    }

    /// The team is that of a free agent, which executes a task of the region with the part `region`, or none any more:
    /// to tools the task is in its own region.
    #[cold]
    pub fn stand_in_for(&self, region: Option<&ParallelTool>) {
        self.stands_for.set(region.map_or(std::ptr::null(), std::ptr::from_ref));
    }

    /// Empties the part for the next region.
    #[inline(always)]
    pub fn reset(&self) {
        self.stands_for.set(std::ptr::null());
        // SAFETY: the region has not begun; nobody else uses its data word.
        unsafe { *self.data.get() = Data::NONE };
    }
}

impl TaskTool {
    /// What debuggers read of it.
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

    /// The task's frames.
    #[inline(always)]
    pub fn frame(&self) -> *mut Frame {
        self.frame.get()
    }

    /// The task whose frames lie next on the stack of the thread that executes this one; only for an explicit task, or
    /// the initial task of a target region, that is being executed.
    pub fn below(&self) -> Option<&Task> {
        // SAFETY: null, or a task that is set aside until this one is done with its stack.
        unsafe { self.below.get().as_ref() }
    }

    /// Notes that the task is executed on top of `task`.
    pub fn set_below(&self, task: &Task) {
        self.below.set(task);
    }

    /// Whether the task has entered the runtime. As all that changes frames, for the thread that executes the task.
    pub fn has_entered(&self) -> bool {
        // SAFETY: the frame is that thread's.
        unsafe { !(*self.frame.get()).enter_frame.ptr().is_null() }
    }

    /// The task enters the runtime: at an entry point, if its flags were not [set](Self::set_enter_flags) before.
    #[inline(always)]
    pub fn enter(&self, address: *mut c_void) {
        compiler_fence(Ordering::Release);
        // SAFETY: as above.
        unsafe { (*self.frame.get()).enter_frame = Data { ptr: address } };
        compiler_fence(Ordering::Release);
    }

    /// The task's code runs again.
    #[inline(always)]
    pub fn resume(&self) {
        compiler_fence(Ordering::Release);
        // SAFETY: as above.
        unsafe { (*self.frame.get()).enter_frame = Data::NONE };
    }

    /// The task's code is about to run.
    pub fn set_exit(&self, address: *mut c_void, flags: i32) {
        let frame = self.frame.get();
        // SAFETY: as above.
        unsafe {
            (*frame).exit_frame_flags = flags;
            compiler_fence(Ordering::Release);
            (*frame).exit_frame = Data { ptr: address };
        }
    }

    /// The task's code has returned.
    #[inline(always)]
    pub fn code_returned(&self) {
        // SAFETY: as above.
        unsafe { (*self.frame.get()).exit_frame = Data::NONE };
        compiler_fence(Ordering::Release);
    }

    /// The task's code, which the program has called, has returned; if it is called again, then by a trampoline.
    pub fn program_returned(&self) {
        self.code_returned();
        // SAFETY: as above.
        unsafe { (*self.frame.get()).exit_frame_flags = frame_flags() };
    }

    /// The task has no frames on the stack, not yet or not any more: for an initial task that lies on another task, and
    /// so cannot say it by a null exit frame. `outside` is an address in a frame of the runtime outside of the task's.
    pub fn hide_frames(&self, outside: *const c_void) {
        let flags = ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::STACKADDRESS.0;
        // At no time is the enter frame older than the exit frame.
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

    /// Says how the enter frame is to be read. Flags that are not those of entry points stay for one entry, and whoever
    /// ends that sets them back.
    pub fn set_enter_flags(&self, flags: i32) {
        compiler_fence(Ordering::Release);
        // SAFETY: as above.
        unsafe { (*self.frame.get()).enter_frame_flags = flags };
    }

    /// Ends [`hide_frames`](Self::hide_frames): a trampoline is about to call the task's code.
    pub fn show_frames(&self) {
        // SAFETY: as above.
        unsafe { (*self.frame.get()).exit_frame_flags = frame_flags() };
        self.resume();
        self.set_enter_flags(entry_point_flags());
    }

    /// Where a trampoline stores the exit frame of this task.
    #[inline(always)]
    pub fn exit_frame_slot(&self) -> *mut usize {
        // SAFETY: a field of a live object; `Data` is one word.
        unsafe { (&raw mut (*self.frame.get()).exit_frame).cast() }
    }

    /// Empties the part for a new task.
    #[inline(always)]
    pub fn reset(&self) {
        // SAFETY: the task has not begun; nobody else uses its part.
        unsafe {
            *self.data.get() = Data::NONE;
            *self.frame.get() = outside();
        }
        self.below.set(std::ptr::null());
    }
}
