//! The methods of tasks that read and write their fields.

use crate::icv::Icvs;
use crate::layout::{Shown, constant, place};
use crate::model::atomic::Ordering;
use crate::objects::blocks;
use crate::objects::body::{Body, Mode};
use crate::objects::structures::{Node, Slab, Task, TaskMember, Team};
use crate::protocol::{lock_word, nest_word};
use ompd_layout::{Entry, Field};
use ompt::TaskFlag;
use std::cell::Cell;

const _: () = assert!(std::mem::offset_of!(Task, generated) == 48 && size_of::<Task>() == 256);

/// Flags of a task. Some have OMPT's values, so that tools can get them; the others use bits that OMPT leaves free.
pub mod flag {
    use ::ompt::TaskFlag;

    /// The body must be called again, for the next part of an untied task.
    pub const AGAIN: u32 = 1 << 7;
    /// Besides [`AGAIN`]: by the same thread, at once.
    pub const AT_ONCE: u32 = 1 << 8;
    /// The body has an event that completes it.
    pub const DETACHABLE: u32 = 1 << 10;
    /// The body has returned, and the task is not complete yet.
    pub const FINISHED: u32 = 1 << 11;
    /// The first argument of the body is the number of the executing thread.
    pub const NUMBERED: u32 = 1 << 12;
    /// The last word of the payload is the handle of an operation that goes on after the body has returned. The body is
    /// called again until the handle is null.
    pub const ASYNCHRONOUS: u32 = 1 << 13;
    /// A target construct generated the task.
    pub const TARGET: u32 = 1 << 14;
    /// A device executes the construct of this target task: see `task/target.rs`.
    pub const DEVICE: u32 = 1 << 17;
    /// The task was discarded: its code does not run.
    pub const DISCARDED: u32 = 1 << 19;
    /// Free agents may execute the task: see `task/agents.rs`.
    pub const POOL: u32 = 1 << 23;
    /// The task records a graph of its children (`task/graph.rs`). Children inherit the flag, and lose it when they
    /// have been recorded.
    pub const RECORDING: u32 = 1 << 5;
    /// The task has done something that the header's next task in place must not find: see `task/in_place.rs`.
    pub const MARKED: u32 = 1 << 6;
    /// The task may be discarded if its taskgroup or its region is cancelled before the task begins. Children inherit
    /// the flag.
    pub const CANCELLABLE: u32 = 1 << 24;
    /// A cancellable task is not discarded any more: its code has begun, or must run for another reason. Also set for
    /// every task that resumes.
    pub const BEGUN: u32 = 1 << 25;
    /// The task was discarded, or has found that it is cancelled. For an implicit task: that its region is.
    pub const CANCELLED: u32 = 1 << 26;
    /// A task of a taskloop whose iterations are reported to a tool: see [`Task::set_chunk`](super::Task).
    pub const LOOP_CHUNK: u32 = 1 << 15;
    /// For the entry points' own use.
    pub const ENTRY_POINT_1: u32 = 1 << 16;
    pub const ENTRY_POINT_2: u32 = 1 << 18;
    pub const INITIAL: u32 = TaskFlag::INITIAL.0 as u32;
    pub const IMPLICIT: u32 = TaskFlag::IMPLICIT.0 as u32;
    pub const EXPLICIT: u32 = TaskFlag::EXPLICIT.0 as u32;
    pub const TASKWAIT: u32 = TaskFlag::TASKWAIT.0 as u32;
    pub const UNDEFERRED: u32 = TaskFlag::UNDEFERRED.0 as u32;
    pub const UNTIED: u32 = TaskFlag::UNTIED.0 as u32;
    /// A transparent task that imports or exports dependences (OpenMP 6.0, section 17.9.6): see `task/table.rs`.
    pub const IMPORTING: u32 = 1 << 21;
    pub const EXPORTING: u32 = 1 << 22;
    pub const FINAL: u32 = TaskFlag::FINAL.0 as u32;
    pub const MERGEABLE: u32 = TaskFlag::MERGEABLE.0 as u32;
    /// An undeferred task whose event may be fulfilled after its code has returned. Waits for deferred tasks include
    /// it.
    pub const COUNTED: u32 = 1 << 20;
    /// The flags with OMPT's values.
    pub const OMPT: u32 = INITIAL | IMPLICIT | EXPLICIT | TASKWAIT | UNDEFERRED | UNTIED | FINAL | MERGEABLE;
}

