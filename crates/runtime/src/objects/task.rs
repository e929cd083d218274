//! Tasks: what can be read of them and noted in them.

use crate::icv::Icvs;
use crate::layout::{Shown, constant, place};
use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use crate::objects::body::{Body, Mode};
use crate::objects::structures::{Group, Task, TaskMember, TaskTool, Team};
use crate::objects::{blocks, dependence};
use crate::protocol::children::Children;
use ompd_layout::Field;
use ompt::TaskFlag;
use std::cell::{Cell, UnsafeCell};

const _: () = assert!(std::mem::offset_of!(Task, generated) == 48 && size_of::<Task>() == 256);

/// What a task is. Some are OMPT's, so that they can be handed to tools; the others lie between them.
pub mod flag {
    use ::ompt::TaskFlag;

    /// The parity of the barrier phase that the task belongs to.
    pub const PARITY: u32 = 1 << 8;
    /// The body wants to be called again: the next part of an untied task.
    pub const AGAIN: u32 = 1 << 9;
    /// The body has an event that completes it.
    pub const DETACHABLE: u32 = 1 << 10;
    /// The body has returned: what is left is to complete the task.
    pub const FINISHED: u32 = 1 << 11;
    /// The first argument of the body is the number of the executing thread.
    pub const NUMBERED: u32 = 1 << 12;
    /// The last word of the payload is the handle of an operation that goes on after the body has
    /// returned; the body is called again until it is null.
    pub const ASYNCHRONOUS: u32 = 1 << 13;
    /// A target construct generated the task.
    pub const TARGET: u32 = 1 << 14;
    /// A device executes the construct of this target task: see `target.rs`.
    pub const DEVICE: u32 = 1 << 18;
    /// The task was discarded: its code does not run.
    pub const DISCARDED: u32 = 1 << 19;
    /// Free agents may execute it: see `agents.rs`.
    pub const POOL: u32 = 1 << 23;
    /// The task records a graph of its children (`graph.rs`). Passed on to them, and taken back when they are noted.
    pub const RECORDING: u32 = 1 << 5;
    /// The task may be discarded, should its taskgroup or its region be cancelled before it begins. Passed on to its
    /// children.
    pub const CANCELLABLE: u32 = 1 << 24;
    /// The code of a cancellable task has begun, or must run for another reason: it is not discarded. Also of every
    /// task that goes on after it was suspended.
    pub const BEGUN: u32 = 1 << 25;
    /// The task was discarded, or has found that it is cancelled; an implicit task, that its region is.
    pub const CANCELLED: u32 = 1 << 26;
    /// A task of a taskloop, with a tool that is to hear which iterations are its own: see
    /// [`Task::set_chunk`](super::Task).
    pub const LOOP_CHUNK: u32 = 1 << 15;
    /// Free for the entry points.
    pub const DOOR_1: u32 = 1 << 16;
    pub const DOOR_2: u32 = 1 << 17;
    pub const INITIAL: u32 = TaskFlag::INITIAL.0 as u32;
    pub const IMPLICIT: u32 = TaskFlag::IMPLICIT.0 as u32;
    pub const EXPLICIT: u32 = TaskFlag::EXPLICIT.0 as u32;
    pub const TASKWAIT: u32 = TaskFlag::TASKWAIT.0 as u32;
    pub const UNDEFERRED: u32 = TaskFlag::UNDEFERRED.0 as u32;
    pub const UNTIED: u32 = TaskFlag::UNTIED.0 as u32;
    /// A transparent task that imports, and one that exports, dependences (OpenMP 6.0, section 17.9.6): see
    /// `task/table.rs`.
    pub const IMPORTING: u32 = 1 << 21;
    pub const EXPORTING: u32 = 1 << 22;
    pub const FINAL: u32 = TaskFlag::FINAL.0 as u32;
    pub const MERGEABLE: u32 = TaskFlag::MERGEABLE.0 as u32;
    /// An undeferred task whose event may outlast its code: whoever waits for deferred tasks waits for it as well.
    pub const COUNTED: u32 = 1 << 20;
    /// What OMPT knows of.
    pub const OMPT: u32 = INITIAL | IMPLICIT | EXPLICIT | TASKWAIT | UNDEFERRED | UNTIED | FINAL | MERGEABLE;
}

