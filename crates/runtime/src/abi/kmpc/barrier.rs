//! Barriers (`__kmpc_barrier` and its kin).

use super::Ident;
use crate::abi::split_entry_point;
use crate::barrier;
use ompt::SyncRegion;

/// `KMP_IDENT_BARRIER_EXPL` among `ident_t`'s flags.
const EXPLICIT: i32 = 0x20;
/// `KMP_IDENT_BARRIER_IMPL`: at the end of a worksharing construct.
const IMPLICIT: i32 = 0x40;

/// The kind of barrier, which the compiler notes in the flags.
///
/// # Safety
/// `loc` is null or valid.
pub(super) unsafe fn kind(loc: *const Ident) -> SyncRegion {
    // SAFETY: the caller keeps to the `# Safety` section.
    let flags = unsafe { loc.as_ref() }.map_or(EXPLICIT, |ident| ident.flags);
    if flags & EXPLICIT != 0 {
        SyncRegion::BARRIER_EXPLICIT
    } else if flags & IMPLICIT != 0 {
        SyncRegion::BARRIER_IMPLICIT_WORKSHARE
    } else {
        SyncRegion::BARRIER_IMPLEMENTATION
    }
}

split_entry_point! {
    /// `__kmpc_barrier`: all threads of the team arrive, then all continue (OpenMP 5.1 §2.19.2).
    pub fn __kmpc_barrier(loc: *const Ident, gtid: i32), |thread, call, _in| {
        barrier::barrier(thread, kind(loc), call);
    }

    /// `__kmpc_barrier_master`: a barrier after which the primary thread continues alone: returns 1 on the primary
    /// thread, and 0 on the others once the primary has called `__kmpc_end_barrier_master`.
    pub fn __kmpc_barrier_master(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
        if thread.member().tid == 0 {
            1
        } else {
            barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
            0
        }
    }

    /// `__kmpc_end_barrier_master`: the primary thread lets the others continue.
    pub fn __kmpc_end_barrier_master(loc: *const Ident, gtid: i32), |thread, call, _in| {
        barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
    }

    /// `__kmpc_barrier_master_nowait`: a barrier that returns 1 on the primary thread, 0 elsewhere.
    pub fn __kmpc_barrier_master_nowait(loc: *const Ident, gtid: i32) -> i32, |thread, call, _in| {
        barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
        i32::from(thread.member().tid == 0)
    }
}