impl TaskMember {
    /// Resets the account at the begin of a region. The member's thread calls this.
    #[inline(always)]
    pub fn start(&self) {
        self.mode.set(Mode::Unknown);
        self.account.reset();
    }
}

/// What debuggers need to find blocks of tasks, to read flags, and to find the owners in the words of locks.
pub(crate) const SHOWN: Shown = &[
    (Field::NodePending, Entry { offset: Node::PENDING as u32, size: size_of::<u32>() as u32 }),
    (Field::SlabNext, place!(Slab, next)),
    (Field::SlabFirst, constant(blocks::SLAB_FIRST)),
    (Field::SlabBytes, constant(blocks::SLAB)),
    (Field::BlockBytes0, constant(blocks::bytes_of_class(0))),
    (Field::BlockBytes1, constant(blocks::bytes_of_class(1))),
    (Field::BlockBytes2, constant(blocks::bytes_of_class(2))),
    (Field::BlockBytes3, constant(blocks::bytes_of_class(3))),
    (Field::FlagFinished, constant(flag::FINISHED as usize)),
    (Field::FlagTarget, constant(flag::TARGET as usize)),
    (Field::FlagBegun, constant(flag::BEGUN as usize)),
    (Field::LockOwnerShift, constant(lock_word::OWNER_SHIFT as usize)),
    (Field::NestOwnerShift, constant(nest_word::OWNER_SHIFT as usize)),
    (Field::NestOwnerAlign, constant(nest_word::OWNER_ALIGN)),
];