impl TaskMember {
    /// A region begins. Called by the member's thread.
    #[inline(always)]
    pub fn start(&self) {
        self.mode.set(Mode::Unknown);
        self.counts.reset();
    }
}

/// What debuggers read of blocks of tasks, and how to read flags.
pub(crate) const SHOWN: Shown = &[
    (Field::NodePending, dependence::PENDING),
    (Field::SlabNext, blocks::SLAB_NEXT),
    (Field::SlabFirst, constant(blocks::SLAB_FIRST)),
    (Field::SlabBytes, constant(blocks::SLAB)),
    (Field::BlockBytes0, constant(blocks::bytes_of_class(0))),
    (Field::BlockBytes1, constant(blocks::bytes_of_class(1))),
    (Field::BlockBytes2, constant(blocks::bytes_of_class(2))),
    (Field::BlockBytes3, constant(blocks::bytes_of_class(3))),
    (Field::FlagFinished, constant(flag::FINISHED as usize)),
    (Field::FlagTarget, constant(flag::TARGET as usize)),
    (Field::FlagBegun, constant(flag::BEGUN as usize)),
];

impl Task {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[
        (Field::TaskParent, place!(Task, parent)),
        (Field::TaskDepth, place!(Task, depth)),
        (Field::TaskFlags, place!(Task, flags)),
        (Field::TaskExecutor, place!(Task, executor)),
        (Field::TaskPriority, place!(Task, priority)),
        (Field::TaskTeam, place!(Task, team)),
        (Field::TaskFunction, place!(Task, body; Body, function)),
        (Field::TaskNode, place!(Task, node)),
        (Field::TaskLink, place!(Task, children)),
        (Field::TaskItself, place!(Task, itself)),
        (Field::TaskClass, place!(Task, class)),
        (Field::TaskEncountered, place!(Task, encountered)),
        (Field::TaskIcvs, place!(Task, icvs)),
    ];

    /// An implicit task for a member's slot, not begun.
    pub fn new_implicit() -> Task {
        Task {
            parent: AtomicPtr::new(std::ptr::null_mut()),
            root: AtomicPtr::new(std::ptr::null_mut()),
            depth: AtomicU32::new(0),
            flags: Cell::new(flag::IMPLICIT),
            executor: AtomicPtr::new(std::ptr::null_mut()),
            generated: Children::new(),
            priority: Cell::new(0),
            encountered: Cell::new(0),
            body: Cell::new(Body::NOTHING),
            group: Cell::new(std::ptr::null()),
            team: Cell::new(std::ptr::null()),
            recorded: AtomicBool::new(false),
            node: Cell::new(std::ptr::null()),
            children: Cell::new(std::ptr::null_mut()),
            event: crate::protocol::detach::Event::default(),
            class: Cell::new(0),
            bytes: Cell::new(0),
            owner: Cell::new(std::ptr::null()),
            icvs: UnsafeCell::new(crate::icv::initial()),
            tool: TaskTool::default(),
            itself: Cell::new(std::ptr::null()),
        }
    }

    /// Makes a header in memory that may have been one before: a thief may still read what it reads of headers, and a
    /// handle of an event may still come. `again` is how often the memory of the store has been used anew.
    ///
    /// # Safety
    /// `place` has room for a header, is aligned for one, and nobody else writes to it.
    pub(crate) unsafe fn make_at(place: *mut Task, again: u16) {
        const BEHIND: usize = std::mem::offset_of!(Task, flags);
        const EVENT: usize = std::mem::offset_of!(Task, event);
        const BEHIND_EVENT: usize = EVENT + size_of::<crate::protocol::detach::Event>();
        let new = std::mem::ManuallyDrop::new(Task::new_implicit());
        let from = (&raw const new).cast::<u8>();
        let to = place.cast::<u8>();
        // SAFETY: the caller's. What others may read, the first fields and the event's word, is written by atomic
        // stores.
        unsafe {
            (*place).parent.store(std::ptr::null_mut(), Ordering::Relaxed);
            (*place).root.store(std::ptr::null_mut(), Ordering::Relaxed);
            (*place).depth.store(0, Ordering::Relaxed);
            std::ptr::copy_nonoverlapping(from.add(BEHIND), to.add(BEHIND), EVENT - BEHIND);
            (*place).event.renew(again);
            std::ptr::copy_nonoverlapping(
                from.add(BEHIND_EVENT),
                to.add(BEHIND_EVENT),
                size_of::<Task>() - BEHIND_EVENT,
            );
        }
    }

