//! The ICVs that each task carries, and how the implicit tasks of a parallel region inherit them. OpenMP 5.1 §2.4.

use super::lists;
use super::values::Schedule;
use crate::allocators;
use crate::layout::{Shown, place};
use crate::place::{Bind, Partition};
use ompd_layout::Field;

/// Data-environment ICVs: each task has its own copy, written only by the thread that executes the task
/// (OpenMP 5.1 §2.4.1, Tables 2.1 and 2.4).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Icvs {
    /// nthreads-var: the first element of what is left of the list.
    pub nthreads: i32,
    /// thread-limit-var: threads of one contention group.
    pub thread_limit: i32,
    /// max-active-levels-var.
    pub max_active_levels: i32,
    /// default-device-var.
    pub default_device: i32,
    /// run-sched-var.
    pub run_sched: Schedule,
    /// def-allocator-var of implicit tasks. An explicit task has the value that it hands down.
    pub def_allocator: allocators::Handle,
    /// place-partition-var: the places on which threads of regions forked from this task may be put.
    pub partition: Partition,
    /// dyn-var.
    pub dynamic: bool,
    /// bind-var: the first element of what is left of the list.
    pub bind: Bind,
    /// The task's nesting depth, counted to 255: the index into the environment's lists of nthreads-var and bind-var.
    pub nthreads_level: u8,
    /// The number of the list (see [`lists`]) that a `num_threads` clause has put in place of the environment's.
    pub nthreads_list: u16,
}

impl Icvs {
    /// The fields that debuggers read.
    pub const SHOWN: Shown = &[
        (Field::IcvNthreads, place!(Icvs, nthreads)),
        (Field::IcvThreadLimit, place!(Icvs, thread_limit)),
        (Field::IcvMaxActiveLevels, place!(Icvs, max_active_levels)),
        (Field::IcvDefaultDevice, place!(Icvs, default_device)),
        (Field::IcvScheduleKind, place!(Icvs, run_sched.kind)),
        (Field::IcvScheduleMonotonic, place!(Icvs, run_sched.monotonic)),
        (Field::IcvScheduleChunk, place!(Icvs, run_sched.chunk)),
        (Field::IcvDefAllocator, place!(Icvs, def_allocator)),
        (Field::IcvPartitionFirst, place!(Icvs, partition.first)),
        (Field::IcvPartitionCount, place!(Icvs, partition.count)),
        (Field::IcvDynamic, place!(Icvs, dynamic)),
        (Field::IcvBind, place!(Icvs, bind)),
        (Field::IcvNthreadsLevel, place!(Icvs, nthreads_level)),
        (Field::IcvNthreadsList, place!(Icvs, nthreads_list)),
    ];

    /// The ICVs of the implicit tasks of a parallel region that this task encounters. The lists of nthreads-var and
    /// bind-var lose their first element where another follows, and all other ICVs are inherited (OpenMP 5.1 §2.4.3).
    /// `num_threads` and `binds` are the environment's lists. Where the team is spread, the caller replaces the
    /// partition ([`Fork::place_of`](crate::place::Fork::place_of)).
    #[inline]
    pub(super) fn nested(&self, num_threads: &[i32], binds: &[Bind]) -> Icvs {
        let mut icvs = *self;
        if self.nthreads_level == u8::MAX {
            return icvs;
        }
        icvs.nthreads_level += 1;
        // Out of line: inline it would take registers from every fork.
        if icvs.has_lists(num_threads, binds) {
            icvs.take_from_lists(num_threads, binds);
        }
        icvs
    }

    /// Whether `region` is certainly what [`nested`](Self::nested) returns. False where a list may have a say. Quicker
    /// than making the ICVs and comparing them: the processor would have to wait for bytes that it has just written.
    #[inline]
    pub(super) fn give_exactly(&self, region: &Icvs, num_threads: &[i32], binds: &[Bind]) -> bool {
        u16::from(region.nthreads_level) == u16::from(self.nthreads_level) + 1
            && !region.has_lists(num_threads, binds)
            && Icvs { nthreads_level: self.nthreads_level, ..*region } == *self
    }

    /// Whether a list may have a value for this nesting level. Most levels are beyond both lists.
    #[inline]
    fn has_lists(&self, num_threads: &[i32], binds: &[Bind]) -> bool {
        let level = usize::from(self.nthreads_level);
        self.nthreads_list != lists::ENVIRONMENT || level < num_threads.len() || level < binds.len()
    }

    /// Takes the values of this nesting level from the lists, the environment's or that of a `num_threads` clause.
    #[cold]
    fn take_from_lists(&mut self, num_threads: &[i32], binds: &[Bind]) {
        let level = usize::from(self.nthreads_level);
        if self.nthreads_list != lists::ENVIRONMENT {
            if let Some((nthreads, left)) = lists::take_first(self.nthreads_list) {
                self.nthreads = nthreads;
                self.nthreads_list = left;
            }
        } else if let Some(&nthreads) = num_threads.get(level) {
            self.nthreads = nthreads;
        }
        if let Some(&bind) = binds.get(level) {
            self.bind = bind;
        }
    }
}