impl Task {
    /// The fields that debuggers read.
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
        Task { flags: Cell::new(flag::IMPLICIT), ..Task::default() }
    }

    /// Makes a header in memory that may have been a header before. A thief may still read that header's atomic fields,
    /// and a late handle may still refer to its event. `again` is how often the store has cut a slab anew.
    ///
    /// # Safety
    /// `place` is aligned and large enough for a header, and no other thread writes to it.
    pub(crate) unsafe fn make_at(place: *mut Task, again: u16) {
        const BEHIND: usize = std::mem::offset_of!(Task, flags);
        const EVENT: usize = std::mem::offset_of!(Task, event);
        const BEHIND_EVENT: usize = EVENT + size_of::<crate::protocol::detach::Event>();
        let new = std::mem::ManuallyDrop::new(Task::new_implicit());
        let from = (&raw const new).cast::<u8>();
        let to = place.cast::<u8>();
        // SAFETY: the caller's `place`. Other threads may read the first fields and the event's word, which are written
        // by atomic stores.
        unsafe {
            (*place).parent.store(std::ptr::null_mut(), Ordering::Relaxed);
            (*place).root.store(std::ptr::null_mut(), Ordering::Relaxed);
            (*place).depth.store(0, Ordering::Relaxed);
            std::ptr::copy_nonoverlapping(from.add(BEHIND), to.add(BEHIND), EVENT - BEHIND);
            (*place).event.renew(again);
            let rest = size_of::<Task>() - BEHIND_EVENT;
            std::ptr::copy_nonoverlapping(from.add(BEHIND_EVENT), to.add(BEHIND_EVENT), rest);
        }
    }

    /// Begins the implicit task of a region, on the thread that executes the task. `parent` is the encountering task,
    /// and `flags` are [`flag`]s.
    #[inline(always)]
    pub fn begin_implicit(&self, parent: Option<&Task>, icvs: Icvs, flags: u32) {
        let parent = parent.map_or(std::ptr::null_mut(), |p| std::ptr::from_ref(p).cast_mut());
        self.parent.store(parent, Ordering::Relaxed);
        self.flags.set(flags);
        if self.root.load(Ordering::Relaxed).is_null() {
            self.root.store(std::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        }
        if self.generated.generated() != 0 {
            // These tasks belong to an earlier region, so all are complete.
            self.generated.forget();
        }
        // SAFETY: only the executing thread uses the ICVs, and that is the calling thread.
        unsafe { *self.icvs.get() = icvs };
        if crate::objects::switch::active() {
            self.tool.reset();
            self.recorded.store(false, Ordering::Relaxed);
        }
    }

    /// The task that generated this one. For an implicit task: the encountering task.
    #[inline(always)]
    pub fn parent(&self) -> Option<&Task> {
        // SAFETY: the pointer is null or points to a header. The memory of headers stays mapped, and the parent of an
        // incomplete task is alive.
        unsafe { self.parent.load(Ordering::Relaxed).as_ref() }
    }

    /// The team whose threads execute this explicit task; `None` for an implicit task.
    pub fn team(&self) -> Option<&'static Team> {
        // SAFETY: the pointer is null or points to a team, and teams are never freed.
        unsafe { self.team.get().as_ref() }
    }

    /// The memory for the program's data of the task.
    #[inline(always)]
    pub fn payload(&self) -> *mut u8 {
        let behind = blocks::behind(self);
        if self.class.get() == blocks::LARGE {
            // SAFETY: `take_large` has written the description for this class.
            return unsafe { (*behind.cast::<blocks::Elsewhere>()).memory };
        }
        behind
    }

    /// The number of taskgroups around the code that the task executes now.
    pub fn open_groups(&self) -> usize {
        // SAFETY: the pointer is null or points to a group that has not ended. The same holds for the groups around it.
        std::iter::successors(unsafe { self.group.get().as_ref() }, |group| group.outer()).count()
    }

    /// The size of the payload in bytes.
    pub fn payload_bytes(&self) -> usize {
        self.bytes.get() as usize
    }

    /// Whether the task has one of these [`flag`]s.
    #[inline(always)]
    pub fn has(&self, flags: u32) -> bool {
        self.flags.get() & flags != 0
    }

    /// Whether a `task` or `taskloop` construct generated the task.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        self.has(flag::EXPLICIT)
    }

    /// Whether the task is an initial task.
    #[inline(always)]
    pub fn is_initial(&self) -> bool {
        self.has(flag::INITIAL)
    }

    /// Whether the task is final, so that its children are included tasks (`omp_in_final`).
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.has(flag::FINAL)
    }

    /// The task's `ompt_task_flag_t`. A task of a target construct, or of a taskwait that waits, does not count as
    /// explicit, too. No task has `ompt_task_merged`: a mergeable task has a data environment of its own, which OpenMP
    /// 5.1 §2.12.1 leaves to the implementation. An included task of a final region is undeferred and final.
    pub fn ompt_flags(&self) -> i32 {
        let flags = self.flags.get();
        let mut reported = flags & flag::OMPT;
        // A taskwait that does not wait has a deferred task, which tools treat as an explicit one.
        let waited_for = flags & (flag::TASKWAIT | flag::UNDEFERRED) == flag::TASKWAIT | flag::UNDEFERRED;
        if flags & flag::TARGET != 0 || waited_for {
            reported &= !flag::EXPLICIT;
        }
        if flags & flag::TARGET != 0 {
            // Target tasks are mergeable and untied by definition (OpenMP 5.1 §1.2.5).
            reported |= ::ompt::TaskFlag::TARGET.0 as u32 | flag::UNTIED | flag::MERGEABLE;
        }
        if flags & (flag::IMPORTING | flag::EXPORTING) != 0 {
            reported |= transparency(flags);
        }
        if flags & flag::IMPLICIT != 0 {
            // The encountering task is suspended meanwhile (OpenMP 5.1 §1.2.5). libomp reports the same.
            reported |= flag::UNDEFERRED;
        }
        reported as i32
    }

    /// Notes for debuggers where the task's construct was encountered. The body has been set.
    pub fn note_encounter(&self, codeptr: *const std::ffi::c_void) {
        let distance = codeptr.addr().wrapping_sub(self.body.get().function.addr()) as isize;
        // Both addresses lie in one file of the program, so the distance fits. If the function is a stand-in, it may
        // not.
        self.encountered.set(i32::try_from(distance).unwrap_or(0));
    }

    /// The size of a payload of `bytes` with a chunk after it.
    pub(crate) fn bytes_with_chunk(bytes: usize) -> usize {
        bytes.next_multiple_of(size_of::<u64>()) + size_of::<::ompt::DispatchChunk>()
    }

    /// The chunk of a task with [`flag::LOOP_CHUNK`]. It lies after the payload.
    pub(crate) fn chunk(&self) -> *mut ::ompt::DispatchChunk {
        // SAFETY: `task/create.rs` has made the block large enough for it.
        unsafe { self.payload().add(self.payload_bytes().next_multiple_of(size_of::<u64>())).cast() }
    }

    /// Notes which iterations of its taskloop the task executes, if they are reported to a tool. Before it is launched.
    pub(crate) fn set_chunk(&self, first: u64, count: u64) {
        if self.has(flag::LOOP_CHUNK) {
            // SAFETY: as in `chunk`. No other thread knows the task yet.
            unsafe { self.chunk().write(::ompt::DispatchChunk { start: first, iterations: count }) };
        }
    }

    /// Sets the function of a task that the program fills in, and its data. The rest of the body is as the task before
    /// has left it, which ran in place as well.
    #[inline(always)]
    pub(crate) fn set_filled_in(&self, function: *const std::ffi::c_void, data: usize) {
        self.body.set(Body { function, b: data, ..self.body.get() });
    }

    /// Adds [`flag`]s and takes others away. Only the owner of the task may call this: its creator before the launch,
    /// then its executing thread.
    pub fn change_flags(&self, add: u32, remove: u32) {
        self.flags.set((self.flags.get() | add) & !remove);
    }

    /// The thread leaves the task. A child that completes on this thread from here on must not take the task for this
    /// thread's: another thread may be about to continue the task, and counts its children.
    pub(crate) fn disown(&self) {
        self.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    }

    /// Takes the chunk to report to the tool, once. Executing thread only. The pointer is valid while the task runs.
    pub(crate) fn take_chunk(&self) -> Option<*mut ::ompt::DispatchChunk> {
        let has = self.has(flag::LOOP_CHUNK);
        self.change_flags(0, flag::LOOP_CHUNK);
        has.then(|| self.chunk())
    }

    /// The handle of an asynchronous operation of the task; `None` if the task has none.
    pub fn asynchronous(&self) -> Option<*mut *mut std::ffi::c_void> {
        let has = self.has(flag::ASYNCHRONOUS);
        // SAFETY: the payload of such a task ends with a word for the handle.
        has.then(|| unsafe { self.payload().add(self.payload_bytes()).cast::<*mut std::ffi::c_void>().sub(1) })
    }
}

/// The OMPT flags of a transparent task, whose values differ from the runtime's flags.
#[cold]
pub(crate) fn transparency(flags: u32) -> u32 {
    let all = [(flag::IMPORTING, TaskFlag::IMPORTING), (flag::EXPORTING, TaskFlag::EXPORTING)];
    all.iter().filter(|(bit, _)| flags & bit != 0).fold(0, |flags, (_, flag)| flags | flag.0 as u32)
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