    /// The function of an explicit task's code; `None` for an implicit task.
    pub fn function(&self) -> Option<*const std::ffi::c_void> {
        self.is_explicit().then(|| self.body.get().function)
    }

    /// The implicit task of a region begins, on the thread that executes it. `parent` is the task
    /// that encountered the construct, `flags` are [`flag`]s.
    #[inline(always)]
    pub fn begin_implicit(&self, parent: Option<&Task>, icvs: Icvs, flags: u32) {
        let parent = parent.map_or(std::ptr::null_mut(), |p| std::ptr::from_ref(p).cast_mut());
        self.parent.store(parent, Ordering::Relaxed);
        self.flags.set(flags);
        if self.root.load(Ordering::Relaxed).is_null() {
            self.root.store(std::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        }
        if self.generated.generated() != 0 {
            // Tasks of an earlier region; all are complete.
            self.generated.forget();
        }
        // SAFETY: only the executing thread touches the ICVs, and the caller is that thread.
        unsafe { *self.icvs.get() = icvs };
        if crate::objects::switch::active() {
            self.tool.reset();
            self.recorded.store(false, Ordering::Relaxed);
        }
    }

    /// The task that generated this one, or that encountered the construct of this implicit task.
    #[inline(always)]
    pub fn parent(&self) -> Option<&Task> {
        // SAFETY: null or a header, and headers stay mapped; an incomplete task's parent is alive.
        unsafe { self.parent.load(Ordering::Relaxed).as_ref() }
    }

    /// The team whose threads execute this explicit task; `None` for an implicit task.
    pub fn team(&self) -> Option<&'static Team> {
        // SAFETY: null or a team, and teams live for ever.
        unsafe { self.team.get().as_ref() }
    }

    /// The implicit task that this explicit task descends from.
    #[inline(always)]
    pub fn root(&self) -> *const Task {
        self.root.load(Ordering::Relaxed)
    }

    /// Where the program keeps the task's data: as many bytes as were asked for.
    #[inline(always)]
    pub fn payload(&self) -> *mut u8 {
        blocks::payload(self)
    }

    /// The innermost taskgroup around what the task executes; null if there is none.
    pub fn group(&self) -> *const Group {
        self.group.get()
    }

    /// How many taskgroups are around what the task executes.
    pub fn open_groups(&self) -> usize {
        // SAFETY: null, or a group that has not ended; so are those around it.
        std::iter::successors(unsafe { self.group.get().as_ref() }, |group| group.outer()).count()
    }

    /// Puts what the task executes next inside a taskgroup, or inside none. Executing thread only.
    pub fn set_group(&self, group: *const Group) {
        self.group.set(group);
    }

    /// How many bytes the payload has.
    pub fn payload_bytes(&self) -> usize {
        self.bytes.get() as usize
    }

    #[inline(always)]
    pub(crate) fn has(&self, flag: u32) -> bool {
        self.flags.get() & flag != 0
    }

    /// Whether it has one of these [`flag`]s.
    #[inline(always)]
    pub fn has_any(&self, flags: u32) -> bool {
        self.has(flags)
    }

    /// Whether a `task` or `taskloop` construct generated it.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        self.has(flag::EXPLICIT)
    }

    /// Whether it is the implicit task of a parallel region.
    #[inline(always)]
    pub fn is_implicit(&self) -> bool {
        self.has(flag::IMPLICIT)
    }

    /// Whether it is an initial task.
    #[inline(always)]
    pub fn is_initial(&self) -> bool {
        self.has(flag::INITIAL)
    }

    /// Whether it is final: its children are included tasks (`omp_in_final`).
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.has(flag::FINAL)
    }

    /// `ompt_task_flag_t` of the task. A task of a target construct, or of a taskwait that waits, is not also an
    /// explicit one. No task is ever `ompt_task_merged`: a mergeable task has a data environment of its own (OpenMP 5.1
    /// §2.12.1 leaves that to the implementation), and an included task of a final region is undeferred and final.
    pub fn ompt_flags(&self) -> i32 {
        let flags = self.flags.get();
        let mut told = flags & flag::OMPT;
        // The task of a taskwait that does not wait is a deferred one, which tools keep as they do explicit ones.
        let waited_for = flags & (flag::TASKWAIT | flag::UNDEFERRED) == flag::TASKWAIT | flag::UNDEFERRED;
        if flags & flag::TARGET != 0 || waited_for {
            told &= !flag::EXPLICIT;
        }
        if flags & flag::TARGET != 0 {
            // Target tasks are mergeable and untied by definition (OpenMP 5.1 §1.2.5).
            told |= ::ompt::TaskFlag::TARGET.0 as u32 | flag::UNTIED | flag::MERGEABLE;
        }
        if flags & (flag::IMPORTING | flag::EXPORTING) != 0 {
            told |= transparency(flags);
        }
        if flags & flag::IMPLICIT != 0 {
            // The task that encountered the construct is suspended meanwhile (OpenMP 5.1 §1.2.5). So LLVM has it.
            told |= flag::UNDEFERRED;
        }
        told as i32
    }

    /// Notes where the program encountered the construct that generates the task, for debuggers: its body is known.
    pub fn note_encounter(&self, codeptr: *const std::ffi::c_void) {
        let distance = codeptr.addr().wrapping_sub(self.body.get().function.addr()) as isize;
        // Both lie in one file of the program, if the function is the task's at all.
        self.encountered.set(i32::try_from(distance).unwrap_or(0));
    }

    /// How many bytes a payload of `bytes` takes with a chunk behind it.
    pub(crate) fn bytes_with_chunk(bytes: usize) -> usize {
        bytes.next_multiple_of(size_of::<u64>()) + size_of::<::ompt::DispatchChunk>()
    }

    /// Where the chunk of a task with [`flag::LOOP_CHUNK`] lies, behind its payload.
    pub(crate) fn chunk(&self) -> *mut ::ompt::DispatchChunk {
        // SAFETY: `create` has made room for it.
        unsafe { self.payload().add(self.payload_bytes().next_multiple_of(size_of::<u64>())).cast() }
    }

    /// Notes which iterations of its taskloop are the task's, if a tool is to hear of them. Before it is launched.
    pub(crate) fn set_chunk(&self, first: u64, count: u64) {
        if self.has(flag::LOOP_CHUNK) {
            // SAFETY: as in `chunk`; the task is nobody else's.
            unsafe { self.chunk().write(::ompt::DispatchChunk { start: first, iterations: count }) };
        }
    }

    /// Takes the chunk that is to be told to the tool, once. Executing thread only; it stays valid while the task runs.
    pub(crate) fn take_chunk(&self) -> Option<*mut ::ompt::DispatchChunk> {
        let has = self.has(flag::LOOP_CHUNK);
        self.change_flags(0, flag::LOOP_CHUNK);
        has.then(|| self.chunk())
    }

    /// Where the handle of an asynchronous operation of the task is; `None` if the task has none.
    pub fn asynchronous(&self) -> Option<*mut *mut std::ffi::c_void> {
        if !self.has(flag::ASYNCHRONOUS) {
            return None;
        }
        // SAFETY: the payload of such a task ends with a word for it.
        Some(unsafe { self.payload().add(self.payload_bytes()).cast::<*mut std::ffi::c_void>().sub(1) })
    }
}

/// What a transparent task is to tools; the bits are not those of the runtime.
#[cold]
pub(crate) fn transparency(flags: u32) -> u32 {
    let all = [(flag::IMPORTING, TaskFlag::IMPORTING), (flag::EXPORTING, TaskFlag::EXPORTING)];
    all.iter().filter(|(bit, _)| flags & bit != 0).fold(0, |told, (_, flag)| told | flag.0 as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transparent_tasks_are_told_with_the_flags_of_openmp_6() {
        assert_eq!(transparency(flag::IMPORTING), 0x0200_0000);
        assert_eq!(transparency(flag::EXPORTING), 0x0400_0000);
        assert_eq!(transparency(flag::IMPORTING | flag::EXPORTING | flag::BEGUN), 0x0600_0000);
        // The runtime's own bits at those places are no tool's.
        assert_eq!(transparency(flag::BEGUN | flag::CANCELLED), 0);
    }
}
